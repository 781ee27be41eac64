//! Choices in a snapshot, and one B-step.
//!
//! Choices come in a fixed order: actions as the machine lists them, payload values ascending with the first input slowest,
//! idling last. So a position in that order names a choice for good.

use super::compile::{CompiledAction, CompiledBody, Op, compile};
use super::later::Later;
use super::order::Ran;
use super::telling::Telling;
use super::{Choice, Env, Layout, Program};
use crate::machine::{BodyIx, ExprId, Idle, Leaf, MANY_PAYLOADS, Snapshot, Valid};

/// One B-step that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was chosen.
    pub choice: Choice,
    /// Positions in the body's rules of those that fired, in order.
    pub fired: Vec<usize>,
    /// Positions in the body's components of those whose order matters in this step.
    pub order: Vec<usize>,
    /// The snapshot after.
    pub after: Snapshot,
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
    /// Positions of the components whose order matters.
    pub order: &'a [usize],
    /// The snapshot after.
    pub after: &'a [i64],
    /// How many assignments and rules had their turn.
    pub cost: u64,
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
    /// Values that wait for others to be set.
    kept: Vec<i64>,
    /// Assignments and rules that had their turn.
    cost: u64,
    /// Values of payload that may be tried, and that may still be.
    most: u64,
    budget: u64,
    /// Of some input only telling values were tried; and that may not be enough to know whether there is a step.
    sampled: bool,
    doubtful: bool,
}

impl Work {
    fn begin(&mut self, most: u64) {
        self.inputs.clear();
        (self.most, self.budget) = (most, most);
        (self.sampled, self.doubtful) = (false, false);
    }

    /// Was everything tried?
    fn all(&self) -> bool {
        self.budget > 0 && !self.sampled
    }
}

/// The interpreter of a machine.
#[derive(Clone, Debug)]
pub struct Interp<'m> {
    pub(super) machine: &'m Valid,
    layout: Layout,
    pub(super) program: Program,
    pub(super) bodies: Vec<CompiledBody>,
    actions: Vec<CompiledAction>,
    /// Per body, where its payload is wide.
    telling: Vec<Option<Telling>>,
    /// What scratch variables start with.
    pub(super) scratch: Vec<i64>,
}

impl<'m> Interp<'m> {
    /// Compiles a machine.
    pub fn new(machine: &'m Valid) -> Interp<'m> {
        let (program, bodies, actions) = compile(machine);
        let scratch = machine.scratch_vars().iter().map(|v| v.init).collect();
        let wide = |ix: BodyIx| machine.bodies[ix].inputs.iter().any(|i| i.values.len() > MANY_PAYLOADS);
        let open = |ix: BodyIx| machine.bodies[ix].inputs.iter().any(|i| i.domain.is_unbounded());
        let later = if BodyIx::all(&machine.bodies).any(open) { Later::of(machine) } else { Later::default() };
        let telling = |ix: BodyIx| wide(ix).then(|| Telling::of(machine, ix, &later));
        let telling = BodyIx::all(&machine.bodies).map(telling).collect();
        Interp { machine, layout: Layout::of(machine), program, bodies, actions, telling, scratch }
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
    pub fn initial(&self) -> Snapshot {
        self.machine.initial()
    }

    /// Value of an expression about one snapshot (windows, atoms of formulas).
    pub fn value(&self, expr: ExprId, snapshot: &[i64]) -> i64 {
        self.machine.exprs.eval(expr, &|leaf| match leaf {
            Leaf::Prev(v) | Leaf::Cur(v) => snapshot.get(v.0 as usize).copied().unwrap_or(0),
            // No snapshot has a payload.
            Leaf::Input(_) => 0,
        })
    }

    /// Does a Boolean expression about one snapshot hold?
    pub fn holds(&self, expr: ExprId, snapshot: &[i64]) -> bool {
        self.value(expr, snapshot) != 0
    }

    /// Everything that may happen in a snapshot; of a wide payload only what tells something.
    pub fn choices(&self, snapshot: &[i64]) -> Vec<Choice> {
        self.some_choices(snapshot).0
    }

    /// The same, and whether it is everything.
    pub fn some_choices(&self, snapshot: &[i64]) -> (Vec<Choice>, bool) {
        let mut list = Vec::new();
        let all = self.some_steps(snapshot, &mut Work::default(), MANY_PAYLOADS, &mut |seen| list.push(seen.choice()));
        (list, all)
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
                Snapshot::from(snapshot)
            }
            Choice::Act { action, inputs } => {
                let act = self.actions.get(*action)?;
                let fields = &self.machine.bodies[act.body].inputs;
                if inputs.len() != fields.len() || !inputs.iter().zip(fields).all(|(i, f)| f.accepts(*i)) {
                    return None;
                }
                work.inputs.clone_from(inputs);
                let env = Env { prev: snapshot, cur: snapshot, inputs };
                let early = act.early.iter().flatten().all(|c| self.program.holds(*c, env));
                if !early || !self.run(act, snapshot, &mut work) {
                    return None;
                }
                work.cur.truncate(snapshot.len());
                Snapshot::from(work.cur)
            }
        };
        let flag = self.machine.overflow;
        let overflow = snapshot[flag.0 as usize] == 0 && after[flag] != 0;
        Some(Step { choice: choice.clone(), fired: work.fired, order: work.order, after, overflow })
    }

