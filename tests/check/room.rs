//! Slots that no run can use are left out, and every answer stays as it is.

use super::folder;
use gsmc::answer::{Engine, Results};
use gsmc::check::{Plan, ask, ask_with_enough};
use gsmc::testing::{Limits, random_app_with};
use gsmc::{Options, Project};
use std::path::Path;

fn plan() -> Plan {
    Plan { engines: vec![Engine::NATIVE], builtin: true, ..Plan::default() }
}

fn open(path: &Path, instances: &[&str]) -> Project {
    let mut options = Options::default();
    options.overrides.instances.extend(instances.iter().map(|i| i.to_string()));
    Project::open(path, &options).unwrap_or_else(|refused| panic!("{refused}"))
}

/// A property with its verdict, whether that is exact, and the steps of its run.
type Answer = (String, Option<bool>, bool, usize);

/// What must not depend on slots that stay empty.
fn said(results: &Results) -> (Option<String>, Option<bool>, Vec<Answer>) {
    let steps = |r: &gsmc::answer::PropertyResult| r.trace.as_ref().map_or(0, |t| t.steps.len());
    let one = |r: &gsmc::answer::PropertyResult| (r.property.clone(), r.verdict.holds(), r.exact, steps(r));
    let m = &results.machine;
    (m.reachable_states.clone(), m.overflow_reachable, results.results.iter().map(one).collect())
}

/// The slots that were left out, if the answers are those of all slots.
fn left_out(project: &Project, context: &dyn Fn() -> String) -> Vec<String> {
    let all = ask("model", project.lens(), &plan());
    let (few, _) = ask_with_enough("model", project.lens(), &project.sources, &plan());
    assert_eq!(said(&few), said(&all), "{}", context());
    few.machine.unused
}

#[test]
fn empty_slots_are_left_out() {
    let family = std::fs::read_to_string(folder("tests/any/children/model.gsm")).expect("the model");
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("model.gsm");
    // Each parent has two children at most, so two parents have four.
    std::fs::write(&path, family.replace("when HasOne", "when HasOne && !HasTwo")).expect("a model");
    let unused = |instances: &[&str]| left_out(&open(&path, instances), &|| format!("{instances:?}"));
    assert_eq!(unused(&["Parent=1", "Child=5"]), ["Child[3]", "Child[4]", "Child[5]"]);
    assert_eq!(unused(&["Parent=2", "Child=5"]), ["Child[5]"]);
    assert!(unused(&["Parent=2", "Child=4"]).is_empty());
    assert!(unused(&["Parent=2", "Child=3"]).is_empty(), "they do not suffice");
    assert!(unused(&["Parent=1", "Child=1"]).is_empty());
    let endless = open(&folder("tests/any/children/model.gsm"), &["Child=4"]);
    assert!(left_out(&endless, &|| "endless".into()).is_empty(), "there is always one more");
}

#[test]
fn random_applications_keep_their_answers() {
    let count: u64 = std::env::var("GSMC_RANDOM_APPLICATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let (mut children, mut smaller) = (0, 0);
    for seed in 0..count {
        // Mostly a type that tasks alone create: a type that agents create stays as it is.
        let limits = Limits { children: seed % 3 > 0, stages: 4, ..Limits::default() };
        children += u64::from(limits.children);
        let drawn = random_app_with(seed, &limits);
        let place = tempfile::tempdir().expect("a folder");
        drawn.write_to(place.path()).expect("files");
        let project = open(place.path(), &[]);
        let types = project.lens().counted().expect("instances").types();
        let more: Vec<String> =
            types.iter().filter(|t| t.made_by_steps).map(|t| format!("{}={}", t.name, t.bound + 1)).collect();
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let unused = left_out(&open(place.path(), &more), &|| format!("seed {seed}\n{drawn}"));
        smaller += u64::from(!unused.is_empty());
    }
    println!("{smaller} of {count} have slots that no run uses");
    assert!(4 * smaller >= children, "only {smaller} of {children} have slots that no run uses");
}
