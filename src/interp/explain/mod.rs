//! One B-step explained: what came, what it changed at once, what every rule looked at, what fired, and why the rest did not.
//!
//! The conditions are evaluated on the model's own expressions, part by part, each against the snapshot it reads. What fires is what
//! the machine says; that the two agree is tested, never assumed. One [`Explanation`] serves the simulator, the report and
//! the explorer.

mod eval;
mod moment;
mod text;
mod why;
mod words;

pub use eval::{At, Eval, Val};
pub use text::{changes, render, render_card};
pub use why::{Answer, Refused, Why, variables};

use super::{Choice, Interp, Literal};
use crate::lang::gsm::{Application, Gsm, Map, Occurrence, RuleDef, RuleIx, Rules, Status, orders};
use crate::machine::{Body, Machine, Origin, SlotIx, VarId, walk};
use crate::source::Sources;
use crate::trace::{Values, name_choice, name_snapshot, to_json};
use moment::Moment;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A B-step explained.
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
    /// Every rule of every created slot: first those that can matter for this event, in the order in which they ran, then the rest.
    pub rules: Vec<Card>,
    /// Changes at the end: pending tasks, buffers, observers, private variables.
    pub finish: Vec<Change>,
    /// All changes, from before to after.
    pub changes: Vec<Change>,
    /// Rules that would have decided otherwise in another order, as `Type[1].PAC-2 …`.
    pub order_dependent: Vec<String>,
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

/// What became of one rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Card {
    /// `PAC-1 Drafting/Guard1`.
    pub label: String,
    /// The slot, as `Type[1]`.
    pub slot: String,
    /// 1 to 6.
    pub pac: u8,
    /// `file:line:column` of the sentry, milestone or stage.
    pub place: String,
    /// Position in the serialized order; null for a rule that cannot fire at this event.
    pub turn: Option<usize>,
    /// The status attribute it writes.
    pub target: String,
    /// To this.
    pub value: bool,
    /// It fired.
    pub fired: bool,
    /// It changed its target. A rule that fires after another that wrote the same does not.
    pub changed: bool,
    /// Asked of the snapshot before the step.
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

/// Explains the steps of a machine in terms of the application it was lowered from.
pub struct Explainer<'a> {
    app: &'a Application,
    map: &'a Map,
    interp: &'a Interp<'a>,
    sources: &'a Sources,
    rules: Rules,
    orders: FxHashMap<Occurrence, Vec<RuleIx>>,
}

impl<'a> Explainer<'a> {
    /// An explainer of an application's machine.
    pub fn new(gsm: &'a Gsm, interp: &'a Interp<'a>, sources: &'a Sources) -> Explainer<'a> {
        let app = &gsm.app;
        let rules = Rules::of(app);
        let orders = orders(app, &rules).into_iter().map(|o| (o.occurrence, o.sequence)).collect();
        Explainer { app, map: &gsm.map, interp, sources, rules, orders }
    }

    fn machine(&self) -> &'a Machine {
        self.interp.machine()
    }

    /// Explains the step that a choice makes from a snapshot; `None` when it is not possible there.
    pub fn explain(&self, before: &[i64], choice: &Choice) -> Option<Explanation> {
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
            if let Some(target) = body.target {
                let occurrence = self.map.occurrence(action.body)?;
                told.rules = self.cards(body, (occurrence, target), before, &mut now, &step.fired);
            }
            told.finish = self.changes(&now, &step.after);
            let watched = step.order.iter().filter_map(|w| body.watches.get(*w)).map(|w| &body.rules[w.rule]);
            told.order_dependent = watched.map(|r| m.rule_name(r)).collect();
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

    fn after_effect(&self, body: &Body, before: &[i64], inputs: &[i64]) -> Vec<i64> {
        let mut run = Literal::new(self.machine(), before, inputs);
        let Ok(()) = walk::in_order(&body.effect, &mut run);
        run.snapshot().to_vec()
    }

    /// A card for every rule of every created slot; `now` runs along, from Σ₁ to Σₙ.
    fn cards(
        &self,
        body: &Body,
        (occurrence, target): (Occurrence, SlotIx),
        before: &[i64],
        now: &mut [i64],
        fired: &[usize],
    ) -> Vec<Card> {
        let sequence = self.orders.get(&occurrence).map(Vec::as_slice).unwrap_or_default();
        let rest = (0..self.rules.list.len()).filter(|r| !sequence.contains(r));
        let mut turn = 0;
        let mut cards = Vec::new();
        for (place, rule) in sequence.iter().copied().chain(rest).enumerate() {
            let def = &self.rules.list[rule];
            let slots = self.map.slots_of(def.ty);
            for slot in slots.filter(|s| now[self.map.slots[*s].created.0 as usize] != 0).collect::<Vec<_>>() {
                let same = |o: &Origin| o.key as usize == rule && o.slot == Some(slot);
                let here = |f: &usize| same(&body.rules[*f].origin);
                let mut card = self.card(def, slot, occurrence, target, before, now);
                card.fired = fired.iter().any(here);
                if place < sequence.len() {
                    card.turn = Some(turn);
                    turn += 1;
                }
                let var = self.status_var(slot, def.effect(self.app).0).0 as usize;
                if card.fired {
                    card.refused = None;
                    card.changed = now[var] != i64::from(card.value);
                    now[var] = i64::from(card.value);
                }
                cards.push(card);
            }
        }
        cards
    }

    /// A rule at its turn. Whether it fired is for the machine to say.
    fn card(
        &self,
        rule: &RuleDef,
        slot: SlotIx,
        occurrence: Occurrence,
        target: SlotIx,
        before: &[i64],
        now: &[i64],
    ) -> Card {
        let moment = Moment::new(self, rule, slot, (occurrence, target), before, now);
        let (prerequisite, antecedent) = (moment.prerequisite(), moment.antecedent());
        let refused = if !prerequisite.holds() {
            Some(Refusal { because: Because::Prerequisite, part: prerequisite.culprit().clone() })
        } else if !antecedent.holds() {
            let part = antecedent.culprit().clone();
            let because = if part.at == At::Event { Because::Event } else { Because::Condition };
            Some(Refusal { because, part })
        } else {
            None
        };
        let (status, value) = rule.effect(self.app);
        let m = self.machine();
        Card {
            label: rule.label(self.app),
            slot: m.slots[slot].name.clone(),
            pac: rule.pac(),
            place: self.sources.place(rule.span(self.app)),
            turn: None,
            target: m.var(self.status_var(slot, status)).name.clone(),
            value,
            fired: false,
            changed: false,
            prerequisite,
            antecedent,
            refused,
        }
    }

    fn status_var(&self, slot: SlotIx, status: Status) -> VarId {
        self.map.slots[slot].status(status)
    }
}
