//! Where the predicates do not suffice: which ones would.
//!
//! An undecided formula depends on a step whose outcome the predicates leave open. What they leave open is an atom over the unknowns
//! before the step: the weakest precondition of a predicate that the step touches, or of a condition on its way. Without payload in it,
//! it can be a predicate itself, and then that step is no longer open.

use super::env::Env;
use super::graph::{Graph, Move, all_paths};
use super::linear::{Atom, Leaf, Linear};
use super::paths::Post;
use super::truth::{Set, Truth};
use super::{Asker, Checker, Predicates, Refused, System};
use crate::logic::Formula;
use crate::machine::{ExprId, VarId};
use std::collections::BTreeSet;

/// At most so many atoms a round.
const MOST_ATOMS: usize = 64;

/// Atoms that would decide more of a formula; none if nothing helps.
pub fn atoms(
    system: &System,
    predicates: &Predicates,
    graph: &Graph,
    formula: &Formula<ExprId>,
    asker: &mut Asker,
) -> Result<BTreeSet<Atom>, Refused> {
    let mut parts: Vec<&Formula<ExprId>> = Vec::new();
    formula.walk(&mut |f| parts.push(f));
    let mut checker = Checker::new(system, predicates, graph);
    let finder = Finder { system, predicates, graph };
    // Innermost first: what is undecided there is the cause of what is undecided outside.
    for part in parts.iter().rev().filter(|f| !matches!(f, Formula::Atom(_) | Formula::Bool(_) | Formula::Ltl(_))) {
        let truth = match checker.decide(part, asker) {
            Ok(truth) => truth,
            // The inside of a fixpoint means nothing by itself.
            Err(Refused::Unsupported(_)) => continue,
            Err(stopped) => return Err(stopped),
        };
        let undecided: Set = truth.yes.iter().zip(&truth.no).map(|(y, n)| !y && !n).collect();
        if !undecided.contains(&true) {
            continue;
        }
        let near = finder.collect(&undecided, &|m| at_the_edge(m, &truth))?;
        let found = if near.is_empty() { finder.collect(&undecided, &|_| true)? } else { near };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    finder.collect(&vec![true; graph.states.len()], &|_| true)
}

/// Does a step lead to where the formula is decided?
fn at_the_edge(m: &Move, truth: &Truth) -> bool {
    m.may.iter().any(|t| truth.yes.get(*t) == Some(&true) || truth.no.get(*t) == Some(&true))
}

struct Finder<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    graph: &'a Graph,
}

impl Finder<'_> {
    /// Atoms that steps from these snapshots leave open.
    fn collect(&self, states: &Set, wanted: &dyn Fn(&Move) -> bool) -> Result<BTreeSet<Atom>, Refused> {
        let mut found = BTreeSet::new();
        for (s, snapshot) in self.graph.states.iter().enumerate().filter(|(s, _)| states.get(*s) == Some(&true)) {
            let env = Env::new(self.system, self.predicates, snapshot);
            let moves = self.graph.moves.get(s).map(Vec::as_slice).unwrap_or_default();
            for m in moves.iter().filter(|m| (m.family.len() > 1 || m.may.len() > m.must().len()) && wanted(m)) {
                for path in all_paths(&env, m.agent, m.body)? {
                    let asked = path.posts.iter().filter_map(|p| match p {
                        Post::Ask(a, _) => Some(a),
                        Post::Known(_) => None,
                    });
                    for atom in path.conditions.iter().map(|(a, _)| a).chain(asked) {
                        self.add(atom, &mut found);
                    }
                }
                if found.len() > MOST_ATOMS {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    /// Adds an atom without payload that is no predicate yet, for all slots that are alike.
    fn add(&self, atom: &Atom, found: &mut BTreeSet<Atom>) {
        let mut payload = false;
        atom.leaves(&mut |l| payload |= matches!(l, Leaf::Input(..)));
        if payload {
            return;
        }
        for alike in self.alike(atom) {
            if self.predicates.list.iter().all(|p| p.atom != alike) {
                found.insert(alike);
            }
        }
    }

    fn alike(&self, atom: &Atom) -> Vec<Atom> {
        let mut vars: BTreeSet<VarId> = BTreeSet::new();
        atom.leaves(&mut |l| {
            if let Leaf::Var(v, _) = l {
                vars.insert(*v);
            }
        });
        let slots = &self.system.machine.slots;
        let Some(own) = slots.iter().find(|s| vars.iter().all(|v| s.vars.contains(v))) else {
            return vec![atom.clone()];
        };
        let others = slots.iter().filter(|s| s.family == own.family);
        let moved = others.map(|other| {
            let at = |v: &VarId| own.vars.iter().position(|x| x == v).and_then(|i| other.vars.get(i)).copied();
            let sum = atom.sum.map(&mut |l| match l {
                Leaf::Var(v, sort) => Linear::leaf(Leaf::Var(at(v).unwrap_or(*v), *sort)),
                other => Linear::leaf(other.clone()),
            });
            Atom { sum, ..atom.clone() }
        });
        moved.collect()
    }
}
