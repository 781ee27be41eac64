//! Indices that say by their type which list of the model they point into: `app.events[event]`.

use super::{ArtifactType, Attribute, Bag, Event, Milestone, RuleDef, Stage, Task};
use crate::machine::points_into;

/// Index into [`super::Application::types`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeIx(pub usize);

/// Index into [`super::ArtifactType::attrs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttrIx(pub usize);

/// Index into [`super::ArtifactType::stages`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StageIx(pub usize);

/// Index into [`super::ArtifactType::milestones`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MilestoneIx(pub usize);

/// Index into [`super::ArtifactType::tasks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskIx(pub usize);

/// Index into [`super::Application::events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventIx(pub usize);

/// Index into [`super::Rules::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleIx(pub usize);

/// Index into [`super::ArtifactType::bags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BagIx(pub usize);

points_into! {
    TypeIx: ArtifactType;
    AttrIx: Attribute;
    StageIx: Stage;
    MilestoneIx: Milestone;
    TaskIx: Task;
    EventIx: Event;
    RuleIx: RuleDef;
    BagIx: Bag;
}
