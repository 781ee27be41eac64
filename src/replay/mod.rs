//! Recorded cases against a model: did each follow it, where did it leave it, did the properties hold?
//!
//! | part | what it does |
//! |---|---|
//! | [`mapping`] | what the activities of a log mean |
//! | [`machine`] | one case, move by move, as a run of the model's machine |
//! | [`egsm`] | the same by the rules of E-GSM, without a machine |
//! | [`ltlf`] | properties of finite runs |
//! | [`stream`], `worker` | events to cases, in order, on several cores, in bounded memory |
//! | [`totals`] | all cases together |
//! | [`show`] | for people, tables, build servers |

pub mod egsm;
pub mod ltlf;
pub mod machine;
pub mod mapping;
mod payload;
pub mod show;
pub mod stream;
pub mod totals;
mod uses;
mod worker;

use crate::answer::Choice;
use crate::log::{Event, Fault};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One recorded case, judged.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Case {
    /// Its name in the log.
    pub case: String,
    /// How many events it has.
    pub events: usize,
    /// No event deviated.
    pub fit: bool,
    /// E-GSM: `compliant` when no stage turned out of order, skipped or faulty, else `uncompliant`.
    pub verdict: Option<&'static str>,
    /// It came to its end.
    pub completed: bool,
    /// What the log says it should be.
    pub label: Option<String>,
    /// Not everything it could have done was followed.
    pub approximate: bool,
    /// The log broke off before the case had come to its end: what is said holds so far.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// The first violation; where no stage turned, the first deviation.
    pub first: Option<Box<Violation>>,
    /// Events that the model does not allow.
    pub deviations: Vec<Deviation>,
    /// Events that are known and of no matter, by position.
    pub ignored: Vec<usize>,
    /// Stages that are out of order, skipped or faulty at the end.
    pub at_end: BTreeMap<String, Vec<&'static str>>,
    /// What its run says about the properties; cases of which the same is said share it.
    #[serde(serialize_with = "shared")]
    pub properties: Arc<BTreeMap<String, String>>,
    /// The run, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<Run>>,
    /// Events that were not judged, after a deviation.
    #[serde(skip)]
    pub unjudged: usize,
    /// Every stage and kind that turned, once.
    #[serde(skip)]
    pub turned: Vec<(String, &'static str)>,
}

/// A stage that turned out of order, skipped or faulty, or an event that the model does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Position of the event in the ordered case, from 0.
    pub index: usize,
    /// Its time, as written.
    pub time: Option<String>,
    /// What happened.
    pub event: String,
    /// The stage; null for a deviation.
    pub stage: Option<String>,
    /// `outOfOrder`, `skipped` or `faulty`; of a deviation its kind.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
}

fn shared<S: serde::Serializer>(said: &Arc<BTreeMap<String, String>>, to: S) -> Result<S::Ok, S::Error> {
    said.serialize(to)
}

impl From<&Deviation> for Violation {
    fn from(d: &Deviation) -> Violation {
        let Deviation { index, time, event, kind, reason } = d.clone();
        Violation { index, time, event, stage: None, kind: kind.name(), reason }
    }
}

/// An event that the model does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deviation {
    /// Position of the event in the ordered case, from 0.
    pub index: usize,
    /// Its time, as written.
    pub time: Option<String>,
    /// What happened.
    pub event: String,
    /// The first test that failed.
    pub kind: Kind,
    /// Why.
    pub reason: String,
}

/// Kinds of deviations, in the order of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The activity means nothing to the model.
    UnknownEvent,
    /// A value outside its field's domain.
    WrongValue,
    /// Whoever did it may not.
    AgentNotAllowed,
    /// The model does not allow it now.
    NotApplicable,
}

impl Kind {
    /// As in results.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::UnknownEvent => "unknown-event",
            Kind::WrongValue => "wrong-value",
            Kind::AgentNotAllowed => "agent-not-allowed",
            Kind::NotApplicable => "not-applicable",
        }
    }
}

/// The run of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Run {
    /// Its events.
    pub lines: Vec<Line>,
    /// The steps of the machine: those of the events that were accepted, and steps that the log does not show.
    #[serde(skip)]
    pub choices: Vec<Choice>,
}

/// One event of a shown run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Position of the event in the ordered case, from 0.
    pub index: usize,
    /// Its time, as written.
    pub time: Option<String>,
    /// What happened.
    pub event: String,
    /// What came of it.
    pub then: Vec<String>,
}

/// What came of one event.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What it was to the model: `Truck = AmsStill`.
    pub event: String,
    /// What became of it.
    pub what: Came,
    /// What it changed, where that was asked for.
    pub then: Vec<String>,
}

/// What became of an event.
#[derive(Clone, Debug, Default)]
pub enum Came {
    /// The model made the move; stages that turned, with the kind.
    Accepted(Vec<(usize, &'static str)>),
    /// Known, and of no matter.
    #[default]
    Ignored,
    /// The model does not allow it.
    Deviates(Kind, String),
}

/// How a case ended.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// It came to its end.
    pub completed: bool,
    /// Not everything it could have done was followed.
    pub approximate: bool,
    /// Stages that are out of order, skipped or faulty.
    pub at_end: BTreeMap<String, Vec<&'static str>>,
    /// What its run says about the properties.
    pub properties: BTreeMap<String, String>,
    /// The steps of the machine, where the run was asked for.
    pub choices: Vec<Choice>,
    /// What came of each accepted event, where only the whole run tells.
    pub told: Vec<Vec<String>>,
}

/// Judges cases by the rules of a language; each thread has its own.
pub trait Judge {
    /// A case that is under way.
    type Course;

    /// A case begins.
    fn start(&mut self) -> Self::Course;

    /// Its next event.
    fn step(&mut self, course: &mut Self::Course, event: &Event) -> Outcome;

    /// An event that is not judged any more.
    fn pass(&self, event: &Event);

    /// Why a stage turned in the last step.
    fn reason(&mut self, course: &Self::Course, stage: usize, kind: &'static str) -> String;

    /// What a stage is called.
    fn stage(&self, stage: usize) -> String;

    /// Has it come to its end?
    fn is_completed(&self, course: &Self::Course) -> bool;

    /// What is said of a case in which some stage turned, or none did; nothing where stages are not watched.
    fn verdict(&self, turned: bool) -> Option<&'static str>;

    /// It ends.
    fn finish(&mut self, course: Self::Course) -> End;
}

/// What a property that is no claim about one run is told.
pub const NOT_A_TRACE_PROPERTY: &str = "not a trace property";

/// All cases of a log.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// In order of first appearance. Shared, so that they need not be moved once more.
    pub cases: Vec<Arc<Case>>,
    /// What is wrong with the log.
    pub faults: Vec<Fault>,
}
