//! Promela for SPIN.
//!
//! One process, one `atomic` per B-step. The choice (action and payload) is non-deterministic and outside `d_step`; every option is
//! guarded by the whole condition, so a choice never gets stuck. What the event does is straight-line code in `d_step`, in place, with
//! copies of what must still be known about the snapshot before. Choice and copies are reset, so they add no states.

mod check;
mod claim;
mod code;
mod emit;
mod verifier;
mod view;

pub use check::{check, count_states, groups};
pub use claim::ClaimText;
pub use emit::{Promela, Wanted, emit};

use super::text::Syntax;

pub(crate) const SYNTAX: Syntax =
    Syntax { constants: ["1", "0"], not: "! ", and: " && ", or: " || ", iff: " == ", eq: " == ", then: " -> " };
