//! Questions about steps, which no formula can ask: is there a step of this kind, does the order of rules matter, is there a
//! dead end where something is unfinished?

use std::time::Instant;

use super::check::{Answer, Checker, Trouble};
use super::verdict::{NativeAnswer, troubled};
use super::witness::{Evidence, Trail};
use crate::answer::{Engine, PropertyResult};
use crate::machine::{Ask, Question, Steps};

/// A run that shows a step that was asked for or was hoped not to be there.
fn look(c: &Checker<'_, '_>, ask: &Ask) -> Answer<Option<Trail>> {
    match ask {
        Ask::Some(steps) | Ask::None(steps) => step_among(c, steps),
        Ask::Reach(there) | Ask::Never(there) => c.run_to(&c.sys.atom(*there)?),
        Ask::OrderIndependent => c.run_to(&c.sys.races()?),
        Ask::NoDeadEnd(bad) => {
            let s = &c.sys.space;
            let bad = c.sys.atom(*bad)?;
            c.run_to(&s.and(&c.reach.dead, &bad)?)
        }
    }
}

/// A shortest run that ends with one of these steps.
fn step_among(c: &Checker<'_, '_>, steps: &[Steps]) -> Answer<Option<Trail>> {
    let (sys, s) = (c.sys, &c.sys.space);
    let begin = steps.iter().try_fold(s.no(), |all, &Steps { body, rule }| s.or(&all, &sys.beginnings(body, rule)?))?;
    let Some(mut trail) = c.run_to(&begin)? else { return Ok(None) };
    let here = trail.snapshots.last().cloned().unwrap_or_default();
    for &Steps { body, rule } in steps {
        if let Some((choice, after)) = sys.example(&here, body, rule)? {
            trail.made.insert(trail.snapshots.len(), choice);
            trail.snapshots.push(after);
            break;
        }
    }
    Ok(Some(trail))
}

/// The answer that a run, or there being none, gives to a question.
pub(super) fn answer(c: &Checker<'_, '_>, question: &Question) -> NativeAnswer {
    let begin = Instant::now();
    let found = look(c, &question.ask);
    let mut result =
        PropertyResult { seconds: begin.elapsed().as_secs_f64(), ..PropertyResult::asked(question, Engine::NATIVE) };
    let mut evidence = None;
    match found {
        Ok(run) => {
            let wanted = matches!(question.ask, Ask::Some(_) | Ask::Reach(_));
            // The run to a race lacks its last step, which may overflow.
            let shown = run.as_ref().filter(|_| question.ask != Ask::OrderIndependent);
            let exact = c.reach.overflow.is_false() || shown.is_some_and(|t| t.never_overflows(c.sys.machine));
            result = result.decided(run.is_some() == wanted, exact);
            evidence = run.map(|trail| Evidence { trail, rests_on: Vec::new() });
        }
        Err(trouble) => result = troubled(result, &trouble),
    }
    NativeAnswer { result, evidence, strategy: None, question: Some(question.clone()) }
}

/// The answer to a question that could not be looked into.
pub(super) fn unanswered(question: &Question, trouble: &Trouble) -> NativeAnswer {
    let result = troubled(PropertyResult::asked(question, Engine::NATIVE), trouble);
    NativeAnswer { result, evidence: None, strategy: None, question: Some(question.clone()) }
}
