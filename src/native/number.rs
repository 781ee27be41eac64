//! Numbers as vectors of truth values: two's complement, least significant bit first, the last bit being the sign.
//!
//! Results are exact (vectors grow as needed) and then trimmed, so a number has one representation.

use super::bdd::{Bdd, Stop};
use super::gates::Gates;
use crate::machine::{ArithOp, CompareOp};

/// A number that depends on Boolean variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number<B = Bdd>(Vec<B>);

type Res<T> = Result<T, Stop>;

impl<B: Clone + PartialEq> Number<B> {
    /// A constant.
    pub fn constant(s: &impl Gates<Bit = B>, value: i64) -> Number<B> {
        let bits = (0..64).map(|i| s.constant(value >> i & 1 == 1)).collect();
        Number(bits).trimmed()
    }

    /// A number that is never negative, from its bits, least significant first.
    pub fn unsigned(s: &impl Gates<Bit = B>, mut bits: Vec<B>) -> Number<B> {
        bits.push(s.no());
        Number(bits).trimmed()
    }

    /// Bit `i` in two's complement, for any `i`.
    pub fn bit(&self, i: usize) -> &B {
        &self.0[i.min(self.0.len() - 1)]
    }

    fn sign(&self) -> &B {
        self.bit(usize::MAX)
    }

    fn width(&self) -> usize {
        self.0.len()
    }

    fn trimmed(mut self) -> Number<B> {
        while let [.., a, b] = self.0.as_slice()
            && a == b
        {
            self.0.pop();
        }
        self
    }

    /// `if c then a else b`.
    pub fn ite(s: &impl Gates<Bit = B>, c: &B, a: &Number<B>, b: &Number<B>) -> Res<Number<B>> {
        let width = a.width().max(b.width());
        let bits = (0..width).map(|i| s.ite(c, a.bit(i), b.bit(i))).collect::<Res<_>>()?;
        Ok(Number(bits).trimmed())
    }

    /// Comparison.
    pub fn compare(s: &impl Gates<Bit = B>, op: CompareOp, a: &Number<B>, b: &Number<B>) -> Res<B> {
        let less = |a: &Number<B>, b: &Number<B>| Ok(a.minus(s, b)?.sign().clone());
        let equal = || {
            let width = a.width().max(b.width());
            (0..width).rev().try_fold(s.yes(), |all, i| s.and(&all, &s.iff(a.bit(i), b.bit(i))?))
        };
        match op {
            CompareOp::Eq => equal(),
            CompareOp::Ne => Ok(s.not(&equal()?)),
            CompareOp::Lt => less(a, b),
            CompareOp::Gt => less(b, a),
            CompareOp::Le => Ok(s.not(&less(b, a)?)),
            CompareOp::Ge => Ok(s.not(&less(a, b)?)),
        }
    }

    /// Arithmetic, saturating at the ends of `i64` as the interpreter does.
    pub fn arith(s: &impl Gates<Bit = B>, op: ArithOp, a: &Number<B>, b: &Number<B>) -> Res<Number<B>> {
        let exact = match op {
            ArithOp::Add => a.plus(s, b)?,
            ArithOp::Sub => a.minus(s, b)?,
            ArithOp::Mul => a.times(s, b)?,
            ArithOp::Div | ArithOp::Over => a.over(s, b)?,
        };
        if exact.width() <= 64 {
            return Ok(exact);
        }
        exact.clamp(s, (i64::MIN, i64::MAX))
    }

    /// The number where it lies between two ends, the nearest end elsewhere.
    pub fn clamp(self, s: &impl Gates<Bit = B>, (lo, hi): (i64, i64)) -> Res<Number<B>> {
        let (lo, hi) = (Number::constant(s, lo), Number::constant(s, hi));
        let (below, above) =
            (Number::compare(s, CompareOp::Lt, &self, &lo)?, Number::compare(s, CompareOp::Gt, &self, &hi)?);
        if below == s.no() && above == s.no() {
            return Ok(self);
        }
        Number::ite(s, &above, &hi, &Number::ite(s, &below, &lo, &self)?)
    }

    fn plus(&self, s: &impl Gates<Bit = B>, other: &Number<B>) -> Res<Number<B>> {
        self.add(s, other, s.no())
    }

    /// Difference.
    pub fn minus(&self, s: &impl Gates<Bit = B>, other: &Number<B>) -> Res<Number<B>> {
        let flipped = Number(other.0.iter().map(|b| s.not(b)).collect());
        self.add(s, &flipped, s.yes())
    }

