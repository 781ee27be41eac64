//! What one engine says about one property.

use super::{Coverage, Engine, Fact, Scope, Trace, TraceStep, Values};
use crate::logic::{Logic, Property};
use crate::machine::Question;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What an engine found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The property holds in the initial snapshot.
    True,
    /// It does not.
    False,
    /// The search was not complete.
    Unknown,
    /// The engine cannot express the property.
    Unsupported,
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    OutOfMemory,
    /// The engine is missing, failed, or said something that was not understood.
    Error,
}

impl Verdict {
    /// The verdict of a decided property.
    pub const fn of(holds: bool) -> Verdict {
        if holds { Verdict::True } else { Verdict::False }
    }

    /// `Some(holds)` when decided.
    pub const fn holds(self) -> Option<bool> {
        match self {
            Verdict::True => Some(true),
            Verdict::False => Some(false),
            _ => None,
        }
    }

    /// Its word in results.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown => "unknown",
            Verdict::Unsupported => "unsupported",
            Verdict::Timeout => "timeout",
            Verdict::OutOfMemory => "out_of_memory",
            Verdict::Error => "error",
        }
    }
}

/// One engine's answer for one property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PropertyResult {
    /// The property's name.
    pub property: String,
    /// Its formula as written.
    pub formula: String,
    /// What the author says about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What the verdict means and why it is so, in a sentence or two.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What the author expects.
    pub expect: bool,
    /// Either answer is fine, whatever `expect` says: listed, never counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub either: bool,
    /// Who answers.
    #[serde(rename = "backend")]
    pub engine: Engine,
    /// The logic the property belongs to.
    #[serde(serialize_with = "logic_name", deserialize_with = "named_logic")]
    pub logic: Logic,
    /// The answer.
    pub verdict: Verdict,
    /// It does not depend on the bounds: `overflow` is unreachable, or the trace never sets it.
    pub exact: bool,
    /// Why there is no verdict, or what is worth knowing about it.
    pub reason: Option<String>,
    /// Time spent on it.
    pub seconds: f64,
    /// A run that shows the verdict.
    pub trace: Option<Trace>,
    /// What it rests on that nobody said: guessed values of data, conditions that were not understood and hold or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// In which way the verdict says less than it seems.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuous: Vec<String>,
    /// For a coalition that can: what its members do, snapshot by snapshot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategy: Vec<StrategyMove>,
    /// With unbounded data: what the abstraction did for it.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub abstracted: Option<Abstracted>,
    /// With unbounded data, where the verdict is unknown: what that hangs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// For how many instances it holds.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// How far partial searches came that found nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// It was remembered, not asked for again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// What never comes, and why, as far as the summary needs it.
    #[serde(skip)]
    pub facts: Vec<Fact>,
}

/// What the abstraction of unbounded data did for a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abstracted {
    /// Whether the abstraction or a run decided it; null where it is open.
    pub decided_by: Option<String>,
    /// The verdict before any refinement.
    pub abstract_verdict: String,
}

impl Abstracted {
    /// Nobody decided it; `first` is the verdict before any refinement.
    pub fn open(first: Option<bool>) -> Abstracted {
        let first = first.map_or(Verdict::Unknown, Verdict::of);
        Abstracted { decided_by: None, abstract_verdict: first.name().into() }
    }

    /// The abstraction decided it.
    pub fn decided(first: Option<bool>) -> Abstracted {
        Abstracted { decided_by: Some("abstraction".into()), ..Abstracted::open(first) }
    }
}

/// A step, or a look of agents, that predicates leave open and on which a verdict hangs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// The snapshot there: what is not abstracted and differs from the initial one.
    pub snapshot: Values,
    /// What the predicates say of the data in question there.
    pub predicates: Values,
    /// Who makes the step, and which one it is; who looks makes none.
    pub action: TraceStep,
    /// Where agents look: what differs in a snapshot that may look the same to them and denies what they would know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistaken_for: Option<Values>,
    /// The predicate of which it is open whether it holds after the step; null where it is open whether the step can be made. Where agents look, one that
    /// has to do with what they see and differs; null where it is open whether the other snapshot can be reached with all that they see.
    pub predicate: Option<String>,
    /// What would decide that before the step, where it can be said without payload.
    pub depends_on: Option<String>,
    /// A shortest run that may lead to the snapshot. Its steps change predicates, too.
    pub may_run: Vec<TraceStep>,
}

