//! Two versions of a model side by side: what changed in it, and whose verdicts did.
//!
//! Models are compared as machines, in their own words: so it does not matter how a rule is written, only what it does, and every
//! language can be compared.

mod parts;
mod text;

pub use parts::{Change, changes};
pub use text::render;

use crate::answer::{PropertyResult, Results, Verdict};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::trace::{path, replay};
use serde::Serialize;

/// A model with its answers.
pub struct Version<'a> {
    /// The model.
    pub lens: &'a dyn Lens,
    /// What a check of it says.
    pub results: &'a Results,
}

/// What is different between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Version of this shape.
    pub schema: &'static str,
    /// In the model.
    pub model: Vec<Change>,
    /// In the answers.
    pub verdicts: Vec<VerdictChange>,
    /// Properties whose answer is the same.
    pub same: usize,
}

/// A property whose answer is another one, or that only one version has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerdictChange {
    /// The property.
    pub property: String,
    /// The old answer; null where the property is new.
    pub was: Option<String>,
    /// The new answer; null where the property is gone.
    pub is: Option<String>,
    /// What the new answer means; of a property that is gone, the old one.
    pub summary: String,
    /// The run that shows the new answer, as `--path` takes it.
    pub run: Option<String>,
    /// What the old model says to that run: it had it, or where it goes astray.
    pub run_before: Option<String>,
    /// The run that showed the old answer.
    pub old_run: Option<String>,
    /// What the new model says to that.
    pub old_run_now: Option<String>,
}

/// Compares two versions.
pub fn compare(old: &Version, new: &Version) -> Comparison {
    let mut verdicts = Vec::new();
    let mut same = 0;
    let find = |v: &Version, name: &str| v.results.results.iter().find(|r| r.property == name).cloned();
    let mut names: Vec<&str> = Vec::new();
    for r in new.results.results.iter().chain(&old.results.results) {
        if !names.contains(&r.property.as_str()) {
            names.push(&r.property);
        }
    }
    let interps = (Interp::new(old.lens.machine()), Interp::new(new.lens.machine()));
    for name in names {
        let (was, is) = (find(old, name), find(new, name));
        let verdict = |r: &Option<PropertyResult>| r.as_ref().map(|r| r.verdict);
        if verdict(&was) == verdict(&is) {
            same += 1;
            continue;
        }
        verdicts.push(changed(name, was.as_ref(), is.as_ref(), (&interps.0, &interps.1)));
    }
    Comparison { schema: "gsmc.diff/1", model: changes(old.lens, new.lens), verdicts, same }
}

fn changed(
    name: &str,
    was: Option<&PropertyResult>,
    is: Option<&PropertyResult>,
    (old, new): (&Interp, &Interp),
) -> VerdictChange {
    let run = is.and_then(|r| path_of(r, new));
    let old_run = was.and_then(|r| path_of(r, old));
    VerdictChange {
        property: name.to_string(),
        was: was.map(PropertyResult::word),
        is: is.map(PropertyResult::word),
        summary: is.or(was).map(|r| r.summary.clone()).unwrap_or_default(),
        run_before: run.as_ref().filter(|_| was.is_some()).map(|p| goes(old, p)),
        old_run_now: old_run.as_ref().filter(|_| is.is_some()).map(|p| goes(new, p)),
        run,
        old_run,
    }
}

/// The run of an answer as a path.
fn path_of(r: &PropertyResult, interp: &Interp) -> Option<String> {
    let trace = r.trace.as_ref().filter(|t| t.certified && !t.steps.is_empty())?;
    let run = replay(interp, &trace.locate(interp).ok()?).ok()?;
    Some(path::write(interp.machine(), run.steps.iter().map(|s| &s.choice)))
}

/// Can a path be gone?
fn goes(interp: &Interp, text: &str) -> String {
    match path::read(interp, text) {
        Ok(_) => "possible".into(),
        Err(astray) => astray.to_string(),
    }
}

impl Comparison {
    /// Did an answer change from one verdict to another?
    pub fn turned(&self) -> bool {
        self.verdicts.iter().any(|v| v.was.is_some() && v.is.is_some())
    }
}

/// Is some answer of a version open?
pub fn is_open(results: &Results) -> bool {
    let open = |r: &PropertyResult| r.verdict.holds().is_none() && r.verdict != Verdict::Unsupported;
    results.results.iter().any(open)
}
