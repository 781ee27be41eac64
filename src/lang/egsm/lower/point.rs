//! A point of a body under construction: what is known there, and the expressions that read it.

use super::abs::{Abs, Ctx};
use super::vars::Role;
use crate::lang::egsm::model::{Condition, EventIx, Kind, SentryIx, StageIx};
use crate::lang::egsm::nesting::Call;
use crate::machine::{CompareOp, ExprId, Exprs, FALSE, TRUE, VarId};

/// Why an assignment is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The condition of a call.
    Condition,
    /// A sentry gets its new value.
    Sentry(SentryIx),
    /// A stage opens.
    Open(StageIx),
    /// A stage opens again.
    Reopen(StageIx),
    /// A stage closes.
    Close(StageIx),
    /// A fault logger of the stage tripped.
    Fault(StageIx),
    /// The stage opened out of order.
    Violate(StageIx),
    /// The stage was passed over by another.
    Skip(StageIx, StageIx),
    /// The stage is forgotten, because one around it opened again.
    Clear(StageIx),
    /// Something is noted about this move.
    Note,
    /// A call was cut off.
    Unstable,
}

/// `if guard then target := value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Over the variables as they are now.
    pub guard: ExprId,
    /// What is written.
    pub target: VarId,
    /// Its new value.
    pub value: ExprId,
    /// Why.
    pub cause: Cause,
}

/// A body under construction.
pub(super) struct Point<'a> {
    pub ctx: Ctx<'a>,
    pub exprs: &'a mut Exprs,
    pub abs: Abs,
    pub ops: Vec<Op>,
    pub occurring: Option<EventIx>,
    pub path: Vec<Call>,
    /// How often an element may stand on the way down.
    pub nesting: usize,
    /// Conditions in use.
    pub conditions: usize,
    /// Most conditions ever in use.
    pub most: usize,
    /// Stages that set each other off without end, as far as that was met.
    pub circle: Vec<StageIx>,
    /// How often the state of a stage was written.
    pub written: Vec<u32>,
}

impl Point<'_> {
    /// The variable now, or its only possible value. Boolean variables only.
    pub fn is(&mut self, role: Role) -> ExprId {
        match self.abs.only(self.ctx.vars, role) {
            Some(code) => self.exprs.bool(code != 0),
            None => self.exprs.cur(self.ctx.vars.id(role)),
        }
    }

    /// Does the variable have this value now? Enumerated variables only.
    pub fn has(&mut self, role: Role, code: i64) -> ExprId {
        if self.abs.must(self.ctx.vars, role, code) {
            return TRUE;
        }
        if !self.abs.may(self.ctx.vars, role, code) {
            return FALSE;
        }
        let (var, code) = (self.exprs.cur(self.ctx.vars.id(role)), self.exprs.int(code));
        self.exprs.compare(CompareOp::Eq, var, code)
    }

    /// Some sentry of a kind holds.
    pub fn some(&mut self, s: StageIx, kind: Kind) -> ExprId {
        let list: Vec<SentryIx> = self.ctx.model.of(s, kind).collect();
        let parts: Vec<ExprId> = list.into_iter().map(|x| self.is(Role::Sentry(x))).collect();
        self.exprs.or(parts)
    }

    /// What the condition of a sentry says now.
    pub fn sentry(&mut self, x: SentryIx) -> ExprId {
        let (value, poisoned) = self.condition(&self.ctx.model.sentries[x].condition);
        let sound = self.exprs.not(poisoned);
        self.exprs.and([value, sound])
    }

    /// Value, and whether evaluation reached an undeclared event.
    fn condition(&mut self, c: &Condition) -> (ExprId, ExprId) {
        match c {
            Condition::Const(b) => (self.exprs.bool(*b), FALSE),
            Condition::Occurs(e) => (self.exprs.bool(self.occurring == Some(*e)), FALSE),
            Condition::Undeclared => (FALSE, TRUE),
            Condition::Opened(s) => (self.has(Role::State(*s), super::vars::OPENED), FALSE),
            Condition::Achieved(m) => (self.is(Role::Sentry(*m)), FALSE),
            Condition::Is(item, code, is) => {
                let has = self.has(Role::Item(*item), *code);
                (if *is { has } else { self.exprs.not(has) }, FALSE)
            }
            Condition::Not(a) => {
                let (value, poisoned) = self.condition(a);
                (self.exprs.not(value), poisoned)
            }
            Condition::And(parts) => self.chain(parts, true),
            Condition::Or(parts) => self.chain(parts, false),
        }
    }

    /// Left to right, up to the first part that is not `go_on`.
    fn chain(&mut self, parts: &[Condition], go_on: bool) -> (ExprId, ExprId) {
        let (mut reached, mut poisons, mut values) = (TRUE, Vec::new(), Vec::new());
        for part in parts {
            let (value, poisoned) = self.condition(part);
            poisons.push(self.exprs.and([reached, poisoned]));
            let further = if go_on { value } else { self.exprs.not(value) };
            reached = self.exprs.and([reached, further]);
            values.push(value);
        }
        let value = if go_on { self.exprs.and(values) } else { self.exprs.or(values) };
        (value, self.exprs.or(poisons))
    }

    /// Appends an assignment.
    pub fn emit(&mut self, guard: ExprId, role: Role, value: ExprId, cause: Cause) {
        if guard != FALSE {
            self.ops.push(Op { guard, target: self.ctx.vars.id(role), value, cause });
        }
    }

    /// Fixes a condition before anything is assigned; to be given back with [`Point::release`].
    pub fn fix(&mut self, value: ExprId) -> ExprId {
        let role = Role::Condition(self.conditions);
        self.conditions += 1;
        self.most = self.most.max(self.conditions);
        self.emit(TRUE, role, value, Cause::Condition);
        self.exprs.cur(self.ctx.vars.id(role))
    }

    /// Gives back the conditions above a mark.
    pub fn release(&mut self, mark: usize) {
        self.conditions = mark;
    }
}
