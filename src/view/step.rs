//! One B-step, micro-step by micro-step.

use super::{OtherOrder, Viewer};
use crate::explain::{Card, Change, Explanation};
use crate::interp::Choice;
use crate::machine::Snapshot;
use crate::trace::{Values, describe, path};
use serde::Serialize;

/// A B-step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// For people: `Diogenes: OnPay at CustomerOrder[1] (Amount = 3)`.
    pub title: String,
    /// The step in a path (see [`crate::trace::path`]).
    pub path: String,
    /// Who; null for the default agent and for idling.
    pub agent: Option<String>,
    /// The event; null for idling.
    pub event: Option<String>,
    /// The slot it happened to.
    pub target: Option<String>,
    /// The payload.
    pub payload: Values,
    /// All changes, from before to after.
    pub changes: Vec<Change>,
    /// The micro-steps: the event's immediate effect, every rule that fired, the end. The snapshot after a micro-step is the one
    /// before it with these changes.
    pub micro: Vec<MicroView>,
    /// Cards of the rules: first those that can matter for this event, in their order, then the rest.
    pub rules: Vec<Card>,
    /// Cards that were left out.
    pub left_out: usize,
    /// How the step ends in other orders, where it depends on the order of its rules.
    pub other_orders: Vec<OtherOrder>,
}

/// A micro-step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MicroView {
    /// What it is.
    pub what: Micro,
    /// For a rule: its position in [`StepView::rules`].
    pub rule: Option<usize>,
    /// What it changes; empty for a rule whose target was already so.
    pub changes: Vec<Change>,
}

/// Kinds of micro-step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Micro {
    /// The immediate effect of the event.
    Event,
    /// A rule that fired.
    Rule,
    /// Tasks, observers and private variables at the end.
    End,
}

/// Which rules get a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cards {
    /// Those that fired.
    Fired,
    /// Those that can fire at this event.
    Candidates,
    /// All.
    All,
}

impl Cards {
    fn wants(self, card: &Card) -> bool {
        match self {
            Cards::Fired => card.fired,
            Cards::Candidates => card.fired || card.turn.is_some(),
            Cards::All => true,
        }
    }
}

impl Viewer<'_> {
    /// The step that a choice makes from a snapshot; `None` when it is not possible there.
    pub fn step(&self, before: &Snapshot, choice: &Choice, cards: Cards) -> Option<StepView> {
        let told = self.explainer.explain(before, choice)?;
        let m = self.interp.machine();
        let step = self.interp.step(before, choice)?;
        let other_orders = if step.order.is_empty() { Vec::new() } else { self.other_orders(before, &step) };
        let (title, path) = (describe(m, choice), path::write_step(m, choice));
        Some(StepView { title, path, other_orders, ..StepView::of(told, cards) })
    }
}

impl StepView {
    /// An explanation cut into micro-steps.
    fn of(told: Explanation, cards: Cards) -> StepView {
        let all = told.rules.len();
        let rules: Vec<Card> = told.rules.into_iter().filter(|c| cards.wants(c)).collect();
        let mut micro = Vec::new();
        let mut part = |what, rule, changes| micro.push(MicroView { what, rule, changes });
        if told.event.is_some() {
            part(Micro::Event, None, told.immediate);
        }
        for (position, card) in rules.iter().enumerate().filter(|(_, c)| c.fired) {
            let change = Change { name: card.target.clone(), old: card.old.clone(), new: card.value.clone() };
            part(Micro::Rule, Some(position), if card.changed { vec![change] } else { Vec::new() });
        }
        if !told.finish.is_empty() {
            part(Micro::End, None, told.finish);
        }
        StepView {
            title: String::new(),
            path: String::new(),
            agent: told.agent,
            event: told.event,
            target: told.target,
            payload: told.payload,
            changes: told.changes,
            micro,
            left_out: all - rules.len(),
            rules,
            other_orders: Vec::new(),
        }
    }
}
