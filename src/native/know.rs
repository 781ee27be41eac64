//! Knowledge: what holds in every reachable snapshot that an agent, or a group, cannot tell apart from this one.
//!
//! Whether a slot is visible depends on that slot alone, so the snapshots that look the same are found slot by slot, without
//! a second set of variables: where the slot is visible, forget its hidden bits; where it is not, forget all of it. For
//! distributed knowledge the slot is split by who of the group sees it, and what one of them sees is not forgotten.
//!
//! A window that looks beyond its own instance breaks this up; then "looks the same" is built as a relation between two
//! snapshots, the second in next bits. That is right for every window, only larger.

use std::collections::BTreeSet;

use super::bdd::{Bdd, Relation, current, next};
use super::check::{Answer, Checker};
use super::symbolic::{Env, Value};
use crate::logic::Know;
use crate::machine::{AgentIx, SlotIx, VarId};

/// When a slot is seen, and what of it.
struct Sight {
    visible: Bdd,
    seen: BTreeSet<VarId>,
}

impl Checker<'_, '_> {
    /// The reachable snapshots in which the group knows `set`.
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
        let (s, m) = (&self.sys.space, self.sys.machine);
        let members: Vec<_> = group.iter().filter_map(|&a| m.agents.get(a)).collect();
        if members.iter().any(|a| a.sees_all) {
            return Ok(set.clone());
        }
        if self.looks_beyond(group)? {
            let alike = self.alike(group)?;
            return Ok(s.preimage(set, &alike)?);
        }
        let known: BTreeSet<VarId> = members.iter().flat_map(|a| a.private.iter().copied()).collect();
        let in_slots: BTreeSet<VarId> = m.slots.iter().flat_map(|s| s.all.iter().copied()).collect();
        let foreign = m.var_ids().filter(|v| !in_slots.contains(v) && !known.contains(v));
        let mut like = s.exists(set, &self.sys.bits(foreign)?)?;
        for slot in (0..m.slots.len()).rev() {
            let sights = self.sights(group, slot)?;
            like = self.forget(slot, &like, &s.yes(), &sights, &BTreeSet::new())?;
        }
        Ok(like)
    }

    /// What each of the group sees of a slot; equal windows together.
    fn sights(&self, group: &[AgentIx], slot: SlotIx) -> Answer<Vec<Sight>> {
        let mut sights: Vec<Sight> = Vec::new();
        for view in group.iter().filter_map(|&a| self.sys.machine.agents.get(a)?.views.get(slot)) {
            let visible = self.sys.atom(view.visible)?;
            match sights.iter_mut().find(|s| s.visible == visible) {
                Some(same) => same.seen.extend(&view.seen),
                None => sights.push(Sight { visible, seen: view.seen.iter().copied().collect() }),
            }
        }
        Ok(sights)
    }

    /// Whether a window of the group reads something outside its own slot.
    fn looks_beyond(&self, group: &[AgentIx]) -> Answer<bool> {
        for slot in 0..self.sys.machine.slots.len() {
            let own = self.slot_levels(slot);
            if self.sights(group, slot)?.iter().any(|s| !s.visible.support().is_subset(&own)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// "Looks the same to the group", between a snapshot in current bits and one in next bits.
    pub(super) fn alike(&self, group: &[AgentIx]) -> Answer<Relation> {
        let (sys, s) = (self.sys, &self.sys.space);
        let fields = &sys.layout.fields;
        let other: Vec<Value> = fields.iter().map(|f| Value::of_field(s, f, true)).collect::<Result<_, _>>()?;
        let mut there = Env::new(s, &sys.machine.exprs, &other, Vec::new());
        let same = |vars: &mut dyn Iterator<Item = VarId>| -> Answer<Bdd> {
            let mut all = s.yes();
            for &p in vars.flat_map(|v| &sys.layout.field(v).pairs) {
                all = s.and(&all, &s.iff(&s.literal(current(p), true)?, &s.literal(next(p), true)?)?)?;
            }
            Ok(all)
        };
        let mut alike = s.yes();
        for agent in group.iter().filter_map(|&a| sys.machine.agents.get(a)) {
            alike = s.and(&alike, &same(&mut agent.private.iter().copied())?)?;
            for view in &agent.views {
                let (here, there) = (sys.atom(view.visible)?, there.truth(view.visible)?);
                let seen = s.implies(&here, &same(&mut view.seen.iter().copied())?)?;
                alike = s.all([&alike, &s.iff(&here, &there)?, &seen])?;
            }
        }
        let pairs = fields.iter().flat_map(|f| f.pairs.iter().copied()).collect();
        Ok(s.relation(alike, pairs))
    }

    fn slot_levels(&self, slot: SlotIx) -> BTreeSet<u32> {
        let vars = self.sys.machine.slots[slot].all.iter();
        vars.flat_map(|&v| self.sys.layout.field(v).pairs.iter().map(|&p| current(p))).collect()
    }

    /// Splits `set` by who sees the slot and forgets in each part what nobody sees.
    fn forget(&self, slot: SlotIx, set: &Bdd, part: &Bdd, sights: &[Sight], seen: &BTreeSet<VarId>) -> Answer<Bdd> {
        let s = &self.sys.space;
        let inside = s.and(set, part)?;
        if inside.is_false() {
            return Ok(inside);
        }
        let Some((first, rest)) = sights.split_first() else {
            let hidden = self.sys.machine.slots[slot].all.iter().filter(|v| !seen.contains(v));
            let free = s.exists(&inside, &self.sys.bits(hidden.copied())?)?;
            return Ok(s.and(&free, part)?);
        };
        let with = s.and(part, &first.visible)?;
        let without = s.diff(part, &first.visible)?;
        let more = seen.union(&first.seen).copied().collect();
        let a = self.forget(slot, set, &with, rest, &more)?;
        let b = self.forget(slot, set, &without, rest, seen)?;
        Ok(s.or(&a, &b)?)
    }
}
