//! Why something cannot come: facts about every snapshot that can follow, in the machine's terms.

use crate::logic::Formula;
use crate::machine::{BodyIx, ExprId, VarId};

/// Something that never holds from a snapshot of the run on, with what is known about why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The snapshot of the run; 0 is the initial one.
    pub at: usize,
    /// It is told beside the run: of the snapshot that looks the same to somebody, or of all snapshots.
    pub beside: bool,
    /// What never comes.
    pub never: Never,
}

/// What never comes, and why. Every part was checked on all snapshots that can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Never {
    /// A variable never has a value.
    Value {
        /// The variable.
        var: VarId,
        /// The value.
        value: i64,
        /// Everything that could give it the value, with what is in the way. Empty: nothing could.
        writers: Vec<Writer>,
    },
    /// A rule never fires; for a body, it never happens.
    Step(Writer),
    /// Where all of these hold, no next step makes something so.
    Next(Vec<Formula<ExprId>>, Box<Never>),
    /// In no snapshot where all of these hold does something come.
    Where(Vec<Formula<ExprId>>, Box<Never>),
    /// Once all of these have held, something never comes any more.
    Once(Vec<Formula<ExprId>>, Box<Never>),
    /// None of several ways ever comes.
    Each(Vec<Never>),
    /// Each of these parts can hold, but not all at once.
    Together(Vec<Formula<ExprId>>),
    /// A formula never holds, and no more is known.
    Plain(Formula<ExprId>),
    /// A variable never has a value, which was said before: what it needs needs it.
    Again(VarId, i64),
}

/// Something that could give a variable a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// Where it would happen: the same rule may be waiting in several bodies.
    pub bodies: Vec<BodyIx>,
    /// The rule's position in the first body; `None`: the body itself does it.
    pub rule: Option<usize>,
    /// What is in the way.
    pub blocked: Blocked,
}

/// What is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// None of the bodies ever happens; a condition of the first that never holds, if there is such a one.
    NeverHappens(Option<Obstacle>),
    /// None of the bodies ever happens: what the first needs never holds all at once.
    NeverTogether(Vec<Formula<ExprId>>),
    /// The bodies happen, and this never holds then.
    Part(Obstacle),
    /// The bodies happen, and these parts never hold then at the same time.
    Parts(Vec<Formula<ExprId>>),
    /// The bodies happen and give other values.
    Otherwise,
}

/// A part of a condition that never holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The part.
    pub part: Formula<ExprId>,
    /// It holds in no snapshot at all that can follow, not only when this happens.
    pub ever: bool,
    /// Why it never holds, where more is known.
    pub why: Vec<Never>,
    /// It may hold before the step, but this rule of the body comes first and takes it back.
    pub undone: Option<(BodyIx, usize)>,
}
