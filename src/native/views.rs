//! What holds of any number of instances that meet in what agents remember, proved on every few of them.
//!
//! A *view* is a snapshot of which only k slots of a family are looked at, in their order. The set of views of all systems, with
//! however many slots, is approximated from above: starting with nothing created, take every snapshot of k + 1 slots all of whose
//! k-parts are views, let it take a step, and add the k-parts of what comes out. One more slot is enough, because the slot that acts
//! reaches others only through what is outside the slots, and rules that wait for anybody's step need only that somebody acts.

use super::bdd::{Bdd, Level, Limits, Stop, current, with_big_stack};
use super::check::{Answer, Checker};
use super::closure::Direction;
use super::encode::System;
use super::reach::Reach;
use crate::machine::{Slot, Valid, VarId};

type Res<T> = Result<T, Stop>;

/// Which of some properties of the form "always …" hold in every snapshot of k + 1 slots of a family all of whose k-parts are views.
/// The machine has k + 1 slots of it. What holds so of every k instances holds for any number of them.
pub fn proved(machine: &Valid, family: usize, properties: &[usize], limits: &Limits) -> Answer<Vec<bool>> {
    with_big_stack(|| {
        let sys = System::new(machine, limits)?;
        let views = Views::new(&sys, family);
        let reach = Reach::of(&sys, views.fixpoint()?)?;
        let checker = Checker::new(&sys, &reach);
        let fair = checker.fairness(&[])?;
        let formulas = properties.iter().filter_map(|p| machine.properties.get(*p));
        formulas.map(|p| checker.holds(&p.formula, &fair)).collect()
    })
}

struct Views<'s, 'm> {
    sys: &'s System<'m>,
    /// The bits of each slot, in the same order in all of them.
    slots: Vec<Vec<Level>>,
    /// Whether each slot is in use.
    there: Vec<VarId>,
}

impl<'s, 'm> Views<'s, 'm> {
    fn new(sys: &'s System<'m>, family: usize) -> Views<'s, 'm> {
        let all: Vec<&Slot> = sys.machine.slots.iter().filter(|s| s.family == family).collect();
        let bits = |slot: &&Slot| -> Vec<Level> {
            let vars = slot.vars.iter().chain(slot.exists.iter().filter(|e| !slot.vars.contains(e)));
            vars.flat_map(|v| sys.layout.field(*v).pairs.iter().map(|&p| current(p))).collect()
        };
        Views { sys, slots: all.iter().map(bits).collect(), there: all.iter().filter_map(|s| s.exists).collect() }
    }

    /// The snapshots of all slots whose parts are views.
    fn fixpoint(&self) -> Res<Bdd> {
        let s = &self.sys.space;
        let last = self.slots.len().saturating_sub(1);
        let mut views = self.without(&self.sys.init, last)?;
        loop {
            let all = self.assembled(&views)?;
            let next = self.sys.step(&all, &self.sys.steps, Direction::Forward)?;
            let mut more = views.clone();
            for slot in 0..self.slots.len() {
                more = s.or(&more, &self.without(&next, slot)?)?;
            }
            if more == views {
                return Ok(all);
            }
            views = more;
        }
    }

    /// A set with one slot forgotten and the later ones moved down.
    fn without(&self, set: &Bdd, slot: usize) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut set = s.exists(set, &s.variables(self.slots[slot].iter().copied())?)?;
        for from in slot + 1..self.slots.len() {
            set = self.moved(&set, from, from - 1)?;
        }
        Ok(set)
    }

    /// Snapshots of all slots: whichever is forgotten, the rest is a view. Slots fill in order.
    fn assembled(&self, views: &Bdd) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut all = views.clone();
        for left_out in (0..self.slots.len().saturating_sub(1)).rev() {
            let mut part = views.clone();
            for from in (left_out..self.slots.len() - 1).rev() {
                part = self.moved(&part, from, from + 1)?;
            }
            all = s.and(&all, &part)?;
        }
        for pair in self.there.windows(2) {
            let (before, after) = (self.sys.value(pair[0]).truth(s)?, self.sys.value(pair[1]).truth(s)?);
            all = s.and(&all, &s.implies(&after, &before)?)?;
        }
        Ok(all)
    }

    /// A set that says nothing of `to`, with what it says of `from` said of `to` instead.
    fn moved(&self, set: &Bdd, from: usize, to: usize) -> Res<Bdd> {
        let s = &self.sys.space;
        let mut set = set.clone();
        // Bit by bit: the two slots' bits need not be neighbours in the order, and equality of all at once would be large.
        for (a, b) in self.slots[from].iter().zip(&self.slots[to]) {
            let same = s.iff(&s.literal(*a, true)?, &s.literal(*b, true)?)?;
            set = s.and_exists(&set, &same, &s.variables([*a])?)?;
        }
        Ok(set)
    }
}
