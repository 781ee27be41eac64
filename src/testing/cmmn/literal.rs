//! Operations of plan items on concrete snapshots, as the semantics words them.

use super::Happening;
use crate::lang::cmmn::condition::{Cond, Value};
use crate::lang::cmmn::model::*;
use std::collections::{BTreeMap, BTreeSet};

/// A stable snapshot, or one on the way to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Snapshot {
    /// Per instance; the case comes first.
    pub states: Vec<State>,
    /// What criteria remember: criterion, place or instance, part.
    pub latches: BTreeSet<(CritIx, usize, usize)>,
    /// Positions of values.
    pub data: Vec<usize>,
    /// Case file items: 0 absent, 1 present, 2 deleted.
    pub files: Vec<u8>,
    /// Per place, for counters that are read.
    pub count: Vec<i64>,
    /// Places whose item has been completed, where that matters.
    pub done: BTreeSet<PlaceIx>,
    /// A firing found no slot.
    pub overflow: bool,
    /// A step did not come to an end.
    pub endless: bool,
}

impl Snapshot {
    /// Nothing exists.
    pub fn initial(case: &Case) -> Snapshot {
        Snapshot {
            states: vec![State::None; case.instances.len()],
            latches: BTreeSet::new(),
            data: vec![0; case.data.len()],
            files: vec![0; case.files.len()],
            count: vec![0; case.places.len()],
            done: BTreeSet::new(),
            overflow: false,
            endless: false,
        }
    }
}

/// Free choices of a step: asked for by key, the same answer for the same key.
#[derive(Clone, Debug, Default)]
pub struct Chooser {
    /// Answers and how many there are, in the order asked.
    pub path: Vec<(usize, usize)>,
    known: BTreeMap<Key, usize>,
    asked: usize,
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// A value that the event (item 0) or a task writes.
    Data(ItemIx, DataIx),
    /// A free condition.
    Free(FreeIx),
    /// The size of a collection.
    Size(PlaceIx),
}

impl Chooser {
    fn choose(&mut self, key: Key, of: usize) -> usize {
        if let Some(&answer) = self.known.get(&key) {
            return answer;
        }
        if self.path.len() == self.asked {
            self.path.push((0, of));
        }
        let answer = self.path[self.asked].0;
        self.asked += 1;
        self.known.insert(key, answer);
        answer
    }

    /// The next combination of answers, if there is one.
    pub fn next(mut self) -> Option<Chooser> {
        while let Some((answer, of)) = self.path.pop() {
            if answer + 1 < of {
                self.path.push((answer + 1, of));
                return Some(Chooser { path: self.path, ..Chooser::default() });
            }
        }
        None
    }
}

/// How a step ends.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The snapshot after it.
    pub after: Snapshot,
    /// It came to an end and was not refused: what follows has happened.
    pub happened: bool,
    /// Items that started, or milestones and listeners that occurred.
    pub started: BTreeSet<ItemIx>,
    /// Criteria that fired.
    pub fired: BTreeSet<CritIx>,
    /// Containers that completed by themselves while a child was enabled.
    pub surprised: BTreeSet<ItemIx>,
    /// Rounds it took.
    pub rounds: usize,
}

/// One step; `None` when free conditions forbid it.
pub fn step(case: &Case, before: &Snapshot, happening: &Happening, chooser: &mut Chooser) -> Option<Outcome> {
    let mut run = Run::at(case, before.clone(), chooser);
    if !run.allows(happening) {
        return None;
    }
    run.happen(happening);
    let settled = run.rounds();
    let (started, fired, surprised) = run.out;
    let mut after = run.s;
    let happened = settled.is_some() && !run.refused;
    if !happened {
        after = Snapshot { endless: settled.is_none() || before.endless, ..before.clone() };
    }
    Some(Outcome { after, happened, started, fired, surprised, rounds: settled.unwrap_or(0) })
}

/// An event of the round: instance, event, exit criterion.
pub(super) type Seen = (InstIx, Event, Option<CritIx>);

