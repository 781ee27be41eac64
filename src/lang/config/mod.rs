//! `gsmc.toml` and its overrides on the command line.

mod case;
mod overrides;
mod replay;
#[cfg(test)]
mod tests;
mod toml;

pub use self::case::GivenCase;
pub use self::overrides::{COMMAND_LINE, Overrides};
pub use self::replay::{GivenMove, GivenReplay};
pub use self::toml::{SECTIONS, from_table, read};

use crate::lang::syntax::Name;
use crate::machine::Idle;
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Span};

/// More slots of a type than this are taken for a slip.
const MOST_INSTANCES: i64 = 1000;

/// Options of `gsmc.toml` that change the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `None`: always without agents, terminal with agents.
    pub idle: Option<Idle>,
    /// What creation does when no slot is free.
    pub creation: Creation,
    /// Which events can happen.
    pub events: Events,
    /// Refuse cyclic rule graphs.
    pub strict_order: bool,
    /// Keep attributes outside the cone of influence.
    pub keep_all: bool,
    /// Data is going to be taken without bounds: fractions and points of time have a meaning.
    pub unbounded: bool,
}

/// What an external agent can do when no slot is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Creation {
    /// It cannot create.
    #[default]
    Block,
    /// It can; nothing changes and `overflow` is set.
    Overflow,
}

/// Which events can happen at a created instance that receives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Events {
    /// Those that make some stage open or some milestone change.
    #[default]
    Consumed,
    /// All; one that changes nothing is idling.
    Any,
}

/// Which attributes are abstracted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Abstracted {
    /// Numbers without a given range.
    #[default]
    Auto,
    /// Every number.
    All,
    /// These, as `Type.attribute`.
    Named(Vec<Name>),
}

/// Which of several meanings a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// CMMN: Flowable's engine, with its extensions.
    #[default]
    Flowable,
    /// CMMN: the text of the OMG standard.
    Spec,
    /// Barcelona XML or notation: B-steps.
    Gsm,
    /// The same files: propagation, as the engine of E-GSM does it.
    Egsm,
}

impl Profile {
    /// As people type it.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Flowable => "flowable",
            Profile::Spec => "spec",
            Profile::Gsm => "gsm",
            Profile::Egsm => "egsm",
        }
    }
}

/// What a project says, names not yet looked up.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The XML file.
    pub model: Option<Name>,
    /// The agents file.
    pub agents: Option<Name>,
    /// Property files.
    pub properties: Vec<Name>,
    /// Schema files that come before those the model names.
    pub schemas: Vec<Name>,
    /// Types and their numbers of slots.
    pub instances: Vec<(Name, u32)>,
    /// Types of which there may be any number. They are among `instances` too, with the number used where none is known.
    pub any: Vec<Name>,
    /// Attributes `Type.attribute` and their ranges.
    pub ranges: Vec<(Name, (i64, i64))>,
    /// Attributes `Type.attribute` and the types they refer to.
    pub relations: Vec<(Name, Name)>,
    /// Options as given.
    pub options: GivenOptions,
    /// What to do about unbounded data.
    pub abstraction: GivenAbstraction,
    /// What recorded logs mean.
    pub replay: GivenReplay,
    /// What only cases take.
    pub case: GivenCase,
}

/// What to do about unbounded data; `None`: not mentioned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAbstraction {
    /// Which attributes are abstracted.
    pub attributes: Option<Abstracted>,
    /// Rounds of refinement.
    pub refine: Option<u32>,
    /// Predicates to begin with.
    pub predicates: Vec<Name>,
}

/// Options as given; `None`: not mentioned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenOptions {
    /// When the system may do nothing.
    pub idle: Option<Idle>,
    /// What creation does when no slot is free.
    pub creation: Option<Creation>,
    /// Which events can happen.
    pub events: Option<Events>,
    /// Refuse cyclic rule graphs.
    pub strict_order: Option<bool>,
    /// Keep attributes outside the cone of influence.
    pub keep_all: Option<bool>,
    /// How many occurrences of one action may wait (AMBER).
    pub bound: Option<u32>,
    /// Which meaning the model has (CMMN, GSM).
    pub profile: Option<Profile>,
    /// How often an element may stand on a way of nested calls (E-GSM).
    pub nesting: Option<u32>,
    /// Data is going to be taken without bounds.
    pub unbounded: bool,
}

impl Config {
    /// This configuration with everything that `over` mentions replaced. Later entries of lists win, so they go to the end.
    pub fn overridden(mut self, over: Config) -> Config {
        self.model = over.model.or(self.model);
        self.agents = over.agents.or(self.agents);
        if !over.properties.is_empty() {
            self.properties = over.properties;
        }
        self.schemas.splice(0..0, over.schemas);
        self.any.retain(|n| over.instances.iter().all(|(o, _)| o.text != n.text));
        self.any.extend(over.any);
        self.instances.extend(over.instances);
        self.ranges.extend(over.ranges);
        self.relations.extend(over.relations);
        self.case = self.case.overridden(over.case);
        self.abstraction = GivenAbstraction {
            attributes: over.abstraction.attributes.or(self.abstraction.attributes),
            refine: over.abstraction.refine.or(self.abstraction.refine),
            predicates: [self.abstraction.predicates, over.abstraction.predicates].concat(),
        };
        let (old, new) = (self.options, over.options);
        self.options = GivenOptions {
            idle: new.idle.or(old.idle),
            creation: new.creation.or(old.creation),
            events: new.events.or(old.events),
            strict_order: new.strict_order.or(old.strict_order),
            keep_all: new.keep_all.or(old.keep_all),
            bound: new.bound.or(old.bound),
            profile: new.profile.or(old.profile),
            nesting: new.nesting.or(old.nesting),
            unbounded: new.unbounded || old.unbounded,
        };
        self
    }
}

