//! Expressions, places and statements of a model, typed and looked up.

use super::Type;
use super::model::{NodeIx, RelationIx, VarIx};
use crate::machine::{ArithOp, CompareOp};

/// A typed expression. Values of enumerations are numbers (their codes).
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A Boolean constant.
    Bool(bool),
    /// A number, or the code of a value.
    Int(i64),
    /// A variable, field or element.
    Read(Place),
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction.
    And(Vec<Expr>),
    /// Disjunction.
    Or(Vec<Expr>),
    /// Equivalence of two Booleans.
    Iff(Box<Expr>, Box<Expr>),
    /// Comparison of two numbers or values.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Arithmetic.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// Something about the control state; in properties only.
    Control(Control),
}

/// What properties ask about the control state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// `executed(x)`
    Executed(NodeIx),
    /// `triggered(x)`
    Triggered(NodeIx),
    /// `disabled(x)`
    Disabled(NodeIx),
    /// `enabled(x)`: an event of x is possible.
    Enabled(NodeIx),
    /// `enabled(r)`
    EnabledRelation(RelationIx),
    /// `just(x)`
    Just(NodeIx),
    /// `just(r)`
    JustRelation(RelationIx),
    /// `blocked(s)`
    Blocked(NodeIx),
    /// `in_counter(j)`, a number.
    InCounter(NodeIx),
    /// `stuck`
    Stuck,
    /// `finished`
    Finished,
    /// `ended`
    Ended,
    /// `overflow`
    Overflow,
}

/// A variable, a field or an element of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The variable.
    pub var: VarIx,
    /// The way into it.
    pub steps: Vec<Step>,
    /// What is there.
    pub ty: Type,
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A field, by number.
    Field(usize),
    /// An element; an index outside means the nearest one.
    Index(Expr),
}

/// A statement of a fragment.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Scalars that get their values at once.
    Assign(Vec<(Place, Right)>),
    /// Two ways on.
    If(Expr, Vec<Statement>, Vec<Statement>),
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum Right {
    /// A value.
    Value(Expr),
    /// One of these, freely chosen; ascending, at least one.
    Any(Vec<i64>),
}

impl Expr {
    /// The direct parts, indices of places included.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Bool(_) | Expr::Int(_) | Expr::Control(_) => vec![],
            Expr::Read(place) => place.indices(),
            Expr::Not(a) => vec![a],
            Expr::And(xs) | Expr::Or(xs) => xs.iter().collect(),
            Expr::Iff(a, b) | Expr::Compare(_, a, b) | Expr::Arith(_, a, b) => vec![a, b],
        }
    }

    /// Calls `f` on this expression and everything inside.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        self.parts().into_iter().for_each(|p| p.walk(f));
    }
}

impl Place {
    /// The expressions that pick elements.
    pub fn indices(&self) -> Vec<&Expr> {
        self.steps.iter().filter_map(|s| if let Step::Index(e) = s { Some(e) } else { None }).collect()
    }
}
