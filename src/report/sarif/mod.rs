//! Findings and verdicts as SARIF 2.1.0, which code hosts and editors show beside the lines they are about.
//!
//! A diagnostic is a result of the rule that is its code. A property that is not as its author expects is a result at its place in
//! the property file, with the trace as a code flow through the sentries in the model.

mod flow;
mod place;
#[cfg(test)]
mod tests;

use crate::answer::Results;
use crate::machine::Valid;
use crate::source::{Diagnostic, Diagnostics, Severity, Sources};
use place::Places;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The schema that the log follows.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What is to be told.
pub struct Input<'a> {
    /// Files that were read.
    pub sources: &'a Sources,
    /// What is wrong with them.
    pub diagnostics: &'a Diagnostics,
    /// The machine and its verdicts, if it came to that.
    pub checked: Option<(&'a Valid, &'a Results)>,
    /// Where gsmc runs: files below are named relative to it.
    pub here: &'a Path,
    /// The code that gsmc will exit with.
    pub exit: u8,
}

/// The log as text.
pub fn text(input: &Input) -> String {
    format!("{:#}\n", log(input))
}

/// The log.
pub fn log(input: &Input) -> Value {
    let mut places = Places::new(input.sources, input.here);
    let mut rules = Rules::default();
    let sorted = input.diagnostics.sorted();
    let mut results: Vec<Value> = sorted.into_iter().map(|d| finding(d, &mut places, &mut rules)).collect();
    if let Some((machine, checked)) = input.checked {
        flow::verdicts(machine, checked, &mut places, &mut rules, &mut results);
    }
    let driver = json!({
        "name": "gsmc",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "shortDescription": { "text": "Model checker for Guard-Stage-Milestone processes" },
        "rules": rules.list,
    });
    let invocation = json!({ "executionSuccessful": input.exit != 3, "exitCode": input.exit });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "invocations": [invocation],
            "columnKind": "unicodeCodePoints",
            "artifacts": places.artifacts(),
            "results": results,
        }],
    })
}

/// Rules that results point at, in the order of their first use.
#[derive(Default)]
struct Rules {
    list: Vec<Value>,
    index: BTreeMap<String, usize>,
}

impl Rules {
    /// The index of a rule, which is described when it is first used.
    fn of(&mut self, id: &str, describe: impl FnOnce() -> Value) -> usize {
        if let Some(index) = self.index.get(id) {
            return *index;
        }
        let mut rule = describe();
        rule["id"] = id.into();
        self.list.push(rule);
        self.index.insert(id.to_string(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// One diagnostic.
fn finding(d: &Diagnostic, places: &mut Places, rules: &mut Rules) -> Value {
    let level = match d.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let rule = rules.of(d.code.id, || {
        json!({
            "shortDescription": { "text": d.code.title },
            "fullDescription": { "text": d.code.explanation },
            "help": { "text": d.code.instead },
            "defaultConfiguration": { "level": level },
        })
    });
    let instead = d.instead().map(str::to_string);
    let more = d.label.iter().chain(&d.notes).chain(&instead);
    let message = std::iter::once(&d.message).chain(more).cloned().collect::<Vec<_>>().join("\n");
    let mut result = json!({ "ruleId": d.code.id, "ruleIndex": rule, "level": level, "message": { "text": message } });
    if let Some(place) = d.span.and_then(|s| places.physical(s)) {
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    result
}
