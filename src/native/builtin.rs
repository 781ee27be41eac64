//! Questions about steps, which no formula can ask: is there a step of this kind, does the order of rules matter, is there a
//! dead end where something is unfinished?

use std::time::Instant;

use super::check::{Answer, Checker};
use super::verdict::NativeAnswer;
use super::witness::{Evidence, Trail};
use crate::answer::{Engine, PropertyResult, Verdict};
use crate::logic::Logic;
use crate::machine::{Ask, Question, Steps};

/// Answers the questions of the machine.
pub(super) fn answers(c: &Checker<'_, '_>) -> Vec<NativeAnswer> {
    c.sys.machine.questions.iter().map(|q| answer(c, q)).collect()
}

/// A run that shows a step that was asked for or was hoped not to be there.
fn look(c: &Checker<'_, '_>, ask: &Ask) -> Answer<Option<Trail>> {
    match ask {
        Ask::Some(steps) | Ask::None(steps) => step_among(c, steps),
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
            trail.snapshots.push(after);
            trail.last = Some(choice);
            break;
        }
    }
    Ok(Some(trail))
}

/// The answer that a run, or there being none, gives to a question.
fn answer(c: &Checker<'_, '_>, question: &Question) -> NativeAnswer {
    let begin = Instant::now();
    let found = look(c, &question.ask);
    let mut result = PropertyResult {
        property: question.name.clone(),
        formula: question.name.clone(),
        expect: question.expect,
        engine: Engine::NATIVE,
        logic: Logic::Ctl,
        verdict: Verdict::Unknown,
        exact: false,
        reason: None,
        seconds: begin.elapsed().as_secs_f64(),
        trace: None,
        vacuous: Vec::new(),
        strategy: Vec::new(),
        cached: false,
        decided_by: None,
        abstract_verdict: None,
    };
    let mut evidence = None;
    match found {
        Ok(run) => {
            let wanted = matches!(question.ask, Ask::Some(_));
            // The run to a race lacks its last step, which may overflow.
            let shown = run.as_ref().filter(|_| question.ask != Ask::OrderIndependent);
            let exact = c.reach.overflow.is_false() || shown.is_some_and(|t| t.never_overflows(c.sys.machine));
            result = result.decided(run.is_some() == wanted, exact);
            evidence = run.map(|trail| Evidence { trail, rests_on: Vec::new() });
        }
        Err(trouble) => result = super::verdict::troubled(result, &trouble),
    }
    NativeAnswer { result, evidence, strategy: None, question: Some(question.clone()) }
}
