//! What a question needs: the variables it depends on, and in every move the assignments that matter to them.
//!
//! Compliance and faults influence nothing else, so a question about one stage does not drag in those of the others.

use super::point::Op;
use super::vars::Role;
use super::{Bodies, MoveBody};
use crate::machine::{ExprId, Exprs, Node, TRUE, VarId};
use std::collections::BTreeSet;

/// What is left of a model for some questions.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Variables of the snapshot that matter.
    pub state: BTreeSet<Role>,
    /// Per move, per assignment: does it matter?
    pub kept: Vec<Vec<bool>>,
    /// Per move: the sentries outside the snapshot whose old value matters.
    pub recalled: Vec<BTreeSet<VarId>>,
}

/// The slice for roles that must be in the snapshot, and for roles whose changes are watched within a step only.
pub fn slice(b: &Bodies, wanted: &BTreeSet<Role>, watched: &BTreeSet<Role>) -> Slice {
    let mut state = wanted.clone();
    state.insert(Role::Unstable);
    loop {
        let mut needed = state.clone();
        let (mut kept, mut recalled) = (Vec::new(), Vec::new());
        for body in &b.moves {
            let (flags, before) = live(b, body, state.iter().chain(watched).map(|r| b.vars.id(*r)).collect());
            let (outside, inside): (BTreeSet<VarId>, BTreeSet<VarId>) =
                before.into_iter().partition(|v| body.recall.iter().any(|(x, _)| b.vars.id(Role::Sentry(*x)) == *v));
            let mut found = inside;
            reads(&b.exprs, body.possible, &mut found);
            for (x, e) in &body.recall {
                if outside.contains(&b.vars.id(Role::Sentry(*x))) {
                    reads(&b.exprs, *e, &mut found);
                }
            }
            let snapshot = found.into_iter().map(|v| b.vars.role(v));
            needed.extend(snapshot.filter(|r| !watched.contains(r) && !matches!(r, Role::Condition(_))));
            kept.push(flags);
            recalled.push(outside);
        }
        if needed == state {
            return Slice { state, kept, recalled };
        }
        state = needed;
    }
}

/// Which assignments matter to what is live at the end, and what is live at the beginning.
fn live(b: &Bodies, body: &MoveBody, mut live: BTreeSet<VarId>) -> (Vec<bool>, BTreeSet<VarId>) {
    let mut kept = vec![false; body.ops.len()];
    for (at, Op { guard, target, value, .. }) in body.ops.iter().enumerate().rev() {
        if live.contains(target) {
            kept[at] = true;
            if *guard == TRUE {
                live.remove(target);
            }
            reads(&b.exprs, *guard, &mut live);
            reads(&b.exprs, *value, &mut live);
        }
    }
    if let super::Move::Item(i, _) = body.what {
        live.remove(&b.vars.id(Role::Item(i)));
    }
    (kept, live)
}

fn reads(exprs: &Exprs, e: ExprId, into: &mut BTreeSet<VarId>) {
    exprs.leaves(e, &mut |leaf| {
        if let Node::Cur(v) | Node::Prev(v) = leaf {
            into.insert(*v);
        }
    });
}
