//! All logics on an explicit graph, written to be obviously right: the oracle of the symbolic engines.
//!
//! A set of snapshots is one Boolean per snapshot. CTL operators are searches on the graph, fair cycles are strongly connected
//! components, knowledge compares local states, strategies are fixpoints of "one turn", LTL is a product with a tableau
//! that grows as it is needed.

mod ctl;
mod know;
mod ltl;
mod scc;
#[cfg(test)]
mod tests;

use super::{GaveUp, Graph, Interp, Limits};
use crate::logic::{Bool, Fixpoint, Formula, Path, Property, Temporal};
use crate::machine::Idle;
use crate::machine::{ExprId, Snapshot, Valid};
use ctl::Fair;
pub use know::LocalState;

/// A set of snapshots: one Boolean per snapshot number.
pub type Set = Vec<bool>;

/// A machine's whole graph, ready to answer questions.
#[derive(Clone, Debug)]
pub struct Explicit<'m> {
    graph: Graph<'m>,
    codes: Vec<Snapshot>,
    next: Vec<Vec<usize>>,
    prev: Vec<Vec<usize>>,
}

/// Why there is no [`Explicit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotBuilt {
    /// A limit.
    GaveUp(GaveUp),
    /// The machine never idles and nobody can act in this snapshot: it has no infinite runs to speak of.
    DeadEnd(Snapshot),
}

impl std::fmt::Display for NotBuilt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotBuilt::GaveUp(why) => why.fmt(f),
            NotBuilt::DeadEnd(_) => write!(f, "nobody can act in a reachable snapshot, and idling is switched off"),
        }
    }
}

impl std::error::Error for NotBuilt {}

impl<'m> Explicit<'m> {
    /// Explores a machine.
    pub fn build(machine: &'m Valid, limits: Limits) -> Result<Explicit<'m>, NotBuilt> {
        Explicit::of(Graph::all(machine, limits).map_err(NotBuilt::GaveUp)?)
    }

    /// Takes a whole graph with its edges, as [`Graph::all`] gives it, or [`Graph::some`] when nothing stopped it.
    pub fn of(graph: Graph<'m>) -> Result<Explicit<'m>, NotBuilt> {
        let machine = graph.interp().machine();
        if !graph.complete() {
            return Err(NotBuilt::GaveUp(GaveUp::States));
        }
        if let (Idle::Never, Some(&dead)) = (machine.idle, graph.terminal().first()) {
            return Err(NotBuilt::DeadEnd(graph.codes(dead)));
        }
        let codes = (0..graph.len()).map(|s| graph.codes(s)).collect();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
        let mut prev = next.clone();
        for (s, after) in next.iter_mut().enumerate() {
            after.extend(graph.edges(s).iter().map(|e| e.to as usize));
            after.sort_unstable();
            after.dedup();
            after.iter().for_each(|t| prev[*t].push(s));
        }
        Ok(Explicit { graph, codes, next, prev })
    }

    /// The graph.
    pub fn graph(&self) -> &Graph<'m> {
        &self.graph
    }

    /// The interpreter behind it.
    pub fn interp(&self) -> &Interp<'m> {
        self.graph.interp()
    }

    /// Number of reachable snapshots.
    pub fn states(&self) -> usize {
        self.graph.len()
    }

    /// Number of snapshots in which nobody can act.
    pub fn terminal(&self) -> usize {
        self.graph.terminal().len()
    }

    /// Does some reachable step depend on the rule order?
    pub fn order_dependent(&self) -> bool {
        self.graph.order_dependent() > 0
    }

    /// Is the overflow flag set in some reachable snapshot?
    pub fn overflow_reachable(&self) -> bool {
        let flag = self.interp().machine().overflow;
        self.codes.iter().any(|c| c[flag] != 0)
    }

    /// Does a property hold in the initial snapshot?
    pub fn check(&self, property: &Property<ExprId>) -> bool {
        self.satisfying(property).first().copied().unwrap_or(false)
    }

