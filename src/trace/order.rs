//! A step that depends on the order of its rules.

use crate::interp::{Choice, Interp, Step};
use crate::machine::{Body, Snapshot};
use serde::Serialize;
use std::fmt;

/// Rules that wait for each other, in a step in which it matters which is first. Rules are named as `Type[1].PAC-2 …`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OrderDependence {
    /// Those that fired.
    pub chosen: Vec<String>,
    /// Those that would decide otherwise at the end.
    pub wavering: Vec<String>,
    /// The sets of rules that can fire together and then all stand by it.
    pub results: Vec<Vec<String>>,
}

impl OrderDependence {
    /// What a component of the body comes to in a step.
    pub fn of(interp: &Interp, before: &Snapshot, step: &Step, component: usize) -> Option<OrderDependence> {
        let m = interp.machine();
        let Choice::Act { action, .. } = &step.choice else { return None };
        let body: &Body = m.body(m.actions.get(*action)?);
        let found = interp.results(before, &step.choice, component)?;
        let names = |rules: &[usize]| rules.iter().filter_map(|r| body.rules.get(*r)).map(|r| m.rule_name(r)).collect();
        Some(OrderDependence {
            chosen: names(&found.chosen),
            wavering: names(&found.wavering),
            results: found.results.iter().map(|r| names(r)).collect(),
        })
    }
}

impl fmt::Display for OrderDependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |rules: &[String]| if rules.is_empty() { "nothing".to_string() } else { rules.join(", ") };
        let others: Vec<String> = self.results.iter().filter(|r| **r != self.chosen).map(|r| list(r)).collect();
        if others.is_empty() {
            return write!(f, "after {}, {} would decide otherwise", list(&self.chosen), list(&self.wavering));
        }
        write!(f, "{} fired; in another order {}", list(&self.chosen), others.join(", or "))
    }
}
