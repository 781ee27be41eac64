//! The serialized order of the PAC rules, event by event.
//!
//! Only one event occurs in a B-step, so each has its own order, of the rules that can fire then. Where the rule graph has no cycle,
//! the order is topological, ties broken by document order. In a cycle, rules that by definition decide before a change do so; what is
//! cyclic then is cut: closing rules run before opening rules, and what is still cyclic on one side runs in document order. The edges
//! that this leaves out are kept with a mark, so that a step that depends on the choice can be found.

use super::graph::{decides_before, edges};
use super::slice::can_fire;
use super::{Application, Occurrence, RuleIx, RuleKind, Rules};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet};

/// The order of the rules that can matter while something occurs.
#[derive(Clone, Debug)]
pub struct Order {
    /// What occurs.
    pub occurrence: Occurrence,
    /// The rules whose sentry can hold then, in the order in which they run.
    pub sequence: Vec<RuleIx>,
    /// The edges of the rule graph, those inside cycles that are reversed already turned. Two rules have at most one edge about the same slot and one about
    /// related slots in each direction.
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

impl Order {
    /// The edges left out to break cycles; none if the rule graph is acyclic.
    pub fn dropped(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|e| e.dropped)
    }

    /// Pairs of rules whose relative order matters, the earlier one first. Every sequence that respects them has the same result.
    pub fn precedence(&self) -> impl Iterator<Item = (RuleIx, RuleIx)> {
        let pair = |e: &Edge| if e.dropped { (e.to, e.from) } else { (e.from, e.to) };
        self.edges.iter().map(pair).filter(|(first, then)| first != then)
    }
}

/// The order for one occurrence.
pub fn order(app: &Application, rules: &Rules, occurrence: Occurrence) -> Order {
    let taken: Vec<RuleIx> = RuleIx::all(&rules.list).filter(|&r| can_fire(app, &rules.list[r], occurrence)).collect();
    let mut edges = edges(app, rules, &taken);
    let knots = cycles(&taken, &edges);
    reverse(app, rules, &knots, &mut edges);
    let cycles = cycles(&taken, &edges);
    let cuts: Vec<(RuleIx, RuleIx)> = cycles.iter().flat_map(|cycle| cut(rules, cycle, &mut edges)).collect();
    let kept = edges.iter().filter(|e| !e.dropped).map(|e| (e.from, e.to));
    let sequence = topological(&taken, kept.chain(cuts)).unwrap_or(taken);
    Order { occurrence, sequence, edges, cycles }
}

/// Turns those edges inside a cycle round of which the reader by definition decides before the writer.
fn reverse(app: &Application, rules: &Rules, knots: &[Vec<RuleIx>], edges: &mut Vec<Edge>) {
    let knot: BTreeMap<RuleIx, usize> =
        knots.iter().enumerate().flat_map(|(k, all)| all.iter().map(move |r| (*r, k))).collect();
    let together = |e: &Edge| knot.get(&e.from).is_some_and(|k| knot.get(&e.to) == Some(k));
    let before = |e: &Edge| !e.related && decides_before(app, &rules.list[e.to], &rules.list[e.from]);
    let mut turned: BTreeMap<(RuleIx, RuleIx, bool), bool> = BTreeMap::new();
    for e in edges.iter() {
        let reversed = together(e) && before(e);
        let (from, to) = if reversed { (e.to, e.from) } else { (e.from, e.to) };
        *turned.entry((from, to, e.related)).or_default() |= reversed;
    }
    let edge = |((from, to, related), reversed)| Edge { from, to, reversed, related, dropped: false };
    *edges = turned.into_iter().map(edge).collect();
}

/// The orders of all occurrences, in the order of [`Occurrence::all`].
pub fn orders(app: &Application, rules: &Rules) -> Vec<Order> {
    Occurrence::all(app).into_iter().map(|o| order(app, rules, o)).collect()
}

/// One order that serves all the given ones, if there is such: restricted to the rules of each, it runs them as that order does or
/// in another sequence with the same result.
pub fn common_order(orders: &[Order]) -> Option<Vec<RuleIx>> {
    let taken: BTreeSet<RuleIx> = orders.iter().flat_map(|o| o.sequence.iter().copied()).collect();
    let taken: Vec<RuleIx> = taken.into_iter().collect();
    topological(&taken, orders.iter().flat_map(Order::precedence))
}

