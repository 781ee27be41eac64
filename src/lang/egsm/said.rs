//! What is so in a snapshot, as parts of a sentence.

use super::lower::vars::{CLOSED, OPENED, OUT_OF_ORDER, Role, SKIPPED, Turn, UNOPENED};
use super::model::{Kind, Model};
use crate::lang::lens::Said;

/// That a variable has a value; `None` where its name and the value say it.
pub fn said(model: &Model, role: Role, value: i64) -> Option<Said> {
    let holds = value != 0;
    let stage = |s: usize| model.stages[s].id.as_str();
    Some(match role {
        Role::State(s) => match value {
            UNOPENED => is(stage(s), "unopened"),
            OPENED => Said { never: Some(format!("{} never opens", stage(s))), ..is(stage(s), "open") },
            CLOSED => Said { never: Some(format!("{} never closes", stage(s))), ..is(stage(s), "closed") },
            _ => return None,
        },
        Role::Compliance(s) => match value {
            OUT_OF_ORDER => is(stage(s), "out of order"),
            SKIPPED => is(stage(s), "skipped"),
            _ => is(stage(s), "on time"),
        },
        Role::Faulty(s) => yes_or_no(stage(s), "faulty", holds),
        Role::Sentry(x) if model.sentries[x].kind == Kind::Milestone => {
            yes_or_no(&model.sentries[x].id, "achieved", holds)
        }
        Role::Last(turn, s) => {
            let (does, did, base) = match turn {
                Turn::Opens => ("opens", "opened", "open"),
                Turn::Completes => ("completes", "completed", "complete"),
                Turn::OutOfOrder => ("turns out of order", "turned out of order", "turn out of order"),
                Turn::Skipped => ("is passed over", "was passed over", "be passed over"),
                Turn::Faulty => ("turns faulty", "turned faulty", "turn faulty"),
            };
            happens(stage(s), (does, did, base), holds)
        }
        _ => return None,
    })
}

/// `Load is open`.
fn is(what: &str, state: &str) -> Said {
    Said {
        is: format!("{what} is {state}"),
        was: format!("{what} was {state}"),
        never: Some(format!("{what} is never {state}")),
        no_more: Some(format!("{what} can never be {state} any more")),
    }
}

fn yes_or_no(what: &str, state: &str, holds: bool) -> Said {
    match holds {
        true => is(what, state),
        false => Said {
            is: format!("{what} is not {state}"),
            was: format!("{what} was not {state}"),
            never: Some(format!("{what} is always {state}")),
            no_more: Some(format!("{what} stays {state}")),
        },
    }
}

/// Something that happens in a move, or does not.
fn happens(what: &str, (does, did, base): (&str, &str, &str), holds: bool) -> Said {
    match holds {
        true => Said {
            is: format!("{what} {does}"),
            was: format!("{what} {did}"),
            never: Some(match does.strip_prefix("is ") {
                Some(state) => format!("{what} is never {state}"),
                None => format!("{what} never {does}"),
            }),
            no_more: Some(format!("{what} can never {base} any more")),
        },
        false => {
            let (is, was) = match does.strip_prefix("is ") {
                Some(state) => (format!("is not {state}"), format!("was not {state}")),
                None => (format!("does not {base}"), format!("did not {base}")),
            };
            Said { is: format!("{what} {is}"), was: format!("{what} {was}"), never: None, no_more: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_their_grammar() {
        let passed_over = ("is passed over", "was passed over", "be passed over");
        let said = |s: Said| [Some(s.is), Some(s.was), s.never, s.no_more].map(Option::unwrap_or_default);
        let opens = said(happens("Load", ("opens", "opened", "open"), true));
        assert_eq!(opens, ["Load opens", "Load opened", "Load never opens", "Load can never open any more"]);
        let skipped = said(happens("Load", passed_over, true));
        assert_eq!(skipped[2..], ["Load is never passed over", "Load can never be passed over any more"]);
        assert_eq!(
            said(happens("Load", passed_over, false))[..2],
            ["Load is not passed over", "Load was not passed over"]
        );
        let still = said(yes_or_no("Load", "faulty", false));
        assert_eq!(still, ["Load is not faulty", "Load was not faulty", "Load is always faulty", "Load stays faulty"]);
    }
}
