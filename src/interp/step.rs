//! Choices in a snapshot, and one B-step.
//!
//! Choices come in a fixed order: actions as the machine lists them, payload values ascending with the first input slowest,
//! idling last. So a position in that order names a choice for good.

use super::{Code, Env, Layout, Program};
use crate::answer::Choice;
use crate::machine::Idle;
use crate::machine::{Assign, Body, ExprId, Node, Valid, VarId, Watch};

/// One B-step that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was chosen.
    pub choice: Choice,
    /// Positions in the body's rules of those that fired, in order.
    pub fired: Vec<usize>,
    /// Positions in the body's watches of those that say: this depends on the rule order.
    pub order: Vec<usize>,
    /// The snapshot after, one code per variable.
    pub after: Vec<i64>,
    /// The step set the overflow flag.
    pub overflow: bool,
}

/// A B-step as [`Interp::each_step`] shows it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The action; `None` for idling.
    pub action: Option<usize>,
    /// Payload codes.
    pub inputs: &'a [i64],
    /// Positions of the rules that fired.
    pub fired: &'a [usize],
    /// Positions of the watches that say: depends on the order.
    pub order: &'a [usize],
    /// The snapshot after.
    pub after: &'a [i64],
}

impl Seen<'_> {
    /// The choice behind it.
    pub fn choice(&self) -> Choice {
        match self.action {
            Some(action) => Choice::Act { action, inputs: self.inputs.to_vec() },
            None => Choice::Idle,
        }
    }
}

/// Buffers that steps work in; reuse one for many steps.
#[derive(Clone, Debug, Default)]
pub struct Work {
    cur: Vec<i64>,
    inputs: Vec<i64>,
    fired: Vec<usize>,
    order: Vec<usize>,
}

/// The interpreter of a machine.
#[derive(Clone, Debug)]
pub struct Interp<'m> {
    machine: &'m Valid,
    layout: Layout,
    program: Program,
    bodies: Vec<Compiled>,
    actions: Vec<CompiledAction>,
}

#[derive(Clone, Debug)]
struct Compiled {
    values: Vec<Vec<i64>>,
    effect: Vec<(usize, Code)>,
    rules: Vec<CompiledRule>,
    finish: Vec<(usize, Code)>,
}

#[derive(Clone, Copy, Debug)]
struct CompiledRule {
    prerequisite: Code,
    antecedent: Code,
    target: usize,
    value: i64,
}

#[derive(Clone, Debug)]
struct CompiledAction {
    body: usize,
    /// Conditions that can be asked before the immediate effect, by the number of inputs that must be known.
    early: Vec<Vec<Code>>,
    /// Conditions on Σ₁.
    late: Vec<Code>,
    updates: Vec<(usize, Code)>,
}

impl<'m> Interp<'m> {
    /// Compiles a machine.
    pub fn new(machine: &'m Valid) -> Interp<'m> {
        let mut program = Program::default();
        let mut code = |id| program.compile(&machine.exprs, id);
        let mut assigns = |list: &[Assign]| list.iter().map(|a| (a.var.0 as usize, code(a.value))).collect::<Vec<_>>();
        let mut bodies = Vec::new();
        for body in &machine.bodies {
            bodies.push(Compiled {
                values: body.inputs.iter().map(|i| i.values.clone()).collect(),
                effect: assigns(&body.effect),
                rules: Vec::new(),
                finish: assigns(&body.finish),
            });
        }
        let updates: Vec<_> = machine.actions.iter().map(|a| assigns(&a.updates)).collect();
        for (body, compiled) in machine.bodies.iter().zip(&mut bodies) {
            let rule = |r: &crate::machine::Rule| CompiledRule {
                prerequisite: program.compile(&machine.exprs, r.prerequisite),
                antecedent: program.compile(&machine.exprs, r.antecedent),
                target: r.target.0 as usize,
                value: i64::from(r.value),
            };
            compiled.rules = body.rules.iter().map(rule).collect();
        }
        let mut actions = Vec::new();
        for (action, updates) in machine.actions.iter().zip(updates) {
            let body = machine.body(action);
            let (early, late) = conditions(machine, body, action.allowed, &mut program);
            actions.push(CompiledAction { body: action.body, early, late, updates });
        }
        Interp { machine, layout: Layout::of(machine), program, bodies, actions }
    }

    /// The machine.
    pub fn machine(&self) -> &'m Valid {
        self.machine
    }

