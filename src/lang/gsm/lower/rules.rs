//! The rules of a body: which can fire there, in their order, with what they ask at their turn.

use super::Lower;
use super::body::{Happening, Known};
use super::expr::Scope;
use super::ground::{Agenda, Asked, GroundRule, Next};
use crate::lang::gsm::{Order, RuleDef, RuleIx, RuleKind, Status, own_attributes};
use crate::machine::{Component, ExprId, FALSE, Rule, SlotIx, VarId};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

impl Lower<'_> {
    pub(super) fn prerequisite(&mut self, rule: &RuleDef, slot: SlotIx) -> ExprId {
        let mut parts = Vec::new();
        for (status, value) in rule.prerequisite(self.app) {
            let before = self.m.exprs.prev(self.status(slot, status));
            parts.push(if value { before } else { self.m.exprs.not(before) });
        }
        if let RuleKind::Open(..) = rule.kind {
            // Every other rule asks for a status that only a created slot can have.
            parts.push(self.m.exprs.cur(self.map.slots[slot].created));
        }
        self.m.exprs.and(parts)
    }

    pub(super) fn antecedent(&mut self, rule: &RuleDef, slot: SlotIx, body: &Happening) -> ExprId {
        let app = self.app;
        let t = &app.types[rule.ty];
        match rule.kind {
            RuleKind::Open(..) | RuleKind::Achieve(..) | RuleKind::Invalidate(..) => {
                let Some(guard) = rule.sentry(app) else { return FALSE };
                let own = own_attributes(app, rule);
                let scope = Scope { this: Some(slot), own: &own, trigger: Some(body.trigger), ..Scope::default() };
                let sentry = self.sentry(&guard.sentry, &scope);
                match (rule.kind, t.stages[rule.stage(app)].parent) {
                    (RuleKind::Open(..), Some(parent)) => {
                        let open = self.m.exprs.cur(self.map.slots[slot].stages[parent.0]);
                        self.m.exprs.and([sentry, open])
                    }
                    _ => sentry,
                }
            }
            RuleKind::Reset(m) => self.rose(slot, Status::Stage(t.milestones[m].stage)),
            RuleKind::Close(m) => self.rose(slot, Status::Milestone(m)),
            RuleKind::CloseWith { ancestor, .. } => {
                let milestones = t.stages[ancestor].milestones.clone();
                let parts: Vec<ExprId> =
                    milestones.into_iter().map(|m| self.rose(slot, Status::Milestone(m))).collect();
                self.m.exprs.or(parts)
            }
        }
    }

    /// False before the step and true now.
    fn rose(&mut self, slot: SlotIx, status: Status) -> ExprId {
        let var = self.status(slot, status);
        let (before, now) = (self.m.exprs.prev(var), self.m.exprs.cur(var));
        let off = self.m.exprs.not(before);
        self.m.exprs.and([off, now])
    }

    /// The rules that can matter, in order, each simplified by what can have been written before its turn.
    pub(super) fn rules(&mut self, body: &mut Happening, known: &mut Known) {
        let Some(ground) = self.ground(body.trigger.occurrence) else { return };
        let mut turns = Vec::new();
        let mut agenda = Agenda::new(&ground, body.trigger, known, |v| self.m.var(v).slot);
        while let Some(next) = agenda.next() {
            let asked = match next {
                Next::Asked(asked) => Some(asked),
                Next::Look(turn) => self.asked(body, known, turn, &ground.rules[turn]),
            };
            let Some(asks) = asked else { continue };
            let Asked { turn, prerequisite, antecedent } = asks;
            let g = &ground.rules[turn];
            if self.is_idle(&asks, g) {
                continue;
            }
            let (_, value) = self.rules.list[g.rule].effect(self.app);
            if known.written.insert(g.target) {
                agenda.written(turn);
            }
            known.now.remove(&g.target);
            turns.push(turn);
            let value = self.m.exprs.bool(value);
            body.rules.push(Rule { origin: g.origin.clone(), prerequisite, antecedent, target: g.target, value });
        }
        let place: FxHashMap<(RuleIx, SlotIx), usize> = turns
            .iter()
            .enumerate()
            .map(|(at, turn)| ((ground.rules[*turn].rule, ground.rules[*turn].slot), at))
            .collect();
        for cycle in &ground.order.cycles {
            body.components.extend(self.components(&ground.order, cycle, &place));
        }
    }

    /// What a rule asks at its turn in a body; nothing when it cannot fire.
    fn asked(&mut self, body: &Happening, known: &Known, turn: usize, g: &GroundRule) -> Option<Asked> {
        if !body.trigger.concerns(g.slot) {
            return known.asked(&mut self.m.exprs, turn, g);
        }
        let antecedent = self.antecedent(&self.rules.list[g.rule].clone(), g.slot, body);
        known.asked_with(&mut self.m.exprs, turn, g, antecedent)
    }

    /// What the rules at the other ends of dropped edges into a ground rule write.
    pub(super) fn written_late(&self, order: &Order, rule: RuleIx, slot: SlotIx) -> Vec<VarId> {
        let mut vars = Vec::new();
        for edge in order.edges.iter().filter(|e| e.dropped && e.to == rule) {
            let (status, _) = self.rules.list[edge.from].effect(self.app);
            let slots = self.slots(self.rules.list[edge.from].ty).into_iter();
            vars.extend(slots.filter(|from| edge.related != (*from == slot)).map(|from| self.status(from, status)));
        }
        vars
    }

    /// The ground rules of a cycle that wait for each other: those that edges join, where some edge had to be dropped.
    fn components(
        &self,
        order: &Order,
        cycle: &[RuleIx],
        place: &FxHashMap<(RuleIx, SlotIx), usize>,
    ) -> Vec<Component> {
        let mut joined = UnionFind::new(place.len());
        let (mut dropped, mut unseen, mut members) = (Vec::new(), Vec::new(), BTreeSet::new());
        for edge in order.edges.iter().filter(|e| cycle.contains(&e.from) && cycle.contains(&e.to)) {
            for from in self.slots(self.rules.list[edge.from].ty) {
                let Some(&source) = place.get(&(edge.from, from)) else { continue };
                for to in self.slots(self.rules.list[edge.to].ty).into_iter().filter(|to| edge.related != (from == *to))
                {
                    let Some(&at) = place.get(&(edge.to, to)) else { continue };
                    joined.union(source, at);
                    members.extend([source, at]);
                    dropped.extend(edge.dropped.then_some(at));
                    unseen.extend(edge.reversed.then_some((source, at)));
                }
            }
        }
        let mut components: BTreeMap<usize, Component> = BTreeMap::new();
        for rule in members.into_iter().filter(|r| dropped.iter().any(|d| joined.equiv(*d, *r))) {
            let component = components.entry(joined.find(rule)).or_insert_with(|| {
                let unseen = unseen.iter().copied().filter(|(reader, _)| joined.equiv(*reader, rule)).collect();
                Component { rules: Vec::new(), unseen }
            });
            component.rules.push(rule);
        }
        components.into_values().collect()
    }
}