/// One line of a strategy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StrategyMove {
    /// The snapshot: what differs from the initial one.
    pub snapshot: Values,
    /// Whose turn it is.
    pub agent: String,
    /// What it sends.
    pub sends: TraceStep,
}

pub(super) fn logic_name<S: Serializer>(logic: &Logic, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(logic.name())
}

pub(super) fn named_logic<'d, D: Deserializer<'d>>(d: D) -> Result<Logic, D::Error> {
    let name = String::deserialize(d)?;
    Logic::named(&name).ok_or_else(|| serde::de::Error::custom(format!("there is no logic '{name}'")))
}

impl PropertyResult {
    /// An answer that is still open: verdict `unknown`, not exact, no trace.
    pub fn open<A>(property: &Property<A>, engine: Engine) -> PropertyResult {
        PropertyResult {
            formula: property.text.clone(),
            comment: property.comment.clone(),
            expect: property.expect,
            logic: property.logic(),
            ..PropertyResult::blank(&property.name, engine)
        }
    }

    /// The same for a question about steps.
    pub fn asked(question: &Question, engine: Engine) -> PropertyResult {
        let (expect, either) = (question.expect, question.either);
        PropertyResult { expect, either, ..PropertyResult::blank(&question.name, engine) }
    }

    pub(super) fn blank(name: &str, engine: Engine) -> PropertyResult {
        PropertyResult {
            property: name.into(),
            formula: name.into(),
            comment: String::new(),
            summary: String::new(),
            expect: true,
            either: false,
            engine,
            logic: Logic::Ctl,
            verdict: Verdict::Unknown,
            exact: false,
            reason: None,
            seconds: 0.0,
            trace: None,
            assumptions: Vec::new(),
            vacuous: Vec::new(),
            strategy: Vec::new(),
            abstracted: None,
            cause: None,
            scope: None,
            coverage: None,
            cached: false,
            facts: Vec::new(),
        }
    }

    /// Decided, and not as the author expects.
    pub fn is_unexpected(&self) -> bool {
        self.verdict.holds().is_some_and(|v| v != self.expect && !self.either)
    }

    /// Decided, and as the author expects.
    pub fn is_as_expected(&self) -> bool {
        self.verdict.holds().is_some_and(|v| v == self.expect || self.either)
    }

    /// Not decided, for a reason that says nothing against what others decide: the engine cannot express it, or the abstraction of
    /// unbounded data leaves it open.
    pub fn leaves_it_to_others(&self) -> bool {
        match self.verdict {
            Verdict::Unsupported => true,
            Verdict::Unknown => self.abstracted.is_some(),
            _ => false,
        }
    }

    /// Decided, and not by a run alone: it rests on all values that there are.
    pub fn rests_on_all(&self) -> bool {
        let shown = self.trace.as_ref().is_some_and(|t| t.certified && t.rests_on.is_empty() && !t.sets_overflow());
        self.verdict.holds().is_some() && !shown
    }

    /// What the author expects, as people read it.
    pub fn expected(&self) -> &'static str {
        match (self.either, self.expect) {
            (true, _) => "any",
            (_, true) => "true",
            _ => "false",
        }
    }

    /// The word that stands for the answer in a table.
    pub fn word(&self) -> String {
        match self.verdict {
            Verdict::True | Verdict::False if !self.exact => format!("{} (bounded)", self.verdict.name()),
            Verdict::Unsupported => "n/a".into(),
            Verdict::OutOfMemory => "out of memory".into(),
            v => v.name().into(),
        }
    }

    /// The same answer with a verdict and its reason.
    pub fn because(mut self, verdict: Verdict, reason: impl Into<String>) -> PropertyResult {
        self.verdict = verdict;
        self.reason = Some(reason.into());
        self
    }

    /// The same answer, decided.
    pub fn decided(mut self, holds: bool, exact: bool) -> PropertyResult {
        self.verdict = Verdict::of(holds);
        self.exact = exact;
        self
    }
}
