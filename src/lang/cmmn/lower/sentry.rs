//! When criteria are looked at, what they remember, and when they are satisfied.

use super::Does;
use super::emit::{Emit, Key};
use crate::lang::cmmn::model::{CritIx, Criterion, ExitType, InstIx, PlaceIx, Source, State};
use crate::machine::{ExprId, FALSE, TRUE};

impl Emit<'_, '_> {
    /// Repeats, has entry criteria, and no instance waits for them.
    pub fn waiting(&mut self, p: PlaceIx) -> ExprId {
        let case = self.l.case;
        let place = &case.places[p];
        let item = &case.items[place.item];
        let parts = item.entry.iter().any(|c| !case.criteria[*c].on.is_empty());
        if item.repetition.is_none() || item.entry.is_empty() || (item.collects() && !parts) {
            return FALSE;
        }
        let active = self.is(place.container, State::Active);
        let exists: Vec<ExprId> = place.slots.iter().map(|s| self.in_states(*s, &|x| x != State::None)).collect();
        let exists = self.or(exists);
        let none: Vec<ExprId> = place.slots.iter().map(|s| self.in_states(*s, &|x| x != State::Available)).collect();
        let none = self.and(none);
        self.and([active, exists, none])
    }

    pub fn can_exit(&mut self, i: InstIx) -> ExprId {
        let standard = !self.l.case.flowable();
        self.in_states(i, &|s| match s {
            State::Available | State::Enabled | State::Active => true,
            State::Disabled | State::Failed => standard,
            _ => false,
        })
    }

    /// The exit criterion leaves an instance in its state alone.
    pub fn spared(&mut self, c: CritIx, i: InstIx) -> ExprId {
        match self.l.case.criteria[c].exit_type {
            ExitType::All => FALSE,
            ExitType::Active => self.in_states(i, &|s| matches!(s, State::Available | State::Enabled)),
            ExitType::ActiveAndEnabled => self.is(i, State::Available),
        }
    }

    /// Latches of all criteria: the first thing in a round.
    pub fn remember(&mut self) {
        let case = self.l.case;
        for (c, criterion) in case.criteria.iter().enumerate().filter(|(_, c)| c.remembers()) {
            if criterion.entry {
                for p in (0..case.places.len()).filter(|p| case.places[*p].item == criterion.item) {
                    self.remember_at(c, p, criterion);
                }
            } else {
                for i in case.instances_of(criterion.item) {
                    self.remember_at(c, i, criterion);
                }
            }
        }
    }

    fn remember_at(&mut self, c: CritIx, at: usize, criterion: &Criterion) {
        for part in 0..=criterion.on.len() {
            let Some(latch) = self.l.map.latches.get(&(c, at, part)).copied() else { continue };
            let guard = self.ask(Key::Latch(c, at, part), &[], &mut |e: &mut Self| {
                let unset = e.among(latch, 1);
                if unset == FALSE {
                    return FALSE;
                }
                let happens = match criterion.condition {
                    Some(condition) if part == criterion.on.len() => {
                        let asker = e.asker(c, at);
                        e.condition(condition, asker)
                    }
                    _ => e.occurs(c, part, at),
                };
                if happens == FALSE {
                    return FALSE;
                }
                let looked = e.looked_at(criterion, at, part < criterion.on.len());
                e.and([unset, happens, looked])
            });
            if let Some(guard) = guard {
                self.note(Does::Remembers(c, at, part), guard, latch);
            }
        }
    }

    /// Is the criterion looked at? On-parts also for the sake of reaching in.
    fn looked_at(&mut self, criterion: &Criterion, at: usize, on: bool) -> ExprId {
        if !criterion.entry {
            return if at == 0 { self.is(0, State::Active) } else { self.can_exit(at) };
        }
        let slots = self.l.case.places[at].slots.clone();
        let available: Vec<ExprId> = slots.iter().map(|s| self.is(*s, State::Available)).collect();
        let available = self.or(available);
        let waiting = self.waiting(at);
        let reachable = if on { self.reachable(at) } else { FALSE };
        self.or([available, waiting, reachable])
    }

