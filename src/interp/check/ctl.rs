//! CTL with fairness, and strategies.

use super::scc::cyclic_components;
use super::{Explicit, Set, not, zip};
use crate::interp::Choice;
use crate::machine::AgentIx;

/// Fairness: sets to be visited infinitely often, and the snapshots from which a fair run starts.
///
/// Fairness is about runs, so strategies ([`Explicit::can_next`] and its fixpoints) do not see it, nor does knowledge.
pub struct Fair {
    pub sets: Vec<Set>,
    pub starts: Set,
}

impl Fair {
    /// Every run is fair.
    pub fn none(explicit: &Explicit) -> Fair {
        Fair { sets: Vec::new(), starts: explicit.everywhere(true) }
    }

    /// Runs that visit each of these sets infinitely often.
    pub fn of(explicit: &Explicit, sets: Vec<Set>) -> Fair {
        let mut fair = Fair { sets, starts: explicit.everywhere(true) };
        fair.starts = explicit.eg(&explicit.everywhere(true), &fair);
        fair
    }
}

impl Explicit<'_> {
    /// Some successor, from which a fair run starts, is in `a`.
    pub(super) fn ex(&self, a: &Set, fair: &Fair) -> Set {
        self.next.iter().map(|after| after.iter().any(|t| a[*t] && fair.starts[*t])).collect()
    }

    /// Backward search from `b` (where a fair run starts) through `a`.
    pub(super) fn eu(&self, a: &Set, b: &Set, fair: &Fair) -> Set {
        let mut reached = zip(b, &fair.starts, |b, f| b && f);
        let mut todo: Vec<usize> = (0..reached.len()).filter(|s| reached[*s]).collect();
        while let Some(s) = todo.pop() {
            for &p in &self.prev[s] {
                if a[p] && !reached[p] {
                    reached[p] = true;
                    todo.push(p);
                }
            }
        }
        reached
    }

    /// A path inside `a` to a component of `a` that has a cycle and meets every fairness set.
    pub(super) fn eg(&self, a: &Set, fair: &Fair) -> Set {
        let inside = |s: &usize| a[*s];
        let edges = (0..a.len()).filter(inside).flat_map(|s| self.next[s].iter().map(move |t| (s, *t)));
        let mut core = self.everywhere(false);
        for component in cyclic_components(a.len(), edges.filter(|(_, t)| a[*t])) {
            if fair.sets.iter().all(|f| component.iter().any(|s| f[*s])) {
                component.iter().for_each(|s| core[*s] = true);
            }
        }
        let any = Fair { sets: Vec::new(), starts: self.everywhere(true) };
        self.eu(a, &core, &any)
    }

    /// No fair run on which `b` never comes, and none on which `a` and `b` fail together before `b` has come.
    pub(super) fn au(&self, a: &Set, b: &Set, fair: &Fair) -> Set {
        let not_b = not(b);
        let neither = zip(a, b, |a, b| !a && !b);
        let fails = zip(&self.eg(&not_b, fair), &self.eu(&not_b, &neither, fair), |x, y| x || y);
        not(&fails)
    }

    /// Whichever agent the scheduler picks: one of the group has a move into `a`, any other has only such moves. Idling is a
    /// move of the scheduler, so it must lead into `a` too.
    pub(super) fn can_next(&self, group: &[AgentIx], a: &Set) -> Set {
        let machine = self.interp().machine();
        let wins = |s: usize| {
            let mut good = vec![None; machine.agents.len()];
            for edge in self.graph.edges(s) {
                let into = a[edge.to as usize];
                match self.graph.choice(edge.label) {
                    Choice::Idle if !into => return false,
                    Choice::Idle => {}
                    Choice::Act { action, .. } => {
                        let agent = machine.actions[*action].agent;
                        let so_far = good[agent.0].unwrap_or(!group.contains(&agent));
                        good[agent.0] = Some(if group.contains(&agent) { so_far || into } else { so_far && into });
                    }
                }
            }
            good.iter().flatten().all(|g| *g)
        };
        (0..a.len()).map(wins).collect()
    }

    /// Least fixpoint of `b`, or `a` and one turn.
    pub(super) fn can_until(&self, group: &[AgentIx], a: &Set, b: &Set) -> Set {
        let mut now = b.clone();
        loop {
            let turn = zip(a, &self.can_next(group, &now), |a, n| a && n);
            let more = zip(b, &turn, |b, t| b || t);
            if more == now {
                return now;
            }
            now = more;
        }
    }

    /// Greatest fixpoint of `a` and one turn.
    pub(super) fn can_globally(&self, group: &[AgentIx], a: &Set) -> Set {
        let mut now = a.clone();
        loop {
            let fewer = zip(a, &self.can_next(group, &now), |a, n| a && n);
            if fewer == now {
                return now;
            }
            now = fewer;
        }
    }
}
