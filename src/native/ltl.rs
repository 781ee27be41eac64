//! Linear time: a property fails when some fair run satisfies its negation.
//!
//! The automaton of the negation is kept explicit and multiplied with the symbolic snapshots: one set of snapshots per
//! automaton state. That needs no variables beyond those of the machine, and the sets stay simple.

use super::bdd::Bdd;
use super::check::{Answer, Checker, Fairness, Trouble};
use super::graph::{Graph, Sets, both};
use crate::logic::PathFormula;
use crate::logic::automaton::Automaton;
use crate::machine::ExprId;

/// The product of the reachable snapshots with the automaton of a negated formula.
pub(super) struct Product<'a, 'm> {
    /// The nodes that the initial snapshot reaches.
    pub graph: Graph<'a, 'm>,
    /// What a run must visit again and again.
    pub fair: Vec<Sets>,
    /// The nodes from which a fair run violates the formula.
    pub bad: Sets,
    /// The automaton states in which a violating run begins.
    pub initial: Vec<usize>,
}

impl<'a, 'm> Checker<'a, 'm> {
    /// The snapshots in which a path formula holds on all fair runs; exact for the initial snapshot, which is where
    /// linear-time properties are asked.
    pub(super) fn ltl(&self, path: &PathFormula<ExprId>, fair: &Fairness) -> Answer<Bdd> {
        let product = self.product(path, fair)?;
        let bad = self.sys.space.any(product.initial.iter().map(|&q| &product.bad[q]))?;
        Ok(self.sys.space.not(&bad))
    }

    /// Runs from the initial snapshot that violate a path formula.
    pub(super) fn product(&self, path: &PathFormula<ExprId>, fair: &Fairness) -> Answer<Product<'a, 'm>> {
        let s = &self.sys.space;
        let automaton = Automaton::new(path, false)
            .ok_or_else(|| Trouble::Unsupported("the formula's automaton has too many states".into()))?;
        let atoms = automaton.atoms.iter().map(|f| self.sat(f, fair)).collect::<Answer<Vec<Bdd>>>()?;
        let mut labels = Vec::with_capacity(automaton.labels.len());
        for literals in &automaton.labels {
            let mut label = self.reach.set.clone();
            for &(atom, positive) in literals {
                label = if positive { s.and(&label, &atoms[atom])? } else { s.diff(&label, &atoms[atom])? };
            }
            labels.push(label);
        }
        let mut graph = Graph { sys: self.sys, reach: self.reach, labels, edges: automaton.edges, inside: true };
        let mut start = vec![s.no(); graph.labels.len()];
        for &q in &automaton.initial {
            start[q] = s.and(&self.sys.init, &graph.labels[q])?;
        }
        graph.labels = graph.reachable(&start)?;
        let mut fairness: Vec<Sets> = Vec::new();
        for accepting in &automaton.accepting {
            let states = accepting.iter().zip(&graph.labels);
            fairness.push(states.map(|(&a, label)| if a { label.clone() } else { s.no() }).collect());
        }
        for set in &fair.sets {
            fairness.push(both(self.sys, &graph.labels, &vec![set.clone(); graph.labels.len()])?);
        }
        let bad = graph.fair(&fairness)?;
        Ok(Product { graph, fair: fairness, bad, initial: automaton.initial })
    }
}
