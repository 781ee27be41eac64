//! Runs that the solver finds against all reachable snapshots of random machines.

use super::*;
use crate::interp::scout::Target;
use crate::interp::scout::tests::{nearest, shows, targets, with_atoms};
use crate::interp::testkit::random;
use crate::interp::{Graph, Interp, Limits};

fn goal(target: &Target) -> Option<Goal> {
    Some(match target.clone() {
        Target::Holds(f) => Goal::Holds(f),
        Target::Through(f, g) => Goal::Through(f, g),
        Target::Step(steps) => Goal::Step(steps),
        Target::Order => Goal::Order,
        Target::DeadEnd(_) => return None,
    })
}

/// Everything within reach is found by a shortest run, and nothing else is.
#[test]
fn as_near_as_the_nearest() {
    let (mut found, mut beyond) = (0, 0);
    for seed in 0..40 {
        let (m, atoms) = with_atoms(&random(seed));
        let targets: Vec<Target> = targets(&m, &atoms).into_iter().filter(|t| goal(t).is_some()).collect();
        let graph = Graph::all(&m, Limits::default()).expect("a small machine");
        let interp = Interp::new(&m);
        const MOST: usize = 6;
        let goals: Vec<(Goal, usize)> = targets.iter().filter_map(goal).map(|g| (g, MOST)).collect();
        let effort = Effort { learnt: u64::MAX, decisions: u64::MAX, ..Effort::default() };
        for (target, looked) in targets.iter().zip(search(&m, &goals, effort, &|| false)) {
            let nearest = nearest(&graph, target);
            let context = || format!("seed {seed}: {target:?} {looked:?}, nearest {nearest:?}");
            let steps = looked.run.as_ref().map(|run| run.len() + usize::from(matches!(target, Target::Order)));
            assert_eq!(steps, nearest.filter(|n| *n <= MOST), "{}", context());
            assert!(nearest.is_none_or(|n| n >= looked.none_below), "{}", context());
            if let Some(run) = &looked.run {
                assert!(shows(&interp, target, run) && steps == Some(looked.none_below), "{}", context());
                found += 1;
            } else {
                assert_eq!(looked.none_below, MOST + 1, "{}", context());
                beyond += 1;
            }
        }
    }
    assert!(found > 500 && beyond > 100, "{found} found, {beyond} not");
}

/// With less effort less is found, but the same every time.
#[test]
fn little_effort_gives_up() {
    let (mut all, mut some) = (0, 0);
    for seed in 0..20 {
        let (m, atoms) = with_atoms(&random(seed));
        let goals: Vec<(Goal, usize)> = targets(&m, &atoms).iter().filter_map(goal).map(|g| (g, 5)).collect();
        let with = |effort: Effort| search(&m, &goals, effort, &|| false);
        let few = Effort { decisions: 60, variables: 2_000, ..Effort::default() };
        assert_eq!(with(few), with(few), "seed {seed}");
        let count = |looked: Vec<Looked>| looked.iter().filter(|l| l.run.is_some()).count();
        all += count(with(Effort::default()));
        some += count(with(few));
    }
    assert!(some < all, "{some} of {all}");
}
