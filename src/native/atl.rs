//! Strategies: `<<A>>` over the turn-based game in which a scheduler outside the group picks who moves.
//!
//! In a snapshot the scheduler picks any agent that can act, or lets the system idle where that is allowed. A member of the
//! group then chooses its event and payload; everybody else may do anything it can.

use super::bdd::Bdd;
use super::check::{Answer, Checker, Fairness, Trouble};
use super::closure::Direction;
use crate::logic::Temporal;
use crate::machine::AgentIx;

impl Checker<'_, '_> {
    /// The snapshots in which the group can see to it.
    pub(super) fn can(&self, group: &[AgentIx], t: &Temporal<Bdd>, fair: &Fairness) -> Answer<Bdd> {
        match t {
            Temporal::Next(a) => self.can_next(group, a, fair),
            Temporal::Finally(a) => self.can_until(group, &self.sys.space.yes(), a, fair),
            Temporal::Globally(a) => self.can_globally(group, a, fair),
            Temporal::Until(a, b) => self.can_until(group, a, b, fair),
        }
    }

    /// Whoever the scheduler picks, the group can make sure that the next snapshot is in `goal`.
    pub(super) fn can_next(&self, group: &[AgentIx], goal: &Bdd, fair: &Fairness) -> Answer<Bdd> {
        if !fair.formulas.is_empty() {
            let why = "fairness constraints have no meaning for strategies";
            return Err(Trouble::Unsupported(why.into()));
        }
        self.force(group, goal)
    }

    fn can_until(&self, group: &[AgentIx], hold: &Bdd, goal: &Bdd, fair: &Fairness) -> Answer<Bdd> {
        let s = &self.sys.space;
        let mut won = goal.clone();
        loop {
            let step = s.and(hold, &self.can_next(group, &won, fair)?)?;
            let more = s.or(&won, &step)?;
            if more == won {
                return Ok(won);
            }
            won = more;
        }
    }

    fn can_globally(&self, group: &[AgentIx], hold: &Bdd, fair: &Fairness) -> Answer<Bdd> {
        let s = &self.sys.space;
        let mut safe = hold.clone();
        loop {
            let less = s.and(&safe, &self.can_next(group, &safe, fair)?)?;
            if less == safe {
                return Ok(safe);
            }
            safe = less;
        }
    }

    fn force(&self, group: &[AgentIx], goal: &Bdd) -> Answer<Bdd> {
        let (sys, s) = (self.sys, &self.sys.space);
        let others: Vec<AgentIx> = AgentIx::all(&sys.machine.agents).filter(|a| !group.contains(a)).collect();
        let bad = s.not(goal);
        let mut lost = sys.step(&bad, &sys.steps_of(&others)?, Direction::Backward)?;
        lost = s.or(&lost, &s.and(&bad, &self.reach.idle(sys))?)?;
        for &agent in group {
            let own = sys.steps_of(&[agent])?;
            let can_act = sys.step(&s.yes(), &own, Direction::Backward)?;
            let can_win = sys.step(goal, &own, Direction::Backward)?;
            lost = s.or(&lost, &s.diff(&can_act, &can_win)?)?;
        }
        Ok(self.reach.tidy(sys, s.not(&lost))?)
    }
}
