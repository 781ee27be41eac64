//! Questions about steps, which no formula over snapshots can ask. Languages put theirs beside the properties.

use super::{BodyIx, ExprId};
use crate::source::Span;

/// A question with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its name among the properties: `guard-fires(Order.Pay/g1)`.
    pub name: String,
    /// The answer that a sound model gives.
    pub expect: bool,
    /// Either answer is fine: worth knowing, never wrong.
    pub either: bool,
    /// Where what it is about stands in the model, if it is about one thing.
    pub span: Option<Span>,
    /// What is asked.
    pub ask: Ask,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Is there a reachable step that is one of these?
    Some(Vec<Steps>),
    /// Is no reachable step one of these?
    None(Vec<Steps>),
    /// Does this (over `Cur`) hold in some reachable snapshot?
    Reach(ExprId),
    /// Does this (over `Cur`) hold in no reachable snapshot?
    Never(ExprId),
    /// Does no reachable step depend on the order of its rules?
    OrderIndependent,
    /// Does this (over `Cur`) hold in no dead end?
    NoDeadEnd(ExprId),
}

/// Steps of a body: those in which a rule fires, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The body.
    pub body: BodyIx,
    /// Position in [`super::Body::rules`].
    pub rule: Option<usize>,
}
