//! Plan items.

use super::{CondIx, CritIx, DataIx, ItemIx};
use crate::source::Span;

/// A plan item at one place of the plan.
#[derive(Clone, Debug)]
pub struct Item {
    /// Id of the plan item (of the plan: its own).
    pub id: String,
    /// Id of its definition.
    pub definition: String,
    /// The name as written, else the id.
    pub label: String,
    /// What it is called here: unique in the case. The plan is `case`.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// The element it is defined by: `humanTask`, `timerEventListener`, ….
    pub element: String,
    /// The stage or plan it stands in.
    pub parent: Option<ItemIx>,
    /// What stands in it.
    pub children: Vec<ItemIx>,
    /// Entry criteria in document order.
    pub entry: Vec<CritIx>,
    /// Exit criteria in document order.
    pub exit: Vec<CritIx>,
    /// Started by hand.
    pub manual: CondIx,
    /// Its container needs it.
    pub required: CondIx,
    /// It may happen again.
    pub repetition: Option<Repetition>,
    /// A stage or plan ends when nothing required is left.
    pub auto_complete: CondIx,
    /// It does not keep its container open while available.
    pub neutral: CondIx,
    /// When its container need not wait for it.
    pub parent_completion: ParentCompletion,
    /// A listener listens only while this holds.
    pub available_if: Option<CondIx>,
    /// A discretionary item: when it may be planned.
    pub planning: Option<Planning>,
    /// Transitions somebody may make by hand: `fault`, `terminate`, `disable`.
    pub by_hand: ByHand,
    /// Role or assignee.
    pub performer: Option<String>,
    /// Where the plan item stands.
    pub span: Span,
}

/// Transitions made by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByHand {
    /// A stage or the case may be completed.
    pub complete: bool,
    /// It may fail.
    pub fault: bool,
    /// It may be terminated.
    pub terminate: bool,
    /// It may be disabled, and enabled again.
    pub disable: bool,
}

/// Kinds of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The case plan.
    Plan,
    /// A stage.
    Stage,
    /// A task.
    Task(Task),
    /// A milestone, with the variable that it sets to true.
    Milestone(Option<DataIx>),
    /// A listener for outside events.
    Listener {
        /// It listens only when the case is over.
        reactivate: bool,
    },
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// It stays active until somebody completes it.
    pub waits: CondIx,
    /// Somebody can complete it (not so a case page).
    pub completable: bool,
    /// What somebody writes who completes it.
    pub writes: Vec<DataIx>,
    /// What it writes itself when it does not wait.
    pub at_once: Vec<DataIx>,
}

/// A repetition rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// May it happen again?
    pub rule: CondIx,
    /// The largest value of its counter, if some rule of the item reads it.
    pub count: Option<i64>,
    /// Not while so many are at work.
    pub most: Option<u32>,
    /// One instance per element of a collection.
    pub collection: bool,
}

/// When a container need not wait for an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParentCompletion {
    /// As the standard says.
    #[default]
    Usual,
    /// Never.
    Ignore,
    /// Not while it is available.
    IfAvailable,
    /// Not while it is available or enabled.
    IfAvailableOrEnabled,
    /// Not after its first completion.
    AfterFirst,
    /// Not after its first completion, unless active.
    AfterFirstIfAvailableOrEnabled,
}

/// When a discretionary item may be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planning {
    /// One of these holds; empty: always.
    pub rules: Vec<CondIx>,
    /// The human task whose table offers it.
    pub at: Option<ItemIx>,
}

impl Item {
    /// A stage or the plan?
    pub fn is_container(&self) -> bool {
        matches!(self.kind, Kind::Stage | Kind::Plan)
    }

    /// A task?
    pub fn task(&self) -> Option<&Task> {
        match &self.kind {
            Kind::Task(task) => Some(task),
            _ => None,
        }
    }

    /// A listener?
    pub fn is_listener(&self) -> bool {
        matches!(self.kind, Kind::Listener { .. })
    }

    /// A milestone?
    pub fn is_milestone(&self) -> bool {
        matches!(self.kind, Kind::Milestone(_))
    }

    /// One instance per element of a collection?
    pub fn collects(&self) -> bool {
        self.repetition.as_ref().is_some_and(|r| r.collection)
    }

    /// Created, it becomes active (or occurs) without waiting for anything.
    pub fn starts_at_once(&self) -> bool {
        self.entry.is_empty() && !self.is_listener() && !self.collects()
    }

    /// What people call its kind.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Plan => "case",
            Kind::Stage => "stage",
            Kind::Task(_) => "task",
            Kind::Milestone(_) => "milestone",
            Kind::Listener { .. } => "listener",
        }
    }
}
