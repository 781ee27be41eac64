//! Runs that answer questions about steps, replayed.

use super::race;
use crate::interp::{Choice, Interp};
use crate::machine::{Ask, ExprId, Question, Steps};
use crate::trace::{Kind, NotCertified, RawRun, Replayed, Trace, replay};

/// Replays the run behind an answer and checks that it shows what was asked.
pub fn certify(interp: &Interp, asked: &Question, run: &RawRun) -> Result<Trace, NotCertified> {
    let machine = interp.machine();
    let replayed = replay(interp, run)?;
    let ends_where = |there: ExprId| replayed.snapshots.last().is_some_and(|s| interp.holds(there, s));
    let (shown, kind) = match &asked.ask {
        Ask::OrderIndependent => return race(interp, run),
        Ask::Some(steps) => (ends_with(interp, &replayed, steps), Kind::Witness),
        Ask::None(steps) => (ends_with(interp, &replayed, steps), Kind::Counterexample),
        Ask::Reach(there) => (ends_where(*there), Kind::Witness),
        Ask::Never(there) => (ends_where(*there), Kind::Counterexample),
        Ask::NoDeadEnd(bad) => {
            let end = replayed.snapshots.last().filter(|s| interp.is_terminal(s));
            (end.is_some_and(|s| interp.holds(*bad, s)), Kind::Counterexample)
        }
    };
    if !shown {
        return Err(NotCertified::Claim("its end is not what was asked for".into()));
    }
    Ok(replayed.named(machine, kind))
}

/// Is the last step one of these?
fn ends_with(interp: &Interp, run: &Replayed, steps: &[Steps]) -> bool {
    let Some(last) = run.steps.last() else { return false };
    let Choice::Act { action, .. } = &last.choice else { return false };
    let Some(action) = interp.machine().actions.get(*action) else { return false };
    steps.iter().any(|s| s.body == action.body && s.rule.is_none_or(|r| last.fired.contains(&r)))
}
