//! Every rule of a step in GSM's own terms: its conditions evaluated on the model's own expressions, part by part, each against the
//! snapshot it reads. What fires is what the machine says; that the two agree is tested, never assumed.

mod moment;
mod rules;
mod words;

use super::{Gsm, RuleDef, RuleIx};
use crate::lang::cards::{Card, Refusal, Taken};
use crate::machine::{Origin, SlotIx};
use moment::{Moment, Place};

impl Gsm {
    /// A card for every rule of every created slot: first those that can matter for this event, in the order in which they ran, then
    /// the rest. `now` runs along, from Σ₁ to Σₙ.
    pub(super) fn rule_cards(&self, step: &Taken, now: &mut [i64]) -> Vec<Card> {
        let body = step.body();
        let (Some(target), Some(occurrence)) = (body.target, self.map.occurrence(step.body)) else { return Vec::new() };
        let at = Place { occurrence, target, sender: self.map.senders.get(step.body.0).copied().flatten() };
        let sequence = self.sequence(occurrence);
        let rest = RuleIx::all(&self.rules.list).filter(|r| !sequence.contains(r));
        let mut turn = 0;
        let mut cards = Vec::new();
        for (place, rule) in sequence.iter().copied().chain(rest).enumerate() {
            let def = &self.rules.list[rule];
            let slots = self.map.slots_of(def.ty);
            for slot in slots.filter(|s| now[self.map.slots[*s].created.0 as usize] != 0).collect::<Vec<_>>() {
                let same = |o: &Origin| o.key as usize == rule.0 && o.slot == Some(slot);
                let mut card = self.card(step, def, slot, at, now);
                card.fired = step.fired.iter().any(|f| same(&body.rules[*f].origin));
                if place < sequence.len() {
                    card.turn = Some(turn);
                    turn += 1;
                }
                if card.fired {
                    let (status, value) = def.effect(&self.app);
                    let var = self.map.slots[slot].status(status).0 as usize;
                    card.refused = None;
                    card.changed = now[var] != i64::from(value);
                    now[var] = i64::from(value);
                }
                cards.push(card);
            }
        }
        cards
    }

    /// A rule at its turn. Whether it fired is for the machine to say.
    fn card(&self, step: &Taken, rule: &RuleDef, slot: SlotIx, at: Place, now: &[i64]) -> Card {
        let moment = Moment::new(self, rule, slot, at, step.before, now);
        let (prerequisite, antecedent) = (moment.prerequisite(), moment.antecedent());
        let (status, value) = rule.effect(&self.app);
        Card {
            label: rule.label(&self.app),
            slot: self.machine.slots[slot].name.clone(),
            pac: Some(rule.pac()),
            place: step.sources.place(rule.span(&self.app)),
            turn: None,
            target: self.machine.var(self.map.slots[slot].status(status)).name.clone(),
            value: value.into(),
            old: (!value).into(),
            fired: false,
            changed: false,
            refused: Refusal::of(&prerequisite, &antecedent),
            prerequisite,
            antecedent,
        }
    }
}