    /// Who asks the if-part of a criterion.
    pub fn asker(&self, c: CritIx, at: usize) -> InstIx {
        if self.l.case.criteria[c].entry { self.l.case.places[at].slots[0] } else { at }
    }

    /// Does an on-part of a criterion occur, at a place (entry) or instance (exit)?
    pub fn occurs(&mut self, c: CritIx, k: usize, at: usize) -> ExprId {
        let case = self.l.case;
        let criterion = &case.criteria[c];
        let part = &criterion.on[k];
        let items = match &part.source {
            Source::Items(items) => items,
            Source::File(f) => return self.file_event(*f, part.event),
            Source::Free(f) => return self.free(*f),
            Source::Nothing => return FALSE,
        };
        let bank = 1 - self.bank;
        let mut found = Vec::new();
        for i in items.iter().flat_map(|item| case.instances_of(*item)) {
            if !self.l.near(criterion, at, i) {
                continue;
            }
            let by: Vec<Option<CritIx>> = match &part.exit_by {
                None => vec![None],
                Some(list) => list.iter().map(|c| Some(*c)).collect(),
            };
            for by in by {
                if let Some(banks) = self.l.heard.get(&(i, part.event, by)).copied() {
                    found.push(self.holds(banks[bank]));
                }
            }
        }
        self.or(found)
    }

    /// Is a criterion satisfied now?
    pub fn satisfied(&mut self, c: CritIx, at: usize) -> ExprId {
        let criterion = &self.l.case.criteria[c];
        if !criterion.has_sentry {
            return FALSE;
        }
        let asker = self.asker(c, at);
        if !criterion.remembers() {
            return match criterion.condition {
                Some(condition) => self.condition(condition, asker),
                None if criterion.is_empty() => TRUE,
                None => self.occurs(c, 0, at),
            };
        }
        let mut parts = self.remembered(c, at);
        parts.extend(match criterion.condition {
            Some(_) if self.l.map.latches.contains_key(&(c, at, criterion.on.len())) => None,
            Some(condition) => Some(self.condition(condition, asker)),
            None => None,
        });
        self.and(parts)
    }

    /// Everything a criterion has a latch for has occurred.
    fn remembered(&mut self, c: CritIx, at: usize) -> Vec<ExprId> {
        let latches =
            (0..=self.l.case.criteria[c].on.len()).filter_map(|k| self.l.map.latches.get(&(c, at, k)).copied());
        let latches: Vec<_> = latches.collect();
        latches.into_iter().map(|v| self.holds(v)).collect()
    }

    /// All on-parts have occurred, by memory where there is one.
    pub fn all_on(&mut self, c: CritIx, at: usize) -> ExprId {
        let criterion = &self.l.case.criteria[c];
        let mut parts = Vec::new();
        for k in 0..criterion.on.len() {
            parts.push(match self.l.map.latches.get(&(c, at, k)).copied() {
                Some(latch) => self.holds(latch),
                None => self.occurs(c, k, at),
            });
        }
        self.and(parts)
    }
}

impl super::Lower<'_> {
    /// May a source instance be heard by a criterion at a place (entry) or instance (exit)?
    fn near(&self, criterion: &Criterion, at: usize, source: InstIx) -> bool {
        let case = self.case;
        let container = if criterion.entry { Some(case.places[at].container) } else { case.instances[at].container };
        let item = case.instances[source].item;
        if case.items[item].parent == case.items[criterion.item].parent {
            return case.instances[source].container == container;
        }
        if case.flowable() {
            return true;
        }
        // The standard: the same instance of every stage that both have around them.
        let start = if criterion.entry { case.places[at].container } else { at };
        let own: Vec<InstIx> = std::iter::once(start).chain(case.around(start)).collect();
        let mut theirs = std::iter::once(source).chain(case.around(source));
        let kind = |i: InstIx| case.instances[i].item;
        theirs.all(|t| own.contains(&t) || !own.iter().any(|o| kind(*o) == kind(t)))
    }
}
