//! Payload out of the way: for which unknowns is there an input that satisfies some conditions?
//!
//! A solver could be asked with a quantifier, but it may not know. Where an input occurs in whole numbers with factor 1 or -1, as
//! payload that is stored or compared does, the answer is found here: between every lower bound and every upper one there is room. Another factor
//! may stand on one side of it, since the bound on the other side is then a value to try. An input
//! with fractions may have any factor and meet anything; between two bounds there is room unless they cross, or meet where one is not reached,
//! and room for one is room for infinitely many, so that values to be avoided do not matter there.

use super::linear::{Atom, Leaf, Linear};
use super::system::Wide;
use crate::machine::{CompareOp, InputIx};
use crate::smt::{Ratio, Sort, Symbol, Term};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// A condition on numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The sum is less than 0.
    Less(Linear),
    /// The sum is at most 0; only where there are fractions.
    AtMost(Linear),
    /// The sum is 0.
    Equal(Linear),
    /// The sum is not 0.
    Differ(Linear),
}

impl Condition {
    /// An atom or its negation.
    pub fn of(atom: &Atom, holds: bool) -> Condition {
        let sum = atom.difference();
        match (atom.less, holds) {
            (true, true) => Condition::Less(sum),
            // Not below the bound: bound - sum <= 0.
            (true, false) => Condition::at_most(sum.times(&-Ratio::one())),
            (false, true) => Condition::Equal(sum),
            (false, false) => Condition::Differ(sum),
        }
    }

    /// The sum is at most 0: among whole numbers, less than 1.
    fn at_most(sum: Linear) -> Condition {
        match is_whole(&sum) {
            true => Condition::Less(sum.plus(&Linear::int(-1), &Ratio::one())),
            false => Condition::AtMost(sum),
        }
    }

    /// How its sum is compared with 0.
    pub const fn op(&self) -> CompareOp {
        match self {
            Condition::Less(_) => CompareOp::Lt,
            Condition::AtMost(_) => CompareOp::Le,
            Condition::Equal(_) => CompareOp::Eq,
            Condition::Differ(_) => CompareOp::Ne,
        }
    }

    /// What a solver reads.
    pub fn term(&self, name: &impl Fn(&Leaf) -> Symbol) -> Term {
        let (sum, zero) = (self.sum().term(name), Term::int(0));
        match self {
            Condition::Less(_) => Term::less(sum, zero),
            Condition::AtMost(_) => Term::less(zero, sum).negated(),
            Condition::Equal(_) => Term::equal(sum, zero),
            Condition::Differ(_) => Term::equal(sum, zero).negated(),
        }
    }

    /// What is compared with 0.
    pub fn sum(&self) -> &Linear {
        match self {
            Condition::Less(s) | Condition::AtMost(s) | Condition::Equal(s) | Condition::Differ(s) => s,
        }
    }

    fn map(&self, f: &mut impl FnMut(&Leaf) -> Linear) -> Condition {
        match self {
            Condition::Less(s) => Condition::Less(s.map(f)),
            Condition::AtMost(s) => Condition::AtMost(s.map(f)),
            Condition::Equal(s) => Condition::Equal(s.map(f)),
            Condition::Differ(s) => Condition::Differ(s.map(f)),
        }
    }

    /// The same with the sum multiplied by a positive number.
    fn times(&self, factor: &Ratio) -> Condition {
        match self {
            Condition::Less(s) => Condition::Less(s.times(factor)),
            Condition::AtMost(s) => Condition::AtMost(s.times(factor)),
            Condition::Equal(s) => Condition::Equal(s.times(factor)),
            Condition::Differ(s) => Condition::Differ(s.times(factor)),
        }
    }

    /// Its truth, if it is about nothing unknown.
    fn known(&self) -> Option<bool> {
        let sum = self.sum().known()?;
        Some(self.op().holds(sum, &Ratio::zero()))
    }

    fn mentions(&self, input: &Leaf) -> bool {
        let mut found = false;
        self.sum().leaves(&mut |l| found |= l == input);
        found
    }
}

