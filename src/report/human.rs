//! Results as a table for people: one line a property, one column an engine, then what the traces show.

use crate::answer::{AbstractionNumbers, Engine, PropertyResult, Results, Verdict, by_property};
use crate::source::{on_one_line, printable};
use crate::trace::look::{Ink, Look, columns};
use crate::trace::{plain, text};
use serde_json::Value;
use std::collections::HashMap;

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Colours, width, whole snapshots.
    pub look: Look,
    /// Leave traces out.
    pub brief: bool,
    /// Show every trace, also those of many properties that are as expected.
    pub all_traces: bool,
}

/// Up to so many traces of answers as expected are shown; more would bury the others.
const TRACES_AS_EXPECTED: usize = 12;

/// The whole report.
pub fn text(results: &Results, style: Style) -> String {
    let results = &shown(results);
    let mut out = header(results);
    out += &table(results, &style.look);
    out += if results.absent.is_empty() { "" } else { "\n" };
    for absent in &results.absent {
        out += &format!("{} is not there: {}\n", absent.engine, absent.reason);
    }
    out += &super::scope::lines(results, &style.look);
    let told = stories(results);
    let quiet = |s: &Story| s.main.is_as_expected() && shows(s.main);
    let hidden = told.iter().filter(|s| quiet(s)).count();
    let hide = hidden > TRACES_AS_EXPECTED && !style.all_traces;
    for story in &told {
        let brief = style.brief || (hide && quiet(story));
        out += &details(story, Style { brief, ..style });
    }
    out += &everywhere(results, &style.look);
    if hide && !style.brief {
        out += &format!("\n{hidden} answers as expected are not explained: --property NAME or --all-traces does\n");
    }
    for d in &results.disagreements {
        let names = |list: &[Engine]| list.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
        let line = format!(
            "ALARM: on {} the engines disagree: {} say true, {} say false",
            d.property,
            names(&d.yes),
            names(&d.no)
        );
        out += &format!("\n{}\n", style.look.paint(Ink::Bad, &line));
    }
    out + &tally(results, &style.look)
}

/// The same results with all texts as they can be shown, so that every escape in what is made of them is a colour of gsmc.
fn shown(results: &Results) -> Results {
    let clean = serde_json::to_value(results).map(|value| cleaned("", value));
    clean.and_then(serde_json::from_value).unwrap_or_else(|_| results.clone())
}

/// Texts that may have lines of their own; all others are names, or said in one.
const WITH_LINES: [&str; 5] = ["comment", "formula", "reason", "summary", "vacuous"];

fn cleaned(key: &str, value: Value) -> Value {
    match value {
        Value::String(text) if WITH_LINES.contains(&key) => printable(&text).into_owned().into(),
        Value::String(text) => on_one_line(&text).into_owned().into(),
        Value::Array(items) => items.into_iter().map(|item| cleaned(key, item)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (String, Value)| (on_one_line(&name).into_owned(), cleaned(&name, value));
            Value::Object(fields.into_iter().map(field).collect())
        }
        other => other,
    }
}

/// Is there something to say, a trace or a strategy to show?
fn shows(r: &PropertyResult) -> bool {
    !r.summary.is_empty() || has_run(r)
}

fn has_run(r: &PropertyResult) -> bool {
    let traced = r.trace.as_ref().is_some_and(|t| t.certified && !(t.steps.is_empty() && t.sides.is_empty()));
    traced || !r.strategy.is_empty()
}

