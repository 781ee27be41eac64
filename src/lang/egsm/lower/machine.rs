//! The machine of a model, or of what some questions need of it.

use super::point::{Cause, Op};
use super::slice::{Slice, slice};
use super::vars::{Role, Turn};
use super::{Bodies, MoveBody};
use crate::lang::egsm::literal::Move;
use crate::lang::egsm::model::{Kind, Model};
use crate::machine::{
    Action, AgentIx, Assign, Body, BodyIx, Domain, ExprId, Exprs, FALSE, Idle, Input, Leaf, Machine, MachineAgent,
    Origin, Rule, TRUE, Var, VarId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A machine and what its variables and rules stand for.
#[derive(Clone, Debug)]
pub struct Built {
    /// The machine, without properties and questions.
    pub machine: Machine,
    /// Handles by role.
    pub handles: BTreeMap<Role, VarId>,
    /// What each rule does, by its key.
    pub causes: Vec<(Cause, Role)>,
    /// The variables that were to be there beside those of the model.
    pub more: Vec<VarId>,
}

/// Every variable of the snapshot: all states, compliances, faults, sentries that are no function of the rest, items.
pub fn whole(model: &Model, b: &Bodies) -> BTreeSet<Role> {
    let stages = (0..model.stages.len()).flat_map(|s| [Role::State(s), Role::Compliance(s), Role::Faulty(s)]);
    let sentries = (0..model.sentries.len()).filter(|x| !b.derived.contains(x)).map(Role::Sentry);
    stages.chain(sentries).chain((0..model.items.len()).map(Role::Item)).collect()
}

/// Builds the machine in which `wanted` and `more` are part of the snapshot and changes of `watched` can be asked for. Anybody makes any move.
pub fn build(model: &Model, b: &Bodies, wanted: &BTreeSet<Role>, watched: &BTreeSet<Role>, more: &[Var]) -> Built {
    let slice = slice(b, wanted, watched);
    let (exprs, vars, names, handles, keys) = Default::default();
    let mut builder = Builder { model, b, slice, exprs, vars, names, handles, keys };
    let more = builder.declare(watched, more);
    let mut causes = Vec::new();
    let bodies: Vec<Body> = (0..b.moves.len()).map(|m| builder.body(m, &mut causes)).collect();
    let actions = BodyIx::all(&bodies)
        .map(|body| Action { agent: AgentIx(0), body, allowed: TRUE, updates: Vec::new() })
        .collect();
    let Builder { exprs, vars, handles, .. } = builder;
    let agent = || MachineAgent { name: None, private: Vec::new(), sees_all: true, views: Vec::new() };
    let auto = MachineAgent { name: Some(crate::lang::egsm::AUTO_AGENT.into()), ..agent() };
    let overflow = handles.get(&Role::Unstable).copied().unwrap_or(VarId(0));
    let machine = Machine {
        name: model.name.clone(),
        vars,
        exprs,
        slots: Vec::new(),
        agents: vec![agent(), auto],
        bodies,
        actions,
        idle: Idle::Always,
        overflow,
        properties: Vec::new(),
        questions: Vec::new(),
        bounds: Vec::new(),
        left_out: Vec::new(),
        cyclic: false,
    };
    Built { machine, handles, causes, more }
}

/// What a variable is called.
pub fn name(model: &Model, role: Role) -> String {
    let stage = |s: usize| &model.stages[s].id;
    match role {
        Role::State(s) => format!("{}.state", stage(s)),
        Role::Compliance(s) => format!("{}.compliance", stage(s)),
        Role::Faulty(s) => format!("{}.faulty", stage(s)),
        Role::Sentry(x) => model.sentries[x].id.clone(),
        Role::Item(i) => format!("{}.status", model.items[i].id),
        Role::Last(turn, s) => {
            let word = match turn {
                Turn::Opens => "opens",
                Turn::Completes => "completes",
                Turn::OutOfOrder => "turns_outOfOrder",
                Turn::Skipped => "turns_skipped",
                Turn::Faulty => "turns_faulty",
            };
            format!("{word}({})", stage(s))
        }
        Role::LastGuard(x) => format!("fires({})", model.sentries[x].id),
        Role::Unstable => "unstable".into(),
        Role::Condition(n) => format!("when{n}"),
    }
}

/// The values of a variable.
pub fn domain(model: &Model, role: Role) -> Domain {
    let words = |list: &[&str], bottom| Domain::Enum { values: list.iter().map(|w| (*w).into()).collect(), bottom };
    match role {
        Role::State(_) => words(&["unopened", "opened", "closed"], false),
        Role::Compliance(_) => words(&["onTime", "outOfOrder", "skipped"], false),
        Role::Item(i) => Domain::Enum { values: model.items[i].values.clone(), bottom: true },
        _ => Domain::Bool,
    }
}

struct Builder<'a> {
    model: &'a Model,
    b: &'a Bodies,
    slice: Slice,
    exprs: Exprs,
    vars: Vec<Var>,
    /// What variables are called.
    names: BTreeSet<String>,
    handles: BTreeMap<Role, VarId>,
    /// Where a cause is among the causes.
    keys: FxHashMap<(Cause, Role), usize>,
}

