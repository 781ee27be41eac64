//! Standard questions about steps, which no formula can ask: does every guard fire, is every event consumed, does the order
//! of rules matter, is there a dead end before anything was finished?

use std::time::Instant;

use super::bdd::Bdd;
use super::check::{Answer, Checker};
use super::verdict::NativeAnswer;
use super::witness::{Evidence, Trail};
use crate::answer::{Engine, PropertyResult, Verdict};
use crate::lang::gsm::{Application, Occurrence, RuleDef, RuleIx, Rules};
use crate::logic::{Logic, top_milestones};
use crate::machine::{BodyIx, Machine, Slot, VarId};

/// What the standard questions are about.
#[derive(Clone, Debug, Default)]
pub struct Builtin {
    /// Guards: their rule in [`Rules`], and what they are called.
    pub guards: Vec<(RuleIx, String)>,
    /// Events as bodies name them.
    pub events: Vec<String>,
    /// Per slot, the milestones of top-level stages: one of them achieved, the instance has come to an end.
    pub ends: Vec<Vec<VarId>>,
}

impl Builtin {
    /// The standard questions of an application.
    pub fn of(app: &Application, machine: &Machine) -> Builtin {
        let rules = Rules::of(app);
        let guards = rules.list.iter().enumerate().filter(|(_, r)| r.pac() == 1);
        let name = |r: &RuleDef| format!("{}.{}", app.types[r.ty].id, r.label(app).trim_start_matches("PAC-1 "));
        let incoming = |o: &Occurrence| !matches!(o, Occurrence::Event(e) if app.events[*e].outgoing);
        let ends = |slot: &Slot| {
            let top = app.types.get(slot.ty).into_iter().flat_map(top_milestones);
            top.filter_map(|m| slot.milestones.get(m).copied()).collect()
        };
        Builtin {
            guards: guards.map(|(ix, r)| (ix, name(r))).collect(),
            events: Occurrence::all(app).into_iter().filter(incoming).map(|o| o.name(app)).collect(),
            ends: machine.slots.iter().map(ends).collect(),
        }
    }

    /// Whether some instance exists that has not come to an end.
    pub fn unfinished(&self, machine: &Machine, snapshot: &[i64]) -> bool {
        let is = |v: &VarId| snapshot.get(v.0 as usize).is_some_and(|code| *code != 0);
        let mut slots = machine.slots.iter().zip(&self.ends).filter(|(_, ends)| !ends.is_empty());
        slots.any(|(slot, ends)| is(&slot.created) && !ends.iter().any(is))
    }
}

/// A standard question about steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Can this guard, given by its rule in [`Rules`], fire?
    Fires(RuleIx),
    /// Can this event be consumed?
    Consumed(String),
    /// Does no reachable step depend on the order of the rules?
    OrderIndependent,
    /// Is there no dead end in which some instance has not come to an end?
    NoEarlyDeadEnd,
}

/// Steps of a body: those in which a rule fires, or all of them.
type Steps = (BodyIx, Option<usize>);

/// Answers the questions.
pub(super) fn answers(c: &Checker<'_, '_>, builtin: &Builtin) -> Vec<NativeAnswer> {
    let bodies = || c.sys.machine.bodies.iter().enumerate();
    let mut answers = Vec::new();
    for (guard, name) in &builtin.guards {
        let rules = bodies().flat_map(|(b, body)| body.rules.iter().enumerate().map(move |(r, rule)| (b, r, rule)));
        let steps = rules.filter(|(_, _, rule)| rule.origin.rule == *guard).map(|(b, r, _)| (b, Some(r)));
        let found = step_among(c, &steps.collect::<Vec<Steps>>());
        answers.push(answer(c, format!("guard-fires({name})"), Question::Fires(*guard), found));
    }
    for event in &builtin.events {
        let steps = bodies().filter(|(_, body)| body.event == *event).map(|(b, _)| (b, None));
        let found = step_among(c, &steps.collect::<Vec<Steps>>());
        answers.push(answer(c, format!("event-consumed({event})"), Question::Consumed(event.clone()), found));
    }
    let race = || c.run_to(&c.sys.races()?);
    answers.push(answer(c, "order-independent".into(), Question::OrderIndependent, timed(race)));
    let stuck = || c.run_to(&unfinished_dead_ends(c, &builtin.ends)?);
    answers.push(answer(c, "no-early-dead-end".into(), Question::NoEarlyDeadEnd, timed(stuck)));
    answers
}

/// Something found, or trouble, and how long it took.
type Timed<T> = (Answer<T>, f64);

fn timed<T>(work: impl FnOnce() -> Answer<T>) -> Timed<T> {
    let begin = Instant::now();
    (work(), begin.elapsed().as_secs_f64())
}

/// A shortest run that ends with one of these steps.
fn step_among(c: &Checker<'_, '_>, steps: &[Steps]) -> Timed<Option<Trail>> {
    timed(|| {
        let (sys, s) = (c.sys, &c.sys.space);
        let begin = steps.iter().try_fold(s.no(), |all, &(b, r)| s.or(&all, &sys.beginnings(b, r)?))?;
        let Some(mut trail) = c.run_to(&begin)? else { return Ok(None) };
        let here = trail.snapshots.last().cloned().unwrap_or_default();
        for &(body, rule) in steps {
            if let Some((choice, after)) = sys.example(&here, body, rule)? {
                trail.snapshots.push(after);
                trail.last = Some(choice);
                break;
            }
        }
        Ok(Some(trail))
    })
}

/// Dead ends in which some instance exists that has not come to an end.
fn unfinished_dead_ends(c: &Checker<'_, '_>, ends: &[Vec<VarId>]) -> Answer<Bdd> {
    let (sys, s) = (c.sys, &c.sys.space);
    let mut unfinished = s.no();
    for (slot, milestones) in sys.machine.slots.iter().zip(ends).filter(|(_, m)| !m.is_empty()) {
        let mut open = sys.value(slot.created).truth(s)?;
        for &m in milestones {
            open = s.diff(&open, &sys.value(m).truth(s)?)?;
        }
        unfinished = s.or(&unfinished, &open)?;
    }
    Ok(s.and(&c.reach.dead, &unfinished)?)
}

/// The answer that a run, or there being none, gives to a question.
fn answer(c: &Checker<'_, '_>, name: String, question: Question, found: Timed<Option<Trail>>) -> NativeAnswer {
    let (found, seconds) = found;
    let mut result = PropertyResult {
        property: name.clone(),
        formula: name,
        expect: true,
        engine: Engine::Native,
        logic: Logic::Ctl,
        verdict: Verdict::Unknown,
        exact: false,
        reason: None,
        seconds,
        trace: None,
        vacuous: Vec::new(),
        strategy: Vec::new(),
        cached: false,
    };
    let mut evidence = None;
    match found {
        Ok(run) => {
            let wanted = matches!(question, Question::Fires(_) | Question::Consumed(_));
            // The run to a race lacks its last step, which may overflow.
            let shown = run.as_ref().filter(|_| question != Question::OrderIndependent);
            let exact = c.reach.overflow.is_false() || shown.is_some_and(|t| t.never_overflows(c.sys.machine));
            result = result.decided(run.is_some() == wanted, exact);
            evidence = run.map(|trail| Evidence { trail, rests_on: Vec::new() });
        }
        Err(trouble) => result = super::verdict::troubled(result, &trouble),
    }
    NativeAnswer { result, evidence, strategy: None, question: Some(question) }
}
