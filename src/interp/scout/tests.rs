//! The quick look against all reachable snapshots of random machines.

use super::*;
use crate::interp::testkit::random;
use crate::interp::{Graph, Limits};
use crate::logic::{Connected, Formula};
use crate::machine::{BodyIx, CompareOp, Domain, ExprId, Snapshot, Steps, TRUE, Valid, validate};

/// That a variable has a value, for all variables and values, in the machine's own arena.
pub(crate) fn with_atoms(m: &Valid) -> (Valid, Vec<ExprId>) {
    let (mut m, mut atoms) = ((**m).clone(), Vec::new());
    for v in m.state_ids() {
        let (lo, hi) = m.var(v).domain.bounds();
        let now = m.exprs.cur(v);
        for code in lo..=hi {
            let is = m.exprs.int(code);
            atoms.push(match m.var(v).domain {
                Domain::Bool if code == 0 => m.exprs.not(now),
                Domain::Bool => now,
                _ => m.exprs.compare(CompareOp::Eq, now, is),
            });
        }
    }
    (validate(m).expect("as good as before"), atoms)
}

pub(crate) fn targets(m: &Valid, atoms: &[ExprId]) -> Vec<Target> {
    let mut list: Vec<Target> = atoms.iter().map(|a| Target::Holds(Formula::Atom(*a))).collect();
    for (a, b) in atoms.iter().zip(atoms.iter().skip(3)) {
        list.push(Target::Holds(Formula::all(vec![Formula::Atom(*a), Formula::Atom(*b).not()])));
        list.push(Target::Through(Formula::Atom(*a), Formula::Atom(*b)));
    }
    for (body, b) in BodyIx::each(&m.bodies) {
        let rules = (0..b.rules.len()).map(Some).chain([None]);
        list.extend(rules.map(|rule| Target::Step(vec![Steps { body, rule }])));
    }
    list.extend([Target::DeadEnd(TRUE), Target::Order]);
    list
}

/// Steps of a shortest run to a target, by looking at every step of every snapshot; `None` when there is none.
pub(crate) fn nearest(graph: &Graph, target: &Target) -> Option<usize> {
    let interp = graph.interp();
    let holds = |f: &Formula<ExprId>, s: &Snapshot| holds(interp, f, s);
    let all = |is: &dyn Fn(usize) -> Option<usize>| (0..graph.len()).filter_map(is).min();
    let depth = |n: usize| graph.path(n).steps.len();
    let by_step = |shows: &dyn Fn(BodyIx, &crate::interp::Step) -> bool| {
        all(&|n| {
            let here = graph.codes(n);
            let shown = interp.choices(&here).into_iter().any(|c| match &c {
                Choice::Act { action, .. } => {
                    let body = interp.machine().actions[*action].body;
                    interp.step(&here, &c).is_some_and(|s| shows(body, &s))
                }
                Choice::Idle => false,
            });
            shown.then(|| depth(n) + 1)
        })
    };
    match target {
        Target::Holds(f) => all(&|n| holds(f, &graph.codes(n)).then(|| depth(n))),
        Target::DeadEnd(_) => graph.terminal().iter().map(|n| depth(*n)).min(),
        Target::Step(steps) => by_step(&|body, step| {
            steps.iter().any(|s| s.body == body && s.rule.is_none_or(|r| step.fired.contains(&r)))
        }),
        Target::Order => by_step(&|_, step| !step.order.is_empty()),
        Target::Through(a, b) => {
            // Layer by layer through snapshots in which the first holds.
            let (mut layer, mut seen, mut steps) = (vec![0], vec![false; graph.len()], 0);
            while !layer.is_empty() {
                if layer.iter().any(|n| holds(b, &graph.codes(*n))) {
                    return Some(steps);
                }
                layer.iter().for_each(|n| seen[*n] = true);
                let on = layer.iter().filter(|n| holds(a, &graph.codes(**n)));
                let next = on.flat_map(|n| graph.edges(*n)).map(|e| e.to as usize).filter(|n| !seen[*n]);
                layer = next.collect::<std::collections::BTreeSet<_>>().into_iter().collect();
                steps += 1;
            }
            None
        }
    }
}

