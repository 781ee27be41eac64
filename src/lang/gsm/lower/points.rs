//! Numbers with fractions within bounds: codes of points. With constants they are compared as codes; for everything else the number of the point
//! counts, in parts.

use super::Lower;
use super::expr::{Scope, Value};
use crate::lang::gsm::{Constant, Decimal, Expr, ExprKind, Wholly, wholly};
use crate::machine::number::Ratio;
use crate::machine::{ArithOp, CompareOp, ExprId, FALSE, Node, Points};
use crate::source::Span;

/// A number and how far it is shifted: `x + 1.5`, `x - 2`.
fn shifted(e: &Expr) -> Option<(&Expr, Decimal)> {
    let ExprKind::Arith(op, a, b) = &e.kind else { return None };
    let (inner, by) = match (op, Constant::of(a), Constant::of(b)) {
        (ArithOp::Add, None, Some(by)) => (a, by.value),
        (ArithOp::Add, Some(by), None) => (b, by.value),
        (ArithOp::Sub, None, Some(by)) => (a, Decimal::ZERO.minus(by.value)?),
        _ => return None,
    };
    match shifted(inner) {
        Some((inner, more)) => Some((inner, more.plus(by)?)),
        None => Some((inner, by)),
    }
}

impl Lower<'_> {
    /// How many parts make 1.
    pub(super) fn unit(&self) -> i64 {
        if self.app.parts > 0 { self.app.parts } else { self.app.unit }
    }

    /// The number, where a value is a point.
    pub(super) fn number_of(&mut self, value: Value) -> Value {
        let Value::Point(code, points) = value else { return value };
        let each = self.unit() / points.parts().max(1);
        let numbers: Vec<i64> = points.list().iter().map(|p| p.value.saturating_mul(each)).collect();
        Value::Real(self.chain(code, &numbers))
    }

    /// The number that stands at the place that a code says.
    fn chain(&mut self, code: ExprId, numbers: &[i64]) -> ExprId {
        let mut chain = None;
        for (at, n) in numbers.iter().enumerate().rev() {
            let n = self.m.exprs.int(*n);
            chain = Some(match chain {
                None => n,
                Some(rest) => {
                    let is = self.code_is(code, at as i64);
                    self.m.exprs.ite(is, n, rest)
                }
            });
        }
        chain.unwrap_or(code)
    }

    /// A comparison where one side is a point or a constant with a fraction that is compared as it stands; `None`: it is another one.
    pub(super) fn compare_with_constant(&mut self, op: CompareOp, a: &Value, b: &Value) -> Option<ExprId> {
        match (a, b) {
            (Value::Point(x, p), Value::Point(y, q)) if p == q => Some(self.m.exprs.compare(op, *x, *y)),
            (Value::Point(code, points), _) => {
                let constant = self.known(b)?;
                Some(self.point_compared(op, *code, points, &constant))
            }
            (_, Value::Point(..)) => self.compare_with_constant(op.flipped(), b, a),
            // Without bounds both are numbers of parts anyway.
            (Value::Num(n), Value::Real(c)) if self.app.parts == 0 => {
                let Node::Int(c) = *self.m.exprs.node(*c) else { return None };
                Some(match wholly(op, Decimal::of_parts(c, self.app.unit)) {
                    Wholly::Always(holds) => self.m.exprs.bool(holds),
                    Wholly::Than(op, than) => {
                        let than = self.m.exprs.int(than);
                        self.m.exprs.compare(op, *n, than)
                    }
                })
            }
            (Value::Real(_), Value::Num(_)) => self.compare_with_constant(op.flipped(), b, a),
            _ => None,
        }
    }

    /// `x + 1.5 < 3` of a point is `x < 1.5`; `None`: it is another comparison.
    pub(super) fn shifted_compared(&mut self, op: CompareOp, a: &Expr, b: &Expr, scope: &Scope) -> Option<ExprId> {
        let (Some(than), Some((inner, shift))) = (Constant::of(b), shifted(a)) else {
            return Constant::of(a)
                .and_then(|_| shifted(b))
                .and_then(|_| self.shifted_compared(op.flipped(), b, a, scope));
        };
        let Value::Point(code, points) = self.value(inner, scope) else { return None };
        let than = than.value.minus(shift)?.number();
        Some(self.point_compared(op, code, &points, &than))
    }

    /// The number that a value is known to be.
    fn known(&self, value: &Value) -> Option<Ratio> {
        let (n, parts) = match value {
            Value::Num(n) => (n, 1),
            Value::Real(n) => (n, self.unit()),
            _ => return None,
        };
        match self.m.exprs.node(*n) {
            Node::Int(n) => Some(Ratio::new((*n).into(), parts.max(1).into())),
            _ => None,
        }
    }

    fn point_compared(&mut self, op: CompareOp, code: ExprId, points: &Points, constant: &Ratio) -> ExprId {
        let number = |at: i64| points.number(at);
        let is = |at: &i64| number(*at).is_some_and(|n| n == *constant);
        let count = points.list().len() as i64;
        if let Some(at) = (0..count).find(|at| is(at)) {
            let at = self.m.exprs.int(at);
            return self.m.exprs.compare(op, code, at);
        }
        // It is none of the points, so that it lies between two, or beyond all.
        let below = (0..count).filter(|at| number(*at).is_some_and(|n| n < *constant)).count() as i64;
        let first_above = self.m.exprs.int(below);
        match op {
            CompareOp::Eq | CompareOp::Ne => self.m.exprs.bool(op == CompareOp::Ne),
            CompareOp::Lt | CompareOp::Le if below == 0 || below == count => self.m.exprs.bool(below > 0),
            CompareOp::Gt | CompareOp::Ge if below == 0 || below == count => self.m.exprs.bool(below == 0),
            CompareOp::Lt | CompareOp::Le => self.m.exprs.compare(CompareOp::Lt, code, first_above),
            CompareOp::Gt | CompareOp::Ge => self.m.exprs.compare(CompareOp::Ge, code, first_above),
        }
    }

    /// The point for a number, and when it lies beyond the ends: then it is the nearest one.
    pub(super) fn point_of(&mut self, value: Value, to: &Points) -> (ExprId, ExprId) {
        if let Value::Point(code, from) = &value {
            if from == to {
                return (*code, FALSE);
            }
            return self.moved(*code, from, to);
        }
        let mut code = self.m.exprs.int(to.list().len() as i64 - 1);
        for (at, pair) in to.list().windows(2).enumerate().rev() {
            // Up to a constant that is the next point, or to this one with it.
            let (op, end) = if pair[1].constant { (CompareOp::Lt, pair[1]) } else { (CompareOp::Le, pair[0]) };
            let here = self.compared_with(op, &value, end.value, to);
            let at = self.m.exprs.int(at as i64);
            code = self.m.exprs.ite(here, at, code);
        }
        let (lo, hi) = to.open_ends();
        let (first, last) = (to.list().first().copied(), to.list().last().copied());
        let below = match (first, lo) {
            (_, Some(end)) => self.compared_with(CompareOp::Le, &value, end, to),
            (Some(p), None) if p.constant => self.compared_with(CompareOp::Lt, &value, p.value, to),
            _ => FALSE,
        };
        let above = match (last, hi) {
            (_, Some(end)) => self.compared_with(CompareOp::Ge, &value, end, to),
            (Some(p), None) if p.constant => self.compared_with(CompareOp::Gt, &value, p.value, to),
            _ => FALSE,
        };
        (code, self.m.exprs.or([below, above]))
    }

    fn compared_with(&mut self, op: CompareOp, value: &Value, end: i64, of: &Points) -> ExprId {
        let each = self.unit() / of.parts().max(1);
        let end = Value::Real(self.m.exprs.int(end.saturating_mul(each)));
        let value = match value {
            Value::Num(n) => Value::Num(*n),
            Value::Real(n) => Value::Real(*n),
            _ => {
                self.misfit(None, "this is no number");
                return FALSE;
            }
        };
        self.compare(op, value, end, Span::NOWHERE)
    }

    /// A point as one of another number.
    fn moved(&mut self, code: ExprId, from: &Points, to: &Points) -> (ExprId, ExprId) {
        let numbers = (0..from.list().len() as i64).filter_map(|at| from.number(at));
        let last = to.list().len() as i64 - 1;
        let least = to.number(0);
        let target =
            |n: &Ratio| to.code_of(n).ok_or_else(|| if least.as_ref().is_some_and(|l| n < l) { 0 } else { last });
        let targets: Vec<Result<i64, i64>> = numbers.map(|n| target(&n)).collect();
        let mut outside = Vec::new();
        for (at, _) in targets.iter().enumerate().filter(|(_, t)| t.is_err()) {
            outside.push(self.code_is(code, at as i64));
        }
        let codes: Vec<i64> = targets.into_iter().map(|t| t.unwrap_or_else(|end| end)).collect();
        let same = codes.iter().enumerate().all(|(at, c)| at as i64 == *c);
        let code = if same { code } else { self.chain(code, &codes) };
        (code, self.m.exprs.or(outside))
    }

    /// The whole part of a number with fractions.
    pub(super) fn whole_part(&mut self, value: Value) -> ExprId {
        let n = self.number_of(value);
        let (n, unit) = (self.in_parts(n), self.unit());
        let unit = self.m.exprs.int(unit);
        self.m.exprs.arith(ArithOp::Div, n, unit)
    }

    /// A product or quotient of two numbers of parts. Constants are whole numbers of ten parts; what lies between two of those becomes their middle,
    /// so that no comparison with a constant is wrong.
    pub(super) fn rounded(&mut self, op: ArithOp, a: ExprId, b: ExprId) -> ExprId {
        let ten = self.m.exprs.int(10);
        let (above, below) = if op == ArithOp::Mul {
            let more = self.m.exprs.int(self.unit().saturating_mul(10));
            (self.m.exprs.arith(ArithOp::Mul, a, b), more)
        } else {
            let tenth = self.m.exprs.int(self.unit() / 10);
            (self.m.exprs.arith(ArithOp::Mul, a, tenth), b)
        };
        let quotient = self.m.exprs.arith(ArithOp::Div, above, below);
        let tens = self.m.exprs.arith(ArithOp::Mul, quotient, ten);
        let back = self.m.exprs.arith(ArithOp::Mul, quotient, below);
        let zero = self.m.exprs.int(0);
        let by_zero = self.m.exprs.compare(CompareOp::Eq, below, zero);
        let even = self.m.exprs.compare(CompareOp::Eq, back, above);
        let even = self.m.exprs.or([by_zero, even]);
        let (low, high) =
            (self.m.exprs.compare(CompareOp::Lt, above, zero), self.m.exprs.compare(CompareOp::Lt, below, zero));
        let positive = self.m.exprs.iff(low, high);
        let (up, down) = (self.m.exprs.int(5), self.m.exprs.int(-5));
        let half = self.m.exprs.ite(positive, up, down);
        let step = self.m.exprs.ite(even, zero, half);
        self.m.exprs.arith(ArithOp::Add, tens, step)
    }
}
