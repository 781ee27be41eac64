//! Operations of plan items: create, activate, start, complete, exit, terminate.

use super::Does;
use super::emit::{Choice, Emit};
use crate::lang::cmmn::condition::Value;
use crate::lang::cmmn::model::{CritIx, DataIx, Event, ExitType, InstIx, ItemIx, Kind, PlaceIx, State};
use crate::machine::{ExprId, TRUE};

impl Emit<'_, '_> {
    /// An instance changes its state and has an event.
    pub fn becomes(&mut self, i: InstIx, state: State, event: Event, by: Option<CritIx>) {
        let Some(code) = self.l.map.code(i, state) else { return };
        self.record(i, event, by, TRUE);
        let does = Does::Becomes(i, state, event);
        let at = self.rules.len();
        self.assign(does, self.l.map.states[i], code);
        if matches!(event, Event::Start | Event::ManualStart | Event::Occur) && self.rules.len() > at {
            self.marks.push((does, at));
        }
        // What is put aside still waits for the rest.
        if event != Event::Disable {
            self.forget_exit(i);
        }
        if state == State::Completed {
            self.note_done(i);
        }
    }

    pub fn note_done(&mut self, i: InstIx) {
        if let Some(done) = self.l.case.instances[i].place.and_then(|p| self.l.map.done[p]) {
            self.assign(Does::Nothing, done, 1);
        }
    }

    /// Exit criteria of an instance forget.
    pub fn forget_exit(&mut self, i: InstIx) {
        let case = self.l.case;
        for &c in &case.item_of(i).exit {
            self.forget(c, i, TRUE);
        }
    }

    /// Entry criteria at a place forget, where `when` holds.
    pub fn forget_entry(&mut self, p: PlaceIx, when: ExprId) {
        let case = self.l.case;
        for &c in &case.items[case.places[p].item].entry {
            self.forget(c, p, when);
        }
    }

    fn forget(&mut self, c: CritIx, at: usize, when: ExprId) {
        for part in 0..=self.l.case.criteria[c].on.len() {
            if let Some(latch) = self.l.map.latches.get(&(c, at, part)).copied() {
                self.assign_if(Does::Nothing, when, latch, 0);
            }
        }
    }

    fn place(&self, i: InstIx) -> PlaceIx {
        self.l.case.instances[i].place.unwrap_or(0)
    }

    pub fn create(&mut self, i: InstIx) {
        let item = self.l.case.item_of(i);
        let hidden = item.available_if.is_some() || item.kind == Kind::Listener { reactivate: true };
        if item.entry.is_empty() && !item.collects() {
            self.count(self.place(i));
        }
        self.becomes(i, if hidden { State::Unavailable } else { State::Available }, Event::Create, None);
        if self.in_round {
            let fresh = self.l.fresh(i);
            self.fit();
            self.assign(Does::Nothing, fresh, 1);
        }
    }

    pub fn count(&mut self, p: PlaceIx) {
        if let Some(count) = self.l.map.count[p] {
            self.count_up(count);
        }
    }

    pub fn activate(&mut self, i: InstIx) {
        let item = self.l.case.item_of(i);
        self.forget_entry(self.place(i), TRUE);
        if let Kind::Milestone(variable) = &item.kind {
            let case = self.l.case;
            let truth = variable.and_then(|v| Some((v, case.data[v].code_of(&Value::Bool(true))?)));
            if let Some((v, code)) = truth {
                self.assign(Does::Writes(v), self.l.map.data[v], code as i64);
            }
            self.becomes(i, State::Completed, Event::Occur, None);
            if !case.flowable() {
                self.repeat(i);
            }
            return;
        }
        let manual = self.condition(item.manual, i);
        self.branch(manual, |e| e.becomes(i, State::Enabled, Event::Enable, None), |e| e.start(i, Event::Start));
    }

    pub fn start(&mut self, i: InstIx, event: Event) {
        let item = self.l.case.item_of(i);
        self.becomes(i, State::Active, event, None);
        match &item.kind {
            Kind::Task(task) => {
                let waits = self.condition(task.waits, i);
                let goes_on = self.not(waits);
                self.when(Does::Nothing, goes_on, |e| {
                    e.write(e.l.case.instances[i].item, &task.at_once);
                    e.complete(i);
                });
            }
            Kind::Stage => {
                self.open(i);
                let auto = self.condition(item.auto_complete, i);
                let (by_hand, alone) = (self.not(auto), self.completion(i, None).1);
                let now = self.and([by_hand, alone]);
                self.when(Does::Nothing, now, |e| e.complete(i));
            }
            _ => {}
        }
    }