/// Does a sum have whole numbers only?
fn is_whole(sum: &Linear) -> bool {
    sum.sort() == Sort::Int
}

/// More alternatives than this are left to the solver.
const MOST: usize = 64;

/// Conditions without these inputs: some alternative holds exactly where the inputs can be chosen. `None` if that is not known.
pub fn eliminate(conditions: Vec<Condition>, inputs: &BTreeMap<InputIx, Wide>) -> Option<Vec<Vec<Condition>>> {
    let mut alternatives = vec![conditions];
    for (i, wide) in inputs {
        let leaf = Leaf::Input(*i, wide.sort);
        let mut next = Vec::new();
        for mut one in alternatives {
            let unknown = Linear::leaf(leaf.clone());
            // u - hi <= 0, and lo - u <= 0.
            one.extend(wide.hi.map(|hi| Condition::at_most(unknown.plus(&Linear::int(hi), &-Ratio::one()))));
            one.extend(wide.lo.map(|lo| Condition::at_most(Linear::int(lo).plus(&unknown, &-Ratio::one()))));
            next.extend(without(one, &leaf)?);
            if next.len() > MOST {
                return None;
            }
        }
        alternatives = next;
    }
    Some(alternatives.into_iter().filter_map(plain).collect())
}

/// Conditions without those that hold anyway; nothing if one never does.
fn plain(conditions: Vec<Condition>) -> Option<Vec<Condition>> {
    let mut open: Vec<Condition> = Vec::new();
    for c in conditions {
        match c.known() {
            Some(true) => {}
            Some(false) => return None,
            None if open.contains(&c) => {}
            None => open.push(c),
        }
    }
    Some(open)
}

/// The same without one input.
fn without(conditions: Vec<Condition>, input: &Leaf) -> Option<Vec<Vec<Condition>>> {
    let (about, mut rest): (Vec<Condition>, Vec<Condition>) = conditions.into_iter().partition(|c| c.mentions(input));
    let real = input.sort() == Sort::Real;
    let factor = |c: &Condition| {
        let mut times = 0;
        c.sum().leaves(&mut |l| times += usize::from(l == input));
        c.sum().terms.get(input).filter(|_| times == 1).map(Signed::abs)
    };
    let is_bound = |c: &Condition| factor(c).is_some_and(|f| real || f.is_one() && is_whole(c.sum()));
    if let Some(at) = about.iter().position(|c| matches!(c, Condition::Equal(_)) && is_bound(c)) {
        return Some(vec![at_bound(rest, &about, at, input)?]);
    }
    // An occurrence inside a quotient or a product is none of ours, nor is a fraction beside a whole number.
    let plain = |c: Condition| {
        let factor = factor(&c)?;
        match real {
            true => Some(c.times(&factor.recip())),
            false => (is_whole(c.sum()) && !matches!(c, Condition::Equal(_))).then_some(c),
        }
    };
    let about = about.into_iter().map(plain).collect::<Option<Vec<Condition>>>()?;
    let up = |c: &&Condition| c.sum().terms.get(input).is_some_and(Signed::is_positive);
    let ordered: Vec<&Condition> =
        about.iter().filter(|c| matches!(c, Condition::Less(_) | Condition::AtMost(_))).collect();
    if ordered.iter().all(&up) || !ordered.iter().any(up) {
        // No bound on one side: there is always room for another value.
        return Some(vec![rest]);
    }
    let avoided = about.iter().position(|c| matches!(c, Condition::Differ(_)));
    if avoided.is_some() && real {
        return crowded(rest, &about, input);
    }
    if let Some(at) = avoided {
        let differing = about.get(at)?.sum().clone();
        let mut alternatives = Vec::new();
        for side in [differing.clone(), differing.times(&-Ratio::one())] {
            let others = about.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c.clone());
            let all = rest.iter().cloned().chain(others).chain([Condition::Less(side)]).collect();
            alternatives.extend(without(all, input)?);
            if alternatives.len() > MOST {
                return None;
            }
        }
        return Some(alternatives);
    }
    let (uppers, lowers): (Vec<&Condition>, Vec<&Condition>) = ordered.into_iter().partition(up);
    for upper in &uppers {
        for lower in &lowers {
            let (up, low) = (factor(upper)?, factor(lower)?);
            if !up.is_one() && !low.is_one() {
                return None;
            }
            let both = upper.sum().times(&low).plus(&lower.sum().times(&up), &Ratio::one());
            rest.push(match (real, upper, lower) {
                // a < u and k·u < -b leave room for a whole number when k·(a + 1) + b < 0.
                (false, ..) => Condition::Less(both.plus(&Linear::constant(up.max(low)), &Ratio::one())),
                (true, Condition::AtMost(_), Condition::AtMost(_)) => Condition::AtMost(both),
                _ => Condition::Less(both),
            });
        }
    }
    Some(vec![rest])
}