/// A step under way.
pub(super) struct Run<'c> {
    pub case: &'c Case,
    pub s: Snapshot,
    /// States when the round began.
    pub began: Vec<State>,
    pub now: BTreeSet<Seen>,
    pub next: BTreeSet<Seen>,
    pub files: BTreeSet<(FileIx, Event)>,
    pub chooser: &'c mut Chooser,
    pub refused: bool,
    pub did: bool,
    /// Containers whose completion is being asked: a question within itself gets a no.
    pub asking: Vec<InstIx>,
    /// Started, fired, surprised.
    pub out: (BTreeSet<ItemIx>, BTreeSet<CritIx>, BTreeSet<ItemIx>),
}

impl<'c> Run<'c> {
    /// Nothing has happened yet.
    pub fn at(case: &'c Case, s: Snapshot, chooser: &'c mut Chooser) -> Run<'c> {
        Run {
            case,
            s,
            began: Vec::new(),
            now: BTreeSet::new(),
            next: BTreeSet::new(),
            files: BTreeSet::new(),
            chooser,
            refused: false,
            did: false,
            asking: Vec::new(),
            out: (BTreeSet::new(), BTreeSet::new(), BTreeSet::new()),
        }
    }

    pub fn free_holds(&mut self, f: FreeIx) -> bool {
        self.chooser.choose(Key::Free(f), 2) == 1
    }

    pub fn item(&self, i: InstIx) -> &'c Item {
        let case = self.case;
        case.item_of(i)
    }

    pub fn set(&mut self, i: InstIx, state: State, event: Event, by: Option<CritIx>) {
        self.s.states[i] = state;
        self.next.insert((i, event, by));
        if event != Event::Disable {
            self.s.latches.retain(|(c, at, _)| self.case.criteria[*c].entry || *at != i);
        }
        self.did = true;
        if state == State::Completed {
            self.note_done(i);
        }
    }

    pub fn note_done(&mut self, i: InstIx) {
        if let Some(place) =
            self.case.instances[i].place.filter(|_| self.case.remembers_done(self.case.instances[i].item))
        {
            self.s.done.insert(place);
        }
    }

    pub fn count_up(&mut self, place: PlaceIx) {
        if let Some(most) = self.case.items[self.case.places[place].item].repetition.as_ref().and_then(|r| r.count) {
            self.s.count[place] = (self.s.count[place] + 1).min(most);
        }
    }

    fn place(&self, i: InstIx) -> PlaceIx {
        self.case.instances[i].place.unwrap_or(0)
    }

    pub fn forget_entry(&mut self, place: PlaceIx) {
        self.s.latches.retain(|(c, at, _)| {
            !(self.case.criteria[*c].entry
                && *at == place
                && self.case.criteria[*c].item == self.case.places[place].item)
        });
    }

    pub fn create(&mut self, i: InstIx) {
        let item = self.item(i);
        let hidden = item.available_if.is_some() || item.kind == Kind::Listener { reactivate: true };
        if item.entry.is_empty() && !item.collects() {
            self.count_up(self.place(i));
        }
        self.set(i, if hidden { State::Unavailable } else { State::Available }, Event::Create, None);
    }

    pub fn activate(&mut self, i: InstIx) {
        let item = self.item(i);
        self.forget_entry(self.place(i));
        if let Kind::Milestone(variable) = &item.kind {
            if let Some(code) = variable.and_then(|v| self.case.data[v].code_of(&Value::Bool(true))) {
                self.s.data[variable.unwrap_or(0)] = code;
            }
            self.out.0.insert(self.case.instances[i].item);
            self.set(i, State::Completed, Event::Occur, None);
            if !self.case.flowable() {
                self.repeat(i);
            }
        } else if self.holds(item.manual, i) {
            self.set(i, State::Enabled, Event::Enable, None);
        } else {
            self.start(i, Event::Start);
        }
    }

    pub fn start(&mut self, i: InstIx, event: Event) {
        let item = self.item(i);
        self.out.0.insert(self.case.instances[i].item);
        self.set(i, State::Active, event, None);
        match &item.kind {
            Kind::Task(task) if !self.holds(task.waits, i) => {
                self.write(self.case.instances[i].item, &task.at_once);
                self.complete(i);
            }
            Kind::Stage => {
                self.open(i);
                let auto = self.holds(item.auto_complete, i);
                if !auto && self.completion(i, None).1 {
                    self.complete(i);
                }
            }
            _ => {}
        }
    }

    /// Creates what is inside a container and activates what need not wait.
    pub fn open(&mut self, i: InstIx) {
        for j in 1..self.case.instances.len() {
            if self.case.around(j).any(|a| a == i) {
                self.s.states[j] = State::None;
                let place = self.place(j);
                self.s.count[place] = 0;
                self.s.done.remove(&place);
            }
        }
        let inside: Vec<InstIx> = self.case.instances[i].inside.iter().map(|p| self.case.places[*p].slots[0]).collect();
        let inside: Vec<InstIx> = inside.into_iter().filter(|j| self.item(*j).planning.is_none()).collect();
        inside.iter().for_each(|j| self.create(*j));
        for j in inside {
            if self.item(j).starts_at_once() {
                self.activate(j);
            }
        }
    }

    pub fn write(&mut self, writer: ItemIx, variables: &[DataIx]) {
        for &v in variables {
            self.s.data[v] = self.chooser.choose(Key::Data(writer, v), self.case.data[v].values.len());
        }
    }

    pub fn end_inside(&mut self, i: InstIx) {
        for j in 1..self.case.instances.len() {
            if !self.case.around(j).any(|a| a == i) {
                continue;
            }
            if self.s.states[j].live() {
                let quiet = self.item(j).is_milestone() || self.item(j).is_listener();
                let event = if quiet && !self.case.flowable() { Event::Terminate } else { Event::Exit };
                self.set(j, State::Terminated, event, None);
            }
            self.forget_entry(self.place(j));
        }
    }

    pub fn complete(&mut self, i: InstIx) {
        self.end_inside(i);
        self.set(i, State::Completed, Event::Complete, None);
        self.repeat(i);
    }

    pub fn exit(&mut self, i: InstIx, by: CritIx) {
        let was = self.s.states[i];
        self.end_inside(i);
        if was == State::Available {
            self.forget_entry(self.place(i));
        }
        self.set(i, State::Terminated, Event::Exit, Some(by));
        let spares = self.case.criteria[by].exit_type != ExitType::All;
        if self.case.flowable() && spares && self.item(i).task().is_some() {
            self.repeat(i);
        }
    }

    pub fn terminate(&mut self, i: InstIx) {
        self.end_inside(i);
        self.set(i, State::Terminated, Event::Terminate, None);
        if !self.case.flowable() {
            self.repeat(i);
        }
    }

    /// Repetition without entry criteria: again in the same slot.
    fn repeat(&mut self, i: InstIx) {
        let item = self.item(i);
        let Some(repetition) = item.repetition.as_ref().filter(|r| item.entry.is_empty() && !r.collection) else {
            return;
        };
        let open = self.case.instances[i].container.is_some_and(|c| self.s.states[c] == State::Active);
        if open && self.holds(repetition.rule, i) {
            self.create(i);
        }
    }

    /// Does a condition hold, asked by an instance?
    pub fn holds(&mut self, condition: CondIx, asker: InstIx) -> bool {
        let case = self.case;
        self.cond(&case.conditions[condition].cond, asker)
    }

    fn cond(&mut self, cond: &Cond, asker: InstIx) -> bool {
        let case = self.case;
        let container = case.instances[asker].container.unwrap_or(0);
        match cond {
            Cond::Const(b) => *b,
            Cond::Not(a) => !self.cond(a, asker),
            Cond::All(parts) => parts.iter().all(|p| self.cond(p, asker)),
            Cond::Any(parts) => parts.iter().any(|p| self.cond(p, asker)),
            Cond::Data(v, codes) => codes.contains(&self.s.data[*v]),
            Cond::Count(op, value) => op.holds(self.s.count[self.place(asker)], *value),
            Cond::Done(items) => {
                let places = (0..case.places.len()).filter(|p| items.contains(&case.places[*p].item));
                places.into_iter().any(|p| self.s.done.contains(&p))
            }
            Cond::Query(query) => {
                let mut found = 0;
                for (p, place) in case.places.iter().enumerate() {
                    if !query.items.contains(&place.item) || (query.same_container && place.container != container) {
                        continue;
                    }
                    let others = |s: &&InstIx| {
                        let state = self.s.states[**s];
                        state != State::Completed && query.states.contains(&state)
                    };
                    found += place.slots.iter().filter(others).count() as i64;
                    found += i64::from(query.states.contains(&State::Completed) && self.s.done.contains(&p));
                }
                query.op.holds(found, query.value)
            }
            Cond::Completable if self.asking.contains(&container) => false,
            Cond::Completable => self.completion(container, case.instances[asker].place).0,
            Cond::Free(f) => self.free_holds(*f),
        }
    }

    /// How many instances a collection asks for.
    pub fn size(&mut self, place: PlaceIx) -> usize {
        let slots = self.case.places[place].slots.len();
        self.chooser.choose(Key::Size(place), slots + 2)
    }

    /// (completable, completes by itself); one place may be left out.
    pub fn completion(&mut self, container: InstIx, without: Option<PlaceIx>) -> (bool, bool) {
        let case = self.case;
        self.asking.push(container);
        let auto = self.holds(case.item_of(container).auto_complete, container);
        let (mut able, mut alone) = (true, true);
        for &p in case.instances[container].inside.iter().filter(|p| Some(**p) != without) {
            for &j in &case.places[p].slots {
                let (a, b) = if case.flowable() { self.child_flowable(p, j, auto) } else { self.child_spec(j, auto) };
                able &= a;
                alone &= b;
            }
        }
        self.asking.pop();
        (able, able && alone)
    }

    fn child_spec(&mut self, j: InstIx, auto: bool) -> (bool, bool) {
        let item = self.item(j);
        let state = self.s.states[j];
        let waiting = matches!(state, State::Available | State::Enabled | State::Unavailable);
        let able = state != State::Active && !(waiting && self.holds(item.required, j));
        let plannable = state == State::None && self.case.is_first(j) && self.plannable(j);
        (able, auto || !(waiting || plannable))
    }

    /// May a discretionary instance be planned, its container being active?
    pub fn plannable(&mut self, j: InstIx) -> bool {
        let Some(planning) = self.item(j).planning.clone() else { return false };
        let container = self.case.instances[j].container;
        let offered = planning.at.is_none_or(|task| {
            self.case
                .instances_of(task)
                .any(|t| self.case.instances[t].container == container && self.s.states[t] == State::Active)
        });
        let rule = planning.rules.iter().fold(planning.rules.is_empty(), |any, r| self.holds(*r, j) || any);
        offered && rule
    }

    fn child_flowable(&mut self, p: PlaceIx, j: InstIx, auto: bool) -> (bool, bool) {
        use ParentCompletion as P;
        let item = self.item(j);
        let (state, rule) = (self.s.states[j], item.parent_completion);
        if !matches!(state, State::Available | State::Enabled | State::Active) || rule == P::Ignore {
            return (true, true);
        }
        let done = self.s.done.contains(&p);
        if state == State::Active {
            let passed = done && rule == P::AfterFirst;
            return (passed, passed);
        }
        let again = done && item.repetition.as_ref().is_some_and(|r| self.holds(r.rule, j));
        if self.holds(item.required, j) {
            return (again, again && auto);
        }
        let available = state == State::Available;
        let skip = rule == P::IfAvailableOrEnabled
            || (available && (rule == P::IfAvailable || self.holds(item.neutral, j)))
            || (again && matches!(rule, P::AfterFirst | P::AfterFirstIfAvailableOrEnabled));
        (true, skip || auto)
    }
}
