//! A model of any language with data that has no bounds.

use crate::machine::{ExprId, Unbounded, VarId};

/// The machine of a model some of whose data is abstracted.
#[derive(Clone, Debug)]
pub struct Open {
    /// The machine, with whole domains.
    pub machine: Unbounded,
    /// The abstracted variables.
    pub abstracted: Vec<VarId>,
    /// Flags, and the abstracted variables that are at their initial values while the flag is false.
    pub flagged: Vec<(VarId, VarId)>,
    /// The abstracted attributes in the model's words.
    pub attributes: Vec<String>,
    /// Conditions that the user wants to be told apart.
    pub given: Vec<ExprId>,
    /// Rounds of refinement, if the model says how many.
    pub refine: Option<u32>,
}
