//! Sums over unknowns, and comparisons of them in normal form.
//!
//! Every number that a step computes from abstracted data is a [`Linear`]: coefficients for unknowns and a constant. What cannot be
//! said that way (a quotient, a product of two unknowns, a number chosen by a condition) is an unknown of its own. A comparison is an
//! [`Atom`]: a sum with first coefficient positive, less than or equal to a bound; over integers the coefficients have no common
//! divisor. So two comparisons that mean the same look the same.

use crate::machine::{CompareOp, ExprId, InputIx, VarId};
use crate::smt::{Ratio, Sort, Symbol, Term};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// Something whose value is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// A variable before the step (in predicates: of the snapshot).
    Var(VarId, Sort),
    /// A payload input of the step.
    Input(InputIx, Sort),
    /// Division of whole numbers, towards zero; by zero it is 0.
    Quotient(Box<Linear>, Box<Linear>),
    /// Division without a remainder; by zero it is 0.
    Over(Box<Linear>, Box<Linear>),
    /// A product of two sums that are not constant.
    Product(Box<Linear>, Box<Linear>),
    /// A number that depends on a condition; only in predicates, settled by what is finite in the snapshot.
    Choice(ExprId, Sort),
}

impl Leaf {
    /// Whole number or not.
    pub fn sort(&self) -> Sort {
        match self {
            Leaf::Var(_, sort) | Leaf::Input(_, sort) | Leaf::Choice(_, sort) => *sort,
            Leaf::Quotient(..) => Sort::Int,
            Leaf::Over(..) => Sort::Real,
            Leaf::Product(a, b) => a.sort().max(b.sort()),
        }
    }

    fn each(&self, f: &mut impl FnMut(&Leaf)) {
        f(self);
        if let Leaf::Quotient(a, b) | Leaf::Over(a, b) | Leaf::Product(a, b) = self {
            a.leaves(f);
            b.leaves(f);
        }
    }
}

/// A sum of multiples of unknowns, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// Coefficients, none of them zero.
    pub terms: BTreeMap<Leaf, Ratio>,
    /// The constant part.
    pub constant: Ratio,
}

impl Linear {
    /// A number.
    pub fn constant(value: Ratio) -> Linear {
        Linear { terms: BTreeMap::new(), constant: value }
    }

    /// A whole number.
    pub fn int(value: i64) -> Linear {
        Linear::constant(Ratio::from_integer(value.into()))
    }

    /// An unknown.
    pub fn leaf(leaf: Leaf) -> Linear {
        Linear { terms: BTreeMap::from([(leaf, Ratio::one())]), constant: Ratio::zero() }
    }

    /// Its value, if it is a number.
    pub fn known(&self) -> Option<&Ratio> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// Whole number or not.
    pub fn sort(&self) -> Sort {
        let whole = self.constant.is_integer() && self.terms.values().all(Ratio::is_integer);
        let own = if whole { Sort::Int } else { Sort::Real };
        self.terms.keys().map(Leaf::sort).max().unwrap_or(own).max(own)
    }

    /// `self + factor · other`.
    pub fn plus(&self, other: &Linear, factor: &Ratio) -> Linear {
        let mut sum = self.clone();
        sum.constant += &other.constant * factor;
        for (leaf, c) in &other.terms {
            let entry = sum.terms.entry(leaf.clone()).or_insert_with(Ratio::zero);
            *entry += c * factor;
        }
        sum.terms.retain(|_, c| !c.is_zero());
        sum
    }

    /// `self · factor`.
    pub fn times(&self, factor: &Ratio) -> Linear {
        Linear::constant(Ratio::zero()).plus(self, factor)
    }

    /// `self · other`.
    pub fn product(&self, other: &Linear) -> Linear {
        match (self.known(), other.known()) {
            (_, Some(n)) => self.times(n),
            (Some(n), _) => other.times(n),
            _ => {
                let (a, b) = (self.min(other), self.max(other));
                Linear::leaf(Leaf::Product(Box::new(a.clone()), Box::new(b.clone())))
            }
        }
    }

    /// `self / other` of whole numbers, towards zero; by zero 0.
    pub fn quotient(&self, other: &Linear) -> Linear {
        match (self.known(), other.known()) {
            (_, Some(n)) if n.is_zero() => Linear::int(0),
            (Some(a), Some(b)) => Linear::constant((a / b).trunc()),
            (_, Some(n)) if self.is_multiple_of(n) => self.times(&n.recip()),
            _ => Linear::leaf(Leaf::Quotient(Box::new(self.clone()), Box::new(other.clone()))),
        }
    }

    /// Whatever the unknowns are, does nothing remain?
    fn is_multiple_of(&self, n: &Ratio) -> bool {
        let whole = |c: &Ratio| (c / n).is_integer();
        whole(&self.constant) && self.terms.iter().all(|(leaf, c)| leaf.sort() == Sort::Int && whole(c))
    }

