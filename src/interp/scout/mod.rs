//! Runs that a quick look finds: a search for many things at once, which does not promise to see everything.
//!
//! First breadth first, as far as its budget goes: what is found there is found by a shortest run. Then random walks: some from the
//! initial snapshot, some from where something was seen for the first time (a value of a variable, a rule that fires, one more part of a
//! condition that holds). The budget is counted in work, never in time, so the same machine gives the same runs.

mod goal;
mod shorten;
#[cfg(test)]
pub(crate) mod tests;

pub use goal::Target;

use super::search::Labels;
use super::{Choice, Env, Interp, Program, Seen, StateSet, Work};
use goal::{Goal, Goals};

/// How much is done: a step counts as many times as it has assignments and rules.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Breadth first.
    pub breadth: u64,
    /// Random walks.
    pub walks: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        // One to two seconds.
        Budget { breadth: 8_000_000, walks: 40_000_000 }
    }
}

/// A run to what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its choices.
    pub run: Vec<Choice>,
    /// No other is shorter.
    pub shortest: bool,
}

/// Values of payload of one action that are tried breadth first.
const PAYLOADS: u64 = 64;
/// Steps of a walk that begins at the initial snapshot, and of one that begins elsewhere.
const LONG: usize = 120;
const SHORT: usize = 24;
/// What it costs to find that something cannot happen, or to keep a snapshot.
const TRY: u64 = 8;
/// Snapshots that are kept.
const MOST: usize = 400_000;

/// Looks for runs to targets; each is found or not. `stop` ends the search early.
pub fn scout(interp: &Interp, targets: &[Target], budget: Budget, stop: &dyn Fn() -> bool) -> Vec<Option<Found>> {
    let mut scout = Scout::new(interp, targets);
    if !scout.breadth_first(budget.breadth, stop) {
        scout.walk(budget.walks, stop);
    }
    scout.found
}

struct Scout<'i, 'm> {
    interp: &'i Interp<'m>,
    program: Program,
    goals: Goals,
    found: Vec<Option<Found>>,
    states: StateSet,
    /// Per snapshot: the one it was first reached from, the label of the step, and how many steps it is from the initial one.
    parents: Vec<(u32, u32, u32)>,
    labels: Labels,
    news: News,
    /// Snapshots that brought something new.
    fresh: Vec<u32>,
    /// All runs of at most so many steps have been looked at.
    complete: u32,
    work: u64,
}

/// What has been seen at least once.
struct News {
    /// Per variable with few values: which of them.
    values: Vec<u64>,
    /// Per body and rule.
    fired: Vec<Vec<bool>>,
}

impl<'i, 'm> Scout<'i, 'm> {
    fn new(interp: &'i Interp<'m>, targets: &[Target]) -> Scout<'i, 'm> {
        let machine = interp.machine();
        let mut program = Program::default();
        let goals = Goals::of(machine, targets, &mut program);
        let fired = machine.bodies.iter().map(|b| vec![false; b.rules.len()]).collect();
        let news = News { values: vec![0; machine.state_vars().len()], fired };
        let (found, states) = (vec![None; targets.len()], StateSet::new(interp.layout()));
        let (parents, labels, fresh) = Default::default();
        let (complete, work) = (0, 0);
        Scout { interp, program, goals, found, states, parents, labels, news, fresh, complete, work }
    }

    /// `true` when nothing is left to look for, or to look at.
    fn breadth_first(&mut self, budget: u64, stop: &dyn Fn() -> bool) -> bool {
        let interp = self.interp;
        let mut codes = interp.initial().to_vec();
        let mut words = Vec::new();
        interp.layout().pack_into(&codes, &mut words);
        self.states.insert(&words);
        self.parents.push((0, 0, 0));
        self.arrived(0, &codes);
        let (mut work, mut next, mut whole) = (Work::default(), 0, true);
        while next < self.states.len() {
            if self.goals.all_found() {
                return true;
            }
            if self.work > budget || self.states.len() > MOST || next % 64 == 0 && stop() {
                return false;
            }
            if whole {
                self.complete = self.parents[next].2;
            }
            interp.layout().unpack_into(self.states.at(next), &mut codes);
            let mut acts = false;
            let all = interp.some_steps(&codes, &mut work, PAYLOADS, &mut |seen| {
                acts |= seen.action.is_some();
                self.took(next as u32, &seen);
            });
            if !acts {
                self.stuck(next as u32, &codes);
            }
            whole &= all;
            self.work += TRY * interp.machine().actions.len() as u64;
            next += 1;
        }
        whole
    }

