//! Long bodies of guarded assignments: engines agree on small ones, and large ones are written out whole.
//!
//! `GSMC_RULES=12000` tries another size than the default.

use gsmc::answer::Verdict;
use gsmc::backend::CHECKERS;
use gsmc::interp::{Explicit, Graph, Interp, Limits};
use gsmc::native::bdd;
use gsmc::native::encode::System;
use gsmc::native::verdict::{self, Options};
use gsmc::testing::cascade::cascade;

#[test]
fn native_agrees_with_explicit_search() {
    for seed in 0..6 {
        let machine = cascade(40, 2, seed).expect("a machine");
        let explicit = Explicit::build(&machine, Limits::default()).expect("a small graph");
        let report = verdict::check(&machine, &Options::default());
        let held: Vec<bool> = machine.properties.iter().map(|p| explicit.check(p)).collect();
        let found: Vec<bool> = report.answers.iter().map(|a| a.result.verdict == Verdict::True).collect();
        assert_eq!(found, held, "seed {seed}");
        let counted = Graph::reach(Interp::new(&machine), Limits::default()).expect("a small graph").len();
        let exploration = report.exploration.expect("reachable snapshots");
        assert_eq!(exploration.states.to_string(), counted.to_string(), "seed {seed}");
    }
}

/// Nothing that is quadratic in the number of rules ends within the patience of a test at this size.
#[test]
fn a_long_body_is_encoded_and_written_out() {
    let rules = std::env::var("GSMC_RULES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let machine = cascade(rules, 4, 7).expect("a machine");
    assert_eq!(machine.bodies[0].rules.len(), rules);
    assert!(System::new(&machine, &bdd::Limits::default()).is_ok());
    let interp = Interp::new(&machine);
    let start = interp.initial();
    let choice = interp.choices(&start).into_iter().next().expect("a choice");
    assert!(interp.step(&start, &choice).is_some_and(|s| !s.fired.is_empty()));
    for checker in CHECKERS {
        let written = (checker.export)(&machine, &[0, 1]).unwrap_or_else(|why| panic!("{}: {why}", checker.title));
        assert!(!written.files.is_empty(), "{}", checker.title);
    }
}
