//! From agents to actions of the machine: who may make which move, what is remembered, who sees what.

use super::agents::{Agent, Entry, Reported, Value};
use super::atoms::Fact;
use super::literal::Move;
use super::lower::{Bodies, Built, Role};
use super::model::Model;
use crate::machine::{
    Action, AgentIx, Assign, BodyIx, CompareOp, Domain, ExprId, Exprs, FALSE, Idle, MachineAgent, Var, VarId, View,
};
use std::collections::BTreeMap;

/// Who acts, and may everybody do nothing?
#[derive(Clone, Debug)]
pub struct Acting {
    /// `None`: anybody makes any move.
    pub agents: Option<Vec<Agent>>,
    /// When the system may do nothing.
    pub idle: Idle,
}

impl Default for Acting {
    fn default() -> Acting {
        Acting { agents: None, idle: Idle::Always }
    }
}

impl Acting {
    /// The agents that there are.
    pub fn agents(&self) -> &[Agent] {
        self.agents.as_deref().unwrap_or_default()
    }

    /// The private variables of all agents, one agent after the other.
    pub(super) fn variables(&self) -> Vec<Var> {
        let of = |a: &Agent| -> Vec<Var> {
            let var = |v: &crate::lang::gsm::PrivateVar| Var {
                name: format!("{}.{}", a.name, v.name),
                domain: v.domain.clone(),
                init: v.init,
                scratch: false,
                slot: None,
            };
            a.vars.iter().map(var).collect()
        };
        self.agents().iter().flat_map(of).collect()
    }

    /// Gives a machine its agents, with what they see and do.
    pub(super) fn equip(&self, built: &mut Built, model: &Model, bodies: &Bodies) {
        built.machine.idle = self.idle;
        let Some(agents) = &self.agents else { return };
        let auto = built.machine.agents.pop();
        built.machine.agents.clear();
        built.machine.actions.clear();
        let private = by_agent(agents, &built.more);
        for (a, agent) in agents.iter().enumerate() {
            let mut ground = Ground::new(&mut built.machine.exprs, &built.machine.vars, &built.handles, &private);
            let visible = ground.fact(&agent.window);
            let mut seen: Vec<VarId> = agent.seen.iter().filter_map(|r| built.handles.get(r).copied()).collect();
            seen.sort_unstable();
            let views = vec![View { name: model.component.clone(), visible, seen }];
            let name = Some(agent.name.clone());
            built.machine.agents.push(MachineAgent { name, private: private[a].clone(), sees_all: false, views });
            for entry in &agent.entries {
                let moves = bodies.moves.iter().enumerate().filter(|(_, m)| reports(entry.what, m.what));
                for (body, m) in moves {
                    let ground = Ground::new(&mut built.machine.exprs, &built.machine.vars, &built.handles, &private);
                    let action = ground.action(AgentIx(a), agent, entry, BodyIx(body), m.what);
                    built.machine.actions.extend(action);
                }
            }
        }
        built.machine.agents.extend(auto);
    }
}

fn by_agent(agents: &[Agent], all: &[VarId]) -> Vec<Vec<VarId>> {
    let mut rest = all.iter().copied();
    agents.iter().map(|a| rest.by_ref().take(a.vars.len()).collect()).collect()
}

fn reports(what: Reported, made: Move) -> bool {
    match (what, made) {
        (Reported::Event(e), Move::Event(made)) => e == made,
        (Reported::Item(i), Move::Item(made, _)) => i == made,
        _ => false,
    }
}

/// Makes facts about the model expressions of the machine.
pub(super) struct Ground<'a> {
    pub exprs: &'a mut Exprs,
    vars: &'a [Var],
    handles: &'a BTreeMap<Role, VarId>,
    /// Private variables, agent by agent.
    private: &'a [Vec<VarId>],
    /// Of the snapshot before the step?
    before: bool,
    /// The value that the item of a move gets.
    given: Option<i64>,
}

impl<'a> Ground<'a> {
    pub fn new(
        exprs: &'a mut Exprs,
        vars: &'a [Var],
        handles: &'a BTreeMap<Role, VarId>,
        private: &'a [Vec<VarId>],
    ) -> Ground<'a> {
        Ground { exprs, vars, handles, private, before: false, given: None }
    }

    fn action(mut self, by: AgentIx, agent: &Agent, entry: &Entry, body: BodyIx, what: Move) -> Option<Action> {
        self.before = true;
        if let Move::Item(_, code) = what {
            self.given = Some(code);
        }
        let parts = [self.fact(&agent.window), self.fact(&entry.condition)];
        let allowed = self.exprs.and(parts);
        let mut updates = Vec::new();
        for (v, value) in &entry.updates {
            let value = match value {
                Value::Code(code) => self.exprs.int(*code),
                Value::Whether(fact) => self.fact(fact),
            };
            updates.extend(self.private.get(by.0).and_then(|p| p.get(*v)).map(|var| Assign { var: *var, value }));
        }
        (allowed != FALSE).then_some(Action { agent: by, body, allowed, updates })
    }

    fn has(&mut self, var: VarId, code: i64) -> ExprId {
        let is_flag = self.vars.get(var.0 as usize).is_none_or(|v| v.domain == Domain::Bool);
        let value = if self.before { self.exprs.prev(var) } else { self.exprs.cur(var) };
        if is_flag {
            return if code == 0 { self.exprs.not(value) } else { value };
        }
        let code = self.exprs.int(code);
        self.exprs.compare(CompareOp::Eq, value, code)
    }

    /// A fact as an expression.
    pub fn fact(&mut self, fact: &Fact) -> ExprId {
        match fact {
            Fact::Const(b) => self.exprs.bool(*b),
            Fact::Has(role, code) => match self.handles.get(role) {
                Some(var) => self.has(*var, *code),
                None => self.exprs.bool(false),
            },
            Fact::Private(a, v, code) => match self.private.get(*a).and_then(|p| p.get(*v)) {
                Some(var) => self.has(*var, *code),
                None => self.exprs.bool(false),
            },
            Fact::Given(code) => self.exprs.bool(self.given == Some(*code)),
            Fact::Not(a) => {
                let a = self.fact(a);
                self.exprs.not(a)
            }
            Fact::And(parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|p| self.fact(p)).collect();
                self.exprs.and(parts)
            }
            Fact::Or(parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|p| self.fact(p)).collect();
                self.exprs.or(parts)
            }
            Fact::Iff(a, b) => {
                let (a, b) = (self.fact(a), self.fact(b));
                self.exprs.iff(a, b)
            }
        }
    }
}
