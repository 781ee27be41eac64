//! Linear time on diagrams: true if no may-path can violate the formula; false if some must-path does, an infinite one or one after which
//! every may-path does.

use super::Symbolic;
use super::truth::{Judge, Truth};
use crate::abstraction::check::Refused;
use crate::logic::automaton::Automaton;
use crate::logic::{Formula, PathFormula};
use crate::machine::ExprId;
use crate::native::bdd::{Bdd, Stop};
use crate::native::graph::{Graph, Sets};
use std::collections::{BTreeMap, BTreeSet};

type Res<T> = Result<T, Stop>;

/// More sets of automaton states than this are not followed.
const MOST_SETS: usize = 2000;

impl Judge<'_, '_> {
    /// Has a path formula surely this value from the initial snapshot on?
    pub(super) fn ltl(&mut self, path: &PathFormula<ExprId>, value: bool) -> Result<bool, Refused> {
        let large = || Refused::Unsupported("the automaton of the formula is too large");
        let violates = Automaton::new(path, false).ok_or_else(large)?;
        let bad = self.atoms(&violates)?;
        if value {
            return Ok(!self.all.violated(&violates, self.labels(&violates, &bad, false)?)?);
        }
        if self.all.surely_violated(&violates, self.labels(&violates, &bad, true)?)? {
            return Ok(true);
        }
        let satisfies = Automaton::new(path, true).ok_or_else(large)?;
        let good = self.atoms(&satisfies)?;
        Ok(self.all.hopeless(&satisfies, self.labels(&satisfies, &good, false)?)?)
    }

    fn atoms(&mut self, automaton: &Automaton<Formula<ExprId>>) -> Result<Vec<Truth>, Refused> {
        automaton.atoms.iter().map(|f| self.decide(f)).collect()
    }

    /// Per automaton state the snapshots that fit it: surely, or possibly.
    pub(super) fn labels<F>(&self, automaton: &Automaton<F>, atoms: &[Truth], sure: bool) -> Res<Sets> {
        let s = &self.all.sys.space;
        let label = |literals: &Vec<(usize, bool)>| {
            literals.iter().try_fold(self.all.reach.set.clone(), |all, (atom, positive)| {
                let Some(truth) = atoms.get(*atom) else { return Ok(s.no()) };
                let (own, other) = if *positive { (&truth.yes, &truth.no) } else { (&truth.no, &truth.yes) };
                if sure { s.and(&all, own) } else { s.diff(&all, other) }
            })
        };
        automaton.labels.iter().map(label).collect()
    }
}

/// The nodes that each condition of an automaton wants to see again and again.
pub(super) fn accepting<F>(automaton: &Automaton<F>, labels: &Sets, no: &Bdd) -> Vec<Sets> {
    let of = |set: &Vec<bool>| set.iter().zip(labels).map(|(a, l)| if *a { l.clone() } else { no.clone() }).collect();
    automaton.accepting.iter().map(of).collect()
}

