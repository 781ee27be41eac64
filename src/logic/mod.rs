//! Formulas: CTL, knowledge, ATL, LTL and the µ-calculus over any kind of atom.
//!
//! A new operator goes through these rooms: `formula` (the core, if it is not sugar), `walk` (its parts), `text` (its spelling),
//! `sugar` (if it can be said with others), `fragment` and `linear` (which engines decide it).
//!
//! A language reads its own atoms; lowering expands quantifiers over slots and gives `Formula<machine::ExprId>`, which is what every
//! engine reads.

pub mod automaton;
mod cost;
pub mod cutoff;
mod doubt;
mod fixpoint;
mod formula;
pub mod fragment;
pub mod linear;
mod property;
mod sugar;
mod text;
mod walk;

pub use cost::cost;
pub use doubt::{Doubt, DoubtKind};
pub use formula::{AgentIx, Bool, Connected, Fixpoint, Formula, Know, Path, PathFormula, Temporal, TypeNo};
pub use fragment::{Fairness, Fragment, ODD_FAIRNESS, Refusal, Uses};
pub use property::Property;
pub use sugar::Pattern;
pub use text::Words;
pub use walk::Rewrite;

/// Which logic a property belongs to: the smallest that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// Computation tree logic.
    Ctl,
    /// CTL with knowledge.
    Ctlk,
    /// Linear-time logic.
    Ltl,
    /// LTL with knowledge atoms.
    Ltlk,
    /// Alternating-time logic.
    Atl,
    /// ATL with knowledge.
    Atlk,
    /// µ-calculus: CTL or ATL with fixpoints.
    Mu,
    /// µ-calculus with knowledge.
    Muk,
}

impl Logic {
    /// All of them.
    const ALL: [Logic; 8] = {
        use Logic::*;
        [Ctl, Ctlk, Ltl, Ltlk, Atl, Atlk, Mu, Muk]
    };

    /// The one of that name.
    pub fn named(name: &str) -> Option<Logic> {
        Logic::ALL.into_iter().find(|l| l.name() == name)
    }

    /// Its name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Logic::Ctl => "ctl",
            Logic::Ctlk => "ctlk",
            Logic::Ltl => "ltl",
            Logic::Ltlk => "ltlk",
            Logic::Atl => "atl",
            Logic::Atlk => "atlk",
            Logic::Mu => "mu",
            Logic::Muk => "muk",
        }
    }
}
