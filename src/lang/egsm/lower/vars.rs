//! The variables of an E-GSM machine and their handles.

use crate::lang::egsm::literal;
use crate::lang::egsm::model::{ItemIx, Model, SentryIx, StageIx};
use crate::machine::VarId;

/// `state` of a stage, coded.
pub const UNOPENED: i64 = 0;
/// Open now.
pub const OPENED: i64 = 1;
/// No longer open.
pub const CLOSED: i64 = 2;
/// `compliance` of a stage, coded.
pub const ON_TIME: i64 = 0;
/// Opened when it should not.
pub const OUT_OF_ORDER: i64 = 1;
/// Passed over.
pub const SKIPPED: i64 = 2;

/// What happened to a stage in the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn {
    /// It opened.
    Opens,
    /// It closed while a milestone of it held.
    Completes,
    /// It turned out of order.
    OutOfOrder,
    /// It was passed over.
    Skipped,
    /// A fault logger of it tripped.
    Faulty,
}

impl Turn {
    /// All of them, in the order of their variables.
    pub const ALL: [Turn; 5] = [Turn::Opens, Turn::Completes, Turn::OutOfOrder, Turn::Skipped, Turn::Faulty];
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Unopened, opened, closed.
    State(StageIx),
    /// On time, out of order, skipped.
    Compliance(StageIx),
    /// A fault logger tripped.
    Faulty(StageIx),
    /// Last value of a sentry.
    Sentry(SentryIx),
    /// Status of an item.
    Item(ItemIx),
    /// Something happened to the stage in the last move.
    Last(Turn, StageIx),
    /// A guard became true in the last move.
    LastGuard(SentryIx),
    /// The rules did not settle within the bound; sticky.
    Unstable,
    /// The condition under which a call is made.
    Condition(usize),
}

impl From<literal::Turn> for Role {
    /// The variable that notes what happened within a move.
    fn from(turn: literal::Turn) -> Role {
        match turn {
            literal::Turn::Opens(s) => Role::Last(Turn::Opens, s),
            literal::Turn::Completes(s) => Role::Last(Turn::Completes, s),
            literal::Turn::OutOfOrder(s) => Role::Last(Turn::OutOfOrder, s),
            literal::Turn::Skipped(s) => Role::Last(Turn::Skipped, s),
            literal::Turn::Faulty(s) => Role::Last(Turn::Faulty, s),
            literal::Turn::Guard(g) => Role::LastGuard(g),
        }
    }
}

/// Handles by role: everything of section order first, conditions last.
#[derive(Clone, Copy, Debug)]
pub struct Vars {
    stages: usize,
    sentries: usize,
    items: usize,
}

impl Vars {
    /// The handles of a model.
    pub fn of(model: &Model) -> Vars {
        Vars { stages: model.stages.len(), sentries: model.sentries.len(), items: model.items.len() }
    }

    /// The handle of a role.
    pub fn id(&self, role: Role) -> VarId {
        let Vars { stages, sentries, items } = *self;
        let after_stages = 3 * stages;
        let after_sentries = after_stages + sentries;
        let after_items = after_sentries + items;
        let after_turns = after_items + Turn::ALL.len() * stages;
        let ix = match role {
            Role::State(s) => Vars::state(s),
            Role::Compliance(s) => 3 * s + 1,
            Role::Faulty(s) => 3 * s + 2,
            Role::Sentry(x) => after_stages + x,
            Role::Item(i) => after_sentries + i,
            Role::Last(turn, s) => after_items + Turn::ALL.len() * s + turn as usize,
            Role::LastGuard(x) => after_turns + x,
            Role::Unstable => after_turns + sentries,
            Role::Condition(n) => after_turns + sentries + 1 + n,
        };
        VarId(ix as u32)
    }

    /// Position of the state of a stage.
    pub fn state(s: StageIx) -> usize {
        3 * s
    }

    /// The role of a handle.
    pub fn role(&self, id: VarId) -> Role {
        let Vars { stages, sentries, items } = *self;
        let mut ix = id.0 as usize;
        let mut within = |n: usize| {
            if ix < n {
                true
            } else {
                ix -= n;
                false
            }
        };
        if within(3 * stages) {
            return match ix % 3 {
                0 => Role::State(ix / 3),
                1 => Role::Compliance(ix / 3),
                _ => Role::Faulty(ix / 3),
            };
        }
        if within(sentries) {
            return Role::Sentry(ix);
        }
        if within(items) {
            return Role::Item(ix);
        }
        if within(Turn::ALL.len() * stages) {
            return Role::Last(Turn::ALL[ix % Turn::ALL.len()], ix / Turn::ALL.len());
        }
        if within(sentries) {
            return Role::LastGuard(ix);
        }
        if within(1) { Role::Unstable } else { Role::Condition(ix) }
    }

    /// Number of variables that are not conditions.
    pub fn named(&self) -> usize {
        self.id(Role::Condition(0)).0 as usize
    }
}
