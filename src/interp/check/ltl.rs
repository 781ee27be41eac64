//! LTL: is there a fair run on which the negation holds?
//!
//! The negation is put into normal form (negations at state formulas; X, U, R). A node of the product is a snapshot, the formulas
//! taken to hold there, and those that must hold in the next snapshot; it is made by splitting formulas at that snapshot (the
//! on-the-fly tableau of Gerth, Peled, Vardi and Wolper, with the state formulas looked up at once). A run is accepted when
//! every until that is promised again and again is also fulfilled again and again.

use super::ctl::Fair;
use super::scc::cyclic_components;
use super::{Explicit, Set, not};
use crate::logic::{Bool, PathFormula, Temporal};
use crate::machine::ExprId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A formula in normal form, by its number in a [`Closure`].
type Id = usize;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// A state formula: where it holds.
    State(usize),
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// The formulas of one question, parts before wholes, each once.
#[derive(Default)]
struct Closure {
    forms: Vec<Form>,
    sets: Vec<Set>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    state: usize,
    holds: BTreeSet<Id>,
    next: BTreeSet<Id>,
}

impl Explicit<'_> {
    /// Snapshots from which all fair runs satisfy the formula.
    pub(super) fn ltl(&self, formula: &PathFormula<ExprId>, fair: &Fair) -> Set {
        let mut closure = Closure::default();
        let negation = closure.normal(self, formula, false, fair);
        let product = Product::new(self, &closure, negation);
        not(&product.starts_of_runs(fair))
    }
}

impl Closure {
    fn add(&mut self, form: Form) -> Id {
        self.forms.iter().position(|f| *f == form).unwrap_or_else(|| {
            self.forms.push(form);
            self.forms.len() - 1
        })
    }

    fn state(&mut self, set: Set) -> Id {
        let number = self.sets.iter().position(|s| *s == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        self.add(Form::State(number))
    }

    /// The formula (`positive`) or its negation, in normal form.
    fn normal(&mut self, e: &Explicit, f: &PathFormula<ExprId>, positive: bool, fair: &Fair) -> Id {
        match f {
            PathFormula::State(s) => {
                let set = e.sat(s, fair);
                self.state(if positive { set } else { not(&set) })
            }
            PathFormula::Bool(b) => self.connective(e, b, positive, fair),
            PathFormula::Temporal(t) => self.operator(e, t, positive, fair),
        }
    }

    fn connective(&mut self, e: &Explicit, b: &Bool<PathFormula<ExprId>>, positive: bool, fair: &Fair) -> Id {
        let chain = |parts: Vec<Id>, and: bool| if and == positive { Form::And(parts) } else { Form::Or(parts) };
        let form = match b {
            Bool::Not(a) => return self.normal(e, a, !positive, fair),
            Bool::Quant { body, .. } => return self.normal(e, body, positive, fair),
            Bool::And(xs) | Bool::Or(xs) => {
                let parts = xs.iter().map(|x| self.normal(e, x, positive, fair)).collect();
                chain(parts, matches!(b, Bool::And(_)))
            }
            Bool::Implies(a, b) => {
                chain(vec![self.normal(e, a, !positive, fair), self.normal(e, b, positive, fair)], false)
            }
            Bool::Iff(a, b) => {
                let both = vec![self.normal(e, a, true, fair), self.normal(e, b, positive, fair)];
                let none = vec![self.normal(e, a, false, fair), self.normal(e, b, !positive, fair)];
                Form::Or(vec![self.add(Form::And(both)), self.add(Form::And(none))])
            }
        };
        self.add(form)
    }

    fn operator(&mut self, e: &Explicit, t: &Temporal<PathFormula<ExprId>>, positive: bool, fair: &Fair) -> Id {
        let pair = |a: Id, b: Id, until: bool| if until == positive { Form::Until(a, b) } else { Form::Release(a, b) };
        let form = match t.map(|a| self.normal(e, a, positive, fair)) {
            Temporal::Next(a) => Form::Next(*a),
            Temporal::Finally(a) => pair(self.state(e.everywhere(positive)), *a, true),
            Temporal::Globally(a) => pair(self.state(e.everywhere(!positive)), *a, false),
            Temporal::Until(a, b) => pair(*a, *b, true),
        };
        self.add(form)
    }

    /// All ways in which the formulas `todo` can hold from a snapshot on.
    fn split(&self, state: usize, mut todo: Vec<Id>, mut node: Node, found: &mut Vec<Node>) {
        while let Some(id) = todo.pop() {
            if !node.holds.insert(id) {
                continue;
            }
            // The second way, where there is one: what must hold now, and what must hold next.
            let (other, later): (Vec<Vec<Id>>, Option<Id>) = match &self.forms[id] {
                Form::State(s) if self.sets[*s][state] => continue,
                Form::State(_) => return,
                Form::And(parts) => {
                    todo.extend(parts);
                    continue;
                }
                Form::Next(a) => {
                    node.next.insert(*a);
                    continue;
                }
                Form::Or(parts) => (parts.iter().map(|p| vec![*p]).collect(), None),
                Form::Until(a, b) => (vec![vec![*b], vec![*a]], Some(id)),
                Form::Release(a, b) => (vec![vec![*a, *b], vec![*b]], Some(id)),
            };
            let last = other.len().saturating_sub(1);
            for (way, now) in other.into_iter().enumerate() {
                let (mut todo, mut node) = (todo.clone(), node.clone());
                todo.extend(now);
                if let (Some(later), true) = (later, way == last) {
                    node.next.insert(later);
                }
                self.split(state, todo, node, found);
            }
            return;
        }
        found.push(node);
    }
}

/// The part of the product that can be reached from any snapshot.
struct Product<'a> {
    closure: &'a Closure,
    nodes: Vec<Node>,
    edges: Vec<(usize, usize)>,
    starts: Vec<Vec<usize>>,
}

