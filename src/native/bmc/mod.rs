//! Bounded model checking: is there a run of so many steps to a goal? A SAT solver looks for it, one number of steps after the other.
//!
//! The step is a circuit, built by the same walk as the diagrams' relations. For each further step a copy of it is handed to the solver,
//! of which only the part is kept that goals depend on. What is found is a shortest run, as long as the solver never gave up before.
//! How much is done is counted in work, so the same machine gives the same runs.

mod circuit;
mod step;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use batsat::clause::Kind;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::answer::Choice;
use crate::logic::Formula;
use crate::machine::{ExprId, Machine, Steps, Valid};
use circuit::{Circuit, Wire};
use step::{Aim, Step};

/// Something to look for. Formulas are about one snapshot.
#[derive(Clone, Debug)]
pub enum Goal {
    /// A snapshot in which this holds.
    Holds(Formula<ExprId>),
    /// A snapshot in which the second holds, reached through snapshots in which the first does.
    Through(Formula<ExprId>, Formula<ExprId>),
    /// One of these steps; the run ends with it.
    Step(Vec<Steps>),
    /// A step that depends on the order of the rules; the run ends before it.
    Order,
}

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Steps of a run.
    pub steps: usize,
    /// Clauses learnt about one goal and one number of steps.
    pub learnt: u64,
    /// Decisions of the solver in all.
    pub decisions: u64,
    /// Variables of the solver.
    pub variables: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { steps: 60, learnt: 2_000, decisions: 600_000, variables: 1_500_000 }
    }
}

impl Effort {
    /// With so many bytes at most.
    pub fn within(self, memory: Option<u64>) -> Effort {
        const BYTES_PER_VARIABLE: u64 = 300;
        let most = memory.map_or(usize::MAX, |bytes| (bytes / BYTES_PER_VARIABLE) as usize);
        Effort { variables: self.variables.min(most), ..self }
    }
}

/// What became of a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// A run to it.
    pub run: Option<Vec<Choice>>,
    /// No run with fewer steps reaches it. Steps that a run ends before are counted.
    pub none_below: usize,
}

/// Looks for runs to goals; for each at most the number of steps that is worth it. `stop` ends the search early.
pub fn search(machine: &Valid, goals: &[(Goal, usize)], effort: Effort, stop: &dyn Fn() -> bool) -> Vec<Looked> {
    let mut looked = vec![Looked::default(); goals.len()];
    let list: Vec<Goal> = goals.iter().map(|(goal, _)| goal.clone()).collect();
    // A circuit is much smaller than its copies.
    let Ok(step) = Step::new(machine, &list, effort.variables) else { return looked };
    let mut unrolled = Unrolled::new(machine, &step, effort, stop);
    for steps in 0..=effort.steps {
        let worth = |looked: &Looked, most: usize| looked.run.is_none() && looked.none_below >= steps && steps <= most;
        if !looked.iter().zip(goals).any(|(l, (_, most))| worth(l, *most)) || !unrolled.copy() {
            break;
        }
        for is_step in [false, true] {
            if is_step {
                unrolled.one_more();
            }
            for ((looked, (_, most)), aim) in looked.iter_mut().zip(goals).zip(&step.aims) {
                let counted = steps + usize::from(is_step);
                let is_there = matches!(aim, Aim::There { .. });
                if is_there != is_step && looked.run.is_none() && looked.none_below == steps && counted <= *most {
                    match unrolled.ask(aim) {
                        Some(true) => {
                            looked.run = Some(unrolled.run(machine, counted - usize::from(aim.ends_before())))
                        }
                        Some(false) => looked.none_below = steps + 1,
                        None => {}
                    }
                }
            }
        }
    }
    for (looked, aim) in looked.iter_mut().zip(&step.aims) {
        looked.none_below += usize::from(!matches!(aim, Aim::There { .. }));
    }
    looked
}

impl Aim {
    fn ends_before(&self) -> bool {
        matches!(self, Aim::Before(_))
    }
}

/// Counts what the solver does and ends it.
struct Watch<'s> {
    stop: &'s dyn Fn() -> bool,
    learnt: Cell<u64>,
    decisions: Cell<u64>,
    most_learnt: u64,
    most_decisions: u64,
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        self.decisions.get() > self.most_decisions || (self.stop)()
    }
}

impl Callbacks for Watch<'_> {
    fn on_new_clause(&mut self, _: &[Lit], source: Kind) {
        self.learnt.set(self.learnt.get() + u64::from(source == Kind::Learnt));
    }

    fn stop(&self) -> bool {
        self.decisions.set(self.decisions.get() + 1);
        self.learnt.get() > self.most_learnt || self.decisions.get() > self.most_decisions || (self.stop)()
    }
}

/// Copies of a step, one after the other, in a solver.
struct Unrolled<'s> {
    step: &'s Step,
    solver: Solver<Watch<'s>>,
    yes: Lit,
    /// The gates that goals depend on, parts before wholes.
    needed: Vec<usize>,
    /// Per copy, per gate.
    copies: Vec<Vec<Lit>>,
    /// The bits of the snapshot that the next copy begins with.
    now: Vec<Lit>,
    variables: usize,
}

