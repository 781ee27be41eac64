//! The rounds of a step, one after another, until nothing can happen any more.

use super::Does;
use super::emit::{Choice, Emit, Key};
use crate::lang::cmmn::model::{Event, InstIx, PlaceIx, State};
use crate::machine::{ArithOp, CompareOp, Domain, ExprId, FALSE, TRUE, VarId};

/// What has happened in a round so far: in its steps 3 and 4, among listeners, orphans, stages.
#[derive(Clone, Copy)]
pub(super) struct Did {
    pub moves: VarId,
    pub listeners: VarId,
    pub orphans: VarId,
    pub stages: VarId,
}

/// Was a place waiting when its turn began, before its exits?
#[derive(Clone, Copy)]
enum Waited {
    /// As it is now.
    AsNow,
    Never,
    If(VarId),
}

impl Emit<'_, '_> {
    /// Unrolls rounds; says how many can do something, and whether there could be more than `most`.
    pub fn rounds(&mut self, most: usize) -> (usize, bool) {
        let names = ["moves", "listeners", "orphans", "stages"].map(|n| self.l.named(n));
        self.fit();
        self.in_rounds = true;
        let did = Did { moves: names[0], listeners: names[1], orphans: names[2], stages: names[3] };
        for round in 0..most {
            if !self.round(did) {
                return (round, false);
            }
        }
        self.probing = true;
        let more = self.round(did);
        (most, more)
    }

    /// One round: can it do something?
    fn round(&mut self, did: Did) -> bool {
        self.bank = 1 - self.bank;
        for banks in self.l.heard.values().copied().collect::<Vec<_>>() {
            self.clear(banks[self.bank]);
        }
        for var in [did.moves, did.listeners, did.orphans, did.stages] {
            self.clear(var);
        }
        for var in self.l.stage_flags() {
            self.clear(var);
        }
        for fresh in self.l.all_fresh() {
            self.clear(fresh);
        }
        self.new_round();
        let before = self.acts;
        self.remember();
        self.plan_exits();
        self.in_round = true;
        for p in 0..self.l.case.places.len() {
            self.turn(p, did.moves);
        }
        if self.l.case.flowable() {
            self.reach_in(did.moves);
        }
        self.in_round = false;
        if self.l.case.flowable() {
            self.listeners(did);
            self.orphans(did);
        }
        self.stages(did);
        self.case_completes(did);
        self.file = None;
        self.acts > before
    }

    /// Something happens in a round where the guard holds; when probing, only that it would.
    pub fn act(&mut self, does: Does, guard: ExprId, did: VarId, body: impl FnOnce(&mut Self)) {
        self.acts += 1;
        if self.probing {
            let unsettled = self.l.named("unsettled");
            self.fit();
            self.assign_if(Does::GoesOn, guard, unsettled, 1);
            return;
        }
        self.when(does, guard, |e| {
            e.assign(Does::Nothing, did, 1);
            body(e);
        });
    }

    /// Was this instance created in this round?
    pub fn is_fresh(&mut self, i: InstIx) -> ExprId {
        match self.l.known_fresh(i) {
            Some(fresh) => self.holds(fresh),
            None => FALSE,
        }
    }

    /// Step 3 at one place: exits, then entry.
    fn turn(&mut self, p: PlaceIx, did: VarId) {
        let case = self.l.case;
        let place = &case.places[p];
        let item = &case.items[place.item];
        let repeats = item.repetition.is_some() && !item.entry.is_empty();
        let exits = |e: &mut Self| {
            let all = place.slots.iter().flat_map(|i| item.exit.iter().map(move |c| (*c, *i)));
            all.into_iter().any(|(c, i)| e.satisfied(c, i) != FALSE)
        };
        let mut waited = Waited::AsNow;
        if repeats && exits(self) {
            // Exits must not make the place look as if it had been waiting.
            let waiting = self.waiting(p);
            let flag = self.l.named("waiting");
            self.fit();
            waited = Waited::Never;
            if waiting != FALSE {
                self.assign_any(Does::Nothing, flag, waiting);
                waited = Waited::If(flag);
            }
        }
        for &i in &place.slots {
            for &c in &item.exit {
                self.exit_turn(i, c, did);
            }
        }
        if !item.is_listener() {
            self.entry_turn(p, waited, did);
        }
    }

    /// `available`, and not created in this round.
    fn ready(&mut self, p: PlaceIx) -> ExprId {
        let first = self.l.case.places[p].slots[0];
        let (available, fresh) = (self.is(first, State::Available), self.is_fresh(first));
        let old = self.not(fresh);
        self.and([available, old])
    }

