//! Where the predicates do not suffice: which ones would.
//!
//! An undecided formula depends on a step whose outcome the predicates leave open. What they leave open is an atom over the unknowns
//! before the step: the weakest precondition of a predicate that the step touches, or of a condition on its way. Without payload in it,
//! it can be a predicate itself, and then that step is no longer open.

use super::env::{Env, Snapshot};
use super::graph::{Around, Lookout, all_paths};
use super::ground::{Ground, parts};
use super::linear::{Atom, Leaf};
use super::paths::Post;
use super::{Asker, Predicates, Refused, System};
use crate::logic::Formula;
use crate::machine::{BodyIx, VarId};
use std::collections::BTreeSet;

/// At most so many atoms a round.
const MOST_ATOMS: usize = 64;
/// So many snapshots are looked at before the atoms of some are enough.
const ENOUGH: usize = 2;

/// Atoms that would decide more of a property; none if nothing helps.
pub fn atoms(
    system: &System,
    predicates: &Predicates,
    ground: &mut dyn Ground,
    property: usize,
    asker: &mut Asker,
) -> Result<BTreeSet<Atom>, Refused> {
    let Some(formula) = system.machine.properties.get(property).map(|p| &p.formula) else { return Ok(BTreeSet::new()) };
    let mentioned = |v: VarId| predicates.list.iter().any(|p| p.vars.contains(&v));
    let bodies = BodyIx::all(&system.machine.bodies).filter(|b| system.concerns(*b, &mentioned)).collect();
    let mut finder = Finder { system, predicates, lookout: Lookout { system, predicates, sure: true }, bodies };
    // Innermost first: what is undecided there is the cause of what is undecided outside.
    for (at, part) in parts(formula).into_iter().enumerate().rev() {
        if matches!(part, Formula::Atom(_) | Formula::Bool(_) | Formula::Ltl(_)) {
            continue;
        }
        let spots = match ground.spots(property, at, asker) {
            Ok(Some(spots)) => spots,
            // The inside of a fixpoint means nothing by itself.
            Ok(None) | Err(Refused::Unsupported(_)) => continue,
            Err(stopped) => return Err(stopped),
        };
        let at_the_edge = |m: &Around| m.may.iter().any(|t| (spots.decided)(t));
        let mut found = finder.collect(&spots.edge, &at_the_edge, asker)?;
        if found.is_empty() {
            found = finder.collect(&spots.edge, &|_| true, asker)?;
        }
        if found.is_empty() {
            found = finder.collect(&(spots.rest)()?, &|_| true, asker)?;
        }
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let anywhere = ground.anywhere()?;
    finder.collect(&anywhere, &|_| true, asker)
}

struct Finder<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    lookout: Lookout<'a>,
    /// The bodies that can leave something open.
    bodies: BTreeSet<BodyIx>,
}

impl Finder<'_> {
    /// Atoms that steps from these snapshots leave open.
    fn collect(
        &mut self,
        snapshots: &[Snapshot],
        wanted: &dyn Fn(&Around) -> bool,
        asker: &mut Asker,
    ) -> Result<BTreeSet<Atom>, Refused> {
        let mut found = BTreeSet::new();
        for (looked, snapshot) in snapshots.iter().enumerate() {
            if looked >= ENOUGH && !found.is_empty() {
                break;
            }
            let env = Env::new(self.system, self.predicates, snapshot);
            let bodies = &self.bodies;
            let (moves, _, _) = self.lookout.moves(snapshot, &|b| bodies.contains(&b), asker)?;
            for m in moves.iter().filter(|m| m.is_open() && wanted(m)) {
                for path in all_paths(&env, m.agent, m.body)? {
                    let asked = path.posts.iter().filter_map(|p| match p {
                        Post::Ask(a, _) => Some(a),
                        Post::Known(_) => None,
                    });
                    for atom in path.conditions.iter().map(|(a, _)| a).chain(asked) {
                        self.add(atom, &mut found);
                    }
                }
                if found.len() > MOST_ATOMS {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// Adds an atom without payload that is no predicate yet, for all slots that are alike.
    fn add(&self, atom: &Atom, found: &mut BTreeSet<Atom>) {
        let mut payload = false;
        atom.leaves(&mut |l| payload |= matches!(l, Leaf::Input(..)));
        if payload {
            return;
        }
        for alike in self.alike(atom) {
            if self.predicates.list.iter().all(|p| p.atom != alike) {
                found.insert(alike);
            }
        }
    }

    fn alike(&self, atom: &Atom) -> Vec<Atom> {
        let mut vars: BTreeSet<VarId> = BTreeSet::new();
        atom.leaves(&mut |l| {
            if let Leaf::Var(v, _) = l {
                vars.insert(*v);
            }
        });
        let slots = &self.system.machine.slots;
        let Some(own) = slots.iter().find(|s| vars.iter().all(|v| s.vars.contains(v))) else {
            return vec![atom.clone()];
        };
        let others = slots.iter().filter(|s| s.family == own.family);
        let moved = others.map(|other| {
            let at = |v: VarId| own.vars.iter().position(|x| *x == v).and_then(|i| other.vars.get(i)).copied();
            atom.renamed(&|v| at(v).unwrap_or(v))
        });
        moved.collect()
    }
}
