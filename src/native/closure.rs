//! Sets closed under transitions, by *local chaining*: the steps at one slot are repeated until nothing new comes, each using
//! what the one before it found, then the next slot's, and so on until a whole round brings nothing. Measured against
//! breadth-first search this is ten times faster and more.
//!
//! Going backward there is no need to stay within the reachable snapshots, and a set that concerns one instance is small as
//! long as the others do not get into it. So steps that write nothing the set depends on are left out (they lead into the
//! set only from the set), what is found is cut down to what is plausible slot by slot, and only a set that has grown large
//! all the same is cut down to the reachable snapshots.

use std::collections::BTreeMap;

use super::bdd::{Bdd, Stop, current};
use super::encode::{Step, System};
use super::reach::Reach;
use crate::machine::SlotIx;

type Res<T> = Result<T, Stop>;

/// Which way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From snapshots to their successors.
    Forward,
    /// From snapshots to their predecessors.
    Backward,
}

impl System<'_> {
    /// One step by one of these transitions, idling not counted.
    pub fn step(&self, set: &Bdd, steps: &[Step], direction: Direction) -> Res<Bdd> {
        let s = &self.space;
        let one = |step: &Step| match direction {
            Direction::Forward => s.image(set, &step.relation),
            Direction::Backward => s.preimage(set, &step.relation),
        };
        steps.iter().try_fold(s.no(), |all, step| s.or(&all, &one(step)?))
    }

    /// Everything that a path through `within` reaches from `start`; `tell` hears the round.
    pub fn after(&self, start: &Bdd, within: &Bdd, tell: &dyn Fn(usize)) -> Res<Bdd> {
        self.after_by(&self.steps, start, within, tell)
    }

    /// The same by some of the transitions, or by others.
    pub fn after_by(&self, steps: &[Step], start: &Bdd, within: &Bdd, tell: &dyn Fn(usize)) -> Res<Bdd> {
        let s = &self.space;
        self.repeat(steps, Direction::Forward, start.clone(), |group, mut set, round| {
            tell(round);
            for step in group {
                let found = s.and(&s.image(&set, &step.relation)?, within)?;
                set = s.or(&set, &found)?;
            }
            Ok(set)
        })
    }

    /// Everything from which a path through `within` reaches `goal`; right on the reachable snapshots.
    pub fn before(&self, goal: &Bdd, within: &Bdd, reach: &Reach) -> Res<Bdd> {
        let s = &self.space;
        if !s.meets(goal, &reach.set)? {
            return Ok(s.no());
        }
        if s.is_subset(&reach.set, goal)? {
            return Ok(s.yes());
        }
        self.back(reach.plausible(self, goal)?, within, reach, true)
    }

    /// The same where `goal` and `within` hold reachable snapshots only: what is found is one, too, and needs no cutting down.
    pub fn before_inside(&self, goal: &Bdd, within: &Bdd, reach: &Reach) -> Res<Bdd> {
        self.back(goal.clone(), within, reach, false)
    }

    fn back(&self, goal: Bdd, within: &Bdd, reach: &Reach, mut free: bool) -> Res<Bdd> {
        let s = &self.space;
        let mut within = within.clone();
        self.repeat(&self.steps, Direction::Backward, goal, |group, mut set, _| {
            if free && !reach.is_small(&set) {
                free = false;
                within = s.and(&within, &reach.set)?;
                set = s.and(&set, &reach.set)?;
            }
            for step in relevant(group, &set) {
                let found = s.and(&s.preimage(&set, &step.relation)?, &within)?;
                let found = if free { reach.plausible(self, &found)? } else { found };
                set = s.or(&set, &found)?;
            }
            Ok(set)
        })
    }

    /// Repeats `pass` over the steps of each slot, and all that over all slots, until nothing changes. Slots are created in
    /// ascending order, so going backward the last comes first: what one slot needs of those before it is then found in one round.
    fn repeat(
        &self,
        steps: &[Step],
        direction: Direction,
        mut set: Bdd,
        mut pass: impl FnMut(&[&Step], Bdd, usize) -> Res<Bdd>,
    ) -> Res<Bdd> {
        let mut by_slot: BTreeMap<Option<SlotIx>, Vec<&Step>> = BTreeMap::new();
        for step in steps {
            by_slot.entry(step.slot).or_default().push(step);
        }
        let mut groups: Vec<Vec<&Step>> = by_slot.into_values().collect();
        if direction == Direction::Backward {
            groups.reverse();
        }
        for round in 0.. {
            let before_round = set.clone();
            for group in &groups {
                loop {
                    let before = set.clone();
                    set = pass(group, set, round)?;
                    if set == before {
                        break;
                    }
                }
            }
            if set == before_round {
                break;
            }
        }
        Ok(set)
    }
}

/// The steps that, going backward, can bring something new.
fn relevant<'s>(steps: &[&'s Step], set: &Bdd) -> Vec<&'s Step> {
    let support = set.support();
    let matters = |step: &&&Step| step.relation.writes.iter().any(|&p| support.contains(&current(p)));
    steps.iter().filter(matters).copied().collect()
}
