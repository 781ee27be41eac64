//! Runs, and who sees what along them.

use super::order::changes;
use super::{Cards, StepView, Viewer};
use crate::explain::Change;
use crate::machine::{AgentIx, Snapshot};
use crate::trace::{NotCertified, RawRun, Replayed, Trace, Values, path, replay};
use serde::Serialize;

/// A run. With `n` steps it has snapshots 0 to `n`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathView {
    /// The run as one line of text, as `--path` takes it.
    pub path: String,
    /// A lasso: the steps from here on repeat for ever.
    pub loop_start: Option<usize>,
    /// The first snapshot; every later one is this with the changes of the steps up to it.
    pub initial: Values,
    /// The steps.
    pub steps: Vec<StepView>,
    /// Per snapshot, what each agent sees (see [`Viewer::sights`]).
    pub sights: Vec<Vec<Sight>>,
    /// Runs to snapshots that agents cannot tell from one of this run.
    pub sides: Vec<SideView>,
}

/// A run to a snapshot that looks the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideView {
    /// Snapshot of the main run.
    pub at: usize,
    /// Who cannot tell the two apart.
    pub agents: Vec<String>,
    /// What differs: `old` in the main run's snapshot, `new` in the side run's last one.
    pub differs: Vec<Change>,
    /// The run.
    pub run: PathView,
}

/// What an agent sees of a snapshot: the variables of [`super::AgentView::sees`] of the visible slots, and its private ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sight {
    /// Position in [`super::ModelView::agents`].
    pub agent: usize,
    /// Per slot: does its window show it?
    pub visible: Vec<bool>,
}

impl Viewer<'_> {
    /// What the agents see in a snapshot; those that see everything are not listed.
    pub fn sights(&self, snapshot: &Snapshot) -> Vec<Sight> {
        let agents = AgentIx::each(&self.interp.machine().agents).filter(|(_, a)| !a.sees_all);
        let sight = |(agent, a): (AgentIx, &crate::machine::MachineAgent)| Sight {
            agent: agent.0,
            visible: a.views.iter().map(|v| self.interp.holds(v.visible, snapshot)).collect(),
        };
        agents.map(sight).collect()
    }

    /// A run that was replayed.
    pub fn path(&self, run: &Replayed, cards: Cards) -> PathView {
        let m = self.interp.machine();
        let steps = run.steps.iter().zip(&run.snapshots);
        let side = |(at, agents, other): &(usize, Vec<AgentIx>, Replayed)| SideView {
            at: *at,
            agents: agents.iter().map(|a| m.agent_name(*a).to_string()).collect(),
            differs: changes(m, &run.snapshots[*at], &other.snapshots[other.steps.len()]),
            run: self.path(other, cards),
        };
        PathView {
            path: path::write(m, run.steps.iter().map(|s| &s.choice)),
            loop_start: run.loop_start,
            initial: run.snapshots.first().map(|s| self.snapshot(s)).unwrap_or_default(),
            steps: steps.filter_map(|(s, before)| self.step(before, &s.choice, cards)).collect(),
            sights: run.snapshots.iter().map(|s| self.sights(s)).collect(),
            sides: run.sides.iter().map(side).collect(),
        }
    }

    /// A trace of the results, replayed.
    pub fn trace(&self, trace: &Trace, cards: Cards) -> Result<PathView, NotCertified> {
        Ok(self.path(&replay(self.interp, &trace.locate(self.interp)?)?, cards))
    }

    /// A run in the machine's terms, replayed.
    pub fn run(&self, run: &RawRun, cards: Cards) -> Result<PathView, NotCertified> {
        Ok(self.path(&replay(self.interp, run)?, cards))
    }
}
