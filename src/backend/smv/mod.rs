//! SMV for NuSMV and nuXmv.
//!
//! The choice of a step (action and payload) is input, so it is no part of the state. What an event does at a slot is a chain of
//! definitions, one per assignment or rule; `next` of a variable picks the end of the chain of the body that happens. Actions
//! that are not possible are excluded by `TRANS`; idling keeps the relation total.

mod chain;
mod check;
mod emit;
mod formula;
mod view;

pub use check::{check, count_states, groups};
pub use emit::{Smv, emit};
pub use formula::{Spec, SpecKind};

use super::text::Syntax;

pub(crate) const SYNTAX: Syntax =
    Syntax { constants: ["TRUE", "FALSE"], not: "!", and: " & ", or: " | ", iff: " <-> ", eq: " = ", then: " ? " };

/// A property to export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Position in the machine's properties.
    pub property: usize,
    /// Ask for the negation, to get a witness.
    pub negated: bool,
}
