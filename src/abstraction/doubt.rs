//! Why a property stays open: a step that the predicates leave open, or a look at a snapshot.

use super::env::{Env, Snapshot};
use super::ground::{Ground, parts};
use super::know::{Local, connected, local};
use super::linear::Atom;
use super::{Asker, Predicates, Refused, System};
use crate::logic::{Formula, Know};
use crate::machine::{AgentIx, BodyIx, ExprId};
use std::collections::BTreeSet;

/// What the predicates leave open, where the truth of a property hangs on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The steps of an abstract run to there, with the snapshots they may lead to; nobody makes the step of idling.
    pub run: Vec<(Option<(AgentIx, BodyIx)>, Snapshot)>,
    /// What is open there.
    pub open: Open,
}

/// Something that the predicates leave open in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// What a step does.
    Step {
        /// Who makes the step, and what it is.
        by: (AgentIx, BodyIx),
        /// The predicate whose truth after the step is open; none where it is open whether the step can be made.
        predicate: Option<usize>,
        /// What decides that, before the step.
        on: Atom,
    },
    /// Whether agents can take the snapshot for another one, which denies what they would know.
    Look {
        /// The agents, who look together.
        group: Vec<AgentIx>,
        /// The other snapshot, which may look the same.
        other: Snapshot,
        /// A predicate that has to do with what they see and differs; none where it is open whether the other can be reached with all that they see.
        predicate: Option<usize>,
    },
}

/// So many snapshots are taken for others.
const MANY: usize = 240;

/// A snapshot where it is open whether agents know something that is itself decided.
pub fn looked(
    system: &System,
    predicates: &Predicates,
    ground: &mut dyn Ground,
    property: usize,
    asker: &mut Asker,
) -> Result<Option<(Snapshot, Open)>, Refused> {
    let Some(formula) = system.machine.properties.get(property).map(|p| &p.formula) else { return Ok(None) };
    for (at, part) in parts(formula).into_iter().enumerate().rev() {
        let Formula::Know(kind, group, known) = part else { continue };
        let here = match ground.spots(property, at, asker) {
            Ok(Some(spots)) => [spots.edge, (spots.rest)()?].concat(),
            Ok(None) | Err(Refused::Unsupported(_)) => continue,
            Err(stopped) => return Err(stopped),
        };
        let others = [ground.anywhere(MANY)?, here.clone()].concat();
        let groups =
            if *kind == Know::Distributed { vec![group.clone()] } else { group.iter().map(|a| vec![*a]).collect() };
        for group in groups {
            let look = Look { system, predicates, group: &group, known };
            if let Some((snapshot, other, predicate)) = look.mistaken(&here, &others) {
                return Ok(Some((snapshot, Open::Look { group, other, predicate })));
            }
        }
    }
    Ok(None)
}

/// Agents who look together, and what they would know.
struct Look<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    group: &'a [AgentIx],
    known: &'a Formula<ExprId>,
}

impl Look<'_> {
    /// A snapshot, one that may look the same and denies it, and a predicate that differs.
    fn mistaken(&self, here: &[Snapshot], others: &[Snapshot]) -> Option<(Snapshot, Snapshot, Option<usize>)> {
        let agents = || self.group.iter().filter_map(|a| self.system.machine.agents.get(a.0));
        if agents().any(|a| a.sees_all) {
            return None;
        }
        let looks = |s: &Snapshot| local(self.system, self.predicates, s, self.group);
        let denied: Vec<(&Snapshot, Local)> = others
            .iter()
            .filter(|s| self.truth(self.known, s) == Some(false))
            .filter_map(|s| Some((s, looks(s)?)))
            .collect();
        for s in here.iter().filter(|s| self.truth(self.known, s) == Some(true)) {
            let Some(own) = looks(s) else { continue };
            if let Some((other, its)) = denied.iter().find(|(_, its)| its.may == own.may) {
                let seen: BTreeSet<_> =
                    agents().flat_map(|a| a.views.iter().flat_map(|v| v.seen.iter().copied())).collect();
                let near = connected(self.system, self.predicates, &seen);
                let differs = near.into_iter().find(|p| s.truths.get(*p) != other.truths.get(*p));
                return Some((s.clone(), (*other).clone(), differs.filter(|_| its.must != own.must)));
            }
        }
        None
    }

    /// The truth of a condition on one snapshot; `None` for anything else.
    fn truth(&self, f: &Formula<ExprId>, s: &Snapshot) -> Option<bool> {
        match f {
            Formula::Atom(e) => Env::new(self.system, self.predicates, s).truth(*e),
            Formula::Bool(b) => b.try_map(|part| self.truth(part, s).ok_or(())).ok().map(|b| b.truth()),
            _ => None,
        }
    }
}
