//! Where the predicates do not suffice: which ones would.
//!
//! An undecided formula depends on a step whose outcome the predicates leave open. What they leave open is an atom over the unknowns
//! before the step: the weakest precondition of a predicate that the step touches, or of a condition on its way. Without payload in it,
//! it can be a predicate itself, and then that step is no longer open. Where payload alone decides, the predicates are about what there is payload
//! for: `amount <= limit` and `amount == 11` after the step ask for `limit >= 11` before it.

use super::doubt::{Doubt, Open};
use super::env::{Env, Snapshot};
use super::graph::{Around, Lookout, all_paths};
use super::ground::{Ground, parts};
use super::linear::{self, Atom, Leaf, Linear};
use super::paths::{Path, Post, by_range};
use super::way::Way;
use super::{Asker, Predicates, Refused, System};
use crate::logic::Formula;
use crate::machine::{BodyIx, CompareOp, VarId};
use std::collections::BTreeSet;

/// So many snapshots are looked at wherever they are, for want of better ones: for predicates, and for something to tell.
const SOME: usize = 24;
const MANY: usize = 240;
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
    let (mut finder, mut found) = (Finder::new(system, predicates, ground), BTreeSet::new());
    undecided(system, ground, property, asker, &mut |snapshots, wanted, asker| {
        found = finder.collect(snapshots, wanted, asker)?;
        Ok(!found.is_empty())
    })?;
    Ok(found)
}

/// The first look or step at fault for a property that is open; `None` if none can be named.
pub fn doubt(
    system: &System,
    predicates: &Predicates,
    ground: &mut dyn Ground,
    property: usize,
    asker: &mut Asker,
) -> Result<Option<Doubt>, Refused> {
    let mut finder = Finder::new(system, predicates, ground);
    let mut found = super::doubt::looked(system, predicates, ground, property, asker)?;
    if found.is_none() {
        undecided(system, ground, property, asker, &mut |snapshots, wanted, asker| {
            found = finder.doubt(snapshots, wanted, asker)?;
            Ok(found.is_some())
        })?;
    }
    if found.is_none() {
        found = finder.doubt(&ground.anywhere(MANY)?, &|_| true, asker)?;
    }
    let Some((snapshot, open)) = found else { return Ok(None) };
    let way = ground.way(&snapshot)?;
    let mut run = Vec::new();
    for (before, after) in way.iter().zip(way.iter().skip(1)) {
        let (moves, _, _) = finder.lookout.moves(before, &|b| ground.knows(b), asker)?;
        let by = moves.iter().find(|m| m.may.contains(after)).map(|m| (m.agent, m.body));
        run.push((by, after.clone()));
    }
    Ok(Some(Doubt { run, open }))
}

/// Where steps must lead to be of interest.
type Wanted<'w> = dyn Fn(&Snapshot) -> bool + 'w;
/// Looks at some snapshots; `true` if that was enough.
type Look<'l> = dyn FnMut(&[Snapshot], &Wanted, &mut Asker) -> Result<bool, Refused> + 'l;

/// Looks at snapshots where a property is undecided, until that is enough.
fn undecided(
    system: &System,
    ground: &mut dyn Ground,
    property: usize,
    asker: &mut Asker,
    look: &mut Look,
) -> Result<(), Refused> {
    let Some(formula) = system.machine.properties.get(property).map(|p| &p.formula) else { return Ok(()) };
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
        let enough = look(&spots.edge, &*spots.decided, asker)?
            || look(&spots.edge, &|_| true, asker)?
            || look(&(spots.rest)()?, &|_| true, asker)?;
        if enough {
            return Ok(());
        }
    }
    let anywhere = ground.anywhere(SOME)?;
    look(&anywhere, &|_| true, asker).map(drop)
}

struct Finder<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    lookout: Lookout<'a>,
    /// The bodies that can leave something open.
    bodies: BTreeSet<BodyIx>,
}

