//! The propagation of E-GSM executed call by call, as its rules are told: the oracle for the lowered machine.
//!
//! Depth first: every call is finished before the next begins. Rules need not come to an end; after [`MOST_CALLS`] calls the run is
//! given up as unsettled.

use super::model::{Condition, EventIx, ItemIx, Kind, Model, SentryIx, StageIx};
use super::nesting::{Call, Nesting};

/// More calls than this in one move: the rules do not settle.
pub const MOST_CALLS: usize = 100_000;

/// More changes than this, each within the one before: the rules do not settle either. Each takes a piece of the stack. In rules that come
/// to an end, a sentry hardly ever stands on the way to itself twice.
const MOST_NESTED: usize = 1_200;

/// Is a stage open?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Never, since the stage around it last opened.
    #[default]
    Unopened,
    /// Now.
    Opened,
    /// No longer.
    Closed,
}

/// Did a stage open when it should?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compliance {
    /// As far as one can tell.
    #[default]
    OnTime,
    /// It opened while no flow guard held, or after it had been passed over.
    OutOfOrder,
    /// Another stage opened that should have waited for it.
    Skipped,
}

/// One stage in a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Status {
    /// Open?
    pub state: State,
    /// In order?
    pub compliance: Compliance,
    /// Did a fault logger trip?
    pub faulty: bool,
}

/// A settled snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// Per stage.
    pub stages: Vec<Status>,
    /// Last value per sentry.
    pub sentries: Vec<bool>,
    /// Value per item.
    pub items: Vec<i64>,
}

/// What the environment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// An event occurs.
    Event(EventIx),
    /// An item gets a value; 0 is a text that no sentry names.
    Item(ItemIx, i64),
}

/// What happened to stages within a move, whatever became of it by its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn {
    /// It opened.
    Opens(StageIx),
    /// It closed while a milestone of it held.
    Completes(StageIx),
    /// It turned out of order.
    OutOfOrder(StageIx),
    /// It was passed over.
    Skipped(StageIx),
    /// A fault logger tripped.
    Faulty(StageIx),
    /// A guard became true.
    Guard(SentryIx),
}

/// Something within a move, told when it has just happened.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'r> {
    /// What happened.
    pub what: Happening,
    /// Calls that are not finished yet.
    pub depth: usize,
    /// Everything as it is now.
    pub now: &'r Snapshot,
    /// The event that is occurring.
    pub occurring: Option<EventIx>,
}

/// What can happen within a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// An event begins to occur.
    Occurs(EventIx),
    /// A sentry got another value.
    Sentry(SentryIx),
    /// Something turned.
    Turn(Turn),
    /// A stage closed because the one around it did.
    ClosedWith(StageIx),
    /// A stage was forgotten because the one around it opened again.
    Cleared(StageIx),
}

/// The rules took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsettled;

/// The initial snapshot, and what turned on the way to it.
pub fn initial(model: &Model) -> Result<(Snapshot, Vec<Turn>), Unsettled> {
    let now = Snapshot {
        stages: vec![Status::default(); model.stages.len()],
        sentries: vec![false; model.sentries.len()],
        items: vec![0; model.items.len()],
    };
    let mut run = Run::new(model, now, None);
    for sentry in 0..model.sentries.len() {
        run.update(sentry, false)?;
    }
    Ok((run.now, run.turns))
}

/// One move: the snapshot after it, and what turned.
pub fn step(model: &Model, before: &Snapshot, what: Move) -> Result<(Snapshot, Vec<Turn>), Unsettled> {
    watched(model, before, what, None)
}

/// What turned in a move, whether it settles or not; each once.
pub fn turned(model: &Model, before: &Snapshot, what: Move) -> Vec<Turn> {
    let mut run = Run::new(model, before.clone(), None);
    // What turned until then did turn.
    let _ = run.take(what);
    let mut once = Vec::new();
    run.turns.into_iter().for_each(|t| {
        if !once.contains(&t) {
            once.push(t)
        }
    });
    once
}

/// Called with everything that happens within a move.
pub type Witness<'w> = &'w mut dyn FnMut(&Moment);

/// One move, told as it happens.
pub fn watched(
    model: &Model,
    before: &Snapshot,
    what: Move,
    witness: Option<Witness>,
) -> Result<(Snapshot, Vec<Turn>), Unsettled> {
    let mut run = Run::new(model, before.clone(), witness);
    run.take(what)?;
    Ok((run.now, run.turns))
}

