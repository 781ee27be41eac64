//! A property: a formula with its name, its place and what the author says about it.

use super::{Doubt, Formula, Rewrite};
use crate::source::Span;

/// A property as written, over atoms `A`.
#[derive(Clone, Debug)]
pub struct Property<A> {
    /// Its name (`p1`, `p2`, … by position where none is given).
    pub name: String,
    /// The formula as written, blanks normalised.
    pub text: String,
    /// What the author says about it: the comment right above.
    pub comment: String,
    /// Where it stands.
    pub span: Span,
    /// What the author expects.
    pub expect: bool,
    /// Fairness constraints: sets of snapshots to be visited infinitely often.
    pub fair: Vec<Formula<A>>,
    /// The formula.
    pub formula: Formula<A>,
    /// What tells whether its verdict says less than it seems to.
    pub doubts: Vec<Doubt<A>>,
}

impl<A> Property<A> {
    /// A property that nobody wrote: its text is its name, it is expected to hold.
    pub fn new(name: impl Into<String>, formula: Formula<A>, span: Span) -> Property<A> {
        let name = name.into();
        let (text, comment) = (name.clone(), String::new());
        Property { name, text, comment, span, expect: true, fair: Vec::new(), formula, doubts: Vec::new() }
    }

    /// The same property over other atoms.
    pub fn rewritten<B>(&self, to: &mut impl Rewrite<A, B>) -> Property<B> {
        Property {
            name: self.name.clone(),
            text: self.text.clone(),
            comment: self.comment.clone(),
            span: self.span,
            expect: self.expect,
            fair: self.fair.iter().map(|f| to.formula(f)).collect(),
            formula: to.formula(&self.formula),
            doubts: self.doubts.iter().map(|d| d.rewritten(to)).collect(),
        }
    }
}
