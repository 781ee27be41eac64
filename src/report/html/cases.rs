//! Recorded cases on the page: all of them in numbers, what was found how often, a row a case with its run.

use super::data::Data;
use crate::answer::RawRun;
use crate::replay::Case;
use crate::replay::show::{Style, found, reasons, verdict};
use crate::replay::totals::Replayed;
use crate::trace::text::count;
use crate::view::{Cards, Viewer};

/// Cases that get a row and a run; those that are not clean come first.
pub const MOST_CASES: usize = 500;
/// Kinds of findings that get a bar.
const MOST_BARS: usize = 30;

/// The section.
pub struct Section {
    /// The logs.
    pub logs: String,
    /// `ok` or `bad`.
    pub class: &'static str,
    /// The whole in one line.
    pub text: String,
    /// Numbers over all cases.
    pub numbers: Vec<(&'static str, String)>,
    /// What was found how often.
    pub bars: Vec<Bar>,
    /// The cases.
    pub rows: Vec<Row>,
    /// Cases that are not clean.
    pub bad: usize,
    /// Cases without a row.
    pub left_out: usize,
    /// What is wrong with the logs.
    pub errors: Vec<String>,
}

/// In how many cases something was found.
pub struct Bar {
    /// What.
    pub what: String,
    /// In so many cases.
    pub cases: usize,
    /// Of all cases, in percent.
    pub share: usize,
}

/// One case.
pub struct Row {
    /// Its name.
    pub name: String,
    /// `ok` or `bad`.
    pub class: &'static str,
    /// What is said of it.
    pub verdict: String,
    /// How many events it has.
    pub events: usize,
    /// Why.
    pub reasons: Vec<String>,
    /// The number of its run.
    pub run: Option<usize>,
}

/// The section of a replayed log; runs go into the page's data.
pub fn section(replayed: &Replayed, viewer: &Viewer, data: &mut Data) -> Section {
    let totals = &replayed.totals;
    let (bad, clean): (Vec<_>, Vec<_>) = replayed.cases.iter().partition(|c| !c.is_clean());
    let not_clean = bad.len();
    let rows: Vec<Row> = bad.into_iter().chain(clean).take(MOST_CASES).map(|c| row(c, viewer, data)).collect();
    let text = match not_clean {
        0 => format!("{}: all as the model has it", count(totals.cases, "recorded case")),
        n => format!("{}: {n} not as the model has it", count(totals.cases, "recorded case")),
    };
    let mut numbers = vec![("cases", totals.cases.to_string()), ("events", totals.events.to_string())];
    numbers.push(("fit", totals.fit.to_string()));
    numbers.extend(totals.compliant.map(|n| ("compliant", n.to_string())));
    numbers.push(("completed", totals.completed.to_string()));
    numbers.extend((totals.approximate > 0).then(|| ("approximate", totals.approximate.to_string())));
    numbers.push(("fitness", format!("{:.4}", totals.fitness)));
    let bar = |(what, cases): (String, usize)| Bar { what, cases, share: (100 * cases / totals.cases.max(1)).min(100) };
    Section {
        logs: replayed.logs.join(", "),
        class: if not_clean == 0 { "ok" } else { "bad" },
        text,
        numbers,
        bars: found(replayed).into_iter().take(MOST_BARS).map(bar).collect(),
        left_out: totals.cases - rows.len(),
        rows,
        bad: not_clean,
        errors: replayed.errors.clone(),
    }
}

fn row(case: &Case, viewer: &Viewer, data: &mut Data) -> Row {
    let (words, reasons) = (verdict(case, Style::default()), reasons(case));
    let view = case.run.as_ref().and_then(|run| viewer.run(&RawRun::of(run.choices.clone()), Cards::Fired).ok());
    let run = view.and_then(|view| data.recorded(&case.case, &words, &reasons.join("; "), &view));
    let class = if case.is_clean() { "ok" } else { "bad" };
    Row { name: case.case.clone(), class, verdict: words, events: case.events, reasons, run }
}
