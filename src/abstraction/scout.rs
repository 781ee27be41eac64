//! Predicates found with one instance of each kind.
//!
//! Instances that are alike need the same predicates. So before all of them are looked at again, what a property lacks is looked for, round after round,
//! where in each family of slots only the first is ever used. That is no verdict, since others may do what one cannot; it is a
//! cheap way to predicates.

use super::decide::{More, Options};
use super::diagram::Symbolic;
use super::ground::{Drawn, Ground};
use super::linear::Atom;
use super::machine::{Abstract, Failed};
use super::{Asker, Doubt, Origin, Predicates, Refused, Stopped, System};
use crate::machine::Body;
use crate::native::bdd::{self, Stop};
use std::collections::BTreeSet;

/// One instance of each kind needs few nodes, and little room is soon cleared.
const MEMORY: u64 = 32 << 20;

/// Are there instances to leave out?
pub fn helps(system: &System, options: &Options) -> bool {
    !options.listed && system.machine.slots.iter().any(|s| s.number != 1)
}

/// Those of some properties that are open with one instance of each kind.
pub fn open(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    properties: &[usize],
    asker: &mut Asker,
) -> Result<Vec<usize>, Stopped> {
    let decidable = |p: &usize| system.machine.properties.get(*p).is_some_and(|p| p.fair.is_empty());
    let found = on_part(system, predicates, options, properties, asker, |ground, asker| {
        let mut open = Vec::new();
        for property in properties.iter().copied().filter(decidable) {
            match ground.verdict(property, asker) {
                Ok(None) => open.push(property),
                Ok(Some(_)) | Err(Refused::Unsupported(_)) => {}
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(open)
    });
    Ok(found?.unwrap_or_default())
}

/// Atoms that decide these properties with one instance of each kind, or get closer to it, by rounds, of which `most` are left; none where there is
/// only one anyway.
pub fn atoms(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    (properties, most): (&[usize], u32),
    asker: &mut Asker,
) -> Result<More, Stopped> {
    let (mut rounds, mut open) = (More::new(), properties);
    if !helps(system, options) {
        return Ok(rounds);
    }
    while rounds.len() < most as usize {
        match look(system, &with(system, predicates, &rounds), options, open, asker)? {
            Seen::Open(at, atoms) => {
                open = open.get(at..).unwrap_or_default();
                rounds.push(atoms);
            }
            Seen::Nothing => break,
            Seen::Decided => {
                // Whoever tells 2 from all other numbers seldom has to know which of these are below it.
                let few = equations(&rounds);
                let enough = !few.is_empty() && few != rounds && {
                    let known = with(system, predicates, &few);
                    matches!(look(system, &known, options, properties, asker)?, Seen::Decided)
                };
                return Ok(if enough { few } else { rounds });
            }
        }
    }
    Ok(rounds)
}

/// Predicates, and those of these rounds.
fn with(system: &System, predicates: &Predicates, rounds: &More) -> Predicates {
    let mut all = predicates.clone();
    for atom in rounds.iter().flatten() {
        all.add(system, atom.clone(), Origin::Refined, 0);
    }
    all
}

/// The atoms that say that something is equal.
fn equations(rounds: &More) -> More {
    let equal = |atoms: &BTreeSet<Atom>| atoms.iter().filter(|a| !a.less).cloned().collect::<BTreeSet<Atom>>();
    rounds.iter().map(equal).filter(|atoms| !atoms.is_empty()).collect()
}

/// What a look with one instance of each kind shows.
enum Seen {
    /// All properties are decided.
    Decided,
    /// The property at this position is open, and these atoms decide more of it.
    Open(usize, BTreeSet<Atom>),
    /// Something is open, and nothing helps.
    Nothing,
}

fn look(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    properties: &[usize],
    asker: &mut Asker,
) -> Result<Seen, Stopped> {
    let missing = |property: usize, ground: &mut Drawn, asker: &mut Asker| match ground.verdict(property, asker)? {
        Some(_) => Ok(None),
        None => super::refine::atoms(system, predicates, ground, property, asker).map(Some),
    };
    let seen = on_part(system, predicates, options, properties, asker, |ground, asker| {
        let mut seen = Seen::Decided;
        for (at, property) in properties.iter().enumerate() {
            match missing(*property, ground, asker) {
                Ok(None) => {}
                Ok(Some(atoms)) if !atoms.is_empty() => return Ok(Seen::Open(at, atoms)),
                Ok(Some(_)) | Err(Refused::Unsupported(_)) => seen = Seen::Nothing,
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(seen)
    });
    Ok(seen?.unwrap_or(Seen::Nothing))
}

/// What a property that is open hangs on, as far as one instance of each kind shows it.
pub fn doubt(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    property: usize,
    asker: &mut Asker,
) -> Result<Option<Doubt>, Stopped> {
    let found = on_part(system, predicates, options, &[property], asker, |ground, asker| {
        super::refine::doubt(system, predicates, ground, property, asker)
    });
    Ok(found?.flatten())
}

/// Something done where only the first slot of each kind is ever used; `None` if that cannot be had.
fn on_part<T>(
    system: &System,
    predicates: &Predicates,
    options: &Options,
    properties: &[usize],
    asker: &mut Asker,
    done: impl FnOnce(&mut Drawn, &mut Asker) -> Result<T, Refused>,
) -> Result<Option<T>, Stopped> {
    let first = |b: &Body| b.target.and_then(|t| system.machine.slots.get(t.0)).is_none_or(|s| s.number == 1);
    let made = match Abstract::part(system, predicates, properties, &first, asker) {
        Ok(made) => made,
        Err(Failed::Unfit(_)) => return Ok(None),
        Err(Failed::Stopped(stopped)) => return Err(stopped),
    };
    let limits = bdd::Limits { memory: Some(MEMORY), ..options.diagrams() };
    let all = Symbolic::new(&made, &limits).map_err(Refused::from);
    match all.and_then(|all| done(&mut Drawn::new(&all, properties), asker)) {
        Ok(done) => Ok(Some(done)),
        Err(Refused::Unsupported(_) | Refused::Stopped(Stopped::Diagrams(Stop::OutOfMemory))) => Ok(None),
        Err(Refused::Stopped(stopped)) => Err(stopped),
    }
}