impl Symbolic<'_> {
    /// Is there a may-path that an automaton accepts?
    fn violated(&self, automaton: &Automaton<Formula<ExprId>>, labels: Sets) -> Res<bool> {
        let s = &self.sys.space;
        let graph = Graph { sys: &self.sys, reach: &self.reach, labels, edges: automaton.edges.clone(), inside: false };
        let fair = graph.fair(&accepting(automaton, &graph.labels, &s.no()))?;
        self.starts(automaton, &graph.until(&fair)?)
    }

    fn starts(&self, automaton: &Automaton<Formula<ExprId>>, sets: &Sets) -> Res<bool> {
        let first = automaton.initial.iter().filter_map(|q| sets.get(*q));
        first.into_iter().try_fold(false, |any, set| Ok(any || self.sys.space.meets(&self.sys.init, set)?))
    }

    /// Is there an infinite must-path that an automaton accepts?
    fn surely_violated(&self, automaton: &Automaton<Formula<ExprId>>, labels: Sets) -> Res<bool> {
        let s = &self.sys.space;
        let fair = accepting(automaton, &labels, &s.no());
        let mut hull = labels.clone();
        loop {
            let mut shrunk = self.must_ex(automaton, &hull, &hull)?;
            for sets in &fair {
                let goal = shrunk.iter().zip(sets).map(|(a, b)| s.and(a, b)).collect::<Res<Sets>>()?;
                let back = self.must_until(automaton, &shrunk, goal)?;
                shrunk = self.must_ex(automaton, &shrunk, &back)?;
            }
            if shrunk == hull {
                break;
            }
            hull = shrunk;
        }
        let all = self.must_until(automaton, &labels, hull)?;
        self.starts(automaton, &all)
    }

    fn must_ex(&self, automaton: &Automaton<Formula<ExprId>>, within: &Sets, sets: &Sets) -> Res<Sets> {
        let s = &self.sys.space;
        let one = |(q, label): (usize, &Bdd)| {
            let next = automaton.edges.get(q).into_iter().flatten().filter_map(|t| sets.get(*t));
            s.and(label, &self.must_before(&s.any(next)?)?)
        };
        within.iter().enumerate().map(one).collect()
    }

    fn must_until(&self, automaton: &Automaton<Formula<ExprId>>, within: &Sets, goal: Sets) -> Res<Sets> {
        let s = &self.sys.space;
        let mut all = goal;
        loop {
            let more = self.must_ex(automaton, within, &all)?;
            let next = all.iter().zip(&more).map(|(a, b)| s.or(a, b)).collect::<Res<Sets>>()?;
            if next == all {
                return Ok(all);
            }
            all = next;
        }
    }

    /// Is there a must-path after which no may-path is accepted by the automaton of the formula?
    fn hopeless(&self, automaton: &Automaton<Formula<ExprId>>, labels: Sets) -> Res<bool> {
        let s = &self.sys.space;
        let graph = Graph { sys: &self.sys, reach: &self.reach, labels, edges: automaton.edges.clone(), inside: false };
        let alive = graph.until(&graph.fair(&accepting(automaton, &graph.labels, &s.no()))?)?;
        // Snapshots by the automaton states that the formula can be in.
        let mut seen: BTreeMap<BTreeSet<usize>, Bdd> = BTreeMap::new();
        let mut todo =
            self.fitting(&graph.labels, &automaton.initial.iter().copied().collect(), self.sys.init.clone())?;
        while let Some((states, set)) = todo.pop() {
            let old = seen.get(&states).cloned().unwrap_or_else(|| s.no());
            let new = s.diff(&set, &old)?;
            if new.is_false() {
                continue;
            }
            let hope = s.any(states.iter().filter_map(|q| alive.get(*q)))?;
            if !s.is_subset(&new, &hope)? {
                return Ok(true);
            }
            seen.insert(states.clone(), s.or(&old, &new)?);
            if seen.len() > MOST_SETS {
                return Ok(false);
            }
            let after = states.iter().filter_map(|q| automaton.edges.get(*q)).flatten().copied().collect();
            todo.extend(self.fitting(&graph.labels, &after, self.must_after(&new)?)?);
        }
        Ok(false)
    }

    /// Snapshots of a set by which of these automaton states fit them.
    fn fitting(&self, labels: &Sets, states: &BTreeSet<usize>, set: Bdd) -> Res<Vec<(BTreeSet<usize>, Bdd)>> {
        let s = &self.sys.space;
        let mut parts = vec![(BTreeSet::new(), set)];
        for q in states {
            let Some(label) = labels.get(*q) else { continue };
            let mut next = Vec::new();
            for (fit, set) in parts {
                let (inside, outside) = (s.and(&set, label)?, s.diff(&set, label)?);
                let mut more = fit.clone();
                more.insert(*q);
                next.extend([(more, inside), (fit, outside)].into_iter().filter(|(_, set)| !set.is_false()));
            }
            parts = next;
        }
        Ok(parts)
    }
}
