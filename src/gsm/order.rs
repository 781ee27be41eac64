//! The serialized order of the PAC rules, event by event.

use super::{Application, Occurrence, RuleIx, Rules};

/// The order of the rules that can matter while something occurs.
#[derive(Clone, Debug)]
pub struct Order {
    /// What occurs.
    pub occurrence: Occurrence,
    /// The rules whose sentry can hold then, in the order in which they run.
    pub sequence: Vec<RuleIx>,
    /// The edges of the rule graph, reversed ones already turned.
    pub edges: Vec<Edge>,
    /// Strongly connected components with more than one rule (or a self-loop), each in document order.
    pub cycles: Vec<Vec<RuleIx>>,
}

/// An edge of the rule graph: `from` decides before `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Runs first.
    pub from: RuleIx,
    /// Runs after.
    pub to: RuleIx,
    /// A consequence of opening or closing: turned round, never dropped.
    pub reversed: bool,
    /// `to` reads other slots than its own, so the edge joins all slots of the two types, not one slot with itself.
    pub related: bool,
    /// Left out to break a cycle: `from` runs after `to`, or the two are one rule.
    pub dropped: bool,
}

/// The order for one occurrence.
pub fn order(app: &Application, rules: &Rules, occurrence: Occurrence) -> Order {
    let _ = app;
    Order { occurrence, sequence: (0..rules.list.len()).collect(), edges: Vec::new(), cycles: Vec::new() }
}
