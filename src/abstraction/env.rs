//! What is known in one abstract snapshot.

use super::linear::{Atom, Leaf, Linear};
use super::paths::Value;
use super::predicate::{arith, variable};
use super::{Predicate, Predicates, System};
use crate::machine::{ArithOp, ExprId, Node, VarId};
use crate::smt::Ratio;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

/// An abstract snapshot: codes of the variables (0 for abstracted ones) and the truth of every predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Snapshot {
    /// One code per state variable.
    pub codes: Vec<i64>,
    /// One truth value per predicate.
    pub truths: Vec<bool>,
}

impl Snapshot {
    /// About so much memory it takes in a graph, where it is kept twice.
    pub fn bytes(&self) -> u64 {
        2 * (8 * self.codes.len() + self.truths.len() + 64) as u64
    }
}

/// A comparison whose finite variables are settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Nothing abstracted is left in it.
    Known(bool),
    /// It holds exactly where the atom has this truth value.
    Atom(Atom, bool),
}

/// An abstract snapshot with its predicates made ground.
pub struct Env<'a> {
    /// The system.
    pub system: &'a System<'a>,
    /// Its predicates.
    pub predicates: &'a Predicates,
    /// The snapshot.
    pub snapshot: &'a Snapshot,
    /// What the predicates say of the unknowns, in their order.
    pub given: Vec<(Atom, bool)>,
    known: FxHashMap<Atom, bool>,
}