impl<'s> Unrolled<'s> {
    fn new(machine: &Machine, step: &'s Step, effort: Effort, stop: &'s dyn Fn() -> bool) -> Unrolled<'s> {
        let (most_learnt, most_decisions) = (effort.learnt, effort.decisions);
        let watch = Watch { stop, learnt: Cell::new(0), decisions: Cell::new(0), most_learnt, most_decisions };
        let mut solver = Solver::new(SolverOpts::default(), watch);
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        let bits = machine.state_vars().iter().flat_map(|v| {
            let code = v.init.wrapping_sub(v.domain.bounds().0);
            (0..v.domain.bits()).map(move |bit| code >> bit & 1 == 1)
        });
        let now = bits.map(|bit| if bit { yes } else { !yes }).collect();
        let (needed, copies) = (needed(step), Vec::new());
        Unrolled { step, solver, yes, needed, copies, now, variables: effort.variables }
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// Copies the step from the snapshot now; `false` when that is too much.
    fn copy(&mut self) -> bool {
        let step = self.step;
        let known = self.solver.num_vars() as usize;
        if known > self.variables || self.solver.cb().is_over() {
            return false;
        }
        let (yes, no) = (self.yes, !self.yes);
        let mut copy = vec![no; step.circuit.len()];
        for (wire, bit) in step.before.iter().zip(&self.now) {
            copy[wire.gate()] = *bit;
        }
        for wire in step.payload.iter().chain(step.actions.iter().map(|(chosen, _)| chosen)) {
            copy[wire.gate()] = self.fresh();
        }
        for n in 0..self.needed.len() {
            let gate = self.needed[n];
            let Some((a, b)) = step.circuit.parts(gate) else { continue };
            let (a, b) = (literal(&copy, a), literal(&copy, b));
            copy[gate] = match () {
                () if a == no || b == no || a == !b => no,
                () if a == yes || a == b => b,
                () if b == yes => a,
                () => {
                    let both = self.fresh();
                    self.clause(&[!both, a]);
                    self.clause(&[!both, b]);
                    self.clause(&[both, !a, !b]);
                    both
                }
            };
        }
        self.copies.push(copy);
        true
    }

    /// The step of the last copy is taken: one action is chosen, and it may be.
    fn one_more(&mut self) {
        let (step, copy) = (self.step, self.copies.last().cloned().unwrap_or_default());
        let chosen: Vec<Lit> = step.actions.iter().map(|(chosen, _)| literal(&copy, *chosen)).collect();
        self.clause(&chosen);
        let mut earlier: Option<Lit> = None;
        for ((_, may), chosen) in step.actions.iter().zip(chosen) {
            self.clause(&[!chosen, literal(&copy, *may)]);
            let until_here = self.fresh();
            self.clause(&[!chosen, until_here]);
            if let Some(earlier) = earlier {
                self.clause(&[!earlier, until_here]);
                self.clause(&[!earlier, !chosen]);
            }
            earlier = Some(until_here);
        }
        self.now = step.after.iter().map(|wire| literal(&copy, *wire)).collect();
    }

    /// Is a goal reached by a run through all copies? `None` when that is not found out.
    fn ask(&mut self, aim: &Aim) -> Option<bool> {
        let (last, earlier) = self.copies.split_last()?;
        let mut assumed = Vec::new();
        match aim {
            Aim::There { here, way } => {
                assumed.push(literal(last, *here));
                assumed.extend(earlier.iter().map(|copy| literal(copy, *way)));
            }
            Aim::By(step) | Aim::Before(step) => assumed.push(literal(last, *step)),
        }
        if assumed.contains(&!self.yes) {
            return Some(false);
        }
        self.solver.cb().learnt.set(0);
        let answer = self.solver.solve_limited(&assumed);
        (answer != lbool::UNDEF).then_some(answer == lbool::TRUE)
    }

    /// The choices of the run that was found, so many steps of it.
    fn run(&self, machine: &Machine, steps: usize) -> Vec<Choice> {
        let holds = |copy: &[Lit], wire: Wire| self.solver.value_lit(literal(copy, wire)) == lbool::TRUE;
        let choice = |copy: &Vec<Lit>| {
            let action = self.step.actions.iter().position(|(chosen, _)| holds(copy, *chosen))?;
            let mut bits = self.step.payload.iter().map(|wire| holds(copy, *wire));
            let inputs = machine.body(machine.actions.get(action)?).inputs.iter().map(|input| {
                let own = bits.by_ref().take(input.domain.bits() as usize).enumerate();
                let code = own.fold(0u64, |code, (n, bit)| code | u64::from(bit) << n);
                input.domain.bounds().0.wrapping_add(code as i64)
            });
            Some(Choice::Act { action, inputs: inputs.collect() })
        };
        self.copies.iter().take(steps).filter_map(choice).collect()
    }
}

fn literal(copy: &[Lit], wire: Wire) -> Lit {
    let gate = copy[wire.gate()];
    if wire.is_negated() { !gate } else { gate }
}

/// The gates that goals and choices depend on, in this step or in a later one.
fn needed(step: &Step) -> Vec<usize> {
    let circuit: &Circuit = &step.circuit;
    let mut after = vec![None; circuit.len()];
    step.before.iter().zip(&step.after).for_each(|(before, now)| after[before.gate()] = Some(*now));
    let aims = step.aims.iter().flat_map(|aim| match aim {
        Aim::There { here, way } => vec![*here, *way],
        Aim::By(wire) | Aim::Before(wire) => vec![*wire],
    });
    let mut todo: Vec<Wire> = aims.chain(step.actions.iter().map(|(_, may)| *may)).collect();
    let mut seen = vec![false; circuit.len()];
    while let Some(wire) = todo.pop() {
        let gate = wire.gate();
        if !std::mem::replace(&mut seen[gate], true) {
            todo.extend(after[gate]);
            todo.extend(circuit.parts(gate).into_iter().flat_map(|(a, b)| [a, b]));
        }
    }
    (0..circuit.len()).filter(|gate| seen[*gate]).collect()
}