fn holds(interp: &Interp, f: &Formula<ExprId>, s: &Snapshot) -> bool {
    match f {
        Formula::Atom(e) => interp.holds(*e, s),
        Formula::Bool(crate::logic::Bool::Not(a)) => !holds(interp, a, s),
        Formula::Bool(b) => b.parts().into_iter().all(|p| holds(interp, p, s)),
        _ => false,
    }
}

/// Does a run show a target? Its last step is looked at on the interpreter.
pub(crate) fn shows(interp: &Interp, target: &Target, run: &[Choice]) -> bool {
    let (mut snapshots, mut steps) = (vec![interp.initial()], Vec::new());
    for choice in run {
        let Some(step) = interp.step(&snapshots[snapshots.len() - 1], choice) else { return false };
        snapshots.push(step.after.clone());
        steps.push(step);
    }
    let end = &snapshots[run.len()];
    match target {
        Target::Holds(f) => holds(interp, f, end),
        Target::Through(a, b) => holds(interp, b, end) && snapshots[..run.len()].iter().all(|s| holds(interp, a, s)),
        Target::DeadEnd(_) => interp.is_terminal(end),
        Target::Order => interp.choices(end).iter().any(|c| interp.step(end, c).is_some_and(|s| !s.order.is_empty())),
        Target::Step(asked) => match (run.last(), steps.last()) {
            (Some(Choice::Act { action, .. }), Some(step)) => asked.iter().any(|s| {
                s.body == interp.machine().actions[*action].body && s.rule.is_none_or(|r| step.fired.contains(&r))
            }),
            _ => false,
        },
    }
}

#[test]
fn runs_are_real_and_shortest_where_they_are_said_to_be() {
    let (mut near, mut far, mut long) = (0, 0, 0);
    for seed in 0..40 {
        let (m, atoms) = with_atoms(&random(seed));
        let targets = targets(&m, &atoms);
        let graph = Graph::all(&m, Limits::default()).expect("a small machine");
        let interp = Interp::new(&m);
        let distance: Vec<Option<usize>> = targets.iter().map(|t| nearest(&graph, t)).collect();
        let budgets = [(u64::MAX, 0), (300, 20_000), (0, 20_000)];
        for (breadth, walks) in budgets {
            let found = scout(&interp, &targets, Budget { breadth, walks }, &|| false);
            for ((target, found), distance) in targets.iter().zip(&found).zip(&distance) {
                let context = || format!("seed {seed}, budget {breadth}: {target:?} {found:?}, nearest {distance:?}");
                let through = matches!(target, Target::Through(..));
                let Some(found) = found else {
                    assert!(breadth < u64::MAX || through || distance.is_none(), "{}", context());
                    continue;
                };
                let steps = found.run.len() + usize::from(matches!(target, Target::Order));
                let nearest = distance.unwrap_or_else(|| panic!("{}", context()));
                assert!(shows(&interp, target, &found.run) && steps >= nearest, "{}", context());
                assert!(!found.shortest || steps == nearest, "{}", context());
                assert!(found.shortest || through || breadth < u64::MAX, "{}", context());
                match found.shortest {
                    true => near += 1,
                    false if steps > nearest => long += 1,
                    false => far += 1,
                }
            }
        }
    }
    assert!(near > 500 && far > 50 && long > 0, "{near} shortest, {far} not known to be, {long} longer");
}

#[test]
fn the_same_every_time() {
    for seed in 0..10 {
        let (m, atoms) = with_atoms(&random(seed));
        let (targets, interp) = (targets(&m, &atoms), Interp::new(&m));
        let again = || scout(&interp, &targets, Budget { breadth: 500, walks: 40_000 }, &|| false);
        assert_eq!(again(), again(), "seed {seed}");
    }
}
