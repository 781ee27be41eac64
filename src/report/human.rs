//! Results as a table for people: one line a property, one column an engine, then what the traces show.

use super::results::{Engine, PropertyResult, Results, Verdict};
use crate::trace::{plain, text};

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Use colours.
    pub colour: bool,
    /// Show whole snapshots, not only what changed.
    pub full: bool,
    /// Leave traces out.
    pub brief: bool,
}

/// The whole report.
pub fn text(results: &Results, style: Style) -> String {
    let mut out = header(results);
    out += &table(results, style);
    for result in &results.results {
        out += &details(result, style);
    }
    for d in &results.disagreements {
        let names = |list: &[Engine]| list.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
        let line = format!(
            "ALARM: on {} the engines disagree: {} say true, {} say false",
            d.property,
            names(&d.yes),
            names(&d.no)
        );
        out += &format!("\n{}\n", paint(style, "31;1", &line));
    }
    out + &tally(results)
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
    if m.overflow_reachable == Some(true) {
        out += "\noverflow is reachable: verdicts marked (bounded) may change with larger bounds";
    }
    if m.order_dependent == Some(true) {
        out += "\na reachable step depends on the order of the rules: 'gsmc check --builtin' shows it";
    }
    out + "\n\n"
}

/// Which word stands for an answer in the table.
fn word(r: &PropertyResult) -> String {
    match r.verdict {
        Verdict::True | Verdict::False if !r.exact => format!("{} (bounded)", r.verdict.name()),
        Verdict::Unsupported => "n/a".into(),
        Verdict::OutOfMemory => "out of memory".into(),
        v => v.name().into(),
    }
}

fn table(results: &Results, style: Style) -> String {
    let engines: Vec<Engine> =
        Engine::ALL.into_iter().filter(|e| results.results.iter().any(|r| r.engine == *e)).collect();
    let mut names: Vec<&PropertyResult> = Vec::new();
    for r in &results.results {
        if !names.iter().any(|n| n.property == r.property) {
            names.push(r);
        }
    }
    let wide = |texts: Vec<usize>| texts.into_iter().max().unwrap_or(0);
    let first = wide(names.iter().map(|r| r.property.chars().count()).chain([8]).collect());
    let column = |e: Engine| {
        wide(results.results.iter().filter(|r| r.engine == e).map(|r| word(r).len()).chain([e.name().len()]).collect())
    };
    let mut out = format!("{:<first$}", "property");
    engines.iter().for_each(|e| out += &format!("  {:<w$}", e.name(), w = column(*e)));
    out += "  expected\n";
    for row in names {
        out += &format!("{:<first$}", row.property);
        let mut unexpected = false;
        for &e in &engines {
            let cell = results.results.iter().find(|r| r.property == row.property && r.engine == e);
            let text = format!("{:<w$}", cell.map(word).unwrap_or_default(), w = column(e));
            let wrong = cell.and_then(|r| r.verdict.holds()).map(|v| v != row.expect);
            unexpected |= wrong == Some(true);
            let code = match wrong {
                Some(true) => "31;1",
                Some(false) => "32",
                None => "33",
            };
            out += &format!("  {}", paint(style, code, &text));
        }
        out += &format!("  {}{}\n", row.expect, if unexpected { "  << not as expected" } else { "" });
    }
    out
}

/// Reasons, remarks and the trace of one answer.
fn details(r: &PropertyResult, style: Style) -> String {
    let mut out = String::new();
    if let Some(reason) = &r.reason {
        out += &format!("\n{} by {}: {}: {reason}\n", r.property, r.engine, word(r));
    }
    for remark in &r.vacuous {
        out += &format!("\n{} by {}: {}, but {remark}\n", r.property, r.engine, word(r));
    }
    if let Some(trace) =
        r.trace.as_ref().filter(|t| t.certified && !style.brief && !(t.steps.is_empty() && t.sides.is_empty()))
    {
        let shown = text::render(trace, style.full);
        out += &format!("\n{} is {} by {}: {shown}", r.property, r.verdict.name(), r.engine);
    }
    if !style.brief && !r.strategy.is_empty() {
        out += &format!("\n{} is {} by {}: what the coalition does\n", r.property, r.verdict.name(), r.engine);
        for line in &r.strategy {
            let snapshot = match line.snapshot.is_empty() {
                true => "at the start".to_string(),
                false => {
                    line.snapshot.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect::<Vec<_>>().join(", ")
                }
            };
            out += &format!("  {}  when {snapshot}\n", text::title(&line.sends));
        }
    }
    out
}

fn tally(results: &Results) -> String {
    let count = |f: &dyn Fn(&PropertyResult) -> bool| results.results.iter().filter(|r| f(r)).count();
    let expected = count(&|r| r.verdict.holds() == Some(r.expect));
    let wrong = count(&|r| r.verdict.holds().is_some_and(|v| v != r.expect));
    let open = count(&|r| r.verdict.holds().is_none() && r.verdict != Verdict::Unsupported);
    let mut out = format!("\n{expected} as expected, {wrong} not as expected");
    if open > 0 {
        out += &format!(", {open} open");
    }
    out + "\n"
}

fn paint(style: Style, code: &str, text: &str) -> String {
    if style.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
}