fn header(results: &Results) -> String {
    let m = &results.machine;
    let bounds: Vec<String> = m.bounds.iter().map(|(t, n)| format!("{t} {n}")).collect();
    let mut out = format!("{}: {} state bits, {} actions, {} rules", results.model, m.state_bits, m.actions, m.rules);
    if let Some(states) = &m.reachable_states {
        out += &format!(", {states} reachable snapshots");
    }
    if !bounds.is_empty() {
        out += &format!("\nat most this many instances: {}", bounds.join(", "));
    }
    if !m.unused.is_empty() {
        out += &format!("\nno run uses these, so they were left out: {}", m.unused.join(", "));
    }
    m.assumptions.iter().for_each(|a| out += &format!("\nassumed: {a}"));
    if let Some(a) = &m.abstraction {
        out += &abstraction(a);
    }
    if m.overflow_reachable == Some(true) {
        out += "\noverflow is reachable: verdicts marked (bounded) may change with larger bounds";
    }
    if m.order_dependent == Some(true) {
        out += "\na reachable step depends on the order of the rules: 'gsmc check --builtin' shows it";
    }
    out + "\n\n"
}

/// Why no data is without bounds, and what to do about it.
const NOTHING: &str = "nothing, since every number that matters has a range (of the model, [ranges] or --range), or [abstraction] leaves it out; \
     remove its range to have none, or abstract it within its range: attributes = \"all\" under [abstraction] in gsmc.toml";

/// What took the place of unbounded data, and what refinement added.
fn abstraction(a: &AbstractionNumbers) -> String {
    let (may, must) = (&a.may_states, &a.must_states);
    let named = if a.attributes.is_empty() { NOTHING.into() } else { a.attributes.join(", ") };
    let mut out = format!("\nwithout bounds: {named}");
    let first = a.predicates.iter().filter(|p| p.round == 0).count();
    out += &format!("\n{first} predicates, {may} snapshots that may be reached, {must} that must");
    out += &format!("; {} questions to the solver in {:.1} s", a.smt_calls, a.smt_seconds);
    for p in a.predicates.iter().filter(|p| p.round > 0) {
        out += &format!("\nadded in round {}: {}", p.round, p.name);
    }
    let mut written: Vec<String> = Vec::new();
    for text in a.predicates.iter().filter(|p| p.round > 0).filter_map(|p| p.written.as_ref()) {
        let quoted = serde_json::Value::from(text.as_str()).to_string();
        written.extend((!written.contains(&quoted)).then_some(quoted));
    }
    if !written.is_empty() {
        out +=
            &format!("\nto begin with them, under [abstraction] in gsmc.toml: predicates = [{}]", written.join(", "));
    }
    out
}

/// A name that is longer than this has a line of its own.
const MOST_COLUMNS: usize = 200;

fn table(results: &Results, look: &Look) -> String {
    let engines = results.engines();
    let rows = by_property(&results.results);
    let names = || rows.iter().filter_map(|all| all.first());
    let column = |e: Engine| {
        let words = results.results.iter().filter(|r| r.engine == e).map(|r| columns(&r.word()));
        words.chain([e.name().len()]).max().unwrap_or(0)
    };
    let engines: Vec<(Engine, usize)> = engines.into_iter().map(|e| (e, column(e))).collect();
    let absent: String = results.absent.iter().map(|a| format!("  {}", a.engine.name())).collect();
    let dashes: String = results.absent.iter().map(|a| format!("  {:<1$}", "–", a.engine.name().len())).collect();
    let others: usize = engines.iter().map(|(_, wide)| wide + 2).sum::<usize>() + absent.len() + "  expected".len();
    let room = look.width.map_or(MOST_COLUMNS, |w| w.saturating_sub(others).max(16));
    let fitting = names().map(|r| columns(&r.property)).filter(|w| *w <= room);
    let first = fitting.chain(["property".len()]).max().unwrap_or(0);
    let mut heading = format!("{:<first$}", "property");
    engines.iter().for_each(|(e, wide)| heading += &format!("  {:<wide$}", e.name()));
    let mut out = format!("{}\n", look.paint(Ink::Strong, &(heading + &absent + "  expected")));
    for (all, row) in rows.iter().zip(names()) {
        // A name that is too long has a line of its own.
        if columns(&row.property) > first {
            out += &format!("{}\n{:<first$}", row.property, "");
        } else {
            out += &format!("{:<first$}", row.property);
        }
        let (mut unexpected, mut cached) = (false, false);
        for (e, wide) in &engines {
            let cell = all.iter().find(|r| r.engine == *e);
            let text = format!("{:<wide$}", cell.map(|r| r.word()).unwrap_or_default());
            let wrong = cell.filter(|r| r.verdict.holds().is_some()).map(|r| r.is_unexpected());
            unexpected |= wrong == Some(true);
            cached |= cell.is_some_and(|r| r.cached);
            let ink = match wrong {
                Some(true) => Ink::Bad,
                Some(false) => Ink::Good,
                None => Ink::Open,
            };
            out += &format!("  {}", look.paint(ink, &text));
        }
        out += &look.paint(Ink::Open, &dashes);
        let mut remarks = Vec::new();
        remarks.extend(unexpected.then(|| look.paint(Ink::Bad, "<< not as expected")));
        remarks.extend(cached.then(|| look.paint(Ink::Faint, "(cached)")));
        out += format!("  {:<5}  {}", row.expected(), remarks.join("  ")).trim_end();
        out += "\n";
    }
    out
}

