//! Three-valued truth, operator by operator.
//!
//! A formula is true where its `yes` set says so, false where its `no` set does, and unknown elsewhere. "All may-successors" decide
//! one side of every next-step operator, "some action gives every concrete snapshot an outcome in the set" the other.

use super::Graph;
use crate::machine::Idle;

/// A set of abstract snapshots: one Boolean each.
pub type Set = Vec<bool>;

/// Where a formula is true and where it is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// True for every concrete snapshot there.
    pub yes: Set,
    /// False for every concrete snapshot there.
    pub no: Set,
}

impl Truth {
    /// A formula that every snapshot decides.
    pub fn known(yes: Set) -> Truth {
        let no = complement(&yes);
        Truth { yes, no }
    }

    /// Negation.
    pub fn negated(self) -> Truth {
        Truth { yes: self.no, no: self.yes }
    }

    /// Conjunction.
    pub fn and(self, other: &Truth) -> Truth {
        Truth { yes: meet(&self.yes, &other.yes), no: join(&self.no, &other.no) }
    }

    /// Disjunction.
    pub fn or(self, other: &Truth) -> Truth {
        Truth { yes: join(&self.yes, &other.yes), no: meet(&self.no, &other.no) }
    }
}

/// What is in neither.
pub fn complement(a: &Set) -> Set {
    a.iter().map(|x| !x).collect()
}

/// What is in both.
pub fn meet(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(x, y)| *x && *y).collect()
}

/// What is in one or the other.
pub fn join(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(x, y)| *x || *y).collect()
}

/// Steps between sets of snapshots.
pub struct Steps<'g> {
    graph: &'g Graph,
    idle: Idle,
    may: Vec<Vec<usize>>,
}

impl<'g> Steps<'g> {
    /// The steps of a graph.
    pub fn new(graph: &'g Graph, idle: Idle) -> Steps<'g> {
        let may = (0..graph.states.len()).map(|s| graph.may(s).into_iter().collect()).collect();
        Steps { graph, idle, may }
    }

    /// Number of snapshots.
    pub fn len(&self) -> usize {
        self.may.len()
    }

    /// Where all may-successors are in the set.
    pub fn all_may(&self, set: &Set) -> Set {
        self.may.iter().map(|after| after.iter().all(|t| set.get(*t) == Some(&true))).collect()
    }

    /// Where every concrete snapshot has a successor in the set.
    pub fn each_can(&self, set: &Set) -> Set {
        let mut found: Set = (0..self.len())
            .map(|s| {
                let idles = self.graph.idle.get(s).is_some_and(|i| i.must) && set.get(s) == Some(&true);
                idles || self.graph.moves.get(s).is_some_and(|moves| moves.iter().any(|m| m.meets(set)))
            })
            .collect();
        if self.idle != Idle::Never {
            // Somebody can always act, or everybody idles: there is a successor, and it is one of these.
            found = join(&found, &self.all_may(set));
        }
        found
    }

    /// `EX` and `AX` (`all`).
    pub fn next(&self, all: bool, a: &Truth) -> Truth {
        match all {
            true => Truth { yes: self.all_may(&a.yes), no: self.each_can(&a.no) },
            false => Truth { yes: self.each_can(&a.yes), no: self.all_may(&a.no) },
        }
    }

    /// `E(a U b)` and `A(a U b)` (`all`).
    pub fn until(&self, all: bool, a: &Truth, b: &Truth) -> Truth {
        let nothing = Truth { yes: vec![false; self.len()], no: vec![true; self.len()] };
        fixpoint(nothing, |z| {
            let step = self.next(all, z).and(a);
            step.or(b)
        })
    }

    /// `EG a` and `AG a` (`all`).
    pub fn globally(&self, all: bool, a: &Truth) -> Truth {
        let everything = Truth { yes: vec![true; self.len()], no: vec![false; self.len()] };
        fixpoint(everything, |z| self.next(all, z).and(a))
    }
}

/// Repeats until nothing changes.
pub fn fixpoint(start: Truth, step: impl Fn(&Truth) -> Truth) -> Truth {
    let mut now = start;
    loop {
        let next = step(&now);
        if next == now {
            return now;
        }
        now = next;
    }
}
