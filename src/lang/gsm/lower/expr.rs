//! Expressions of the model as expressions of the machine.

use super::Lower;
use super::body::Trigger;
use crate::lang::gsm::domains::text_number;
use crate::lang::gsm::{
    AttrIx, DataKind, EventIx, Expr, ExprKind, MilestoneIs, MilestoneIx, Occurrence, Over, StageIx,
};
use crate::lang::gsm::{Constant, Sentry, StageIs, Status, Subject, TypeIx};
use crate::machine::{AgentIx, BOTTOM, CompareOp, Domain, InputIx, Points};
use crate::machine::{ExprId, FALSE, Input, SlotIx, VarId};
use crate::source::Span;

/// Where an expression stands. Variables are read now (`Cur`), except `own` attributes of the context slot, which are read before
/// the step.
#[derive(Clone, Default)]
pub(super) struct Scope<'s> {
    /// The context slot.
    pub this: Option<SlotIx>,
    /// Quantified variables and their slots.
    pub bound: Vec<(u32, SlotIx)>,
    /// Own attributes of the rule.
    pub own: &'s [Status],
    /// What happens, and where.
    pub trigger: Option<Trigger>,
    /// The agent whose id is `$$`.
    pub me: Option<&'s str>,
    /// Payload inputs of the step.
    pub inputs: &'s [Input],
}

/// A translated value.
pub(super) enum Value {
    Bool(ExprId),
    Num(ExprId),
    /// A number with fractions, in parts.
    Real(ExprId),
    /// A number with fractions, as the code of one of these points.
    Point(ExprId, Points),
    /// A text that is known.
    Text(String),
    /// A text given as a code of a domain.
    Coded(ExprId, Domain),
}

impl Value {
    /// A code of a domain.
    pub(super) fn of(code: ExprId, domain: &Domain) -> Value {
        match domain {
            Domain::Bool => Value::Bool(code),
            Domain::Int { .. } | Domain::Date { .. } => Value::Num(code),
            Domain::Real { .. } => Value::Real(code),
            Domain::Points(points) => Value::Point(code, points.clone()),
            domain => Value::Coded(code, domain.clone()),
        }
    }
}

impl Scope<'_> {
    fn slot(&self, of: Subject) -> Option<SlotIx> {
        match of {
            Subject::This => self.this,
            Subject::Bound(n) => self.bound.iter().rev().find(|(v, _)| *v == n).map(|(_, s)| *s),
            Subject::Element => None,
        }
    }

    pub(super) fn with(&self, var: u32, slot: SlotIx) -> Self {
        let mut inner = self.clone();
        inner.bound.push((var, slot));
        inner
    }
}

