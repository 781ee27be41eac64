//! The trace that people and programs see.

use crate::machine::number::Ratio;
use crate::machine::{Domain, code};
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// What a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// That the property holds.
    Witness,
    /// That it fails.
    Counterexample,
    /// Nothing: a run of the simulator.
    Run,
}

/// A run in GSM names. With `n` steps it has snapshots 0 (the initial one) to `n`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// What it shows.
    pub kind: Kind,
    /// It was replayed on the interpreter, and the formula's path condition was checked on it.
    pub certified: bool,
    /// `false` where a shorter run may show the same; nothing is said where it is a shortest one, or not a matter of length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// A lasso: `steps[loop_start..]` repeats for ever; the last snapshot is snapshot `loop_start` again.
    pub loop_start: Option<usize>,
    /// Parts of the formula that no single path can show, with the snapshot they are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// What decides the formula, and where: the failing conjunct of an `AG` at the last step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Reason>,
    /// The initial snapshot, by variable name.
    #[serde(default)]
    pub initial: Values,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// For knowledge that fails: runs to snapshots that cannot be told apart from one of this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Side>,
}

impl Trace {
    /// What stands for a trace that did not replay: nothing is shown of it.
    pub fn uncertified() -> Trace {
        let kind = Kind::Counterexample;
        let (initial, steps, sides) = (Values::new(), Vec::new(), Vec::new());
        let (rests_on, because) = (Vec::new(), Vec::new());
        Trace { kind, certified: false, shortest: None, loop_start: None, rests_on, because, initial, steps, sides }
    }
}

/// A part of the formula with its value in a snapshot of the run, as far as it decides the formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// The snapshot.
    pub at: usize,
    /// The part, in the spelling of property files.
    pub part: String,
    /// Its value.
    pub holds: bool,
    /// It keeps this value for the rest of the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub throughout: bool,
    /// For a comparison: the values in it.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub values: Values,
}

/// Values by name, in variable order.
pub type Values = Map<String, serde_json::Value>;

/// Another run, whose last snapshot looks the same to some agents as snapshot `at` of the main run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Snapshot of the main run.
    pub at: usize,
    /// The agents.
    pub agents: Vec<String>,
    /// What differs between the two snapshots: the values in the side run's last one.
    pub differs: Values,
    /// Its steps.
    pub steps: Vec<TraceStep>,
    /// And so on, for common knowledge: snapshots that look the same as one of the side run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Side>,
}

/// One B-step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceStep {
    /// Who sent the event; null for the default agent and for idling.
    pub agent: Option<String>,
    /// The event (`done <task>` for a task's completion); null for idling.
    pub event: Option<String>,
    /// The slot it happened to, as `Type[1]`.
    pub target: Option<String>,
    /// Payload fields with their values.
    #[serde(default)]
    pub payload: Values,
    /// Rules that fired, in order: `PAC-1 Drafting/Guard1`, with the slot in front (`Type[2].PAC-1 …`) when it is not the target.
    #[serde(default)]
    pub rules: Vec<String>,
    /// Variables that changed, with their new values.
    #[serde(default)]
    pub changes: Values,
}

/// A coded value as JSON: Booleans and numbers as themselves, everything else as text.
pub fn to_json(domain: &Domain, code: i64) -> serde_json::Value {
    match domain {
        Domain::Bool => (code != 0).into(),
        // Not everybody who reads JSON knows larger numbers exactly.
        Domain::Int { .. } if code.unsigned_abs() <= 1 << 53 => code.into(),
        // As many digits as everybody keeps.
        Domain::Points(_) => {
            let text = domain.show(code);
            let number = (text.len() <= 15).then(|| text.parse::<serde_json::Number>().ok()).flatten();
            number.map_or_else(|| text.into(), serde_json::Value::Number)
        }
        _ => domain.show(code).into(),
    }
}

/// An exact number as a value of its domain; one that is too large for a number of JSON is a text.
pub fn exact_json(domain: &Domain, n: &Ratio) -> serde_json::Value {
    to_json(domain, code::of(n))
}

/// The code of what [`to_json`] wrote.
pub fn from_json(domain: &Domain, value: &serde_json::Value) -> Option<i64> {
    use serde_json::Value as V;
    match (domain, value) {
        (Domain::Bool, V::Bool(b)) => Some(i64::from(*b)),
        (Domain::Int { .. } | Domain::Real { .. } | Domain::Points(_), V::Number(n)) => domain.read(&n.to_string()),
        (_, V::String(text)) => domain.read(text),
        _ => None,
    }
}
