//! A case: what its file says, names looked up, under one profile.
//!
//! An [`Item`] is a plan item at one place of the plan (item 0 is the plan itself; a stage used twice gives two items with
//! insides of their own). A [`Place`] is an item in one instance of its container: there its entry criteria wait and its
//! instances have slots. An [`Instance`] is one slot; instance 0 is the case.

mod criterion;
mod event;
mod item;
mod names;
mod slots;
mod state;

pub use criterion::{Criterion, ExitEvent, ExitType, OnPart, Source};
pub use event::Event;
pub use item::{ByHand, Item, Kind, ParentCompletion, Planning, Repetition, Task};
pub(crate) use names::name_items;
pub use slots::{Instance, Place};
pub(crate) use slots::{MOST_INSTANCES, expand, slots};
pub use state::State;

use super::condition::{Cond, Condition, Data};
use crate::source::Span;

/// Index into [`Case::items`].
pub type ItemIx = usize;
/// Index into [`Case::places`].
pub type PlaceIx = usize;
/// Index into [`Case::instances`].
pub type InstIx = usize;
/// Index into [`Case::criteria`].
pub type CritIx = usize;
/// Index into [`Case::conditions`].
pub type CondIx = usize;
/// Index into [`Case::data`].
pub type DataIx = usize;
/// Index into [`Case::files`].
pub type FileIx = usize;
/// Index into [`Case::free`].
pub type FreeIx = usize;

/// The condition that always holds.
pub const ALWAYS: CondIx = 1;
/// The condition that never holds.
pub const NEVER: CondIx = 0;

pub use crate::lang::config::Profile;

/// What a user chooses beside the file.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Whose semantics.
    pub profile: Profile,
    /// The case of a file with several.
    pub case: Option<String>,
    /// Slots per repeating item, by name.
    pub instances: Vec<(String, u32)>,
    /// Transitions made by hand everywhere: `complete`, `terminate`, `fault`, `disable`, `reenable`.
    pub by_hand: Vec<String>,
    /// Data may change at any time.
    pub data_any: bool,
    /// Values of variables, instead of those found in conditions.
    pub values: Vec<(String, Vec<String>)>,
    /// What the completion of a task (or `case`: its start) writes.
    pub writes: Vec<(String, Vec<String>)>,
    /// An agent for each role or assignee, instead of a nameless one who does everything.
    pub roles: bool,
}

/// A case file item that on-parts name.
#[derive(Clone, Debug)]
pub struct CaseFile {
    /// Its name, else its id.
    pub name: String,
    /// It can be created again while present.
    pub many: bool,
    /// Events beside `create` that some on-part waits for.
    pub waited: Vec<Event>,
}

/// A condition that was not understood: it holds or not, step by step.
#[derive(Clone, Debug)]
pub struct Free {
    /// The text, blanks normalised.
    pub text: String,
    /// Where it stands first.
    pub span: Span,
}

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// Its name, else its id.
    pub name: String,
    /// Its semantics.
    pub profile: Profile,
    /// Items, parents before children, in document order; 0 is the plan.
    pub items: Vec<Item>,
    /// Criteria, item by item.
    pub criteria: Vec<Criterion>,
    /// Conditions; the first two are [`NEVER`] and [`ALWAYS`].
    pub conditions: Vec<Condition>,
    /// Variables that conditions read.
    pub data: Vec<Data>,
    /// Case file items that on-parts name.
    pub files: Vec<CaseFile>,
    /// Conditions not understood.
    pub free: Vec<Free>,
    /// Items in instances of their containers, in the order in which a round looks at them.
    pub places: Vec<Place>,
    /// Slots; 0 is the case.
    pub instances: Vec<Instance>,
    /// Variables that the start writes.
    pub start_writes: Vec<DataIx>,
    /// Data may change at any time.
    pub data_any: bool,
    /// Roles and assignees who are agents of their own.
    pub roles: Vec<String>,
    /// Where the file's diagram has items and criteria, by their ids.
    pub shapes: std::collections::BTreeMap<String, crate::picture::Rect>,
    /// Where the case stands in its file.
    pub span: Span,
}

impl Case {
    /// Is this the case of Flowable's engine?
    pub fn flowable(&self) -> bool {
        self.profile == Profile::Flowable
    }

    /// The item of an instance.
    pub fn item_of(&self, instance: InstIx) -> &Item {
        &self.items[self.instances[instance].item]
    }

    /// The instances of an item, everywhere.
    pub fn instances_of(&self, item: ItemIx) -> impl Iterator<Item = InstIx> + '_ {
        self.instances.iter().enumerate().filter(move |(_, i)| i.item == item).map(|(ix, _)| ix)
    }

    /// The containers around an instance, innermost first; the case comes last.
    pub fn around(&self, instance: InstIx) -> impl Iterator<Item = InstIx> + '_ {
        std::iter::successors(self.instances[instance].container, |i| self.instances[*i].container)
    }

    /// Is it the first slot of its place?
    pub fn is_first(&self, instance: InstIx) -> bool {
        self.instances[instance].place.is_none_or(|p| self.places[p].slots.first() == Some(&instance))
    }

    /// Does something stand outside the container of an item, however deep?
    pub fn is_outside(&self, source: ItemIx, item: ItemIx) -> bool {
        let home = self.items[item].parent;
        self.containers(source).all(|c| Some(c) != home)
    }

    /// The stages around an item, innermost first, and the plan.
    pub fn containers(&self, item: ItemIx) -> impl Iterator<Item = ItemIx> + '_ {
        std::iter::successors(self.items[item].parent, |i| self.items[*i].parent)
    }

    /// Is the condition the constant?
    pub fn is_never(&self, condition: CondIx) -> bool {
        self.conditions[condition].is_never()
    }

    /// Is it remembered that the item has been completed since its container started?
    pub fn remembers_done(&self, item: ItemIx) -> bool {
        let it = &self.items[item];
        let first = [ParentCompletion::AfterFirst, ParentCompletion::AfterFirstIfAvailableOrEnabled];
        it.required != NEVER || first.contains(&it.parent_completion) || self.asked_done(item)
    }

    /// Does a condition ask whether the item has been completed?
    fn asked_done(&self, item: ItemIx) -> bool {
        let mut asked = false;
        for condition in &self.conditions {
            condition.cond.walk(&mut |part| match part {
                Cond::Done(items) => asked |= items.contains(&item),
                Cond::Query(q) => asked |= q.states.contains(&State::Completed) && q.items.contains(&item),
                _ => {}
            });
        }
        asked
    }
}
