//! Cases worked by hand.

use super::{asker, decide, explore};
use crate::abstraction::{self, Asker, Options, Predicates, System};
use crate::interp::testkit::{act, body, empty, property, var};
use crate::logic::{Connected, Formula, Know};
use crate::machine::*;
use crate::smt::{Limits, Ratio, SolverKind, Which};
use std::collections::BTreeSet;

/// The paper's counter: `x := x + 1` from 0 on, without bound, seen through `x < 3` and `x == 3`.
#[test]
fn the_counter_of_the_paper() {
    let Some(mut asker) = asker() else { return };
    let mut m = empty();
    m.idle = Idle::Never;
    let x = var(&mut m, "x", Domain::Int { lo: 0, hi: i64::MAX });
    let (now, one, three) = (m.exprs.cur(x), m.exprs.int(1), m.exprs.int(3));
    let value = m.exprs.arith(ArithOp::Add, now, one);
    act(&mut m, Body { effect: vec![Assign { var: x, value }], ..body("count") }, TRUE);
    let (less, equal) = (m.exprs.compare(CompareOp::Lt, now, three), m.exprs.compare(CompareOp::Eq, now, three));
    let (p, q) = (Formula::Atom(less), Formula::Atom(equal));
    m.properties.push(property("p and q", Formula::all(vec![p.clone(), q.clone()])));
    let system = System::new(&m, &[x], vec![]);
    let predicates = Predicates::collect(&system, &[0]);
    let graph = explore(&system, &predicates, &mut asker);
    let named: Vec<(bool, bool)> = graph.states.iter().map(|s| (s.truths[0], s.truths[1])).collect();
    assert_eq!(named, [(true, false), (false, true), (false, false)]);
    let set = |s: &[usize]| s.iter().copied().collect::<BTreeSet<usize>>();
    assert_eq!([graph.may(0), graph.may(1), graph.may(2)], [set(&[0, 1]), set(&[2]), set(&[2])]);
    assert_eq!([graph.must(0), graph.must(1), graph.must(2)], [set(&[]), set(&[2]), set(&[2])]);
    let mut verdict = |f: Formula<ExprId>| {
        let truth = decide(&system, &predicates, &graph, &f, &mut asker);
        (truth.yes[0], truth.no[0])
    };
    let unknown = (false, false);
    assert_eq!(verdict(Formula::af(q.clone())), unknown, "from x < 3 it may never get there");
    assert_eq!(verdict(Formula::ef(q.clone())), unknown);
    let big = Formula::any(vec![p, q]).not();
    assert_eq!(verdict(Formula::ag(big.clone().implies(Formula::ag(big.clone())))), (true, false));
    assert_eq!(verdict(Formula::ex(big)), (false, true), "nobody jumps from below 3 to above it");
}

/// Refinement finds `x == 2` (or `x < 2`) and so on, until the counter of the paper is seen to come to 3.
#[test]
fn refinement_decides_what_the_first_predicates_leave_open() {
    if asker().is_none() {
        return;
    }
    let mut m = empty();
    m.idle = Idle::Never;
    let x = var(&mut m, "x", Domain::Int { lo: 0, hi: i64::MAX });
    let (now, one, three) = (m.exprs.cur(x), m.exprs.int(1), m.exprs.int(3));
    let value = m.exprs.arith(ArithOp::Add, now, one);
    act(&mut m, Body { effect: vec![Assign { var: x, value }], ..body("count") }, TRUE);
    let equal = Formula::Atom(m.exprs.compare(CompareOp::Eq, now, three));
    m.properties.push(property("comes to 3", Formula::af(equal.clone())));
    m.properties.push(property("stays at 3", Formula::ef(Formula::ag(equal))));
    let system = System::new(&m, &[x], vec![]);
    let mut options = Options {
        refine: 0,
        runs: false,
        smt: Which::Only(SolverKind::Z3).into(),
        limits: Limits::default(),
        questions: u64::MAX,
        states: 1000,
        listed: false,
        sides: false,
        given: Vec::new(),
    };
    let verdicts = |options: &Options| {
        let outcome = abstraction::decide(&system, &[0, 1], options).unwrap();
        outcome.decisions.iter().map(|d| d.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&options), [None, Some(false)]);
    options.refine = 8;
    assert_eq!(verdicts(&options), [Some(true), Some(false)]);
}

