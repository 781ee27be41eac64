//! The model as a file spells it: every name still a word with a place. In XML expressions are still text.

use crate::lang::gsm::xsd::XsdField;
use crate::lang::syntax::{Ast, Name, Text};
use crate::source::Span;

/// A piece of text with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text, blanks around it cut off.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Which of the two spellings of the format a file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Barcelona: sentries as in the GSM papers.
    Barcelona,
    /// E-GSM: monitoring models with data terms, ProcessFlowGuards and FaultLoggers.
    EGsm,
}

/// A whole file.
#[derive(Clone, Debug)]
pub struct RawModel {
    /// The application's name.
    pub name: Option<Word>,
    /// The root element.
    pub span: Span,
    /// The dialect.
    pub dialect: Dialect,
    /// E-GSM elements and no StageGuard: the file is meant for the dialect's own engine.
    pub monitored: bool,
    /// Artifact types in document order.
    pub components: Vec<RawComponent>,
    /// Events in document order.
    pub events: Vec<RawEvent>,
}

/// Id and name of an element.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its id.
    pub id: Word,
    /// Its name; the id where none is given.
    pub name: String,
    /// What its author says about it.
    pub description: Option<String>,
    /// The element.
    pub span: Span,
}

/// A `Component`: an artifact type.
#[derive(Clone, Debug)]
pub struct RawComponent {
    /// Id and name.
    pub head: Head,
    /// `rootDataItemId`.
    pub root_item: Option<Word>,
    /// Its data items.
    pub items: Vec<RawItem>,
    /// Its stages in pre-order.
    pub stages: Vec<RawStage>,
}

/// A `DataItem`, or the message of an event: a root element in a schema file.
#[derive(Clone, Debug)]
pub struct RawItem {
    /// Its id (messages may have none).
    pub id: Option<Word>,
    /// `schemaUri`.
    pub schema: Option<Word>,
    /// `rootElement`.
    pub root: Option<Word>,
    /// The fields themselves, where the model declares them without a schema file.
    pub fields: Option<Vec<XsdField>>,
    /// The element.
    pub span: Span,
}

/// A `Stage` or `SubStage`.
#[derive(Clone, Debug)]
pub struct RawStage {
    /// Id and name.
    pub head: Head,
    /// Position of the stage it lies in.
    pub parent: Option<usize>,
    /// `StageGuard`s and `DataFlowGuard`s.
    pub guards: Vec<RawSentry>,
    /// Milestones.
    pub milestones: Vec<RawMilestone>,
    /// Tasks.
    pub tasks: Vec<RawTask>,
    /// `ProcessFlowGuard`s.
    pub flow_guards: Vec<RawSentry>,
    /// `FaultLogger`s.
    pub fault_loggers: Vec<RawSentry>,
}

/// Anything with an expression and `eventIds`.
#[derive(Clone, Debug)]
pub struct RawSentry {
    /// Its id, made up where the file has none.
    pub id: Word,
    /// Its name; the id where none is given.
    pub name: String,
    /// The element.
    pub span: Span,
    /// `eventIds`.
    pub events: Option<RawEvents>,
    /// `expression`.
    pub expression: Option<RawExpression>,
    /// `language`.
    pub language: Option<Word>,
}

/// The events of a sentry.
#[derive(Clone, Debug)]
pub enum RawEvents {
    /// `eventIds`, not yet split.
    Listed(Text),
    /// One by one.
    Named(Vec<Name>),
}

/// The condition of a sentry.
#[derive(Clone, Debug)]
pub enum RawExpression {
    /// Not yet parsed.
    Text(Text),
    /// Parsed with the file, in the notation.
    Read(Ast),
}

/// A `Milestone`.
#[derive(Clone, Debug)]
pub struct RawMilestone {
    /// Id and name.
    pub head: Head,
    /// `eventIds`, which stand in for those of its conditions.
    pub events: Option<RawEvents>,
    /// `Condition`s.
    pub achieving: Vec<RawSentry>,
    /// `InvalidateCondition`s.
    pub invalidating: Vec<RawSentry>,
}

/// A `Task`.
#[derive(Clone, Debug)]
pub struct RawTask {
    /// Id and name.
    pub head: Head,
    /// What it does, in order.
    pub steps: Vec<RawStep>,
}

/// A part of a task.
#[derive(Clone, Debug)]
pub enum RawStep {
    /// A `Mapping` of an `Assign`.
    Mapping(Box<RawMapping>),
    /// An `Invoke`.
    Invoke {
        /// `serviceDefinitionId`.
        service: Word,
        /// What it must be.
        what: Invoked,
        /// `componentId`: the type of the receiver of a message.
        to: Option<Word>,
        /// Its mappings.
        mappings: Vec<RawMapping>,
        /// The element.
        span: Span,
    },
}

/// What an `Invoke` must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invoked {
    /// What its name says.
    Any,
    /// A call of a service.
    Call,
    /// A message.
    Send,
}

/// A `Mapping`.
#[derive(Clone, Debug)]
pub struct RawMapping {
    /// `type`.
    pub kind: Option<Word>,
    /// `Source`.
    pub source: Option<RawEnd>,
    /// `Target`.
    pub target: Option<RawEnd>,
    /// The element.
    pub span: Span,
    /// The `Assign` it is part of: what adds to one bag there adds one element.
    pub group: Option<Span>,
}

/// A `Source` or `Target`.
#[derive(Clone, Debug)]
pub struct RawEnd {
    /// `sourceId` or `targetId`; in the notation a source may name several events.
    pub ids: Vec<Word>,
    /// `refType`.
    pub ref_type: Option<Word>,
    /// `XPath`.
    pub path: Option<Word>,
    /// `expression`.
    pub expression: Option<Word>,
    /// The element.
    pub span: Span,
}

/// An `Event`.
#[derive(Clone, Debug)]
pub struct RawEvent {
    /// Id and name.
    pub head: Head,
    /// Input messages.
    pub inputs: Vec<RawItem>,
    /// Output messages.
    pub outputs: Vec<RawItem>,
}

impl RawStage {
    /// Its guards, observers, and the conditions of its milestones.
    pub fn sentries(&self) -> impl Iterator<Item = &RawSentry> {
        let conditions = self.milestones.iter().flat_map(|m| m.achieving.iter().chain(&m.invalidating));
        self.guards.iter().chain(&self.flow_guards).chain(&self.fault_loggers).chain(conditions)
    }
}
