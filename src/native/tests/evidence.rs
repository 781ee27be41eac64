//! Evidence is a real run, and it shows what it should.

use crate::machine::VarId;
use fastrand::Rng;

use super::kripke::*;
use super::naive::Naive;
use super::random::{Wish, formula, path_formula, structure};
use crate::logic::{Formula, Know};
use crate::native::check::Fml;
use crate::native::witness::Evidence;

/// The states of a run, after checking that it is one.
fn states(k: &Kripke, naive: &Naive, evidence: &Evidence) -> Vec<i64> {
    let trail = &evidence.trail;
    let states: Vec<i64> = trail.snapshots.iter().map(|s| s[VarId(0)]).collect();
    assert_eq!(states[0], 0);
    for pair in states.windows(2) {
        assert!(naive.next(pair[0]).contains(&pair[1]), "{pair:?} is no step of {k:?}");
    }
    if let Some(start) = trail.loop_start {
        assert!(start + 1 < states.len() && states[start] == states[states.len() - 1], "{states:?} back to {start}");
    }
    states
}

#[test]
fn linear_time_lassos_violate_their_formula() {
    let mut failing = 0;
    for seed in 0..120 {
        let mut rng = Rng::with_seed(9000 + seed);
        let k = structure(&mut rng, 1);
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        let fair = if rng.bool() { vec![Formula::Atom(built.props[0])] } else { vec![] };
        for _ in 0..4 {
            let path = path_formula(&mut rng, &built.props, 3);
            let (holds, evidence) = k.evidence(&built, &ltl(path.clone()), &fair).unwrap();
            if holds {
                continue;
            }
            failing += 1;
            let mut word = states(&k, &naive, &evidence);
            let start = evidence.trail.loop_start.expect("a lasso");
            word.pop();
            assert!(!naive.holds_on(&path, &word, start, 0), "{word:?} back to {start} satisfies {path:?}");
            for f in &fair {
                let set = naive.sat(f, &[]);
                assert!(word[start..].iter().any(|s| set.contains(s)), "{word:?} back to {start} is not fair");
            }
        }
    }
    assert!(failing > 100);
}

#[test]
fn branching_time_runs_show_their_formula() {
    for seed in 0..200 {
        let mut rng = Rng::with_seed(20_000 + seed);
        let k = structure(&mut rng, 2);
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        let (p, q) = (Formula::Atom(built.props[0]), Formula::Atom(built.props[1]));
        let (sp, sq) = (naive.sat(&p, &[]), naive.sat(&q, &[]));
        let run = |f: Fml, wanted: bool| {
            let (holds, evidence) = k.evidence(&built, &f, &[]).unwrap();
            (holds == wanted).then(|| (states(&k, &naive, &evidence), evidence))
        };
        if let Some((states, _)) = run(ef(p.clone()), true) {
            let last = states.len() - 1;
            assert!(sp.contains(&states[last]) && states[..last].iter().all(|s| !sp.contains(s)));
        }
        if let Some((states, _)) = run(ag(p.clone()), false) {
            assert!(!sp.contains(&states[states.len() - 1]));
        }
        if let Some((states, _)) = run(ex(p.clone()), true) {
            assert!(states.len() == 2 && sp.contains(&states[1]));
        }
        if let Some((states, evidence)) = run(eg(p.clone()), true) {
            assert!(evidence.trail.loop_start.is_some() && states.iter().all(|s| sp.contains(s)));
        }
        if let Some((states, evidence)) = run(af(p.clone()), false) {
            assert!(evidence.trail.loop_start.is_some() && states.iter().all(|s| !sp.contains(s)));
        }
        if let Some((states, _)) = run(eu(p.clone(), q.clone()), true) {
            let last = states.len() - 1;
            assert!(sq.contains(&states[last]) && states[..last].iter().all(|s| sp.contains(s)));
        }
        if let Some((states, evidence)) = run(au(p.clone(), q.clone()), false) {
            assert!(states.iter().all(|s| !sq.contains(s)));
            assert!(evidence.trail.loop_start.is_some() || !sp.contains(&states[states.len() - 1]));
        }
        if let Some((states, evidence)) = run(ag(knows(Know::K, &[1], p.clone())), false) {
            match evidence.trail.sides.first() {
                None => assert!(!sp.contains(&states[states.len() - 1])),
                Some(side) => {
                    let (here, there) =
                        (states[side.at], side.trail.snapshots[side.trail.snapshots.len() - 1][VarId(0)]);
                    assert!(!sp.contains(&there) && k.colours[1][here as usize] == k.colours[1][there as usize]);
                }
            }
        }
        let nested = ag(implies(p.clone(), ef(q.clone())));
        if let Some((states, evidence)) = run(nested, false) {
            assert!(sp.contains(&states[states.len() - 1]));
            assert_eq!(evidence.rests_on.len(), 1);
            assert_eq!(evidence.rests_on[0].formula, ef(q.clone()));
        }
    }
}

#[test]
fn evidence_for_anything_is_a_run() {
    for seed in 0..150 {
        let mut rng = Rng::with_seed(30_000 + seed);
        let k = structure(&mut rng, 2);
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        let fair = if rng.bool() { vec![Formula::Atom(built.props[1])] } else { vec![] };
        let wish = Wish { agents: 2, know: true, can: fair.is_empty() };
        let f = formula(&mut rng, &built.props, 4, wish);
        let (_, evidence) = k.evidence(&built, &f, &fair).unwrap();
        states(&k, &naive, &evidence);
        for side in &evidence.trail.sides {
            let side = Evidence { trail: side.trail.clone(), rests_on: vec![] };
            states(&k, &naive, &side);
        }
    }
}

/// Layers from the one end and rings from the other meet on a shortest way.
#[test]
fn runs_to_a_set_are_shortest() {
    let mut long = 0;
    for seed in 0..80 {
        let mut rng = Rng::with_seed(70_000 + seed);
        let size = rng.i64(10..40);
        let forth = (0..size - 1).map(|from| (from, from + 1, 0));
        let across: Vec<(i64, i64, usize)> =
            (0..rng.usize(0..8)).map(|_| (rng.i64(0..size), rng.i64(0..size), 0)).collect();
        let edges = forth.chain(across).collect();
        let labels = vec![vec![rng.i64(0..size), size - 1], vec![size - 1]];
        let colours = vec![vec![0; size as usize]];
        let k = Kripke { states: size, edges, labels, colours, idle: crate::machine::Idle::Terminal };
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        for prop in &built.props {
            let (holds, evidence) = k.evidence(&built, &Formula::ef(Formula::Atom(*prop)), &[]).unwrap();
            let goal = naive.sat(&Formula::Atom(*prop), &[]);
            let (mut near, mut distance) = (std::collections::BTreeSet::from([0]), 0);
            while !near.iter().any(|s| goal.contains(s)) {
                near = near.iter().flat_map(|s| naive.next(*s)).collect();
                distance += 1;
            }
            let run = states(&k, &naive, &evidence);
            assert!(holds && run.len() == distance + 1, "seed {seed}: {run:?}, but {distance} steps suffice");
            long += usize::from(distance > 5);
        }
    }
    assert!(long > 20, "{long}");
}
