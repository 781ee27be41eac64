//! Ways through a step, as far as data is concerned, and for which unknowns they lead where.

use super::System;
use super::eliminate::{Condition, eliminate};
use super::linear::{Atom, Leaf};
use super::paths::Post;
use super::system::Wide;
use crate::machine::{BodyIx, InputIx};
use crate::smt::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A way through a step, as far as data is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// Inputs with their ranges.
    pub inputs: BTreeMap<InputIx, Wide>,
    /// Under these conditions.
    pub conditions: Vec<(Atom, bool)>,
    /// Ways with equal number lead to the same finite part.
    pub class: usize,
    /// Predicates after.
    pub posts: Vec<Post>,
}

/// Unknowns and inputs to a solver.
pub fn symbol(leaf: &Leaf) -> Symbol {
    match leaf {
        Leaf::Var(v, sort) => Symbol::numbered("x", v.0 as usize, *sort),
        Leaf::Input(i, sort) => Symbol::numbered("u", i.0, *sort),
        // Never sent: quotients and products are spelt out, choices are settled before.
        other => Symbol::named("none", other.sort()),
    }
}

/// The range of a symbol.
pub fn in_range(symbol: &Symbol, wide: &Wide) -> Vec<Term> {
    let unknown = || Term::Symbol(symbol.clone());
    let low = wide.lo.map(|lo| Term::less(unknown(), Term::int(lo)).negated());
    let high = wide.hi.map(|hi| Term::less(Term::int(hi), unknown()).negated());
    low.into_iter().chain(high).collect()
}

impl Way {
    /// A way with the ranges of the inputs that occur in it.
    pub fn new(system: &System, body: BodyIx, conditions: Vec<(Atom, bool)>, class: usize, posts: Vec<Post>) -> Way {
        let mut inputs = BTreeMap::new();
        let mut note = |atom: &Atom| {
            atom.leaves(&mut |leaf| {
                if let Leaf::Input(i, _) = leaf
                    && let Some(wide) = system.wide_input(body, *i)
                {
                    inputs.insert(*i, wide);
                }
            });
        };
        conditions.iter().for_each(|(atom, _)| note(atom));
        for post in &posts {
            if let Post::Ask(atom, _) = post {
                note(atom);
            }
        }
        Way { inputs, conditions, class, posts }
    }

    /// An input as an unknown.
    pub fn input(&self, i: InputIx) -> Leaf {
        Leaf::Input(i, self.inputs.get(&i).map_or(Sort::Int, |w| w.sort))
    }

    /// Its conditions, and what these truth values after it ask for.
    pub fn literals(&self, truths: Option<&[bool]>) -> Vec<Literal> {
        let mut all: Vec<Literal> = self.conditions.iter().map(|(a, b)| Literal::of(a, *b)).collect();
        for (post, truth) in self.posts.iter().zip(truths.unwrap_or_default()) {
            if let Post::Ask(atom, holds) = post {
                all.push(Literal::of(atom, truth == holds));
            }
        }
        all
    }

    /// For which unknowns the way leads to these truth values. What is about inputs alone is left out where the outcome is `sure`: it
    /// is possible then.
    pub fn condition(&self, truths: &[bool], sure: bool) -> Term {
        let mut parts = Vec::new();
        for (group, inputs) in self.groups(truths) {
            if sure && group.iter().all(|l| l.closed) {
                continue;
            }
            if let Some(alternatives) = self.eliminated(&group, &inputs) {
                let all = |conditions: &Vec<Condition>| Term::And(conditions.iter().map(|c| c.term(&symbol)).collect());
                parts.push(any(alternatives.iter().map(all).collect()));
                continue;
            }
            let mut terms: Vec<Term> = group.into_iter().map(|l| l.term).collect();
            if inputs.is_empty() {
                parts.append(&mut terms);
                continue;
            }
            let ranges = inputs.iter().filter_map(|i| Some((*i, self.inputs.get(i)?)));
            terms.extend(ranges.flat_map(|(i, wide)| in_range(&symbol(&self.input(i)), wide)));
            let symbols = inputs.iter().map(|i| symbol(&self.input(*i))).collect();
            parts.push(Term::Exists(symbols, Box::new(Term::And(terms))));
        }
        parts.retain(|p| *p != Term::And(vec![]));
        Term::And(parts)
    }
}

impl Way {
    /// What must hold for these truth values, in groups that share inputs.
    fn groups(&self, truths: &[bool]) -> Vec<(Vec<Literal>, BTreeSet<InputIx>)> {
        let (mut rest, mut groups) = (self.literals(Some(truths)), Vec::new());
        while let Some(first) = rest.pop() {
            let (mut inputs, mut group) = (first.inputs.clone(), vec![first]);
            while let Some(next) = rest.iter().position(|l| !l.inputs.is_disjoint(&inputs)) {
                let next = rest.swap_remove(next);
                inputs.extend(&next.inputs);
                group.push(next);
            }
            groups.push((group, inputs));
        }
        groups
    }

    /// The alternatives of a group without its inputs, where that can be said.
    fn eliminated(&self, group: &[Literal], inputs: &BTreeSet<InputIx>) -> Option<Vec<Vec<Condition>>> {
        let ranges: BTreeMap<InputIx, Wide> = inputs.iter().filter_map(|i| Some((*i, *self.inputs.get(i)?))).collect();
        eliminate(group.iter().map(|l| l.condition.clone()).collect(), &ranges)
    }

    /// What the unknowns have to be like for some payload to lead to these truth values, as far as that can be said.
    pub fn demands(&self, truths: &[bool]) -> Vec<Condition> {
        let groups = self.groups(truths).into_iter().filter(|(_, inputs)| !inputs.is_empty());
        groups.filter_map(|(group, inputs)| self.eliminated(&group, &inputs)).flatten().flatten().collect()
    }
}

/// A condition or its negation.
pub struct Literal {
    /// To a solver.
    pub term: Term,
    /// The same as a condition.
    condition: Condition,
    inputs: BTreeSet<InputIx>,
    /// About inputs alone.
    closed: bool,
}

impl Literal {
    fn of(atom: &Atom, holds: bool) -> Literal {
        let (mut inputs, mut closed) = (BTreeSet::new(), true);
        atom.leaves(&mut |l| match l {
            Leaf::Input(i, _) => drop(inputs.insert(*i)),
            Leaf::Var(..) => closed = false,
            _ => {}
        });
        Literal { term: atom.term(holds, &symbol), condition: Condition::of(atom, holds), inputs, closed }
    }
}

/// Some of these hold; nothing is asked where one holds anyway.
pub fn any(terms: Vec<Term>) -> Term {
    match terms.contains(&Term::And(vec![])) {
        true => Term::And(vec![]),
        false => Term::Or(terms),
    }
}