/// Why knowledge is not denied by what is merely must-reachable: ann sees y, which no predicate mentions. `p` comes with y = 7 only, so at
/// y = 5 she knows that it is false.
#[test]
fn what_looks_different_does_not_count() {
    let Some(mut asker) = asker() else { return };
    let mut m = empty();
    let y = var(&mut m, "y", Domain::Int { lo: i64::MIN, hi: i64::MAX });
    let p = var(&mut m, "p", Domain::Bool);
    m.vars[y.0 as usize].init = 5;
    let seven = m.exprs.int(7);
    let effect = vec![Assign { var: y, value: seven }, Assign { var: p, value: TRUE }];
    act(&mut m, Body { effect, ..body("jump") }, TRUE);
    let view = View { name: "all".into(), visible: TRUE, seen: vec![y] };
    m.agents[0] = MachineAgent { name: Some("ann".into()), private: vec![], sees_all: false, views: vec![view] };
    let happened = m.exprs.cur(p);
    let knows = Formula::know(Know::K, vec![AgentIx(0)], Formula::Atom(happened).not());
    m.properties.push(property("knows", knows.clone()));
    let system = System::new(&m, &[y], vec![]);
    let verdict = |predicates: &Predicates, asker: &mut Asker| {
        let graph = explore(&system, predicates, asker);
        assert_eq!(graph.states.len(), 2);
        assert_eq!(graph.must_reachable(), [true, true]);
        let truth = decide(&system, predicates, &graph, &knows, asker);
        (truth.yes[0], truth.no[0])
    };
    assert_eq!(verdict(&Predicates::default(), &mut asker), (false, false), "not denied");
    let collected = Predicates::collect(&system, &[0]);
    assert_eq!(collected.list.len(), 2, "y == 5 and y == 7");
    assert_eq!(verdict(&collected, &mut asker), (true, false));
}

/// Numbers beyond 64 bits: payload is appended digit by digit until a bound near the largest is passed.
#[test]
fn runs_have_actual_values_of_any_size() {
    if asker().is_none() {
        return;
    }
    let mut m = empty();
    let x = var(&mut m, "x", Domain::Int { lo: 0, hi: i64::MAX });
    let (now, sent, thousand) = (m.exprs.cur(x), m.exprs.input(InputIx(0)), m.exprs.int(1000));
    let product = m.exprs.arith(ArithOp::Mul, now, thousand);
    let value = m.exprs.arith(ArithOp::Add, product, sent);
    let payload =
        Input { name: "digits".into(), domain: Domain::Int { lo: 0, hi: 999 }, values: Ranges::range(0, 999) };
    act(&mut m, Body { inputs: vec![payload], effect: vec![Assign { var: x, value }], ..body("append") }, TRUE);
    let (large, odd) = (m.exprs.int(i64::MAX - 7), m.exprs.int(123));
    let above = m.exprs.compare(CompareOp::Gt, now, large);
    let exactly = m.exprs.compare(CompareOp::Eq, now, odd);
    m.properties.push(property("large", Formula::ef(Formula::Atom(above))));
    m.properties.push(property("never 123", Formula::ag(Formula::Atom(exactly).not())));
    let system = System::new(&m, &[x], vec![]);
    let options = Options {
        refine: 0,
        runs: true,
        smt: Which::Only(SolverKind::Z3).into(),
        limits: Limits::default(),
        questions: u64::MAX,
        states: 1000,
        listed: false,
        sides: false,
        given: Vec::new(),
    };
    let outcome = abstraction::decide(&system, &[0, 1], &options).unwrap();
    let verdicts: Vec<_> = outcome.decisions.iter().map(|d| d.verdict).collect();
    assert_eq!(verdicts, [Some(true), Some(false)]);
    let run = outcome.decisions[0].run.as_ref().unwrap();
    assert_eq!(run.steps.len(), 7, "nineteen digits come in seven steps");
    let last = &run.steps[6].after[x.0 as usize];
    assert!(*last > Ratio::from_integer((i64::MAX - 7).into()), "{last}");
    assert_eq!(outcome.decisions[1].run.as_ref().unwrap().steps.len(), 1);
}

/// A predicate that means something else after a step: `x <= n` says `x == 0` before `n := 3` and nothing after it. Of the values that x may
/// have then, 0 alone is reachable, though the step does not touch x.
#[test]
fn a_finite_change_can_widen_what_a_predicate_says() {
    let Some(mut asker) = asker() else { return };
    let mut m = empty();
    let x = var(&mut m, "x", Domain::Int { lo: 0, hi: 2 });
    let n = var(&mut m, "n", Domain::Int { lo: 0, hi: 3 });
    let three = m.exprs.int(3);
    act(&mut m, Body { effect: vec![Assign { var: n, value: three }], ..body("raise") }, TRUE);
    let (data, limit) = (m.exprs.cur(x), m.exprs.cur(n));
    let below = m.exprs.compare(CompareOp::Le, data, limit);
    m.properties.push(property("below", Formula::Atom(below)));
    let system = System::new(&m, &[x], vec![]);
    let predicates = Predicates::collect(&system, &[0]);
    let graph = explore(&system, &predicates, &mut asker);
    assert_eq!(graph.must_reachable(), [true, true]);
    let view = BTreeSet::from([x]);
    let reached = abstraction::view::reachable_with(&system, &predicates, &graph, &view, &mut asker).unwrap();
    assert_eq!(reached, [true, false]);
}
