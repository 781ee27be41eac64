//! Standard questions about steps: does every guard fire, is every event consumed, does the order of rules matter, is there a dead
//! end before an instance was finished?

use super::Lower;
use crate::lang::gsm::{Occurrence, RuleDef, top_milestones};
use crate::lang::properties::standard_name;
use crate::machine::{Ask, Body, BodyIx, ExprId, Question, Rule, SlotIx, Steps};
use std::collections::HashMap;

impl Lower<'_> {
    pub(super) fn make_questions(&mut self) {
        let unfinished = self.unfinished();
        let guards = self.rules.list.iter().enumerate().filter(|(_, r)| r.pac() == 1);
        let mut firing = self.firing();
        let fires = |(key, rule)| self.fires(rule, firing.remove(&key).unwrap_or_default());
        let mut all: Vec<Question> = guards.map(fires).collect();
        let app = self.app;
        let incoming = |o: &Occurrence| !matches!(o, Occurrence::Event(e) if app.events[*e].outgoing);
        all.extend(Occurrence::all(app).into_iter().filter(incoming).map(|o| self.consumed(o)));
        let named = |name: &str| standard_name(name.into(), &self.m.properties);
        let sound = |name: &str, ask: Ask| Question { name: named(name), expect: true, either: false, span: None, ask };
        all.push(sound("order-independent", Ask::OrderIndependent));
        all.push(sound("no-early-dead-end", Ask::NoDeadEnd(unfinished)));
        self.m.questions = all;
    }

    fn bodies(&self) -> impl Iterator<Item = (BodyIx, &Body)> {
        BodyIx::each(&self.m.bodies)
    }

    /// The steps in which rules fire, by rule of the model.
    fn firing(&self) -> HashMap<usize, Vec<Steps>> {
        let mut all: HashMap<usize, Vec<Steps>> = HashMap::new();
        for (body, b) in self.bodies() {
            for (rule, r) in b.rules.iter().enumerate() {
                all.entry(r.origin.key as usize).or_default().push(Steps { body, rule: Some(rule) });
            }
        }
        all
    }

    /// Can this guard fire?
    fn fires(&self, rule: &RuleDef, steps: Vec<Steps>) -> Question {
        let guard = rule.label(self.app);
        let name = format!("guard-fires({}.{})", self.app.types[rule.ty].id, guard.trim_start_matches("PAC-1 "));
        Question { name, expect: true, either: false, span: None, ask: Ask::Some(steps) }
    }

    /// Can this event be consumed? What a task creates need not be created by anybody else: there only has to be an instance.
    fn consumed(&mut self, what: Occurrence) -> Question {
        let event = what.name(self.app);
        let created = match what {
            Occurrence::Event(e) => self.app.events[e].creates.filter(|ty| self.app.created_by_task(*ty)),
            Occurrence::TaskDone(..) => None,
        };
        let ask = match created {
            Some(ty) => {
                let flags: Vec<_> = self.slots(ty).into_iter().map(|s| self.map.slots[s].created).collect();
                let there: Vec<ExprId> = flags.into_iter().map(|v| self.m.exprs.cur(v)).collect();
                Ask::Reach(self.m.exprs.or(there))
            }
            None => Ask::Some(self.consuming(what)),
        };
        Question { name: format!("event-consumed({event})"), expect: true, either: false, span: None, ask }
    }

    /// The steps that consume an occurrence: those with an event in which a rule fires that names it, at the slot where it occurs, or any
    /// rule where none names it; a creation and a completion are consumed where they happen.
    fn consuming(&self, what: Occurrence) -> Vec<Steps> {
        let bodies = || self.bodies().zip(&self.map.occurrences);
        let event = match what {
            Occurrence::Event(event) if self.app.events[event].creates.is_none() => event,
            _ => {
                let here = bodies().filter(|(_, o)| **o == what);
                return here.map(|((body, _), _)| Steps { body, rule: None }).collect();
            }
        };
        let here = bodies().filter(|(_, o)| o.includes(self.app, event)).map(|(body, _)| body);
        let names_it = |rule: &RuleDef| rule.sentry(self.app).is_some_and(|g| g.named_events().contains(&event));
        let named: Vec<bool> = self.rules.list.iter().map(names_it).collect();
        let any = !named.contains(&true);
        let consumes =
            |b: &Body, r: &Rule| any || named.get(r.origin.key as usize) == Some(&true) && r.origin.slot == b.target;
        let in_body = |(body, b): (BodyIx, &Body)| -> Vec<Steps> {
            let rules = b.rules.iter().enumerate().filter(|(_, r)| consumes(b, r));
            rules.map(|(rule, _)| Steps { body, rule: Some(rule) }).collect()
        };
        here.flat_map(in_body).collect()
    }

    /// Some instance exists and none of its top-level milestones is achieved.
    fn unfinished(&mut self) -> ExprId {
        let mut parts = Vec::new();
        for slot in SlotIx::all(&self.m.slots) {
            let ends: Vec<_> = top_milestones(&self.app.types[self.map.slots[slot].ty]).collect();
            if ends.is_empty() {
                continue;
            }
            let ended: Vec<ExprId> =
                ends.iter().map(|m| self.m.exprs.cur(self.map.slots[slot].milestones[m.0])).collect();
            let some = self.m.exprs.or(ended);
            let none = self.m.exprs.not(some);
            let created = self.m.exprs.cur(self.map.slots[slot].created);
            parts.push(self.m.exprs.and([created, none]));
        }
        self.m.exprs.or(parts)
    }
}
