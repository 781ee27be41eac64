//! What is found on a slice of a machine is shown on the whole: every run replays there, with all values.

use super::folder;
use gsmc::answer::{PropertyResult, Verdict};
use gsmc::check::Plan;
use gsmc::interp::Interp;
use gsmc::lang::load::Request;
use gsmc::trace::replay;
use gsmc::{Project, check};

/// The answers to some properties of a project; every run among them replays on its machine.
fn replayed(model: &str, properties: &str) -> Vec<PropertyResult> {
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("p.gsmp");
    std::fs::write(&file, properties).expect("properties");
    let request = Request { properties: vec![file], ..Request::default() };
    let opened = Project::open(folder(model), &request).expect("a model");
    let results = check(&opened, &Plan::default());
    let interp = Interp::new(opened.machine());
    for r in &results.results {
        let Some(trace) = &r.trace else { continue };
        assert!(trace.certified, "{model}, {}: {:?}", r.property, r.reason);
        let names: Vec<&String> = trace.initial.keys().collect();
        assert_eq!(names.len(), interp.machine().state_ids().count(), "{model}, {}: {names:?}", r.property);
        let run = trace.locate(&interp).unwrap_or_else(|why| panic!("{model}, {}: {why}", r.property));
        replay(&interp, &run).unwrap_or_else(|why| panic!("{model}, {}: {why}", r.property));
    }
    results.results
}

#[test]
fn runs_replay_on_the_whole_machine() {
    let mut shown = 0;
    for (model, stages) in
        [("skipped", ["A", "B", "C"]), ("loop", ["Root", "Trip", "Drive"]), ("fault", ["S", "T", "U"])]
    {
        let ask = |s: &str| {
            let all = [
                format!("open-{s}: EF opens('{s}');"),
                format!("never-closed-{s}: AG !closed('{s}');"),
                format!("again-{s}: LTL F G !opens('{s}');"),
                format!("in-order-{s}: AG !outOfOrder('{s}');"),
                format!("sound-{s}: AG !faulty('{s}');"),
            ];
            all.join("\n")
        };
        let properties = stages.map(ask).join("\n");
        shown += replayed(&format!("tests/egsm/{model}"), &properties).iter().filter(|r| r.trace.is_some()).count();
    }
    assert!(shown >= 30, "{shown}");
}

/// While Trip stays open, Drive can open again and again: on the slice the second opening closes the loop, on the whole it is out of order only then.
#[test]
fn a_loop_of_a_slice_is_gone_until_it_closes_on_the_whole() {
    let all = replayed(
        "tests/egsm/loop",
        "again: LTL ((F G !opened('Drive')) || (F G !closed('Drive')) || F closed('Trip'));",
    );
    let trace = all[0].trace.as_ref().expect("a run");
    assert_eq!(all[0].verdict, Verdict::False);
    let start = trace.loop_start.expect("a loop");
    let out = |step: &gsmc::trace::TraceStep| step.changes.get("Drive.compliance").is_some();
    assert!(trace.steps[..start].iter().any(out), "it turns out of order before the loop");
    assert!(!trace.steps[start..].iter().any(out), "and stays so in it");
}