    /// Takes every possible step from a snapshot, in the order of the choices.
    pub fn each_step(&self, prev: &[i64], work: &mut Work, visit: &mut dyn FnMut(Seen)) {
        self.some_steps(prev, work, u64::MAX, visit);
    }

    /// The same, but tries so many values of payload at most for each action, and of an input that has more only the telling ones;
    /// `false` when that is not all.
    pub fn some_steps(&self, prev: &[i64], work: &mut Work, most: u64, visit: &mut dyn FnMut(Seen)) -> bool {
        let (mut any, mut all, mut sure) = (false, true, true);
        for (index, action) in self.actions.iter().enumerate() {
            work.begin(most);
            self.extend(index, action, prev, work, &mut |seen| {
                any = true;
                visit(seen);
            });
            all &= work.all();
            sure &= work.budget > 0 && !work.doubtful;
        }
        let idles = match self.machine.idle {
            Idle::Always => true,
            Idle::Terminal => !any && sure,
            Idle::Never => false,
        };
        if idles {
            visit(Seen { action: None, inputs: &[], fired: &[], order: &[], after: prev, cost: 0 });
        }
        all
    }

    /// Values of an input that are worth a try in a snapshot, where the first inputs are chosen; all of them where there are few.
    pub fn worth_trying(&self, body: BodyIx, snapshot: &[i64], chosen: &[i64]) -> Vec<i64> {
        let input = self.machine.bodies.get(body.0).and_then(|b| b.inputs.get(chosen.len()));
        match (input, self.telling.get(body.0)) {
            (Some(input), Some(Some(telling))) if input.values.len() > MANY_PAYLOADS => {
                telling.values(input, snapshot, chosen)
            }
            (Some(input), _) => input.values.iter().collect(),
            (None, _) => Vec::new(),
        }
    }

    /// How many assignments and rules a step by an action has, if all have their turn.
    pub fn size(&self, action: usize) -> u64 {
        self.actions.get(action).map_or(0, |a| self.bodies[a.body.0].ops.len() as u64)
    }

