//! The rounds of a step: a queue of events until nothing more happens.

use super::literal::Run;
use crate::lang::cmmn::model::*;
use std::collections::BTreeSet;

impl Run<'_> {
    /// Runs rounds until the snapshot is stable; `None` when it never is. Says how many rounds did something.
    pub fn rounds(&mut self) -> Option<usize> {
        let mut met = BTreeSet::new();
        for round in 0.. {
            self.now = std::mem::take(&mut self.next);
            if !met.insert((self.s.clone(), self.now.clone())) {
                return None;
            }
            let more = self.round();
            self.files.clear();
            if self.refused || !more {
                let on_event: Vec<bool> = self.case.criteria.iter().map(|c| c.on_event).collect();
                let over = self.s.states[0] != State::Active;
                self.s.latches.retain(|(c, _, _)| !on_event[*c] && !over);
                return Some(round);
            }
        }
        None
    }

    /// One round: did something happen?
    fn round(&mut self) -> bool {
        if self.s.states[0] != State::Active {
            return false;
        }
        self.began = self.s.states.clone();
        self.did = false;
        self.remember();
        if let Some(c) = self.first_satisfied(0, false) {
            self.out.1.insert(c);
            self.end_case_by(c);
            return false;
        }
        for p in 0..self.case.places.len() {
            self.turn(p);
        }
        if self.case.flowable() {
            self.reach_in();
        }
        if !self.did && self.case.flowable() {
            self.listeners();
        }
        if !self.did && self.case.flowable() {
            self.orphans();
        }
        if !self.did {
            self.stages(0);
        }
        if !self.did && self.completion(0, None).1 {
            self.surprise(0);
            self.end_inside(0);
            self.s.states[0] = State::Completed;
            return false;
        }
        self.did
    }

    fn end_case_by(&mut self, c: CritIx) {
        let how = self.case.criteria[c].exit_event;
        if how == ExitEvent::Complete && !self.completion(0, None).0 {
            self.refused = true;
            return;
        }
        self.end_inside(0);
        self.s.states[0] = if how == ExitEvent::Exit { State::Terminated } else { State::Completed };
    }

    fn waiting(&self, p: PlaceIx) -> bool {
        let place = &self.case.places[p];
        let item = &self.case.items[place.item];
        let parts = item.entry.iter().any(|c| !self.case.criteria[*c].on.is_empty());
        let state = |s: &InstIx| self.began[*s];
        item.repetition.is_some()
            && !item.entry.is_empty()
            && (parts || !item.collects())
            && self.began[place.container] == State::Active
            && place.slots.iter().any(|s| state(s) != State::None)
            && !place.slots.iter().any(|s| state(s) == State::Available)
    }

    fn can_exit(&self, i: InstIx) -> bool {
        match self.s.states[i] {
            State::Available | State::Enabled | State::Active => true,
            State::Disabled | State::Failed => !self.case.flowable(),
            _ => false,
        }
    }

    /// Step 1: latches.
    fn remember(&mut self) {
        for p in 0..self.case.places.len() {
            let place = &self.case.places[p];
            let looked = place.slots.iter().any(|s| self.s.states[*s] == State::Available) || self.waiting(p);
            let reached = self.reachable(p);
            for &c in &self.case.items[place.item].entry {
                self.remember_one(c, p, looked, reached);
            }
        }
        for i in 0..self.case.instances.len() {
            let looked = if i == 0 { self.s.states[0] == State::Active } else { self.can_exit(i) };
            for &c in &self.item(i).exit {
                self.remember_one(c, i, looked, false);
            }
        }
    }

    fn remember_one(&mut self, c: CritIx, at: usize, looked: bool, reached: bool) {
        let criterion = &self.case.criteria[c];
        if !criterion.remembers() || !(looked || reached) {
            return;
        }
        for k in 0..criterion.on.len() {
            if self.occurs(c, k, at) {
                self.s.latches.insert((c, at, k));
            }
        }
        let kept = criterion.condition.filter(|_| looked && self.case.flowable() && !criterion.on_event);
        if kept.is_some_and(|condition| self.holds(condition, self.asker(c, at))) {
            self.s.latches.insert((c, at, criterion.on.len()));
        }
    }

    /// Who asks the if-part of a criterion.
    pub(super) fn asker(&self, c: CritIx, at: usize) -> InstIx {
        if self.case.criteria[c].entry { self.case.places[at].slots[0] } else { at }
    }

    /// Does an on-part of a criterion occur, at a place (entry) or instance (exit)?
    pub(super) fn occurs(&mut self, c: CritIx, k: usize, at: usize) -> bool {
        let criterion = &self.case.criteria[c];
        let part = &criterion.on[k];
        let sources = match &part.source {
            Source::Items(items) => items,
            Source::File(f) => return self.files.contains(&(*f, part.event)),
            Source::Free(f) => return self.free_holds(*f),
            Source::Nothing => return false,
        };
        let own: Vec<InstIx> = match criterion.entry {
            true => std::iter::once(self.case.places[at].container).collect(),
            false => std::iter::once(at).collect(),
        };
        let own: Vec<InstIx> = own.iter().copied().chain(self.case.around(own[0])).collect();
        self.now.iter().any(|(i, event, by)| {
            let item = self.case.instances[*i].item;
            let same = self.case.items[item].parent == self.case.items[criterion.item].parent;
            let container =
                if criterion.entry { Some(self.case.places[at].container) } else { self.case.instances[at].container };
            let near = if same {
                self.case.instances[*i].container == container
            } else if self.case.flowable() {
                true
            } else {
                let theirs: Vec<InstIx> = std::iter::once(*i).chain(self.case.around(*i)).collect();
                let kind = |x: &InstIx| self.case.instances[*x].item;
                theirs.iter().all(|t| own.contains(t) || !own.iter().any(|o| kind(o) == kind(t)))
            };
            let wanted = part.exit_by.as_ref().is_none_or(|list| by.is_some_and(|b| list.contains(&b)));
            sources.contains(&item) && *event == part.event && near && wanted
        })
    }

    pub(super) fn satisfied(&mut self, c: CritIx, at: usize) -> bool {
        let criterion = &self.case.criteria[c];
        if !criterion.has_sentry {
            return false;
        }
        let asker = self.asker(c, at);
        if !criterion.remembers() {
            return match criterion.condition {
                Some(condition) => self.holds(condition, asker),
                None => criterion.is_empty() || self.occurs(c, 0, at),
            };
        }
        let on = (0..criterion.on.len()).all(|k| self.s.latches.contains(&(c, at, k)));
        let kept = self.s.latches.contains(&(c, at, criterion.on.len()));
        on && match criterion.condition {
            Some(_) if self.case.flowable() && !criterion.on_event => kept,
            Some(condition) => self.holds(condition, asker),
            None => true,
        }
    }

    fn first_satisfied(&mut self, at: usize, entry: bool) -> Option<CritIx> {
        let item = if entry { &self.case.items[self.case.places[at].item] } else { self.item(at) };
        let list = if entry { &item.entry } else { &item.exit };
        list.iter().copied().find(|c| self.satisfied(*c, at))
    }

    /// Step 3 at one place: exits, then entry.
    fn turn(&mut self, p: PlaceIx) {
        let place = &self.case.places[p];
        let item = &self.case.items[place.item];
        for &i in &place.slots {
            let ended = |a: InstIx| self.s.states[a] != self.began[a] && self.s.states[a].ended();
            let skipped = self.case.around(i).any(ended);
            if self.s.states[i] != self.began[i] || !self.can_exit(i) || self.inside_changed(i) || skipped {
                continue;
            }
            let Some(c) = item.exit.iter().copied().find(|c| !self.spares(*c, i) && self.satisfied(*c, i)) else {
                continue;
            };
            self.out.1.insert(c);
            match self.case.criteria[c].exit_event {
                ExitEvent::Exit => self.exit(i, c),
                _ if item.kind != Kind::Stage => self.exit(i, c),
                ExitEvent::Complete if !self.completion(i, None).0 => self.refused = true,
                _ => self.complete_by(i),
            }
        }
        let container_lives =
            self.began[place.container] == State::Active && self.s.states[place.container] == State::Active;
        let here = |s: &&InstIx| self.began[**s] == State::Available && self.s.states[**s] == State::Available;
        let available = place.slots.iter().find(here).copied().filter(|_| container_lives && !self.renewed(p));
        let waiting = available.is_none() && container_lives && !self.renewed(p) && self.waiting(p);
        if item.is_listener() || (available.is_none() && !waiting) {
            return;
        }
        let by = self.first_satisfied(p, true);
        if by.is_none() && !item.entry.is_empty() {
            return;
        }
        if self.asks(p, waiting) {
            self.fire(p, by, available);
        }
    }

    /// The exit criterion leaves this instance alone.
    fn spares(&self, c: CritIx, i: InstIx) -> bool {
        match self.case.criteria[c].exit_type {
            ExitType::All => false,
            ExitType::Active => matches!(self.s.states[i], State::Available | State::Enabled),
            ExitType::ActiveAndEnabled => self.s.states[i] == State::Available,
        }
    }

    /// A stage that exits as completed leaves no entry memory either.
    fn complete_by(&mut self, i: InstIx) {
        if let Some(p) = self.case.instances[i].place.filter(|_| self.s.states[i] == State::Available) {
            self.forget_entry(p);
        }
        self.complete(i);
    }

    /// Was what stands here created in this round?
    fn renewed(&self, p: PlaceIx) -> bool {
        let place = &self.case.places[p];
        let opened = self.next.contains(&(place.container, Event::Start, None));
        opened || place.slots.iter().any(|s| self.next.contains(&(*s, Event::Create, None)))
    }

    /// Was this instance created in this round?
    fn inside_changed(&self, i: InstIx) -> bool {
        self.next.contains(&(i, Event::Create, None))
    }

    /// Asks the repetition rule where it is to be asked.
    fn asks(&mut self, p: PlaceIx, waiting: bool) -> bool {
        let place = &self.case.places[p];
        let item = &self.case.items[place.item];
        let Some(repetition) = item.repetition.as_ref().filter(|_| !item.entry.is_empty()) else { return true };
        let busy = |s: &&InstIx| matches!(self.s.states[**s], State::Enabled | State::Disabled | State::Active);
        let many = place.slots.iter().filter(busy).count() as u32;
        let asked = self.case.flowable() || waiting;
        !asked || (self.holds(repetition.rule, place.slots[0]) && repetition.most.is_none_or(|most| many < most))
    }

    fn fire(&mut self, p: PlaceIx, by: Option<CritIx>, available: Option<InstIx>) {
        let item = &self.case.items[self.case.places[p].item];
        if item.collects() {
            return self.fire_collection(p, by, available);
        }
        let Some(slot) = available.or_else(|| self.free_slot(p)) else {
            self.s.overflow = true;
            return;
        };
        self.out.1.extend(by);
        if available.is_none() {
            self.create(slot);
        }
        self.take(p, slot);
    }

    pub(super) fn take(&mut self, p: PlaceIx, slot: InstIx) {
        let item = &self.case.items[self.case.places[p].item];
        if !item.entry.is_empty() || item.collects() {
            self.count_up(p);
        }
        self.activate(slot);
    }

    fn free_slot(&self, p: PlaceIx) -> Option<InstIx> {
        let free = |s: &&InstIx| self.s.states[**s] == State::None || self.s.states[**s].ended();
        self.case.places[p].slots.iter().find(free).copied()
    }

    fn fire_collection(&mut self, p: PlaceIx, by: Option<CritIx>, available: Option<InstIx>) {
        let item = &self.case.items[self.case.places[p].item];
        let parts = item.entry.iter().any(|c| !self.case.criteria[*c].on.is_empty());
        let ends = available.is_some() && !parts;
        if !ends && (self.size(p) == 0 || self.free_slot(p).is_none()) {
            self.s.overflow |= self.size(p) > 0;
            return;
        }
        self.out.1.extend(by);
        self.forget_entry(p);
        if let Some(slot) = available.filter(|_| !parts) {
            self.set(slot, State::Terminated, Event::Terminate, None);
        }
        for _ in 0..self.size(p) {
            match self.free_slot(p) {
                Some(slot) => {
                    self.create(slot);
                    self.take(p, slot);
                }
                None => self.s.overflow = true,
            }
        }
    }

    /// Step 6: stages that complete by themselves, innermost first; says whether one did.
    fn stages(&mut self, container: InstIx) -> bool {
        let inside: Vec<InstIx> =
            self.case.instances[container].inside.iter().flat_map(|p| self.case.places[*p].slots.clone()).collect();
        let mut below = false;
        for j in inside {
            if self.item(j).kind == Kind::Stage && self.s.states[j] == State::Active {
                below |= self.stages(j);
            }
        }
        if below || container == 0 || !self.completion(container, None).1 {
            return below;
        }
        self.surprise(container);
        self.complete(container);
        true
    }

    /// Notes that a container completes by itself while a child is enabled.
    fn surprise(&mut self, container: InstIx) {
        let slots = self.case.instances[container].inside.iter().flat_map(|p| &self.case.places[*p].slots);
        if slots.into_iter().any(|j| self.s.states[*j] == State::Enabled) {
            self.out.2.insert(self.case.instances[container].item);
        }
    }
}
