//! Predicates found with one instance of each kind.
//!
//! Instances that are alike need the same predicates. So before all of them are looked at again, what a property lacks is looked for, round after round,
//! where in each family of slots only the first is ever used. That is no verdict, since others may do what one cannot; it is a
//! cheap way to predicates.

use super::decide::Options;
use super::diagram::Symbolic;
use super::ground::{Drawn, Ground};
use super::linear::Atom;
use super::machine::{Abstract, Failed};
use super::{Asker, Origin, Predicates, Refused, Stopped, System};
use crate::machine::Body;
use crate::native::bdd::{self, Stop};
use std::collections::BTreeSet;

/// One instance of each kind needs few nodes, and little room is soon cleared.
const MEMORY: u64 = 32 << 20;

/// Atoms that decide these properties with one instance of each kind, or get closer to it, by rounds, of which `most` are left; none where there is
/// only one anyway.
pub fn atoms(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    (properties, most): (&[usize], u32),
    asker: &mut Asker,
) -> Result<Vec<BTreeSet<Atom>>, Stopped> {
    let mut rounds = Vec::new();
    if options.listed || system.machine.slots.iter().all(|s| s.number == 1) {
        return Ok(rounds);
    }
    let mut predicates = predicates.clone();
    for property in properties {
        while rounds.len() < most as usize {
            let found = match missing(system, &predicates, options, *property, asker) {
                Ok(found) => found,
                Err(Refused::Unsupported(_) | Refused::Stopped(Stopped::Diagrams(Stop::OutOfMemory))) => break,
                Err(Refused::Stopped(stopped)) => return Err(stopped),
            };
            let new = |atom: &Atom| predicates.add(system, atom.clone(), Origin::Refined, 0);
            if found.iter().map(new).filter(|added| *added).count() == 0 {
                break;
            }
            rounds.push(found);
        }
    }
    Ok(rounds)
}

/// What would decide more of a property; nothing if it is decided.
fn missing(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    property: usize,
    asker: &mut Asker,
) -> Result<BTreeSet<Atom>, Refused> {
    let first = |b: &Body| b.target.and_then(|t| system.machine.slots.get(t.0)).is_none_or(|s| s.number == 1);
    let made = match Abstract::part(system, predicates, &[property], &first, asker) {
        Ok(made) => made,
        Err(Failed::Unfit(_)) => return Ok(BTreeSet::new()),
        Err(Failed::Stopped(stopped)) => return Err(stopped.into()),
    };
    let all = Symbolic::new(&made, &bdd::Limits { memory: Some(MEMORY), ..options.diagrams() })?;
    let chosen = [property];
    let mut ground = Drawn::new(&all, &chosen);
    match ground.verdict(property, asker)? {
        Some(_) => Ok(BTreeSet::new()),
        None => super::refine::atoms(system, predicates, &mut ground, property, asker),
    }
}
