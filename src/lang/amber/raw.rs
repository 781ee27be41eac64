//! An AMBER model as written: names not yet looked up, groups not yet nodes.

use super::NodeKind;
use crate::lang::syntax::{Ast, Name};
use crate::source::Span;

/// A name with dots.
#[derive(Clone, Debug)]
pub struct RawPath {
    /// At least one.
    pub names: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

impl RawPath {
    /// As people write it, without quotes.
    pub fn text(&self) -> String {
        self.names.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(".")
    }
}

/// A line of a model or block.
#[derive(Clone, Debug)]
pub enum RawItem {
    /// `amber Garage`
    Title(Name),
    /// `bound 2`
    Bound(i64, Span),
    /// `type T = …`
    Type(Name, RawType),
    /// `const c = …`
    Const(Name, Ast),
    /// `define d = …`
    Define(Name, Ast),
    /// `var a, b: T = …`
    Var(Vec<Name>, RawType, Option<RawValue>),
    /// `actor A sees …`
    Actor(Name, Vec<RawPath>),
    /// `repeated action a { … }, b`
    Nodes(Vec<RawNode>),
    /// `block X by A { … }`
    Block(RawBlock),
    /// `a -> b -> c`
    Chain(RawChain),
    /// `relation r: X.a, Y.b`
    Relation(Option<Name>, Vec<RawPath>, Span),
}

/// A declared node.
#[derive(Clone, Debug)]
pub struct RawNode {
    /// Its name.
    pub name: Name,
    /// Its kind.
    pub kind: NodeKind,
    /// Declared `repeated`.
    pub repeated: bool,
    /// Declared `optional`.
    pub optional: bool,
    /// What it does to the data.
    pub fragment: Vec<RawStatement>,
}

/// A block.
#[derive(Clone, Debug)]
pub struct RawBlock {
    /// Its name.
    pub name: Name,
    /// Who performs it.
    pub by: Option<Name>,
    /// What is inside.
    pub items: Vec<RawItem>,
}

/// Arrows in a row.
#[derive(Clone, Debug)]
pub struct RawChain {
    /// Where it starts.
    pub first: RawTerm,
    /// Arrow by arrow. Only behind a disabling arrow there is more than one term.
    pub rest: Vec<(RawArrow, Vec<RawTerm>)>,
}

/// An arrow.
#[derive(Clone, Debug)]
pub struct RawArrow {
    /// `=>`
    pub double: bool,
    /// `-/->`
    pub disabling: bool,
    /// `-[…]->`
    pub condition: Option<RawCondition>,
    /// Where it stands.
    pub span: Span,
}

/// A condition.
#[derive(Clone, Debug)]
pub enum RawCondition {
    /// `[else]`
    Else(Span),
    /// `[x > 1]`, and its text.
    Holds(Ast, String),
}

impl RawCondition {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            RawCondition::Else(span) => *span,
            RawCondition::Holds(ast, _) => ast.span,
        }
    }
}

/// An end of an arrow.
#[derive(Clone, Debug)]
pub enum RawTerm {
    /// A node.
    Node(RawPath),
    /// `(a & b)`
    Group(RawGroup),
}

impl RawTerm {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            RawTerm::Node(path) => path.span,
            RawTerm::Group(group) => group.span,
        }
    }
}

/// `name:(a & b & …)`
#[derive(Clone, Debug)]
pub struct RawGroup {
    /// The name of its split or join.
    pub name: Option<Name>,
    /// `&`, not `|`.
    pub and: bool,
    /// Two or more.
    pub branches: Vec<RawBranch>,
    /// Where it stands.
    pub span: Span,
}

/// A branch of a group.
#[derive(Clone, Debug)]
pub struct RawBranch {
    /// `=>` in front of it.
    pub double: bool,
    /// `[…]` in front of it.
    pub condition: Option<RawCondition>,
    /// Where it leads.
    pub term: RawTerm,
    /// Where it stands, with what is in front of it.
    pub span: Span,
}

/// A type.
#[derive(Clone, Debug)]
pub enum RawType {
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `int`, which is refused.
    Int(Span),
    /// `lo..hi`
    Range(Ast, Ast),
    /// `{a, b}`
    Values(Vec<Name>),
    /// `record { f: T }`
    Record(Vec<(Name, RawType)>),
    /// `T[n]`
    Array(Box<RawType>, Ast),
    /// `T`
    Named(Name),
}

/// A value: an expression, or `{ …, … }` for records and arrays.
#[derive(Clone, Debug)]
pub enum RawValue {
    /// An expression.
    Expr(Ast),
    /// Its parts in order.
    Parts(Vec<RawValue>, Span),
}

impl RawValue {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            RawValue::Expr(ast) => ast.span,
            RawValue::Parts(_, span) => *span,
        }
    }
}

/// A statement of a fragment.
#[derive(Clone, Debug)]
pub enum RawStatement {
    /// `place := value`
    Assign(Ast, Box<RawRight>),
    /// `if c { … } else { … }`
    If(Ast, Vec<RawStatement>, Vec<RawStatement>),
}

/// What is assigned.
#[derive(Clone, Debug)]
pub enum RawRight {
    /// A value.
    Value(RawValue),
    /// `any`: one of all values of the place.
    Any(Span),
    /// `any lo..hi`
    AnyBetween(Ast, Ast, Span),
    /// `any {a, b}`
    AnyOf(Vec<Ast>, Span),
}