    /// The reachable snapshots that satisfy a property's formula, under its fairness constraints.
    pub fn satisfying(&self, property: &Property<ExprId>) -> Set {
        let plain = Fair::none(self);
        let constraints: Vec<Set> = property.fair.iter().map(|f| self.sat(f, &plain)).collect();
        let fair = if constraints.is_empty() { plain } else { Fair::of(self, constraints) };
        self.sat(&property.formula, &fair)
    }

    /// Snapshots that satisfy a formula; path quantifiers range over fair runs.
    fn sat(&self, formula: &Formula<ExprId>, fair: &Fair) -> Set {
        self.sat_where(formula, fair, &[])
    }

    /// The same with fixpoint variables that stand for sets.
    fn sat_where(&self, formula: &Formula<ExprId>, fair: &Fair, vars: &[(&str, Set)]) -> Set {
        let of = |f: &Formula<ExprId>| self.sat_where(f, fair, vars);
        match formula {
            Formula::Atom(e) => self.codes.iter().map(|c| self.interp().holds(*e, c)).collect(),
            Formula::Bool(b) => self.connective(&b.map(of)),
            Formula::Quantified(Path::E, t) => match t.map(of) {
                Temporal::Next(a) => self.ex(&a, fair),
                Temporal::Finally(a) => self.eu(&self.everywhere(true), &a, fair),
                Temporal::Globally(a) => self.eg(&a, fair),
                Temporal::Until(a, b) => self.eu(&a, &b, fair),
            },
            Formula::Quantified(Path::A, t) => match t.map(of) {
                Temporal::Next(a) => not(&self.ex(&not(&a), fair)),
                Temporal::Finally(a) => not(&self.eg(&not(&a), fair)),
                Temporal::Globally(a) => not(&self.eu(&self.everywhere(true), &not(&a), fair)),
                Temporal::Until(a, b) => self.au(&a, &b, fair),
            },
            Formula::Can(group, t) => match t.map(of) {
                Temporal::Next(a) => self.can_next(group, &a),
                Temporal::Finally(a) => self.can_until(group, &self.everywhere(true), &a),
                Temporal::Globally(a) => self.can_globally(group, &a),
                Temporal::Until(a, b) => self.can_until(group, &a, &b),
            },
            Formula::Know(kind, group, a) => self.knows(*kind, group, &of(a)),
            Formula::Fix(kind, name, body) => {
                let mut now = self.everywhere(*kind == Fixpoint::Greatest);
                loop {
                    let inner: Vec<_> = vars.iter().cloned().chain([(name.as_str(), now.clone())]).collect();
                    let next = self.sat_where(body, fair, &inner);
                    if next == now {
                        return now;
                    }
                    now = next;
                }
            }
            // A machine with a variable that is not bound does not validate.
            Formula::Var(name) => {
                let found = vars.iter().find(|(v, _)| v == name);
                found.map_or_else(|| self.everywhere(false), |(_, set)| set.clone())
            }
            Formula::Ltl(path) => self.ltl(path, fair),
        }
    }

    fn connective(&self, b: &Bool<Set>) -> Set {
        match b {
            Bool::Not(a) => not(a),
            Bool::And(xs) => xs.iter().fold(self.everywhere(true), |all, x| zip(&all, x, |a, b| a && b)),
            Bool::Or(xs) => xs.iter().fold(self.everywhere(false), |any, x| zip(&any, x, |a, b| a || b)),
            Bool::Implies(a, b) => zip(a, b, |a, b| !a || b),
            Bool::Iff(a, b) => zip(a, b, |a, b| a == b),
            // Lowering has expanded quantifiers over slots; a machine that still has one does not validate.
            Bool::Quant { body, .. } => body.to_vec(),
        }
    }

    fn everywhere(&self, value: bool) -> Set {
        vec![value; self.states()]
    }
}

fn not(a: &Set) -> Set {
    a.iter().map(|x| !x).collect()
}

fn zip(a: &Set, b: &Set, f: impl Fn(bool, bool) -> bool) -> Set {
    a.iter().zip(b).map(|(x, y)| f(*x, *y)).collect()
}
