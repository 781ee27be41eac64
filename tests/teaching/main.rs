//! The teaching examples are tests: what each README predicts, worked out by hand, is what the engines must find.
//!
//! The table of steps must be complete: every B-step of every reachable snapshot stands in it, once, with the changes of its rules
//! in the order in which they run. Counts and verdicts are compared as well, with the explicit search and with the native checker.

mod index;
mod prediction;
mod shown;
mod simulated;
mod trying;

use gsmc::interp::{Explicit, Limits};
use gsmc::machine::Idle;
use gsmc::machine::Valid;
use gsmc::native::verdict::{self, Report};
use gsmc::{Options, Project};
use prediction::{Numbers, Prediction, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// The machine of a project folder.
fn machine(dir: &Path) -> Valid {
    let project = Project::open(dir, &Options::default()).unwrap_or_else(|e| panic!("{}:\n{e}", dir.display()));
    project.machine().clone()
}

/// What the README says and what the engines find, side by side; nothing but differences.
fn differences(name: &str) -> Vec<String> {
    let dir = examples().join("teaching").join(name);
    let text = std::fs::read_to_string(dir.join("README.md")).expect("a README");
    let said = Prediction::of(&text).unwrap_or_else(|e| panic!("{name}/README.md: {e}"));
    let machine = machine(&dir);
    let explicit = Explicit::build(&machine, Limits::default()).expect("it is small");
    let native = verdict::check(&machine, &verdict::Options::default());

    let mut all = Vec::new();
    compare("step", &said.steps, &shown::steps(explicit.graph()), &mut all);
    compare("step (simulate)", &said.steps, &simulated::steps(&dir, explicit.graph()), &mut all);
    if !said.classes.is_empty() {
        compare("view", &said.classes, &shown::classes(explicit.graph()), &mut all);
    }
    let expected: BTreeSet<String> = said.verdicts.iter().map(Verdict::line).collect();
    compare("verdict (explicit)", &only_truth(&said.verdicts), &explicit_verdicts(&machine, &explicit), &mut all);
    compare("verdict (native)", &expected, &native_verdicts(&native), &mut all);
    let wished: BTreeSet<String> = machine.properties.iter().map(|p| format!("{}: {}", p.name, p.expect)).collect();
    compare("verdict (@expect)", &only_truth(&said.verdicts), &wished, &mut all);
    compare_numbers("explicit", &said.numbers, &explicit_numbers(&machine, &explicit), &mut all);
    compare_numbers("native", &said.numbers, &native_numbers(&machine, &said.numbers, &native), &mut all);
    all.extend(trying::changes(name, &text));
    all.extend(trying::commands(&text));
    all
}

fn compare(what: &str, said: &BTreeSet<String>, found: &BTreeSet<String>, all: &mut Vec<String>) {
    all.extend(said.difference(found).map(|s| format!("{what}: predicted, not found: {s}")));
    all.extend(found.difference(said).map(|s| format!("{what}: found, not predicted: {s}")));
}

fn compare_numbers(engine: &str, said: &Numbers, found: &Numbers, all: &mut Vec<String>) {
    if said != found {
        all.push(format!("{engine}: predicted {said:?}\n{engine}: found     {found:?}"));
    }
}

fn only_truth(verdicts: &[Verdict]) -> BTreeSet<String> {
    verdicts.iter().map(|v| format!("{}: {}", v.property, v.holds)).collect()
}

fn explicit_verdicts(machine: &Valid, explicit: &Explicit) -> BTreeSet<String> {
    machine.properties.iter().map(|p| format!("{}: {}", p.name, explicit.check(p))).collect()
}

fn native_verdicts(report: &Report) -> BTreeSet<String> {
    let vacuous = |remarks: &[String]| remarks.iter().any(|r| r.contains("never true in a reachable snapshot"));
    let one = |a: &verdict::NativeAnswer| match a.result.verdict.holds() {
        Some(holds) => {
            let verdict = Verdict {
                property: a.result.property.clone(),
                holds,
                bounded: !a.result.exact,
                vacuous: vacuous(&a.result.vacuous),
            };
            verdict.line()
        }
        None => format!("{}: {:?}", a.result.property, a.result.verdict),
    };
    report.answers.iter().map(one).collect()
}

fn explicit_numbers(machine: &Valid, explicit: &Explicit) -> Numbers {
    let graph = explicit.graph();
    let steps = shown::real_edges(graph).count();
    Numbers {
        snapshots: explicit.states().to_string(),
        steps: steps.to_string(),
        dead_ends: explicit.terminal().to_string(),
        idling: idling(machine.idle).into(),
        graph: if machine.cyclic { "cyclic" } else { "acyclic" }.into(),
        races: graph.order_dependent().to_string(),
        overflow: reachable(explicit.overflow_reachable()).into(),
    }
}

/// The native checker counts neither B-steps nor races: it says whether there is one.
fn native_numbers(machine: &Valid, said: &Numbers, report: &Report) -> Numbers {
    let found = report.exploration.as_ref().expect("it is small");
    let races = match (found.order_dependent.is_possible() == Some(true), said.races.as_str()) {
        (true, "0") => "some",
        (false, n) if n != "0" => "none",
        (_, n) => n,
    };
    Numbers {
        snapshots: found.states.to_string(),
        steps: said.steps.clone(),
        dead_ends: found.dead_ends.to_string(),
        idling: idling(machine.idle).into(),
        graph: if machine.cyclic { "cyclic" } else { "acyclic" }.into(),
        races: races.into(),
        overflow: reachable(found.overflow).into(),
    }
}

fn idling(idle: Idle) -> &'static str {
    match idle {
        Idle::Always => "everywhere",
        Idle::Terminal => "in dead ends",
        Idle::Never => "never",
    }
}

fn reachable(yes: bool) -> &'static str {
    if yes { "reachable" } else { "unreachable" }
}

macro_rules! lessons {
    ($($test:ident = $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                let differences = differences($name);
                assert!(differences.is_empty(), "examples/teaching/{}:\n{}", $name, differences.join("\n"));
            }
        )*

        #[test]
        fn every_folder_is_a_lesson() {
            let lessons: BTreeSet<String> = [$($name.to_string()),*].into();
            assert_eq!(index::folders(&examples().join("teaching")), lessons);
        }
    };
}

lessons! {
    one_stage = "one-stage",
    nested = "nested",
    reopen = "reopen",
    no_instant_milestone = "no-instant-milestone",
    event_vs_state = "event-vs-state",
    toggle_once = "toggle-once",
    harmless_cycle = "harmless-cycle",
    real_race = "real-race",
    no_effect = "no-effect",
    two_views = "two-views",
    task = "task",
    overflow = "overflow",
    vacuous = "vacuous",
    lasso = "lasso",
    related = "related",
}

#[test]
fn the_index_is_up_to_date() {
    index::check(&examples());
}
