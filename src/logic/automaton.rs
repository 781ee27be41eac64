//! From a linear-time formula to a generalised Büchi automaton, by the tableau of Gerth, Peled, Vardi and Wolper.
//!
//! A state of the automaton says which state formulas must hold now; a run is accepted when, for every until formula, it
//! passes infinitely often through states in which that formula is not waiting.

use std::collections::{BTreeMap, BTreeSet};

use super::{Bool, Formula, PathFormula, Temporal};

/// A literal: index of a state formula, and whether it must hold.
pub type Literal = (usize, bool);

/// The automaton of a formula over state formulas `F`.
#[derive(Clone, Debug)]
pub struct Automaton<F> {
    /// The state formulas that labels speak of.
    pub atoms: Vec<F>,
    /// Per state what must hold there.
    pub labels: Vec<Vec<Literal>>,
    /// Per state its successors.
    pub edges: Vec<Vec<usize>>,
    /// Where runs begin.
    pub initial: Vec<usize>,
    /// Per until formula, which states do not leave it waiting.
    pub accepting: Vec<Vec<bool>>,
}

impl<F> Automaton<F> {
    /// Is a run that fits this state accepted, whatever follows?
    pub fn ends(&self, state: usize) -> bool {
        let next = self.edges.get(state).map(Vec::as_slice).unwrap_or_default();
        self.is_free(state) || next.iter().any(|q| self.is_free(*q))
    }

    /// Does nothing matter any more in this state?
    fn is_free(&self, state: usize) -> bool {
        let open = self.labels.get(state).is_some_and(Vec::is_empty);
        let stays = self.edges.get(state).is_some_and(|next| next.contains(&state));
        open && stays && self.accepting.iter().all(|set| set.get(state) == Some(&true))
    }
}

/// More states than this are refused.
const MAX_STATES: usize = 4096;

