//! The interpreter over unbounded values: one step of the machine on exact numbers.

use crate::machine::number::Ratio;
use crate::machine::walk::{Executor, walk};
use crate::machine::{ExprId, Machine, Node, Rule, VarId};
use num_traits::{One, Zero};
use std::convert::Infallible;

/// A snapshot: one number per state variable; codes for what is finite.
pub type Values = Vec<Ratio>;

/// A step that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The snapshot after.
    pub after: Values,
    /// Positions of the rules that fired.
    pub fired: Vec<usize>,
}

/// The initial snapshot.
pub fn initial(m: &Machine) -> Values {
    m.state_vars().iter().map(|v| Ratio::from_integer(v.init.into())).collect()
}

/// Makes a step; `None` if it does not exist.
pub fn step(m: &Machine, before: &Values, action: usize, inputs: &[Ratio]) -> Option<Step> {
    let what = m.actions.get(action)?;
    let scratch = m.scratch_vars().iter().map(|v| Ratio::from_integer(v.init.into()));
    let cur = before.iter().cloned().chain(scratch).collect();
    let mut exact = Exact { m, before, cur, inputs, fired: Vec::new() };
    match walk(m, what, &mut exact) {
        Ok(true) => {
            exact.cur.truncate(before.len());
            Some(Step { after: exact.cur, fired: exact.fired })
        }
        _ => None,
    }
}

/// Does a condition on one snapshot hold?
pub fn holds(m: &Machine, snapshot: &Values, condition: ExprId) -> bool {
    !number(m, snapshot, condition).is_zero()
}

/// A number in one snapshot.
pub fn number(m: &Machine, snapshot: &Values, e: ExprId) -> Ratio {
    Exact { m, before: snapshot, cur: snapshot.clone(), inputs: &[], fired: Vec::new() }.number(e)
}

struct Exact<'a> {
    m: &'a Machine,
    before: &'a Values,
    cur: Values,
    inputs: &'a [Ratio],
    fired: Vec<usize>,
}

impl Exact<'_> {
    fn truth(&self, e: ExprId) -> bool {
        !self.number(e).is_zero()
    }

    fn number(&self, e: ExprId) -> Ratio {
        let bit = |b: bool| if b { Ratio::one() } else { Ratio::zero() };
        let read = |list: &[Ratio], at: usize| list.get(at).cloned().unwrap_or_else(Ratio::zero);
        match self.m.exprs.node(e) {
            Node::Bool(b) => bit(*b),
            Node::Int(i) => Ratio::from_integer((*i).into()),
            Node::Prev(v) => read(self.before, v.0 as usize),
            Node::Cur(v) => read(&self.cur, v.0 as usize),
            Node::Input(i) => read(self.inputs, i.0),
            Node::Not(a) => bit(!self.truth(*a)),
            Node::And(xs) => bit(xs.iter().all(|x| self.truth(*x))),
            Node::Or(xs) => bit(xs.iter().any(|x| self.truth(*x))),
            Node::Iff(a, b) => bit(self.truth(*a) == self.truth(*b)),
            Node::Ite(c, t, f) => self.number(if self.truth(*c) { *t } else { *f }),
            Node::Compare(op, a, b) => bit(op.holds(self.number(*a), self.number(*b))),
            Node::Arith(op, a, b) => {
                let (a, b) = (self.number(*a), self.number(*b));
                op.of_numbers(&a, &b)
            }
        }
    }
}

impl Executor for Exact<'_> {
    type Value = Ratio;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<Ratio, Infallible> {
        let (lo, hi) = self.m.var(var).domain.bounds();
        let value = self.number(e);
        let (low, high) = (Ratio::from_integer(lo.into()), Ratio::from_integer(hi.into()));
        Ok(match () {
            () if lo != i64::MIN && value < low => low,
            () if hi != i64::MAX && value > high => high,
            () => value,
        })
    }

    fn set(&mut self, var: VarId, value: Ratio) -> Result<(), Infallible> {
        if let Some(place) = self.cur.get_mut(var.0 as usize) {
            *place = value;
        }
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Infallible> {
        Ok(self.truth(condition))
    }

    fn rule(&mut self, position: usize, rule: &Rule) -> Result<(), Infallible> {
        if self.truth(rule.prerequisite) && self.truth(rule.antecedent) {
            let value = self.value(rule.value, rule.target)?;
            self.set(rule.target, value)?;
            self.fired.push(position);
        }
        Ok(())
    }
}
