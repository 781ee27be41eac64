//! A sentry compared with its condition: when its value changes, and what is known then.

use super::abs::Abs;
use super::inline::{MOST_OPS, join};
use super::point::{Cause, Point};
use super::vars::{OPENED, Role};
use crate::lang::egsm::model::{Kind, SentryIx};
use crate::lang::egsm::nesting::Call;
use crate::machine::{ExprId, FALSE, TRUE};

impl Point<'_> {
    /// A sentry is compared with its condition; a change moves its stage and tells its listeners.
    pub fn update(&mut self, guard: ExprId, x: SentryIx, clearing: bool) {
        let sentry = &self.ctx.model.sentries[x];
        if self.ops.len() > MOST_OPS {
            self.note_circle(sentry.stage);
            return;
        }
        let (vars, s, kind) = (self.ctx.vars, sentry.stage, sentry.kind);
        let may_open = self.abs.may(vars, Role::State(s), OPENED);
        let forgets = clearing
            && kind == Kind::Milestone
            && !self.abs.must(vars, Role::State(s), OPENED)
            && self.abs.may(vars, Role::Sentry(x), 1);
        let asleep = matches!(kind, Kind::Milestone | Kind::Fault) && !may_open;
        if (self.abs.is_fresh(x) || asleep) && !forgets {
            self.abs.refresh(x);
            return;
        }
        let rises = self.rising(x);
        let falls = self.falling(x, clearing);
        let (value, differs) = self.change(x, rises.is_some(), falls.is_some(), clearing);
        let Some(taken) = join(rises, falls).filter(|_| differs != FALSE) else {
            self.abs.refresh(x);
            return;
        };
        let here = self.exprs.and([guard, differs]);
        if self.too_deep(Call::Update(x)) {
            self.leave_out(guard, s, differs);
            return;
        }
        let same = self.unchanged(x, clearing);
        self.abs = taken;
        // A milestone that asks for itself may have to change back at once.
        if !self.ctx.reads_itself(x) {
            self.abs.refresh(x);
        }
        if kind == Kind::Flow {
            self.emit(here, Role::Sentry(x), value, Cause::Sentry(x));
        } else {
            let (mark, start) = (self.conditions, self.ops.len());
            let inside = self.fix(here);
            // The new value may be told by the old one, so that is written last.
            if kind == Kind::Guard && value != FALSE {
                let risen = self.exprs.and([inside, value]);
                self.emit(risen, Role::LastGuard(x), TRUE, Cause::Note);
            }
            self.emit(inside, Role::Sentry(x), value, Cause::Sentry(x));
            let written = self.ops.len();
            self.path.push(Call::Update(x));
            self.step(inside, s);
            for kind in [Kind::Flow, Kind::Fault, Kind::Guard, Kind::Milestone] {
                for &y in sentry.listeners.iter().filter(|y| self.ctx.model.sentries[**y].kind == kind) {
                    self.update(inside, y, false);
                }
            }
            self.path.pop();
            self.release(mark);
            if self.ops.len() == written && kind != Kind::Guard {
                self.ops.truncate(start);
                self.emit(here, Role::Sentry(x), value, Cause::Sentry(x));
            }
        }
        if let Some(mut same) = same {
            same.refresh(x);
            self.join(same);
        }
    }

    /// What is known where the sentry becomes true, if it can.
    fn rising(&self, x: SentryIx) -> Option<Abs> {
        let sentry = &self.ctx.model.sentries[x];
        let mut abs = self.abs.clone();
        let possible = abs.assume(self.ctx, Role::Sentry(x), 0, true)
            && (matches!(sentry.kind, Kind::Guard | Kind::Flow)
                || abs.assume(self.ctx, Role::State(sentry.stage), OPENED, true))
            && abs.refine(self.ctx, &sentry.condition, self.occurring, true);
        possible.then(|| {
            abs.write(self.ctx, Role::Sentry(x), 1 << 1);
            abs
        })
    }

    /// What is known where it becomes false, if it can.
    fn falling(&self, x: SentryIx, clearing: bool) -> Option<Abs> {
        let sentry = &self.ctx.model.sentries[x];
        let mut abs = self.abs.clone();
        if sentry.kind == Kind::Fault || !abs.assume(self.ctx, Role::Sentry(x), 1, true) {
            return None;
        }
        let mut refuted = abs.clone();
        let mut possible = refuted.refine(self.ctx, &sentry.condition, self.occurring, false);
        if sentry.kind == Kind::Milestone {
            possible = possible && refuted.assume(self.ctx, Role::State(sentry.stage), OPENED, true);
        }
        let forgotten = clearing
            && sentry.kind == Kind::Milestone
            && abs.assume(self.ctx, Role::State(sentry.stage), OPENED, false);
        let mut joined = join(possible.then_some(refuted), forgotten.then_some(abs))?;
        joined.write(self.ctx, Role::Sentry(x), 1);
        Some(joined)
    }

    /// What is known where it keeps its value, if it can.
    fn unchanged(&self, x: SentryIx, clearing: bool) -> Option<Abs> {
        let sentry = &self.ctx.model.sentries[x];
        let (state, condition) = (Role::State(sentry.stage), &sentry.condition);
        let wakes = matches!(sentry.kind, Kind::Milestone | Kind::Fault);
        let when = |value: i64, opened: Option<bool>, holds: Option<bool>| {
            let mut abs = self.abs.clone();
            let possible = abs.assume(self.ctx, Role::Sentry(x), value, true)
                && opened.is_none_or(|o| abs.assume(self.ctx, state, OPENED, o))
                && holds.is_none_or(|h| abs.refine(self.ctx, condition, self.occurring, h));
            possible.then_some(abs)
        };
        let mut same = join(when(0, None, Some(false)), when(1, None, Some(true)));
        if wakes {
            same = join(same, when(0, Some(false), None));
            if !clearing || sentry.kind == Kind::Fault {
                same = join(same, when(1, Some(false), None));
            }
        }
        if sentry.kind == Kind::Fault {
            same = join(same, when(1, None, None));
        }
        same
    }

    /// The new value, and when it differs from the old one.
    fn change(&mut self, x: SentryIx, rises: bool, falls: bool, clearing: bool) -> (ExprId, ExprId) {
        let (s, kind) = (self.ctx.model.sentries[x].stage, self.ctx.model.sentries[x].kind);
        let (old, holds) = (self.is(Role::Sentry(x)), self.sentry(x));
        let opened = match kind {
            Kind::Guard | Kind::Flow => TRUE,
            Kind::Milestone | Kind::Fault => self.has(Role::State(s), OPENED),
        };
        let was_not = self.exprs.not(old);
        let up = if rises { self.exprs.and([was_not, opened, holds]) } else { FALSE };
        let down = if falls {
            let fails = self.exprs.not(holds);
            let awake = self.exprs.and([opened, fails]);
            let closed = self.exprs.not(opened);
            let gone = if clearing { self.exprs.or([closed, fails]) } else { awake };
            self.exprs.and([old, gone])
        } else {
            FALSE
        };
        let value = match (up, down) {
            (_, FALSE) => TRUE,
            (FALSE, _) => FALSE,
            _ => was_not,
        };
        (value, self.exprs.or([up, down]))
    }
}
