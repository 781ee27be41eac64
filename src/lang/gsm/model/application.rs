//! Artifact types with their data and lifecycle, and events.

use super::{Agent, AttrIx, Bag, BagIx, EventIx, Expr, MilestoneIx, Role, StageIx, TaskIx, TypeIx, Wide};
use crate::lang::config::Options;
use crate::lang::gsm::resolve::Constant;
use crate::machine::{Domain, Idle};
use crate::source::Span;

/// A whole GSM application with its agents.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its name in the XML, or the file's.
    pub name: String,
    /// Artifact types in document order.
    pub types: Vec<ArtifactType>,
    /// Declared events in document order, then one creation event `Create_<R>` for every type that has none declared.
    pub events: Vec<Event>,
    /// Roles of the agents file.
    pub roles: Vec<Role>,
    /// Agents with ranges expanded; `None` without an agents file (the default agent then acts).
    pub agents: Option<Vec<Agent>>,
    /// How to turn the model into a machine.
    pub options: Options,
    /// Where texts are abstracted, those that have numbers of their own, from 1 on; 0 is ⊥.
    pub texts: Vec<String>,
    /// Where numbers with fractions are abstracted, how many parts make 1; 0: none are.
    pub parts: i64,
    /// Where numbers with fractions have bounds, how many parts make 1: a power of ten.
    pub unit: i64,
    /// Where points of time are abstracted, whether they count seconds instead of days.
    pub seconds: bool,
    /// Constants that tasks assign, as they are written.
    pub constants: Vec<Constant>,
    /// Data whose values are a guess on which verdicts may rest.
    pub guesses: Vec<Guess>,
    /// Numbers with fractions that are computed with or compared with other data: a point stands for the interval of each result.
    pub rounded: Vec<Guess>,
}

/// Data without given values that is compared with other data or computed with.
#[derive(Clone, Debug)]
pub struct Guess {
    /// `Type.attribute`, `field of Event`.
    pub name: String,
    /// The range of a number; a text has none.
    pub range: Option<(i64, i64)>,
    /// What it is.
    pub of: Guessed,
}

/// Data whose values are guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guessed {
    /// A data attribute.
    Attr(TypeIx, AttrIx),
    /// A payload field, by position.
    Field(EventIx, usize),
}

/// An artifact type.
#[derive(Clone, Debug)]
pub struct ArtifactType {
    /// Id in the XML.
    pub id: String,
    /// Name for people; the id where none is given.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// Where it is declared.
    pub span: Span,
    /// Number of slots, at least 1.
    pub bound: u32,
    /// Data attributes in document order, nested ones flattened.
    pub attrs: Vec<Attribute>,
    /// Data that occurs any number of times.
    pub bags: Vec<Bag>,
    /// Stages in pre-order.
    pub stages: Vec<Stage>,
    /// Milestones, in pre-order of their stages and document order within.
    pub milestones: Vec<Milestone>,
    /// Tasks in pre-order of their stages.
    pub tasks: Vec<Task>,
}

/// A data attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Path with dots (`Address.City`).
    pub path: String,
    /// Where it is declared.
    pub span: Span,
    /// What it was declared as.
    pub kind: DataKind,
    /// Its values. Meaningless for sets, which are never part of a machine.
    pub domain: Domain,
    /// Value code in the initial snapshot and after creation without payload.
    pub init: i64,
    /// `maxOccurs` above 1.
    pub set: bool,
    /// Its initial value as the schema spells it.
    pub initial: Option<String>,
    /// Its values when it is abstracted; `None` if it cannot be.
    pub wide: Option<Wide>,
    /// Both ends of its range were given, by the schema or by the user.
    pub ranged: bool,
}

/// Declared kind of a data attribute or payload field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// `xs:boolean`.
    Boolean,
    /// Integers, and decimals read as integers.
    Integer,
    /// A simple type with enumerated values.
    Enumeration,
    /// Text compared for equality only.
    Text,
    /// Dates and, where that is said, times: a Boolean "has been set".
    Date {
        /// A time of day is part of it.
        timed: bool,
    },
    /// Id of a slot of that type, 0 for none.
    Reference(TypeIx),
}

