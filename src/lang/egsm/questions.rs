//! The standard questions of a process owner: what can open, be reported, be finished; which guards are dead.

use super::atoms::{Fact, violation};
use super::literal::{self, Move};
use super::lower::{Bodies, Built, Cause, Role, Turn};
use super::model::{Kind, Model, SentryIx, StageIx};
use super::search::{Settles, Wanted, search};
use crate::answer::{Choice, RawRun, RawStep};
use crate::lang::lens::{Finding, Findings};
use crate::logic::{Formula, Property};
use crate::machine::{Ask, BodyIx, Question, Steps, TRUE};
use std::collections::BTreeSet;

/// Do the rules come to an end?
const SETTLES: &str = "settles";

/// Questions that formulas can ask: can a stage be finished without a reported violation, do the rules settle?
pub fn properties(model: &Model) -> Vec<Property<Fact>> {
    let Some(root) = model.stages.first() else { return Vec::new() };
    let clean = || Formula::Atom(Fact::Not(Box::new(violation(model))));
    let finishable = (0..model.stages.len()).filter(|s| model.of(*s, Kind::Milestone).any(|m| can_hold(model, m)));
    let finished = finishable.map(|s| {
        let done = Formula::Atom(Fact::And(vec![
            Fact::Has(Role::Last(Turn::Completes, s), 1),
            Fact::Not(Box::new(violation(model))),
        ]));
        let stage = &model.stages[s];
        let name = compliantly(model, s);
        let text = format!("E(!violation U completes('{}') && !violation)", stage.id);
        Property { text, ..Property::new(name, Formula::eu(clean(), done), stage.span) }
    });
    let settles = Formula::ag(Formula::Atom(Fact::Not(Box::new(Fact::Has(Role::Unstable, 1)))));
    let settles = Property { text: "AG !unstable".into(), ..Property::new(SETTLES, settles, root.span) };
    finished.chain([settles]).collect()
}

/// Can a stage be finished without a reported violation?
fn compliantly(model: &Model, s: StageIx) -> String {
    format!("can-complete-compliantly({})", model.stages[s].id)
}

fn can_hold(model: &Model, m: SentryIx) -> bool {
    !model.sentries[m].condition.never_holds()
}

/// A question about steps, before the machine is there.
struct Asked {
    name: String,
    role: Role,
    /// The expected answer; `None`: either is fine.
    expect: Option<bool>,
    /// Asked the other way round: is there no such step?
    dead: bool,
}

fn asked(model: &Model) -> Vec<Asked> {
    let mut all = Vec::new();
    for (s, stage) in model.stages.iter().enumerate() {
        let mut ask = |what: &str, turn: Turn, expect: Option<bool>| {
            let name = format!("{what}({})", stage.id);
            all.push(Asked { name, role: Role::Last(turn, s), expect, dead: false });
        };
        let named = model.stages.iter().enumerate().any(|(t, other)| t != s && other.named.contains(&s));
        ask("can-open", Turn::Opens, Some(true));
        if named || model.of(s, Kind::Flow).next().is_some() {
            ask("can-be-outOfOrder", Turn::OutOfOrder, None);
        }
        if named {
            ask("can-be-skipped", Turn::Skipped, None);
        }
        if model.of(s, Kind::Fault).next().is_some() {
            ask("can-be-faulty", Turn::Faulty, Some(true));
        }
        for g in model.of(s, Kind::Guard) {
            let name = format!("dead-guard({})", model.sentries[g].id);
            all.push(Asked { name, role: Role::LastGuard(g), expect: Some(false), dead: true });
        }
    }
    all
}

/// What the machine must watch for the questions about steps.
pub fn watched(model: &Model) -> BTreeSet<Role> {
    asked(model).into_iter().map(|q| q.role).collect()
}