/// One move, and whether a call changed something in which an element stands more often than `nesting` times on the way down.
pub fn nested(
    model: &Model,
    before: &Snapshot,
    what: Move,
    nesting: usize,
) -> Result<(Snapshot, Vec<Turn>, bool), Unsettled> {
    let mut run = Run { nesting: Nesting::new(nesting), ..Run::new(model, before.clone(), None) };
    run.take(what)?;
    Ok((run.now, run.turns, run.nesting.beyond))
}

struct Run<'m, 'w> {
    model: &'m Model,
    now: Snapshot,
    occurring: Option<EventIx>,
    turns: Vec<Turn>,
    calls: usize,
    depth: usize,
    nesting: Nesting,
    witness: Option<Witness<'w>>,
}

impl<'m, 'w> Run<'m, 'w> {
    fn new(model: &'m Model, now: Snapshot, witness: Option<Witness<'w>>) -> Run<'m, 'w> {
        let nesting = Nesting::default();
        Run { model, now, occurring: None, turns: Vec::new(), calls: 0, depth: 0, nesting, witness }
    }

    fn take(&mut self, what: Move) -> Result<(), Unsettled> {
        let (i, value) = match what {
            Move::Event(e) => return self.raise(e),
            Move::Item(i, value) => (i, value),
        };
        self.now.items[i] = value;
        let Some((leave, enter)) = self.model.items[i].raises else { return Ok(()) };
        self.raise(leave)?;
        self.raise(enter)?;
        self.model.items[i].listeners.iter().try_for_each(|p| self.update(*p, false))
    }

    fn tell_of(&mut self, what: Happening) {
        if let Some(witness) = &mut self.witness {
            witness(&Moment { what, depth: self.depth, now: &self.now, occurring: self.occurring });
        }
    }

    fn turn(&mut self, turn: Turn) {
        self.turns.push(turn);
        self.tell_of(Happening::Turn(turn));
    }

    fn call(&mut self) -> Result<(), Unsettled> {
        self.calls += 1;
        if self.calls > MOST_CALLS { Err(Unsettled) } else { Ok(()) }
    }

    fn raise(&mut self, e: EventIx) -> Result<(), Unsettled> {
        let event = &self.model.events[e];
        for occurring in [Some(e), None] {
            self.occurring = occurring;
            if occurring.is_some() {
                self.tell_of(Happening::Occurs(e));
            }
            self.tell(&event.listeners, event.twice, &[])?;
        }
        Ok(())
    }

    fn tell(&mut self, listeners: &[SentryIx], twice: bool, stages: &[StageIx]) -> Result<(), Unsettled> {
        for _ in 0..1 + usize::from(twice) {
            for &x in listeners {
                self.update(x, false)?;
            }
        }
        stages.iter().try_for_each(|s| self.step(*s))
    }

    fn update(&mut self, x: SentryIx, clearing: bool) -> Result<(), Unsettled> {
        self.call()?;
        let sentry = &self.model.sentries[x];
        let old = self.now.sentries[x];
        let opened = self.now.stages[sentry.stage].state == State::Opened;
        let new = match sentry.kind {
            Kind::Guard | Kind::Flow => self.holds(x),
            Kind::Milestone if opened => self.holds(x),
            Kind::Milestone => old && !clearing,
            Kind::Fault if opened && !old => self.holds(x),
            Kind::Fault => old,
        };
        if new == old {
            return Ok(());
        }
        let way = self.nesting.enter(Call::Update(x));
        self.now.sentries[x] = new;
        self.nesting.changes += 1;
        self.tell_of(Happening::Sentry(x));
        if sentry.kind == Kind::Flow {
            self.nesting.leave(way);
            return Ok(());
        }
        if sentry.kind == Kind::Guard && new {
            self.turn(Turn::Guard(x));
        }
        self.depth += 1;
        if self.depth > (4 * self.model.sentries.len() + 16).min(MOST_NESTED) {
            return Err(Unsettled);
        }
        self.step(sentry.stage)?;
        for kind in [Kind::Flow, Kind::Fault, Kind::Guard, Kind::Milestone] {
            for &y in sentry.listeners.iter().filter(|y| self.model.sentries[**y].kind == kind) {
                self.update(y, false)?;
            }
        }
        self.depth -= 1;
        self.nesting.leave(way);
        Ok(())
    }

