//! `gsmc check --profile both`: one case under two meanings, and whose verdicts differ.

use super::asking;
use super::failure::{Failure, Form};
use super::output::{Inputs, json, stdout_look};
use super::progress::Watcher;
use super::project::{self, Project};
use super::{INCONCLUSIVE, OK, UNEXPECTED};
use crate::answer::{PropertyResult, Results};
use crate::source::{on_one_line, printable};
use crate::trace::look::{Ink, Look, columns};
use serde_json::json as value;
use std::path::Path;

/// The word for both profiles.
pub const BOTH: &str = "both";

const PROFILES: [&str; 2] = ["flowable", "spec"];

/// Exits with 0 when the profiles agree on everything, 1 when they do not, 3 when something is open.
pub fn run(asking: &asking::Args, as_json: bool, output: Option<&Path>) -> u8 {
    let (mut found, mut inputs): (Vec<Results>, Inputs) = Default::default();
    for profile in PROFILES {
        match under(asking, profile) {
            Ok((project, results)) => {
                inputs = Inputs::of(&project.sources);
                found.push(results);
            }
            Err(failure) => return failure.report(if as_json { Form::Json } else { Form::Text }, output).0,
        }
    }
    let [flowable, spec] = found.as_slice() else { return INCONCLUSIVE };
    let pairs = pairs(flowable, spec);
    let text = match as_json {
        true => json(&as_value(flowable, &pairs)),
        false => Ok(table(flowable, &pairs, &stdout_look())),
    };
    match text.and_then(|text| inputs.deliver(text, output)) {
        Err(code) => code,
        Ok(_) if pairs.iter().any(|p| p.differs()) => UNEXPECTED,
        Ok(_) if pairs.iter().any(|p| p.is_open()) => INCONCLUSIVE,
        Ok(_) => OK,
    }
}

/// The results under one profile; findings are told once.
fn under(asking: &asking::Args, profile: &str) -> Result<(Project, Results), Failure> {
    let project: Project = asking.read_as(profile)?;
    if project.lens().language() != "cmmn" {
        let language = project.lens().language();
        return Err(Failure::plain(format!("--profile both is for CMMN cases, and this is one of {language}")));
    }
    if profile == PROFILES[0] {
        project::show(&project.diagnostics, &project.sources);
    }
    let watcher = Watcher::start(asking.timeout());
    let results = asking.decide(&project, &watcher, None, asking.solvers())?;
    Ok((project, results))
}

/// A question with its answers; one of them may be missing.
struct Pair<'r> {
    name: &'r str,
    answers: [Option<&'r PropertyResult>; 2],
}

impl Pair<'_> {
    fn verdicts(&self) -> [String; 2] {
        self.answers.map(|a| a.map_or("not asked".into(), PropertyResult::word))
    }

    fn differs(&self) -> bool {
        let [a, b] = self.answers.map(|r| r.and_then(|r| r.verdict.holds()));
        a.is_some() && b.is_some() && a != b
    }

    fn is_open(&self) -> bool {
        self.answers.iter().flatten().any(|r| r.verdict.holds().is_none())
    }
}

fn pairs<'r>(flowable: &'r Results, spec: &'r Results) -> Vec<Pair<'r>> {
    let find = |results: &'r Results, name: &str| results.results.iter().find(|r| r.property == name);
    let mut names: Vec<&str> = flowable.results.iter().map(|r| r.property.as_str()).collect();
    names.extend(spec.results.iter().map(|r| r.property.as_str()).filter(|n| find(flowable, n).is_none()));
    names.dedup();
    names.into_iter().map(|name| Pair { name, answers: [find(flowable, name), find(spec, name)] }).collect()
}

fn table(results: &Results, pairs: &[Pair], look: &Look) -> String {
    let differing: Vec<&Pair> = pairs.iter().filter(|p| p.differs() || p.answers.iter().any(Option::is_none)).collect();
    let mut out = format!("{}: {} questions under both profiles\n", on_one_line(&results.model), pairs.len());
    if differing.is_empty() {
        return out + "all have the same answers\n";
    }
    let first = differing.iter().map(|p| columns(&on_one_line(p.name))).max().unwrap_or(0).clamp("question".len(), 200);
    out += &format!(
        "\n{}\n",
        look.paint(Ink::Strong, &format!("{:<first$}  {:<9}  {}", "question", PROFILES[0], PROFILES[1]))
    );
    for p in &differing {
        let [a, b] = p.verdicts();
        out += &format!("{:<first$}  {a:<9}  {b}\n", on_one_line(p.name));
    }
    for p in differing.iter().filter(|p| p.differs()) {
        for (profile, answer) in PROFILES.iter().zip(p.answers) {
            let summary = answer.map_or("", |a| a.summary.as_str());
            if !summary.is_empty() {
                out += &format!(
                    "\n{} under {profile}: {}",
                    look.paint(Ink::Strong, &on_one_line(p.name)),
                    printable(summary)
                );
            }
        }
    }
    out += &format!(
        "\n\n{} of {} answers differ; --profile flowable or --profile spec shows the runs\n",
        differing.len(),
        pairs.len()
    );
    out
}

fn as_value(results: &Results, pairs: &[Pair]) -> serde_json::Value {
    let one = |p: &Pair| {
        let [flowable, spec] = p.answers.map(|a| a.and_then(|a| a.verdict.holds()));
        value!({ "property": p.name, "flowable": flowable, "spec": spec, "differs": p.differs() })
    };
    value!({
        "schema": "gsmc.profiles/1",
        "gsmc": env!("CARGO_PKG_VERSION"),
        "model": results.model,
        "results": pairs.iter().map(one).collect::<Vec<_>>(),
    })
}
