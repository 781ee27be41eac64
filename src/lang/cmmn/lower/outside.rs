//! What Flowable's engine does beyond the standard: reaching into stages, listeners that come and go.

use super::Does;
use super::emit::{Emit, Key};
use super::rounds::Did;
use crate::lang::cmmn::model::{CritIx, Criterion, Event, InstIx, Kind, PlaceIx, Source, State};
use crate::machine::{ExprId, FALSE, TRUE, VarId};

impl Emit<'_, '_> {
    /// Could this place be reached into? Its containers are not active, and the item never existed or repeats.
    pub fn reachable(&mut self, p: PlaceIx) -> ExprId {
        let case = self.l.case;
        let place = &case.places[p];
        let item = &case.items[place.item];
        let Some(parent) = item.parent.filter(|parent| *parent != 0) else { return FALSE };
        let mut stages = std::iter::once(place.container).chain(case.around(place.container)).filter(|c| *c != 0);
        let slot_one = |c: InstIx| case.instances[c].place.is_some_and(|p| case.places[p].slots[0] == c);
        if !case.flowable() || !stages.all(slot_one) || item.is_listener() {
            return FALSE;
        }
        let on = self.is(0, State::Active);
        let closed: Vec<ExprId> =
            case.instances_of(parent).map(|c| self.in_states(c, &|s| s != State::Active)).collect();
        let absent: Vec<ExprId> = case.instances_of(place.item).map(|i| self.is(i, State::None)).collect();
        let absent = self.and(absent);
        let rule = match &item.repetition {
            Some(r) => self.condition(r.rule, place.slots[0]),
            None => FALSE,
        };
        let may = self.or([absent, rule]);
        let closed = self.and(closed);
        self.and([on, closed, may])
    }

    /// Step 4: who is reached is decided first, then it happens.
    pub fn reach_in(&mut self, did: VarId) {
        let case = self.l.case;
        let mut reached = Vec::new();
        for p in 0..case.places.len() {
            let entry = &case.items[case.places[p].item].entry;
            if !entry.iter().any(|c| self.l.listens_outside(&case.criteria[*c])) {
                continue;
            }
            let mut by = Vec::new();
            let guard = self.ask(Key::Reach(p), &[], &mut |e: &mut Self| {
                let now: Vec<(CritIx, ExprId)> = entry.iter().map(|c| (*c, e.reaches(*c, p))).collect();
                let any = e.or(now.iter().map(|(_, r)| *r).collect::<Vec<_>>());
                if !e.supposing {
                    by = now.into_iter().filter(|(_, r)| *r != FALSE).collect();
                }
                if any == FALSE {
                    return FALSE;
                }
                let reachable = e.reachable(p);
                e.and([reachable, any])
            });
            if let Some(guard) = guard {
                reached.push((p, guard, by, self.put_by()));
            }
        }
        let mut decided = Vec::new();
        for (p, guard, by, known) in reached {
            let flag = self.l.named(&format!("reach {p}"));
            self.fit();
            self.assign_any(Does::Nothing, flag, guard);
            decided.push((p, flag, by, known));
        }
        for (p, flag, by, known) in decided {
            let guard = self.holds(flag);
            self.take_up(known, guard);
            self.reach(p, guard, &by, did);
        }
    }

    /// The stages around a place start where they are not active, then its item is activated.
    fn reach(&mut self, p: PlaceIx, guard: ExprId, by: &[(CritIx, ExprId)], did: VarId) {
        let case = self.l.case;
        let place = &case.places[p];
        let single = if let [(c, _)] = by { Does::Fires(*c, p) } else { Does::Nothing };
        self.act(single, guard, did, |e| {
            let mut none = TRUE;
            for (c, reaches) in by.iter().filter(|_| by.len() > 1) {
                let first = e.and([none, *reaches]);
                e.mark(Does::Fires(*c, p), first);
                let not = e.not(*reaches);
                none = e.and([none, not]);
            }
            let mut around: Vec<InstIx> =
                std::iter::once(place.container).chain(case.around(place.container)).collect();
            around.pop();
            for stage in around.into_iter().rev() {
                let closed = e.in_states(stage, &|s| s != State::Active);
                let open = e.is(case.instances[stage].container.unwrap_or(0), State::Active);
                let closed = e.and([open, closed]);
                e.when(Does::Nothing, closed, |e| {
                    if let Some(p) = case.instances[stage].place {
                        e.forget_entry(p, TRUE);
                    }
                    e.start(stage, Event::Start);
                });
            }
            let open = e.is(place.container, State::Active);
            let available = e.is(place.slots[0], State::Available);
            let ready = e.and([open, available]);
            e.when(Does::Nothing, ready, |e| e.take(p, place.slots[0]));
        });
    }