    fn step(&mut self, s: StageIx) -> Result<(), Unsettled> {
        self.call()?;
        let way = self.nesting.enter(Call::Step(s));
        let stage = &self.model.stages[s];
        let parent = stage.parent.map(|p| self.now.stages[p].state);
        let some = |run: &Self, kind| run.model.of(s, kind).any(|x| run.now.sentries[x]);
        match self.now.stages[s].state {
            State::Opened => {
                if some(self, Kind::Fault) && !self.now.stages[s].faulty {
                    self.now.stages[s].faulty = true;
                    self.nesting.changes += 1;
                    self.turn(Turn::Faulty(s));
                }
                let achieved = some(self, Kind::Milestone);
                if achieved || parent == Some(State::Closed) {
                    self.now.stages[s].state = State::Closed;
                    self.nesting.changes += 1;
                    match achieved {
                        true => self.turn(Turn::Completes(s)),
                        false => self.tell_of(Happening::ClosedWith(s)),
                    }
                }
            }
            state => {
                if some(self, Kind::Guard) && parent.is_none_or(|p| p == State::Opened) {
                    self.open(s, state)?;
                }
            }
        }
        let inside: &[StageIx] =
            if self.now.stages[s].state == State::Closed { &self.model.stages[s].children } else { &[] };
        self.tell(&self.model.stages[s].listeners, false, inside)?;
        self.nesting.leave(way);
        Ok(())
    }

    fn open(&mut self, s: StageIx, state: State) -> Result<(), Unsettled> {
        let mut flows = self.model.of(s, Kind::Flow).map(|p| self.now.sentries[p]).peekable();
        let out = flows.peek().is_some() && flows.all(|held| !held);
        let compliance = self.now.stages[s].compliance;
        self.now.stages[s].state = State::Opened;
        self.nesting.changes += 1;
        self.turn(Turn::Opens(s));
        if state == State::Closed {
            self.reset(s)?;
        }
        let skipped = state == State::Unopened && compliance == Compliance::Skipped;
        if skipped || (out && self.now.stages[s].compliance == Compliance::OnTime) {
            self.violate(s);
        }
        Ok(())
    }

    fn violate(&mut self, s: StageIx) {
        self.now.stages[s].compliance = Compliance::OutOfOrder;
        self.turn(Turn::OutOfOrder(s));
        for &other in &self.model.stages[s].named {
            if self.now.stages[other] == Status::default() {
                self.now.stages[other].compliance = Compliance::Skipped;
                self.turn(Turn::Skipped(other));
            }
        }
    }

    fn reset(&mut self, s: StageIx) -> Result<(), Unsettled> {
        self.call()?;
        for &c in &self.model.stages[s].children {
            self.clear(c)?;
        }
        for kind in [Kind::Milestone, Kind::Flow] {
            for &x in self.model.stages[s].sentries.iter().filter(|x| self.model.sentries[**x].kind == kind) {
                self.update(x, true)?;
            }
        }
        Ok(())
    }

    fn clear(&mut self, c: StageIx) -> Result<(), Unsettled> {
        self.call()?;
        let way = self.nesting.enter(Call::Clear(c));
        self.nesting.changes += usize::from(self.now.stages[c] != Status::default());
        let was = self.now.stages[c].state;
        self.now.stages[c].state = State::Unopened;
        if was != State::Unopened {
            self.tell_of(Happening::Cleared(c));
        }
        if was == State::Closed {
            self.reset(c)?;
        }
        self.now.stages[c].faulty = false;
        self.now.stages[c].compliance = Compliance::OnTime;
        self.reset(c)?;
        self.nesting.leave(way);
        Ok(())
    }

    fn holds(&self, x: SentryIx) -> bool {
        self.now.value(&self.model.sentries[x].condition, self.occurring).unwrap_or(false)
    }
}

impl Snapshot {
    /// Value of a condition; `None` when an undeclared event was reached.
    pub fn value(&self, condition: &Condition, occurring: Option<EventIx>) -> Option<bool> {
        Some(match condition {
            Condition::Const(b) => *b,
            Condition::Occurs(e) => occurring == Some(*e),
            Condition::Undeclared => return None,
            Condition::Opened(s) => self.stages[*s].state == State::Opened,
            Condition::Achieved(m) => self.sentries[*m],
            Condition::Is(item, code, is) => (self.items[*item] == *code) == *is,
            Condition::Not(a) => !self.value(a, occurring)?,
            Condition::And(parts) => {
                for part in parts {
                    if !self.value(part, occurring)? {
                        return Some(false);
                    }
                }
                true
            }
            Condition::Or(parts) => {
                for part in parts {
                    if self.value(part, occurring)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }
}
