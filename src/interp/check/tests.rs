//! The oracle against textbook answers and against other ways to compute the same.

use super::*;
use crate::interp::Choice;
use crate::interp::testkit::{Kripke, formula, path_formula, property};
use crate::logic::{Connected, PathFormula};
use crate::machine::{AgentIx, TRUE, VarId, validate};

type F = Formula<ExprId>;

fn atom(e: ExprId) -> F {
    F::Atom(e)
}

fn state(f: F) -> PathFormula<ExprId> {
    PathFormula::State(f)
}

/// 0 → 1 → 2 → 2, 1 → 0, agent 0 moves everywhere; p at 0 and 1, q at 2.
fn ladder() -> (Valid, ExprId, ExprId) {
    let mut k = Kripke::new(3, &[(0, 0, 1), (0, 1, 2), (0, 2, 2), (0, 1, 0)]);
    let (p, q) = (k.one_of(&[0, 1]), k.one_of(&[2]));
    (validate(k.machine).unwrap(), p, q)
}

#[test]
fn textbook_answers() {
    let (m, p, q) = ladder();
    let e = Explicit::build(&m, Limits::default()).unwrap();
    let sat = |f: F| e.satisfying(&property("f", f));
    assert_eq!((e.states(), e.terminal()), (3, 0));
    assert_eq!(sat(F::ex(atom(q))), [false, true, true]);
    assert_eq!(sat(F::ax(atom(q))), [false, false, true]);
    assert_eq!(sat(F::ef(atom(q))), [true, true, true]);
    assert_eq!(sat(F::af(atom(q))), [false, false, true]);
    assert_eq!(sat(F::eg(atom(p))), [true, true, false]);
    assert_eq!(sat(F::ag(atom(q))), [false, false, true]);
    assert_eq!(sat(F::eu(atom(p), atom(q))), [true, true, true]);
    assert_eq!(sat(F::au(atom(p), atom(q))), [false, false, true]);
    // With the end visited again and again, every run leaves the loop.
    let mut fair = property("fair", F::af(atom(q)));
    fair.fair = vec![atom(q)];
    assert_eq!(e.satisfying(&fair), [true, true, true]);
    // No run is fair to both ends: universal formulas hold vacuously, existential ones fail.
    fair.fair = vec![atom(q), atom(p)];
    fair.formula = F::all(vec![F::af(F::Atom(crate::machine::FALSE)), F::ex(F::Atom(TRUE)).not()]);
    assert_eq!(e.satisfying(&fair), [true, true, true]);
}

#[test]
fn linear_and_branching_time_differ() {
    // From 0 stay or go to 1 (not p) and on to 2 for ever: F G p holds on all runs, AF AG p does not.
    let mut k = Kripke::new(3, &[(0, 0, 0), (0, 0, 1), (0, 1, 2), (0, 2, 2)]);
    let p = k.one_of(&[0, 2]);
    let m = validate(k.machine).unwrap();
    let e = Explicit::build(&m, Limits::default()).unwrap();
    let always = PathFormula::globally(state(atom(p)));
    assert!(e.check(&property("FG", F::ltl(PathFormula::finally(always)))));
    assert!(!e.check(&property("AFAG", F::af(F::ag(atom(p))))));
}

#[test]
fn knowledge_by_views() {
    // 0 → 1 → 2 and 0 → 3: a tells even states apart but not 1 from 3; b sees nothing; c sees all.
    let mut k = Kripke::new(4, &[(0, 0, 1), (0, 1, 2), (0, 0, 3)]);
    let (one, odd) = (k.one_of(&[1]), k.one_of(&[1, 3]));
    let m = validate(k.machine).unwrap();
    let e = Explicit::build(&m, Limits::default()).unwrap();
    let number = |s: i64| (0..4).find(|i| e.codes[*i][VarId(1)] == s).unwrap();
    let at = |f: F, s: i64| e.satisfying(&property("f", f))[number(s)];
    let know = |kind, group: &[usize], f| F::know(kind, group.iter().copied().map(AgentIx).collect(), f);
    use crate::logic::Know as N;
    assert!(at(know(N::K, &[0], atom(odd)), 1) && !at(know(N::K, &[0], atom(one)), 1));
    assert!(!at(know(N::K, &[1], atom(odd)), 1) && at(know(N::K, &[2], atom(one)), 1));
    assert!(at(know(N::Distributed, &[0, 2], atom(one)), 1) && !at(know(N::Everybody, &[0, 2], atom(one)), 1));
    assert!(at(know(N::Common, &[0, 2], atom(odd)), 1) && !at(know(N::Common, &[0, 1], atom(odd)), 1));
    assert_eq!(e.terminal(), 2);
}

