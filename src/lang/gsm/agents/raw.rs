//! Agents files as written: names not yet looked up.

use crate::lang::syntax::{Ast, Name};
use crate::source::Span;

/// Roles and agents in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct RawFile {
    /// Its roles.
    pub roles: Vec<RawRole>,
    /// Its agents, ranges not yet expanded.
    pub agents: Vec<RawAgent>,
    /// Could all names and private variables be read?
    pub complete: bool,
}

/// `role … { … }`
#[derive(Clone, Debug)]
pub struct RawRole {
    /// Its name.
    pub name: Name,
    /// Data attributes.
    pub view: Vec<Name>,
    /// Windows: for a type, or for every type that has none of its own.
    pub windows: Vec<(Option<Name>, Ast)>,
    /// Types its agents may create.
    pub instantiation: Vec<Name>,
    /// What is hidden.
    pub transformation: Vec<RawTransformation>,
}

/// `condense_stage(Type, Stage)`
#[derive(Clone, Debug)]
pub struct RawTransformation {
    /// Which.
    pub op: Name,
    /// Its arguments.
    pub args: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `agent … { … }`
#[derive(Clone, Debug)]
pub struct RawAgent {
    /// Its name, without the range.
    pub name: Name,
    /// `[n]`
    pub count: Option<i64>,
    /// Its role.
    pub role: Option<Name>,
    /// Private variables.
    pub vars: Vec<RawVar>,
    /// Protocol entries; `None`: no protocol.
    pub protocol: Option<Vec<RawEntry>>,
}

/// `bool done = false`
#[derive(Clone, Debug)]
pub struct RawVar {
    /// Its values.
    pub kind: RawKind,
    /// Its name.
    pub name: Name,
    /// Its initial value.
    pub init: Option<Ast>,
}

/// The type of a private variable.
#[derive(Clone, Debug)]
pub enum RawKind {
    /// `bool`
    Bool,
    /// `lo..hi`
    Range(i64, i64, Span),
    /// `{a, b}`
    Values(Vec<Name>),
}

/// `event: condition -> updates`
#[derive(Clone, Debug)]
pub struct RawEntry {
    /// The event.
    pub event: Name,
    /// The type it is sent to; `None`: any.
    pub ty: Option<Name>,
    /// When it may be sent.
    pub condition: Ast,
    /// What changes.
    pub updates: Vec<(Name, Ast)>,
    /// Where the entry stands.
    pub span: Span,
}