impl<'a> Finder<'a> {
    fn new(system: &'a System<'a>, predicates: &'a Predicates, ground: &dyn Ground) -> Finder<'a> {
        let mentioned = |v: VarId| predicates.list.iter().any(|p| p.vars.contains(&v));
        let open = |b: &BodyIx| ground.knows(*b) && system.concerns(*b, &mentioned);
        let bodies = BodyIx::all(&system.machine.bodies).filter(open).collect();
        Finder { system, predicates, lookout: Lookout { system, predicates, sure: true }, bodies }
    }

    /// A step from one of these snapshots that the predicates leave open.
    fn doubt(
        &mut self,
        snapshots: &[Snapshot],
        wanted: &Wanted,
        asker: &mut Asker,
    ) -> Result<Option<(Snapshot, Open)>, Refused> {
        for snapshot in snapshots {
            let env = Env::new(self.system, self.predicates, snapshot);
            let bodies = &self.bodies;
            let (moves, _, _) = self.lookout.moves(snapshot, &|b| bodies.contains(&b), asker)?;
            for m in moves.iter().filter(|m| m.is_open() && m.may.iter().any(wanted)) {
                let differs =
                    |p: &usize| m.may.iter().any(|t| t.truths.get(*p) != m.may.first().and_then(|f| f.truths.get(*p)));
                let paths = all_paths(&env, m.agent, m.body)?;
                let posts = paths.iter().flat_map(|path| path.posts.iter().enumerate());
                let asked = posts.filter(|(p, _)| differs(p)).filter_map(|(p, post)| Some((Some(p), post.asked()?)));
                let conditions = paths.iter().flat_map(|path| path.conditions.iter().map(|(atom, _)| (None, atom)));
                // What payload decides is nobody's fault.
                let own = |(_, atom): &(Option<usize>, &Atom)| !has_payload(atom);
                let found = asked.clone().chain(conditions).find(own).or_else(|| asked.clone().next());
                if let Some((predicate, on)) = found {
                    let open = Open::Step { by: (m.agent, m.body), predicate, on: on.clone() };
                    return Ok(Some((snapshot.clone(), open)));
                }
            }
        }
        Ok(None)
    }

    /// Atoms that steps from these snapshots leave open.
    fn collect(
        &mut self,
        snapshots: &[Snapshot],
        wanted: &Wanted,
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
            for m in moves.iter().filter(|m| m.is_open() && m.may.iter().any(wanted)) {
                found.extend(self.missing(m, &all_paths(&env, m.agent, m.body)?, wanted));
                if found.len() > MOST_ATOMS {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// Atoms that a step leaves open: those without payload, or else what must hold for some payload to lead to where only some get.
    fn missing(&self, m: &Around, paths: &[Path], wanted: &Wanted) -> BTreeSet<Atom> {
        let mut found = BTreeSet::new();
        for path in paths {
            let asked = path.posts.iter().filter_map(Post::asked);
            for atom in path.conditions.iter().map(|(a, _)| a).chain(asked).filter(|a| !has_payload(a)) {
                self.add(atom.op(), &atom.difference(), &mut found);
            }
        }
        if !found.is_empty() {
            return found;
        }
        for target in m.unsure().filter(|t| wanted(t)) {
            for path in paths.iter().filter(|p| p.may_lead_to(target)) {
                let way = Way::new(self.system, m.body, path.conditions.clone(), 0, path.posts.clone());
                way.demands(&target.truths).iter().for_each(|c| self.add(c.op(), c.sum(), &mut found));
            }
        }
        found
    }

    /// Adds the atoms of a comparison with 0 that are no predicates yet, for all slots that are alike.
    fn add(&self, op: CompareOp, sum: &Linear, found: &mut BTreeSet<Atom>) {
        for atom in linear::asked(op, sum) {
            let range = |leaf: &Leaf| if let Leaf::Var(v, _) = leaf { self.system.wide(*v) } else { None };
            let new = |a: &Atom| self.predicates.list.iter().all(|p| p.atom != *a) && by_range(a, &range).is_none();
            found.extend(self.alike(&atom).into_iter().filter(new));
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

fn has_payload(atom: &Atom) -> bool {
    let mut payload = false;
    atom.leaves(&mut |l| payload |= matches!(l, Leaf::Input(..)));
    payload
}
