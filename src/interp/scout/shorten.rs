//! Runs of random walks made shorter: steps that are not needed are left out.

use super::{Goal, Scout};
use crate::interp::{Choice, Env, Seen};

/// Steps that are replayed for one run.
const EFFORT: usize = 4_000;

impl Scout<'_, '_> {
    /// A run to the same goal from which no single step can be left out, as far as that is worth the effort.
    pub(super) fn shortened(&self, goal: usize, run: Vec<Choice>) -> Vec<Choice> {
        let (mut best, mut effort) = (run, 0);
        let mut part = (best.len() / 2).max(1);
        loop {
            let (mut at, before) = (0, best.len());
            while at < best.len() && effort < EFFORT {
                let without: Vec<Choice> = best[..at].iter().chain(best.iter().skip(at + part)).cloned().collect();
                effort += without.len() + 1;
                match self.shows(goal, &without) {
                    Some(steps) => best = without.into_iter().take(steps).collect(),
                    None => at += part,
                }
            }
            if effort >= EFFORT || (part == 1 && best.len() == before) {
                return best;
            }
            part = (part / 2).max(1);
        }
    }

    /// After how many steps a run reaches a goal; `None` when it cannot be taken or never does.
    fn shows(&self, goal: usize, run: &[Choice]) -> Option<usize> {
        let mut now = self.interp.initial();
        let mut is_through = true;
        for at in 0..=run.len() {
            let env = Env { prev: &now, cur: &now, inputs: &[] };
            let holds = |code| self.program.holds(code, env);
            let reached = match self.goals.list[goal] {
                Goal::Holds(code) => holds(code),
                Goal::Through(_, code) => is_through && holds(code),
                Goal::DeadEnd(code) => holds(code) && self.interp.is_terminal(&now),
                Goal::Order => at == run.len() && self.depends_on_order(&now),
                Goal::Step => false,
            };
            if reached {
                return Some(at);
            }
            if let Goal::Through(through, _) = self.goals.list[goal] {
                is_through &= holds(through);
            }
            let choice = run.get(at)?;
            let step = self.interp.step(&now, choice)?;
            if let (Goal::Step, Choice::Act { action, inputs }) = (self.goals.list[goal], choice) {
                let (fired, order) = (&step.fired, &step.order);
                let seen = Seen { action: Some(*action), inputs, fired, order, after: &step.after, cost: 0 };
                if self.goals.shown_by(goal, self.interp.machine().actions[*action].body, &seen) {
                    return Some(at + 1);
                }
            }
            now = step.after;
        }
        None
    }

    /// Does some step from a snapshot depend on the order of the rules?
    fn depends_on_order(&self, snapshot: &[i64]) -> bool {
        let choices = self.interp.choices(snapshot);
        choices.iter().any(|c| self.interp.step(snapshot, c).is_some_and(|s| !s.order.is_empty()))
    }
}
