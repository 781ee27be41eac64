//! Knowledge: what holds in every reachable snapshot that an agent, or a group, cannot tell apart from this one.
//!
//! "Looks the same" is a relation between two snapshots, the second one in next bits: private variables agree, every slot is
//! visible in both or in neither, and where it is visible what is seen of it agrees. That is a conjunction with one small part
//! per slot, and the parts stand in different places of the order, so the relation stays small and finding the look-alikes
//! of a set is one fused pre-image. For a group that shares what its members see the relations are intersected.

use std::rc::Rc;

use super::bdd::{Bdd, Relation, Stop, current, next};
use super::check::{Answer, Checker};
use super::encode::System;
use super::symbolic::{Env, Value};
use crate::logic::Know;
use crate::machine::{AgentIx, MachineAgent, VarId};

impl Checker<'_, '_> {
    /// The snapshots in which the group knows `set`.
    pub(super) fn know(&self, kind: Know, group: &[AgentIx], set: &Bdd) -> Answer<Bdd> {
        let s = &self.sys.space;
        let doubt = s.diff(&self.reach.set, set)?;
        let possible = match kind {
            Know::K | Know::Everybody => self.somebody_confuses(group, &doubt)?,
            Know::Distributed => self.confuse(group, &doubt)?,
            Know::Common => {
                let mut all = doubt;
                loop {
                    let more = s.or(&all, &s.and(&self.reach.set, &self.somebody_confuses(group, &all)?)?)?;
                    if more == all {
                        break all;
                    }
                    all = more;
                }
            }
        };
        Ok(s.not(&possible))
    }

    fn somebody_confuses(&self, group: &[AgentIx], set: &Bdd) -> Answer<Bdd> {
        let s = &self.sys.space;
        group.iter().try_fold(s.no(), |all, &a| Answer::Ok(s.or(&all, &self.confuse(&[a], set)?)?))
    }

    /// The reachable snapshots that the group, sharing what its members see, cannot tell apart from one in `set`.
    pub fn look_alikes(&self, group: &[AgentIx], set: &Bdd) -> Answer<Bdd> {
        Ok(self.sys.space.and(&self.confuse(group, set)?, &self.reach.set)?)
    }

    /// The same among all snapshots, reachable or not.
    fn confuse(&self, group: &[AgentIx], set: &Bdd) -> Answer<Bdd> {
        let agents = &self.sys.machine.agents;
        if group.iter().any(|&a| agents.get(a.0).is_some_and(|a| a.sees_all)) {
            return Ok(set.clone());
        }
        Ok(self.sys.space.preimage(set, &*self.alike(group)?)?)
    }

    /// "Looks the same to the group", between a snapshot in current bits and one in next bits; made once.
    fn alike(&self, group: &[AgentIx]) -> Answer<Rc<Relation>> {
        if let Some(known) = self.alike.borrow().get(group) {
            return Ok(known.clone());
        }
        let agents = group.iter().filter_map(|&a| self.sys.machine.agents.get(a.0));
        let alike = Rc::new(alike(self.sys, agents)?);
        self.alike.borrow_mut().insert(group.to_vec(), alike.clone());
        Ok(alike)
    }
}

/// "Looks the same to these agents together", between a snapshot in current bits and one in next bits.
pub fn alike<'g>(sys: &System<'_>, group: impl Iterator<Item = &'g MachineAgent>) -> Result<Relation, Stop> {
    let (s, fields) = (&sys.space, &sys.layout.fields);
    let other: Vec<Value> = fields.iter().map(|f| Value::of_field(s, f, true)).collect::<Result<_, _>>()?;
    let mut there = Env::new(s, sys.machine, &other, Vec::new());
    let mut alike = s.yes();
    // From the bottom of the order upward, so that each part is put on top of what is there.
    for agent in group {
        for view in agent.views.iter().rev() {
            let (here, there) = (sys.atom(view.visible)?, there.truth(view.visible)?);
            let seen = s.implies(&here, &agree(sys, &view.seen)?)?;
            alike = s.and(&s.and(&s.iff(&here, &there)?, &seen)?, &alike)?;
        }
        alike = s.and(&agree(sys, &agent.private)?, &alike)?;
    }
    Ok(s.relation(alike, fields.iter().flat_map(|f| f.pairs.iter().copied()).collect()))
}

/// Variables have the same values in current and in next bits.
fn agree(sys: &System<'_>, vars: &[VarId]) -> Result<Bdd, Stop> {
    let s = &sys.space;
    let mut pairs: Vec<u32> = vars.iter().flat_map(|&v| sys.layout.field(v).pairs.iter().copied()).collect();
    pairs.sort_unstable();
    let mut all = s.yes();
    for &p in pairs.iter().rev() {
        all = s.and(&s.iff(&s.literal(current(p), true)?, &s.literal(next(p), true)?)?, &all)?;
    }
    Ok(all)
}
