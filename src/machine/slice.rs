//! What some questions need of a machine: the variables that they depend on, and what is done to those.
//!
//! The rest stays where it is and is never written, so that variables, rules and choices keep their numbers. Whether a step exists
//! depends on nothing that is left out; so runs of the slice and of the machine are the same choices, with the same values of what is kept.

use super::{Ask, Assign, ExprId, FALSE, Machine, Node, Question, Valid, VarId, validate};
use crate::logic::{Formula, Property};
use std::collections::BTreeSet;

/// What depends on what in a machine.
pub struct Influence<'m> {
    m: &'m Machine,
    /// Per variable: what its values are made of.
    on: Vec<BTreeSet<VarId>>,
    /// What every question needs: whether there are steps, and whether room runs out.
    steps: BTreeSet<VarId>,
}

/// The variables of a machine that are still written in a slice of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept(BTreeSet<VarId>);

impl<'m> Influence<'m> {
    /// Looks at everything that is written.
    pub fn of(m: &'m Machine) -> Influence<'m> {
        let mut on = vec![BTreeSet::new(); m.vars.len()];
        let mut written = |var: VarId, by: &[ExprId]| by.iter().for_each(|e| reads(m, *e, &mut on[var.0 as usize]));
        for body in &m.bodies {
            body.effect.iter().chain(&body.finish).for_each(|a| written(a.var, &[a.value]));
            body.rules.iter().for_each(|r| written(r.target, &[r.prerequisite, r.antecedent, r.value]));
        }
        m.actions.iter().flat_map(|a| &a.updates).for_each(|a| written(a.var, &[a.value]));
        let mut steps = BTreeSet::from([m.overflow]);
        let conditions = m.actions.iter().map(|a| a.allowed).chain(m.bodies.iter().map(|b| b.applicable));
        conditions.for_each(|e| reads(m, e, &mut steps));
        Influence { m, on, steps }
    }

    /// What a property needs: everything, where it speaks of strategies or of the knowledge of those who see all.
    pub fn on_property(&self, p: &Property<ExprId>) -> Kept {
        let m = self.m;
        let (mut needed, mut all) = (self.steps.clone(), false);
        for f in p.fair.iter().chain([&p.formula]).chain(p.doubts.iter().map(|d| &d.formula)) {
            f.atoms(&mut |e| reads(m, *e, &mut needed));
            f.walk(&mut |part| all |= matches!(part, Formula::Can(..)));
            for agent in f.knowers().into_iter().filter_map(|a| m.agents.get(a.0)) {
                all |= agent.sees_all;
                needed.extend(agent.private.iter().chain(agent.views.iter().flat_map(|v| &v.seen)));
                agent.views.iter().for_each(|v| reads(m, v.visible, &mut needed));
            }
        }
        if all { Kept(m.var_ids().collect()) } else { self.closed(needed) }
    }

    /// What questions about steps need: the conditions of the rules that they ask for; all of a body's rules, where their order may matter.
    pub fn on_questions<'q>(&self, questions: impl Iterator<Item = &'q Question>) -> Kept {
        let m = self.m;
        let mut needed = self.steps.clone();
        for question in questions {
            let rules: Vec<_> = match &question.ask {
                Ask::Some(steps) | Ask::None(steps) => {
                    steps.iter().filter_map(|s| m.bodies.get(s.body.0)?.rules.get(s.rule?)).collect()
                }
                Ask::OrderIndependent => {
                    m.bodies.iter().filter(|b| !b.components.is_empty()).flat_map(|b| &b.rules).collect()
                }
                Ask::Reach(e) | Ask::Never(e) | Ask::NoDeadEnd(e) => {
                    reads(m, *e, &mut needed);
                    Vec::new()
                }
            };
            for rule in rules {
                needed.insert(rule.target);
                [rule.prerequisite, rule.antecedent].iter().for_each(|e| reads(m, *e, &mut needed));
            }
        }
        self.closed(needed)
    }

    /// With everything that decides what is needed.
    fn closed(&self, needed: BTreeSet<VarId>) -> Kept {
        let (mut all, mut todo) = (needed.clone(), Vec::from_iter(needed));
        while let Some(var) = todo.pop() {
            let more = self.on[var.0 as usize].iter().copied();
            todo.extend(more.filter(|v| all.insert(*v)));
        }
        Kept(all)
    }
}

impl Kept {
    /// Bits of a snapshot, without what is left out.
    pub fn bits(&self, m: &Machine) -> u32 {
        m.state_ids().filter(|v| self.0.contains(v)).map(|v| m.var(v).domain.bits()).sum()
    }

    /// The machine without what is left out, for some of its properties and questions.
    pub fn of(&self, m: &Machine, properties: &[Property<ExprId>], questions: &[Question]) -> Option<Valid> {
        let mut slice = m.clone();
        (slice.properties, slice.questions) = (properties.to_vec(), questions.to_vec());
        if !questions.iter().any(|q| q.ask == Ask::OrderIndependent) {
            slice.bodies.iter_mut().for_each(|b| b.components.clear());
            slice.cyclic = false;
        }
        let is_kept = |a: &Assign| self.0.contains(&a.var);
        for body in &mut slice.bodies {
            body.effect.retain(is_kept);
            body.finish.retain(is_kept);
            for rule in body.rules.iter_mut().filter(|r| !self.0.contains(&r.target)) {
                rule.antecedent = FALSE;
            }
        }
        slice.actions.iter_mut().for_each(|a| a.updates.retain(is_kept));
        validate(slice).ok()
    }
}

fn reads(m: &Machine, e: ExprId, into: &mut BTreeSet<VarId>) {
    m.exprs.leaves(e, &mut |leaf| {
        if let Node::Prev(v) | Node::Cur(v) = leaf {
            into.insert(*v);
        }
    });
}
