//! Replayed cases for people, as a table of values, and for build servers.

use super::totals::Replayed;
use super::{Case, Line, Violation};
use crate::picture::xml::escape;
use crate::source::{on_one_line, printable};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How much to tell people.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// A line for clean cases, too.
    pub all: bool,
    /// What the labels of the log say, case by case.
    pub labels: bool,
}

/// So many kinds of findings are listed.
const MOST_FINDINGS: usize = 20;

/// For people.
pub fn human(replayed: &Replayed, style: Style) -> String {
    let t = &replayed.totals;
    let mut out =
        format!("{} by the rules of {}: {}", on_one_line(&replayed.model), replayed.profile, count(t.cases, "case"));
    let _ = writeln!(out, ", {}", count(t.events, "event"));
    if t.cases == 0 {
        return out;
    }
    let share = |n: usize| 100.0 * n as f64 / t.cases as f64;
    let mut number = |what: &str, n: usize| {
        let _ = writeln!(out, "  {what:<12} {n:>8}  {:5.1} %", share(n));
    };
    number("fit", t.fit);
    if let Some(compliant) = t.compliant {
        number("compliant", compliant);
    }
    number("completed", t.completed);
    if t.approximate > 0 {
        number("approximate", t.approximate);
    }
    if t.incomplete > 0 {
        number("incomplete", t.incomplete);
    }
    let _ = writeln!(out, "  {:<12} {:8.4}", "fitness", t.fitness);
    findings(replayed, &mut out);
    for (name, counts) in t.properties.iter().filter(|(_, c)| c.yes + c.no > 0) {
        let _ = writeln!(out, "  property {}: true in {}, false in {}", on_one_line(name), counts.yes, counts.no);
    }
    let shown = |c: &&Case| style.all || !c.is_clean() || (style.labels && !c.is_as_labelled()) || c.run.is_some();
    let mut cases = replayed.cases.iter().map(|c| &**c).filter(shown).peekable();
    if cases.peek().is_some() {
        out.push('\n');
    }
    for case in cases {
        out += &line(case, style);
        case.run.iter().flat_map(|run| &run.lines).for_each(|l| out += &told(l, case));
    }
    printable(&out).into_owned()
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Violations and deviations, the most frequent first.
pub fn found(replayed: &Replayed) -> Vec<(String, usize)> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for case in &replayed.cases {
        for (stage, kind) in &case.turned {
            *found.entry(format!("{stage} {}", in_words(kind))).or_default() += 1;
        }
        for d in &case.deviations {
            *found.entry(format!("{}: {}", d.kind.name(), d.event)).or_default() += 1;
        }
    }
    let mut list: Vec<(String, usize)> = found.into_iter().collect();
    list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    list
}

fn findings(replayed: &Replayed, out: &mut String) {
    let list = found(replayed);
    if !list.is_empty() {
        out.push('\n');
    }
    for (what, n) in list.iter().take(MOST_FINDINGS) {
        let _ = writeln!(out, "  {n:>6} x {}", on_one_line(what));
    }
    if list.len() > MOST_FINDINGS {
        let _ = writeln!(out, "  and {} kinds more", list.len() - MOST_FINDINGS);
    }
}

fn in_words(kind: &str) -> &str {
    match kind {
        "outOfOrder" => "is out of order",
        "skipped" => "is skipped",
        _ => "is faulty",
    }
}

fn line(case: &Case, style: Style) -> String {
    let mut out = format!("{}: {}\n", on_one_line(&case.case), on_one_line(&verdict(case, style)));
    reasons(case).iter().for_each(|reason| out += &format!("  {}\n", on_one_line(reason)));
    out
}

/// What is said of a case in a few words.
pub fn verdict(case: &Case, style: Style) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(case.verdict.map(str::to_string));
    words.extend((!case.fit).then(|| count(case.deviations.len(), "deviation")));
    words.extend((!case.completed && !case.incomplete).then(|| "not completed".to_string()));
    words.extend(case.incomplete.then(|| "incomplete: the log breaks off".to_string()));
    words.extend(case.approximate.then(|| "approximate".to_string()));
    let broken = case.properties.iter().filter(|(_, said)| said.starts_with("false"));
    words.extend(broken.map(|(name, said)| format!("{name} {said}")));
    if let Some(label) = case.label.as_ref().filter(|_| style.labels && !case.is_as_labelled()) {
        words.push(format!("but labelled {label}"));
    }
    if style.labels && case.label.is_none() {
        words.push("without a label".into());
    }
    if words.is_empty() {
        words.push("fits".into());
    }
    words.join(", ")
}