    /// Random walks, until everything is found or the budget is used up.
    fn walk(&mut self, budget: u64, stop: &dyn Fn() -> bool) {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut work, mut codes, budget) = (Work::default(), Vec::new(), self.work.saturating_add(budget));
        for round in 0.. {
            if self.goals.all_found() || self.work > budget || self.states.len() > MOST || stop() {
                return;
            }
            let (mut at, steps) = match self.fresh.len() {
                n if n > 0 && round % 2 == 1 => {
                    // The latest news are the most promising.
                    let back = rng.usize(..n).min(rng.usize(..n));
                    (self.fresh[n - 1 - back], SHORT)
                }
                _ => (0, LONG),
            };
            for _ in 0..steps {
                self.interp.layout().unpack_into(self.states.at(at as usize), &mut codes);
                match self.step(at, &codes, &mut work, &mut rng) {
                    Some(to) => at = to,
                    None => break,
                }
            }
        }
    }

    /// One random step; the snapshot that it leads to.
    fn step(&mut self, at: u32, codes: &[i64], work: &mut Work, rng: &mut fastrand::Rng) -> Option<u32> {
        let interp = self.interp;
        let actions = interp.machine().actions.len();
        for _ in 0..2 * actions.min(100) {
            self.work += TRY;
            let action = rng.usize(..actions);
            if let Some(seen) = interp.attempt(codes, action, work, &mut |n| rng.u64(..n)) {
                return self.took(at, &seen);
            }
        }
        let mut choices = interp.choices(codes);
        choices.retain(|c| *c != Choice::Idle);
        self.work += TRY * actions as u64 + choices.len() as u64 * TRY;
        let Some(choice) = rng.choice(&choices) else {
            self.stuck(at, codes);
            return None;
        };
        let step = interp.step(codes, choice)?;
        let Choice::Act { action, inputs } = choice else { return None };
        let (fired, order, cost) = (&step.fired, &step.order, interp.size(*action));
        self.took(at, &Seen { action: Some(*action), inputs, fired, order, after: &step.after, cost })
    }

    /// A step was taken: notes what it shows, and gives the snapshot after it.
    fn took(&mut self, from: u32, seen: &Seen) -> Option<u32> {
        let action = seen.action?;
        self.work += TRY + seen.cost;
        let body = self.interp.machine().actions[action].body;
        let mut is_news = false;
        for &rule in seen.fired {
            is_news |= !std::mem::replace(&mut self.news.fired[body.0][rule], true);
        }
        for goal in self.goals.of_step(body, seen) {
            let label = self.labels.of(seen);
            let last = (!self.goals.ends_before(goal)).then_some(label);
            self.reached(goal, from, last);
        }
        let mut words = Vec::new();
        self.interp.layout().pack_into(seen.after, &mut words);
        let (to, new) = self.states.insert(&words)?;
        if new {
            let (label, depth) = (self.labels.of(seen), self.parents[from as usize].2 + 1);
            self.parents.push((from, label, depth));
            is_news |= self.arrived(to as u32, seen.after);
        }
        if is_news {
            self.fresh.push(to as u32);
        }
        Some(to as u32)
    }

    /// A snapshot is seen for the first time: notes what it shows, and says whether something about it is new.
    fn arrived(&mut self, at: u32, codes: &[i64]) -> bool {
        let mut is_news = false;
        let vars = self.interp.machine().state_vars().iter().zip(codes);
        for ((var, code), known) in vars.zip(&mut self.news.values) {
            let place = code.wrapping_sub(var.domain.bounds().0);
            if var.domain.size() <= 64 && *known >> place & 1 == 0 {
                *known |= 1 << place;
                is_news = true;
            }
        }
        let env = Env { prev: codes, cur: codes, inputs: &[] };
        let (held, closer) = self.goals.of_snapshot(&self.program, env);
        for goal in held {
            let shown = match self.goals.list[goal] {
                Goal::Through(through, _) => self.is_through(at, through),
                // That comes to light when no step is found.
                Goal::DeadEnd(_) => false,
                _ => true,
            };
            if shown {
                self.reached(goal, at, None);
            }
        }
        is_news || closer
    }

    /// No step was found: is it a dead end that was looked for?
    fn stuck(&mut self, at: u32, codes: &[i64]) {
        let env = Env { prev: codes, cur: codes, inputs: &[] };
        for goal in 0..self.goals.list.len() {
            if let Goal::DeadEnd(code) = self.goals.list[goal]
                && self.found[goal].is_none()
                && self.program.holds(code, env)
                && self.interp.is_terminal(codes)
            {
                self.reached(goal, at, None);
            }
        }
    }

    /// Did something hold in all snapshots on the way to this one?
    fn is_through(&self, mut at: u32, through: super::Code) -> bool {
        let mut codes = Vec::new();
        while at != 0 {
            at = self.parents[at as usize].0;
            self.interp.layout().unpack_into(self.states.at(at as usize), &mut codes);
            if !self.program.holds(through, Env { prev: &codes, cur: &codes, inputs: &[] }) {
                return false;
            }
        }
        true
    }

    /// A goal is reached at a snapshot, or by one more step from there.
    fn reached(&mut self, goal: usize, mut at: u32, last: Option<u32>) {
        let mut labels: Vec<u32> = last.into_iter().collect();
        while at != 0 {
            let (before, label, _) = self.parents[at as usize];
            labels.push(label);
            at = before;
        }
        let run: Vec<Choice> = labels.into_iter().rev().map(|l| self.labels.choices[l as usize].clone()).collect();
        self.goals.close(goal);
        let is_shortest = |run: &[Choice]| self.goals.steps(goal, run).is_some_and(|n| n <= self.complete as usize + 1);
        let run = if is_shortest(&run) { run } else { self.shortened(goal, run) };
        let shortest = is_shortest(&run);
        self.found[goal] = Some(Found { run, shortest });
    }
}
