//! The propagation of a move with all its calls inlined, in order: `raise`, `tell`, `update`, `step`, `reset`, `clear`.
//!
//! A call is made under a guard, fixed before it begins. Calls that cannot change anything are not emitted; what can be known is in
//! [`Abs`].

use super::abs::Abs;
use super::point::{Cause, Point};
use super::vars::{CLOSED, ON_TIME, OPENED, OUT_OF_ORDER, Role, SKIPPED, Turn, UNOPENED};
use crate::lang::egsm::model::{Condition, EventIx, Kind, SentryIx, StageIx};
use crate::lang::egsm::nesting::Call;
use crate::machine::{ExprId, FALSE, TRUE};

/// Bodies longer than this are refused.
pub(super) const MOST_OPS: usize = 200_000;

impl Point<'_> {
    /// An event begins, its listeners are told; it ends, they are told again.
    pub fn raise(&mut self, e: EventIx) {
        let event = &self.ctx.model.events[e];
        for occurring in [Some(e), None] {
            self.occurring = occurring;
            let asks = |x: &SentryIx| {
                let mut found = false;
                self.ctx.model.sentries[*x].condition.walk(&mut |c| found |= *c == Condition::Occurs(e));
                found
            };
            let stale: Vec<SentryIx> = (0..self.ctx.model.sentries.len()).filter(asks).collect();
            self.abs.occurs(stale.into_iter());
            for _ in 0..1 + usize::from(event.twice) {
                event.listeners.iter().for_each(|x| self.update(TRUE, *x, false));
            }
        }
    }

    /// A stage opens, opens again, turns faulty or closes; then its listeners and, if it is closed, its inside are told.
    pub fn step(&mut self, guard: ExprId, s: StageIx) {
        let stage = &self.ctx.model.stages[s];
        let mark = self.conditions;
        let wakes = self.some(s, Kind::Guard);
        let around = stage.parent.map_or(TRUE, |p| self.has(Role::State(p), OPENED));
        let left = stage.parent.map_or(FALSE, |p| self.has(Role::State(p), CLOSED));
        let mut when = |code: i64, parts: [ExprId; 2]| {
            let state = self.has(Role::State(s), code);
            self.exprs.and([guard, state, parts[0], parts[1]])
        };
        let (opens, again) = (when(UNOPENED, [wakes, around]), when(CLOSED, [wakes, around]));
        let trips = self.some(s, Kind::Fault);
        let done = self.some(s, Kind::Milestone);
        let ends = self.exprs.or([done, left]);
        let opened = self.has(Role::State(s), OPENED);
        let closes = self.exprs.and([guard, opened, ends]);
        if self.too_deep(Call::Step(s)) {
            let faulty = self.is(Role::Faulty(s));
            let regular = self.exprs.not(faulty);
            let (trips, told) = (self.exprs.and([opened, trips, regular]), self.telling_changes(s));
            let changes = self.exprs.or([opens, again, closes, trips, told]);
            self.leave_out(guard, s, changes);
            return;
        }
        let opens = if opens == FALSE { FALSE } else { self.fix(opens) };
        let again = if again == FALSE { FALSE } else { self.fix(again) };
        self.path.push(Call::Step(s));
        let mut after: Vec<Abs> = Vec::new();
        let before = self.abs.clone();
        if self.abs.assume(self.ctx, Role::State(s), OPENED, true) {
            let regular = self.is(Role::Faulty(s));
            let regular = self.exprs.not(regular);
            let tripped = self.exprs.and([guard, opened, trips, regular]);
            self.emit(tripped, Role::Last(Turn::Faulty, s), TRUE, Cause::Note);
            self.emit(tripped, Role::Faulty(s), TRUE, Cause::Fault(s));
            if tripped != FALSE {
                let mut faulty = self.abs.clone();
                faulty.write(self.ctx, Role::Faulty(s), 1 << 1);
                self.abs = self.abs.clone().join(faulty);
            }
            let completes = self.exprs.and([guard, opened, done]);
            after.extend(self.close(s, closes, completes));
        }
        self.abs = before.clone();
        if opens != FALSE && self.assume_opening(s, UNOPENED) {
            self.open(opens, s);
            after.push(self.abs.clone());
        }
        self.abs = before.clone();
        if again != FALSE && self.assume_opening(s, CLOSED) {
            self.reopen(again, s);
            after.push(self.abs.clone());
        }
        self.abs = before;
        after.extend(self.stays_shut(s));
        self.tell(guard, s, after);
        self.path.pop();
        self.release(mark);
    }

    /// What is known where a stage that is not opened stays so: no guard of it holds, or the stage around it is not opened.
    fn stays_shut(&self, s: StageIx) -> Option<Abs> {
        let mut shut = self.abs.clone();
        if !shut.assume(self.ctx, Role::State(s), OPENED, false) {
            return None;
        }
        let mut asleep = shut.clone();
        let quiet = self.ctx.model.of(s, Kind::Guard).all(|g| asleep.assume(self.ctx, Role::Sentry(g), 1, false));
        let parent = self.ctx.model.stages[s].parent;
        let outside = parent.is_some_and(|p| shut.assume(self.ctx, Role::State(p), OPENED, false));
        join(quiet.then_some(asleep), outside.then_some(shut))
    }

    /// An opened stage closes, or is known to have no reason to. Gives what is known after.
    fn close(&mut self, s: StageIx, closes: ExprId, completes: ExprId) -> Vec<Abs> {
        let mut stays = self.abs.clone();
        let milestones: Vec<SentryIx> = self.ctx.model.of(s, Kind::Milestone).collect();
        let parent = self.ctx.model.stages[s].parent;
        let mut possible = milestones.iter().all(|m| stays.assume(self.ctx, Role::Sentry(*m), 1, false));
        possible = possible && parent.is_none_or(|p| stays.assume(self.ctx, Role::State(p), CLOSED, false));
        if possible {
            stays.settle(s);
            if parent.is_none_or(|p| !stays.may(self.ctx.vars, Role::State(p), UNOPENED)) {
                stays.enclose(s);
            }
        }
        let mut after: Vec<Abs> = possible.then_some(stays).into_iter().collect();
        if closes == FALSE {
            return after;
        }
        self.emit(completes, Role::Last(Turn::Completes, s), TRUE, Cause::Note);
        self.write_state(closes, s, CLOSED, Cause::Close(s));
        after.push(self.abs.clone());
        after
    }

    fn write_state(&mut self, guard: ExprId, s: StageIx, code: i64, cause: Cause) {
        let value = self.exprs.int(code);
        self.emit(guard, Role::State(s), value, cause);
        self.abs.write(self.ctx, Role::State(s), 1 << code);
        self.written[s] += 1;
    }

    /// Facts where a stage in this state opens; `false` when it cannot.
    fn assume_opening(&mut self, s: StageIx, state: i64) -> bool {
        let parent = self.ctx.model.stages[s].parent;
        self.abs.assume(self.ctx, Role::State(s), state, true)
            && parent.is_none_or(|p| self.abs.assume(self.ctx, Role::State(p), OPENED, true))
    }

    fn open(&mut self, guard: ExprId, s: StageIx) {
        self.write_state(guard, s, OPENED, Cause::Open(s));
        self.emit(guard, Role::Last(Turn::Opens, s), TRUE, Cause::Note);
        let skipped = self.has(Role::Compliance(s), SKIPPED);
        let on_time = self.has(Role::Compliance(s), ON_TIME);
        let out = self.out(s);
        let early = self.exprs.and([on_time, out]);
        let violates = self.exprs.or([skipped, early]);
        let violates = self.exprs.and([guard, violates]);
        self.violate(violates, s);
    }

    fn reopen(&mut self, guard: ExprId, s: StageIx) {
        let out = self.out(s);
        let out = self.exprs.and([guard, out]);
        let out = if out == FALSE { FALSE } else { self.fix(out) };
        self.write_state(guard, s, OPENED, Cause::Reopen(s));
        self.emit(guard, Role::Last(Turn::Opens, s), TRUE, Cause::Note);
        self.reset(guard, s);
        let on_time = self.has(Role::Compliance(s), ON_TIME);
        let violates = self.exprs.and([out, on_time]);
        self.violate(violates, s);
    }

    /// It has flow guards and none held.
    fn out(&mut self, s: StageIx) -> ExprId {
        if self.ctx.model.of(s, Kind::Flow).next().is_none() {
            return FALSE;
        }
        let held = self.some(s, Kind::Flow);
        self.exprs.not(held)
    }

    /// Out of order; and the stages it should have waited for are passed over. The guard may read its compliance, so that comes last.
    fn violate(&mut self, guard: ExprId, s: StageIx) {
        if guard == FALSE {
            return;
        }
        let (skipped, out) = (self.exprs.int(SKIPPED), self.exprs.int(OUT_OF_ORDER));
        for &other in &self.ctx.model.stages[s].named {
            let state = self.has(Role::State(other), UNOPENED);
            let on_time = self.has(Role::Compliance(other), ON_TIME);
            let faulty = self.is(Role::Faulty(other));
            let regular = self.exprs.not(faulty);
            let passed = self.exprs.and([guard, state, on_time, regular]);
            if passed != FALSE {
                self.emit(passed, Role::Last(Turn::Skipped, other), TRUE, Cause::Note);
                self.emit(passed, Role::Compliance(other), skipped, Cause::Skip(other, s));
                self.may_become(Role::Compliance(other), SKIPPED);
            }
        }
        self.emit(guard, Role::Last(Turn::OutOfOrder, s), TRUE, Cause::Note);
        self.emit(guard, Role::Compliance(s), out, Cause::Violate(s));
        self.may_become(Role::Compliance(s), OUT_OF_ORDER);
    }

    fn may_become(&mut self, role: Role, code: i64) {
        let mut changed = self.abs.clone();
        changed.write(self.ctx, role, 1 << code);
        self.abs = self.abs.clone().join(changed);
    }

    /// Listeners of a stage; its inside too where it is closed, which is decided before they are told.
    fn tell(&mut self, guard: ExprId, s: StageIx, after: Vec<Abs>) {
        let stage = &self.ctx.model.stages[s];
        let mark = self.conditions;
        let (mut closed, mut other) = (None, None);
        for abs in after {
            let mut shut = abs.clone();
            closed = join(closed, shut.assume(self.ctx, Role::State(s), CLOSED, true).then_some(shut));
            let mut not = abs;
            other = join(other, not.assume(self.ctx, Role::State(s), CLOSED, false).then_some(not));
        }
        let Some(both) = join(closed.clone(), other.clone()) else { return };
        self.abs = both;
        let is_closed = self.has(Role::State(s), CLOSED);
        let is_closed = self.exprs.and([guard, is_closed]);
        let inward = is_closed != FALSE && !stage.children.is_empty();
        let start = self.ops.len();
        let decided = if inward { self.fix(is_closed) } else { FALSE };
        let (fixed, version) = (self.ops.len(), self.written[s]);
        stage.listeners.iter().for_each(|x| self.update(guard, *x, false));
        if inward {
            // Where nothing was told, what is known of the closed stage is known apart.
            let (inside, outside) = match (self.ops.len() == fixed, self.written[s] == version) {
                (true, _) => (closed, other),
                (_, true) => {
                    let (mut shut, mut not) = (self.abs.clone(), self.abs.clone());
                    let shut = shut.assume(self.ctx, Role::State(s), CLOSED, true).then_some(shut);
                    (shut, not.assume(self.ctx, Role::State(s), CLOSED, false).then_some(not))
                }
                _ => (Some(self.abs.clone()), Some(self.abs.clone())),
            };
            if let Some(inside) = inside {
                self.abs = inside;
                stage.children.iter().for_each(|c| self.step(decided, *c));
                if let Some(outside) = outside {
                    self.join(outside);
                }
            }
        }
        if self.ops.len() == fixed {
            self.ops.truncate(start);
        }
        self.release(mark);
    }

    /// A stage that opens again forgets what is inside, then its milestones and flow guards are looked at.
    fn reset(&mut self, guard: ExprId, s: StageIx) {
        let stage = &self.ctx.model.stages[s];
        stage.children.iter().for_each(|c| self.clear(guard, *c));
        for kind in [Kind::Milestone, Kind::Flow] {
            let list: Vec<SentryIx> = self.ctx.model.of(s, kind).collect();
            list.into_iter().for_each(|x| self.update(guard, x, true));
        }
    }

    fn clear(&mut self, guard: ExprId, c: StageIx) {
        if self.too_deep(Call::Clear(c)) {
            let changes = self.clearing_changes(c);
            self.leave_out(guard, c, changes);
            return;
        }
        self.path.push(Call::Clear(c));
        let mark = self.conditions;
        let closed = self.has(Role::State(c), CLOSED);
        let was = self.exprs.and([guard, closed]);
        if was != FALSE {
            let before = self.abs.clone();
            let was = self.fix(was);
            self.write_unless_same(guard, c);
            let other = self.abs.clone();
            self.abs = before;
            self.abs.assume(self.ctx, Role::State(c), CLOSED, true);
            self.abs.write(self.ctx, Role::State(c), 1 << UNOPENED);
            self.reset(was, c);
            self.join(other);
        } else {
            self.write_unless_same(guard, c);
        }
        let on_time = self.exprs.int(ON_TIME);
        if !self.abs.must(self.ctx.vars, Role::Faulty(c), 0) {
            self.emit(guard, Role::Faulty(c), FALSE, Cause::Clear(c));
            self.abs.write(self.ctx, Role::Faulty(c), 1);
        }
        if !self.abs.must(self.ctx.vars, Role::Compliance(c), ON_TIME) {
            self.emit(guard, Role::Compliance(c), on_time, Cause::Clear(c));
            self.abs.write(self.ctx, Role::Compliance(c), 1 << ON_TIME);
        }
        self.reset(guard, c);
        self.path.pop();
        self.release(mark);
    }

    fn write_unless_same(&mut self, guard: ExprId, c: StageIx) {
        if !self.abs.must(self.ctx.vars, Role::State(c), UNOPENED) {
            self.write_state(guard, c, UNOPENED, Cause::Clear(c));
        }
    }

    /// Joins what is known here with what was known before the branch was not taken.
    pub(super) fn join(&mut self, not_taken: Abs) {
        self.abs = self.abs.clone().join(not_taken);
    }

    pub(super) fn too_deep(&self, call: Call) -> bool {
        self.path.iter().filter(|c| **c == call).count() >= self.nesting
    }
}

pub(super) fn join(a: Option<Abs>, b: Option<Abs>) -> Option<Abs> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    }
}
