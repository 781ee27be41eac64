//! How a step would end if a rule that depends on the order came later.

use super::Viewer;
use crate::explain::Change;
use crate::interp::{Choice, Literal, Step};
use crate::machine::walk;
use crate::machine::{Body, Machine, Node, Snapshot, Watch};
use crate::trace::{rule_labels, to_json};
use serde::Serialize;

/// The same B-step with one rule, and what waits for it, moved behind the rules it closes a cycle with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherOrder {
    /// The rule that moves, as `Type[1].PAC-2 …`.
    pub rule: String,
    /// The rules that it now comes after: those that fired.
    pub after: Vec<String>,
    /// It fires in this order (and does not in the chosen one), or the other way round.
    pub fires: bool,
    /// Every rule that fires in this order, in order.
    pub fired: Vec<String>,
    /// What is different at the end: `old` in the chosen order, `new` in this one. Empty when both end alike.
    pub differs: Vec<Change>,
}

impl Viewer<'_> {
    /// The other orders of a step that depends on the order.
    pub fn other_orders(&self, before: &Snapshot, step: &Step) -> Vec<OtherOrder> {
        let m: &Machine = self.interp.machine();
        let Choice::Act { action, inputs } = &step.choice else { return Vec::new() };
        let Some(action) = m.actions.get(*action) else { return Vec::new() };
        let body = m.body(action);
        let label = |position: usize| m.rule_name(&body.rules[position]);
        let opens = |position: usize| self.lens.comes_late(&body.rules[position]);
        let mut found = Vec::new();
        for watch in step.order.iter().filter_map(|w| body.watches.get(*w)) {
            let order = later(m, body, watch, &opens);
            let rules = order.iter().map(|position| body.rules[*position].clone()).collect();
            let mut run = Literal::new(m, before, inputs);
            let Ok(_) = walk::body(&Body { rules, ..body.clone() }, &mut run);
            let Ok(()) = walk::updates(&m.exprs, action, &mut run);
            let fired: Vec<usize> = run.fired.iter().map(|turn| order[*turn]).collect();
            found.push(OtherOrder {
                rule: label(watch.rule),
                after: watch.sources.iter().filter(|s| step.fired.contains(s)).map(|s| label(*s)).collect(),
                fires: fired.contains(&watch.rule),
                fired: rule_labels(m, &step.choice, &fired),
                differs: changes(m, &step.after, run.snapshot()),
            });
        }
        found
    }
}

/// The order with a watched rule behind its sources, and with it the later rules of its side that wait for it.
///
/// Sides are those of the chosen order: opening (PAC-1, PAC-4) and closing. On the sources' own side, what they wait for stays.
fn later(m: &Machine, body: &Body, watch: &Watch, opens: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let last = watch.sources.iter().copied().max().unwrap_or(watch.rule);
    let reads = |rule: usize, written: &[usize]| {
        let mut found = false;
        for side in [body.rules[rule].prerequisite, body.rules[rule].antecedent] {
            m.exprs.leaves(side, &mut |leaf| {
                found |= matches!(leaf, Node::Cur(v) if written.iter().any(|w| body.rules[*w].target == *v));
            });
        }
        found
    };
    let mut needed = watch.sources.clone();
    for rule in (watch.rule + 1..last).rev().filter(|r| opens(*r) == opens(last)) {
        if needed.iter().any(|n| *n > rule && reads(*n, &[rule])) {
            needed.push(rule);
        }
    }
    let mut moved = vec![watch.rule];
    for rule in (watch.rule + 1..=last).filter(|r| !needed.contains(r) && opens(*r) == opens(watch.rule)) {
        if reads(rule, &moved) {
            moved.push(rule);
        }
    }
    let rest = |r: &usize| !moved.contains(r);
    (0..=last).filter(rest).chain(moved.iter().copied()).chain(last + 1..body.rules.len()).collect()
}

/// The variables that differ.
pub(super) fn changes(m: &Machine, old: &[i64], new: &[i64]) -> Vec<Change> {
    let all = m.vars.iter().zip(old.iter().zip(new)).filter(|(_, (o, n))| o != n);
    all.map(|(v, (o, n))| Change { name: v.name.clone(), old: to_json(&v.domain, *o), new: to_json(&v.domain, *n) })
        .collect()
}