impl Lower<'_> {
    /// A Boolean expression.
    pub(super) fn boolean(&mut self, e: &Expr, scope: &Scope) -> ExprId {
        match self.value(e, scope) {
            Value::Bool(b) => b,
            _ => {
                self.misfit(Some(e.span), "this is no condition");
                FALSE
            }
        }
    }

    /// The slot of what an expression is about; a creation that finds no free slot has none.
    fn subject(&mut self, of: Subject, scope: &Scope, span: Span) -> Option<SlotIx> {
        let slot = scope.slot(of);
        if slot.is_none() && of != Subject::This {
            self.misfit(Some(span), "this speaks of a variable that nothing binds");
        }
        slot
    }

    pub(super) fn value(&mut self, e: &Expr, scope: &Scope) -> Value {
        let truth = match &e.kind {
            ExprKind::Bool(b) => self.m.exprs.bool(*b),
            ExprKind::Int(i) => return Value::Num(self.m.exprs.int(*i)),
            ExprKind::Decimal(d) => return self.decimal(*d, e.span),
            ExprKind::Text(t) => return Value::Text(t.clone()),
            ExprKind::SelfId => match scope.me {
                Some(me) => return Value::Text(me.to_string()),
                None => return self.nothing(e.span, "there is no agent here"),
            },
            ExprKind::Attr { of, ty, attr } => {
                let var = self.subject(*of, scope, e.span).and_then(|s| self.map.slots[s].attrs[attr.0]);
                let a = &self.app.types[*ty].attrs[*attr];
                // An attribute outside the cone keeps its initial value for ever.
                return match var {
                    Some(v) => self.variable(v),
                    None => self.constant(a.init, &a.domain),
                };
            }
            ExprKind::Field(name) => return self.field(name, scope, e.span),
            ExprKind::Private { agent, var } => return self.private(*agent, *var, e.span),
            ExprKind::Overflow => self.m.exprs.cur(self.m.overflow),
            ExprKind::Id { of } => {
                let number = self.subject(*of, scope, e.span).map_or(0, |s| i64::from(self.map.slots[s].number));
                return Value::Num(self.m.exprs.int(number));
            }
            ExprKind::Created { of, .. } => match self.subject(*of, scope, e.span) {
                Some(s) => self.m.exprs.cur(self.map.slots[s].created),
                None => FALSE,
            },
            ExprKind::Stage { of, ty, stage, is } => match self.subject(*of, scope, e.span) {
                Some(s) => self.stage_is(s, *ty, *stage, *is, scope),
                None => FALSE,
            },
            ExprKind::Milestone { of, milestone, is, .. } => match self.subject(*of, scope, e.span) {
                Some(s) => self.milestone_is(s, *milestone, *is, scope),
                None => FALSE,
            },
            ExprKind::Occurring(event) => self.occurring(*event, scope),
            ExprKind::TaskCompleted(task) => {
                let here = matches!((scope.trigger, scope.this), (Some(trigger), Some(s))
                    if trigger.occurrence == Occurrence::TaskDone(self.map.slots[s].ty, *task)
                        && trigger.completes_at() == Some(s));
                self.m.exprs.bool(here)
            }
            ExprKind::Not(a) => {
                let a = self.boolean(a, scope);
                self.m.exprs.not(a)
            }
            ExprKind::And(xs) => {
                let xs: Vec<ExprId> = xs.iter().map(|x| self.boolean(x, scope)).collect();
                self.m.exprs.and(xs)
            }
            ExprKind::Or(xs) => {
                let xs: Vec<ExprId> = xs.iter().map(|x| self.boolean(x, scope)).collect();
                self.m.exprs.or(xs)
            }
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.boolean(a, scope), self.boolean(b, scope));
                self.m.exprs.implies(a, b)
            }
            ExprKind::Iff(a, b) => {
                let (a, b) = (self.boolean(a, scope), self.boolean(b, scope));
                self.m.exprs.iff(a, b)
            }
            ExprKind::Compare(op, a, b) => {
                if let Some(holds) = self.shifted_compared(*op, a, b, scope) {
                    return Value::Bool(holds);
                }
                let (a, b) = (self.value(a, scope), self.value(b, scope));
                self.compare(*op, a, b, e.span)
            }
            ExprKind::Arith(op, a, b) => {
                if let Some(Constant { value, whole: false }) = Constant::of(e).filter(|_| self.app.parts == 0) {
                    return self.decimal(value, e.span);
                }
                let (a, b) = (self.number(a, scope), self.number(b, scope));
                return self.arith(*op, a, b);
            }
            ExprKind::Quant { exists, var, ty, over, body } => {
                let mut parts = Vec::new();
                for slot in self.slots(*ty) {
                    let there = self.member(slot, *over, scope, e.span);
                    let holds = self.boolean(body, &scope.with(*var, slot));
                    parts.push(if *exists {
                        self.m.exprs.and([there, holds])
                    } else {
                        self.m.exprs.implies(there, holds)
                    });
                }
                if *exists { self.m.exprs.or(parts) } else { self.m.exprs.and(parts) }
            }
            ExprKind::Tally { of, ty, bag, which } => {
                let counters = self.app.types[*ty].bags[*bag].counters(which.as_deref());
                let slot = self.subject(*of, scope, e.span);
                return Value::Num(self.tally(slot, &counters));
            }
            ExprKind::Count { ty, over, which } => {
                let mut sum = self.m.exprs.int(0);
                for slot in self.slots(*ty) {
                    let mut there = self.member(slot, *over, scope, e.span);
                    if let Some((var, body)) = which {
                        let holds = self.boolean(body, &scope.with(*var, slot));
                        there = self.m.exprs.and([there, holds]);
                    }
                    let (one, zero) = (self.m.exprs.int(1), self.m.exprs.int(0));
                    let unit = self.m.exprs.ite(there, one, zero);
                    sum = self.m.exprs.arith(crate::machine::ArithOp::Add, sum, unit);
                }
                return Value::Num(sum);
            }
        };
        Value::Bool(truth)
    }

    fn number(&mut self, e: &Expr, scope: &Scope) -> Value {
        match self.value(e, scope) {
            number @ (Value::Num(_) | Value::Real(_) | Value::Point(..)) => number,
            _ => {
                self.misfit(Some(e.span), "this is no number");
                Value::Num(self.m.exprs.int(0))
            }
        }
    }

    /// What stands for a value that is not there.
    fn nothing(&mut self, span: Span, why: &str) -> Value {
        self.misfit(Some(span), why);
        Value::Bool(FALSE)
    }

    /// A variable's value now.
    pub(super) fn variable(&mut self, var: VarId) -> Value {
        Value::of(self.m.exprs.cur(var), &self.m.var(var).domain)
    }

    /// A known code of a domain.
    pub(super) fn constant(&mut self, code: i64, domain: &Domain) -> Value {
        let code = if *domain == Domain::Bool { self.m.exprs.bool(code != 0) } else { self.m.exprs.int(code) };
        Value::of(code, domain)
    }

    fn field(&mut self, name: &str, scope: &Scope, span: Span) -> Value {
        let Some((i, field)) = InputIx::each(scope.inputs).find(|(_, f)| f.name == name) else {
            return self.nothing(span, "the event does not carry this");
        };
        Value::of(self.m.exprs.input(i), &field.domain)
    }

    fn private(&mut self, agent: usize, var: usize, span: Span) -> Value {
        match self.map.private(AgentIx(agent), var) {
            Some(v) => self.variable(v),
            None => self.nothing(span, "no agent has this variable"),
        }
    }

    /// Comparison of two values of one kind. Texts are equal when they read the same; ⊥ equals ⊥.
    pub(super) fn compare(&mut self, op: CompareOp, a: Value, b: Value, span: Span) -> ExprId {
        let negate = op == CompareOp::Ne;
        let wide_texts = !self.app.texts.is_empty();
        // Points of time have a meaning without bounds alone; the machine with bounds is not asked about them then.
        let in_time = self.app.options.unbounded && self.app.parts == 0;
        if let Some(holds) = self.compare_with_constant(op, &a, &b) {
            return holds;
        }
        let equal = match (a, b) {
            (Value::Bool(_), Value::Bool(_)) if in_time && !matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                return FALSE;
            }
            (Value::Bool(_), Value::Text(_)) | (Value::Text(_), Value::Bool(_)) if in_time => return FALSE,
            (Value::Num(a), Value::Num(b)) => return self.m.exprs.compare(op, a, b),
            (
                a @ (Value::Num(_) | Value::Real(_) | Value::Point(..)),
                b @ (Value::Num(_) | Value::Real(_) | Value::Point(..)),
            ) => {
                let (a, b) = (self.in_parts(a), self.in_parts(b));
                return self.m.exprs.compare(op, a, b);
            }
            (Value::Bool(a), Value::Bool(b)) => self.m.exprs.iff(a, b),
            (Value::Text(a), Value::Text(b)) => self.m.exprs.bool(a == b),
            (Value::Coded(e, d), Value::Text(t)) | (Value::Text(t), Value::Coded(e, d)) => match d.code_of(&t) {
                Some(code) => self.code_is(e, code),
                None => FALSE,
            },
            // A number beside a text is a text without bounds.
            (Value::Num(n), Value::Text(t)) | (Value::Text(t), Value::Num(n)) if wide_texts => {
                match text_number(self.app, &t) {
                    Some(code) => self.code_is(n, code),
                    None => FALSE,
                }
            }
            (Value::Num(n), Value::Coded(e, d)) | (Value::Coded(e, d), Value::Num(n)) if wide_texts => {
                let other = self.numbered(e, &d);
                self.m.exprs.compare(CompareOp::Eq, n, other)
            }
            (Value::Coded(a, da), Value::Coded(b, db)) if da == db => self.m.exprs.compare(CompareOp::Eq, a, b),
            (Value::Coded(a, da), Value::Coded(b, db)) => {
                let (lo, hi) = da.bounds();
                let mut parts = Vec::new();
                for code in lo..=hi {
                    let text = da.show(code);
                    let other = if text == BOTTOM { db.read(BOTTOM) } else { db.code_of(&text) };
                    if let Some(other) = other {
                        let (x, y) = (self.code_is(a, code), self.code_is(b, other));
                        parts.push(self.m.exprs.and([x, y]));
                    }
                }
                self.m.exprs.or(parts)
            }
            _ => {
                self.misfit(Some(span), "the two sides are of different kinds");
                FALSE
            }
        };
        if negate { self.m.exprs.not(equal) } else { equal }
    }

    /// The number of a text that is a code of a domain.
    pub(super) fn numbered(&mut self, e: ExprId, domain: &Domain) -> ExprId {
        let (lo, hi) = domain.bounds();
        let mut number = self.m.exprs.int(0);
        for code in lo..=hi {
            let (is, there) = (self.code_is(e, code), text_number(self.app, &domain.show(code)).unwrap_or_default());
            let there = self.m.exprs.int(there);
            number = self.m.exprs.ite(is, there, number);
        }
        number
    }

    pub(super) fn code_is(&mut self, e: ExprId, code: i64) -> ExprId {
        let c = self.m.exprs.int(code);
        self.m.exprs.compare(CompareOp::Eq, e, c)
    }

    /// Is `slot` among those a quantifier ranges over?
    fn member(&mut self, slot: SlotIx, over: Over, scope: &Scope, span: Span) -> ExprId {
        let created = self.m.exprs.cur(self.map.slots[slot].created);
        let this = match over {
            Over::Created => None,
            Over::Related => scope.this,
            Over::RelatedTo { var, .. } => self.subject(Subject::Bound(var), scope, span),
        };
        match this {
            Some(this) if this == slot => FALSE,
            Some(this) => {
                let related = self.related(this, slot);
                self.m.exprs.and([created, related])
            }
            None => created,
        }
    }

    /// A reference attribute of one holds the id of the other; with no reference between the types, always.
    pub(super) fn related(&mut self, a: SlotIx, b: SlotIx) -> ExprId {
        let mut any = false;
        let mut parts = Vec::new();
        for (from, to) in [(a, b), (b, a)] {
            for v in self.references(self.map.slots[from].ty, self.map.slots[to].ty) {
                any = true;
                if let Some(var) = self.map.slots[from].attrs[v.0] {
                    let held = self.m.exprs.cur(var);
                    let number = i64::from(self.map.slots[to].number);
                    parts.push(self.code_is(held, number));
                }
            }
        }
        if any { self.m.exprs.or(parts) } else { self.m.exprs.bool(true) }
    }

    /// Attributes of a type that refer to another.
    fn references(&self, from: TypeIx, to: TypeIx) -> Vec<AttrIx> {
        let attrs = &self.app.types[from].attrs;
        AttrIx::all(attrs).filter(|&a| attrs[a].kind == DataKind::Reference(to)).collect()
    }

    /// A status attribute now, or before the step when it is the rule's own.
    fn status_now(&mut self, slot: SlotIx, status: Status, scope: &Scope) -> ExprId {
        let var = self.status(slot, status);
        let own = scope.this == Some(slot) && scope.own.contains(&status);
        if own { self.m.exprs.prev(var) } else { self.m.exprs.cur(var) }
    }

    /// A status attribute that changed in this step: from `!up` before to `up` now.
    fn changed(&mut self, slot: SlotIx, status: Status, up: bool, scope: &Scope) -> ExprId {
        let now = self.status_now(slot, status, scope);
        let before = self.m.exprs.prev(self.status(slot, status));
        let (on, off) = if up { (now, before) } else { (before, now) };
        let off = self.m.exprs.not(off);
        self.m.exprs.and([off, on])
    }

    fn stage_is(&mut self, slot: SlotIx, ty: TypeIx, stage: StageIx, is: StageIs, scope: &Scope) -> ExprId {
        match is {
            StageIs::Active => self.status_now(slot, Status::Stage(stage), scope),
            StageIs::Opened => self.changed(slot, Status::Stage(stage), true, scope),
            StageIs::Closed => self.changed(slot, Status::Stage(stage), false, scope),
            StageIs::Completed => {
                let milestones = self.app.types[ty].stages[stage].milestones.clone();
                let parts: Vec<ExprId> =
                    milestones.into_iter().map(|m| self.status_now(slot, Status::Milestone(m), scope)).collect();
                self.m.exprs.or(parts)
            }
            StageIs::OutOfOrder | StageIs::Skipped | StageIs::Faulty => self.observer_now(slot, stage, is),
        }
    }

    fn milestone_is(&mut self, slot: SlotIx, milestone: MilestoneIx, is: MilestoneIs, scope: &Scope) -> ExprId {
        let status = Status::Milestone(milestone);
        match is {
            MilestoneIs::Achieved => self.status_now(slot, status, scope),
            MilestoneIs::JustAchieved => self.changed(slot, status, true, scope),
            MilestoneIs::JustInvalidated => self.changed(slot, status, false, scope),
        }
    }

    /// Is the event occurring at the context slot? A message occurs at its receiver, a creation event at the slot that is new.
    pub(super) fn occurring(&mut self, event: EventIx, scope: &Scope) -> ExprId {
        let (Some(trigger), Some(this)) = (scope.trigger, scope.this) else { return FALSE };
        let included = trigger.occurrence.includes(self.app, event);
        match trigger.occurrence {
            Occurrence::TaskDone(ty, task) if self.app.message(ty, task).is_none() => {
                if self.app.events[event].creates != Some(self.map.slots[this].ty) || !included {
                    return FALSE;
                }
                let created = self.map.slots[this].created;
                let (before, now) = (self.m.exprs.prev(created), self.m.exprs.cur(created));
                let free = self.m.exprs.not(before);
                self.m.exprs.and([free, now])
            }
            _ => self.m.exprs.bool(included && trigger.target == Some(this)),
        }
    }

    /// A sentry: one of its events occurs (if it asks for events), and its condition holds.
    pub(super) fn sentry(&mut self, sentry: &Sentry, scope: &Scope) -> ExprId {
        if !sentry.events.is_empty() {
            let parts: Vec<ExprId> = sentry.events.iter().map(|e| self.occurring(*e, scope)).collect();
            let event = self.m.exprs.or(parts);
            if event == FALSE {
                return FALSE;
            }
            let condition = self.boolean(&sentry.expr, scope);
            return self.m.exprs.and([event, condition]);
        }
        self.boolean(&sentry.expr, scope)
    }

    /// An agent's window on a slot, over the snapshot.
    pub(super) fn window(&mut self, agent: usize, slot: SlotIx) -> ExprId {
        let app = self.app;
        let Some(agent) = app.agents.as_ref().and_then(|a| a.get(agent)) else { return FALSE };
        let window = &app.roles[agent.role].types[(self.map.slots[slot].ty).0].window;
        self.boolean(window, &Scope { this: Some(slot), me: Some(&agent.name), ..Scope::default() })
    }
}