/// Where an input can only be what makes the sum of one condition 0: the others then.
fn at_bound(mut rest: Vec<Condition>, about: &[Condition], at: usize, input: &Leaf) -> Option<Vec<Condition>> {
    let sum = about.get(at)?.sum();
    let factor = sum.terms.get(input)?.clone();
    // factor·u + rest = 0, so u = -rest/factor.
    let value = sum.plus(&Linear::leaf(input.clone()), &-factor.clone()).times(&-factor.recip());
    let others = about.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c);
    rest.extend(others.map(|c| c.map(&mut |l| if l == input { value.clone() } else { Linear::leaf(l.clone()) })));
    Some(rest)
}

/// An input with fractions that has bounds and must avoid some values: either there is room between the bounds, and then for more than that, or it is
/// one of the bounds itself.
fn crowded(rest: Vec<Condition>, about: &[Condition], input: &Leaf) -> Option<Vec<Vec<Condition>>> {
    let up = |c: &Condition| c.sum().terms.get(input).is_some_and(Signed::is_positive);
    let bounds = || about.iter().enumerate().filter(|(_, c)| !matches!(c, Condition::Differ(_)));
    let mut roomy = rest.clone();
    for (_, upper) in bounds().filter(|(_, c)| up(c)) {
        let lowers = bounds().filter(|(_, c)| !up(c));
        roomy.extend(lowers.map(|(_, lower)| Condition::Less(upper.sum().plus(lower.sum(), &Ratio::one()))));
    }
    let reached = |upper: bool| bounds().filter(move |(_, c)| up(c) == upper && matches!(c, Condition::AtMost(_)));
    let few = reached(true).count() < reached(false).count();
    let mut alternatives = vec![roomy];
    for (at, _) in reached(few) {
        alternatives.push(at_bound(rest.clone(), about, at, input)?);
    }
    Some(alternatives)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::VarId;

    /// Every choice of small numbers: there is an input exactly where the conditions without it hold.
    #[test]
    fn there_is_an_input_exactly_where_it_says() {
        let mut rng = fastrand::Rng::with_seed(7);
        let leaves =
            [Leaf::Input(InputIx(0), Sort::Int), Leaf::Input(InputIx(1), Sort::Int), Leaf::Var(VarId(0), Sort::Int)];
        let value = |sum: &Linear, at: &[i64; 3]| {
            let known = sum.map(&mut |l| Linear::int(at[leaves.iter().position(|x| x == l).unwrap()]));
            known.known().unwrap().clone()
        };
        let holds = |c: &Condition, at: &[i64; 3]| match c {
            Condition::Less(s) => value(s, at) < Ratio::from_integer(0.into()),
            Condition::AtMost(s) => value(s, at) <= Ratio::from_integer(0.into()),
            Condition::Equal(s) => value(s, at) == Ratio::from_integer(0.into()),
            Condition::Differ(s) => value(s, at) != Ratio::from_integer(0.into()),
        };
        let (mut done, mut left) = (0, 0);
        for _ in 0..2000 {
            let mut conditions = Vec::new();
            for _ in 0..rng.usize(1..5) {
                let mut sum = Linear::int(rng.i64(-3..4));
                for leaf in &leaves {
                    let factor = if rng.u8(..8) == 0 { 2 } else { rng.i64(-1..2) };
                    sum = sum.plus(&Linear::leaf(leaf.clone()), &Ratio::from_integer(factor.into()));
                }
                let op = [CompareOp::Lt, CompareOp::Eq, CompareOp::Ge, CompareOp::Ne][rng.usize(..4)];
                let mut found = None;
                let truth = super::super::linear::decide(op, &sum, &mut |a| {
                    found = Some(a);
                    Ok::<bool, ()>(true)
                });
                if let Some(atom) = found {
                    conditions.push(Condition::of(&atom, truth == Ok(true)));
                }
            }
            let ranges = [(-2, 3), (0, 2)].map(|(lo, hi)| Wide { sort: Sort::Int, lo: Some(lo), hi: Some(hi) });
            let inputs = BTreeMap::from([(InputIx(0), ranges[0]), (InputIx(1), ranges[1])]);
            let Some(found) = eliminate(conditions.clone(), &inputs) else {
                left += 1;
                continue;
            };
            done += 1;
            for x in -6..7 {
                let mut pairs = (-2..=3).flat_map(|a| (0..=2).map(move |b| [a, b, x]));
                let expected = pairs.any(|at| conditions.iter().all(|c| holds(c, &at)));
                let got = found.iter().any(|all| all.iter().all(|c| holds(c, &[99, 99, x])));
                assert_eq!(got, expected, "{conditions:?} at {x}: {found:?}");
            }
        }
        assert!(done > left, "{done} done, {left} left to the solver");
    }

    /// The same with fractions: what is about halves has its bounds at quarters, so that eighths are enough to try.
    #[test]
    fn there_is_an_input_with_fractions_exactly_where_it_says() {
        let mut rng = fastrand::Rng::with_seed(11);
        let leaves = [Leaf::Input(InputIx(0), Sort::Real), Leaf::Var(VarId(0), Sort::Real)];
        let eighths = |n: i64| Ratio::new(n.into(), 8.into());
        let value = |sum: &Linear, at: &[i64; 2]| {
            let known = sum.map(&mut |l| Linear::constant(eighths(at[usize::from(*l == leaves[1])])));
            known.known().unwrap().clone()
        };
        let holds = |c: &Condition, at: &[i64; 2]| match c {
            Condition::Less(s) => value(s, at).is_negative(),
            Condition::AtMost(s) => !value(s, at).is_positive(),
            Condition::Equal(s) => value(s, at).is_zero(),
            Condition::Differ(s) => !value(s, at).is_zero(),
        };
        for _ in 0..500 {
            let mut conditions = Vec::new();
            for _ in 0..rng.usize(1..12) {
                let (mut sum, factor) = (Linear::int(rng.i64(-2..3)), [-2, -1, 1, 2][rng.usize(..4)]);
                for (leaf, factor) in leaves.iter().zip([factor, rng.i64(-1..2)]) {
                    sum = sum.plus(&Linear::leaf(leaf.clone()), &Ratio::from_integer(factor.into()));
                }
                conditions.push(match rng.u8(..8) {
                    0 => Condition::Equal(sum),
                    1 | 2 => Condition::Less(sum),
                    3 | 4 => Condition::AtMost(sum),
                    _ => Condition::Differ(sum),
                });
            }
            let wide = Wide { sort: Sort::Real, lo: Some(-1), hi: Some(1) };
            let found = eliminate(conditions.clone(), &BTreeMap::from([(InputIx(0), wide)])).unwrap();
            for x in (-24..=24).step_by(4) {
                let expected = (-8..=8).any(|u| conditions.iter().all(|c| holds(c, &[u, x])));
                let got = found.iter().any(|all| all.iter().all(|c| holds(c, &[99, x])));
                assert_eq!(got, expected, "{conditions:?} at {x}/8: {found:?}");
            }
        }
    }
}
