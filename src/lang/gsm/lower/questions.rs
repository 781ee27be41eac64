//! Standard questions about steps: does every guard fire, is every event consumed, does the order of rules matter, is there a dead
//! end before an instance was finished?

use super::Lower;
use crate::lang::gsm::{Occurrence, RuleDef, top_milestones};
use crate::lang::properties::standard_name;
use crate::machine::{Ask, Body, BodyIx, ExprId, Question, SlotIx, Steps};

impl Lower<'_> {
    pub(super) fn make_questions(&mut self) {
        let unfinished = self.unfinished();
        let guards = self.rules.list.iter().enumerate().filter(|(_, r)| r.pac() == 1);
        let mut all: Vec<Question> = guards.map(|(key, rule)| self.fires(key, rule)).collect();
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

    /// Can this guard fire?
    fn fires(&self, key: usize, rule: &RuleDef) -> Question {
        let guard = rule.label(self.app);
        let name = format!("guard-fires({}.{})", self.app.types[rule.ty].id, guard.trim_start_matches("PAC-1 "));
        let mut steps = Vec::new();
        for (body, b) in self.bodies() {
            let same = b.rules.iter().enumerate().filter(|(_, r)| r.origin.key as usize == key);
            steps.extend(same.map(|(rule, _)| Steps { body, rule: Some(rule) }));
        }
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
            None => {
                let steps = self.bodies().filter(|(_, b)| b.event == event).map(|(body, _)| Steps { body, rule: None });
                Ask::Some(steps.collect())
            }
        };
        Question { name: format!("event-consumed({event})"), expect: true, either: false, span: None, ask }
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