    fn add(&self, s: &impl Gates<Bit = B>, other: &Number<B>, mut carry: B) -> Res<Number<B>> {
        let width = self.width().max(other.width()) + 1;
        let mut bits = Vec::with_capacity(width);
        for i in 0..width {
            let (a, b) = (self.bit(i), other.bit(i));
            let half = s.xor(a, b)?;
            bits.push(s.xor(&half, &carry)?);
            carry = s.ite(&half, &carry, a)?;
        }
        Ok(Number(bits).trimmed())
    }

    fn times(&self, s: &impl Gates<Bit = B>, other: &Number<B>) -> Res<Number<B>> {
        let width = self.width() + other.width();
        let mut sum = Number(vec![s.no()]);
        for i in 0..width {
            let factor = other.bit(i);
            if *factor == s.no() {
                continue;
            }
            let shifted = (0..width).map(|k| if k < i { Ok(s.no()) } else { s.and(factor, self.bit(k - i)) });
            let mut next = sum.plus(s, &Number(shifted.collect::<Res<_>>()?))?;
            next.0 = (0..width).map(|k| next.bit(k).clone()).collect();
            sum = next;
        }
        Ok(sum.trimmed())
    }

    /// Division towards zero; by zero it is 0.
    fn over(&self, s: &impl Gates<Bit = B>, other: &Number<B>) -> Res<Number<B>> {
        let (a, b) = (self.magnitude(s)?, other.magnitude(s)?);
        let mut rest = Number(vec![s.no()]);
        let mut quotient = vec![s.no(); a.width()];
        for i in (0..a.width()).rev() {
            rest.0.insert(0, a.bit(i).clone());
            let difference = rest.minus(s, &b)?;
            let fits = s.not(difference.sign());
            rest = Number::ite(s, &fits, &difference, &rest)?;
            quotient[i] = fits;
        }
        let quotient = Number::unsigned(s, quotient);
        let zero = Number::constant(s, 0);
        let negative = s.xor(self.sign(), other.sign())?;
        let signed = Number::ite(s, &negative, &zero.minus(s, &quotient)?, &quotient)?;
        Number::ite(s, &Number::compare(s, CompareOp::Eq, other, &zero)?, &zero, &signed)
    }

    fn magnitude(&self, s: &impl Gates<Bit = B>) -> Res<Number<B>> {
        let zero = Number::constant(s, 0);
        Number::ite(s, self.sign(), &zero.minus(s, self)?, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::bdd::{Limits, Space};

    /// Two four-bit variables shifted by an offset, every operation on all their values.
    #[test]
    fn arithmetic_agrees_with_machine_integers() {
        let s = Space::new(8, &Limits::default()).unwrap();
        let var = |first: u32| {
            let bits = (0..4).map(|i| s.literal(2 * (first + i), true).unwrap()).collect();
            Number::unsigned(&s, bits)
        };
        for (lo_a, lo_b) in [(0, 0), (-7, -3), (2, -15), (i64::MAX - 15, 0)] {
            let a = Number::arith(&s, ArithOp::Add, &var(0), &Number::constant(&s, lo_a)).unwrap();
            let b = Number::arith(&s, ArithOp::Add, &var(4), &Number::constant(&s, lo_b)).unwrap();
            for op in [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div] {
                let result = Number::arith(&s, op, &a, &b).unwrap();
                for (x, y) in (0..16i64).flat_map(|x| (0..16i64).map(move |y| (x, y))) {
                    let at = |l: u32| if l < 8 { x >> (l / 2) & 1 == 1 } else { y >> (l / 2 - 4) & 1 == 1 };
                    let value = (0..64).fold(0u64, |v, i| v | u64::from(result.bit(i).eval(at)) << i) as i64;
                    assert_eq!(value, op.apply(lo_a + x, lo_b + y), "{} {op:?} {}", lo_a + x, lo_b + y);
                }
            }
            use CompareOp::*;
            for op in [Eq, Ne, Lt, Le, Gt, Ge] {
                let result = Number::compare(&s, op, &a, &b).unwrap();
                for (x, y) in (0..16i64).flat_map(|x| (0..16i64).map(move |y| (x, y))) {
                    let at = |l: u32| if l < 8 { x >> (l / 2) & 1 == 1 } else { y >> (l / 2 - 4) & 1 == 1 };
                    assert_eq!(result.eval(at), op.holds(lo_a + x, lo_b + y));
                }
            }
        }
    }
}
