//! When an action can be taken: with which payload, or with any at all.
//!
//! A machine says when a step exists by two conditions, one of them about the snapshot after the immediate effect. Languages
//! without quantifiers over inputs need both as conditions on the snapshot before the step alone.

use super::width::SMALLER;
use crate::machine::interval;
use crate::machine::walk::{self, Executor};
use crate::machine::{
    Action, Body, CompareOp, Domain, ExprId, Exprs, FALSE, Input, InputIx, Leaf, Machine, Node, Rule, Var, VarId,
};
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// Conditions of all actions, in an arena of their own.
pub struct Choices {
    /// The machine's expressions and the new ones.
    pub exprs: Exprs,
    /// Per action: it can be taken, over `Prev` and inputs.
    pub guards: Vec<ExprId>,
}

/// Too many payload combinations to write down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "too many payload combinations to write down one by one; {SMALLER}")
    }
}

impl std::error::Error for TooMany {}

/// Payload combinations that one action may be split into.
pub const MOST_COMBINATIONS: usize = 4096;

impl Choices {
    /// The conditions of a machine's actions.
    pub fn of(m: &Machine) -> Choices {
        let mut exprs = m.exprs.clone();
        let applicable: Vec<ExprId> = m.bodies.iter().map(|b| before(&mut exprs, m, b)).collect();
        let guard = |a: &Action| exprs.and([a.allowed, applicable[a.body.0]]);
        let guards = m.actions.iter().map(guard).collect();
        Choices { exprs, guards }
    }

    /// The condition that some payload makes an action possible, over `Prev`.
    pub fn possible(&mut self, m: &Machine, action: usize) -> Result<ExprId, TooMany> {
        let inputs = &m.body(&m.actions[action]).inputs;
        let mut budget = MOST_COMBINATIONS;
        exists(&mut self.exprs, self.guards[action], inputs, &mut budget)
    }

    /// The inputs that an action's condition depends on, ascending.
    pub fn support(&self, action: usize) -> Vec<InputIx> {
        support(&self.exprs, self.guards[action])
    }

    /// Every combination of values of the inputs that the condition depends on, with the condition (over `Prev`) left then;
    /// impossible combinations are left out. The order is that of counting.
    #[allow(clippy::type_complexity)]
    pub fn combinations(&mut self, m: &Machine, action: usize) -> Result<Vec<(Vec<(InputIx, i64)>, ExprId)>, TooMany> {
        let inputs = &m.body(&m.actions[action]).inputs;
        let mut all = vec![(vec![], self.guards[action])];
        for i in self.support(action) {
            let mut next = Vec::new();
            for (chosen, guard) in all {
                if inputs[i].values.len() > MOST_COMBINATIONS as u64 {
                    return Err(TooMany);
                }
                for value in inputs[i].values.iter() {
                    let left = with_input(&mut self.exprs, guard, &inputs[i], i, value);
                    if left != FALSE {
                        let mut more: Vec<(InputIx, i64)> = chosen.clone();
                        more.push((i, value));
                        next.push((more, left));
                    }
                }
                if next.len() > MOST_COMBINATIONS {
                    return Err(TooMany);
                }
            }
            all = next;
        }
        Ok(all)
    }
}

/// A body's `applicable` with Σ₁ expressed through Σ and the inputs.
fn before(exprs: &mut Exprs, m: &Machine, body: &Body) -> ExprId {
    let scratch = m.var_ids().skip(m.state_vars().len());
    let now = scratch.map(|v| (v, constant(exprs, m.var(v)))).collect();
    let mut s = Substitute { exprs, m, inputs: &body.inputs, now, applicable: FALSE };
    let Ok(()) = walk::in_order(&body.effect, &mut s);
    let Ok(_) = s.require(body.applicable);
    s.applicable
}

fn constant(exprs: &mut Exprs, var: &Var) -> ExprId {
    match var.domain {
        Domain::Bool => exprs.bool(var.init != 0),
        _ => exprs.int(var.init),
    }
}

/// A step in which every value is an expression over `Prev` and inputs.
struct Substitute<'a> {
    exprs: &'a mut Exprs,
    m: &'a Machine,
    inputs: &'a [Input],
    now: FxHashMap<VarId, ExprId>,
    applicable: ExprId,
}

