//! What the parts of a lowered machine stand for.

use crate::lang::cmmn::model::{CritIx, DataIx, Event, FileIx, InstIx, ItemIx, PlaceIx, State};
use crate::machine::VarId;

/// The way back from the machine to the case.
#[derive(Clone, Debug)]
pub struct Map {
    /// Per instance: its state.
    pub states: Vec<VarId>,
    /// Per instance: the states it can be in, by code.
    pub codes: Vec<Vec<State>>,
    /// Per variable of the case.
    pub data: Vec<VarId>,
    /// Per case file item.
    pub files: Vec<VarId>,
    /// Per place: its counter, if something reads it.
    pub count: Vec<Option<VarId>>,
    /// Per place: whether its item has been completed, if that matters.
    pub done: Vec<Option<VarId>>,
    /// What criteria remember: criterion, place (entry) or instance (exit), part; the if-part comes after the on-parts.
    pub latches: std::collections::BTreeMap<(CritIx, usize, usize), VarId>,
    /// A step did not come to an end.
    pub endless: VarId,
    /// Per key of a rule's origin: what the rule does.
    pub does: Vec<Does>,
    /// Per body.
    pub happenings: Vec<Happening>,
    /// The most rounds of a step.
    pub rounds: usize,
    /// Some step was cut off after so many rounds.
    pub cut: bool,
}

impl Map {
    /// Nothing yet.
    pub(super) fn new() -> Map {
        Map {
            states: Vec::new(),
            codes: Vec::new(),
            data: Vec::new(),
            files: Vec::new(),
            count: Vec::new(),
            done: Vec::new(),
            latches: std::collections::BTreeMap::new(),
            endless: VarId(0),
            does: Vec::new(),
            happenings: Vec::new(),
            rounds: 0,
            cut: false,
        }
    }
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    /// Keeps the books.
    Nothing,
    /// An instance changes its state.
    Becomes(InstIx, State, Event),
    /// A criterion fires at a place (entry) or instance (exit).
    Fires(CritIx, usize),
    /// A criterion remembers a part.
    Remembers(CritIx, usize, usize),
    /// A variable is set.
    Writes(DataIx),
    /// A container completes by itself while a child is enabled.
    Surprises(ItemIx),
    /// A listener occurs.
    Occurs(InstIx),
    /// A firing finds no slot.
    Overflows(PlaceIx),
    /// The engine refuses the step.
    Refuses(CritIx),
    /// The step has not come to an end.
    GoesOn,
}

/// An outside event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// The case starts.
    StartCase,
    /// Somebody completes a task, stage or the case.
    Complete(InstIx),
    /// Somebody starts what is enabled.
    ManualStart(InstIx),
    /// A listener occurs.
    Occur(InstIx),
    /// Something fails, ends, is put aside or taken up again by hand.
    Hand(Event, InstIx),
    /// A discretionary item is planned.
    Plan(InstIx),
    /// An event of a case file item.
    File(Event, FileIx),
    /// A variable changes.
    Set(DataIx),
}