    fn entry_turn(&mut self, p: PlaceIx, waited: Waited, did: VarId) {
        let case = self.l.case;
        let item = &case.items[case.places[p].item];
        if !item.collects() && item.repetition.is_some() && !item.entry.is_empty() {
            // That there is no room is no reason to go on.
            let full = self.ask(Key::Overflow(p), &[], &mut |e: &mut Self| {
                let room = e.has_room(p);
                let none = e.not(room);
                let guard = e.entry_guard(p, waited);
                e.and([none, guard])
            });
            if let Some(full) = full {
                self.note(Does::Overflows(p), full, self.l.m.overflow);
            }
        }
        let guard = self.ask(Key::Entry(p), &[], &mut |e: &mut Self| {
            if item.collects() {
                // A criterion stays satisfied while the collection is empty, and that is chosen anew in each step.
                e.depends_on_choice();
            }
            let guard = e.entry_guard(p, waited);
            let room = if item.collects() { TRUE } else { e.has_room(p) };
            e.and([guard, room])
        });
        let Some(guard) = guard else { return };
        if item.collects() {
            return self.fire_collection(p, guard, did);
        }
        let single = if item.entry.len() == 1 { Does::Fires(item.entry[0], p) } else { Does::Nothing };
        self.act(single, guard, did, |e| {
            e.mark_entries(p);
            e.fire(p);
        });
    }

    /// An item is available or waiting, an entry criterion is satisfied, and the repetition rule allows it.
    fn entry_guard(&mut self, p: PlaceIx, waited: Waited) -> ExprId {
        let case = self.l.case;
        let place = &case.places[p];
        let item = &case.items[place.item];
        let satisfied: Vec<ExprId> = item.entry.iter().map(|c| self.satisfied(*c, p)).collect();
        let satisfied = if item.entry.is_empty() { TRUE } else { self.or(satisfied) };
        if satisfied == FALSE {
            return FALSE;
        }
        let ready = self.ready(p);
        let mut waiting = self.waiting(p);
        match waited {
            Waited::Never => waiting = FALSE,
            Waited::If(flag) if !self.supposing => waiting = self.l.m.exprs.cur(flag),
            _ => {}
        }
        let active = self.is(place.container, State::Active);
        let news: Vec<ExprId> = place.slots.iter().map(|s| self.is_fresh(*s)).collect();
        let news = self.or(news);
        let old = self.not(news);
        waiting = self.and([waiting, active, old]);
        let allowed = match item.repetition.as_ref().filter(|_| !item.entry.is_empty()) {
            None => self.or([ready, waiting]),
            Some(repetition) => {
                let rule = self.condition(repetition.rule, place.slots[0]);
                let few = self.few(p, repetition.most);
                let again = self.and([rule, few]);
                let first = if case.flowable() { self.and([ready, again]) } else { ready };
                let next = self.and([waiting, again]);
                self.or([first, next])
            }
        };
        self.and([allowed, satisfied])
    }

    /// Fewer instances are at work than allowed.
    fn few(&mut self, p: PlaceIx, most: Option<u32>) -> ExprId {
        let slots = &self.l.case.places[p].slots;
        let Some(most) = most.filter(|m| *m as usize <= slots.len()) else { return TRUE };
        let busy = |s: State| matches!(s, State::Enabled | State::Disabled | State::Active);
        let at_work: Vec<ExprId> = slots.clone().iter().map(|s| self.in_states(*s, &busy)).collect();
        let exprs = &mut self.l.m.exprs;
        let (zero, one, limit) = (exprs.int(0), exprs.int(1), exprs.int(i64::from(most)));
        let mut sum = zero;
        for part in at_work {
            let number = exprs.ite(part, one, zero);
            sum = exprs.arith(ArithOp::Add, sum, number);
        }
        exprs.compare(CompareOp::Lt, sum, limit)
    }

    fn is_free(&mut self, i: InstIx) -> ExprId {
        self.in_states(i, &|s| s == State::None || s.ended())
    }

    /// The available instance, or a slot to create one in.
    fn has_room(&mut self, p: PlaceIx) -> ExprId {
        let slots = &self.l.case.places[p].slots;
        let mut room: Vec<ExprId> = slots.iter().map(|s| self.is_free(*s)).collect();
        room.push(self.ready(p));
        self.or(room)
    }

    /// Says which criterion fires, where there are several.
    fn mark_entries(&mut self, p: PlaceIx) {
        let case = self.l.case;
        let entry = &case.items[case.places[p].item].entry;
        if entry.len() < 2 {
            return;
        }
        let mut none = TRUE;
        for &c in entry {
            let satisfied = self.satisfied(c, p);
            let first = self.and([none, satisfied]);
            self.mark(Does::Fires(c, p), first);
            let not = self.not(satisfied);
            none = self.and([none, not]);
        }
    }

    /// The available instance is activated, or one in the lowest free slot.
    fn fire(&mut self, p: PlaceIx) {
        let first = self.l.case.places[p].slots[0];
        let ready = self.ready(p);
        self.branch(ready, |e| e.take(p, first), |e| e.place_one(p));
    }

