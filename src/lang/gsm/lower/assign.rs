//! Assignments that stay within the target's domain.

use super::Lower;
use super::expr::{Scope, Value};
use crate::lang::gsm::domains::text_number;
use crate::lang::gsm::{Buffer, Expr, ExprKind};
use crate::machine::{ArithOp, BOTTOM, CompareOp, Domain};
use crate::machine::{Assign, ExprId, FALSE, Input, Node, TRUE, VarId};

/// What a value is made to fit.
pub(super) struct Goal<'a> {
    pub domain: &'a Domain,
    /// What stays when the value does not fit at all.
    pub old: ExprId,
    /// Its name, for what goes wrong.
    pub name: &'a str,
}

impl Lower<'_> {
    /// `if cond then var := value`. Numbers saturate at the ends of the range and then set `overflow`; texts that the target does not
    /// have become ⊥, or leave a target that has no ⊥ as it is and set `overflow`.
    pub(super) fn assign(&mut self, list: &mut Vec<Assign>, cond: ExprId, var: VarId, value: Value, inputs: &[Input]) {
        let (domain, name) = (self.m.var(var).domain.clone(), self.m.var(var).name.clone());
        let goal = Goal { domain: &domain, old: self.m.exprs.cur(var), name: &name };
        let (value, outside) = self.fit(value, &goal, inputs);
        let outside = self.m.exprs.and([cond, outside]);
        self.set_overflow(list, outside);
        let old = self.m.exprs.cur(var);
        let value = self.m.exprs.ite(cond, value, old);
        list.push(Assign { var, value });
    }

    /// `overflow := overflow || when`.
    pub(super) fn set_overflow(&mut self, list: &mut Vec<Assign>, when: ExprId) {
        if when != FALSE {
            let old = self.m.exprs.cur(self.m.overflow);
            let value = self.m.exprs.or([old, when]);
            list.push(Assign { var: self.m.overflow, value });
        }
    }

    /// A value made to fit, and when it had to be cut.
    pub(super) fn fit(&mut self, value: Value, goal: &Goal, inputs: &[Input]) -> (ExprId, ExprId) {
        let wide_texts = !self.app.texts.is_empty();
        match (value, goal.domain) {
            (Value::Bool(b), Domain::Bool) => (b, FALSE),
            (Value::Num(n), Domain::Date { .. }) => (n, FALSE),
            (Value::Num(n), Domain::Int { lo, hi }) => self.saturate(n, *lo, *hi, inputs),
            (n @ (Value::Num(_) | Value::Real(_) | Value::Point(..)), Domain::Points(points)) => {
                self.point_of(n, points)
            }
            (n @ (Value::Num(_) | Value::Real(_) | Value::Point(..)), Domain::Real { lo, hi, .. }) => {
                let n = self.in_parts(n);
                self.saturate(n, *lo, *hi, inputs)
            }
            (n @ (Value::Real(_) | Value::Point(..)), Domain::Int { lo, hi }) if self.app.parts == 0 => {
                let n = self.whole_part(n);
                self.saturate(n, *lo, *hi, inputs)
            }
            (Value::Real(_) | Value::Point(..), Domain::Int { .. }) => {
                self.refuse_fraction(goal.name);
                (goal.old, FALSE)
            }
            (Value::Text(t), Domain::Enum { .. }) => match code_in(goal.domain, &t) {
                Some(code) => (self.m.exprs.int(code), FALSE),
                None => (goal.old, TRUE),
            },
            (Value::Coded(e, from), Domain::Enum { .. }) => self.recode(e, &from, goal),
            (Value::Text(t), Domain::Int { .. }) if wide_texts => {
                (self.m.exprs.int(text_number(self.app, &t).unwrap_or_default()), FALSE)
            }
            (Value::Coded(e, from), Domain::Int { .. }) if wide_texts => (self.numbered(e, &from), FALSE),
            (Value::Num(n), Domain::Enum { values, bottom }) if wide_texts => self.named(n, values, *bottom, goal),
            _ => {
                self.misfit(None, &format!("what '{}' gets is of another kind", goal.name));
                (goal.old, FALSE)
            }
        }
    }

    pub(super) fn saturate(&mut self, n: ExprId, lo: i64, hi: i64, inputs: &[Input]) -> (ExprId, ExprId) {
        let (least, most) = self.range(n, inputs);
        let (low, high) = (self.m.exprs.int(lo), self.m.exprs.int(hi));
        let below = if least < lo { self.m.exprs.compare(CompareOp::Lt, n, low) } else { FALSE };
        let above = if most > hi { self.m.exprs.compare(CompareOp::Gt, n, high) } else { FALSE };
        let cut = self.m.exprs.ite(above, high, n);
        (self.m.exprs.ite(below, low, cut), self.m.exprs.or([below, above]))
    }

    /// Bounds of a number, from the domains of what it reads.
    fn range(&self, e: ExprId, inputs: &[Input]) -> (i64, i64) {
        match self.m.exprs.node(e) {
            Node::Int(i) => (*i, *i),
            Node::Prev(v) | Node::Cur(v) => self.m.var(*v).domain.bounds(),
            Node::Input(i) => inputs.get(i.0).map_or((i64::MIN, i64::MAX), |i| i.domain.bounds()),
            Node::Ite(_, a, b) => {
                let ((al, ah), (bl, bh)) = (self.range(*a, inputs), self.range(*b, inputs));
                (al.min(bl), ah.max(bh))
            }
            Node::Arith(op, a, b) => {
                let ((al, ah), (bl, bh)) = (self.range(*a, inputs), self.range(*b, inputs));
                if *op == ArithOp::Over {
                    return (i64::MIN, i64::MAX);
                }
                if *op == ArithOp::Div {
                    let most = al.saturating_abs().max(ah.saturating_abs());
                    return (-most, most);
                }
                let ends = [op.apply(al, bl), op.apply(al, bh), op.apply(ah, bl), op.apply(ah, bh)];
                ends.iter().fold((i64::MAX, i64::MIN), |(l, h), x| (l.min(*x), h.max(*x)))
            }
            _ => (0, 1),
        }
    }

    /// The code of a text without bounds: of one that the domain lacks, ⊥, or what the variable has, and then it is cut.
    fn named(&mut self, n: ExprId, values: &[String], bottom: bool, goal: &Goal) -> (ExprId, ExprId) {
        let (mut code, mut known) = (if bottom { self.m.exprs.int(0) } else { goal.old }, Vec::new());
        for (at, text) in values.iter().enumerate() {
            let Some(number) = text_number(self.app, text) else { continue };
            let (is, here) = (self.code_is(n, number), self.m.exprs.int(at as i64 + i64::from(bottom)));
            known.push(is);
            code = self.m.exprs.ite(is, here, code);
        }
        let known = self.m.exprs.or(known);
        (code, if bottom { FALSE } else { self.m.exprs.not(known) })
    }

    /// The same text in another domain, and when that has none.
    fn recode(&mut self, e: ExprId, from: &Domain, goal: &Goal) -> (ExprId, ExprId) {
        let (lo, hi) = from.bounds();
        let target = |code: i64| code_in(goal.domain, &from.show(code));
        if (lo..=hi).all(|c| target(c) == Some(c)) {
            return (e, FALSE);
        }
        let mut outside = FALSE;
        let mut chain = None;
        for code in (lo..=hi).rev() {
            let value = match target(code) {
                Some(there) => self.m.exprs.int(there),
                None => {
                    let is = self.code_is(e, code);
                    outside = self.m.exprs.or([outside, is]);
                    goal.old
                }
            };
            chain = Some(match chain {
                None => value,
                Some(rest) => {
                    let is = self.code_is(e, code);
                    self.m.exprs.ite(is, value, rest)
                }
            });
        }
        (chain.unwrap_or(e), outside)
    }

    /// The value held in a task's buffer, as a value of the field's domain, and whether it is there.
    pub(super) fn unbuffer(&mut self, buffer: &Buffer, field: &Domain) -> (ExprId, Value) {
        let code = self.m.exprs.cur(buffer.var);
        if let Some(present) = buffer.present {
            return (self.m.exprs.cur(present), self.variable(buffer.var));
        }
        let absent = self.code_is(code, 0);
        let there = self.m.exprs.not(absent);
        let value = match field {
            Domain::Bool => Value::Bool(self.code_is(code, 2)),
            Domain::Real { .. } | Domain::Date { .. } | Domain::Text { .. } => self.variable(buffer.var),
            Domain::Int { lo, .. } => {
                let shift = self.m.exprs.int(lo - 1);
                Value::Num(self.m.exprs.arith(ArithOp::Add, code, shift))
            }
            Domain::Enum { .. } | Domain::Points(_) => {
                let shift = self.m.exprs.int(-1);
                Value::of(self.m.exprs.arith(ArithOp::Add, code, shift), field)
            }
        };
        (there, value)
    }

    /// A value of a field as it is kept in a task's buffer: 0 is "absent".
    pub(super) fn buffer_code(&mut self, value: ExprId, field: &Domain) -> ExprId {
        let (lo, _) = field.bounds();
        if *field == Domain::Bool {
            let (no, yes) = (self.m.exprs.int(1), self.m.exprs.int(2));
            return self.m.exprs.ite(value, yes, no);
        }
        let shift = self.m.exprs.int(1 - lo);
        self.m.exprs.arith(ArithOp::Add, value, shift)
    }

    /// When some division inside an assigned expression is by zero.
    pub(super) fn divides_by_zero(&mut self, e: &Expr, scope: &Scope) -> ExprId {
        let mut divisors = Vec::new();
        e.walk(&mut |part| {
            if let ExprKind::Arith(ArithOp::Div, _, by) = &part.kind {
                divisors.push(by.as_ref());
            }
        });
        let mut zero = FALSE;
        for by in divisors {
            let by = self.value(by, scope);
            if let Value::Num(n) | Value::Real(n) = self.number_of(by) {
                let is = self.code_is(n, 0);
                zero = self.m.exprs.or([zero, is]);
            }
        }
        zero
    }

    /// Always, as a condition.
    pub(super) const ALWAYS: ExprId = TRUE;
}

/// A text's code in a domain, that of ⊥ if the domain lacks the text but has ⊥.
fn code_in(domain: &Domain, text: &str) -> Option<i64> {
    domain.code_of(text).or_else(|| domain.read(BOTTOM))
}