impl Builder<'_> {
    fn declare(&mut self, watched: &BTreeSet<Role>, more: &[Var]) -> Vec<VarId> {
        for role in self.slice.state.clone() {
            self.var(role, false);
        }
        let first = self.vars.len() as u32;
        self.names.extend(more.iter().map(|v| v.name.clone()));
        self.vars.extend_from_slice(more);
        let mut scratch: BTreeSet<Role> = watched.iter().copied().filter(|r| !self.slice.state.contains(r)).collect();
        for (body, kept) in self.b.moves.iter().zip(&self.slice.kept) {
            let written = body.ops.iter().zip(kept).filter(|(_, k)| **k).map(|(op, _)| self.b.vars.role(op.target));
            scratch.extend(written.filter(|r| !self.slice.state.contains(r)));
        }
        for body in &self.slice.recalled {
            scratch.extend(body.iter().map(|v| self.b.vars.role(*v)).filter(|r| !self.slice.state.contains(r)));
        }
        scratch.into_iter().for_each(|role| self.var(role, true));
        (first..first + more.len() as u32).map(VarId).collect()
    }

    fn var(&mut self, role: Role, scratch: bool) {
        let mut called = name(self.model, role);
        while !self.names.insert(called.clone()) {
            called.push('\'');
        }
        let init = if scratch { 0 } else { self.b.initial.get(self.b.vars.id(role).0 as usize).copied().unwrap_or(0) };
        self.handles.insert(role, VarId(self.vars.len() as u32));
        self.vars.push(Var { name: called, domain: domain(self.model, role), init, scratch, slot: None });
    }

    fn body(&mut self, at: usize, causes: &mut Vec<(Cause, Role)>) -> Body {
        let body = &self.b.moves[at];
        let mut memo = Memo::default();
        let mut effect = Vec::new();
        for (x, e) in &body.recall {
            if self.slice.recalled[at].contains(&self.b.vars.id(Role::Sentry(*x))) {
                let value = self.copy(*e, &mut memo, false);
                self.assign(Role::Sentry(*x), value, &mut effect);
            }
        }
        let last: Vec<Role> = self.slice.state.iter().copied().filter(is_last).collect();
        last.into_iter().for_each(|role| self.assign(role, FALSE, &mut effect));
        let (event, inputs) = self.what(body, &mut effect);
        let mut rules = Vec::new();
        for (n, op) in body.ops.iter().enumerate() {
            if self.slice.kept[at][n] {
                rules.extend(self.rule(op, &mut memo, causes));
            }
        }
        let mut before = Memo::default();
        let applicable = self.copy(body.possible, &mut before, true);
        Body { event, target: None, inputs, effect, applicable, rules, finish: Vec::new(), components: Vec::new() }
    }

    fn what(&mut self, body: &MoveBody, effect: &mut Vec<Assign>) -> (String, Vec<Input>) {
        match body.what {
            Move::Event(e) => (self.model.events[e].id.clone(), Vec::new()),
            Move::Item(i, code) => {
                let value = self.exprs.int(code);
                self.assign(Role::Item(i), value, effect);
                let domain = domain(self.model, Role::Item(i));
                (
                    self.model.items[i].id.clone(),
                    vec![Input { name: "status".into(), domain, values: vec![code].into() }],
                )
            }
        }
    }

    fn assign(&mut self, role: Role, value: ExprId, into: &mut Vec<Assign>) {
        into.extend(self.handles.get(&role).map(|var| Assign { var: *var, value }));
    }

    fn rule(&mut self, op: &Op, memo: &mut Memo, causes: &mut Vec<(Cause, Role)>) -> Option<Rule> {
        let role = self.b.vars.role(op.target);
        let target = *self.handles.get(&role)?;
        let pair = (op.cause, role);
        let key = *self.keys.entry(pair).or_insert(causes.len());
        if key == causes.len() {
            causes.push(pair);
        }
        let span = match op.cause {
            Cause::Sentry(x) => self.model.sentries[x].span,
            Cause::Open(s) | Cause::Reopen(s) | Cause::Close(s) | Cause::Fault(s) | Cause::Violate(s) => {
                self.model.stages[s].span
            }
            Cause::Skip(s, _) | Cause::Clear(s) => self.model.stages[s].span,
            Cause::Condition | Cause::Note | Cause::Unstable => self.model.stages.first().map(|s| s.span)?,
        };
        let origin = Origin { label: self.label(op.cause, role), span, slot: None, key: key as u32 };
        let antecedent = self.copy(op.guard, memo, false);
        let value = self.copy(op.value, memo, false);
        Some(Rule { origin, prerequisite: TRUE, antecedent, target, value })
    }

    fn label(&self, cause: Cause, role: Role) -> String {
        let stage = |s: usize| &self.model.stages[s].id;
        match cause {
            // It keeps the books of the calls, and is nothing to tell.
            Cause::Condition => String::new(),
            Cause::Sentry(x) => {
                let sentry = &self.model.sentries[x];
                let kind = match sentry.kind {
                    Kind::Guard => "guard",
                    Kind::Flow => "flow guard",
                    Kind::Fault => "fault logger",
                    Kind::Milestone => "milestone",
                };
                format!("{kind} {}", sentry.id)
            }
            Cause::Open(s) => format!("{} opens", stage(s)),
            Cause::Reopen(s) => format!("{} opens again", stage(s)),
            Cause::Close(s) => format!("{} closes", stage(s)),
            Cause::Fault(s) => format!("{} turns faulty", stage(s)),
            Cause::Violate(s) => format!("{} is out of order", stage(s)),
            Cause::Skip(s, by) => format!("{} is skipped by {}", stage(s), stage(by)),
            Cause::Clear(s) => format!("{} is forgotten", stage(s)),
            Cause::Note => format!("noted: {}", name(self.model, role)),
            Cause::Unstable => "rules do not settle".into(),
        }
    }

    /// An expression over this machine's variables. What the slice leaves out is never written, so it stays false.
    fn copy(&mut self, e: ExprId, memo: &mut Memo, before: bool) -> ExprId {
        let (b, handles) = (self.b, &self.handles);
        self.exprs.import(&b.exprs, e, memo, &mut |exprs, leaf| match leaf {
            Leaf::Prev(v) | Leaf::Cur(v) => match handles.get(&b.vars.role(v)) {
                Some(var) if before => exprs.prev(*var),
                Some(var) => exprs.cur(*var),
                None => FALSE,
            },
            Leaf::Input(_) => exprs.leaf(leaf),
        })
    }
}

/// What was copied already.
type Memo = FxHashMap<ExprId, ExprId>;

fn is_last(role: &Role) -> bool {
    matches!(role, Role::Last(..) | Role::LastGuard(_))
}