impl GivenOptions {
    /// What is mentioned although it means nothing to a language, with the languages that it is for.
    pub fn strange_to(&self, language: &str) -> Vec<(String, &'static [&'static str])> {
        let all: [(&str, bool, &[&str]); 7] = [
            ("idle", self.idle.is_some(), &["gsm", "egsm"]),
            ("creation", self.creation.is_some(), &["gsm"]),
            ("events", self.events.is_some(), &["gsm"]),
            ("strict_order", self.strict_order == Some(true), &["gsm"]),
            ("keep_all", self.keep_all == Some(true), &["gsm", "amber"]),
            ("bound", self.bound.is_some(), &["amber"]),
            ("nesting", self.nesting.is_some(), &["egsm"]),
        ];
        let plain = all.into_iter().filter(|(_, given, _)| *given).map(|(what, _, of)| (what.to_string(), of));
        let profile = self.profile.map(|p| {
            let of: &[&str] = match p {
                Profile::Flowable | Profile::Spec => &["cmmn"],
                Profile::Gsm => &["gsm"],
                Profile::Egsm => &["egsm"],
            };
            (format!("profile {}", p.name()), of)
        });
        plain.chain(profile).filter(|(_, of)| !of.contains(&language)).collect()
    }

    /// With defaults for what is not mentioned.
    pub fn options(self) -> Options {
        Options {
            idle: self.idle,
            creation: self.creation.unwrap_or_default(),
            events: self.events.unwrap_or_default(),
            strict_order: self.strict_order.unwrap_or(false),
            keep_all: self.keep_all.unwrap_or(false),
            unbounded: self.unbounded,
        }
    }
}

/// Instances of a type of which there may be any number, where verdicts for any number are out of reach.
pub const SOME_INSTANCES: u32 = 3;

/// The word for any number of instances.
pub const ANY: &str = "any";

/// A number of slots, or an error.
fn bound(n: i64, span: Span, diags: &mut Diagnostics) -> Option<u32> {
    if (1..=MOST_INSTANCES).contains(&n) {
        return u32::try_from(n).ok();
    }
    let message = format!("a type cannot have {n} instances");
    diags.push(Diagnostic::new(&codes::BOUND, span, message).label(format!("expected 1 to {MOST_INSTANCES}")));
    None
}

/// A number of occurrences that may wait, or an error.
fn waiting(n: i64, span: Span, diags: &mut Diagnostics) -> Option<u32> {
    if (1..=100).contains(&n) {
        return u32::try_from(n).ok();
    }
    let message = format!("{n} occurrences cannot wait at once");
    diags.push(Diagnostic::new(&crate::source::codes::amber::BOUND, span, message).label("expected 1 to 100"));
    None
}

/// How often an element may stand on a way of nested calls, or an error.
fn nesting(n: i64, span: Span, diags: &mut Diagnostics) -> Option<u32> {
    if (1..=8).contains(&n) {
        return u32::try_from(n).ok();
    }
    let message = format!("calls cannot be nested {n} times");
    diags.push(Diagnostic::new(&codes::WRONG_VALUE, span, message).label("expected 1 to 8"));
    None
}

/// A range that is not empty, or an error.
fn range(lo: i64, hi: i64, span: Span, diags: &mut Diagnostics) -> Option<(i64, i64)> {
    if lo <= hi {
        return Some((lo, hi));
    }
    diags.push(Diagnostic::new(&codes::EMPTY_RANGE, span, format!("the range from {lo} to {hi} is empty")));
    None
}

const IDLE: [(&str, Idle); 3] = [("always", Idle::Always), ("terminal", Idle::Terminal), ("never", Idle::Never)];
const PROFILE: [(&str, Profile); 4] =
    [("flowable", Profile::Flowable), ("spec", Profile::Spec), ("gsm", Profile::Gsm), ("egsm", Profile::Egsm)];
const EVENTS: [(&str, Events); 2] = [("consumed", Events::Consumed), ("any", Events::Any)];
const CREATION: [(&str, Creation); 2] = [("block", Creation::Block), ("overflow", Creation::Overflow)];

/// One of some words, or an error.
fn word<T: Copy>(text: &str, span: Span, words: &[(&str, T)], diags: &mut Diagnostics) -> Option<T> {
    let found = words.iter().find(|(w, _)| *w == text);
    if found.is_none() {
        let all: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
        let d = Diagnostic::new(&codes::WRONG_VALUE, span, format!("'{text}' is not one of {}", all.join(", ")));
        diags.push(d.nearest(text, all));
    }
    found.map(|(_, value)| *value)
}
