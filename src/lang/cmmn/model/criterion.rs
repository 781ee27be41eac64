//! Criteria and the parts of their sentries.

use super::{CondIx, CritIx, Event, FileIx, FreeIx, ItemIx};
use crate::source::Span;

/// An entry or exit criterion of an item, with its sentry.
#[derive(Clone, Debug)]
pub struct Criterion {
    /// What it is called: its id, else item and number; unique in the case.
    pub name: String,
    /// Id as written, for references to exit criteria.
    pub id: String,
    /// The item.
    pub item: ItemIx,
    /// Entry, not exit.
    pub entry: bool,
    /// Its sentry exists.
    pub has_sentry: bool,
    /// On-parts.
    pub on: Vec<OnPart>,
    /// The if-part.
    pub condition: Option<CondIx>,
    /// Remembers nothing beyond the step and reads the if-part when its events come (Flowable's trigger mode).
    pub on_event: bool,
    /// Whom an exit spares.
    pub exit_type: ExitType,
    /// How an exit ends a stage.
    pub exit_event: ExitEvent,
    /// Where it stands.
    pub span: Span,
}

impl Criterion {
    /// Two or more parts: what has occurred is remembered.
    pub fn remembers(&self) -> bool {
        self.on.len() + usize::from(self.condition.is_some()) >= 2
    }

    /// No part at all.
    pub fn is_empty(&self) -> bool {
        self.on.is_empty() && self.condition.is_none()
    }
}

/// Waiting for an event.
#[derive(Clone, Debug)]
pub struct OnPart {
    /// What can have the event.
    pub source: Source,
    /// The event.
    pub event: Event,
    /// The event as the file has it.
    pub written: String,
    /// Only exits by one of these criteria.
    pub exit_by: Option<Vec<CritIx>>,
    /// Where it stands.
    pub span: Span,
}

impl OnPart {
    /// The event as people know it.
    pub fn event_name(&self) -> &str {
        match self.event {
            Event::Other if self.written.is_empty() => "an event without name",
            Event::Other => &self.written,
            event => event.name(),
        }
    }
}

/// What an on-part listens to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A plan item; several where a shared stage was copied.
    Items(Vec<ItemIx>),
    /// A case file item.
    File(FileIx),
    /// Something outside gsmc's view: it occurs or not, step by step.
    Free(FreeIx),
    /// Nothing: it never occurs.
    Nothing,
}

/// Whom an exit spares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExitType {
    /// Nobody.
    #[default]
    All,
    /// Available and enabled instances.
    Active,
    /// Available instances.
    ActiveAndEnabled,
}

/// How an exit ends a stage or the case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExitEvent {
    /// Terminated, with event `exit`.
    #[default]
    Exit,
    /// Completed if it can be; otherwise the engine refuses the step.
    Complete,
    /// Completed whatever is inside.
    ForceComplete,
}
