//! Verdicts that say less than they seem to.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::check::{Answer, Checker, Fairness, Fml};
use super::witness::Evidence;
use crate::logic::{Bool, DoubtKind, Formula, Property};
use crate::machine::{ExprId, Machine, Node};

/// What is said of a verdict that needs no step, although the formula speaks of more.
pub const ALONE: &str = "the initial snapshot alone decides it";
/// Time for parts that may not matter, whatever deciding took.
const PATIENCE: Duration = Duration::from_secs(1);

/// A property that has been decided.
pub(super) struct Decided<'p> {
    pub property: &'p Property<ExprId>,
    pub fair: &'p Fairness,
    pub evidence: &'p Evidence,
    pub holds: bool,
    /// How long that took.
    pub took: Duration,
}

/// Remarks about a decided property: implications whose left side never holds, constants that nothing is ever equal to, verdicts that
/// the initial snapshot alone decides although the formula speaks of more, parts that do not matter.
pub(super) fn remarks(c: &Checker<'_, '_>, d: &Decided<'_>) -> Answer<Vec<String>> {
    let mut remarks: Vec<String> = alone(d).into_iter().collect();
    remarks.extend(left_sides(c, d)?);
    for doubt in &d.property.doubts {
        let asked = matches!(doubt.kind, DoubtKind::Constant { wanted } if !(wanted && d.holds));
        if asked && never(c, d, &doubt.formula)? {
            remarks.push(format!("{} compares with a value that no reachable snapshot has", doubt.part));
        }
    }
    if remarks.is_empty() && d.holds && d.property.formula.is_universal() {
        remarks.extend(without_effect(c, d));
    }
    remarks.dedup();
    Ok(remarks)
}

fn alone(d: &Decided<'_>) -> Option<String> {
    let trail = &d.evidence.trail;
    let short = d.evidence.rests_on.is_empty() && trail.snapshots.len() == 1;
    let alone = !d.property.formula.is_state() && short && trail.sides.is_empty() && trail.loop_start.is_none();
    alone.then(|| ALONE.to_string())
}

fn never(c: &Checker<'_, '_>, d: &Decided<'_>, f: &Fml) -> Answer<bool> {
    Ok(!c.sys.space.meets(&c.reach.set, &c.sat(f, d.fair)?)?)
}

fn left_sides(c: &Checker<'_, '_>, d: &Decided<'_>) -> Answer<Option<String>> {
    // One implication of the property file is one per slot here; it is empty when it is empty for all of them.
    let mut empty: BTreeMap<String, bool> = BTreeMap::new();
    let mut implications = Vec::new();
    d.property.formula.walk(&mut |part| {
        if let Formula::Bool(Bool::Implies(a, b)) = part {
            implications.push((a, b));
        }
    });
    for (a, b) in implications {
        if is_created(c.sys.machine, a) || !a.free().is_empty() {
            continue;
        }
        let never = never(c, d, a)?;
        let shape = format!("{} -> {}", shape(c.sys.machine, a), shape(c.sys.machine, b));
        empty.entry(shape).and_modify(|e| *e &= never).or_insert(never);
    }
    // Those that are folded into atoms, or stand in linear time.
    for doubt in d.property.doubts.iter().filter(|doubt| doubt.kind == DoubtKind::LeftSide) {
        let never = never(c, d, &doubt.formula)?;
        empty.entry(doubt.part.clone()).and_modify(|e| *e &= never).or_insert(never);
    }
    let count = empty.values().filter(|e| **e).count();
    let which = if count == empty.len() { "every implication" } else { "an implication" };
    Ok((count > 0).then(|| format!("the left side of {which} is never true in a reachable snapshot")))
}

/// Parts that can be false, or true, without changing the verdict, wherever they stand. Not looked for longer than deciding took
/// and a bit.
fn without_effect(c: &Checker<'_, '_>, d: &Decided<'_>) -> Option<String> {
    let begin = Instant::now();
    let mut parts: Vec<(&str, bool)> = Vec::new();
    for doubt in d.property.doubts.iter().filter(|doubt| doubt.kind == DoubtKind::Part) {
        if begin.elapsed() > d.took + PATIENCE {
            break;
        }
        let Ok(idle) = c.holds(&doubt.formula, d.fair) else { break };
        match parts.iter_mut().find(|(part, _)| *part == doubt.part) {
            Some((_, everywhere)) => *everywhere &= idle,
            None => parts.push((&doubt.part, idle)),
        }
    }
    let parts: Vec<&str> = parts.into_iter().filter(|(_, idle)| *idle).map(|(part, _)| part).collect();
    (!parts.is_empty()).then(|| format!("it holds whatever {} is", parts.join(" or ")))
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
            let parts: Vec<String> = machine.exprs.parts(e).map(|p| expr_shape(machine, p)).collect();
            format!("{:?}({})", std::mem::discriminant(node), parts.join(","))
        }
    }
}
