//! A machine laid out as flat programs, body by body: the walk through a step is done once, here, and not at every step.

use super::stretch::{Stretch, Stretches, keeps_books};
use super::{Code, Program};
use crate::machine::walk::{self, Executor};
use crate::machine::{Body, BodyIx, Domain, ExprId, Node, Ranges, Rule, TRUE, Valid, VarId, interval};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// One thing done in a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// A variable gets a value.
    Set(u32, Code),
    /// The turn of the rule at a position.
    Rule(u32, CompiledRule),
    /// The step exists only where this holds.
    Require(Code),
    /// All rules have had their turn: look whether their order mattered.
    Components,
    /// A value is put aside.
    Keep(Code),
    /// A variable gets the value put aside at a position.
    SetKept(u32, u32),
    /// Unless a variable is true, the stretch at a position is passed over.
    Unless(u32, u32),
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompiledRule {
    pub prerequisite: Code,
    pub antecedent: Code,
    pub target: u32,
    pub value: Code,
}

/// What happens.
#[derive(Clone, Debug, Default)]
pub(super) struct CompiledBody {
    /// Sendable values, input by input.
    pub values: Vec<Ranges>,
    pub ops: Vec<Op>,
    pub rules: Vec<CompiledRule>,
    /// What may be passed over.
    pub stretches: Vec<Stretch>,
    /// Per component and rule of it, those whose change it may read.
    pub reads: Vec<BTreeMap<usize, Vec<usize>>>,
    /// Conditions that can be asked before the immediate effect, with the number of inputs that must be known.
    early: Vec<(usize, Code)>,
}

/// Who makes it happen.
#[derive(Clone, Debug)]
pub(super) struct CompiledAction {
    pub body: BodyIx,
    /// Conditions that can be asked before the immediate effect, by the number of inputs that must be known.
    pub early: Vec<Vec<Code>>,
    pub updates: Vec<Op>,
}

/// Compiles all bodies and actions.
pub(super) fn compile(machine: &Valid) -> (Program, Vec<CompiledBody>, Vec<CompiledAction>) {
    let mut program = Program::default();
    let mut bodies = Vec::new();
    for body in &machine.bodies {
        let mut c = Compiler::new(machine, body, &mut program);
        let Ok(_) = walk::body(body, &mut c);
        bodies.push(c.done);
    }
    let mut actions = Vec::new();
    for action in &machine.actions {
        let body = machine.body(action);
        let mut c = Compiler::new(machine, body, &mut program);
        let Ok(_) = c.require(action.allowed);
        let Ok(_) = walk::updates(&machine.exprs, action, &mut c);
        let mut early = vec![Vec::new(); body.inputs.len() + 1];
        for (needs, code) in c.done.early.iter().chain(&bodies[action.body.0].early) {
            early[*needs].push(*code);
        }
        actions.push(CompiledAction { body: action.body, early, updates: c.done.ops });
    }
    (program, bodies, actions)
}

/// Lays out one body, or one action's updates.
struct Compiler<'a> {
    machine: &'a Valid,
    body: &'a Body,
    program: &'a mut Program,
    done: CompiledBody,
    kept: u32,
    stretches: Stretches,
    /// Some data has no bounds.
    exact: bool,
}

/// A value: to be computed when it is used, or put aside.
enum Value {
    Code(Code),
    Kept(u32),
}

impl<'a> Compiler<'a> {
    fn new(machine: &'a Valid, body: &'a Body, program: &'a mut Program) -> Compiler<'a> {
        let exact = !machine.is_bounded();
        let values = body.inputs.iter().map(|i| i.values.clone()).collect();
        let (done, stretches) = (CompiledBody { values, ..Default::default() }, Stretches::default());
        Compiler { machine, body, program, done, kept: 0, stretches, exact }
    }

    fn code(&mut self, e: ExprId) -> Code {
        self.program.compile(&self.machine.exprs, e)
    }

    /// Code whose value is in the variable's domain.
    fn fitting(&mut self, e: ExprId, var: VarId) -> Code {
        let domain = &self.machine.var(var).domain;
        let (lo, hi) = domain.bounds();
        if matches!(domain, Domain::Text { .. }) {
            return self.code(e);
        }
        let (least, most) = interval(&self.machine.vars, &self.machine.exprs, &self.body.inputs, e);
        // Of what has no bounds an interval says little.
        if least >= lo && most <= hi && !self.exact {
            return self.code(e);
        }
        self.program.compile_within(&self.machine.exprs, e, (lo, hi))
    }

    /// The inputs that must be known before a condition can be asked, and whether it waits for the immediate effect.
    fn needs(&self, condition: ExprId) -> (usize, bool) {
        let (mut needs, mut waits) = (0, false);
        let written = |v: &VarId| self.body.effect.iter().any(|a| a.var == *v);
        self.machine.exprs.leaves(condition, &mut |leaf| match leaf {
            Node::Input(i) => needs = needs.max(i.0 + 1),
            Node::Cur(v) => waits |= written(v) || self.machine.var(*v).scratch,
            _ => {}
        });
        (needs, waits)
    }
}

impl Executor for Compiler<'_> {
    type Value = Value;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<Value, Infallible> {
        Ok(Value::Code(self.fitting(e, var)))
    }

    fn set(&mut self, var: VarId, value: Value) -> Result<(), Infallible> {
        self.done.ops.push(match value {
            Value::Code(code) => Op::Set(var.0, code),
            Value::Kept(at) => Op::SetKept(var.0, at),
        });
        Ok(())
    }

    fn keep(&mut self, value: Value) -> Result<Value, Infallible> {
        let Value::Code(code) = value else { return Ok(value) };
        self.done.ops.push(Op::Keep(code));
        self.kept += 1;
        Ok(Value::Kept(self.kept - 1))
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Infallible> {
        let parts = match self.machine.exprs.node(condition) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![condition],
        };
        for part in parts {
            let (needs, waits) = self.needs(part);
            let code = self.code(part);
            if waits { self.done.ops.push(Op::Require(code)) } else { self.done.early.push((needs, code)) }
        }
        Ok(true)
    }

    fn rule(&mut self, position: usize, rule: &Rule) -> Result<(), Infallible> {
        let compiled = CompiledRule {
            prerequisite: self.code(rule.prerequisite),
            antecedent: self.code(rule.antecedent),
            target: rule.target.0,
            value: self.fitting(rule.value, rule.target),
        };
        self.done.rules.push(compiled);
        let keeps_books = keeps_books(self.machine, self.body, rule);
        let when = if keeps_books { rule.value } else { rule.antecedent };
        self.stretches.go_on(&self.machine.exprs, when, self.done.ops.len());
        if keeps_books {
            self.done.ops.push(Op::Set(rule.target.0, compiled.value));
            let unless = self.stretches.begin(rule.target, self.done.ops.len());
            self.done.ops.push(unless);
        } else {
            self.done.ops.push(Op::Rule(position as u32, compiled));
        }
        Ok(())
    }

    fn ruled(&mut self, body: &Body) -> Result<(), Infallible> {
        self.stretches.go_on(&self.machine.exprs, TRUE, self.done.ops.len());
        self.done.stretches = std::mem::take(&mut self.stretches.done);
        if !body.components.is_empty() {
            self.done.ops.push(Op::Components);
            self.done.reads = body.components.iter().map(|c| c.read(self.machine, &body.rules)).collect();
        }
        Ok(())
    }
}