    /// Creates and activates an instance in the lowest free slot; says nothing if there is none.
    fn place_one(&mut self, p: PlaceIx) {
        let slots = self.l.case.places[p].slots.clone();
        if let [only] = slots.as_slice() {
            let free = self.is_free(*only);
            return self.when(Does::Nothing, free, |e| {
                e.create(*only);
                e.take(p, *only);
            });
        }
        let took = self.l.named("took");
        self.fit();
        self.assign(Does::Nothing, took, 0);
        for slot in slots {
            let (free, open) = (self.is_free(slot), self.among(took, 1));
            let here = self.and([free, open]);
            self.when(Does::Nothing, here, |e| {
                e.assign(Does::Nothing, took, 1);
                e.create(slot);
                e.take(p, slot);
            });
        }
    }

    pub fn take(&mut self, p: PlaceIx, slot: InstIx) {
        let item = &self.l.case.items[self.l.case.places[p].item];
        if !item.entry.is_empty() || item.collects() {
            self.count(p);
        }
        self.activate(slot);
    }

    fn fire_collection(&mut self, p: PlaceIx, guard: ExprId, did: VarId) {
        let case = self.l.case;
        let item = &case.items[case.places[p].item];
        let slots = &case.places[p].slots;
        let parts = item.entry.iter().any(|c| !case.criteria[*c].on.is_empty());
        let name = || format!("size of {}'s collection", case.instances[slots[0]].name.trim_end_matches("[1]"));
        let top = slots.len() as i64 + 1;
        let size = self.choice(Choice::Size(p), name, Domain::Int { lo: 0, hi: top });
        let zero = self.l.m.exprs.int(0);
        let some = self.l.m.exprs.compare(CompareOp::Gt, size, zero);
        let ready = self.ready(p);
        let ends = if parts { FALSE } else { ready };
        let room: Vec<ExprId> = slots.iter().map(|s| self.is_free(*s)).collect();
        let room = self.or(room);
        let creates = self.and([some, room]);
        let moves = self.or([creates, ends]);
        let single = if item.entry.len() == 1 { Does::Fires(item.entry[0], p) } else { Does::Nothing };
        // Nothing can be created: that is no reason to go on.
        let still = self.not(moves);
        let full = self.and([guard, still, some]);
        if full != FALSE {
            self.note(Does::Overflows(p), full, self.l.m.overflow);
        }
        let acts = self.and([guard, moves]);
        if acts == FALSE {
            return;
        }
        self.act(single, acts, did, |e| {
            e.mark_entries(p);
            e.forget_entry(p, TRUE);
            e.when(Does::Nothing, ends, |e| e.becomes(slots[0], State::Terminated, Event::Terminate, None));
            for n in 0..top {
                let n = e.l.m.exprs.int(n);
                let more = e.l.m.exprs.compare(CompareOp::Gt, size, n);
                let room: Vec<ExprId> = slots.iter().map(|s| e.is_free(*s)).collect();
                let room = e.or(room);
                let none = e.not(room);
                let full = e.and([more, none]);
                e.assign_if(Does::Overflows(p), full, e.l.m.overflow, 1);
                e.when(Does::Nothing, more, |e| e.place_one(p));
            }
        });
    }

    /// Step 6: stages that complete by themselves, innermost first, none around one that did.
    fn stages(&mut self, did: Did) {
        let unless = [did.moves, did.listeners, did.orphans];
        for i in self.l.stages_inside_out(0) {
            let below: Vec<VarId> = self.l.stage_flags_below(i);
            let unless: Vec<VarId> = unless.into_iter().chain(below).collect();
            let guard = self.ask(Key::Stage(i), &unless, &mut |e: &mut Self| {
                let active = e.is(i, State::Active);
                if active == FALSE {
                    return FALSE;
                }
                let alone = e.completion(i, None).1;
                e.and([active, alone])
            });
            let Some(guard) = guard else { continue };
            let flag = self.l.stage_flag(i);
            self.fit();
            self.act(Does::Nothing, guard, did.stages, |e| {
                e.assign(Does::Nothing, flag, 1);
                e.mark_surprise(i);
                e.complete(i);
            });
        }
    }

    fn mark_surprise(&mut self, container: InstIx) {
        let case = self.l.case;
        let inside = case.instances[container].inside.iter().flat_map(|p| &case.places[*p].slots);
        let enabled: Vec<ExprId> = inside.map(|j| self.is(*j, State::Enabled)).collect();
        let enabled = self.or(enabled);
        self.mark(Does::Surprises(case.instances[container].item), enabled);
    }

    /// Step 7: the case completes.
    fn case_completes(&mut self, did: Did) {
        let unless = [did.moves, did.listeners, did.orphans, did.stages];
        let guard = self.ask(Key::Stage(0), &unless, &mut |e: &mut Self| {
            let active = e.is(0, State::Active);
            let alone = e.completion(0, None).1;
            e.and([active, alone])
        });
        let Some(guard) = guard else { return };
        self.last_act = true;
        self.when(Does::Nothing, guard, |e| {
            e.mark_surprise(0);
            e.end_case(State::Completed);
        });
        self.last_act = false;
    }
}