impl Executor for Substitute<'_> {
    type Value = ExprId;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<ExprId, Infallible> {
        let value = at(self.exprs, e, &self.now);
        let ((lo, hi), ends) =
            (self.m.var(var).domain.bounds(), interval(&self.m.vars, self.exprs, self.inputs, value));
        if self.m.var(var).domain == Domain::Bool || (ends.0 >= lo && ends.1 <= hi) {
            return Ok(value);
        }
        let (lo, hi) = (self.exprs.int(lo), self.exprs.int(hi));
        let (below, above) =
            (self.exprs.compare(CompareOp::Lt, value, lo), self.exprs.compare(CompareOp::Gt, value, hi));
        let low = self.exprs.ite(below, lo, value);
        Ok(self.exprs.ite(above, hi, low))
    }

    fn set(&mut self, var: VarId, value: ExprId) -> Result<(), Infallible> {
        self.now.insert(var, value);
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Infallible> {
        self.applicable = at(self.exprs, condition, &self.now);
        Ok(true)
    }

    fn rule(&mut self, _: usize, _: &Rule) -> Result<(), Infallible> {
        Ok(())
    }
}

/// An expression with `Cur` replaced by what the variables are now.
pub fn at(exprs: &mut Exprs, e: ExprId, now: &FxHashMap<VarId, ExprId>) -> ExprId {
    exprs.map_leaves(e, &mut |ex, leaf| match leaf {
        Leaf::Cur(v) => now.get(&v).copied().unwrap_or_else(|| ex.prev(v)),
        Leaf::Prev(_) | Leaf::Input(_) => ex.leaf(leaf),
    })
}

/// An expression with one input fixed.
pub fn with_input(exprs: &mut Exprs, e: ExprId, input: &Input, ix: InputIx, value: i64) -> ExprId {
    let boolean = input.domain == crate::machine::Domain::Bool;
    exprs.map_leaves(e, &mut |ex, leaf| match leaf {
        Leaf::Input(i) if i == ix && boolean => ex.bool(value != 0),
        Leaf::Input(i) if i == ix => ex.int(value),
        Leaf::Input(_) | Leaf::Prev(_) | Leaf::Cur(_) => ex.leaf(leaf),
    })
}

fn support(exprs: &Exprs, e: ExprId) -> Vec<InputIx> {
    let mut found = Vec::new();
    exprs.leaves(e, &mut |leaf| {
        if let Node::Input(i) = leaf {
            found.push(*i);
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// Quantifies all inputs existentially: through disjunctions, and through conjunctions whose parts share no input; only what is
/// left is expanded value by value.
fn exists(exprs: &mut Exprs, e: ExprId, inputs: &[Input], budget: &mut usize) -> Result<ExprId, TooMany> {
    let reads = support(exprs, e);
    let Some(&first) = reads.first() else { return Ok(e) };
    match exprs.node(e).clone() {
        Node::Or(xs) => {
            let parts: Result<Vec<_>, _> = xs.iter().map(|x| exists(exprs, *x, inputs, budget)).collect();
            Ok(exprs.or(parts?))
        }
        Node::And(xs) => {
            let groups = by_shared_input(exprs, &xs);
            if groups.len() == 1 {
                return expand(exprs, e, inputs, first, budget);
            }
            let mut parts = Vec::new();
            for group in groups {
                let whole = exprs.and(group);
                parts.push(exists(exprs, whole, inputs, budget)?);
            }
            Ok(exprs.and(parts))
        }
        _ => expand(exprs, e, inputs, first, budget),
    }
}

fn expand(exprs: &mut Exprs, e: ExprId, inputs: &[Input], ix: InputIx, budget: &mut usize) -> Result<ExprId, TooMany> {
    let Some(input) = inputs.get(ix.0) else { return Ok(e) };
    let mut parts = Vec::new();
    if input.values.len() > *budget as u64 {
        return Err(TooMany);
    }
    for value in input.values.iter() {
        *budget = budget.checked_sub(1).ok_or(TooMany)?;
        let fixed = with_input(exprs, e, input, ix, value);
        parts.push(exists(exprs, fixed, inputs, budget)?);
    }
    Ok(exprs.or(parts))
}

/// Conjuncts in groups such that different groups read different inputs.
fn by_shared_input(exprs: &Exprs, xs: &[ExprId]) -> Vec<Vec<ExprId>> {
    let mut groups: Vec<(Vec<InputIx>, Vec<ExprId>)> = Vec::new();
    for x in xs {
        let mut reads = support(exprs, *x);
        let mut members = Vec::new();
        let meets = |g: &(Vec<InputIx>, Vec<ExprId>)| g.0.iter().any(|i| reads.contains(i));
        let (hit, rest): (Vec<_>, Vec<_>) = groups.drain(..).partition(meets);
        for (r, m) in hit {
            reads.extend(r);
            members.extend(m);
        }
        members.push(*x);
        groups = rest;
        groups.push((reads, members));
    }
    groups.into_iter().map(|g| g.1).collect()
}
