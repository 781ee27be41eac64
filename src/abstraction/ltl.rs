//! Linear time on an abstract graph.
//!
//! True if no may-path can violate the formula. False if some must-path from the initial snapshot violates it: an infinite one, or one
//! after which every may-path does.

use super::Graph;
use super::truth::Truth;
use crate::logic::Formula;
use crate::logic::automaton::Automaton;
use crate::machine::ExprId;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// More sets of automaton states than this are not followed.
const MOST_SETS: usize = 200_000;

/// When a literal counts as satisfied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Literals {
    /// Where it is surely so.
    Sure,
    /// Where it is not surely otherwise.
    Possible,
}

/// An automaton over a graph, with the truth of its atoms.
struct Product<'a> {
    automaton: &'a Automaton<Formula<ExprId>>,
    atoms: Vec<Truth>,
    next: &'a [BTreeSet<usize>],
    literals: Literals,
}

impl Product<'_> {
    fn fits(&self, s: usize, q: usize) -> bool {
        let label = self.automaton.labels.get(q).map(Vec::as_slice).unwrap_or_default();
        label.iter().all(|(atom, positive)| {
            let Some(truth) = self.atoms.get(*atom) else { return false };
            let (own, other) = if *positive { (&truth.yes, &truth.no) } else { (&truth.no, &truth.yes) };
            match self.literals {
                Literals::Sure => own.get(s) == Some(&true),
                Literals::Possible => other.get(s) != Some(&true),
            }
        })
    }

    fn successors(&self, s: usize, q: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let after = self.next.get(s).into_iter().flatten();
        let states = self.automaton.edges.get(q).map(Vec::as_slice).unwrap_or_default();
        after.flat_map(move |t| states.iter().map(move |r| (*t, *r))).filter(|(t, r)| self.fits(*t, *r))
    }

    /// The pairs of snapshot and automaton state, among those reachable from these, from which an accepted path starts.
    fn alive(&self, starts: impl Iterator<Item = (usize, usize)>) -> BTreeSet<(usize, usize)> {
        let mut graph: DiGraph<(usize, usize), ()> = DiGraph::new();
        let mut index: BTreeMap<(usize, usize), NodeIndex> = BTreeMap::new();
        let mut todo = Vec::new();
        for pair in starts.filter(|(s, q)| self.fits(*s, *q)) {
            index.entry(pair).or_insert_with(|| {
                todo.push(pair);
                graph.add_node(pair)
            });
        }
        while let Some((s, q)) = todo.pop() {
            let Some(&from) = index.get(&(s, q)) else { continue };
            for pair in self.successors(s, q) {
                let to = *index.entry(pair).or_insert_with(|| {
                    todo.push(pair);
                    graph.add_node(pair)
                });
                graph.add_edge(from, to, ());
            }
        }
        let accepting = |component: &[NodeIndex]| {
            let looped = component.len() > 1 || component.first().is_some_and(|n| graph.contains_edge(*n, *n));
            let has = |set: &Vec<bool>| {
                component.iter().filter_map(|n| graph.node_weight(*n)).any(|(_, q)| set.get(*q) == Some(&true))
            };
            looped && self.automaton.accepting.iter().all(has)
        };
        let mut alive: BTreeSet<NodeIndex> = BTreeSet::new();
        let mut todo: Vec<NodeIndex> = kosaraju_scc(&graph).into_iter().filter(|c| accepting(c)).flatten().collect();
        while let Some(node) = todo.pop() {
            if alive.insert(node) {
                todo.extend(graph.neighbors_directed(node, petgraph::Direction::Incoming));
            }
        }
        alive.into_iter().filter_map(|n| graph.node_weight(n).copied()).collect()
    }
}

/// Whether a path formula holds from the initial snapshot on: `yes`, `no`, or neither. `satisfies` and `violates` are the automata of
/// the formula and of its negation; `atoms` gives the truth of a state formula.
pub fn decide<E>(
    graph: &Graph,
    satisfies: &Automaton<Formula<ExprId>>,
    violates: &Automaton<Formula<ExprId>>,
    mut atoms: impl FnMut(&Formula<ExprId>) -> Result<Truth, E>,
) -> Result<(bool, bool), E> {
    let states = graph.states.len();
    let may: Vec<BTreeSet<usize>> = (0..states).map(|s| graph.may(s)).collect();
    let must: Vec<BTreeSet<usize>> = (0..states).map(|s| graph.must(s)).collect();
    let bad = violates.atoms.iter().map(&mut atoms).collect::<Result<Vec<_>, E>>()?;
    let good = satisfies.atoms.iter().map(&mut atoms).collect::<Result<Vec<_>, E>>()?;
    let start = |p: &Product| {
        let alive = p.alive(p.automaton.initial.iter().map(|q| (0, *q)));
        p.automaton.initial.iter().any(|q| alive.contains(&(0, *q)))
    };
    let violation = |next, literals| start(&Product { automaton: violates, atoms: bad.clone(), next, literals });
    if !violation(&may, Literals::Possible) {
        return Ok((true, false));
    }
    if violation(&must, Literals::Sure) {
        return Ok((false, true));
    }
    let hope = Product { automaton: satisfies, atoms: good, next: &may, literals: Literals::Possible };
    Ok((false, hopeless(&hope, &must)))
}

/// Is there a must-path after which no may-path satisfies the formula?
fn hopeless(hope: &Product, must: &[BTreeSet<usize>]) -> bool {
    let pairs = (0..must.len()).flat_map(|s| (0..hope.automaton.labels.len()).map(move |q| (s, q)));
    let alive = hope.alive(pairs);
    let fitting =
        |s: usize, all: BTreeSet<usize>| all.into_iter().filter(|q| hope.fits(s, *q)).collect::<BTreeSet<usize>>();
    let first = (0, fitting(0, hope.automaton.initial.iter().copied().collect()));
    let (mut seen, mut todo) = (BTreeSet::from([first.clone()]), vec![first]);
    while let Some((s, set)) = todo.pop() {
        if !set.iter().any(|q| alive.contains(&(s, *q))) {
            return true;
        }
        for &t in must.get(s).into_iter().flatten() {
            let after = set.iter().filter_map(|q| hope.automaton.edges.get(*q)).flatten().copied().collect();
            let pair = (t, fitting(t, after));
            if seen.len() < MOST_SETS && seen.insert(pair.clone()) {
                todo.push(pair);
            }
        }
    }
    false
}
