//! Random structures and formulas: the engine and the naive evaluator must agree state by state.

use std::collections::BTreeSet;

use fastrand::Rng;

use super::kripke::*;
use super::naive::Naive;
use crate::interp::testkit::fixpoint;
use crate::logic::{Connected, Fixpoint, Formula, Know, Path, PathFormula, Temporal};
use crate::machine::Idle;
use crate::machine::{AgentIx, ExprId};
use crate::native::check::Fml;

pub fn structure(rng: &mut Rng, agents: usize) -> Kripke {
    let states = rng.i64(1..6);
    let mut edges = Vec::new();
    for from in 0..states {
        for _ in 0..rng.usize(0..3) {
            edges.push((from, rng.i64(0..states), rng.usize(0..agents)));
        }
    }
    let subset = |rng: &mut Rng| (0..states).filter(|_| rng.bool()).collect::<Vec<i64>>();
    let labels = (0..2).map(|_| subset(rng)).collect();
    let colours = (0..agents).map(|_| (0..states).map(|_| rng.i64(0..3)).collect()).collect();
    let idle = if rng.bool() { Idle::Always } else { Idle::Terminal };
    Kripke { states, edges, labels, colours, idle }
}

/// What a random formula may contain.
#[derive(Clone, Copy)]
pub struct Wish {
    pub agents: usize,
    pub know: bool,
    pub can: bool,
}

pub fn formula(rng: &mut Rng, props: &[ExprId], depth: usize, wish: Wish) -> Fml {
    if depth == 0 || rng.u8(0..5) == 0 {
        return Formula::Atom(props[rng.usize(0..props.len())]);
    }
    let sub = |rng: &mut Rng| formula(rng, props, depth - 1, wish);
    let path = if rng.bool() { Path::A } else { Path::E };
    let group = |rng: &mut Rng| (0..wish.agents).filter(|_| rng.bool()).map(AgentIx).collect::<Vec<_>>();
    let kinds = 9 + if wish.know { 2 } else { 0 } + if wish.can { 4 } else { 0 };
    match rng.usize(0..kinds) {
        k @ 0..5 => connective(rng, k, sub),
        k @ 5..9 => Formula::Quantified(path, operator(rng, k - 5, sub)),
        9 | 10 if wish.know => {
            let kind = [Know::K, Know::Everybody, Know::Common, Know::Distributed][rng.usize(0..4)];
            let members = match kind {
                Know::K => vec![AgentIx(rng.usize(0..wish.agents))],
                _ => Some(group(rng)).filter(|g| !g.is_empty()).unwrap_or_else(|| vec![AgentIx(0)]),
            };
            Formula::know(kind, members, sub(rng))
        }
        k => Formula::Can(group(rng), operator(rng, k % 4, sub)),
    }
}

fn connective<F: Connected>(rng: &mut Rng, k: usize, sub: impl Fn(&mut Rng) -> F) -> F {
    match k {
        0 => sub(rng).not(),
        1 => F::all(vec![sub(rng), sub(rng)]),
        2 => F::any(vec![sub(rng), sub(rng)]),
        3 => sub(rng).implies(sub(rng)),
        _ => sub(rng).iff(sub(rng)),
    }
}

fn operator<F>(rng: &mut Rng, k: usize, sub: impl Fn(&mut Rng) -> F) -> Temporal<F> {
    match k {
        0 => Temporal::next(sub(rng)),
        1 => Temporal::finally(sub(rng)),
        2 => Temporal::globally(sub(rng)),
        _ => Temporal::until(sub(rng), sub(rng)),
    }
}

pub fn path_formula(rng: &mut Rng, props: &[ExprId], depth: usize) -> PathFormula<ExprId> {
    if depth == 0 || rng.u8(0..6) == 0 {
        return PathFormula::State(Formula::Atom(props[rng.usize(0..props.len())]));
    }
    let sub = |rng: &mut Rng| path_formula(rng, props, depth - 1);
    match rng.usize(0..11) {
        k @ 0..5 => connective(rng, k, sub),
        k @ 5..9 => PathFormula::Temporal(operator(rng, k - 5, sub)),
        9 => PathFormula::weak_until(sub(rng), sub(rng)),
        _ => PathFormula::release(sub(rng), sub(rng)),
    }
}

