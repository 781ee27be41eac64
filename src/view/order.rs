//! How a step ends in other orders of its rules.

use super::Viewer;
use crate::explain::Change;
use crate::interp::{Choice, Literal, Step};
use crate::machine::walk;
use crate::machine::{Body, FALSE, Machine, Rule, Snapshot, TRUE};
use crate::trace::{OrderDependence, to_json};
use serde::Serialize;

/// What rules that wait for each other come to in another order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherOrder {
    /// Those of them that fired, as `Type[1].PAC-2 …`.
    pub chosen: Vec<String>,
    /// Those that would decide otherwise at the end.
    pub wavering: Vec<String>,
    /// Those that fire in this order; null where whatever fires would be decided otherwise at the end.
    pub fired: Option<Vec<String>>,
    /// What is different at the end: `old` in the chosen order, `new` in this one.
    pub differs: Vec<Change>,
}

impl Viewer<'_> {
    /// The other results of a step that depends on the order.
    pub fn other_orders(&self, before: &Snapshot, step: &Step) -> Vec<OtherOrder> {
        let m: &Machine = self.interp.machine();
        let Choice::Act { action, inputs } = &step.choice else { return Vec::new() };
        let Some(action) = m.actions.get(*action) else { return Vec::new() };
        let body = m.body(action);
        let mut all = Vec::new();
        for &component in &step.order {
            let Some(found) = self.interp.results(before, &step.choice, component) else { continue };
            let Some(named) = OrderDependence::of(self.interp, before, step, component) else { continue };
            let other = |fired, differs| OtherOrder {
                chosen: named.chosen.clone(),
                wavering: named.wavering.clone(),
                fired,
                differs,
            };
            let members = &body.components[component].rules;
            for (result, names) in found.results.iter().zip(&named.results).filter(|(r, _)| **r != found.chosen) {
                let mut run = Literal::new(m, before, inputs);
                let Ok(_) = walk::body(&with_result(body, members, result), &mut run);
                let Ok(()) = walk::updates(&m.exprs, action, &mut run);
                all.push(other(Some(names.clone()), changes(m, &step.after, run.snapshot())));
            }
            if found.results.is_empty() {
                all.push(other(None, Vec::new()));
            }
        }
        all
    }
}

/// The body, with these members of a component firing and no others.
fn with_result(body: &Body, members: &[usize], result: &[usize]) -> Body {
    let decided = |(position, rule): (usize, &Rule)| match members.contains(&position) {
        true => {
            let antecedent = if result.contains(&position) { TRUE } else { FALSE };
            Rule { prerequisite: TRUE, antecedent, ..rule.clone() }
        }
        false => rule.clone(),
    };
    Body { rules: body.rules.iter().enumerate().map(decided).collect(), ..body.clone() }
}

/// The variables that differ.
pub(super) fn changes(m: &Machine, old: &[i64], new: &[i64]) -> Vec<Change> {
    let all = m.vars.iter().zip(old.iter().zip(new)).filter(|(_, (o, n))| o != n);
    all.map(|(v, (o, n))| Change { name: v.name.clone(), old: to_json(&v.domain, *o), new: to_json(&v.domain, *n) })
        .collect()
}
