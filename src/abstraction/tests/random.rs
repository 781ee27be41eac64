//! The engine and the definitions agree, snapshot by snapshot; and both with the concrete system where they decide.

use super::asker;
use super::draw::{Data, Drawn, MIXED, system, system_of};
use super::naive::{Abstract, Naive};
use crate::abstraction::check::{Checker, Refused};
use crate::abstraction::graph::Graph;
use crate::abstraction::know::seen;
use crate::abstraction::linear::Atom;
use crate::abstraction::predicate::variable;
use crate::abstraction::view::reachable_with;
use crate::abstraction::{Asker, Options, Origin, Predicates, System};
use crate::answer::{RawRun, RawStep};
use crate::interp::{Explicit, Interp};
use crate::logic::Formula;
use crate::machine::AgentIx;
use crate::smt::{Limits, Ratio, SolverKind, Which};
use fastrand::Rng;
use std::collections::BTreeSet;

/// Which systems: few by default, `GSMC_ABSTRACT_SYSTEMS` for more, from `GSMC_ABSTRACT_START` on. Of what is slower, a part.
pub fn seeds(part: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let (start, many) = (number("GSMC_ABSTRACT_START").unwrap_or(0), number("GSMC_ABSTRACT_SYSTEMS").unwrap_or(12));
    start..start + u64::div_ceil(many, part)
}

/// What came of the comparisons.
#[derive(Default)]
struct Tally {
    decided: u64,
    open: u64,
    linear: usize,
    /// Systems about which the solver did not know enough.
    unsure: u64,
}

#[test]
fn the_engine_does_what_the_definitions_say() {
    let mut tally = Tally::default();
    for seed in seeds(1) {
        let Some(mut asker) = asker() else { return };
        let drawn = system(&mut Rng::with_seed(seed));
        if let Err(why) = compare(seed, &drawn, &mut asker, &mut tally) {
            println!("seed {seed}: {why:?}");
        }
    }
    let Tally { decided, open, linear, unsure } = tally;
    println!("{decided} properties, {open} of them unknown; {linear} LTL formulas decided; {unsure} too much for z3");
}

/// Numbers with fractions, texts, and all kinds together.
#[test]
fn fractions_and_texts_do_what_the_definitions_say() {
    for data in [[Data::Fractions].as_slice(), &[Data::Texts], &MIXED] {
        let mut tally = Tally::default();
        for seed in seeds(4) {
            let Some(mut asker) = asker() else { return };
            let drawn = system_of(data, &mut Rng::with_seed(5_000_000 + seed));
            if let Err(why) = compare(seed, &drawn, &mut asker, &mut tally) {
                println!("{data:?} {seed}: {why:?}");
            }
        }
        let Tally { decided, open, linear, unsure } = tally;
        println!("{data:?}: {decided} properties, {open} unknown; {linear} LTL formulas decided; {unsure} too much");
        assert!(decided > open, "{data:?}: {open} of {decided} are open");
    }
}

fn compare(seed: u64, drawn: &Drawn, asker: &mut Asker, tally: &mut Tally) -> Result<(), Refused> {
    let mut rng = Rng::with_seed(seed ^ 0xdada);
    let m = &drawn.machine;
    let wide = drawn.abstracted(&mut rng);
    let pins: Vec<_> = drawn.pins.iter().copied().filter(|p| wide.contains(&p.var)).collect();
    let system = System::new(&drawn.open, &wide, pins.clone());
    let mut predicates = Predicates::collect(&system, &[0, 1, 2, 3, 4, 5]);
    if rng.bool() {
        // Fewer: what atoms and windows need must stay, the rest of the sentries may go.
        let mut needed = Predicates::default();
        let windows = m.agents.iter().flat_map(|a| &a.views).map(|v| v.visible);
        windows.for_each(|e| needed.add_all(&system, e, Origin::Window));
        m.properties.iter().for_each(|p| p.formula.atoms(&mut |e| needed.add_all(&system, *e, Origin::Property)));
        predicates.list.retain(|p| needed.list.iter().any(|n| n.atom == p.atom) || rng.u8(..4) == 0);
    }
    let naive = Naive::new(drawn, &wide, &predicates, &pins);
    naive.compare_exact();
    let graph = Graph::explore(&system, &predicates, asker, 100_000)?;
    if !graph.sure {
        println!("seed {seed}: the solver does not know");
        tally.unsure += 1;
        return Ok(());
    }
    let state = |s: usize| -> Abstract { (graph.states[s].codes.clone(), graph.states[s].truths.clone()) };
    let ours: BTreeSet<Abstract> = (0..graph.states.len()).map(state).collect();
    assert_eq!(ours, naive.may, "seed {seed}: may-reachable");
    for s in 0..graph.states.len() {
        let name = |set: BTreeSet<usize>| set.into_iter().map(state).collect::<BTreeSet<_>>();
        assert_eq!(name(graph.may(s)), naive.may_after(&state(s)), "seed {seed}: may-steps of {:?}", state(s));
        assert_eq!(name(graph.must(s)), naive.must_after(&state(s)), "seed {seed}: must-steps of {:?}", state(s));
    }
    let mut puzzled = false;
    for group in [[0].as_slice(), &[1], &[0, 1]] {
        let group: Vec<AgentIx> = group.iter().copied().map(AgentIx).collect();
        let view = seen(&system, &group);
        let reached = reachable_with(&system, &predicates, &graph, &view, asker)?;
        let ours: BTreeSet<Abstract> = (0..reached.len()).filter(|s| reached[*s]).map(state).collect();
        let expected = naive.reached(&view);
        match std::mem::take(&mut asker.puzzled) {
            false => assert_eq!(ours, expected, "seed {seed}: reachable with the view of {group:?}"),
            true => {
                assert!(ours.is_subset(&expected), "seed {seed}: reachable with the view of {group:?}");
                puzzled = true;
            }
        }
    }
    let concrete = Explicit::build(m, crate::interp::Limits::default()).unwrap();
    let regions = (!drawn.fractions().is_empty()).then(|| Naive::concrete(drawn, &wide, &pins));
    for p in m.properties.iter().filter(|p| matches!(p.formula, Formula::Ltl(_)) && regions.is_none()) {
        let truth = Checker::new(&system, &predicates, &graph).decide(&p.formula, asker)?;
        let real = concrete.check(p);
        assert!(!truth.yes[0] || real, "seed {seed}: {:?}", p.formula);
        assert!(!truth.no[0] || !real, "seed {seed}: {:?}", p.formula);
        tally.linear += usize::from(truth.yes[0] || truth.no[0]);
    }
    for p in m.properties.iter().filter(|p| !matches!(p.formula, Formula::Ltl(_))) {
        let truth = Checker::new(&system, &predicates, &graph).decide(&p.formula, asker)?;
        let expected = naive.truth(&p.formula);
        for s in 0..graph.states.len() {
            let ours = match (truth.yes[s], truth.no[s]) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
                _ => panic!("seed {seed}: both true and false"),
            };
            let expected = if puzzled && ours.is_none() { None } else { expected[&state(s)] };
            assert_eq!(ours, expected, "seed {seed}: {:?} in {:?}", p.formula, state(s));
        }
        let real = match &regions {
            Some(regions) => regions.truth(&p.formula)[&regions.initial()] == Some(true),
            None => concrete.check(p),
        };
        match (truth.yes[0], truth.no[0]) {
            (true, _) => assert!(real, "seed {seed}: {:?}", p.formula),
            (_, true) => assert!(!real, "seed {seed}: {:?}", p.formula),
            _ => tally.open += 1,
        }
        tally.decided += 1;
    }
    Ok(())
}

