//! Numbers with fractions: counted in parts, of which every constant is a whole number.

use super::Lower;
use super::expr::Value;
use crate::lang::gsm::Decimal;
use crate::machine::{ArithOp, ExprId};
use crate::source::codes::typing;
use crate::source::{Diagnostic, Span};

impl Lower<'_> {
    /// A constant.
    pub(super) fn decimal(&mut self, d: Decimal, span: Span) -> Value {
        match d.in_parts(self.unit()) {
            Some(n) => Value::Real(self.m.exprs.int(n)),
            None => {
                self.too_long(span);
                Value::Real(self.m.exprs.int(0))
            }
        }
    }

    /// A number in parts.
    pub(super) fn in_parts(&mut self, value: Value) -> ExprId {
        match self.number_of(value) {
            Value::Real(n) => n,
            Value::Num(n) => self.scaled(n),
            _ => {
                self.misfit(None, "this is no number");
                self.m.exprs.int(0)
            }
        }
    }

    /// So many times as many as 1 has parts.
    fn scaled(&mut self, n: ExprId) -> ExprId {
        let parts = self.m.exprs.int(self.unit());
        self.m.exprs.arith(ArithOp::Mul, n, parts)
    }

    /// Arithmetic; where one number has fractions, the result has.
    pub(super) fn arith(&mut self, op: ArithOp, a: Value, b: Value) -> Value {
        let (a, b) = (self.number_of(a), self.number_of(b));
        let (real_a, real_b) = (matches!(a, Value::Real(_)), matches!(b, Value::Real(_)));
        if let (Value::Num(a), Value::Num(b)) = (&a, &b) {
            return Value::Num(self.m.exprs.arith(op, *a, *b));
        }
        if self.app.parts == 0 && matches!(op, ArithOp::Mul | ArithOp::Div) {
            let (a, b) = (self.in_parts(a), self.in_parts(b));
            return Value::Real(self.rounded(op, a, b));
        }
        let bare = |v: &Value| match v {
            Value::Num(n) | Value::Real(n) => Some(*n),
            _ => None,
        };
        let result = match (op, bare(&a), bare(&b)) {
            // So many parts times a whole number, or divided by one, are parts.
            (ArithOp::Mul, Some(a), Some(b)) if !real_a || !real_b => self.m.exprs.arith(op, a, b),
            (ArithOp::Div, Some(a), Some(b)) if real_a && !real_b => self.m.exprs.arith(ArithOp::Over, a, b),
            (ArithOp::Mul, ..) => {
                let (a, b, parts) = (self.in_parts(a), self.in_parts(b), self.m.exprs.int(self.app.parts));
                let product = self.m.exprs.arith(op, a, b);
                self.m.exprs.arith(ArithOp::Over, product, parts)
            }
            (ArithOp::Div | ArithOp::Over, ..) => {
                let (a, b) = (self.in_parts(a), self.in_parts(b));
                let a = self.scaled(a);
                self.m.exprs.arith(ArithOp::Over, a, b)
            }
            (ArithOp::Add | ArithOp::Sub, ..) => {
                let (a, b) = (self.in_parts(a), self.in_parts(b));
                self.m.exprs.arith(op, a, b)
            }
        };
        Value::Real(result)
    }

    /// A number with fractions goes where there are only whole ones.
    pub(super) fn refuse_fraction(&mut self, name: &str) {
        self.refuse(&format!("'{name}' is a whole number, but gets one with fractions"));
    }

    /// The model says something that data without bounds cannot.
    pub(super) fn refuse(&mut self, message: &str) {
        let d = Diagnostic::placeless(&typing::TYPE_MISMATCH, message.to_string());
        self.misfit.get_or_insert(
            d.help("declare both as numbers with fractions (xs:decimal, real), or check without --abstract"),
        );
    }

    fn too_long(&mut self, span: Span) {
        let message = format!("a number has too many digits: they are counted in parts of 1/{}", self.unit());
        let d = Diagnostic::new(&typing::OUT_OF_RANGE, span, message);
        self.misfit.get_or_insert(d.help("write fewer digits"));
    }
}
