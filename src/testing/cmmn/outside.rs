//! What Flowable's engine does beyond the standard: reaching into stages, listeners that come and go.

use super::literal::Run;
use crate::lang::cmmn::model::*;

impl Run<'_> {
    /// Could this place be reached into? Its containers are not active and the item never existed or repeats.
    pub(super) fn reachable(&mut self, p: PlaceIx) -> bool {
        let place = &self.case.places[p];
        let item = &self.case.items[place.item];
        let Some(parent) = item.parent.filter(|parent| *parent != 0) else { return false };
        let first = std::iter::once(place.container).chain(self.case.around(place.container)).filter(|c| *c != 0);
        let first: Vec<InstIx> = first.collect();
        let slot_one = |c: &InstIx| self.case.instances[*c].place.is_some_and(|p| self.case.places[p].slots[0] == *c);
        if !self.case.flowable() || !first.iter().all(slot_one) || item.is_listener() {
            return false;
        }
        let inactive = self.case.instances_of(parent).all(|c| self.s.states[c] != State::Active);
        let absent = self.case.instances_of(place.item).all(|i| self.s.states[i] == State::None);
        let rule = item.repetition.as_ref().map(|r| r.rule);
        inactive && (absent || rule.is_some_and(|r| self.holds(r, place.slots[0])))
    }

    /// Step 4.
    pub(super) fn reach_in(&mut self) {
        let mut reached = Vec::new();
        for p in 0..self.case.places.len() {
            if !self.reachable(p) {
                continue;
            }
            let item = &self.case.items[self.case.places[p].item];
            let by = item.entry.iter().copied().find(|c| self.reaches(*c, p));
            reached.extend(by.map(|c| (p, c)));
        }
        for (p, c) in reached {
            self.out.1.insert(c);
            let place = &self.case.places[p];
            let mut around: Vec<InstIx> =
                std::iter::once(place.container).chain(self.case.around(place.container)).collect();
            around.reverse();
            for stage in around.into_iter().skip(1) {
                let open = self.case.instances[stage].container.is_some_and(|c| self.s.states[c] == State::Active);
                if open && self.s.states[stage] != State::Active {
                    if let Some(p) = self.case.instances[stage].place {
                        self.forget_entry(p);
                    }
                    self.start(stage, Event::Start);
                }
            }
            if self.s.states[place.container] == State::Active && self.s.states[place.slots[0]] == State::Available {
                self.take(p, place.slots[0]);
            }
        }
    }

    /// Is the criterion satisfied from outside, now?
    fn reaches(&mut self, c: CritIx, p: PlaceIx) -> bool {
        let criterion = &self.case.criteria[c];
        let outside = |part: &OnPart| match &part.source {
            Source::Items(items) => items.iter().any(|i| self.case.is_outside(*i, criterion.item)),
            // A case file item lies outside every container.
            Source::File(_) => true,
            Source::Free(_) | Source::Nothing => false,
        };
        let outside: Vec<bool> = criterion.on.iter().map(outside).collect();
        let now = (0..criterion.on.len()).any(|k| outside[k] && self.occurs(c, k, p));
        let all = (0..criterion.on.len()).all(|k| match criterion.remembers() {
            true => self.s.latches.contains(&(c, p, k)),
            false => self.occurs(c, k, p),
        });
        now && all && criterion.condition.is_none_or(|cond| self.holds(cond, self.asker(c, p)))
    }

    /// Step 5: listeners follow their conditions.
    pub(super) fn listeners(&mut self) {
        for i in 1..self.case.instances.len() {
            let Some(condition) = self.item(i).available_if else { continue };
            let state = match (self.s.states[i], self.holds(condition, i)) {
                (State::Unavailable, true) if self.item(i).kind != (Kind::Listener { reactivate: true }) => {
                    State::Available
                }
                (State::Available, false) => State::Unavailable,
                _ => continue,
            };
            self.s.states[i] = state;
            self.did = true;
        }
    }

    /// Step 5: listeners nobody needs any more end.
    pub(super) fn orphans(&mut self) {
        let all: Vec<InstIx> = (1..self.case.instances.len()).collect();
        let orphans: Vec<InstIx> = all.into_iter().filter(|i| self.orphan(*i)).collect();
        orphans.into_iter().for_each(|i| self.terminate(i));
    }

    fn orphan(&self, i: InstIx) -> bool {
        if !self.item(i).is_listener() || self.s.states[i] != State::Available {
            return false;
        }
        let listener = self.case.instances[i].item;
        let hears =
            |c: &&Criterion| c.on.iter().any(|p| matches!(&p.source, Source::Items(s) if s.contains(&listener)));
        let users: Vec<&Criterion> = self.case.criteria.iter().filter(hears).collect();
        !users.is_empty() && !users.iter().any(|c| self.needs(c, i))
    }

    fn needs(&self, c: &Criterion, i: InstIx) -> bool {
        let item = &self.case.items[c.item];
        if c.item == 0 || item.repetition.is_some() {
            return true;
        }
        let same = item.parent == self.item(i).parent;
        self.case.instances_of(c.item).any(|x| {
            if same && self.case.instances[x].container != self.case.instances[i].container {
                return false;
            }
            let state = self.s.states[x];
            let mut around = self.case.around(x).filter(|a| *a != 0);
            let may_come = item.parent == Some(0) || around.any(|a| self.s.states[a].live());
            let waits = if c.entry { state == State::Available } else { state.live() };
            waits || (state == State::None && may_come)
        })
    }
}
