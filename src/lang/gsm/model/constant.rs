//! The values of expressions without names.

use super::{Decimal, Expr, ExprKind};
use crate::machine::{ArithOp, CompareOp};

/// A number that is written, or computed from such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The number.
    pub value: Decimal,
    /// It is made of whole numbers alone, whose division leaves a rest behind.
    pub whole: bool,
}

impl Constant {
    /// The value of an expression without names; `None` if it has some, or the value has too many digits.
    pub fn of(e: &Expr) -> Option<Constant> {
        match &e.kind {
            ExprKind::Int(n) => Some(Constant { value: Decimal::from(*n), whole: true }),
            ExprKind::Decimal(d) => Some(Constant { value: *d, whole: false }),
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (Constant::of(a)?, Constant::of(b)?);
                let whole = a.whole && b.whole;
                let value = match op {
                    _ if whole => Decimal::from(op.apply(a.value.whole(), b.value.whole())),
                    ArithOp::Add => a.value.plus(b.value)?,
                    ArithOp::Sub => a.value.minus(b.value)?,
                    ArithOp::Mul => a.value.times(b.value)?,
                    ArithOp::Div | ArithOp::Over => a.value.over(b.value)?,
                };
                Some(Constant { value, whole })
            }
            _ => None,
        }
    }
}

/// A comparison of a whole number with any number, as one with a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wholly {
    /// It is this one.
    Than(CompareOp, i64),
    /// It always holds, or never does.
    Always(bool),
}

/// What `n op c` says of a whole number n: `n < 2.5` is `n <= 2`, `n == 2.5` is false.
pub fn wholly(op: CompareOp, c: Decimal) -> Wholly {
    match op {
        _ if c.parts() == 1 => Wholly::Than(op, c.whole()),
        CompareOp::Lt | CompareOp::Le => Wholly::Than(CompareOp::Le, c.floor()),
        CompareOp::Gt | CompareOp::Ge => Wholly::Than(CompareOp::Gt, c.floor()),
        CompareOp::Eq => Wholly::Always(false),
        CompareOp::Ne => Wholly::Always(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_beside_fractions() {
        let d = |text: &str| Decimal::read(text).unwrap();
        let all = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
        for text in ["2.5", "-2.5", "0.01", "-0.99", "3", "3.0", "-4"] {
            for op in all {
                for n in -6i64..6 {
                    let said = match wholly(op, d(text)) {
                        Wholly::Than(op, than) => op.holds(n, than),
                        Wholly::Always(holds) => holds,
                    };
                    assert_eq!(said, op.holds(Decimal::from(n), d(text)), "{n} {op:?} {text}");
                }
            }
        }
    }
}