    /// How its snapshots are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The initial snapshot.
    pub fn initial(&self) -> Vec<i64> {
        self.machine.vars.iter().map(|v| v.init).collect()
    }

    /// Value of an expression about one snapshot (windows, atoms of formulas).
    pub fn value(&self, expr: ExprId, snapshot: &[i64]) -> i64 {
        self.machine.exprs.eval(expr, &|leaf| match leaf {
            Node::Prev(v) | Node::Cur(v) => snapshot.get(v.0 as usize).copied().unwrap_or(0),
            _ => 0,
        })
    }

    /// Does a Boolean expression about one snapshot hold?
    pub fn holds(&self, expr: ExprId, snapshot: &[i64]) -> bool {
        self.value(expr, snapshot) != 0
    }

    /// Everything that may happen in a snapshot.
    pub fn choices(&self, snapshot: &[i64]) -> Vec<Choice> {
        let mut all = Vec::new();
        self.each_step(snapshot, &mut Work::default(), &mut |seen| all.push(seen.choice()));
        all
    }

    /// Takes one step; `None` when the choice is not possible in this snapshot.
    pub fn step(&self, snapshot: &[i64], choice: &Choice) -> Option<Step> {
        let mut work = Work::default();
        if snapshot.len() != self.layout.vars() {
            return None;
        }
        let after = match choice {
            Choice::Idle => {
                if !self.may_idle(snapshot) {
                    return None;
                }
                snapshot.to_vec()
            }
            Choice::Act { action, inputs } => {
                let act = self.actions.get(*action)?;
                let values = &self.bodies[act.body].values;
                if inputs.len() != values.len() || !inputs.iter().zip(values).all(|(i, v)| v.contains(i)) {
                    return None;
                }
                work.inputs.clone_from(inputs);
                let env = Env { prev: snapshot, cur: snapshot, inputs };
                let early = act.early.iter().flatten().all(|c| self.program.holds(*c, env));
                if !early || !self.run(act, snapshot, &mut work) {
                    return None;
                }
                work.cur
            }
        };
        let flag = self.machine.overflow.0 as usize;
        let overflow = snapshot[flag] == 0 && after[flag] != 0;
        Some(Step { choice: choice.clone(), fired: work.fired, order: work.order, after, overflow })
    }

    /// Takes every possible step from a snapshot, in the order of the choices.
    pub fn each_step(&self, prev: &[i64], work: &mut Work, visit: &mut dyn FnMut(Seen)) {
        let mut any = false;
        for (index, action) in self.actions.iter().enumerate() {
            work.inputs.clear();
            self.extend(index, action, prev, work, &mut |seen| {
                any = true;
                visit(seen);
            });
        }
        let idles = match self.machine.idle {
            Idle::Always => true,
            Idle::Terminal => !any,
            Idle::Never => false,
        };
        if idles {
            visit(Seen { action: None, inputs: &[], fired: &[], order: &[], after: prev });
        }
    }

    fn may_idle(&self, snapshot: &[i64]) -> bool {
        match self.machine.idle {
            Idle::Always => true,
            Idle::Never => false,
            Idle::Terminal => self.is_terminal(snapshot),
        }
    }

    /// Can nobody act here?
    pub fn is_terminal(&self, snapshot: &[i64]) -> bool {
        !self.choices(snapshot).iter().any(|c| matches!(c, Choice::Act { .. }))
    }

    /// Chooses the next input, asking each condition as soon as its inputs are known; with all chosen, takes the step.
    fn extend(
        &self,
        index: usize,
        action: &CompiledAction,
        prev: &[i64],
        work: &mut Work,
        visit: &mut dyn FnMut(Seen),
    ) {
        let known = work.inputs.len();
        let env = Env { prev, cur: prev, inputs: &work.inputs };
        if !action.early[known].iter().all(|c| self.program.holds(*c, env)) {
            return;
        }
        let Some(values) = self.bodies[action.body].values.get(known) else {
            if self.run(action, prev, work) {
                let Work { cur, inputs, fired, order } = work;
                visit(Seen { action: Some(index), inputs, fired, order, after: cur });
            }
            return;
        };
        for &value in values {
            work.inputs.push(value);
            self.extend(index, action, prev, work, visit);
            work.inputs.pop();
        }
    }