    /// Is a criterion satisfied from outside the container, now?
    fn reaches(&mut self, c: CritIx, p: PlaceIx) -> ExprId {
        let case = self.l.case;
        let criterion = &case.criteria[c];
        let outside: Vec<usize> = (0..criterion.on.len()).filter(|k| self.l.is_outside(criterion, *k)).collect();
        let now: Vec<ExprId> = outside.into_iter().map(|k| self.occurs(c, k, p)).collect();
        let now = self.or(now);
        if now == FALSE {
            return FALSE;
        }
        let all = self.all_on(c, p);
        let condition = match criterion.condition {
            Some(condition) => {
                let asker = self.asker(c, p);
                self.condition(condition, asker)
            }
            None => TRUE,
        };
        self.and([now, all, condition])
    }

    /// Step 5: listeners follow their conditions.
    pub fn listeners(&mut self, did: Did) {
        let case = self.l.case;
        for i in 1..case.instances.len() {
            let Some(condition) = case.item_of(i).available_if else { continue };
            if case.item_of(i).kind == (Kind::Listener { reactivate: true }) {
                continue;
            }
            let guard = self.ask(Key::Listener(i), &[did.moves], &mut |e: &mut Self| {
                let holds = e.condition(condition, i);
                let not = e.not(holds);
                let (hidden, shown) = (e.is(i, State::Unavailable), e.is(i, State::Available));
                let (comes, goes) = (e.and([hidden, holds]), e.and([shown, not]));
                e.or([comes, goes])
            });
            let Some(guard) = guard else { continue };
            let codes = [State::Available, State::Unavailable].map(|s| self.l.map.code(i, s).unwrap_or(0));
            self.act(Does::Nothing, guard, did.listeners, |e| {
                let shown = e.is(i, State::Available);
                let (var, flips) = (e.l.map.states[i], [State::Available, State::Unavailable]);
                e.branch(
                    shown,
                    |e| e.assign(Does::Becomes(i, flips[1], Event::Other), var, codes[1]),
                    |e| e.assign(Does::Becomes(i, flips[0], Event::Other), var, codes[0]),
                );
            });
        }
    }

    /// Step 5: listeners nobody needs any more end, all at once.
    pub fn orphans(&mut self, did: Did) {
        let case = self.l.case;
        let mut orphans = Vec::new();
        for i in (1..case.instances.len()).filter(|i| case.item_of(*i).is_listener()) {
            let listener = case.instances[i].item;
            let hears =
                |c: &&Criterion| c.on.iter().any(|p| matches!(&p.source, Source::Items(s) if s.contains(&listener)));
            let users: Vec<&Criterion> = case.criteria.iter().filter(hears).collect();
            let always = |c: &&Criterion| c.item == 0 || case.items[c.item].repetition.is_some();
            if users.is_empty() || users.iter().any(always) {
                continue;
            }
            let guard = self.ask(Key::Orphan(i), &[did.moves, did.listeners], &mut |e: &mut Self| {
                let available = e.is(i, State::Available);
                let needed: Vec<ExprId> = users.iter().map(|c| e.needs(c, i)).collect();
                let needed = e.or(needed);
                let free = e.not(needed);
                e.and([available, free])
            });
            orphans.extend(guard.map(|g| (i, g, self.put_by())));
        }
        let mut decided = Vec::new();
        for (i, guard, known) in orphans {
            let flag = self.l.named(&format!("orphan {i}"));
            self.fit();
            self.assign_any(Does::Nothing, flag, guard);
            decided.push((i, flag, known));
        }
        for (i, flag, known) in decided {
            let guard = self.holds(flag);
            self.take_up(known, guard);
            self.act(Does::Nothing, guard, did.orphans, |e| e.terminate(i));
        }
    }

    fn needs(&mut self, c: &Criterion, i: InstIx) -> ExprId {
        let case = self.l.case;
        let item = &case.items[c.item];
        let same = item.parent == case.item_of(i).parent;
        let mut needed = Vec::new();
        for x in case.instances_of(c.item) {
            if same && case.instances[x].container != case.instances[i].container {
                continue;
            }
            let entry = c.entry;
            needed.push(self.in_states(x, &|s| if entry { s == State::Available } else { s.live() }));
            let absent = self.is(x, State::None);
            let may_come = match item.parent {
                Some(0) => TRUE,
                _ => {
                    let around: Vec<InstIx> = case.around(x).filter(|a| *a != 0).collect();
                    let live: Vec<ExprId> = around.into_iter().map(|a| self.in_states(a, &State::live)).collect();
                    self.or(live)
                }
            };
            needed.push(self.and([absent, may_come]));
        }
        self.or(needed)
    }
}

impl super::Lower<'_> {
    /// Does an on-part listen to something outside the container of the criterion's item? Case file items lie outside every one.
    fn is_outside(&self, criterion: &Criterion, k: usize) -> bool {
        match &criterion.on[k].source {
            Source::Items(items) => items.iter().any(|i| self.case.is_outside(*i, criterion.item)),
            Source::File(_) => true,
            Source::Free(_) | Source::Nothing => false,
        }
    }

    pub(super) fn listens_outside(&self, criterion: &Criterion) -> bool {
        criterion.has_sentry && (0..criterion.on.len()).any(|k| self.is_outside(criterion, k))
    }
}
