//! What a check says about each property, with the run that shows it.

use crate::answer::Results;
use crate::interp::Interp;
use crate::trace::{path, replay};
use serde::Serialize;

/// The answer to a property in the initial snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The property.
    #[serde(skip)]
    pub property: String,
    /// The word for the verdict.
    pub verdict: String,
    /// It is what the author expects.
    pub expected: bool,
    /// What it means, and why.
    pub summary: String,
    /// The run that shows it, as `--path` takes it.
    pub path: Option<String>,
    /// Where the run loops.
    pub loop_start: Option<usize>,
}

/// The answers of a check.
pub fn from(interp: &Interp, results: &Results) -> Vec<Told> {
    let one = |r: &crate::answer::PropertyResult| {
        let run = r.trace.as_ref().filter(|t| t.certified).and_then(|t| t.locate(interp).ok());
        let run = run.and_then(|raw| replay(interp, &raw).ok());
        let scope = r.scope.as_ref().filter(|_| r.verdict.holds().is_some());
        let summary = format!("{} {}", r.summary, scope.map_or(String::new(), |s| s.sentence(r.verdict)));
        Told {
            property: r.property.clone(),
            verdict: r.word(),
            expected: r.verdict.holds() == Some(r.expect),
            summary: summary.trim().to_string(),
            path: run.as_ref().map(|run| path::write(interp.machine(), run.steps.iter().map(|s| &s.choice))),
            loop_start: run.and_then(|run| run.loop_start),
        }
    };
    results.results.iter().map(one).collect()
}
