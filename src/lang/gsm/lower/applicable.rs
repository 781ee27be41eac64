//! When an event can happen at a slot.

use super::Lower;
use super::body::{Happening, Known, Trigger};
use crate::lang::gsm::{Events, Occurrence};
use crate::machine::{Assign, BodyIx, CompareOp, Domain, ExprId, FALSE, Leaf, SlotIx, VarId};

impl Lower<'_> {
    /// May it happen at the slot? A creation: the slot is the lowest free one. A completion: the task is pending. A message: it is
    /// pending, and the slot a receiver. Another event: the
    /// instance is there, and some rule of whatever instance is ready for it; with `events = "any"` what it has to change is up to
    /// the action, since its sender may remember it.
    pub(super) fn applicable(&mut self, body: &Happening, slot: SlotIx, known: &Known) -> ExprId {
        let created = self.map.slots[slot].created;
        match body.trigger.occurrence {
            Occurrence::TaskDone(_, task) => match body.trigger.sender {
                Some(sender) => self.deliverable(task, sender, slot),
                None => self.m.exprs.prev(self.map.slots[slot].pending[task.0]),
            },
            Occurrence::Event(e) if self.app.events[e].creates.is_some() => {
                let slots = self.slots(self.map.slots[slot].ty);
                let lower: Vec<VarId> =
                    slots.into_iter().take_while(|s| *s != slot).map(|s| self.map.slots[s].created).collect();
                let taken = self.all_prev(lower);
                let here = self.m.exprs.prev(created);
                let free = self.m.exprs.not(here);
                self.m.exprs.and([taken, free])
            }
            Occurrence::Event(_) => {
                let there = self.m.exprs.prev(created);
                match self.app.options.events {
                    Events::Any => there,
                    Events::Consumed => {
                        let ready = self.ready(body, known);
                        self.m.exprs.and([there, ready])
                    }
                }
            }
        }
    }

    /// Some rule that opens a stage or changes a milestone, of whatever slot, fires first after the immediate effect.
    fn ready(&mut self, body: &Happening, known: &Known) -> ExprId {
        let Some(ground) = self.ground(body.trigger.occurrence) else { return FALSE };
        let undisturbed = ground.undisturbed(body.trigger, known, |v| self.m.var(v).slot);
        let mut parts = Vec::new();
        for slot in SlotIx::all(&self.m.slots) {
            if undisturbed[slot.0] {
                parts.push(ground.ready_at_rest[slot.0]);
                continue;
            }
            for &turn in &ground.of_slot[slot.0] {
                let g = &ground.rules[turn];
                let rule = self.rules.list[g.rule];
                if rule.sentry(self.app).is_some() {
                    let antecedent =
                        if body.trigger.concerns(slot) { self.antecedent(&rule, slot, body) } else { g.antecedent };
                    let both = self.m.exprs.and([g.prerequisite, antecedent]);
                    let both = known.simplify(&mut self.m.exprs, both);
                    if !self.settled[g.rule.0] || both != self.at_rest(g) {
                        parts.push(both);
                    }
                }
            }
        }
        let some = self.m.exprs.or(parts);
        self.after_effect(some, &body.effect)
    }

    /// What a body and its sender's updates change anything in, over the snapshot before the step and the payload. Where no rule is
    /// ready, the step ends as it began but for the immediate effect.
    pub(super) fn changes(&mut self, body: BodyIx, updates: &[Assign]) -> ExprId {
        let now = self.m.bodies[body].clone();
        let trigger =
            Trigger { sender: self.map.senders[body.0], ..Trigger::at(self.map.occurrences[body.0], now.target) };
        let mut parts = Vec::new();
        for a in now.effect.iter().chain(&now.finish).chain(updates) {
            let value = self.after_effect(a.value, &now.effect);
            parts.push(self.differs(a.var, value));
        }
        let mut known = Known::default();
        known.effect(&now.effect, &self.m.exprs);
        parts.push(self.ready(&Happening { trigger, body: now, carried: Vec::new() }, &known));
        self.m.exprs.or(parts)
    }

    /// A value is another than the variable has before the step.
    fn differs(&mut self, var: VarId, value: ExprId) -> ExprId {
        let before = self.m.exprs.prev(var);
        let same = match self.m.var(var).domain {
            Domain::Bool => self.m.exprs.iff(before, value),
            _ => self.m.exprs.compare(CompareOp::Eq, before, value),
        };
        self.m.exprs.not(same)
    }

    /// An expression over `Cur` = Σ₁ as one over the snapshot before the step and the payload.
    fn after_effect(&mut self, e: ExprId, effect: &[Assign]) -> ExprId {
        self.m.exprs.map_leaves(e, &mut |exprs, leaf| match leaf {
            Leaf::Cur(v) => match effect.iter().find(|a| a.var == v) {
                Some(a) => a.value,
                None => exprs.prev(v),
            },
            Leaf::Prev(_) | Leaf::Input(_) => exprs.leaf(leaf),
        })
    }
}
