//! Diagrams say what the list of snapshots says.

use super::asker;
use super::draw::{Data, MIXED, system_of};
use super::random::seeds;
use crate::abstraction::check::Checker;
use crate::abstraction::diagram::{Judge, Symbolic};
use crate::abstraction::graph::Graph;
use crate::abstraction::know::seen;
use crate::abstraction::machine::{Abstract, Failed};
use crate::abstraction::{Predicates, System};
use crate::logic::Formula;
use crate::native::bdd::Limits;
use fastrand::Rng;

/// Snapshots that may and must be reached, and in each of them the truth of each property that does not ask what is seen of data.
#[test]
fn diagrams_and_lists_agree() {
    let (mut compared, mut unfit, mut open) = (0, 0, 0);
    for seed in seeds(1) {
        let Some(mut asker) = asker() else { return };
        let mut rng = Rng::with_seed(2_000_000 + seed);
        let whole = [Data::Whole].as_slice();
        let kinds = [whole, &MIXED, whole, &[Data::Fractions], &[Data::Texts]][seed as usize % 5];
        let drawn = system_of(kinds, &mut rng);
        let m = &drawn.open;
        let wide = drawn.abstracted(&mut rng);
        let pins: Vec<_> = drawn.pins.iter().copied().filter(|p| wide.contains(&p.var)).collect();
        let system = System::new(m, &wide, pins);
        let blind = |p: &usize| {
            let mut sees = false;
            let each =
                &mut |f: &Formula<_>| sees |= matches!(f, Formula::Know(_, g, _) if !seen(&system, g).is_empty());
            m.properties[*p].formula.walk(each);
            !sees
        };
        let chosen: Vec<usize> = (0..m.properties.len()).collect();
        let mut predicates = Predicates::collect(&system, &[0, 1, 2, 3, 4, 5]);
        // Few predicates leave more open; those that conditions on snapshots need must stay.
        let mut needed = Predicates::default();
        let windows = m.agents.iter().flat_map(|a| &a.views).map(|v| v.visible);
        windows.for_each(|e| needed.add_all(&system, e, crate::abstraction::Origin::Window));
        for p in &m.properties {
            p.formula.atoms(&mut |e| needed.add_all(&system, *e, crate::abstraction::Origin::Property));
        }
        if rng.bool() {
            predicates.list.retain(|p| needed.list.iter().any(|n| n.atom == p.atom) || rng.u8(..4) == 0);
        }
        let Ok(graph) = Graph::explore(&system, &predicates, &mut asker, 100_000) else { continue };
        let made = match Abstract::new(&system, &predicates, &chosen, &mut asker) {
            Ok(made) => made,
            Err(Failed::Unfit(why)) => {
                println!("seed {seed}: {why:?}");
                unfit += 1;
                continue;
            }
            Err(Failed::Stopped(why)) => panic!("seed {seed}: {why}"),
        };
        if !graph.sure || !made.sure {
            continue;
        }
        let all = Symbolic::new(&made, &Limits::default()).unwrap();
        let listed = |set: &_| graph.states.iter().filter(|s| all.contains(set, s)).count();
        assert_eq!(listed(&all.reach.set), graph.states.len(), "seed {seed}: may-reachable");
        assert_eq!(all.reach.count.to_string(), graph.states.len().to_string(), "seed {seed}: may-reachable");
        let reached = graph.must_reachable();
        for (s, must) in graph.states.iter().zip(&reached) {
            assert_eq!(all.contains(all.reached().unwrap(), s), *must, "seed {seed}: must-reachable {s:?}");
        }
        let mut judge = Judge::new(&all);
        for (at, p) in chosen.iter().enumerate() {
            let truth =
                Checker::new(&system, &predicates, &graph).decide(&m.properties[*p].formula, &mut asker).unwrap();
            let ours = judge.decide(&made.machine.properties[at].formula).unwrap();
            let linear = matches!(m.properties[*p].formula, Formula::Ltl(_));
            for (i, s) in graph.states.iter().enumerate().take(if linear { 1 } else { usize::MAX }) {
                let ours = (all.contains(&ours.yes, s), all.contains(&ours.no, s));
                let formula = &m.properties[*p].formula;
                match blind(p) {
                    true => assert_eq!(ours, (truth.yes[i], truth.no[i]), "seed {seed}: {formula:?} in {s:?}"),
                    // Of those who see abstracted data diagrams say less, and nothing else.
                    false => assert!(ours.0 <= truth.yes[i] && ours.1 <= truth.no[i], "seed {seed}: {formula:?}"),
                }
                open += u32::from(ours == (false, false));
            }
            compared += 1;
        }
    }
    println!("{compared} properties compared, {open} times unknown, {unfit} systems cannot be said over predicates");
}
