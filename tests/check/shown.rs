//! Tables and traces as text.

use super::{copy_xml, folder, results, teaching};
use gsmc::answer::Results;
use gsmc::report::human::{Style, text};
use gsmc::testing::random_app;
use gsmc::trace::Trace;
use gsmc::trace::look::Look;
use serde_json::Value;

/// Every reason that names a variable gives the value that the trace itself gives it. Counts them.
fn reasons_are_true(trace: &Trace, about: &str) -> usize {
    let mut snapshots = vec![trace.initial.clone()];
    for step in &trace.steps {
        let mut next = snapshots.last().cloned().unwrap_or_default();
        next.extend(step.changes.clone());
        snapshots.push(next);
    }
    let mut told = 0;
    for reason in &trace.because {
        let last = if reason.throughout { snapshots.len() - 1 } else { reason.at };
        for snapshot in &snapshots[reason.at..=last] {
            if let Some(Value::Bool(value)) = snapshot.get(&reason.part) {
                assert_eq!(*value, reason.holds, "{about}: {reason:?}");
                told += 1;
            }
            for (name, value) in reason.values.iter().filter(|_| !reason.throughout) {
                assert_eq!(snapshot.get(name), Some(value), "{about}: {reason:?}");
            }
        }
    }
    told
}

#[test]
fn reasons_agree_with_their_trace() {
    let mut told = 0;
    let mut look_at = |results: &Results, about: &str| {
        for r in &results.results {
            let Some(trace) = r.trace.as_ref().filter(|t| t.certified) else { continue };
            told += reasons_are_true(trace, &format!("{about}: {}", r.property));
        }
    };
    for dir in teaching() {
        look_at(&results(&dir), &dir.to_string_lossy());
    }
    let random = tempfile::tempdir().expect("a folder");
    for seed in 0..80 {
        let dir = random.path().join(seed.to_string());
        random_app(seed).write_to(&dir).expect("files");
        look_at(&results(&dir), &format!("seed {seed}"));
    }
    assert!(told > 60, "{told}");
}

/// Text without its colours.
fn colourless(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    first + &parts.map(|p| p.split_once('m').expect("a colour ends with m").1).collect::<String>()
}

/// Words in their order.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn colours_and_width_change_nothing_else() {
    for dir in teaching() {
        let results = results(&dir);
        let plain = text(&results, Style::default());
        assert!(!plain.contains('\x1b'));
        let coloured = Style { look: Look { colour: true, ..Look::default() }, ..Style::default() };
        assert_eq!(colourless(&text(&results, coloured)), plain, "{}", dir.display());
        for width in [40, 60, 80, 120] {
            let narrow = Style { look: Look { width: Some(width), ..Look::default() }, ..Style::default() };
            let shown = text(&results, narrow);
            assert_eq!(words(&shown), words(&plain), "{}", dir.display());
            // A step's title is one item, and so is a reason.
            let long = |l: &&str| l.chars().count() > width && l.contains("changed") && l.contains("  ");
            assert_eq!(shown.lines().find(|l| long(l) && words(l).len() > 4), None, "{}", dir.display());
        }
    }
}

#[test]
fn the_failing_conjunct_is_named_where_it_fails() {
    let dir = tempfile::tempdir().expect("a folder");
    for file in ["gsmc.toml", "model.xml"] {
        copy_xml("examples/teaching/reopen", file, &dir.path().join(file));
    }
    let properties = "kept: AG forall x : Report (x.Approved -> (!x.Review && x.created && AX x.Approved));\n\
        @expect false\ncomes: AF exists x : Report (x.Approved);";
    std::fs::write(dir.path().join("properties.gsmp"), properties).expect("properties");
    let results = results(dir.path());
    let style = Style { look: Look { width: Some(64), ..Look::default() }, ..Style::default() };
    insta::assert_snapshot!(text(&results, style), @r"
    model.xml: 5 state bits, 5 actions, 8 rules, 5 reachable snapshots
    at most this many instances: Report 1

    property  native  expected
    kept      false   true   << not as expected
    comes     false   false

    kept is false by native: counterexample, 4 steps
      AG forall x : Report (x.Approved
        -> (!x.Review && x.created && AX x.Approved))
      1. Create_Report at Report[1]
           changed  +Report[1].created
      2. Submit at Report[1]
           fired    PAC-1 Review/Submitted
           changed  +Report[1].Review
      3. Approve at Report[1]
           fired    PAC-2 Approved/ReviewerLikesIt,
                    PAC-5 Review/Approved
           changed  -Report[1].Review  +Report[1].Approved
           here     `Report[1].Approved` is true
      4. Withdraw at Report[1]
           fired    PAC-3 Approved/AuthorWithdraws
           changed  -Report[1].Approved
           here     `Report[1].Approved` is false

    comes is false by native: counterexample, 1 step
      AF exists x : Report (x.Approved)
      0. start
           from now `(Report[1].created && Report[1].Approved)` is false
      -- from here on again and again --
      1. nothing happens
           changed  nothing
      -- back to the snapshot at the start --

    1 as expected, 1 not as expected
    ");
}

#[test]
fn many_traces_as_expected_are_kept_back() {
    let mut results = results(&folder("examples/teaching/one-stage"));
    let seen = results.results.iter().find(|r| r.property == "can-join").expect("can-join").clone();
    assert!(!text(&results, Style::default()).contains("not shown"));
    for i in 0..12 {
        let property = format!("again-{i}");
        results.results.push(gsmc::answer::PropertyResult { property, ..seen.clone() });
    }
    let mut odd = seen.clone();
    (odd.property, odd.expect) = ("odd".into(), false);
    results.results.push(odd);
    let brief = text(&results, Style::default());
    assert!(brief.contains("answers as expected are not explained"), "{brief}");
    assert!(
        brief.contains("odd is true by native: witness") && !brief.contains("again-3 is true by native"),
        "{brief}"
    );
    let all = text(&results, Style { all_traces: true, ..Style::default() });
    assert!(all.contains("again-3 is true by native: witness") && !all.contains("not shown"), "{all}");
}
