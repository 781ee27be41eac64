//! What a coalition does: a memoryless strategy as a table, for the snapshots that can come up when it is followed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::bdd::Bdd;
use super::check::{Answer, Checker, Fairness, Fml};
use super::closure::Direction;
use super::encode::Choice;
use crate::logic::{Bool, Formula, Temporal};
use crate::machine::{AgentIx, Snapshot};

/// More snapshots than this are not followed.
const MAX_ROWS: usize = 500;

/// A strategy of a coalition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The coalition.
    pub group: Vec<AgentIx>,
    /// What each member does in each snapshot that can come up, the initial one first.
    pub rows: Vec<StrategyRow>,
    /// More snapshots can come up than the table has.
    pub cut: bool,
}

/// One move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyRow {
    /// In this snapshot,
    pub snapshot: Snapshot,
    /// when this member is picked,
    pub agent: AgentIx,
    /// it does this,
    pub choice: Choice,
    /// which leads here.
    pub after: Snapshot,
}

/// Where a strategy wants to go: in a snapshot of set `i`, to the first of `goals[i]`.
struct Plan {
    /// Sets of snapshots with the goals to try in them; a snapshot belongs to the first set that holds it.
    ranks: Vec<(Bdd, Vec<Bdd>)>,
}

impl Checker<'_, '_> {
    /// The strategy behind a formula `<<A>> …` that holds in the initial snapshot, when the formula is one, or begins with one.
    pub(super) fn strategy(&self, f: &Fml, fair: &Fairness, holds: bool) -> Answer<Option<Strategy>> {
        let s = &self.sys.space;
        let sat = |f: &Fml| self.sat(f, fair);
        match f {
            Formula::Bool(Bool::Not(a)) => self.strategy(a, fair, !holds),
            Formula::Can(group, t) if holds => match t {
                Temporal::Next(a) => {
                    let plan = Plan { ranks: vec![(self.sys.init.clone(), vec![sat(a)?])] };
                    self.table(group, plan).map(Some)
                }
                Temporal::Globally(_) => {
                    let safe = sat(f)?;
                    let plan = Plan { ranks: vec![(safe.clone(), vec![safe])] };
                    self.table(group, plan).map(Some)
                }
                Temporal::Finally(a) => self.layered(group, &s.yes(), &sat(a)?, fair),
                Temporal::Until(a, b) => self.layered(group, &sat(a)?, &sat(b)?, fair),
            },
            Formula::Bool(Bool::And(parts) | Bool::Or(parts)) => {
                for part in parts {
                    let value = s.meets(&self.sys.init, &sat(part)?)?;
                    if let Some(found) = self.strategy(part, fair, value)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
            Formula::Bool(Bool::Implies(..) | Bool::Iff(..) | Bool::Quant { .. }) => Ok(None),
            Formula::Atom(_) | Formula::Can(..) => Ok(None),
            Formula::Quantified(..) | Formula::Know(..) | Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => {
                Ok(None)
            }
        }
    }

    /// Until: every move goes to a set that is one step nearer the goal.
    fn layered(&self, group: &[AgentIx], hold: &Bdd, goal: &Bdd, fair: &Fairness) -> Answer<Option<Strategy>> {
        let s = &self.sys.space;
        let mut won = vec![goal.clone()];
        let mut ranks = vec![(goal.clone(), Vec::new())];
        loop {
            let last = &won[won.len() - 1];
            let more = s.or(last, &s.and(hold, &self.can_next(group, last, fair)?)?)?;
            if more == *last {
                break;
            }
            // The nearest goal first; at worst the set just before.
            ranks.push((more.clone(), won.clone()));
            won.push(more);
        }
        self.table(group, Plan { ranks }).map(Some)
    }

    /// Follows a plan from the initial snapshot, whatever scheduler and others do.
    fn table(&self, group: &[AgentIx], plan: Plan) -> Answer<Strategy> {
        let (sys, s) = (self.sys, &self.sys.space);
        let others: Vec<AgentIx> = AgentIx::all(&sys.machine.agents).filter(|a| !group.contains(a)).collect();
        let mut strategy = Strategy { group: group.to_vec(), rows: Vec::new(), cut: false };
        let initial: Snapshot = sys.machine.initial();
        let mut seen = BTreeSet::from([initial.clone()]);
        let mut todo = VecDeque::from([initial]);
        while let Some(snapshot) = todo.pop_front() {
            let here = sys.single(&snapshot)?;
            let mut goals = &[][..];
            for (set, ranked) in &plan.ranks {
                if s.meets(set, &here)? {
                    goals = ranked;
                    break;
                }
            }
            if goals.is_empty() {
                continue;
            }
            let mut next: BTreeMap<Snapshot, ()> = BTreeMap::new();
            for &agent in group {
                let own = sys.step(&here, &sys.steps_of(&[agent])?, Direction::Forward)?;
                if let Some(after) = self.first_in(&own, goals)?
                    && let Some(choice) = sys.choice(&snapshot, &after, Some(&[agent]))?
                {
                    strategy.rows.push(StrategyRow { snapshot: snapshot.clone(), agent, choice, after: after.clone() });
                    next.insert(after, ());
                }
            }
            let mut open = sys.step(&here, &sys.steps_of(&others)?, Direction::Forward)?;
            while let Some(after) = sys.pick(&open) {
                open = s.diff(&open, &sys.single(&after)?)?;
                next.insert(after, ());
                if next.len() > MAX_ROWS {
                    break;
                }
            }
            for after in next.into_keys() {
                if seen.len() >= MAX_ROWS {
                    strategy.cut |= !seen.contains(&after);
                } else if seen.insert(after.clone()) {
                    todo.push_back(after);
                }
            }
        }
        Ok(strategy)
    }

    /// A snapshot of `set` in the first of the goals that has one.
    fn first_in(&self, set: &Bdd, goals: &[Bdd]) -> Answer<Option<Snapshot>> {
        for goal in goals {
            if let Some(found) = self.sys.pick(&self.sys.space.and(set, goal)?) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