    /// Tries an action with a payload at random: `draw(n)` is a number below `n`. The step, if it exists.
    pub fn attempt<'w>(
        &self,
        prev: &[i64],
        index: usize,
        work: &'w mut Work,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Option<Seen<'w>> {
        let action = self.actions.get(index)?;
        work.begin(0);
        loop {
            let known = work.inputs.len();
            let env = Env { prev, cur: prev, inputs: &work.inputs };
            if !action.early[known].iter().all(|c| self.program.holds(*c, env)) {
                return None;
            }
            let Some(values) = self.bodies[action.body.0].values.get(known).filter(|v| !v.is_empty()) else { break };
            let value = match &self.telling[action.body.0] {
                Some(telling) if values.len() > MANY_PAYLOADS => {
                    let list = telling.values(&self.machine.bodies[action.body].inputs[known], prev, &work.inputs);
                    *list.get(draw(list.len().max(1) as u64) as usize)?
                }
                _ => values.nth(draw(values.len()))?,
            };
            work.inputs.push(value);
        }
        if work.inputs.len() < self.bodies[action.body.0].values.len() || !self.run(action, prev, work) {
            return None;
        }
        let Work { cur, inputs, fired, order, cost, .. } = work;
        Some(Seen { action: Some(index), inputs, fired, order, after: &cur[..prev.len()], cost: *cost })
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
        let mut work = Work::default();
        self.actions.iter().enumerate().all(|(index, action)| {
            let mut acts = false;
            work.begin(MANY_PAYLOADS);
            self.extend(index, action, snapshot, &mut work, &mut |_| acts = true);
            !acts && work.budget > 0 && !work.doubtful
        })
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
        let Some(values) = self.bodies[action.body.0].values.get(known) else {
            if self.run(action, prev, work) {
                let Work { cur, inputs, fired, order, cost, .. } = work;
                visit(Seen { action: Some(index), inputs, fired, order, after: &cur[..prev.len()], cost: *cost });
            }
            return;
        };
        match &self.telling[action.body.0] {
            Some(telling) if values.len() > work.most => {
                work.sampled = true;
                work.doubtful |= !telling.decides(known);
                let tried = telling.values(&self.machine.bodies[action.body].inputs[known], prev, &work.inputs);
                self.extend_by(tried.into_iter(), index, action, prev, work, visit);
            }
            _ => self.extend_by(values.iter(), index, action, prev, work, visit),
        }
    }

    /// Goes on with each of some values of the next input.
    fn extend_by(
        &self,
        values: impl Iterator<Item = i64>,
        index: usize,
        action: &CompiledAction,
        prev: &[i64],
        work: &mut Work,
        visit: &mut dyn FnMut(Seen),
    ) {
        for value in values {
            if work.budget == 0 {
                return;
            }
            work.budget -= 1;
            work.inputs.push(value);
            self.extend(index, action, prev, work, visit);
            work.inputs.pop();
        }
    }

    /// Runs what was compiled. `false` when the step does not exist.
    fn run(&self, action: &CompiledAction, prev: &[i64], work: &mut Work) -> bool {
        work.cur.clear();
        work.cur.extend_from_slice(prev);
        work.cur.extend_from_slice(&self.scratch);
        work.fired.clear();
        work.order.clear();
        work.kept.clear();
        work.cost = 0;
        self.perform(&self.bodies[action.body.0].ops, action.body, prev, work)
            && self.perform(&action.updates, action.body, prev, work)
    }

    fn perform(&self, ops: &[Op], body: BodyIx, prev: &[i64], work: &mut Work) -> bool {
        let Work { cur, inputs, fired, order, kept, cost, .. } = work;
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            *cost += 1;
            let env = Env { prev, cur, inputs };
            match *op {
                Op::Set(var, code) => cur[var as usize] = self.program.value(code, env),
                Op::Rule(position, rule) => {
                    if self.program.holds(rule.prerequisite, env) && self.program.holds(rule.antecedent, env) {
                        cur[rule.target as usize] = self.program.value(rule.value, env);
                        fired.push(position as usize);
                    }
                }
                Op::Require(code) => {
                    if !self.program.holds(code, env) {
                        return false;
                    }
                }
                Op::Components => self.components(body, Ran { prev, inputs, fired }, order),
                Op::Keep(code) => kept.push(self.program.value(code, env)),
                Op::SetKept(var, at) => cur[var as usize] = kept[at as usize],
                Op::Unless(var, _) if cur[var as usize] != 0 => {}
                Op::Unless(_, stretch) => {
                    let stretch = &self.bodies[body.0].stretches[stretch as usize];
                    stretch.conditions.iter().for_each(|v| cur[*v as usize] = 0);
                    at = stretch.end as usize;
                }
            }
        }
        true
    }
}