impl<'a> Product<'a> {
    fn new(e: &Explicit, closure: &'a Closure, formula: Id) -> Product<'a> {
        let mut product = Product { closure, nodes: Vec::new(), edges: Vec::new(), starts: Vec::new() };
        let mut known = FxHashMap::default();
        for state in 0..e.states() {
            let first = product.ways(state, &BTreeSet::from([formula]), &mut known);
            product.starts.push(first);
        }
        let mut at = 0;
        while at < product.nodes.len() {
            let Node { state, next, .. } = product.nodes[at].clone();
            for &after in &e.next[state] {
                let ways = product.ways(after, &next, &mut known);
                product.edges.extend(ways.into_iter().map(|to| (at, to)));
            }
            at += 1;
        }
        product
    }

    fn ways(&mut self, state: usize, todo: &BTreeSet<Id>, known: &mut FxHashMap<Node, usize>) -> Vec<usize> {
        let mut found = Vec::new();
        let empty = Node { state, holds: BTreeSet::new(), next: BTreeSet::new() };
        self.closure.split(state, todo.iter().copied().collect(), empty, &mut found);
        let mut numbers: Vec<usize> = found
            .into_iter()
            .map(|node| {
                *known.entry(node).or_insert_with_key(|node| {
                    self.nodes.push(node.clone());
                    self.nodes.len() - 1
                })
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Snapshots where an accepted run starts.
    fn starts_of_runs(&self, fair: &Fair) -> Set {
        let untils: Vec<(Id, Id)> = (0..self.closure.forms.len())
            .filter_map(|id| match self.closure.forms[id] {
                Form::Until(_, b) => Some((id, b)),
                _ => None,
            })
            .collect();
        let fulfils = |n: &usize, (until, goal): (Id, Id)| {
            let node = &self.nodes[*n];
            !node.holds.contains(&until) || node.holds.contains(&goal)
        };
        let mut good = vec![false; self.nodes.len()];
        for component in cyclic_components(self.nodes.len(), self.edges.iter().copied()) {
            let accepts = untils.iter().all(|u| component.iter().any(|n| fulfils(n, *u)))
                && fair.sets.iter().all(|f| component.iter().any(|n| f[self.nodes[*n].state]));
            component.iter().for_each(|n| good[*n] |= accepts);
        }
        let mut before = vec![Vec::new(); self.nodes.len()];
        self.edges.iter().for_each(|(a, b)| before[*b].push(*a));
        let mut todo: Vec<usize> = (0..good.len()).filter(|n| good[*n]).collect();
        while let Some(n) = todo.pop() {
            for &p in &before[n] {
                if !good[p] {
                    good[p] = true;
                    todo.push(p);
                }
            }
        }
        self.starts.iter().map(|first| first.iter().any(|n| good[*n])).collect()
    }
}