impl DataKind {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            DataKind::Boolean => "boolean",
            DataKind::Integer => "integer",
            DataKind::Enumeration => "enumeration",
            DataKind::Text => "text",
            DataKind::Date { timed: false } => "date",
            DataKind::Date { timed: true } => "date and time",
            DataKind::Reference(_) => "reference",
        }
    }
}

/// A stage.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// Where it is declared.
    pub span: Span,
    /// The stage it lies in.
    pub parent: Option<StageIx>,
    /// Direct sub-stages.
    pub children: Vec<StageIx>,
    /// Guards in document order.
    pub guards: Vec<Guard>,
    /// Milestones in document order.
    pub milestones: Vec<MilestoneIx>,
    /// The task of an atomic stage.
    pub task: Option<TaskIx>,
    /// E-GSM ProcessFlowGuards: observers, never guards.
    pub flow_guards: Vec<Guard>,
    /// E-GSM FaultLoggers: observers.
    pub fault_loggers: Vec<Guard>,
}

/// A guard (or an E-GSM observer): a named sentry.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Id, made up from the stage's where the XML has none.
    pub id: String,
    /// Name for people; the id where none is given.
    pub name: String,
    /// Its condition.
    pub sentry: Sentry,
}

/// A milestone.
#[derive(Clone, Debug)]
pub struct Milestone {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// Where it is declared.
    pub span: Span,
    /// The stage it belongs to.
    pub stage: StageIx,
    /// Achieving conditions.
    pub achieving: Vec<Guard>,
    /// Invalidating conditions.
    pub invalidating: Vec<Guard>,
}

/// Event part and condition of a guard or milestone.
#[derive(Clone, Debug)]
pub struct Sentry {
    /// The element in the XML.
    pub span: Span,
    /// One of these must be occurring; empty: no event is asked for.
    pub events: Vec<EventIx>,
    /// The condition; `true` where the XML has none. The expression's own text is `sources.text(expr.span)`.
    pub expr: Expr,
}

/// A task of an atomic stage.
#[derive(Clone, Debug)]
pub struct Task {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// Where it is declared.
    pub span: Span,
    /// The stage it belongs to.
    pub stage: StageIx,
    /// What its completion does, in order.
    pub steps: Vec<TaskStep>,
}

/// One effect of a task's completion.
#[derive(Clone, Debug)]
pub enum TaskStep {
    /// Copy a value into an attribute of the task's artifact.
    Set {
        /// The attribute.
        target: AttrIx,
        /// Where the value comes from.
        source: TaskSource,
        /// Place of the mapping.
        span: Span,
    },
    /// Add 1 to an attribute.
    Add {
        /// The attribute.
        target: AttrIx,
        /// Place of the mapping.
        span: Span,
    },
    /// Create a slot of a type.
    Create {
        /// The type.
        ty: TypeIx,
        /// The new slot's reference attributes that get the caller's id.
        references: Vec<AttrIx>,
        /// Data given to the new slot: attribute of the new type, value from the caller.
        data: Vec<(AttrIx, TaskSource)>,
        /// Place of the Invoke.
        span: Span,
    },
    /// An element comes into a bag or leaves it.
    Element {
        /// The bag.
        bag: BagIx,
        /// What happens to it.
        change: Change,
        /// The fields that are given, with where their values come from.
        fields: Vec<(AttrIx, TaskSource)>,
        /// Place of the mapping.
        span: Span,
    },
    /// A two-way call whose answer fills attributes with arbitrary values.
    Call {
        /// Name of the service.
        service: String,
        /// The attributes it fills.
        fills: Vec<AttrIx>,
        /// The bags it replaces by arbitrary ones.
        bags: Vec<BagIx>,
        /// Place of the Invoke.
        span: Span,
    },
    /// A one-way message; it is the whole task.
    Send {
        /// The event that will occur at the receiver.
        event: EventIx,
        /// The type of the receiver, which is another instance; without it the sender itself.
        to: Option<TypeIx>,
        /// What it carries: position of the field in the event's payload, value from the sender when the stage opens.
        fields: Vec<(usize, TaskSource)>,
        /// Place of the Invoke.
        span: Span,
    },
}

