//! What became of a rule at its turn, and why: the same for every language.

mod eval;
mod plain;

pub use eval::{At, Eval, Val, listed, together};
pub use plain::{condition, plain};

use crate::machine::{Body, BodyIx, Machine};
use crate::source::Sources;
use serde::Serialize;
use serde_json::Value;

/// What became of one rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// `PAC-1 Drafting/Guard1`.
    pub label: String,
    /// The slot, as `Type[1]`; empty where there is none.
    pub slot: String,
    /// In GSM, 1 to 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pac: Option<u8>,
    /// `file:line:column`.
    pub place: String,
    /// Position in the order of the rules; null for a rule that cannot fire at this event.
    pub turn: Option<usize>,
    /// The variable it writes.
    pub target: String,
    /// To this.
    pub value: Value,
    /// What it was at the rule's turn.
    #[serde(skip)]
    pub old: Value,
    /// It fired.
    pub fired: bool,
    /// It changed its target. A rule that fires after another that wrote the same does not.
    pub changed: bool,
    /// Asked first, mostly of the snapshot before the step.
    pub prerequisite: Eval,
    /// Asked at the rule's turn.
    pub antecedent: Eval,
    /// Why it did not fire.
    pub refused: Option<Refusal>,
}

/// Why a rule did not fire.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// Which side of the rule is false.
    pub because: Because,
    /// The smallest part that is false.
    pub part: Eval,
}

/// Sides of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Because {
    /// Its prerequisite, about the snapshot before.
    Prerequisite,
    /// It waits for another event.
    Event,
    /// Its condition.
    Condition,
}

impl Refusal {
    /// Why a rule with these sides does not fire; `None` when both hold.
    pub fn of(prerequisite: &Eval, antecedent: &Eval) -> Option<Refusal> {
        if !prerequisite.holds() {
            return Some(Refusal { because: Because::Prerequisite, part: prerequisite.culprit().clone() });
        }
        let part = antecedent.culprit();
        let because = if part.at == At::Event { Because::Event } else { Because::Condition };
        (!antecedent.holds()).then(|| Refusal { because, part: part.clone() })
    }
}

/// A step that was taken, as far as its rules are concerned.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// What happened.
    pub body: BodyIx,
    /// The snapshot before.
    pub before: &'a [i64],
    /// The payload.
    pub inputs: &'a [i64],
    /// Positions of the rules that fired.
    pub fired: &'a [usize],
    /// Files, for places.
    pub sources: &'a Sources,
}

impl<'a> Taken<'a> {
    /// The body.
    pub fn body(&self) -> &'a Body {
        &self.machine.bodies[self.body]
    }
}