impl<'a> Env<'a> {
    /// Looks at a snapshot.
    pub fn new(system: &'a System<'a>, predicates: &'a Predicates, snapshot: &'a Snapshot) -> Env<'a> {
        let mut env = Env::bare(system, predicates, snapshot);
        // A predicate with a conditional number inside waits for the predicates that its condition asks for.
        let mut waiting: Vec<usize> = (0..predicates.list.len()).collect();
        loop {
            let before = waiting.len();
            waiting.retain(|&p| !env.learn(p));
            if waiting.is_empty() || waiting.len() == before {
                return env;
            }
        }
    }

    /// Looks at what is finite in a snapshot alone.
    pub fn bare(system: &'a System<'a>, predicates: &'a Predicates, snapshot: &'a Snapshot) -> Env<'a> {
        Env { system, predicates, snapshot, given: Vec::new(), known: FxHashMap::default() }
    }

    /// What a predicate says of the unknowns here; `None` if it depends on an atom that is not known.
    pub fn said(&self, predicate: &Predicate) -> Option<Ground> {
        Some(ground(predicate.atom.less, &self.settle(&predicate.atom.difference())?))
    }

    fn learn(&mut self, p: usize) -> bool {
        let (Some(predicate), Some(&truth)) = (self.predicates.list.get(p), self.snapshot.truths.get(p)) else {
            return true;
        };
        let Some(said) = self.said(predicate) else { return false };
        if let Ground::Atom(atom, holds) = said {
            self.given.push((atom.clone(), truth == holds));
            self.known.insert(atom, truth == holds);
        }
        true
    }

    fn settle(&self, sum: &Linear) -> Option<Linear> {
        let mut settled = true;
        let sum = sum.map(&mut |leaf| match leaf {
            Leaf::Var(v, _) => self.variable(*v),
            Leaf::Choice(e, _) => match self.number(*e) {
                Some(n) => n,
                None => {
                    settled = false;
                    Linear::int(0)
                }
            },
            other => Linear::leaf(other.clone()),
        });
        settled.then_some(sum)
    }

    /// The value of a finite variable.
    pub fn code(&self, var: VarId) -> i64 {
        self.snapshot.codes.get(var.0 as usize).copied().unwrap_or_else(|| self.system.machine.var(var).init)
    }

    /// A variable in this snapshot.
    pub fn variable(&self, var: VarId) -> Linear {
        if self.system.wide(var).is_none() {
            return Linear::int(self.code(var));
        }
        let pinned = self.system.pins.iter().any(|p| p.var == var && self.code(p.when) == p.code);
        if pinned { Linear::int(self.system.machine.var(var).init) } else { variable(self.system, var) }
    }

    /// A number in this snapshot; `None` if it depends on an atom that is not known.
    fn number(&self, e: ExprId) -> Option<Linear> {
        match self.value(e)? {
            Value::Code(c) => Some(Linear::int(c)),
            Value::Sum(s) => Some(s),
        }
    }

    /// A condition on this snapshot alone; `None` if it depends on an atom that is not known.
    pub fn truth(&self, e: ExprId) -> Option<bool> {
        match self.value(e)? {
            Value::Code(c) => Some(c != 0),
            Value::Sum(_) => None,
        }
    }

    fn value(&self, e: ExprId) -> Option<Value> {
        let bool = |b: bool| Some(Value::Code(i64::from(b)));
        match self.system.machine.exprs.node(e) {
            Node::Bool(b) => bool(*b),
            Node::Int(i) => Some(Value::Code(*i)),
            Node::Prev(v) | Node::Cur(v) if self.system.wide(*v).is_none() => Some(Value::Code(self.code(*v))),
            Node::Prev(v) | Node::Cur(v) => Some(Value::Sum(self.variable(*v))),
            Node::Input(_) => None,
            Node::Not(a) => self.truth(*a).and_then(|b| bool(!b)),
            node @ (Node::And(xs) | Node::Or(xs)) => {
                let unit = matches!(node, Node::And(_));
                let mut open = false;
                for x in xs {
                    match self.truth(*x) {
                        Some(b) if b != unit => return bool(!unit),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                if open { None } else { bool(unit) }
            }
            Node::Iff(a, b) => bool(self.truth(*a)? == self.truth(*b)?),
            Node::Ite(c, t, f) => self.value(if self.truth(*c)? { *t } else { *f }),
            Node::Arith(op, a, b) => Some(match (self.value(*a)?, self.value(*b)?) {
                (Value::Code(a), Value::Code(b)) if *op != ArithOp::Over => Value::Code(op.apply(a, b)),
                (a, b) => Value::Sum(arith(*op, &a.sum(), &b.sum())),
            }),
            Node::Compare(op, a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                if let (Value::Code(a), Value::Code(b)) = (&a, &b) {
                    return bool(op.holds(*a, *b));
                }
                let sum = a.sum().plus(&b.sum(), &-Ratio::one());
                super::linear::decide(*op, &sum, &mut |atom| self.known(&atom).ok_or(())).ok().and_then(bool)
            }
        }
    }

    /// The truth of an atom, if the predicates give it: they may know `a < b` by `a == b` or, where a number is pinned, by `b < a`.
    pub fn known(&self, atom: &Atom) -> Option<bool> {
        let given = |atom: &Atom| self.known.get(atom).copied();
        let mirrored = || {
            let turn = -Ratio::one();
            given(&Atom { less: true, sum: atom.sum.times(&turn), bound: &atom.bound * turn })
        };
        given(atom).or_else(|| match given(&Atom { less: !atom.less, ..atom.clone() }) {
            Some(true) => Some(false),
            other => mirrored().and_then(|m| if m { Some(false) } else { other.map(|_| true) }),
        })
    }
}

/// A comparison of a settled sum with 0, in normal form where it has one.
pub fn ground(less: bool, sum: &Linear) -> Ground {
    let op = if less { crate::machine::CompareOp::Lt } else { crate::machine::CompareOp::Eq };
    let mut asked = Vec::new();
    let holds = super::linear::decide(op, sum, &mut |atom| {
        asked.push(atom);
        Ok::<bool, ()>(true)
    });
    let holds = holds == Ok(true);
    match asked.len() {
        0 => Ground::Known(holds),
        1 if asked.first().is_some_and(|a| a.less == less || !less) => match asked.pop() {
            Some(atom) => Ground::Atom(atom, holds),
            None => Ground::Known(holds),
        },
        // A negative factor before a real turns `<` into `>`, which is no atom: keep it as it stands.
        _ => {
            let lead = sum.terms.values().next().map_or_else(Ratio::one, Signed::abs);
            let mut sum = sum.times(&lead.recip());
            let bound = -std::mem::replace(&mut sum.constant, Ratio::zero());
            Ground::Atom(Atom { less, sum, bound }, true)
        }
    }
}