/// What happens to a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// One more element.
    Add,
    /// One element less, if there is one.
    Remove,
    /// No element is left.
    Clear,
    /// It becomes an arbitrary bag.
    Replace,
}

impl Change {
    /// Its name in models.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Add => "add",
            Change::Remove => "remove",
            Change::Clear => "clear",
            Change::Replace => "set",
        }
    }

    /// The change of that name.
    pub fn named(text: &str) -> Option<Change> {
        [Change::Add, Change::Remove, Change::Clear].into_iter().find(|c| c.name() == text)
    }
}

/// Where a mapping's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskSource {
    /// A payload field of the event that opened the stage.
    Field {
        /// The field's name.
        name: String,
        /// The events it may come from; empty: any that carries it.
        events: Vec<EventIx>,
    },
    /// An attribute of the task's own artifact.
    Attr(AttrIx),
    /// A constant, coded in the target's domain.
    Const(i64),
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Id in the XML.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// Where it is declared; for a creation event made up by gsmc, the type's place.
    pub span: Span,
    /// The type it creates an instance of.
    pub creates: Option<TypeIx>,
    /// Whether the XML declares it.
    pub declared: bool,
    /// Sent to the environment (it has an output message and no input message): no effect on the snapshot.
    pub outgoing: bool,
    /// Payload fields. Those of a creation event without a message are the attributes that protocols name.
    pub payload: Vec<Field>,
    /// Bags that it carries: the target's bag of that path is replaced by an arbitrary one.
    pub bags: Vec<String>,
}

/// A payload field. Where the target type has an attribute of this name, that attribute's kind and domain count instead.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Declared kind.
    pub kind: DataKind,
    /// Its values.
    pub domain: Domain,
    /// Its values when it is abstracted; `None` if it cannot be.
    pub wide: Option<Wide>,
}

impl ArtifactType {
    /// The stages that lie in no other stage.
    pub fn top_stages(&self) -> impl Iterator<Item = StageIx> + '_ {
        StageIx::all(&self.stages).filter(|&s| self.stages[s].parent.is_none())
    }

    /// Ancestors of a stage, nearest first.
    pub fn ancestors(&self, stage: StageIx) -> impl Iterator<Item = StageIx> + '_ {
        std::iter::successors(self.stages[stage].parent, |&s| self.stages[s].parent)
    }

    /// Is `inner` strictly inside `outer`?
    pub fn inside(&self, inner: StageIx, outer: StageIx) -> bool {
        self.ancestors(inner).any(|a| a == outer)
    }

    /// The attribute of that path.
    pub fn attr(&self, path: &str) -> Option<AttrIx> {
        self.attrs.iter().position(|a| a.path == path).map(AttrIx)
    }
}

impl Application {
    /// The creation event of a type.
    pub fn creation_event(&self, ty: TypeIx) -> Option<EventIx> {
        self.events.iter().position(|e| e.creates == Some(ty)).map(EventIx)
    }

    /// Is the type created by some task?
    pub fn created_by_task(&self, ty: TypeIx) -> bool {
        let creates = |s: &TaskStep| matches!(s, TaskStep::Create { ty: t, .. } if *t == ty);
        self.types.iter().flat_map(|t| &t.tasks).flat_map(|t| &t.steps).any(creates)
    }
}

/// Name of the agent that runs tasks.
pub const AUTO_AGENT: &str = "AutoAgent";

impl Application {
    /// Number of agents that can be named or stand first in the machine's list: those of the agents file, or the default one.
    /// The AutoAgent comes right after them, with this index.
    pub fn auto_agent(&self) -> usize {
        self.agents.as_ref().map_or(1, |a| a.len())
    }

    /// Idling as the options, or their default, say.
    pub fn idle(&self) -> Idle {
        self.options.idle.unwrap_or(if self.agents.is_some() { Idle::Terminal } else { Idle::Always })
    }
}
