//! Knowledge: what an agent cannot tell apart, it does not know to differ.

use super::{Explicit, Set, zip};
use crate::interp::Interp;
use crate::logic::Know;
use crate::machine::{AgentIx, Snapshot};
use rustc_hash::FxHashMap;

/// What an agent sees of a snapshot: its private variables, and per slot nothing or the values it may see.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LocalState {
    /// The whole snapshot.
    Everything(Snapshot),
    /// Private variables, and the slots in order; `None` where a slot is not visible.
    Partial(Vec<i64>, Vec<Option<Vec<i64>>>),
}

impl Interp<'_> {
    /// The local state of an agent in a snapshot.
    pub fn local_state(&self, agent: AgentIx, snapshot: &Snapshot) -> LocalState {
        let value = |v: &crate::machine::VarId| snapshot[*v];
        match self.machine().agents.get(agent.0) {
            Some(a) if !a.sees_all => {
                let see = |v: &crate::machine::View| {
                    self.holds(v.visible, snapshot).then(|| v.seen.iter().map(value).collect())
                };
                LocalState::Partial(a.private.iter().map(value).collect(), a.views.iter().map(see).collect())
            }
            _ => LocalState::Everything(snapshot.clone()),
        }
    }
}

impl Explicit<'_> {
    /// Snapshots in which the group knows `a`.
    pub(super) fn knows(&self, kind: Know, group: &[AgentIx], a: &Set) -> Set {
        match kind {
            Know::K | Know::Everybody => self.everybody(group, a),
            Know::Distributed => self.in_whole_class(group, a),
            Know::Common => {
                // The greatest set on which `a` holds and everybody knows that we are in it.
                let mut now = a.clone();
                loop {
                    let fewer = zip(&now, &self.everybody(group, &now), |x, y| x && y);
                    if fewer == now {
                        return now;
                    }
                    now = fewer;
                }
            }
        }
    }

    fn everybody(&self, group: &[AgentIx], a: &Set) -> Set {
        let alone = group.iter().map(|agent| self.in_whole_class(&[*agent], a));
        alone.fold(self.everywhere(true), |all, one| zip(&all, &one, |x, y| x && y))
    }

    /// Snapshots such that `a` holds wherever the group, pooling what its members see, cannot tell the difference.
    fn in_whole_class(&self, group: &[AgentIx], a: &Set) -> Set {
        let look = |codes: &Snapshot| -> Vec<LocalState> {
            group.iter().map(|agent| self.interp().local_state(*agent, codes)).collect()
        };
        let looks: Vec<_> = self.codes.iter().map(look).collect();
        let mut all_good: FxHashMap<&Vec<LocalState>, bool> = FxHashMap::default();
        for (look, good) in looks.iter().zip(a) {
            *all_good.entry(look).or_insert(true) &= good;
        }
        looks.iter().map(|look| all_good[look]).collect()
    }
}
