//! Runs as engines find them, in the machine's terms.

use crate::machine::AgentIx;

/// What may happen in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// An action of the machine with a code for each input of its body.
    Act {
        /// Index into [`crate::machine::Machine::actions`].
        action: usize,
        /// Payload, input by input.
        inputs: Vec<i64>,
    },
    /// Nothing happens.
    Idle,
}

/// A run from the initial snapshot. With `n` steps it has snapshots 0 to `n`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRun {
    /// The steps.
    pub steps: Vec<RawStep>,
    /// A lasso: `steps[loop_start..]` repeats for ever, so snapshot `n` is snapshot `loop_start` again; below `n`.
    pub loop_start: Option<usize>,
    /// For knowledge that fails: runs to snapshots that an agent cannot tell from one of this run.
    pub sides: Vec<SideRun>,
}

/// A step. At least one of the two must be known; what is not known is found by replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawStep {
    /// What was chosen.
    pub choice: Option<Choice>,
    /// The snapshot after it, one code per variable in variable order; `None` where the engine does not say.
    pub after: Option<Vec<Option<i64>>>,
}

/// A run to a snapshot that a group of agents cannot tell from snapshot `at` of the main run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideRun {
    /// Snapshot of the main run.
    pub at: usize,
    /// Who cannot tell them apart: each of these agents.
    pub agents: Vec<AgentIx>,
    /// The run; its last snapshot is the other one.
    pub run: RawRun,
}

impl RawStep {
    /// A step of which the choice is known.
    pub fn of(choice: Choice) -> RawStep {
        RawStep { choice: Some(choice), after: None }
    }

    /// A step of which the whole snapshot after it is known.
    pub fn to(after: &[i64]) -> RawStep {
        RawStep { choice: None, after: Some(after.iter().copied().map(Some).collect()) }
    }
}

impl RawRun {
    /// A run without a loop.
    pub fn of(choices: impl IntoIterator<Item = Choice>) -> RawRun {
        RawRun { steps: choices.into_iter().map(RawStep::of).collect(), ..RawRun::default() }
    }
}