type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Term {
    True,
    False,
    Lit(usize, bool),
    And(Id, Id),
    Or(Id, Id),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// Terms in negation normal form, each once.
struct Terms<F> {
    atoms: Vec<F>,
    list: Vec<Term>,
}

impl<A: Clone + PartialEq> Terms<Formula<A>> {
    fn add(&mut self, term: Term) -> Id {
        let simple = match term {
            Term::And(a, b) if a == b => self.list[a],
            Term::Or(a, b) if a == b => self.list[a],
            Term::And(a, b) => match (self.list[a], self.list[b]) {
                (Term::False, _) | (_, Term::False) => Term::False,
                (Term::True, t) | (t, Term::True) => t,
                _ => term,
            },
            Term::Or(a, b) => match (self.list[a], self.list[b]) {
                (Term::True, _) | (_, Term::True) => Term::True,
                (Term::False, t) | (t, Term::False) => t,
                _ => term,
            },
            Term::Next(a) | Term::Until(_, a) | Term::Release(_, a)
                if matches!(self.list[a], Term::True | Term::False) =>
            {
                self.list[a]
            }
            _ => term,
        };
        match self.list.iter().position(|t| *t == simple) {
            Some(id) => id,
            None => {
                self.list.push(simple);
                self.list.len() - 1
            }
        }
    }

    fn many(&mut self, parts: &[PathFormula<A>], positive: bool, conjunction: bool) -> Id {
        let unit = if conjunction { Term::True } else { Term::False };
        let mut all = self.add(unit);
        for part in parts {
            let p = self.read(part, positive);
            all = self.add(if conjunction { Term::And(all, p) } else { Term::Or(all, p) });
        }
        all
    }

    /// The term of a formula, or of its negation.
    fn read(&mut self, f: &PathFormula<A>, positive: bool) -> Id {
        match f {
            PathFormula::State(atom) => {
                let at = self.atoms.iter().position(|a| a == atom).unwrap_or_else(|| {
                    self.atoms.push(atom.clone());
                    self.atoms.len() - 1
                });
                self.add(Term::Lit(at, positive))
            }
            PathFormula::Bool(b) => self.connective(b, positive),
            PathFormula::Temporal(t) => self.operator(t, positive),
        }
    }

    fn connective(&mut self, b: &Bool<PathFormula<A>>, positive: bool) -> Id {
        match b {
            Bool::Not(a) => self.read(a, !positive),
            Bool::And(parts) => self.many(parts, positive, positive),
            Bool::Or(parts) => self.many(parts, positive, !positive),
            Bool::Implies(a, b) => {
                let (a, b) = (self.read(a, !positive), self.read(b, positive));
                self.add(if positive { Term::Or(a, b) } else { Term::And(a, b) })
            }
            Bool::Iff(a, b) => {
                let (a1, a0) = (self.read(a, true), self.read(a, false));
                let (b1, b0) = (self.read(b, positive), self.read(b, !positive));
                let (both, none) = (self.add(Term::And(a1, b1)), self.add(Term::And(a0, b0)));
                self.add(Term::Or(both, none))
            }
            Bool::Quant { body, .. } => self.read(body, positive),
        }
    }

    fn operator(&mut self, t: &Temporal<PathFormula<A>>, positive: bool) -> Id {
        match t {
            Temporal::Next(a) => {
                let a = self.read(a, positive);
                self.add(Term::Next(a))
            }
            Temporal::Finally(a) => {
                let (unit, a) = (self.add(if positive { Term::True } else { Term::False }), self.read(a, positive));
                self.add(if positive { Term::Until(unit, a) } else { Term::Release(unit, a) })
            }
            Temporal::Globally(a) => {
                let (unit, a) = (self.add(if positive { Term::False } else { Term::True }), self.read(a, positive));
                self.add(if positive { Term::Release(unit, a) } else { Term::Until(unit, a) })
            }
            Temporal::Until(a, b) => {
                let (a, b) = (self.read(a, positive), self.read(b, positive));
                self.add(if positive { Term::Until(a, b) } else { Term::Release(a, b) })
            }
        }
    }
}

/// A tableau node under construction.
#[derive(Clone)]
struct Open {
    from: Option<usize>,
    todo: Vec<Id>,
    old: BTreeSet<Id>,
    next: BTreeSet<Id>,
}

/// What distinguishes finished states: what holds now, what must hold next, which untils wait.
type Key = (Vec<Literal>, BTreeSet<Id>, Vec<bool>);

impl<A: Clone + PartialEq> Automaton<Formula<A>> {
    /// The automaton of the runs that satisfy a formula, or of those that do not; `None` when it gets too large.
    pub fn new(formula: &PathFormula<A>, positive: bool) -> Option<Automaton<Formula<A>>> {
        let mut terms = Terms { atoms: Vec::new(), list: Vec::new() };
        let root = terms.read(formula, positive);
        let list = terms.list;
        let untils: Vec<Id> = (0..list.len()).filter(|&i| matches!(list[i], Term::Until(..))).collect();
        let mut built = Automaton {
            atoms: terms.atoms,
            labels: Vec::new(),
            edges: Vec::new(),
            initial: Vec::new(),
            accepting: vec![Vec::new(); untils.len()],
        };
        let mut index: BTreeMap<Key, usize> = BTreeMap::new();
        let mut open = vec![Open { from: None, todo: vec![root], old: BTreeSet::new(), next: BTreeSet::new() }];
        while let Some(node) = open.pop() {
            let Some(done) = expand(&list, node, &mut open) else { continue };
            let key = finished(&list, &untils, &done);
            let state = match index.get(&key) {
                Some(&state) => state,
                None => {
                    let state = built.labels.len();
                    if state == MAX_STATES {
                        return None;
                    }
                    built.labels.push(key.0.clone());
                    built.edges.push(Vec::new());
                    key.2.iter().zip(&mut built.accepting).for_each(|(&w, set)| set.push(!w));
                    index.insert(key, state);
                    let todo = done.next.iter().copied().collect();
                    open.push(Open { from: Some(state), todo, old: BTreeSet::new(), next: BTreeSet::new() });
                    state
                }
            };
            let list = match done.from {
                Some(from) => &mut built.edges[from],
                None => &mut built.initial,
            };
            if !list.contains(&state) {
                list.push(state);
            }
        }
        Some(built)
    }
}

/// Works off what a node has to satisfy; alternatives go to `open`. `None` when it contradicts itself.
fn expand(list: &[Term], mut node: Open, open: &mut Vec<Open>) -> Option<Open> {
    while let Some(id) = node.todo.pop() {
        if !node.old.insert(id) {
            continue;
        }
        match list[id] {
            Term::True => {}
            Term::False => return None,
            Term::Lit(atom, positive) => {
                let opposite = Term::Lit(atom, !positive);
                if node.old.iter().any(|&o| list[o] == opposite) {
                    return None;
                }
            }
            Term::And(a, b) => node.todo.extend([a, b]),
            Term::Next(a) => {
                node.next.insert(a);
            }
            Term::Or(a, b) => {
                let mut other = node.clone();
                other.todo.push(b);
                open.push(other);
                node.todo.push(a);
            }
            Term::Until(a, b) => {
                let mut wait = node.clone();
                wait.todo.push(a);
                wait.next.insert(id);
                open.push(wait);
                node.todo.push(b);
            }
            Term::Release(a, b) => {
                let mut stay = node.clone();
                stay.todo.push(b);
                stay.next.insert(id);
                open.push(stay);
                node.todo.extend([a, b]);
            }
        }
    }
    Some(node)
}

fn finished(list: &[Term], untils: &[Id], node: &Open) -> Key {
    let literal = |&id: &Id| match list[id] {
        Term::Lit(atom, positive) => Some((atom, positive)),
        _ => None,
    };
    let waits = |&u: &Id| match list[u] {
        Term::Until(_, b) => node.old.contains(&u) && !node.old.contains(&b),
        _ => false,
    };
    (node.old.iter().filter_map(literal).collect(), node.next.clone(), untils.iter().map(waits).collect())
}
