//! Numbers with fractions, told literally: exact ones, of which results are replaced by what stands for their interval.

use super::eval::Value;
use crate::machine::number::{self, Ratio};
use crate::machine::{ArithOp, Domain, Points};
use num_traits::{ToPrimitive, Zero};

/// A number of either kind.
pub(super) fn number(value: &Value) -> Option<Ratio> {
    match value {
        Value::Int(n) => Some(Ratio::from_integer((*n).into())),
        Value::Real(n) => Some(n.clone()),
        _ => None,
    }
}

/// The number that a point stands for.
pub(super) fn of_point(code: i64, domain: &Domain) -> Value {
    Value::Real(number::read(&domain.show(code)).expect("points are numbers"))
}

/// What is computed from two numbers, one of which has a fraction. Every constant is a whole number of `unit / 10` parts of 1; a product or quotient
/// that is none counts as the middle between the two around it.
pub(super) fn computed(op: ArithOp, a: &Ratio, b: &Ratio, unit: i64) -> Value {
    let result = match op {
        ArithOp::Add => return Value::Real(a + b),
        ArithOp::Sub => return Value::Real(a - b),
        ArithOp::Mul => a * b,
        ArithOp::Div | ArithOp::Over if b.is_zero() => Ratio::zero(),
        ArithOp::Div | ArithOp::Over => a / b,
    };
    let parts = Ratio::from_integer((unit / 10).into());
    let counted = &result * &parts;
    if counted.is_integer() {
        return Value::Real(result);
    }
    Value::Real((counted.floor() + Ratio::new(1.into(), 2.into())) / parts)
}

/// The code for a number in a domain of numbers, and whether it fits.
pub(super) fn code(n: &Ratio, domain: &Domain) -> (i64, bool) {
    match domain {
        Domain::Points(points) => in_points(n, points),
        _ => {
            let (lo, hi) = domain.bounds();
            let whole = n.trunc().to_integer().to_i64().expect("small numbers");
            (whole.clamp(lo, hi), (lo..=hi).contains(&whole))
        }
    }
}

/// The point that is the number, or else the one between whose neighbours it lies.
fn in_points(n: &Ratio, points: &Points) -> (i64, bool) {
    let value = |v: i64| Ratio::new(v.into(), points.parts().into());
    let list = points.list();
    let (least, most) = points.open_ends();
    for (code, point) in list.iter().enumerate() {
        let above = match code.checked_sub(1).map(|at| list[at].value).or(least) {
            Some(before) => value(before) < *n,
            None => true,
        };
        let below = match list.get(code + 1).map(|p| p.value).or(most) {
            Some(next) => *n < value(next),
            None => true,
        };
        if (point.constant && value(point.value) == *n) || (!point.constant && above && below) {
            return (code as i64, true);
        }
    }
    (if *n < value(list[0].value) { 0 } else { list.len() as i64 - 1 }, false)
}
