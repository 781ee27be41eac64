//! What is looked for.

use crate::interp::{Choice, Code, Env, Program, Seen};
use crate::logic::{Bool, Formula};
use crate::machine::{BodyIx, ExprId, Exprs, Machine, Node, Steps};

/// Something to look for. Conditions are about one snapshot.
#[derive(Clone, Debug)]
pub enum Target {
    /// A snapshot in which this holds.
    Holds(Formula<ExprId>),
    /// A snapshot in which the second holds, reached through snapshots in which the first does.
    Through(Formula<ExprId>, Formula<ExprId>),
    /// A snapshot in which this holds and nobody can act.
    DeadEnd(ExprId),
    /// One of these steps; the run ends with it.
    Step(Vec<Steps>),
    /// A step that depends on the order of the rules; the run ends before it.
    Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Holds(Code),
    Through(Code, Code),
    DeadEnd(Code),
    Step,
    Order,
}

/// All goals, with what is found of them.
pub(super) struct Goals {
    pub list: Vec<Goal>,
    is_open: Vec<bool>,
    open: usize,
    /// Goals that a snapshot can show.
    of_snapshots: Vec<usize>,
    /// Per body: goals that its steps can show, and by which rule.
    of_bodies: Vec<Vec<(Option<usize>, usize)>>,
    of_order: Vec<usize>,
    /// Per goal: the parts that must all hold, and how many did at best.
    parts: Vec<(Vec<Code>, usize)>,
}

impl Goals {
    pub fn of(machine: &Machine, targets: &[Target], program: &mut Program) -> Goals {
        let mut exprs = machine.exprs.clone();
        let mut goals = Goals {
            list: Vec::new(),
            is_open: vec![true; targets.len()],
            open: targets.len(),
            of_snapshots: Vec::new(),
            of_bodies: vec![Vec::new(); machine.bodies.len()],
            of_order: Vec::new(),
            parts: Vec::new(),
        };
        for (at, target) in targets.iter().enumerate() {
            let mut parts = Vec::new();
            let mut compiled = |f: &Formula<ExprId>| {
                let e = expression(&mut exprs, f);
                if let Node::And(list) = exprs.node(e).clone() {
                    parts = list.iter().map(|p| program.compile(&exprs, *p)).collect();
                }
                program.compile(&exprs, e)
            };
            let goal = match target {
                Target::Holds(f) => Goal::Holds(compiled(f)),
                Target::Through(f, g) => Goal::Through(compiled(f), compiled(g)),
                Target::DeadEnd(e) => Goal::DeadEnd(compiled(&Formula::Atom(*e))),
                Target::Step(_) => Goal::Step,
                Target::Order => Goal::Order,
            };
            match target {
                Target::Step(steps) => {
                    steps.iter().for_each(|s| goals.of_bodies[s.body.0].push((s.rule, at)));
                }
                Target::Order => goals.of_order.push(at),
                _ => goals.of_snapshots.push(at),
            }
            goals.list.push(goal);
            goals.parts.push((parts, 0));
        }
        goals
    }

    pub fn all_found(&self) -> bool {
        self.open == 0
    }

    pub fn close(&mut self, goal: usize) {
        self.open -= usize::from(std::mem::replace(&mut self.is_open[goal], false));
        self.of_snapshots.retain(|g| *g != goal);
    }

    /// The run to this goal lacks the step that shows it.
    pub fn ends_before(&self, goal: usize) -> bool {
        self.list[goal] == Goal::Order
    }

    /// The steps that it takes to show a goal by a run; `None` where the number of steps says nothing.
    pub fn steps(&self, goal: usize, run: &[Choice]) -> Option<usize> {
        let through = matches!(self.list[goal], Goal::Through(..));
        // That a snapshot is a dead end is seen when steps from it are looked for.
        let more = self.ends_before(goal) || matches!(self.list[goal], Goal::DeadEnd(_));
        (!through).then_some(run.len() + usize::from(more))
    }

    /// Is it one of the steps that a goal asks for?
    pub fn shown_by(&self, goal: usize, body: BodyIx, seen: &Seen) -> bool {
        self.of_bodies[body.0].iter().any(|(rule, g)| *g == goal && fires(*rule, seen))
    }

    /// The open goals that a step shows.
    pub fn of_step(&self, body: BodyIx, seen: &Seen) -> Vec<usize> {
        let shown = self.of_bodies[body.0].iter().filter(|(rule, g)| self.is_open[*g] && fires(*rule, seen));
        let mut goals: Vec<usize> = shown.map(|(_, g)| *g).collect();
        if !seen.order.is_empty() {
            goals.extend(self.of_order.iter().filter(|g| self.is_open[**g]));
        }
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    /// The open goals whose condition holds in a snapshot, and whether more parts of one hold than ever before.
    pub fn of_snapshot(&mut self, program: &Program, env: Env) -> (Vec<usize>, bool) {
        let (mut held, mut closer) = (Vec::new(), false);
        for &goal in &self.of_snapshots {
            let (Goal::Holds(code) | Goal::Through(_, code) | Goal::DeadEnd(code)) = self.list[goal] else { continue };
            let (parts, best) = &mut self.parts[goal];
            let holds = if parts.is_empty() {
                program.holds(code, env)
            } else {
                let now = parts.iter().filter(|p| program.holds(**p, env)).count();
                closer |= now > *best;
                *best = now.max(*best);
                now == parts.len()
            };
            if holds {
                held.push(goal);
            }
        }
        (held, closer)
    }
}

fn fires(rule: Option<usize>, seen: &Seen) -> bool {
    rule.is_none_or(|r| seen.fired.contains(&r))
}

/// A state formula as an expression.
fn expression(exprs: &mut Exprs, f: &Formula<ExprId>) -> ExprId {
    let Formula::Bool(b) = f else {
        return match f {
            Formula::Atom(e) => *e,
            // Not about one snapshot: nobody asks for it.
            _ => exprs.bool(false),
        };
    };
    let parts: Vec<ExprId> = b.parts().into_iter().map(|p| expression(exprs, p)).collect();
    match (b, parts.as_slice()) {
        (Bool::Not(_), [a]) => exprs.not(*a),
        (Bool::And(_), _) => exprs.and(parts),
        (Bool::Or(_), _) => exprs.or(parts),
        (Bool::Implies(..), [a, b]) => exprs.implies(*a, *b),
        (Bool::Iff(..), [a, b]) => exprs.iff(*a, *b),
        (_, [body]) => *body,
        _ => exprs.bool(false),
    }
}
