//! Calls that go too deep are not written down. Where such a call would change something, the snapshot after the move is not to be
//! trusted: `unstable`.

use super::point::{Cause, Point};
use super::vars::{CLOSED, ON_TIME, OPENED, Role, UNOPENED};
use crate::lang::egsm::model::{Kind, Sentry, SentryIx, StageIx};
use crate::lang::egsm::nesting::Call;
use crate::machine::{ExprId, FALSE, TRUE};

impl Point<'_> {
    /// A call about a stage is left out, although it may be asked for under `guard` and then `changes` something.
    pub(super) fn leave_out(&mut self, guard: ExprId, s: StageIx, changes: ExprId) {
        let would = self.exprs.and([guard, changes]);
        if would != FALSE {
            self.emit(would, Role::Unstable, TRUE, Cause::Unstable);
            self.note_circle(s);
        }
    }

    /// Remembers the first circle: the stages on the way down since the one that comes back, or all of them.
    pub(super) fn note_circle(&mut self, back: StageIx) {
        if !self.circle.is_empty() {
            return;
        }
        let stage = |call: &Call| match call {
            Call::Update(x) => self.ctx.model.sentries[*x].stage,
            Call::Step(s) | Call::Clear(s) => *s,
        };
        let way: Vec<StageIx> = self.path.iter().map(stage).collect();
        let since = way.iter().position(|s| *s == back).unwrap_or(0);
        let mut circle: Vec<StageIx> = Vec::new();
        for s in way.into_iter().skip(since).chain([back]) {
            if !circle.contains(&s) {
                circle.push(s);
            }
        }
        self.circle = circle;
    }

    /// Telling about a stage that has not moved changes something: a listener is out of date, or there is something to close inside.
    pub(super) fn telling_changes(&mut self, s: StageIx) -> ExprId {
        let stage = &self.ctx.model.stages[s];
        let listeners: Vec<ExprId> = stage.listeners.iter().map(|x| self.out_of_date(*x)).collect();
        let mut inside = Vec::new();
        for &c in &stage.children {
            inside.push(self.has(Role::State(c), OPENED));
            inside.push(self.telling_changes(c));
        }
        let inside = self.exprs.or(inside);
        let closed = self.has(Role::State(s), CLOSED);
        let inside = self.exprs.and([closed, inside]);
        let listeners = self.exprs.or(listeners);
        self.exprs.or([listeners, inside])
    }

    /// Clearing a stage changes something: of itself, of its milestones and flow guards, or inside.
    pub(super) fn clearing_changes(&mut self, c: StageIx) -> ExprId {
        let (state, compliance) = (self.has(Role::State(c), UNOPENED), self.has(Role::Compliance(c), ON_TIME));
        let mut parts = vec![self.exprs.not(state), self.exprs.not(compliance), self.is(Role::Faulty(c))];
        parts.push(self.some(c, Kind::Milestone));
        let flows: Vec<SentryIx> = self.ctx.model.of(c, Kind::Flow).collect();
        parts.extend(flows.into_iter().map(|p| self.out_of_date(p)));
        let children = &self.ctx.model.stages[c].children;
        parts.extend(children.iter().map(|inner| self.clearing_changes(*inner)));
        self.exprs.or(parts)
    }

    /// Looking at a sentry changes it.
    fn out_of_date(&mut self, x: SentryIx) -> ExprId {
        if self.abs.is_fresh(x) {
            return FALSE;
        }
        let Sentry { kind, stage, .. } = self.ctx.model.sentries[x];
        let (value, holds) = (self.is(Role::Sentry(x)), self.sentry(x));
        let same = self.exprs.iff(value, holds);
        let differs = self.exprs.not(same);
        match kind {
            Kind::Guard | Kind::Flow => differs,
            Kind::Milestone => {
                let opened = self.has(Role::State(stage), OPENED);
                self.exprs.and([opened, differs])
            }
            Kind::Fault => {
                let (opened, silent) = (self.has(Role::State(stage), OPENED), self.exprs.not(value));
                self.exprs.and([opened, silent, holds])
            }
        }
    }
}
