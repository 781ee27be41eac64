//! Status attributes in words.

use crate::lang::gsm::{Application, Over, Status, TypeIx};

fn id(app: &Application, ty: TypeIx, status: Status) -> &str {
    match status {
        Status::Stage(s) => &app.types[ty].stages[s].id,
        Status::Milestone(m) => &app.types[ty].milestones[m].id,
    }
}

/// `S is open`, `m was not achieved`.
pub fn status(app: &Application, ty: TypeIx, status: Status, value: bool, verb: &str) -> String {
    let state = match (status, value) {
        (Status::Stage(_), true) => "open",
        (Status::Stage(_), false) => "closed",
        (Status::Milestone(_), true) => "achieved",
        (Status::Milestone(_), false) => "not achieved",
    };
    format!("{} {verb} {state}", id(app, ty, status))
}

/// `S has just opened`, `m has just been invalidated`.
pub fn changed(app: &Application, ty: TypeIx, status: Status, up: bool) -> String {
    let change = match (status, up) {
        (Status::Stage(_), true) => "has just opened",
        (Status::Stage(_), false) => "has just closed",
        (Status::Milestone(_), true) => "has just been achieved",
        (Status::Milestone(_), false) => "has just been invalidated",
    };
    format!("{} {change}", id(app, ty, status))
}

/// The change to true.
pub fn rose(app: &Application, ty: TypeIx, status: Status) -> String {
    changed(app, ty, status, true)
}

/// Which slots are meant.
pub const fn over(over: Over) -> &'static str {
    match over {
        Over::Related | Over::RelatedTo { .. } => "related",
        Over::Created => "existing",
    }
}