/// Emerson and Lei's fixpoint for fair EG, with plain pre-images.
fn emerson_lei(e: &Explicit, a: &Set, fair: &[Set]) -> Set {
    let none = Fair::none(e);
    let mut now = a.clone();
    loop {
        let mut fewer = a.clone();
        let all = [e.everywhere(true)];
        for f in if fair.is_empty() { all.iter() } else { fair.iter() } {
            let goal = zip(&now, f, |x, y| x && y);
            fewer = zip(&fewer, &e.ex(&e.eu(a, &goal, &none), &none), |x, y| x && y);
        }
        fewer = zip(&fewer, &now, |x, y| x && y);
        if fewer == now {
            return now;
        }
        now = fewer;
    }
}

#[test]
fn fair_cycles_agree_with_the_fixpoint() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut interesting = 0;
    for _ in 0..500 {
        let (m, _) = Kripke::random(&mut rng, 7, 12);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let mut set = || -> Set { (0..e.states()).map(|_| rng.u8(..3) > 0).collect() };
        let (a, sets) = (set(), vec![set(), set()]);
        let fair = Fair::of(&e, sets.clone());
        assert_eq!(e.eg(&a, &fair), emerson_lei(&e, &a, &sets));
        assert_eq!(fair.starts, emerson_lei(&e, &e.everywhere(true), &sets));
        interesting += usize::from(e.eg(&a, &fair).iter().any(|x| *x));
    }
    assert!(interesting > 50);
}

#[test]
fn linear_formulas_that_are_branching_ones_too() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut verdicts = [0, 0];
    for _ in 0..600 {
        let (m, [p, q]) = Kripke::random(&mut rng, 6, 9);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let (p, q) = (atom(p), atom(q));
        let fair: Vec<F> = [vec![], vec![q.clone()], vec![p.clone(), q.clone()]][rng.usize(..3)].clone();
        let af_q = F::af(q.clone());
        let until = PathFormula::until(state(p.clone()), state(q.clone()));
        let pairs = [
            (F::ag(p.clone()), PathFormula::globally(state(p.clone()))),
            (af_q.clone(), PathFormula::finally(state(q.clone()))),
            (F::ax(p.clone()), PathFormula::next(state(p.clone()))),
            (F::au(p.clone(), q.clone()), until),
            (
                F::ag(p.clone().implies(af_q)),
                PathFormula::globally(state(p.clone()).implies(PathFormula::finally(state(q.clone())))),
            ),
        ];
        for (branching, linear) in pairs {
            let mut b = property("b", branching);
            let mut l = property("l", F::ltl(linear));
            (b.fair, l.fair) = (fair.clone(), fair.clone());
            assert_eq!(e.satisfying(&b), e.satisfying(&l), "{}", b.text);
            verdicts[usize::from(e.check(&b))] += 1;
        }
    }
    assert!(verdicts.iter().all(|n| *n > 300), "{verdicts:?}");
}