/// What is told about a property: the answer with the most to show, and who says the same.
struct Story<'r> {
    main: &'r PropertyResult,
    /// Every engine that gives this answer, in the order of columns.
    engines: Vec<Engine>,
    /// Remarks of single engines.
    remarks: Vec<String>,
}

/// The answers of an engine that have the same reason, such as that it is not there: if they are several, that is told once.
fn shared<'r>(results: &'r Results, r: &PropertyResult) -> Vec<&'r PropertyResult> {
    if r.verdict.holds().is_some() || r.reason.is_none() {
        return Vec::new();
    }
    let same = |o: &&PropertyResult| o.engine == r.engine && o.verdict == r.verdict && o.reason == r.reason;
    let failed = matches!(r.verdict, Verdict::Error | Verdict::OutOfMemory | Verdict::Timeout);
    let all: Vec<&PropertyResult> = results.results.iter().filter(|o| o.engine == r.engine).collect();
    let mine: Vec<&PropertyResult> = all.iter().copied().filter(same).collect();
    let told = mine.len() > 1 && (failed || mine.len() == all.len());
    if told { mine } else { Vec::new() }
}

/// One story a property and verdict: engines that agree are named together, and a run is shown once.
fn stories(results: &Results) -> Vec<Story<'_>> {
    let mut stories: Vec<Story> = Vec::new();
    let mut places: HashMap<(&str, Verdict), usize> = HashMap::new();
    for r in &results.results {
        let mut remarks = Vec::new();
        if let Some(reason) = r.reason.as_ref().filter(|_| shared(results, r).is_empty()) {
            remarks.push(format!("{} by {}: {}: {reason}", r.property, r.engine, r.word()));
        }
        remarks.extend(r.vacuous.iter().map(|v| format!("{} by {}: {}, but {v}", r.property, r.engine, r.word())));
        let known = places.get(&(r.property.as_str(), r.verdict)).filter(|_| r.verdict.holds().is_some());
        match known.and_then(|at| stories.get_mut(*at)) {
            Some(story) => {
                story.engines.push(r.engine);
                story.remarks.extend(remarks);
                if !has_run(story.main) && has_run(r) {
                    story.main = r;
                }
            }
            None => {
                places.insert((&r.property, r.verdict), stories.len());
                stories.push(Story { main: r, engines: vec![r.engine], remarks });
            }
        }
    }
    stories
}