/// With a predicate for every value nothing is left open: what may happen must, and the snapshots are the concrete ones.
#[test]
fn a_predicate_per_value_is_the_concrete_system() {
    for seed in seeds(1) {
        let Some(mut asker) = asker() else { return };
        let drawn = system(&mut Rng::with_seed(3_000_000 + seed));
        let m = &drawn.machine;
        let system = System::new(m, &drawn.all(), drawn.pins.clone());
        let mut predicates = Predicates::default();
        for (var, _) in &drawn.wide {
            let (lo, hi) = m.var(*var).domain.bounds();
            for value in lo..=hi {
                let (sum, bound) = (variable(&system, *var), Ratio::from_integer(value.into()));
                predicates.add(&system, Atom { less: false, sum, bound }, Origin::Given, 0);
            }
        }
        let Ok(graph) = Graph::explore(&system, &predicates, &mut asker, 100_000) else { continue };
        let concrete = crate::interp::Graph::all(m, crate::interp::Limits::default()).unwrap();
        assert_eq!(graph.states.len(), concrete.len(), "seed {seed}");
        for s in (0..graph.states.len()).filter(|_| graph.sure) {
            assert_eq!(graph.may(s), graph.must(s), "seed {seed}: {:?}", graph.states[s]);
        }
    }
}

/// With runs and refinement more is decided, and rightly so.
#[test]
fn refinement_and_runs_are_right() {
    if asker().is_none() {
        return;
    }
    let (mut more, mut shown, mut loops) = (0, 0, 0);
    for seed in seeds(3) {
        let drawn = system(&mut Rng::with_seed(1_000_000 + seed));
        let m = &drawn.machine;
        let system = System::new(m, &drawn.all(), drawn.pins.clone());
        let limits = Limits { effort: 300_000, ..Limits::default() };
        let (smt, given) = (Which::Only(SolverKind::Z3).into(), Vec::new());
        let (questions, states) = (u64::MAX, 3000);
        let options =
            Options { refine: 2, runs: true, smt, limits, questions, states, listed: false, sides: false, given };
        let chosen: Vec<usize> = (0..m.properties.len()).collect();
        let Ok(outcome) = crate::abstraction::decide(&system, &chosen, &options) else { continue };
        let concrete = Explicit::build(m, crate::interp::Limits::default()).unwrap();
        for d in &outcome.decisions {
            let p = &m.properties[d.property];
            assert!(d.verdict.is_none_or(|v| v == concrete.check(p)), "seed {seed}: {:?} {:?}", d.verdict, p.formula);
            assert!(d.first.is_none() || d.first == d.verdict, "what is decided stays decided");
            more += usize::from(d.verdict.is_some() && d.first.is_none());
            let Some(run) = &d.run else { continue };
            shown += 1;
            loops += usize::from(run.again.is_some());
            // The interpreter of the bounded machine and its own idea of what a run shows.
            let codes = |v: &[Ratio]| v.iter().map(|n| n.to_integer().try_into().unwrap()).collect::<Vec<i64>>();
            let steps = run.steps.iter().map(|s| RawStep::to(&codes(&s.after))).collect();
            let raw = RawRun { steps, loop_start: run.again, sides: Vec::new() };
            let certified = crate::trace::certify(&Interp::new(m), p, d.verdict == Some(true), &raw);
            assert!(certified.is_ok(), "seed {seed}: {certified:?} {:?}\n{run:?}", p.formula);
        }
    }
    println!("{more} properties decided by refinement or a run, {shown} runs, {loops} of them without end");
}
