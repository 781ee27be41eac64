//! Questions that tell whether a verdict says less than it seems to.
//!
//! A property's formula has parts without temporal operators folded into one atom, which is what engines want; these questions keep
//! what its author wrote apart.

use super::{Bool, Formula, Path, Rewrite};

/// A question about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt<A> {
    /// What is asked.
    pub kind: DoubtKind,
    /// The part of the property that it is about, as written.
    pub part: String,
    /// The formula to ask about.
    pub formula: Formula<A>,
}

/// Kinds of doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubtKind {
    /// The formula is the left side of an implication: does it hold in a reachable snapshot at all?
    LeftSide,
    /// The formula says that something has the value it is compared with: does it hold in a reachable snapshot at all?
    Constant {
        /// That it does not helps the property to hold, so it may be what the author wants to hear.
        wanted: bool,
    },
    /// The formula is the whole property with the part replaced by the constant that makes it hardest to hold: does it hold all the
    /// same? Then the part does not matter.
    Part,
}

impl<A> Doubt<A> {
    /// The same question over other atoms.
    pub fn rewritten<B>(&self, r: &mut impl Rewrite<A, B>) -> Doubt<B> {
        Doubt { kind: self.kind, part: self.part.clone(), formula: r.formula(&self.formula) }
    }
}

impl<A> Formula<A> {
    /// Speaks of all runs (and of all snapshots that look the same), never of some.
    pub fn is_universal(&self) -> bool {
        universal(self, true)
    }

    /// Speaks of some runs, never of all.
    pub fn is_existential(&self) -> bool {
        universal(self, false)
    }
}

fn universal<A>(f: &Formula<A>, positive: bool) -> bool {
    match f {
        Formula::Atom(_) => true,
        Formula::Bool(Bool::Not(a)) => universal(a, !positive),
        Formula::Bool(Bool::Implies(a, b)) => universal(a, !positive) && universal(b, positive),
        Formula::Bool(Bool::Iff(a, b)) => a.is_state() && b.is_state(),
        Formula::Bool(b @ (Bool::And(_) | Bool::Or(_) | Bool::Quant { .. })) => {
            b.parts().into_iter().all(|part| universal(part, positive))
        }
        Formula::Quantified(path, t) => {
            (*path == Path::A) == positive && t.parts().into_iter().all(|part| universal(part, positive))
        }
        Formula::Know(_, _, a) => positive && universal(a, true),
        Formula::Ltl(_) => positive,
        Formula::Can(..) | Formula::Fix(..) | Formula::Var(_) => false,
    }
}