    /// Everything inside a container, at any depth.
    fn inside(&self, i: InstIx) -> Vec<InstIx> {
        let case = self.l.case;
        (1..case.instances.len()).filter(|j| case.around(*j).any(|a| a == i)).collect()
    }

    /// Creates what is inside a container and activates what need not wait.
    pub fn open(&mut self, i: InstIx) {
        let case = self.l.case;
        for j in self.inside(i) {
            self.assign(Does::Nothing, self.l.map.states[j], 0);
            let p = self.place(j);
            for var in [self.l.map.count[p], self.l.map.done[p]].into_iter().flatten() {
                self.assign(Does::Nothing, var, 0);
            }
        }
        let first: Vec<InstIx> = case.instances[i].inside.iter().map(|p| case.places[*p].slots[0]).collect();
        let created = || first.iter().copied().filter(|j| case.item_of(*j).planning.is_none());
        created().for_each(|j| self.create(j));
        created().filter(|j| case.item_of(*j).starts_at_once()).for_each(|j| self.activate(j));
    }

    /// A task writes what it finds out.
    fn write(&mut self, writer: ItemIx, variables: &[DataIx]) {
        let case = self.l.case;
        for &v in variables {
            let domain = self.l.m.var(self.l.map.data[v]).domain.clone();
            let name = || format!("{}.{}", case.items[writer].name, case.data[v].name);
            let value = self.choice(Choice::Data(writer, v), name, domain);
            self.assign_any(Does::Writes(v), self.l.map.data[v], value);
        }
    }

    /// What is live inside a container ends.
    pub fn end_inside(&mut self, i: InstIx) {
        for j in self.inside(i) {
            let item = self.l.case.item_of(j);
            let quiet = item.is_milestone() || item.is_listener();
            let event = if quiet && !self.l.case.flowable() { Event::Terminate } else { Event::Exit };
            let live = self.in_states(j, &State::live);
            self.record(j, event, None, live);
            let code = self.l.map.code(j, State::Terminated).unwrap_or(0);
            let codes = self.l.map.codes[j].iter().enumerate().filter(|(_, s)| s.live());
            let from = codes.fold(0, |mask, (c, _)| mask | 1 << c);
            self.assign_from(Does::Becomes(j, State::Terminated, event), from, self.l.map.states[j], code);
            self.forget_exit(j);
            self.forget_entry(self.place(j), TRUE);
        }
    }

    pub fn complete(&mut self, i: InstIx) {
        self.end_inside(i);
        self.becomes(i, State::Completed, Event::Complete, None);
        self.repeat(i);
    }

    pub fn exit(&mut self, i: InstIx, by: CritIx) {
        let available = self.is(i, State::Available);
        self.end_inside(i);
        self.forget_entry(self.place(i), available);
        self.becomes(i, State::Terminated, Event::Exit, Some(by));
        let case = self.l.case;
        let spares = case.criteria[by].exit_type != ExitType::All;
        if case.flowable() && spares && case.item_of(i).task().is_some() {
            self.repeat(i);
        }
    }

    pub fn terminate(&mut self, i: InstIx) {
        self.end_inside(i);
        self.becomes(i, State::Terminated, Event::Terminate, None);
        if !self.l.case.flowable() {
            self.repeat(i);
        }
    }

    /// Repetition without entry criteria: again in the same slot.
    fn repeat(&mut self, i: InstIx) {
        let case = self.l.case;
        let item = case.item_of(i);
        let Some(repetition) = item.repetition.as_ref().filter(|r| item.entry.is_empty() && !r.collection) else {
            return;
        };
        let Some(container) = case.instances[i].container else { return };
        let open = self.is(container, State::Active);
        let rule = self.condition(repetition.rule, i);
        let again = self.and([open, rule]);
        self.when(Does::Nothing, again, |e| e.create(i));
    }

    /// The case is over.
    pub fn end_case(&mut self, state: State) {
        self.end_inside(0);
        self.becomes(0, state, Event::Complete, None);
    }
}
