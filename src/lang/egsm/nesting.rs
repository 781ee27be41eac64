//! Calls on the way down: an element may stand there a few times only, or the move cannot be written down.

use super::model::{SentryIx, StageIx};

/// A call that others are made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// A sentry has changed.
    Update(SentryIx),
    /// A stage moves.
    Step(StageIx),
    /// A stage is forgotten.
    Clear(StageIx),
}

/// How deep the calls of a move are nested, where somebody asks.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// How often an element may stand on the way down; `None`: nobody asks.
    most: Option<usize>,
    path: Vec<Call>,
    /// Changes so far.
    pub changes: usize,
    /// A call changed something and should not have been made.
    pub beyond: bool,
}

/// A call that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// It should not have been made.
    beyond: bool,
    /// Changes before it.
    changes: usize,
}

impl Nesting {
    pub fn new(most: usize) -> Nesting {
        Nesting { most: Some(most), ..Nesting::default() }
    }

    /// A call begins.
    pub fn enter(&mut self, call: Call) -> Way {
        let Some(most) = self.most else { return Way { beyond: false, changes: 0 } };
        let beyond = self.path.iter().filter(|c| **c == call).count() >= most;
        self.path.push(call);
        Way { beyond, changes: self.changes }
    }

    /// It ends.
    pub fn leave(&mut self, way: Way) {
        self.path.pop();
        self.beyond |= way.beyond && self.changes > way.changes;
    }
}