/// The first violation and every deviation of a case, in a sentence each.
pub fn reasons(case: &Case) -> Vec<String> {
    let at = |index: usize, time: &Option<String>| match time {
        Some(time) => format!("event {index} at {time}"),
        None => format!("event {index}"),
    };
    let turned = |v: &Violation| {
        let stage = v.stage.as_ref()?;
        Some(format!("{}, {}: {stage} {}: {}", at(v.index, &v.time), v.event, in_words(v.kind), v.reason))
    };
    let first = case.first.as_deref().and_then(turned).into_iter();
    let deviations = case
        .deviations
        .iter()
        .map(|d| format!("{}, {}: {}: {}", at(d.index, &d.time), d.event, d.kind.name(), d.reason));
    first.chain(deviations).collect()
}

fn told(line: &Line, case: &Case) -> String {
    let time = line.time.as_deref().unwrap_or("");
    let deviates = case.deviations.iter().find(|d| d.index == line.index);
    let remark = match deviates {
        Some(d) => format!("  << {}", d.kind.name()),
        None if case.ignored.contains(&line.index) => "  (ignored)".into(),
        None => String::new(),
    };
    let (time, event) = (on_one_line(time), on_one_line(&line.event));
    let mut out = format!("  {:>4}  {time:<24}  {event}{remark}\n", line.index);
    line.then.iter().for_each(|then| out += &format!("        {}\n", on_one_line(then)));
    out
}

/// A row per case.
pub fn csv(replayed: &Replayed) -> String {
    let mut out = String::from(
        "case,events,fit,verdict,completed,label,approximate,first_index,first_time,first_event,first_stage,first_kind,first_reason,deviations,ignored",
    );
    let names: Vec<&String> = replayed.totals.properties.keys().collect();
    names.iter().for_each(|n| out += &format!(",{}", cell(n)));
    out.push('\n');
    for c in &replayed.cases {
        let first = c.first.as_ref();
        let kinds: Vec<&str> = c.deviations.iter().map(|d| d.kind.name()).collect();
        let mut row = vec![
            c.case.clone(),
            c.events.to_string(),
            c.fit.to_string(),
            c.verdict.unwrap_or_default().to_string(),
            c.completed.to_string(),
            c.label.clone().unwrap_or_default(),
            c.approximate.to_string(),
            first.map(|f| f.index.to_string()).unwrap_or_default(),
            first.and_then(|f| f.time.clone()).unwrap_or_default(),
            first.map(|f| f.event.clone()).unwrap_or_default(),
            first.and_then(|f| f.stage.clone()).unwrap_or_default(),
            first.map(|f| f.kind.to_string()).unwrap_or_default(),
            first.map(|f| f.reason.clone()).unwrap_or_default(),
            kinds.join(" "),
            c.ignored.len().to_string(),
        ];
        row.extend(names.iter().map(|n| c.properties.get(*n).cloned().unwrap_or_default()));
        out += &row.iter().map(|text| cell(text)).collect::<Vec<_>>().join(",");
        out.push('\n');
    }
    out
}

/// A cell of a table: in quotes where it must be, characters that cannot be shown by their codes. What a spreadsheet would take for
/// a formula begins with an apostrophe, unless it is a plain number.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(text);
    let shown = format!("{}{}", if formula { "'" } else { "" }, printable(text));
    match shown.contains([',', ';', '"', '\n', '\t']) {
        true => format!("\"{}\"", shown.replace('"', "\"\"")),
        false => shown,
    }
}

/// Digits, perhaps with a sign before them and a point among them.
fn is_number(text: &str) -> bool {
    let number = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    [whole, part].iter().all(|s| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit()))
}

/// A test per case; it fails when the case is not clean.
pub fn junit(replayed: &Replayed) -> String {
    let failed = replayed.cases.iter().filter(|c| !c.is_clean()).count();
    let (tests, errors) = (replayed.cases.len(), replayed.errors.len());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let _ = writeln!(
        out,
        "  <testsuite name=\"gsmc.replay\" tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\">",
        tests + errors
    );
    for c in &replayed.cases {
        let head = format!("    <testcase classname=\"{}\" name=\"{}\"", escape(&replayed.model), escape(&c.case));
        if c.is_clean() {
            let _ = writeln!(out, "{head}/>");
            continue;
        }
        let text = line(c, Style::default());
        let message = text.lines().next().unwrap_or_default();
        let _ = writeln!(out, "{head}><failure message=\"{}\">{}</failure></testcase>", escape(message), escape(&text));
    }
    for error in &replayed.errors {
        let _ = writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"log\"><error message=\"{}\"/></testcase>",
            escape(&replayed.model),
            escape(error)
        );
    }
    out + "  </testsuite>\n</testsuites>\n"
}