#[test]
fn dualities() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..400 {
        let (m, atoms) = Kripke::random(&mut rng, 6, 10);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let (f, g) = (formula(&mut rng, &atoms, 2), formula(&mut rng, &atoms, 1));
        let group = vec![AgentIx(rng.usize(..3)), AgentIx(rng.usize(..3))];
        let all = || [0, 1, 2].map(AgentIx).to_vec();
        let not = |f: &F| f.clone().not();
        let know = |kind, f: &F| F::know(kind, group.clone(), f.clone());
        use crate::logic::Know as N;
        let imply = |a: F, b: F| a.implies(b);
        let laws = [
            F::ag(f.clone()).iff(F::ef(not(&f)).not()),
            F::af(f.clone()).iff(F::eg(not(&f)).not()),
            F::ef(f.clone()).iff(F::eu(F::Atom(TRUE), f.clone())),
            F::af(f.clone()).iff(F::au(F::Atom(TRUE), f.clone())),
            imply(F::au(f.clone(), g.clone()), F::eu(f.clone(), g.clone())),
            imply(know(N::Common, &f), know(N::Everybody, &f)),
            imply(know(N::Everybody, &f), know(N::Distributed, &f)),
            imply(know(N::Distributed, &f), f.clone()),
            imply(know(N::Common, &f), know(N::Everybody, &know(N::Common, &f))),
            imply(know(N::Distributed, &f), know(N::Distributed, &know(N::Distributed, &f))),
            // Nobody can do less than the empty coalition, everybody at most what some run does.
            imply(F::ag(f.clone()), F::Can(vec![], Temporal::globally(f.clone()))),
            F::Can(vec![], Temporal::next(f.clone())).iff(F::ax(f.clone())),
            imply(F::Can(group.clone(), Temporal::next(f.clone())), F::Can(all(), Temporal::next(f.clone()))),
            imply(F::Can(all(), Temporal::finally(f.clone())), F::ef(f.clone())),
        ];
        for law in laws {
            assert!(e.satisfying(&property("law", law.clone())).iter().all(|x| *x), "{law:?}");
        }
    }
}

/// All memoryless strategies of a group: per snapshot and agent of the group, the one edge it takes.
fn strategies(e: &Explicit, group: &[AgentIx]) -> Option<Vec<Vec<Vec<usize>>>> {
    let agent = |label| match e.graph.choice(label) {
        Choice::Act { action, .. } => Some(e.interp().machine().actions[*action].agent),
        Choice::Idle => None,
    };
    // The successors that a strategy leaves open, snapshot by snapshot.
    let mut all: Vec<Vec<Vec<usize>>> = vec![vec![]];
    for s in 0..e.states() {
        let edges = e.graph.edges(s);
        let fixed = edges.iter().filter(|x| agent(x.label).is_none_or(|a| !group.contains(&a)));
        let mut ways: Vec<Vec<usize>> = vec![fixed.map(|x| x.to as usize).collect()];
        for a in group {
            let own: Vec<usize> = edges.iter().filter(|x| agent(x.label) == Some(*a)).map(|x| x.to as usize).collect();
            if !own.is_empty() {
                ways = ways.iter().flat_map(|w| own.iter().map(|o| [w.as_slice(), &[*o]].concat())).collect();
            }
        }
        all = all.iter().flat_map(|x| ways.iter().map(|w| [x.as_slice(), std::slice::from_ref(w)].concat())).collect();
        if all.len() > 3000 {
            return None;
        }
    }
    Some(all)
}

#[test]
fn strategies_one_by_one() {
    let mut rng = fastrand::Rng::with_seed(6);
    let (mut tried, mut differs) = (0, 0);
    for _ in 0..400 {
        let (m, [p, q]) = Kripke::random(&mut rng, 4, 10);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let group = [[0].as_slice(), &[1], &[0, 1], &[0, 1, 2]][rng.usize(..4)];
        let group: Vec<AgentIx> = group.iter().copied().map(AgentIx).collect();
        let Some(all) = strategies(&e, &group) else { continue };
        tried += 1;
        let (p, q) = (e.sat(&atom(p), &Fair::none(&e)), e.sat(&atom(q), &Fair::none(&e)));
        let mut can = [e.everywhere(false), e.everywhere(false), e.everywhere(false)];
        for strategy in all {
            let mut fixed = e.clone();
            fixed.next = strategy;
            fixed.prev = vec![Vec::new(); e.states()];
            for (s, after) in fixed.next.iter().enumerate() {
                after.iter().for_each(|t| fixed.prev[*t].push(s));
            }
            let none = Fair::none(&fixed);
            let results = [
                not(&fixed.ex(&not(&p), &none)),
                not(&fixed.eu(&e.everywhere(true), &not(&p), &none)),
                fixed.au(&p, &q, &none),
            ];
            for (can, now) in can.iter_mut().zip(results) {
                *can = zip(can, &now, |x, y| x || y);
            }
        }
        assert_eq!(e.can_next(&group, &p), can[0]);
        assert_eq!(e.can_globally(&group, &p), can[1]);
        assert_eq!(e.can_until(&group, &p, &q), can[2]);
        let helpless = [e.can_next(&[], &p), e.can_globally(&[], &p), e.can_until(&[], &p, &q)];
        differs += usize::from(can != helpless);
    }
    assert!(tried > 150 && differs > 15, "{tried} {differs}");
}