/// What an engine says of several properties.
fn everywhere(results: &Results, look: &Look) -> String {
    let mut out = String::new();
    for r in &results.results {
        let mine = shared(results, r);
        let first = mine.first().is_some_and(|f| std::ptr::eq(*f, r));
        if let Some(reason) = r.reason.as_ref().filter(|_| first) {
            let all = results.results.iter().filter(|o| o.engine == r.engine).count() == mine.len();
            let which = if all { "every property".into() } else { format!("{} properties", mine.len()) };
            let text = format!("{}, {which}: {}: {reason}", r.engine, r.word());
            out += &format!("\n{}\n", look.wrapped(0, &text).join("\n"));
        }
    }
    out
}

/// Reasons, remarks and the trace of one property.
fn details(story: &Story, style: Style) -> String {
    let (look, r) = (&style.look, story.main);
    let mut out = String::new();
    for remark in &story.remarks {
        out += &format!("\n{}\n", look.wrapped(0, remark).join("\n"));
    }
    if style.brief || !shows(r) || r.verdict.holds().is_none() {
        return out;
    }
    let names: Vec<&str> = story.engines.iter().map(|e| e.name()).collect();
    let what = format!("{} is {} by {}", r.property, r.verdict.name(), names.join(", "));
    let trace = r.trace.as_ref().filter(|t| t.certified);
    let heading = trace.map(|t| format!(": {}", text::heading(t))).unwrap_or_default();
    out += &format!("\n{}{heading}\n", look.paint(ink(r), &what));
    for (ink, text) in [(Ink::Faint, &r.comment), (Ink::Faint, &r.formula), (Ink::Strong, &r.summary)] {
        if !text.is_empty() && *text != r.property {
            look.wrapped(2, text).iter().for_each(|line| out += &format!("{}\n", look.paint(ink, line)));
        }
    }
    out += &trace.map(|t| text::steps(t, look)).unwrap_or_default();
    if !r.strategy.is_empty() {
        out += "  what the coalition does:\n";
        for line in &r.strategy {
            let values: Vec<String> = line.snapshot.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect();
            let snapshot = if values.is_empty() { "at the start".to_string() } else { values.join(", ") };
            out += &format!("  {}  when {snapshot}\n", text::title(&line.sends));
        }
    }
    out
}

/// The colour of an answer.
fn ink(r: &PropertyResult) -> Ink {
    match r.verdict.holds() {
        Some(_) if r.is_as_expected() => Ink::Good,
        Some(_) => Ink::Bad,
        None => Ink::Open,
    }
}

/// Properties by what became of them, whoever was asked.
fn tally(results: &Results, look: &Look) -> String {
    let all = by_property(&results.results);
    let count = |f: &dyn Fn(&[&PropertyResult]) -> bool| all.iter().filter(|answers| f(answers)).count();
    let decided = |r: &&PropertyResult| r.verdict.holds().is_some();
    let as_expected = |r: &&PropertyResult| r.is_as_expected();
    let expected = count(&|all| all.iter().any(as_expected) && all.iter().filter(|r| decided(r)).all(as_expected));
    let wrong = count(&|all| all.iter().any(|r| r.is_unexpected()));
    let open = count(&|all| !all.iter().any(decided));
    let mut out = format!("\n{expected} as expected, ");
    out += &look.paint(if wrong > 0 { Ink::Bad } else { Ink::Faint }, &format!("{wrong} not as expected"));
    if open > 0 {
        out += &look.paint(Ink::Open, &format!(", {open} open"));
    }
    // What one engine decided may still be open for another one.
    let left = |e: &Engine| count(&|all| all.iter().any(decided) && all.iter().any(|r| r.engine == *e && !decided(r)));
    let left: Vec<String> = results
        .engines()
        .iter()
        .map(|e| (e.name(), left(e)))
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{n} by {name}"))
        .collect();
    if !left.is_empty() {
        out += &look.paint(Ink::Open, &format!("; left open: {}", left.join(", ")));
    }
    let cached = count(&|all| all.iter().any(|r| r.cached));
    if cached > 0 {
        out += &look.paint(Ink::Faint, &format!("; {cached} from the cache"));
    }
    out + "\n"
}