    /// Effect, conditions on Σ₁, rules, finish, updates. `false` when the step does not exist.
    fn run(&self, action: &CompiledAction, prev: &[i64], work: &mut Work) -> bool {
        let body = &self.bodies[action.body];
        let Work { cur, inputs, fired, order } = work;
        cur.clear();
        cur.extend_from_slice(prev);
        self.assign(&body.effect, prev, cur, inputs);
        if !action.late.iter().all(|c| self.program.holds(*c, Env { prev, cur, inputs })) {
            return false;
        }
        fired.clear();
        for (position, rule) in body.rules.iter().enumerate() {
            let env = Env { prev, cur, inputs };
            if self.program.holds(rule.prerequisite, env) && self.program.holds(rule.antecedent, env) {
                cur[rule.target] = rule.value;
                fired.push(position);
            }
        }
        order.clear();
        if !self.machine.bodies[action.body].watches.is_empty() {
            self.watch(action.body, Ran { prev, inputs, fired, end: cur }, order);
        }
        self.assign(&body.finish, prev, cur, inputs);
        self.assign(&action.updates, prev, cur, inputs);
        true
    }

    fn assign(&self, list: &[(usize, Code)], prev: &[i64], cur: &mut [i64], inputs: &[i64]) {
        for &(var, code) in list {
            cur[var] = self.program.value(code, Env { prev, cur, inputs });
        }
    }

    /// Which watches say that the step depends on the order?
    fn watch(&self, body: usize, ran: Ran, found: &mut Vec<usize>) {
        let rules = &self.bodies[body].rules;
        for (position, watch) in self.machine.bodies[body].watches.iter().enumerate() {
            if !watch.sources.iter().any(|s| ran.fired.contains(s)) {
                continue;
            }
            let rule = rules[watch.rule];
            let cur = self.at_turn_but_late(body, ran, watch);
            let env = Env { prev: ran.prev, cur: &cur, inputs: ran.inputs };
            if !self.program.holds(rule.prerequisite, env) {
                continue;
            }
            let same = |f: &usize| {
                let other = rules[*f];
                *f != watch.rule && other.target == rule.target && other.value == rule.value
            };
            let matters = match (ran.fired.contains(&watch.rule), self.program.holds(rule.antecedent, env)) {
                (false, true) => ran.end[rule.target] != rule.value,
                (true, false) => !ran.fired.iter().any(same),
                _ => false,
            };
            if matters {
                found.push(position);
            }
        }
    }

    /// The snapshot at the turn of a watched rule, but with what is written late taken from Σₙ.
    fn at_turn_but_late(&self, body: usize, ran: Ran, watch: &Watch) -> Vec<i64> {
        let mut cur = ran.prev.to_vec();
        self.assign(&self.bodies[body].effect, ran.prev, &mut cur, ran.inputs);
        for &f in ran.fired.iter().filter(|f| **f < watch.rule) {
            let earlier = self.bodies[body].rules[f];
            cur[earlier.target] = earlier.value;
        }
        for var in &watch.vars {
            cur[var.0 as usize] = ran.end[var.0 as usize];
        }
        cur
    }
}

/// The rules of a body after they ran.
#[derive(Clone, Copy)]
struct Ran<'a> {
    prev: &'a [i64],
    inputs: &'a [i64],
    fired: &'a [usize],
    /// Σₙ.
    end: &'a [i64],
}

/// The conditions of an action, conjunct by conjunct: those that can be asked before the immediate effect (they read nothing that
/// it writes), by the number of inputs they need, and those on Σ₁.
fn conditions(machine: &Valid, body: &Body, allowed: ExprId, program: &mut Program) -> (Vec<Vec<Code>>, Vec<Code>) {
    let mut early = vec![Vec::new(); body.inputs.len() + 1];
    let mut late = Vec::new();
    let written = |v: &VarId| body.effect.iter().any(|a| a.var == *v);
    for part in conjuncts(machine, allowed).into_iter().chain(conjuncts(machine, body.applicable)) {
        let (mut needs, mut waits) = (0, false);
        machine.exprs.leaves(part, &mut |leaf| match leaf {
            Node::Input(i) => needs = needs.max(i + 1),
            Node::Cur(v) => waits |= written(v),
            _ => {}
        });
        let code = program.compile(&machine.exprs, part);
        if waits { late.push(code) } else { early[needs].push(code) }
    }
    (early, late)
}

fn conjuncts(machine: &Valid, id: ExprId) -> Vec<ExprId> {
    match machine.exprs.node(id) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![id],
    }
}