#[test]
fn random_formulas_hold_where_they_should() {
    for seed in 0..250 {
        let mut rng = Rng::with_seed(seed);
        let k = structure(&mut rng, 3);
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        let fair: Vec<Fml> = match seed % 3 {
            0 => (0..rng.usize(1..3)).map(|_| formula(&mut rng, &built.props, 1, PLAIN)).collect(),
            _ => vec![],
        };
        let fair_sets: Vec<BTreeSet<i64>> = fair.iter().map(|f| naive.sat(f, &[])).collect();
        let wish = Wish { agents: 3, know: true, can: fair.is_empty() };
        let formulas: Vec<Fml> = (0..8).map(|_| formula(&mut rng, &built.props, 3, wish)).collect();
        let answers = k.answers(&built, &formulas, &fair).unwrap();
        for (f, answer) in formulas.iter().zip(answers) {
            let expected: Vec<i64> = naive.sat(f, &fair_sets).into_iter().collect();
            assert_eq!(answer, expected, "seed {seed}: {f:?} fair {fair:?} in {k:?}");
        }
    }
}

const PLAIN: Wish = Wish { agents: 1, know: false, can: false };

#[test]
fn classic_equivalences() {
    for seed in 0..60 {
        let mut rng = Rng::with_seed(1000 + seed);
        let k = structure(&mut rng, 2);
        let built = k.build();
        let wish = Wish { agents: 2, know: true, can: false };
        let (p, q) = (formula(&mut rng, &built.props, 2, wish), formula(&mut rng, &built.props, 2, wish));
        let both = [0, 1];
        let (k0, ek) = (knows(Know::K, &[0], p.clone()), knows(Know::Everybody, &both, p.clone()));
        let (ck, dk) = (knows(Know::Common, &both, p.clone()), knows(Know::Distributed, &both, p.clone()));
        let same = [
            (ag(p.clone()), not(ef(not(p.clone())))),
            (af(p.clone()), not(eg(not(p.clone())))),
            (ax(p.clone()), not(ex(not(p.clone())))),
            (ef(p.clone()), eu(Formula::all(vec![]), p.clone())),
            (ef(p.clone()), Formula::any(vec![p.clone(), ex(ef(p.clone()))])),
            (eg(p.clone()), Formula::all(vec![p.clone(), ex(eg(p.clone()))])),
            (
                au(p.clone(), q.clone()),
                Formula::any(vec![q.clone(), Formula::all(vec![p.clone(), ax(au(p.clone(), q.clone()))])]),
            ),
            (knows(Know::K, &[0], k0.clone()), k0.clone()),
            (knows(Know::K, &[0], not(k0.clone())), not(k0.clone())),
            (ck.clone(), Formula::all(vec![p.clone(), knows(Know::Everybody, &both, ck.clone())])),
        ];
        for (a, b) in same {
            let answers = k.answers(&built, &[a.clone(), b.clone()], &[]).unwrap();
            assert_eq!(answers[0], answers[1], "seed {seed}: {a:?} = {b:?} in {k:?}");
        }
        let chain = [ck, ek, k0.clone(), dk.clone()];
        for pair in chain.windows(2).chain([&[k0, p.clone()][..], &[dk, p][..]]) {
            let always = implies(pair[0].clone(), pair[1].clone());
            let answers = k.answers(&built, &[always, Formula::all(vec![])], &[]).unwrap();
            assert_eq!(answers[0], answers[1], "seed {seed}: {pair:?} in {k:?}");
        }
    }
}

