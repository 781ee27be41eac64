//! Steps on exact values: within ranges they are those of the machine with bounds, and codes compute as numbers do.

use crate::common::load;
use gsmc::interp::{Choice, Interp, exact};
use gsmc::lang::Lens;
use gsmc::machine::number::Ratio;
use gsmc::machine::{Snapshot, code};
use gsmc::source::{Diagnostics, Sources};
use gsmc::testing::{Limits, random_app_with};
use gsmc::trace::{describe, name_snapshot, path};

/// Walks at random with bounds, and the same steps on exact values, by their names: as long as nothing leaves its range, snapshots are the same.
fn walk(seed: u64, limits: &Limits, counts: &mut [usize; 4]) {
    let project = random_app_with(seed, limits);
    let bounded = load(&project, false);
    let (sources, mut found) = (Sources::new(), Diagnostics::new());
    let Some(Ok(open)) = bounded.exactly(&sources, &mut found) else { return };
    // Without bounds an end of a range has to be a value.
    if found.has_errors() {
        return;
    }
    let (small, large) = (Interp::new(&bounded.machine), Interp::new(open.machine()));
    let mut rng = fastrand::Rng::with_seed(seed);
    counts[2] += usize::from(!open.machine().is_bounded());
    for _ in 0..8 {
        let (mut here, mut there) = (small.initial(), large.initial());
        for _ in 0..12 {
            let choices = small.choices(&here);
            let Some(choice) = choices.get(rng.usize(..choices.len().max(1))) else { break };
            let step = small.step(&here, choice).expect("it was offered");
            if step.overflow {
                break;
            }
            // Whether nobody can act is not always known without bounds.
            if *choice == Choice::Idle {
                continue;
            }
            let name = path::write_step(&bounded.machine, choice);
            let same = match path::read_step(&large, &there, &name) {
                Ok(same) => same,
                // Two entries of a protocol can have one name.
                Err(why) if why.contains("choices fit") => break,
                Err(why) => panic!("seed {seed}: {name}: {why}\n{project}"),
            };
            let after = large.step(&there, &same).expect("it can be read").after;
            (here, there) = (step.after, after);
            let (mut a, mut b) = (name_snapshot(&bounded.machine, &here), name_snapshot(open.machine(), &there));
            // What a task carries is kept in another way.
            let own = |name: &str, lens: &dyn Lens| {
                !name.ends_with(" (present)") && lens.machine().find(name).is_none_or(|v| !lens.is_internal(v))
            };
            a.retain(|name, _| own(name, &bounded));
            b.retain(|name, _| own(name, &*open));
            // Numbers with fractions are texts where they have no bounds.
            for value in a.values_mut().chain(b.values_mut()).filter(|v| v.is_number()) {
                *value = value.to_string().into();
            }
            // A point may stand for another number than what is computed.
            if a != b && !bounded.app.rounded.is_empty() {
                counts[3] += 1;
                break;
            }
            assert_eq!(a, b, "seed {seed}: {}\n{project}", describe(&bounded.machine, choice));
            counts[0] += 1;
        }
    }
}

/// Steps on codes are the steps on exact numbers, with values of any size and fraction.
fn compute(seed: u64, limits: &Limits, counts: &mut [usize; 4]) {
    let project = random_app_with(seed, limits);
    let bounded = load(&project, false);
    let Some(Ok(open)) = bounded.exactly(&Sources::new(), &mut Diagnostics::new()) else { return };
    let m = open.machine();
    let interp = Interp::new(m);
    let mut rng = fastrand::Rng::with_seed(seed);
    let far: Vec<i64> = ["0", "1", "-3", "1000000000000", "123456789012345678901234567890", "-98765432109876543210"]
        .iter()
        .map(|t| code::of(&gsmc::machine::number::read(t).expect("a number")))
        .collect();
    let mut here = interp.initial();
    for _ in 0..40 {
        let action = rng.usize(..m.actions.len().max(1));
        let Some(what) = m.actions.get(action) else { return };
        let fields = &m.bodies[what.body].inputs;
        let draw = |i: &gsmc::machine::Input, rng: &mut fastrand::Rng| match i.domain.is_unbounded() {
            true => far.iter().copied().filter(|c| i.accepts(*c)).nth(rng.usize(..far.len())).unwrap_or_default(),
            false => i.values.nth(rng.u64(..i.values.len().max(1))).unwrap_or_default(),
        };
        let inputs: Vec<i64> = fields.iter().map(|i| draw(i, &mut rng)).collect();
        if !inputs.iter().zip(fields).all(|(c, i)| i.accepts(*c)) {
            continue;
        }
        let numbers = |codes: &[i64]| -> Vec<Ratio> { codes.iter().map(|c| code::number(*c)).collect() };
        let literal = exact::step(m, &numbers(&here), action, &numbers(&inputs));
        let step = interp.step(&here, &Choice::Act { action, inputs });
        assert_eq!(step.is_some(), literal.is_some(), "seed {seed}\n{project}");
        let (Some(step), Some(literal)) = (step, literal) else { continue };
        assert_eq!((numbers(&step.after), &step.fired), (literal.after, &literal.fired), "seed {seed}\n{project}");
        here = Snapshot::from(step.after.to_vec());
        counts[1] += 1;
    }
}

#[test]
fn steps_on_exact_values_are_those_with_bounds() {
    let mut counts = [0; 4];
    let limits = Limits { properties: 2, ..Limits::default() };
    let many = std::env::var("GSMC_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for seed in 0..many {
        walk(seed, &limits, &mut counts);
        compute(seed + 500, &limits, &mut counts);
    }
    assert!(counts[0] > 1000 && counts[1] > 100 && counts[2] > 5, "steps, exact steps, without bounds: {counts:?}");
}
