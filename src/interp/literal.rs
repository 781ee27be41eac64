//! A step taken expression by expression, without compiling: for what looks at one step closely.

use crate::machine::walk::Executor;
use crate::machine::{ExprId, Leaf, Machine, Rule, VarId};
use std::convert::Infallible;

/// A step under way.
#[derive(Clone, Debug)]
pub struct Literal<'a> {
    machine: &'a Machine,
    prev: &'a [i64],
    inputs: &'a [i64],
    now: Vec<i64>,
    /// Positions of the rules that fired, in order.
    pub fired: Vec<usize>,
}

impl<'a> Literal<'a> {
    /// At the beginning of a step.
    pub fn new(machine: &'a Machine, prev: &'a [i64], inputs: &'a [i64]) -> Literal<'a> {
        let scratch = machine.scratch_vars().iter().map(|v| v.init);
        let now = prev.iter().copied().chain(scratch).collect();
        Literal { machine, prev, inputs, now, fired: Vec::new() }
    }

    /// The snapshot now.
    pub fn snapshot(&self) -> &[i64] {
        &self.now[..self.prev.len()]
    }

    /// All values now, scratch variables included.
    pub fn values(&self) -> &[i64] {
        &self.now
    }

    /// An expression now; Booleans as 0 and 1.
    pub fn eval(&self, e: ExprId) -> i64 {
        let at = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(0);
        self.machine.exprs.eval(e, &|leaf| match leaf {
            Leaf::Prev(v) => at(self.prev, v.0 as usize),
            Leaf::Cur(v) => at(&self.now, v.0 as usize),
            Leaf::Input(i) => at(self.inputs, i.0),
        })
    }
}

impl Executor for Literal<'_> {
    type Value = i64;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<i64, Infallible> {
        Ok(self.machine.var(var).domain.nearest(self.eval(e)))
    }

    fn set(&mut self, var: VarId, value: i64) -> Result<(), Infallible> {
        if let Some(place) = self.now.get_mut(var.0 as usize) {
            *place = value;
        }
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Infallible> {
        Ok(self.eval(condition) != 0)
    }

    fn rule(&mut self, position: usize, rule: &Rule) -> Result<(), Infallible> {
        if self.eval(rule.prerequisite) != 0 && self.eval(rule.antecedent) != 0 {
            let value = self.value(rule.value, rule.target)?;
            self.set(rule.target, value)?;
            self.fired.push(position);
        }
        Ok(())
    }
}
