//! The rules read as a table, without any order: a status attribute changes in a step exactly when a rule says so, the conditions being
//! asked of the snapshot before the step and the one after it.
//!
//! | | relevant if before the step | and holds for the step as a whole | then |
//! |---|---|---|---|
//! | PAC-1 | S is inactive | a guard of S holds, and the parent of S is active | S becomes active |
//! | PAC-2 | S is active | a condition of m holds | m is achieved |
//! | PAC-3 | m is achieved | an invalidating condition of m holds | m is invalidated |
//! | PAC-4 | m is achieved | S becomes active | m is invalidated |
//! | PAC-5 | S is active | a milestone of S is achieved | S becomes inactive |
//! | PAC-6 | S and a stage around it are active | a milestone of that stage is achieved | S becomes inactive |
//!
//! A condition asks its own rule's attributes before the step. A model without cycles has one snapshot after each step that fits.

use super::eval::{Context, Happening};
use super::{Reference, World};
use crate::lang::gsm::{Guard, MilestoneIx, StageIx, Status};

/// At most so many attributes that may change are tried in all combinations.
const MOST_TRIED: usize = 11;

impl Reference<'_> {
    /// Checks that a step ends as the table says, and nowhere else; `first` is the snapshot after the immediate effect.
    pub(super) fn check_closed_form(&self, before: &World, first: &World, after: &World, happening: &Happening) {
        assert!(self.fits(before, after, happening), "the step does not end as the table says\n{before:?}\n{after:?}");
        let open = self.may_change(before, first);
        if open.len() > MOST_TRIED {
            return;
        }
        for chosen in 0..1u32 << open.len() {
            let mut other = after.clone();
            for (at, (slot, status)) in open.iter().enumerate() {
                let changes = chosen >> at & 1 == 1;
                other.set_status(*slot, *status, before.status(*slot, *status) != changes);
            }
            let same = open.iter().all(|(slot, status)| other.status(*slot, *status) == after.status(*slot, *status));
            assert!(
                same || !self.fits(before, &other, happening),
                "the table allows another end\n{before:?}\n{other:?}"
            );
        }
    }

    fn may_change(&self, before: &World, first: &World) -> Vec<(usize, Status)> {
        let mut open = Vec::new();
        for slot in (0..self.slots.len()).filter(|s| first.slots[*s].created) {
            let t = &self.app.types[self.slots[slot].0];
            open.extend(StageIx::all(&t.stages).map(|s| (slot, Status::Stage(s))));
            let may = |m: &MilestoneIx| {
                before.slots[slot].milestones[m.0] || before.slots[slot].stages[t.milestones[*m].stage.0]
            };
            open.extend(MilestoneIx::all(&t.milestones).filter(may).map(|m| (slot, Status::Milestone(m))));
        }
        open
    }

    /// Has every attribute changed exactly when a line of the table says so?
    fn fits(&self, before: &World, after: &World, happening: &Happening) -> bool {
        (0..self.slots.len()).filter(|s| after.slots[*s].created).all(|slot| {
            let t = &self.app.types[self.slots[slot].0];
            let (was, is) = (|s: StageIx| before.slots[slot].stages[s.0], |s: StageIx| after.slots[slot].stages[s.0]);
            let achieved = |m: MilestoneIx| !before.slots[slot].milestones[m.0] && after.slots[slot].milestones[m.0];
            let ask = |guards: &[Guard], own: &[Status]| {
                guards.iter().any(|g| self.asked(before, after, g, own, slot, happening))
            };
            let stages = StageIx::all(&t.stages).all(|s| {
                let stage = &t.stages[s];
                let around = std::iter::successors(Some(s), |s| t.stages[*s].parent);
                let opens = stage.parent.is_none_or(is) && ask(&stage.guards, &[Status::Stage(s)]);
                let closes = around.into_iter().any(|a| was(a) && t.stages[a].milestones.iter().any(|m| achieved(*m)));
                is(s) == if was(s) { !closes } else { opens }
            });
            let milestones = MilestoneIx::all(&t.milestones).all(|m| {
                let milestone = &t.milestones[m];
                let (s, had) = (milestone.stage, before.slots[slot].milestones[m.0]);
                let own = [Status::Milestone(m), Status::Stage(s)];
                let gained = !had && was(s) && ask(&milestone.achieving, &own);
                let lost = had && (!was(s) && is(s) || ask(&milestone.invalidating, &own[..1]));
                after.slots[slot].milestones[m.0] == (had && !lost || gained)
            });
            stages && milestones
        })
    }

    fn asked(
        &self,
        before: &World,
        after: &World,
        guard: &Guard,
        own: &[Status],
        slot: usize,
        happening: &Happening,
    ) -> bool {
        let events = &guard.sentry.events;
        let occurs = events.is_empty() || happening.events.iter().any(|(e, at)| *at == slot && events.contains(e));
        let context = Context {
            slot: Some(slot),
            own: own.to_vec(),
            happening: happening.clone(),
            ..Context::new(self, before, after)
        };
        occurs && context.holds(&guard.sentry.expr)
    }
}