    /// `self / other` without a remainder; by zero 0.
    pub fn over(&self, other: &Linear) -> Linear {
        match other.known() {
            Some(n) if n.is_zero() => Linear::int(0),
            Some(n) => self.times(&n.recip()),
            None => Linear::leaf(Leaf::Over(Box::new(self.clone()), Box::new(other.clone()))),
        }
    }

    /// Calls `f` on every unknown inside.
    pub fn leaves(&self, f: &mut impl FnMut(&Leaf)) {
        self.terms.keys().for_each(|leaf| leaf.each(f));
    }

    /// The same with unknowns replaced.
    pub fn map(&self, f: &mut impl FnMut(&Leaf) -> Linear) -> Linear {
        let mut sum = Linear::constant(self.constant.clone());
        for (leaf, c) in &self.terms {
            let new = match leaf {
                Leaf::Quotient(a, b) => a.map(f).quotient(&b.map(f)),
                Leaf::Over(a, b) => a.map(f).over(&b.map(f)),
                Leaf::Product(a, b) => a.map(f).product(&b.map(f)),
                _ => f(leaf),
            };
            sum = sum.plus(&new, c);
        }
        sum
    }

    /// What a solver reads.
    pub fn term(&self, name: &impl Fn(&Leaf) -> Symbol) -> Term {
        let mut parts = Vec::new();
        for (leaf, c) in &self.terms {
            let unknown = match leaf {
                Leaf::Quotient(a, b) => Term::Quotient(Box::new(a.term(name)), Box::new(b.term(name))),
                Leaf::Over(a, b) => Term::Over(Box::new(a.term(name)), Box::new(b.term(name))),
                Leaf::Product(a, b) => Term::Product(Box::new(a.term(name)), Box::new(b.term(name))),
                _ => Term::Symbol(name(leaf)),
            };
            parts.push(match c.is_one() {
                true => unknown,
                false => Term::Product(Box::new(Term::Number(c.clone())), Box::new(unknown)),
            });
        }
        if !self.constant.is_zero() || parts.is_empty() {
            parts.push(Term::Number(self.constant.clone()));
        }
        match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => Term::Sum(parts.into_iter().chain(last).collect()),
        }
    }
}

/// A comparison: `sum < bound` or `sum == bound`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    /// `<` if true, `==` otherwise.
    pub less: bool,
    /// The sum: a constant part of 0, and at least one unknown.
    pub sum: Linear,
    /// What it is compared with.
    pub bound: Ratio,
}

/// A comparison of a sum with 0, decided by asking for atoms.
pub fn decide<E>(op: CompareOp, sum: &Linear, ask: &mut impl FnMut(Atom) -> Result<bool, E>) -> Result<bool, E> {
    if let Some(n) = sum.known() {
        return Ok(op.holds(n.numer(), &BigInt::zero()));
    }
    let flip = sum.terms.values().next().is_some_and(Ratio::is_negative);
    let (sum, op) = if flip { (sum.times(&-Ratio::one()), op.flipped()) } else { (sum.clone(), op) };
    let whole = sum.terms.keys().all(|l| l.sort() == Sort::Int);
    let (unit, bound) = primitive(&sum, whole);
    let mut equal = |unit: &Linear| match whole && !bound.is_integer() {
        true => Ok(false),
        false => ask(Atom { less: false, sum: unit.clone(), bound: bound.clone() }),
    };
    match op {
        CompareOp::Eq => equal(&unit),
        CompareOp::Ne => equal(&unit).map(|b| !b),
        CompareOp::Lt | CompareOp::Ge => {
            let bound = if whole { bound.ceil() } else { bound.clone() };
            ask(Atom { less: true, sum: unit, bound }).map(|b| b == (op == CompareOp::Lt))
        }
        CompareOp::Le | CompareOp::Gt if whole => {
            let bound = bound.floor() + Ratio::one();
            ask(Atom { less: true, sum: unit, bound }).map(|b| b == (op == CompareOp::Le))
        }
        CompareOp::Le | CompareOp::Gt => {
            let either = equal(&unit)? || ask(Atom { less: true, sum: unit, bound: bound.clone() })?;
            Ok(either == (op == CompareOp::Le))
        }
    }
}

/// The atoms that a comparison of a sum with 0 is made of.
pub fn asked(op: CompareOp, sum: &Linear) -> Vec<Atom> {
    let mut found = Vec::new();
    // Both atoms of a comparison of reals are asked for when the first is said to be false.
    let _ = decide(op, sum, &mut |atom| {
        found.push(atom);
        Ok::<bool, ()>(false)
    });
    found
}

/// `sum op 0` as `unit op bound`: coefficients whole without common divisor over integers, the first one 1 over reals.
fn primitive(sum: &Linear, whole: bool) -> (Linear, Ratio) {
    let (mut gcd, mut lcm) = (BigInt::zero(), BigInt::one());
    for c in sum.terms.values() {
        gcd = gcd.gcd(c.numer());
        lcm = lcm.lcm(c.denom());
    }
    let first = sum.terms.values().next().cloned().unwrap_or_else(Ratio::one);
    let by = if whole && !gcd.is_zero() { Ratio::new(lcm, gcd) } else { first.recip() };
    let mut unit = sum.times(&by);
    let bound = -std::mem::replace(&mut unit.constant, Ratio::zero());
    (unit, bound)
}

