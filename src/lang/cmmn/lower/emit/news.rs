//! What is worth asking again: the snapshot before a step is stable, so a rule can fire only if something has happened since it was
//! last asked with which it can hold.

use super::{Emit, Key, Mask};
use crate::machine::{ExprId, FALSE, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Something that happens as a whole: what it writes, and what holds when it was the last to happen.
pub(super) struct Block {
    /// When it happened.
    at: u32,
    /// Since when it is to be noticed.
    when: u32,
    writes: Vec<VarId>,
    ends: Vec<(VarId, Mask)>,
    /// It creates instances, which are looked at from the next round on.
    creates: bool,
    /// It is a reason for another round.
    acts: bool,
    /// The rule whose turn it was.
    by: Option<Key>,
    /// Rules that must have had their turn when this happens, it included, of those that have only one in a step.
    past: BTreeSet<Key>,
}

/// What is known where the guard that was asked last holds.
pub(in crate::lang::cmmn::lower) struct Known {
    guard: ExprId,
    /// Values of variables.
    codes: BTreeMap<VarId, Mask>,
    /// The rule.
    by: Option<Key>,
    /// As in a block.
    past: BTreeSet<Key>,
}

impl Known {
    /// Nothing.
    pub fn none() -> Known {
        Known { guard: FALSE, codes: BTreeMap::new(), by: None, past: BTreeSet::new() }
    }
}

impl Emit<'_, '_> {
    /// A guard that is worth asking now: it can hold, and something it reads has got a value since it was last asked with which it
    /// can hold. Where `unless` holds the question is put off, so that it must be asked again.
    pub fn ask(&mut self, key: Key, unless: &[VarId], build: &mut dyn FnMut(&mut Self) -> ExprId) -> Option<ExprId> {
        self.reading.clear();
        self.reads_choice = false;
        let guard = build(self);
        let last = self.asked.get(&key).copied();
        let free = self.reads_choice && last.is_none();
        let (since, put_off) = last.unwrap_or((0, false));
        let news = if guard == FALSE { None } else { self.news(key, since, put_off, build) };
        let asks = guard != FALSE && (news.is_some() || free);
        let put_off = asks && unless.iter().any(|v| self.may[v.0 as usize] != 1);
        self.now += 1;
        self.asked.insert(key, if put_off { (self.round_began, true) } else { (self.now, false) });
        if !asks {
            return None;
        }
        let mut parts = vec![guard];
        for v in unless {
            parts.push(self.among(*v, 1));
        }
        let guard = self.and(parts);
        self.known = match news.filter(|_| !free) {
            Some(known) => Known { guard, ..known },
            None => Known { guard, ..Known::none() },
        };
        self.known.by = Some(key);
        if self.l.has_one_turn(key) {
            self.known.past.insert(key);
        }
        (guard != FALSE).then_some(guard)
    }

    /// What is known about the guard asked last, for when it has been stored in a flag.
    pub fn put_by(&mut self) -> Known {
        let known = std::mem::replace(&mut self.known, Known::none());
        Known { codes: BTreeMap::new(), ..known }
    }

    /// Takes up what was put by: the flag stands for the guard now.
    pub fn take_up(&mut self, known: Known, guard: ExprId) {
        self.known = Known { guard, ..known };
    }

    /// Can the guard hold after something that has happened since, as the last thing that concerns it? If it was put off,
    /// something has happened in that round, whatever it was. Says what is then known.
    fn news(
        &mut self,
        key: Key,
        since: u32,
        put_off: bool,
        build: &mut dyn FnMut(&mut Self) -> ExprId,
    ) -> Option<Known> {
        let mut read = std::mem::take(&mut self.reading);
        read.sort_unstable();
        read.dedup();
        let blocks = std::mem::take(&mut self.blocks);
        let settled = |b: &Block| b.past.contains(&key) || (b.by == Some(key) && self.l.settles_itself(key));
        let concerns = |b: &&Block| {
            b.when > since
                && ((put_off && b.acts) || b.writes.iter().any(|v| read.binary_search(v).is_ok()))
                && !settled(b)
        };
        let concerning: Vec<&Block> = blocks.iter().rev().filter(concerns).collect();
        let may = self.may.clone();
        let mut known: Option<Known> = None;
        self.supposing = true;
        for block in concerning {
            for (var, codes) in &block.ends {
                let now = &mut self.may[var.0 as usize];
                *now = if *now & codes == 0 { *now } else { *now & codes };
            }
            if build(self) != FALSE {
                let lasts = block.ends.iter().filter(|(v, _)| self.last_write[v.0 as usize] <= block.at);
                let here: BTreeMap<VarId, Mask> = lasts.map(|(v, _)| (*v, self.may[v.0 as usize])).collect();
                known = Some(match known {
                    None => Known { codes: here, past: block.past.clone(), ..Known::none() },
                    Some(all) => Known {
                        codes: all.codes.into_iter().filter_map(|(v, m)| Some((v, m | here.get(&v)?))).collect(),
                        past: all.past.intersection(&block.past).copied().collect(),
                        ..Known::none()
                    },
                });
            }
            self.may.clone_from(&may);
        }
        self.supposing = false;
        self.blocks = blocks;
        known
    }

    /// Ends a block: `before` is what held around it, `self.may` what holds where it happened.
    pub(super) fn end_block(&mut self, before: &[Mask], creates: bool, acts: bool) {
        let mut writes = std::mem::take(&mut self.writes);
        writes.sort_unstable();
        writes.dedup();
        let mut ends = Vec::new();
        for (ix, now) in self.may.iter().enumerate() {
            if now | before.get(ix).copied().unwrap_or(1) != *now {
                ends.push((VarId(ix as u32), *now));
            }
        }
        if !self.last_act {
            self.now += 1;
            let (by, past) = std::mem::take(&mut self.turn);
            self.blocks.push(Block { at: self.now, when: self.now, writes, ends, creates, acts, by, past });
        }
    }

    /// All that has been emitted so far happens: the event itself.
    pub fn end_event(&mut self) {
        let now = self.may.clone();
        self.end_block(&now, self.in_round, true);
        let all: Vec<(VarId, Mask)> = self.may.iter().enumerate().map(|(ix, m)| (VarId(ix as u32), *m)).collect();
        if let Some(block) = self.blocks.last_mut() {
            block.ends = all;
        }
    }

    /// A new round: what was created in the last one is looked at from now on.
    pub fn new_round(&mut self) {
        self.now += 1;
        self.round_began = self.now;
        let now = self.now + 1;
        self.now = now;
        for block in self.blocks.iter_mut().filter(|b| b.creates) {
            (block.when, block.creates) = (now, false);
        }
        // What was said of the round before says nothing any more.
        let cleared = std::mem::take(&mut self.cleared);
        for block in &mut self.blocks {
            block.ends.retain(|(var, _)| !cleared.contains(var));
        }
        self.writes.clear();
    }

    /// Narrows values by what is known where a guard that has just been asked holds.
    pub(super) fn recall(&mut self, guard: ExprId) {
        let known = std::mem::replace(&mut self.known, Known::none());
        self.turn = Default::default();
        if known.guard == guard {
            for (var, codes) in known.codes {
                self.may[var.0 as usize] = codes;
            }
            self.turn = (known.by, known.past);
        }
    }
}
