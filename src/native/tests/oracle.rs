//! Random machines: the diagrams against the interpreter's explicit search, snapshot by snapshot.

use fastrand::Rng;

use crate::interp::testkit::{fixpoint, formula, path_formula, property, random};
use crate::interp::{Explicit, Limits as SearchLimits};
use crate::logic::{Formula, Property};
use crate::machine::{ExprId, Snapshot, Valid, validate};
use crate::native::bdd::Limits;
use crate::native::check::Checker;
use crate::native::encode::System;
use crate::native::reach::Reach;

/// A random machine with every Boolean variable as an atom.
fn with_atoms(seed: u64) -> (Valid, Vec<ExprId>) {
    let mut machine = (*random(seed)).clone();
    let vars: Vec<_> = machine.state_ids().collect();
    let flags = vars.into_iter().filter(|v| machine.var(*v).domain == crate::machine::Domain::Bool);
    let atoms = flags.collect::<Vec<_>>().into_iter().map(|v| machine.exprs.cur(v)).collect();
    (validate(machine).unwrap(), atoms)
}

fn compare(seed: u64) {
    let (machine, atoms) = with_atoms(seed);
    let explicit = Explicit::build(&machine, SearchLimits::default()).unwrap();
    agree(seed, &explicit, &atoms, &System::new(&machine, &Limits::default()).unwrap());
    let known: Vec<Snapshot> = (0..explicit.states()).map(|i| explicit.graph().codes(i)).collect();
    agree(seed, &explicit, &atoms, &System::among(&machine, &known, &Limits::default()).unwrap());
}

fn agree(seed: u64, explicit: &Explicit, atoms: &[ExprId], sys: &System) {
    let s = &sys.space;
    let reach = Reach::new(sys, &|_, _| ()).unwrap();
    assert_eq!(reach.count, explicit.states().into(), "seed {seed}: reachable snapshots");
    let dead = s.count(&reach.dead, &sys.layout.snapshot_bits()).unwrap();
    assert_eq!(dead, explicit.terminal().into(), "seed {seed}: dead ends");
    assert_eq!(!reach.overflow.is_false(), explicit.overflow_reachable(), "seed {seed}: overflow");
    let races = s.meets(&reach.set, &sys.races().unwrap()).unwrap();
    assert_eq!(races, explicit.order_dependent(), "seed {seed}: order dependence");

    let checker = Checker::new(sys, &reach);
    let mut rng = Rng::with_seed(seed);
    for k in 0..6 {
        let mut p: Property<ExprId> = property("p", formula(&mut rng, atoms, 3));
        if k % 3 == 2 {
            p.fair = vec![formula(&mut rng, atoms, 1)];
        }
        let fair = checker.fairness(&p.fair).unwrap();
        let Ok(set) = checker.sat(&p.formula, &fair) else {
            assert!(!p.fair.is_empty(), "only strategies under fairness are refused");
            continue;
        };
        for (i, holds) in explicit.satisfying(&p).into_iter().enumerate() {
            let one = sys.single(&explicit.graph().codes(i)).unwrap();
            let found = s.meets(&one, &set).unwrap();
            assert_eq!(found, holds, "seed {seed}: snapshot {i} of {:?} fair {:?}", p.formula, p.fair);
        }
    }
    for _ in 0..4 {
        let p = property("p", fixpoint(&mut rng, atoms, 4, &[]));
        let set = checker.sat(&p.formula, &checker.fairness(&[]).unwrap()).unwrap();
        for (i, holds) in explicit.satisfying(&p).into_iter().enumerate() {
            let one = sys.single(&explicit.graph().codes(i)).unwrap();
            assert_eq!(s.meets(&one, &set).unwrap(), holds, "seed {seed}: snapshot {i} of {:?}", p.formula);
        }
    }
    for k in 0..3 {
        let mut p = property("p", Formula::ltl(path_formula(&mut rng, atoms, 3)));
        if k == 2 {
            p.fair = vec![Formula::Atom(atoms[0]), Formula::Atom(atoms[1])];
        }
        let fair = checker.fairness(&p.fair).unwrap();
        let holds = s.meets(&sys.init, &checker.sat(&p.formula, &fair).unwrap()).unwrap();
        assert_eq!(holds, explicit.check(&p), "seed {seed}: {:?} fair {:?}", p.formula, p.fair);
    }
}

/// How many machines: `GSMC_RANDOM` or a number that is quick.
#[test]
fn random_machines_agree_with_the_interpreter() {
    let count = std::env::var("GSMC_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    let first = std::env::var("GSMC_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0u64);
    println!("seeds {first}..{}", first + count);
    (first..first + count).for_each(compare);
}