/// No short lasso violates what the engine calls true. (That what it calls false is violated, its evidence shows.)
#[test]
fn linear_time_against_all_short_lassos() {
    for seed in 0..100 {
        let mut rng = Rng::with_seed(5000 + seed);
        let mut k = structure(&mut rng, 1);
        k.states = k.states.min(4);
        k.edges.retain(|e| e.0 < k.states && e.1 < k.states);
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        let lassos = naive.lassos(5);
        for _ in 0..4 {
            let path = path_formula(&mut rng, &built.props, 3);
            let holds = k.answers(&built, &[ltl(path.clone())], &[]).unwrap()[0].contains(&0);
            if holds {
                let violated = lassos.iter().any(|(word, start)| !naive.holds_on(&path, word, *start, 0));
                assert!(!violated, "seed {seed}: {path:?} in {k:?}");
            }
        }
    }
}

/// Alternating fixpoints against Knaster and Tarski: all sets of states are tried.
#[test]
fn random_fixpoints_are_what_they_should_be() {
    let mut alternating = 0;
    for seed in 0..150 {
        let mut rng = Rng::with_seed(70_000 + seed);
        let mut k = structure(&mut rng, 3);
        k.states = k.states.min(4);
        k.edges.retain(|e| e.0 < k.states && e.1 < k.states);
        let built = k.build();
        let naive = Naive::new(&k, &built.props);
        let formulas: Vec<Fml> = (0..4).map(|_| fixpoint(&mut rng, &built.props, 3, &[])).collect();
        let answers = k.answers(&built, &formulas, &[]).unwrap();
        for (f, answer) in formulas.iter().zip(answers) {
            let expected: Vec<i64> = naive.sat(f, &[]).into_iter().collect();
            assert_eq!(answer, expected, "seed {seed}: {f:?} in {k:?}");
            let mut kinds = BTreeSet::new();
            f.walk(&mut |part| {
                if let Formula::Fix(kind, ..) = part {
                    kinds.insert(kind.symbol());
                }
            });
            alternating += usize::from(kinds.len() == 2);
        }
    }
    assert!(alternating > 20, "{alternating}");
}

/// What is recognised as an operator of CTL or ATL says the same, and what says it is recognised.
#[test]
fn fixpoints_of_ctl_are_recognised() {
    use Fixpoint::{Greatest, Least};
    for seed in 0..80 {
        let mut rng = Rng::with_seed(80_000 + seed);
        let k = structure(&mut rng, 2);
        let built = k.build();
        let wish = Wish { agents: 2, know: true, can: true };
        let (p, q) = (formula(&mut rng, &built.props, 2, wish), formula(&mut rng, &built.props, 2, wish));
        let z = || Formula::Var("Z".into());
        let group = vec![AgentIx(rng.usize(0..2))];
        let turns = [Formula::ex(z()), Formula::ax(z()), Formula::Can(group.clone(), Temporal::next(z()))];
        let both = |a: &Fml, b: &Fml| Formula::all(vec![a.clone(), b.clone()]);
        let either = |a: &Fml, b: &Fml| Formula::any(vec![a.clone(), b.clone()]);
        for (i, turn) in turns.iter().enumerate() {
            let mut shapes = vec![
                (Least, either(&q, turn)),
                (Least, either(&both(&p, turn), &q)),
                (Least, both(&p, &either(&q, turn))),
                (Least, p.clone().implies(turn.clone())),
                (Greatest, both(&p, turn)),
                (Greatest, turn.clone()),
            ];
            if i < 2 {
                shapes.extend([(Greatest, either(&q, &both(turn, &p))), (Greatest, both(&either(turn, &q), &p))]);
            }
            for (kind, body) in shapes {
                let fix = Formula::fix(kind, "Z", body);
                let known = fix.recognised();
                assert!(!known.uses().fixpoints, "{fix:?} is not recognised");
                let answers = k.answers(&built, &[fix.clone(), known.clone()], &[]).unwrap();
                assert_eq!(answers[0], answers[1], "seed {seed}: {fix:?} as {known:?} in {k:?}");
            }
        }
        // Two steps, or a step under knowledge, are no operator of CTL.
        let twice = Formula::fix(Least, "Z", either(&q, &Formula::ex(Formula::ex(z()))));
        assert_eq!(twice.recognised(), twice);
    }
}