/// What looking at snapshots one by one answers of the standard questions that somebody `wants`; how many snapshots there are, if not too many.
pub fn found(model: &Model, bodies: &Bodies, wants: &dyn Fn(&str) -> bool, stop: &dyn Fn() -> bool) -> Findings {
    let asked: Vec<Asked> = asked(model).into_iter().filter(|q| wants(&q.name)).collect();
    let finishable = |s: &StageIx| model.of(*s, Kind::Milestone).any(|m| can_hold(model, m));
    let finished = (0..model.stages.len()).filter(|s| wants(&compliantly(model, *s)) && finishable(s));
    // Who was passed over opens out of order.
    let with_cause = |turn| match turn {
        literal::Turn::OutOfOrder(s) => vec![turn, literal::Turn::Skipped(s)],
        _ => vec![turn],
    };
    let wanted = Wanted {
        turns: asked.iter().filter_map(|q| turn(q.role)).flat_map(with_cause).collect(),
        finished: finished.collect(),
        nesting: bodies.cuts().then_some(bodies.nesting),
        settling: wants(SETTLES),
    };
    let found = search(model, &wanted, stop);
    let mut answers = Vec::new();
    for &s in &wanted.finished {
        let name = compliantly(model, s);
        match found.clean.get(&s) {
            Some(moves) => answers.push(Finding { name, holds: true, run: run(bodies, moves) }),
            None if found.unclean.contains(&s) => answers.push(Finding { name, holds: false, run: None }),
            None => {}
        }
    }
    let overflows = found.overflows();
    answers.extend(found.settles.filter(|_| wanted.settling).map(|settles| match settles {
        Settles::Always => Finding { name: SETTLES.into(), holds: true, run: None },
        Settles::Not(moves) => Finding { name: SETTLES.into(), holds: false, run: run(bodies, &moves) },
    }));
    for q in &asked {
        let Some(turn) = turn(q.role) else { continue };
        match found.runs.get(&turn) {
            Some(moves) => answers.push(Finding { name: q.name.clone(), holds: !q.dead, run: run(bodies, moves) }),
            None if found.never.contains(&turn) => {
                answers.push(Finding { name: q.name.clone(), holds: q.dead, run: None });
            }
            None => {}
        }
    }
    Findings { answers, snapshots: found.snapshots, overflows }
}

/// What turns when a question about steps is answered.
fn turn(role: Role) -> Option<literal::Turn> {
    Some(match role {
        Role::Last(Turn::Opens, s) => literal::Turn::Opens(s),
        Role::Last(Turn::Completes, s) => literal::Turn::Completes(s),
        Role::Last(Turn::OutOfOrder, s) => literal::Turn::OutOfOrder(s),
        Role::Last(Turn::Skipped, s) => literal::Turn::Skipped(s),
        Role::Last(Turn::Faulty, s) => literal::Turn::Faulty(s),
        Role::LastGuard(x) => literal::Turn::Guard(x),
        _ => return None,
    })
}

/// Moves as the machine takes them: an action per body.
fn run(bodies: &Bodies, moves: &[Move]) -> Option<RawRun> {
    let step = |what: &Move| {
        let action = bodies.moves.iter().position(|m| m.what == *what)?;
        let inputs = match what {
            Move::Item(_, code) => vec![*code],
            Move::Event(_) => Vec::new(),
        };
        Some(RawStep::of(Choice::Act { action, inputs }))
    };
    let steps: Option<Vec<RawStep>> = moves.iter().map(step).collect();
    Some(RawRun { steps: steps?, ..RawRun::default() })
}

/// The questions about steps of a machine.
pub fn questions(model: &Model, bodies: &Bodies, built: &Built) -> Vec<Question> {
    let place = |q: Asked| {
        let notes = |key: u32| built.causes.get(key as usize) == Some(&(Cause::Note, q.role));
        let rules = BodyIx::each(&built.machine.bodies);
        let rules = rules.flat_map(|(body, b)| b.rules.iter().enumerate().map(move |(r, rule)| (body, r, rule)));
        let steps: Vec<Steps> = rules
            .filter(|(_, _, rule)| notes(rule.origin.key))
            .map(|(body, r, _)| Steps { body, rule: Some(r) })
            .collect();
        let ask = match (bodies.at_start(q.role), q.dead) {
            (true, true) => Ask::Never(TRUE),
            (true, false) => Ask::Reach(TRUE),
            (false, true) => Ask::None(steps),
            (false, false) => Ask::Some(steps),
        };
        Question { name: q.name, expect: q.expect.unwrap_or(true), either: q.expect.is_none(), span: None, ask }
    };
    asked(model).into_iter().map(place).collect()
}

/// In words, when the answer is not the expected one.
pub fn words(model: &Model, name: &str, answer: bool) -> Option<String> {
    let (kind, of) = name.strip_suffix(')')?.split_once('(')?;
    let guard = |id: &str| {
        let sentry = model.sentries.iter().find(|s| s.id == id)?;
        Some(model.stages.get(sentry.stage as StageIx)?.id.clone())
    };
    Some(match (kind, answer) {
        ("can-open", false) => format!("{of} never opens"),
        ("can-be-outOfOrder", false) => format!("{of} is never reported out of order"),
        ("can-be-skipped", false) => format!("leaving {of} out is never noticed"),
        ("can-be-faulty", false) => format!("the fault logger of {of} can never trip"),
        ("can-complete-compliantly", false) => format!("{of} cannot be finished without a reported violation"),
        ("dead-guard", true) => format!("{} never opens through guard {of}", guard(of)?),
        _ => return None,
    })
}
