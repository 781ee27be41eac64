//! Expressions as they are in the middle of a step, over the snapshot before it and the payload.
//!
//! A finishing assignment sees the end of a step. What must be known of an earlier moment is worked out from the rules before it.

use crate::machine::{Body, ExprId, Exprs, FALSE, Leaf, Node, VarId};
use std::collections::BTreeMap;

/// The moments of a body's step, worked out as they are asked for.
pub(super) struct Turns<'b> {
    body: &'b Body,
    /// What the immediate effect writes.
    effect: BTreeMap<VarId, ExprId>,
    /// What a rule, given by its position, leaves in its target.
    after: BTreeMap<usize, ExprId>,
}

impl<'b> Turns<'b> {
    pub(super) fn new(exprs: &mut Exprs, body: &'b Body) -> Turns<'b> {
        let mut effect = BTreeMap::new();
        for a in &body.effect {
            let value = with(exprs, a.value, &effect);
            effect.insert(a.var, value);
        }
        Turns { body, effect, after: BTreeMap::new() }
    }

    /// An expression at the turn of a rule: with what the effect and the rules before it have done.
    pub(super) fn at(&mut self, exprs: &mut Exprs, e: ExprId, turn: usize) -> ExprId {
        let mut now = BTreeMap::new();
        exprs.leaves(e, &mut |leaf| {
            if let Node::Cur(v) = leaf {
                now.insert(*v, FALSE);
            }
        });
        for (v, value) in &mut now {
            *value = self.value(exprs, *v, turn);
        }
        with(exprs, e, &now)
    }

    /// The condition under which a rule fires.
    pub(super) fn fires(&mut self, exprs: &mut Exprs, turn: usize) -> ExprId {
        let rule = &self.body.rules[turn];
        let both = exprs.and([rule.prerequisite, rule.antecedent]);
        self.at(exprs, both, turn)
    }

    fn value(&mut self, exprs: &mut Exprs, v: VarId, turn: usize) -> ExprId {
        let Some(last) = (0..turn).rfind(|r| self.body.rules[*r].target == v) else {
            return self.effect.get(&v).copied().unwrap_or_else(|| exprs.prev(v));
        };
        if let Some(known) = self.after.get(&last) {
            return *known;
        }
        let fires = self.fires(exprs, last);
        let (new, old) = (self.at(exprs, self.body.rules[last].value, last), self.value(exprs, v, last));
        let value = exprs.ite(fires, new, old);
        self.after.insert(last, value);
        value
    }
}

/// An expression with what variables are now; those not listed are as before the step.
fn with(exprs: &mut Exprs, e: ExprId, now: &BTreeMap<VarId, ExprId>) -> ExprId {
    exprs.map_leaves(e, &mut |exprs, leaf| match leaf {
        Leaf::Cur(v) => now.get(&v).copied().unwrap_or_else(|| exprs.prev(v)),
        Leaf::Prev(_) | Leaf::Input(_) => exprs.leaf(leaf),
    })
}