impl Atom {
    /// `sum - bound`.
    pub fn difference(&self) -> Linear {
        self.sum.plus(&Linear::constant(self.bound.clone()), &-Ratio::one())
    }

    /// The operator.
    pub const fn op(&self) -> CompareOp {
        if self.less { CompareOp::Lt } else { CompareOp::Eq }
    }

    /// The same with unknowns replaced, decided by asking.
    pub fn decide<E>(
        &self,
        replace: &mut impl FnMut(&Leaf) -> Linear,
        ask: &mut impl FnMut(Atom) -> Result<bool, E>,
    ) -> Result<bool, E> {
        decide(self.op(), &self.difference().map(replace), ask)
    }

    /// What a solver reads.
    pub fn term(&self, holds: bool, name: &impl Fn(&Leaf) -> Symbol) -> Term {
        let (sum, bound) = (self.sum.term(name), Term::Number(self.bound.clone()));
        let term = if self.less { Term::less(sum, bound) } else { Term::equal(sum, bound) };
        if holds { term } else { term.negated() }
    }

    /// The same about other variables.
    pub fn renamed(&self, f: &impl Fn(VarId) -> VarId) -> Atom {
        let sum = self.sum.map(&mut |l| match l {
            Leaf::Var(v, sort) => Linear::leaf(Leaf::Var(f(*v), *sort)),
            other => Linear::leaf(other.clone()),
        });
        Atom { sum, ..self.clone() }
    }

    /// Calls `f` on every unknown inside.
    pub fn leaves(&self, f: &mut impl FnMut(&Leaf)) {
        self.sum.leaves(f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(i: u32, sort: Sort) -> Linear {
        Linear::leaf(Leaf::Var(VarId(i), sort))
    }

    fn asked(op: CompareOp, sum: &Linear) -> (Vec<(bool, String, String)>, bool) {
        let mut atoms = Vec::new();
        let truth = decide(op, sum, &mut |a: Atom| {
            let sum = a.sum.terms.values().map(Ratio::to_string).collect::<Vec<_>>().join(" ");
            atoms.push((a.less, sum, a.bound.to_string()));
            Ok::<bool, ()>(false)
        });
        (atoms, truth.unwrap())
    }

    #[test]
    fn integers_have_one_form() {
        let x = var(0, Sort::Int);
        let minus = |c: i64| x.plus(&Linear::int(-c), &Ratio::one());
        let less_than_3 = (vec![(true, "1".into(), "3".into())], false);
        assert_eq!(asked(CompareOp::Lt, &minus(3)), less_than_3);
        assert_eq!(asked(CompareOp::Le, &minus(2)), less_than_3);
        assert_eq!(asked(CompareOp::Gt, &minus(2).times(&Ratio::from_integer((-4).into()))).0[0].2, "2");
        assert_eq!(asked(CompareOp::Ge, &minus(3)), (less_than_3.0.clone(), true));
        // 2x < 5 is x < 3; 2x == 5 is false; 3x > 6 is not x < 3.
        let scaled = |k: i64, c: i64| x.times(&Ratio::from_integer(k.into())).plus(&Linear::int(-c), &Ratio::one());
        assert_eq!(asked(CompareOp::Lt, &scaled(2, 5)), less_than_3);
        assert_eq!(asked(CompareOp::Eq, &scaled(2, 5)), (vec![], false));
        assert_eq!(asked(CompareOp::Gt, &scaled(3, 6)), (less_than_3.0, true));
    }

    #[test]
    fn reals_need_equality_for_the_closed_side() {
        let r = var(0, Sort::Real).times(&Ratio::from_integer((-2).into())).plus(&Linear::int(5), &Ratio::one());
        // 5 - 2r < 0 is r > 5/2.
        let (atoms, truth) = asked(CompareOp::Lt, &r);
        assert_eq!(atoms, [(false, "1".into(), "5/2".into()), (true, "1".into(), "5/2".into())]);
        assert!(truth);
    }

    #[test]
    fn what_is_not_linear_is_an_unknown() {
        let (x, y) = (var(0, Sort::Int), var(1, Sort::Int));
        assert_eq!(x.product(&y), y.product(&x));
        assert_eq!(x.quotient(&Linear::int(0)), Linear::int(0));
        assert_eq!(x.quotient(&Linear::int(-1)), x.times(&-Ratio::one()));
        assert_eq!(Linear::int(-7).quotient(&Linear::int(2)), Linear::int(-3));
        let even = x.plus(&Linear::int(2), &Ratio::one()).times(&Ratio::from_integer(2.into()));
        assert_eq!(even.quotient(&Linear::int(-2)), Linear::int(-2).plus(&x, &-Ratio::one()));
        let third = x.quotient(&Linear::int(3));
        assert!(matches!(third.terms.keys().next(), Some(Leaf::Quotient(..))));
        assert_eq!(third.map(&mut |_| Linear::int(8)), Linear::int(2));
    }
}
