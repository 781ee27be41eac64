//! What to type to see more: the commands that show the same results in another way, with the arguments of this run.

use super::Cli;
use super::asking;
use super::project::{self, Project, Walked};
use crate::answer::{PropertyResult, Results};
use crate::interp::Interp;
use crate::machine::Valid;
use crate::source::{Diagnostics, shell_word};
use crate::trace::{Trace, path};
use clap::CommandFactory;

/// So many runs are offered for exploring.
const RUNS: usize = 3;

/// The lines below the results of a check; empty when there is nothing more to see.
pub fn lines(asking: &asking::Args, project: &Project, results: &Results) -> String {
    let known = |name: &str| Cli::command().find_subcommand(name).is_some();
    let mut offers: Vec<(String, String)> = Vec::new();
    if known("report") {
        offers.push(("everything on one page".into(), command("report", &asking.words(), &[])));
    }
    if known("explore") && results.results.iter().any(|r| trace(r).is_some()) {
        offers.extend(runs(asking, project, results));
    }
    let wide = offers.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0).min(200);
    let lines: Vec<String> = offers.iter().map(|(what, command)| format!("  {what:<wide$}  {command}\n")).collect();
    if lines.is_empty() { String::new() } else { format!("\nTo see more:\n{}", lines.concat()) }
}

/// A trace that can be walked.
fn trace(r: &PropertyResult) -> Option<&Trace> {
    r.trace.as_ref().filter(|t| t.certified && !t.steps.is_empty())
}

/// The runs of what is not as expected, or else the first.
fn runs(asking: &asking::Args, project: &Project, results: &Results) -> Vec<(String, String)> {
    let traced = || results.results.iter().filter(|r| trace(r).is_some());
    let mut chosen: Vec<&PropertyResult> = Vec::new();
    for r in traced().filter(|r| r.is_unexpected()) {
        if chosen.len() < RUNS && !chosen.iter().any(|c| c.property == r.property) {
            chosen.push(r);
        }
    }
    if chosen.is_empty() {
        chosen.extend(traced().next());
    }
    // The explorer knows nothing of the standard properties, and so of no attribute that only they read.
    let plain = asking.builtin().then(|| project::read(&asking.model_args(), false).ok());
    let plain = match &plain {
        None => project,
        Some(Some(read)) => read,
        Some(None) => return Vec::new(),
    };
    let exactly = asking.is_unbounded();
    let (Some(checked), Some(plain)) = (walked(project, exactly), walked(plain, exactly)) else { return Vec::new() };
    let offer = |r: &&PropertyResult| {
        let path = walk(checked.machine(), plain.machine(), trace(r)?)?;
        Some((format!("the run of {}", r.property), explore(asking, &path)))
    };
    chosen.iter().filter_map(offer).collect()
}

/// The model as the explorer walks it: on exact values where data has no bounds. What there is to say about that has been said.
fn walked(project: &Project, exactly: bool) -> Option<Walked<'_>> {
    if !exactly {
        return Some(Walked::Bounded(project.lens()));
    }
    let exact = project.lens().exactly(&project.sources, &mut Diagnostics::new())?;
    exact.ok().map(Walked::Exact)
}

/// The trace as the explorer of `plain` takes it.
fn walk(machine: &Valid, plain: &Valid, trace: &Trace) -> Option<String> {
    let run = trace.locate(&Interp::new(machine)).ok()?;
    let choices = run.steps.iter().map(|s| s.choice.as_ref()).collect::<Option<Vec<_>>>()?;
    let text = path::write(machine, choices);
    path::read(&Interp::new(plain), &text).ok().map(|_| text)
}

fn explore(asking: &asking::Args, path: &str) -> String {
    let mut words = asking.model().words();
    words.extend(asking.is_unbounded().then(|| "--abstract".to_string()));
    command("explore", &words, &["--path".into(), shell_word(path)])
}

fn command(name: &str, words: &[String], more: &[String]) -> String {
    let all = ["gsmc".to_string(), name.to_string()];
    all.iter().chain(words).chain(more).cloned().collect::<Vec<_>>().join(" ")
}