/// Strongly connected components of `nodes` (sorted) that hold a cycle, each sorted, in the order of their first rules. Dropped
/// edges and edges that leave `nodes` do not count.
fn cycles(nodes: &[RuleIx], edges: &[Edge]) -> Vec<Vec<RuleIx>> {
    let mut graph = DiGraph::<RuleIx, ()>::new();
    let index: BTreeMap<RuleIx, _> = nodes.iter().map(|&r| (r, graph.add_node(r))).collect();
    for e in edges.iter().filter(|e| !e.dropped) {
        if let (Some(&from), Some(&to)) = (index.get(&e.from), index.get(&e.to)) {
            graph.add_edge(from, to, ());
        }
    }
    let cyclic = |c: &Vec<_>| c.len() > 1 || c.iter().any(|&n| graph.contains_edge(n, n));
    let rules = |c: Vec<_>| c.into_iter().map(|n| graph[n]).collect::<BTreeSet<RuleIx>>().into_iter().collect();
    let mut found: Vec<Vec<RuleIx>> = tarjan_scc(&graph).into_iter().filter(cyclic).map(rules).collect();
    found.sort();
    found
}

/// Breaks the cycles inside one component by dropping edges; gives the pairs of rules, earlier one first, that this puts in order.
fn cut(rules: &Rules, component: &[RuleIx], edges: &mut [Edge]) -> Vec<(RuleIx, RuleIx)> {
    let opens = |r: &RuleIx| matches!(rules.list[*r].kind, RuleKind::Open(..) | RuleKind::Reset(_));
    let (opening, closing): (Vec<RuleIx>, Vec<RuleIx>) = component.iter().partition(|r| opens(r));
    for e in edges.iter_mut().filter(|e| opening.contains(&e.from) && closing.contains(&e.to)) {
        e.dropped = true;
    }
    let mut pairs: Vec<(RuleIx, RuleIx)> = closing.iter().flat_map(|&c| opening.iter().map(move |&o| (c, o))).collect();
    for side in [closing, opening] {
        for knot in cycles(&side, edges) {
            let line = document_order(&knot, edges);
            let place = |r: RuleIx| line.iter().position(|&x| x == r);
            for e in edges.iter_mut() {
                if let (Some(from), Some(to)) = (place(e.from), place(e.to)) {
                    e.dropped |= from >= to;
                }
            }
            pairs.extend(line.windows(2).map(|w| (w[0], w[1])));
        }
    }
    pairs
}

/// The rules of a knot in document order, taking each time the first that no reversed edge holds back.
fn document_order(knot: &[RuleIx], edges: &[Edge]) -> Vec<RuleIx> {
    let held = edges.iter().filter(|e| e.reversed && knot.contains(&e.from) && knot.contains(&e.to));
    topological(knot, held.map(|e| (e.from, e.to))).unwrap_or_else(|| knot.to_vec())
}

/// The first topological order of `nodes` by rule number, `None` if there is none. Each pair says: earlier one, later one.
fn topological(nodes: &[RuleIx], pairs: impl Iterator<Item = (RuleIx, RuleIx)>) -> Option<Vec<RuleIx>> {
    let pairs: BTreeSet<(RuleIx, RuleIx)> = pairs.collect();
    let mut waits: BTreeMap<RuleIx, usize> = nodes.iter().map(|&r| (r, 0)).collect();
    for (_, then) in &pairs {
        *waits.entry(*then).or_default() += 1;
    }
    let mut ready: BTreeSet<RuleIx> = nodes.iter().copied().filter(|r| waits[r] == 0).collect();
    let mut sequence = Vec::with_capacity(nodes.len());
    while let Some(first) = ready.pop_first() {
        sequence.push(first);
        for &(_, then) in pairs.range((first, RuleIx(0))..=(first, RuleIx(usize::MAX))) {
            if let Some(n) = waits.get_mut(&then) {
                *n -= 1;
                if *n == 0 {
                    ready.insert(then);
                }
            }
        }
    }
    (sequence.len() == nodes.len()).then_some(sequence)
}

#[cfg(test)]
mod tests;
