//! Verdicts that say less than they seem to.

use std::collections::BTreeMap;

use super::check::{Answer, Checker, Fairness, Fml};
use super::witness::Evidence;
use crate::logic::{Bool, Formula};
use crate::machine::{ExprId, Machine, Node};

/// Remarks about a decided property: implications whose left side never holds, and verdicts that the initial snapshot alone
/// decides although the formula speaks of more.
pub(super) fn remarks(c: &Checker<'_, '_>, f: &Fml, fair: &Fairness, evidence: &Evidence) -> Answer<Vec<String>> {
    let mut remarks = Vec::new();
    if !f.is_state() && evidence.rests_on.is_empty() && evidence.trail.snapshots.len() == 1 {
        let trail = &evidence.trail;
        if trail.sides.is_empty() && trail.loop_start.is_none() {
            remarks.push("the initial snapshot alone decides it".to_string());
        }
    }
    // One implication of the property file is one per slot here; it is empty when it is empty for all of them.
    let mut empty: BTreeMap<String, bool> = BTreeMap::new();
    let mut implications = Vec::new();
    f.walk(&mut |part| {
        if let Formula::Bool(Bool::Implies(a, b)) = part {
            implications.push((a, b));
        }
    });
    for (a, b) in implications {
        if is_created(c.sys.machine, a) {
            continue;
        }
        let never = !c.sys.space.meets(&c.reach.set, &c.sat(a, fair)?)?;
        let shape = format!("{} -> {}", shape(c.sys.machine, a), shape(c.sys.machine, b));
        empty.entry(shape).and_modify(|e| *e &= never).or_insert(never);
    }
    let count = empty.values().filter(|e| **e).count();
    if count > 0 {
        let which =
            if count == empty.len() { "the left side of every implication" } else { "the left side of an implication" };
        remarks.push(format!("{which} is never true in a reachable snapshot"));
    }
    Ok(remarks)
}

/// The implication stands for a quantifier.
fn is_created(machine: &Machine, f: &Fml) -> bool {
    match f {
        Formula::Atom(e) => match machine.exprs.node(*e) {
            Node::Cur(v) => machine.is_existence(*v),
            _ => false,
        },
        _ => false,
    }
}

/// A formula with slots forgotten.
fn shape(machine: &Machine, f: &Fml) -> String {
    match f {
        Formula::Atom(e) => expr_shape(machine, *e),
        _ => {
            let mut head = format!("{:?}", std::mem::discriminant(f));
            let parts: Vec<String> = f.parts().into_iter().map(|p| shape(machine, p)).collect();
            head.push_str(&format!("({})", parts.join(",")));
            head
        }
    }
}

fn expr_shape(machine: &Machine, e: ExprId) -> String {
    match machine.exprs.node(e) {
        Node::Prev(v) | Node::Cur(v) => match machine.slot_of(*v) {
            Some(slot) => format!("{}.{:?}", slot.family, slot.vars.iter().position(|other| other == v)),
            None => machine.var(*v).name.clone(),
        },
        node @ (Node::Bool(_) | Node::Int(_) | Node::Input(_)) => format!("{node:?}"),
        Node::Compare(op, a, b) => format!("({} {op:?} {})", expr_shape(machine, *a), expr_shape(machine, *b)),
        Node::Arith(op, a, b) => format!("({} {op:?} {})", expr_shape(machine, *a), expr_shape(machine, *b)),
        node => {
            let parts: Vec<String> = machine.exprs.parts(e).into_iter().map(|p| expr_shape(machine, p)).collect();
            format!("{:?}({})", std::mem::discriminant(node), parts.join(","))
        }
    }
}
