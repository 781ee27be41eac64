//! The propagation of E-GSM executed call by call, as its rules are told: the oracle for the lowered machine.
//!
//! Depth first: every call is finished before the next begins. Rules need not come to an end; after [`MOST_CALLS`] calls the run is
//! given up as unsettled.

use super::model::{Condition, EventIx, ItemIx, Kind, Model, SentryIx, StageIx};

/// More calls than this in one move: the rules do not settle.
pub const MOST_CALLS: usize = 100_000;

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
    let mut run = Run { model, now, occurring: None, turns: Vec::new(), calls: 0 };
    for sentry in 0..model.sentries.len() {
        run.update(sentry, false)?;
    }
    Ok((run.now, run.turns))
}

/// One move: the snapshot after it, and what turned.
pub fn step(model: &Model, before: &Snapshot, what: Move) -> Result<(Snapshot, Vec<Turn>), Unsettled> {
    let mut run = Run { model, now: before.clone(), occurring: None, turns: Vec::new(), calls: 0 };
    match what {
        Move::Event(e) => run.raise(e)?,
        Move::Item(i, value) => {
            run.now.items[i] = value;
            if let Some((leave, enter)) = model.items[i].raises {
                run.raise(leave)?;
                run.raise(enter)?;
                for &p in &model.items[i].listeners {
                    run.update(p, false)?;
                }
            }
        }
    }
    Ok((run.now, run.turns))
}

struct Run<'m> {
    model: &'m Model,
    now: Snapshot,
    occurring: Option<EventIx>,
    turns: Vec<Turn>,
    calls: usize,
}

impl Run<'_> {
    fn call(&mut self) -> Result<(), Unsettled> {
        self.calls += 1;
        if self.calls > MOST_CALLS { Err(Unsettled) } else { Ok(()) }
    }

    fn raise(&mut self, e: EventIx) -> Result<(), Unsettled> {
        let event = &self.model.events[e];
        for occurring in [Some(e), None] {
            self.occurring = occurring;
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
        self.now.sentries[x] = new;
        if sentry.kind == Kind::Flow {
            return Ok(());
        }
        if sentry.kind == Kind::Guard && new {
            self.turns.push(Turn::Guard(x));
        }
        self.step(sentry.stage)?;
        for kind in [Kind::Flow, Kind::Fault, Kind::Guard, Kind::Milestone] {
            for &y in sentry.listeners.iter().filter(|y| self.model.sentries[**y].kind == kind) {
                self.update(y, false)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, s: StageIx) -> Result<(), Unsettled> {
        self.call()?;
        let stage = &self.model.stages[s];
        let parent = stage.parent.map(|p| self.now.stages[p].state);
        let some = |run: &Self, kind| run.model.of(s, kind).any(|x| run.now.sentries[x]);
        match self.now.stages[s].state {
            State::Opened => {
                if some(self, Kind::Fault) && !self.now.stages[s].faulty {
                    self.now.stages[s].faulty = true;
                    self.turns.push(Turn::Faulty(s));
                }
                let achieved = some(self, Kind::Milestone);
                if achieved || parent == Some(State::Closed) {
                    self.now.stages[s].state = State::Closed;
                    if achieved {
                        self.turns.push(Turn::Completes(s));
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
        self.tell(&self.model.stages[s].listeners, false, inside)
    }

    fn open(&mut self, s: StageIx, state: State) -> Result<(), Unsettled> {
        let mut flows = self.model.of(s, Kind::Flow).map(|p| self.now.sentries[p]).peekable();
        let out = flows.peek().is_some() && flows.all(|held| !held);
        let compliance = self.now.stages[s].compliance;
        self.now.stages[s].state = State::Opened;
        self.turns.push(Turn::Opens(s));
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
        self.turns.push(Turn::OutOfOrder(s));
        for &other in &self.model.stages[s].named {
            let status = &mut self.now.stages[other];
            if *status == Status::default() {
                status.compliance = Compliance::Skipped;
                self.turns.push(Turn::Skipped(other));
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
        let was = self.now.stages[c].state;
        self.now.stages[c].state = State::Unopened;
        if was == State::Closed {
            self.reset(c)?;
        }
        self.now.stages[c].faulty = false;
        self.now.stages[c].compliance = Compliance::OnTime;
        self.reset(c)
    }

    fn holds(&self, x: SentryIx) -> bool {
        self.value(&self.model.sentries[x].condition).unwrap_or(false)
    }

    /// `None` when an undeclared event was reached.
    fn value(&self, condition: &Condition) -> Option<bool> {
        Some(match condition {
            Condition::Const(b) => *b,
            Condition::Occurs(e) => self.occurring == Some(*e),
            Condition::Undeclared => return None,
            Condition::Opened(s) => self.now.stages[*s].state == State::Opened,
            Condition::Achieved(m) => self.now.sentries[*m],
            Condition::Is(item, code, is) => (self.now.items[*item] == *code) == *is,
            Condition::Not(a) => !self.value(a)?,
            Condition::And(parts) => {
                for part in parts {
                    if !self.value(part)? {
                        return Some(false);
                    }
                }
                true
            }
            Condition::Or(parts) => {
                for part in parts {
                    if self.value(part)? {
                        return Some(true);
                    }
                }
                false
            }
        })
    }
}
