//! Runs that answer standard questions about steps, replayed.

use super::race;
use crate::interp::{Choice, Interp};
use crate::native::builtin::{Builtin, Question};
use crate::trace::{Kind, NotCertified, RawRun, Replayed, Trace, replay};

/// Replays the run behind an answer and checks that it shows what was asked.
pub fn certify(interp: &Interp, builtin: &Builtin, asked: &Question, run: &RawRun) -> Result<Trace, NotCertified> {
    let machine = interp.machine();
    let replayed = replay(interp, run)?;
    let (shown, kind) = match asked {
        Question::OrderIndependent => return race(interp, run),
        Question::Fires(rule) => {
            let fires = last_step(interp, &replayed).is_some_and(|(body, fired)| {
                let mut rules = fired.iter().filter_map(|f| body.rules.get(*f));
                rules.any(|r| r.origin.rule == *rule)
            });
            (fires, Kind::Witness)
        }
        Question::Consumed(event) => {
            let consumed = last_step(interp, &replayed).is_some_and(|(body, _)| body.event == *event);
            (consumed, Kind::Witness)
        }
        Question::NoEarlyDeadEnd => {
            let end = replayed.snapshots.last().filter(|s| interp.is_terminal(s));
            (end.is_some_and(|s| builtin.unfinished(machine, s)), Kind::Counterexample)
        }
    };
    if !shown {
        return Err(NotCertified::Claim("its end is not what was asked for".into()));
    }
    Ok(replayed.named(machine, kind))
}

/// What happened in the last step, and the positions of the rules that fired.
fn last_step<'m>(interp: &Interp<'m>, run: &'m Replayed) -> Option<(&'m crate::machine::Body, &'m [usize])> {
    let step = run.steps.last()?;
    let Choice::Act { action, .. } = &step.choice else { return None };
    let machine = interp.machine();
    Some((machine.body(machine.actions.get(*action)?), &step.fired))
}
