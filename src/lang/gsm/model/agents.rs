//! Roles and agents.

use super::{AttrIx, EventIx, Expr, MilestoneIx, StageIx, TypeIx};
use crate::machine::Domain;
use crate::source::Span;

/// A role: what its agents see and may do, type by type.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// One entry per artifact type, in the order of [`super::Application::types`].
    pub types: Vec<RoleType>,
}

/// What a role sees of one artifact type.
#[derive(Clone, Debug)]
pub struct RoleType {
    /// Data attributes it sees.
    pub view: Vec<AttrIx>,
    /// Instances it sees; [`super::ExprKind::SelfId`] is the agent's id. `false` when the role's window reads an attribute that
    /// this type lacks.
    pub window: Expr,
    /// May its agents create instances?
    pub instantiates: bool,
    /// Per stage: is its status hidden?
    pub hidden_stages: Vec<bool>,
    /// Per milestone: is its status hidden?
    pub hidden_milestones: Vec<bool>,
    /// Sentries taken away from the role.
    pub delegated: Vec<SentryRef>,
    /// Events its agents may send to an instance: those the type receives, but for those that delegated sentries alone name there.
    /// Creation not included.
    pub events: Vec<EventIx>,
}

/// A sentry of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SentryRef {
    /// Guard of a stage, by position.
    Guard(StageIx, usize),
    /// Achieving condition of a milestone, by position.
    Achieving(MilestoneIx, usize),
    /// Invalidating condition of a milestone, by position.
    Invalidating(MilestoneIx, usize),
}

/// An agent.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its name, which is also its id (`$$`); `Buyer[5]` was expanded to `Buyer1` … `Buyer5`.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Index into [`super::Application::roles`].
    pub role: usize,
    /// Private variables.
    pub vars: Vec<PrivateVar>,
    /// What it may send; `None`: all of its role's events.
    pub protocol: Option<Vec<ProtocolEntry>>,
}

/// A private variable.
#[derive(Clone, Debug)]
pub struct PrivateVar {
    /// Its name.
    pub name: String,
    /// Its values (enumerations have no ⊥).
    pub domain: Domain,
    /// Its initial value, coded.
    pub init: i64,
    /// Where it is declared.
    pub span: Span,
}

/// One line of a protocol.
#[derive(Clone, Debug)]
pub struct ProtocolEntry {
    /// The event.
    pub event: EventIx,
    /// Where it stands.
    pub span: Span,
    /// Its meaning for each type to whose slots the event can be sent (the created type for a creation event).
    pub targets: Vec<ProtocolTarget>,
}

/// A protocol line for one target type.
#[derive(Clone, Debug)]
pub struct ProtocolTarget {
    /// The target's type.
    pub ty: TypeIx,
    /// When the agent may send it: over private variables, payload fields and the target's data before the step.
    pub condition: Expr,
    /// Simultaneous updates of the agent's private variables, by index into [`Agent::vars`].
    pub updates: Vec<(usize, Expr)>,
}
