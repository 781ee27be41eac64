//! Standard questions about steps, which no formula can ask: does every guard fire, is every event consumed, does the order
//! of rules matter, is there a dead end before anything was finished?

use std::time::Instant;

use super::bdd::Bdd;
use super::check::{Answer, Checker};
use super::verdict::NativeAnswer;
use super::witness::Evidence;
use crate::gsm::{Application, Occurrence, RuleDef, RuleIx, Rules};
use crate::logic::{Logic, top_milestones};
use crate::machine::{Machine, Slot, VarId};
use crate::report::results::{Engine, PropertyResult, Verdict};

/// The question whether no reachable step depends on the order of the rules.
pub const ORDER_INDEPENDENT: &str = "order-independent";

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
}

/// What a question asks of the reachable snapshots.
enum Asks {
    /// One of them is in the set.
    Some(Bdd),
    /// None is.
    None(Bdd),
}

/// Answers the questions.
pub(super) fn answers(c: &Checker<'_, '_>, builtin: &Builtin) -> Vec<NativeAnswer> {
    let (m, s) = (c.sys.machine, &c.sys.space);
    let mut answers = Vec::new();
    for (rule, name) in &builtin.guards {
        let fires = || {
            let mut all = s.no();
            for (b, body) in m.bodies.iter().enumerate() {
                for (r, _) in body.rules.iter().enumerate().filter(|(_, r)| r.origin.rule == *rule) {
                    all = s.or(&all, &c.sys.firing(b, r)?)?;
                }
            }
            Ok(Asks::Some(all))
        };
        answers.push(answer(c, format!("guard-fires({name})"), fires));
    }
    for event in &builtin.events {
        let happens = || {
            let bodies = (0..m.bodies.len()).filter(|&b| m.bodies[b].event == *event);
            Ok(Asks::Some(bodies.into_iter().try_fold(s.no(), |all, b| s.or(&all, &c.sys.enabled(b)?))?))
        };
        answers.push(answer(c, format!("event-consumed({event})"), happens));
    }
    answers.push(answer(c, ORDER_INDEPENDENT.into(), || Ok(Asks::None(c.sys.races()?))));
    answers.push(answer(c, "no-early-dead-end".into(), || Ok(Asks::None(unfinished_dead_ends(c, &builtin.ends)?))));
    answers
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

fn answer(c: &Checker<'_, '_>, name: String, ask: impl FnOnce() -> Answer<Asks>) -> NativeAnswer {
    let begin = Instant::now();
    let mut result = PropertyResult {
        property: name.clone(),
        formula: name,
        expect: true,
        engine: Engine::Native,
        logic: Logic::Ctl,
        verdict: Verdict::Unknown,
        exact: false,
        reason: None,
        seconds: 0.0,
        trace: None,
        vacuous: Vec::new(),
        strategy: Vec::new(),
    };
    let mut evidence = None;
    let found = ask().and_then(|asks| {
        let (set, wanted) = match asks {
            Asks::Some(set) => (set, true),
            Asks::None(set) => (set, false),
        };
        let run = c.run_to(&set)?;
        Ok((run.is_some() == wanted, run))
    });
    match found {
        Ok((holds, run)) => {
            result = result.decided(holds, c.reach.overflow.is_false());
            evidence = run.map(|trail| Evidence { trail, rests_on: Vec::new() });
        }
        Err(trouble) => result = super::verdict::troubled(result, &trouble),
    }
    result.seconds = begin.elapsed().as_secs_f64();
    NativeAnswer { result, evidence, strategy: None }
}
