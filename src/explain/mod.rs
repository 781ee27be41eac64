//! One step explained: what came, what it changed at once, what every rule looked at, what fired, and why the rest did not.
//!
//! The language says what became of each rule ([`Card`]); one [`Explanation`] serves the simulator ([`session`]), the report and the
//! explorer.

pub mod session;
mod text;
mod typed;
mod why;

pub use crate::lang::cards::{At, Because, Card, Eval, Refusal, Val};
pub use text::{changes, render, render_card};
pub use why::{Answer, Refused, Why, variables};

use crate::interp::{Choice, Interp, Literal};
use crate::lang::Lens;
use crate::lang::cards::Taken;
use crate::machine::{Body, Machine, Snapshot, VarId, walk};
use crate::source::Sources;
use crate::trace::{OrderDependence, Values, name_choice, name_snapshot, to_json};
use serde::Serialize;

/// A step explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// Who; null for the default agent and for idling.
    pub agent: Option<String>,
    /// The event; null for idling.
    pub event: Option<String>,
    /// The slot it happened to.
    pub target: Option<String>,
    /// The payload.
    pub payload: Values,
    /// The snapshot before, by name.
    pub before: Values,
    /// The snapshot after, by name.
    pub after: Values,
    /// Changes by the immediate effect.
    pub immediate: Vec<Change>,
    /// The rules: first those that can matter for this event, in the order in which they ran, then the rest.
    pub rules: Vec<Card>,
    /// Changes at the end, when all rules have had their turn.
    pub finish: Vec<Change>,
    /// All changes, from before to after.
    pub changes: Vec<Change>,
    /// Where the order of the rules matters.
    pub order_dependent: Vec<OrderDependence>,
}

/// A variable with its old and new value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// Before.
    pub old: serde_json::Value,
    /// After.
    pub new: serde_json::Value,
}

/// Explains the steps of a machine in terms of the model it was lowered from.
pub struct Explainer<'a> {
    lens: &'a dyn Lens,
    interp: &'a Interp<'a>,
    sources: &'a Sources,
}

impl<'a> Explainer<'a> {
    /// An explainer of a model's machine.
    pub fn new(lens: &'a dyn Lens, interp: &'a Interp<'a>, sources: &'a Sources) -> Explainer<'a> {
        Explainer { lens, interp, sources }
    }

    /// What one can ask about, beside events.
    pub fn things(&self) -> &'static [&'static str] {
        self.lens.things()
    }

    /// What the model names and one can ask about, beside variables and events.
    pub fn names(&self) -> Vec<String> {
        self.lens.names()
    }

    /// Is a variable nothing to ask about?
    pub fn is_internal(&self, var: VarId) -> bool {
        self.lens.is_internal(var)
    }

    /// Where what a variable stands for is, and what it waits for, if the language says it.
    pub fn why_so(&self, var: VarId, snapshot: &[i64]) -> Option<String> {
        self.lens.why_so(var, snapshot)
    }

    fn machine(&self) -> &'a Machine {
        self.interp.machine()
    }

    /// Explains the step that a choice makes from a snapshot; `None` when it is not possible there.
    pub fn explain(&self, before: &Snapshot, choice: &Choice) -> Option<Explanation> {
        let step = self.interp.step(before, choice)?;
        let m = self.machine();
        let named = name_choice(m, choice);
        let mut told = Explanation {
            agent: named.agent,
            event: named.event,
            target: named.target,
            payload: named.payload,
            before: name_snapshot(m, before),
            after: name_snapshot(m, &step.after),
            immediate: Vec::new(),
            rules: Vec::new(),
            finish: Vec::new(),
            changes: self.changes(before, &step.after),
            order_dependent: Vec::new(),
        };
        if let Choice::Act { action, inputs } = choice {
            let action = m.actions.get(*action)?;
            let body = m.body(action);
            let mut now = self.after_effect(body, before, inputs);
            told.immediate = self.changes(before, &now);
            let (fired, sources) = (step.fired.as_slice(), self.sources);
            let taken = Taken { machine: m, body: action.body, before, inputs, fired, sources };
            told.rules = self.lens.cards(&taken, &mut now);
            told.finish = self.changes(&now, &step.after);
            let depends = |c: &usize| OrderDependence::of(self.interp, before, &step, *c);
            told.order_dependent = step.order.iter().filter_map(depends).collect();
        }
        Some(told)
    }

    fn changes(&self, before: &[i64], after: &[i64]) -> Vec<Change> {
        let all = self.machine().vars.iter().zip(before.iter().zip(after));
        all.filter(|(_, (b, a))| b != a)
            .map(|(v, (b, a))| Change {
                name: v.name.clone(),
                old: to_json(&v.domain, *b),
                new: to_json(&v.domain, *a),
            })
            .collect()
    }

    /// All values after the immediate effect, scratch variables included.
    fn after_effect(&self, body: &Body, before: &Snapshot, inputs: &[i64]) -> Vec<i64> {
        let mut run = Literal::new(self.machine(), before, inputs);
        let Ok(()) = walk::in_order(&body.effect, &mut run);
        run.values().to_vec()
    }
}