/// Truth of a path formula on the run `states`, which goes back to position `back` after its end.
fn on_lasso(f: &PathFormula<ExprId>, e: &Explicit, states: &[usize], back: usize) -> Vec<bool> {
    let n = states.len();
    let of = |g: &PathFormula<ExprId>| on_lasso(g, e, states, back);
    let next = |i: usize| if i + 1 < n { i + 1 } else { back };
    // The positions of the suffix from i, in order, once round the loop.
    let future = |i: usize| {
        let mut all = vec![i];
        while all.len() <= 2 * n {
            all.push(next(*all.last().unwrap()));
        }
        all
    };
    let until = |a: &[bool], b: &[bool], i: usize| {
        let road = future(i);
        (0..road.len()).any(|k| b[road[k]] && road[..k].iter().all(|j| a[*j]))
    };
    let always = |a: &[bool], i: usize| future(i).iter().all(|j| a[*j]);
    // Spelled as defined, not as they are expanded.
    if let Some((a, b)) = f.as_weak_until() {
        let (a, b) = (of(a), of(b));
        return (0..n).map(|i| until(&a, &b, i) || always(&a, i)).collect();
    }
    if let Some((a, b)) = f.as_release() {
        let (a, b) = (not(&of(a)), not(&of(b)));
        return (0..n).map(|i| !until(&a, &b, i)).collect();
    }
    match f {
        PathFormula::State(s) => {
            let set = e.sat(s, &Fair::none(e));
            states.iter().map(|s| set[*s]).collect()
        }
        PathFormula::Bool(b) => {
            let parts = b.map(of);
            (0..n).map(|i| parts.map(|p| p[i]).truth()).collect()
        }
        PathFormula::Temporal(t) => {
            let parts = t.map(of);
            let at = |i: usize| match &parts {
                Temporal::Next(a) => a[next(i)],
                Temporal::Finally(a) => future(i).iter().any(|j| a[*j]),
                Temporal::Globally(a) => always(a, i),
                Temporal::Until(a, b) => until(a, b, i),
            };
            (0..n).map(at).collect()
        }
    }
}

/// Calls `f` on every lasso of at most `longest` positions from the initial snapshot.
fn lassos(e: &Explicit, path: &mut Vec<usize>, longest: usize, f: &mut dyn FnMut(&[usize], usize)) {
    let last = path[path.len() - 1];
    for &t in &e.next[last] {
        (0..path.len()).filter(|b| path[*b] == t).for_each(|b| f(path, b));
        if path.len() < longest {
            path.push(t);
            lassos(e, path, longest, f);
            path.pop();
        }
    }
}

#[test]
fn linear_time_run_by_run() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut verdicts = [0, 0];
    for round in 0..1500 {
        let (m, atoms) = Kripke::random(&mut rng, 3, 4);
        let e = Explicit::build(&m, Limits::default()).unwrap();
        let f = path_formula(&mut rng, &atoms, 3);
        let mut violated = false;
        lassos(&e, &mut vec![0], 7, &mut |path, back| {
            violated = violated || !on_lasso(&f, &e, path, back)[0];
        });
        let holds = e.check(&property("f", F::ltl(f.clone())));
        assert_eq!(holds, !violated, "round {round}: {f:?}");
        verdicts[usize::from(holds)] += 1;
    }
    assert!(verdicts.iter().all(|n| *n > 200), "{verdicts:?}");
}

#[test]
fn a_dead_end_without_idling_is_refused() {
    let mut k = Kripke::new(2, &[(0, 0, 1)]);
    k.machine.idle = Idle::Never;
    let m = validate(k.machine).unwrap();
    assert_eq!(Explicit::build(&m, Limits::default()).err(), Some(NotBuilt::DeadEnd(vec![0, 1].into())));
    let small = Limits { states: 1, ..Limits::default() };
    assert_eq!(Explicit::build(&m, small).err(), Some(NotBuilt::GaveUp(GaveUp::States)));
}
