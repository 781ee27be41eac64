//! Every external engine that is installed against the explicit oracle, on random machines and properties.
//!
//! `GSMC_RANDOM_APPLICATIONS=300 cargo test --lib backend::tests` runs more than the default few; `GSMC_RANDOM_START` sets the first seed.

use super::*;
use crate::check::by_checkers;
use crate::interp::testkit::{Kripke, formula, path_formula, property, random};
use crate::interp::{Explicit, Limits as SearchLimits};
use crate::logic::{Formula, Property};
use crate::machine::{ExprId, validate};
use fastrand::Rng;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// A random machine with random properties: CTL, knowledge, strategies and LTL, some under fairness.
fn application(seed: u64) -> Valid {
    let mut rng = Rng::with_seed(seed);
    let (base, atoms) = if seed.is_multiple_of(3) {
        let (nodes, edges) = (rng.usize(2..6), rng.usize(3..10));
        let (m, atoms) = Kripke::random(&mut rng, nodes, edges);
        (m, atoms.to_vec())
    } else {
        let m = random(seed);
        let list = flags(&m);
        (m, list)
    };
    let mut m = Machine::clone(&base);
    let fair = |rng: &mut Rng| -> Vec<Formula<ExprId>> {
        if rng.u8(..4) > 0 { vec![] } else { vec![Formula::Atom(atoms[rng.usize(..atoms.len())])] }
    };
    for i in 0..10 {
        let depth = rng.u32(1..4);
        let f = match i {
            0..7 => formula(&mut rng, &atoms, depth),
            _ => Formula::ltl(path_formula(&mut rng, &atoms, depth)),
        };
        m.properties.push(Property { fair: fair(&mut rng), ..property(&format!("p{i}"), f) });
    }
    validate(m).unwrap()
}

fn against_the_oracle(engine: Engine, applications: u64) {
    if find(engine, None).is_err() {
        eprintln!("{engine} is not installed: nothing compared");
        return;
    }
    let start = number("GSMC_RANDOM_START", 0);
    let applications = number("GSMC_RANDOM_APPLICATIONS", applications);
    let seeds: Vec<u64> = (start..start + applications).collect();
    let compared = in_parallel(&seeds, 2, |seed| {
        let m = application(*seed);
        let oracle = Explicit::build(&m, SearchLimits { states: 3000, ..SearchLimits::default() }).ok()?;
        let all: Vec<usize> = (0..m.properties.len()).collect();
        let (mut counted, mut shown, mut wanted) = (0, 0, 0);
        for (r, p) in by_checkers(&[engine], &m, &all, &Options::default()).iter().zip(&m.properties) {
            if r.verdict != Verdict::Unsupported {
                let expected = Verdict::of(oracle.check(p));
                assert_eq!(r.verdict, expected, "seed {seed}, {}: {:?}\n{:?}", p.name, r.reason, p);
                assert!(r.trace.as_ref().is_none_or(|t| t.certified), "seed {seed}, {}: {:?}\n{p:?}", p.name, r.reason);
                counted += 1;
                shown += usize::from(r.trace.is_some());
                wanted += usize::from(p.formula.shown_by_a_run(oracle.check(p)));
            }
        }
        Some([counted, shown, wanted])
    });
    let applications = compared.iter().flatten().count();
    let sum = |i: usize| compared.iter().flatten().map(|c| c[i]).sum::<usize>();
    let properties = sum(0);
    assert!(applications * 2 > seeds.len(), "too few machines are small enough");
    assert!(properties > applications, "{engine} hardly decides anything");
    eprintln!(
        "{engine}: {properties} properties of {applications} applications agree, {} of {} shown by a run",
        sum(1),
        sum(2)
    );
}

#[test]
fn checkers_agree_with_the_oracle() {
    CHECKERS.into_iter().for_each(|c| against_the_oracle(c.engine, 8));
}

/// The Boolean variables that expressions read, as atoms.
fn flags(m: &Machine) -> Vec<ExprId> {
    use crate::machine::Node;
    let flag =
        |n: &Node| matches!(n, Node::Cur(v) if m.var(*v).domain == crate::machine::Domain::Bool && !m.var(*v).scratch);
    let all = m.exprs.nodes().iter().enumerate().filter(|(_, n)| flag(n));
    let flags: Vec<ExprId> = all.map(|(i, _)| ExprId(i as u32)).collect();
    if flags.is_empty() { vec![crate::machine::TRUE] } else { flags }
}

/// Found on a random application: SPIN forgets variables that nothing reads unless told not to, and then closes a lasso too early.
#[test]
fn a_lasso_closes_on_variables_that_nothing_reads() {
    use crate::interp::testkit::{act, body, empty, flag};
    use crate::logic::{Connected, PathFormula};
    use crate::machine::{Assign, TRUE};
    let mut m = empty();
    let (on, used) = (flag(&mut m, "on"), flag(&mut m, "used"));
    let (before, now) = (m.exprs.prev(on), m.exprs.cur(on));
    let toggled = m.exprs.not(before);
    let mut switch = body("switch");
    switch.effect = vec![Assign { var: on, value: toggled }, Assign { var: used, value: TRUE }];
    act(&mut m, switch, TRUE);
    let again = PathFormula::finally(PathFormula::State(Formula::Atom(now)));
    let never_settles = PathFormula::globally(again).not();
    m.properties.push(property("settles", Formula::ltl(never_settles)));
    let m = validate(m).unwrap();
    for engine in crate::backend::engines().filter(|e| find(*e, None).is_ok()) {
        let answer = by_checkers(&[engine], &m, &[0], &Options::default()).swap_remove(0);
        assert_eq!(answer.verdict, Verdict::False, "{engine}: {:?}", answer.reason);
        let trace = answer.trace.unwrap_or_else(|| panic!("{engine}: {:?}", answer.reason));
        assert!(trace.certified && trace.loop_start.is_some(), "{engine}: {:?}", answer.reason);
        assert_eq!(count_states(engine, &m, &Options::default()).as_deref(), Ok("3"), "{engine}");
    }
}
