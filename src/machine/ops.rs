//! Comparisons and arithmetic, as every language and every engine means them.

use super::code;
use super::number::Ratio;
use num_traits::Zero;

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl CompareOp {
    /// The comparison itself.
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        }
    }

    /// The comparison of the numbers of two codes.
    pub fn of_codes(self, a: i64, b: i64) -> bool {
        match self {
            CompareOp::Eq | CompareOp::Ne => self.holds(a, b),
            _ if code::is_plain(a) && code::is_plain(b) => self.holds(a, b),
            _ => self.holds(code::number(a), code::number(b)),
        }
    }

    /// The same comparison seen from the other side.
    pub fn flipped(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            same => same,
        }
    }

    /// Its spelling in models.
    pub const fn symbol(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero; by zero 0.
    Div,
    /// `/` without a remainder, among numbers with fractions; by zero 0. Machines with bounds have none.
    Over,
}

impl ArithOp {
    /// The operation itself; saturates at the ends of `i64`.
    pub fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            ArithOp::Add => a.saturating_add(b),
            ArithOp::Sub => a.saturating_sub(b),
            ArithOp::Mul => a.saturating_mul(b),
            // Numbers with fractions are no codes: this is their whole part.
            ArithOp::Div | ArithOp::Over => a.checked_div(b).unwrap_or(if b == 0 { 0 } else { i64::MAX }),
        }
    }

    /// The operation on the numbers of two codes, as a code; nothing is lost.
    pub fn of_codes(self, a: i64, b: i64) -> i64 {
        let plain = if code::is_plain(a) && code::is_plain(b) { self.exact(a, b) } else { None };
        plain
            .filter(|n| code::is_plain(*n))
            .unwrap_or_else(|| code::of(&self.of_numbers(&code::number(a), &code::number(b))))
    }

    /// The operation on exact numbers.
    pub fn of_numbers(self, a: &Ratio, b: &Ratio) -> Ratio {
        match self {
            ArithOp::Add => a + b,
            ArithOp::Sub => a - b,
            ArithOp::Mul => a * b,
            ArithOp::Div | ArithOp::Over if b.is_zero() => Ratio::zero(),
            ArithOp::Div => (a / b).trunc(),
            ArithOp::Over => a / b,
        }
    }

    /// The result, if it is exactly a number of `i64`.
    pub fn exact(self, a: i64, b: i64) -> Option<i64> {
        match self {
            ArithOp::Add => a.checked_add(b),
            ArithOp::Sub => a.checked_sub(b),
            ArithOp::Mul => a.checked_mul(b),
            ArithOp::Div | ArithOp::Over if b == 0 => Some(0),
            ArithOp::Div => a.checked_div(b),
            ArithOp::Over => a.checked_div(b).filter(|_| a.checked_rem(b) == Some(0)),
        }
    }

    /// Its spelling.
    pub const fn symbol(self) -> &'static str {
        match self {
            ArithOp::Add => "+",
            ArithOp::Sub => "-",
            ArithOp::Mul => "*",
            ArithOp::Div | ArithOp::Over => "/",
        }
    }
}
