//! A model of any language with data that has no bounds.

use crate::machine::{BodyIx, ExprId, InputIx, Unbounded, VarId};

/// The machine of a model some of whose data is abstracted.
#[derive(Clone, Debug)]
pub struct Open {
    /// The machine, with whole domains.
    pub machine: Unbounded,
    /// The abstracted variables.
    pub abstracted: Vec<VarId>,
    /// Flags, and the abstracted variables that are at their initial values while the flag is false.
    pub flagged: Vec<(VarId, VarId)>,
    /// The abstracted variables that keep a value for a task until it is done.
    pub buffers: Vec<VarId>,
    /// What of it is text.
    pub texts: Texts,
    /// The abstracted attributes in the model's words.
    pub attributes: Vec<String>,
    /// Conditions that the user wants to be told apart.
    pub given: Vec<ExprId>,
    /// What is asked of values on their way into a bag.
    pub elements: Vec<ExprId>,
    /// Rounds of refinement, if the model says how many.
    pub refine: Option<u32>,
    /// There are fractions or points of time: what holds with bounds says nothing about this.
    pub apart: bool,
}

/// Texts, which are numbers in such a machine: 0 is ⊥, the first ones are known, and there is always another one.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The variables that are texts.
    pub vars: Vec<VarId>,
    /// The inputs that are texts.
    pub inputs: Vec<(BodyIx, InputIx)>,
    /// What the numbers from 1 on read.
    pub words: Vec<String>,
}
