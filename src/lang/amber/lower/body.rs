//! One body per event, and refraining.

use super::Lower;
use crate::lang::amber::model::{Event, EventIx, NodeIx};
use crate::machine::{AgentIx, Assign, Body, BodyIx, Domain, ExprId, Input, Origin, Rule, TRUE, VarId};
use crate::source::{Diagnostic, Span};

/// A body under construction.
#[derive(Default)]
pub(super) struct Step {
    pub inputs: Vec<Input>,
    pub effect: Vec<Assign>,
    /// Which choices are real: the others have their first value.
    pub pins: Vec<ExprId>,
    pub rules: Vec<Rule>,
    pub finish: Vec<Assign>,
}

impl Step {
    /// A rule that sets `target` where `when` holds.
    pub(super) fn rule(&mut self, label: String, span: Span, key: usize, when: ExprId, target: VarId, value: ExprId) {
        if when != crate::machine::FALSE {
            let origin = Origin { label, span, slot: None, key: key as u32 };
            self.rules.push(Rule { origin, prerequisite: TRUE, antecedent: when, target, value });
        }
    }
}

/// The name of the step in which an actor refrains.
pub const REFRAIN: &str = "refrain";

impl Lower<'_> {
    pub(super) fn make_bodies(&mut self) -> Result<(), Diagnostic> {
        for (e, event) in self.model.events.iter().enumerate() {
            let mut step = Step::default();
            self.make_data(&event.parties, &mut step);
            self.make_parties(e, event, &mut step);
            self.make_flow(event, &mut step)?;
            let applicable = self.m.exprs.and(std::mem::take(&mut step.pins));
            let allowed = self.possible(event, true);
            let actor = event.parties.first().and_then(|&p| self.model.actor_of(p));
            let body = Body {
                event: event.name.clone(),
                target: None,
                inputs: step.inputs,
                effect: step.effect,
                applicable,
                rules: step.rules,
                finish: step.finish,
                components: Vec::new(),
            };
            self.add(body, self.agent(actor), allowed);
        }
        Ok(())
    }

    /// Every party waits, before the step or now.
    pub(super) fn possible(&mut self, event: &Event, before: bool) -> ExprId {
        let mut all = Vec::new();
        for &p in &event.parties {
            let Some(var) = self.map.triggered[p] else { continue };
            let read = if before { self.m.exprs.prev(var) } else { self.m.exprs.cur(var) };
            all.push(self.positive(var, read));
        }
        self.m.exprs.and(all)
    }

    /// The parties have happened; what they disable never will.
    fn make_parties(&mut self, e: EventIx, event: &Event, step: &mut Step) {
        for &p in &event.parties {
            if let Some(var) = self.map.triggered[p] {
                let value = self.one_less(var);
                step.effect.push(Assign { var, value });
            }
            step.effect.push(Assign { var: self.map.executed[p], value: TRUE });
        }
        if let Some(last) = self.map.last {
            let value = self.m.exprs.int(e as i64 + 1);
            step.effect.push(Assign { var: last, value });
        }
        for to in self.disabled_by(event) {
            if let (Some(triggered), Some(disabled)) = (self.map.triggered[to], self.map.disabled[to]) {
                let none = self.none_of(triggered);
                step.effect.push(Assign { var: triggered, value: none });
                step.effect.push(Assign { var: disabled, value: TRUE });
            }
        }
    }

    /// What the parties of an event disable, each once.
    pub(super) fn disabled_by(&self, event: &Event) -> Vec<NodeIx> {
        let of = self.model.disables.iter().filter(|d| event.parties.contains(&d.from));
        let mut all: Vec<NodeIx> = of.map(|d| d.to).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn none_of(&mut self, var: VarId) -> ExprId {
        if self.domain(var) == &Domain::Bool { crate::machine::FALSE } else { self.m.exprs.int(0) }
    }

    fn one_less(&mut self, var: VarId) -> ExprId {
        if self.domain(var) == &Domain::Bool {
            return crate::machine::FALSE;
        }
        let (before, one) = (self.m.exprs.prev(var), self.m.exprs.int(1));
        self.m.exprs.arith(crate::machine::ArithOp::Sub, before, one)
    }

    /// Where everything that is possible is optional, the actors of what is optional may refrain from it.
    pub(super) fn make_refraining(&mut self) {
        let model = self.model;
        let mut due = Vec::new();
        for event in model.events.iter().filter(|e| !model.is_optional(e)) {
            let possible = self.possible(event, true);
            due.push(self.m.exprs.not(possible));
        }
        let nothing_due = self.m.exprs.and(due);
        let mut who: Vec<(AgentIx, Vec<ExprId>)> = Vec::new();
        for event in model.events.iter().filter(|e| model.is_optional(e)) {
            let possible = self.possible(event, true);
            for &p in event.parties.iter().filter(|&&p| model.nodes[p].optional) {
                let agent = self.agent(model.actor_of(p));
                match who.iter_mut().find(|(a, _)| *a == agent) {
                    Some((_, list)) => list.push(possible),
                    None => who.push((agent, vec![possible])),
                }
            }
        }
        who.sort_unstable_by_key(|(agent, _)| *agent);
        if who.is_empty() {
            return;
        }
        let body = Body {
            event: REFRAIN.into(),
            target: None,
            inputs: Vec::new(),
            effect: Vec::new(),
            applicable: TRUE,
            rules: Vec::new(),
            finish: Vec::new(),
            components: Vec::new(),
        };
        let ix = BodyIx::next(&self.m.bodies);
        self.m.bodies.push(body);
        for (agent, possible) in who {
            let some = self.m.exprs.or(possible);
            let allowed = self.m.exprs.and([nothing_due, some]);
            self.m.actions.push(crate::machine::Action { agent, body: ix, allowed, updates: Vec::new() });
        }
    }
}
