//! Why something turned within a move, in the words of the model.

use super::literal::{Compliance, Happening, Moment, Move, Snapshot, Status, Turn, watched};
use super::model::{Condition, EventIx, Kind, Model, StageIx};

/// What turned in a move, in order, each with its reason.
pub fn turns(model: &Model, before: &Snapshot, what: Move) -> Vec<(Turn, String)> {
    let mut all = Vec::new();
    let mut opening = Opening { skipped: before.stages.iter().map(is_skipped).collect(), by: None, flows: Vec::new() };
    let mut witness = |m: &Moment| {
        if let Happening::Turn(turn) = m.what {
            match turn {
                // Flow guards are asked when a stage opens; re-opening clears what they speak of.
                Turn::Opens(s) => opening.flows = model.of(s, Kind::Flow).map(|p| because(model, m, p)).collect(),
                Turn::OutOfOrder(s) => opening.by = Some(s),
                _ => {}
            }
            all.push((turn, reason(model, m, turn, &opening)));
        }
        opening.skipped = m.now.stages.iter().map(is_skipped).collect();
    };
    if watched(model, before, what, Some(&mut witness)).is_err() {
        all.truncate(1_000);
    }
    all
}

/// What was so when the last stage opened.
struct Opening {
    /// Per stage: was it skipped?
    skipped: Vec<bool>,
    /// The stage that last opened out of order.
    by: Option<StageIx>,
    /// Why each of its flow guards had its value.
    flows: Vec<String>,
}

fn is_skipped(status: &Status) -> bool {
    status.compliance == Compliance::Skipped
}

fn reason(model: &Model, m: &Moment, turn: Turn, opening: &Opening) -> String {
    let name = |s: StageIx| &model.stages[s].id;
    let held = |s: StageIx, kind: Kind| {
        let of_kind = model.of(s, kind).filter(|x| m.now.sentries[*x]);
        let words = of_kind.map(|x| format!("{} held: {}", model.sentries[x].id, because(model, m, x)));
        words.collect::<Vec<_>>().join("; ")
    };
    match turn {
        Turn::Opens(s) => format!("its guard {}", held(s, Kind::Guard)),
        Turn::Completes(s) => format!("its milestone {}", held(s, Kind::Milestone)),
        Turn::OutOfOrder(s) if opening.skipped[s] => format!("{} had been skipped", name(s)),
        Turn::OutOfOrder(s) => format!("no ProcessFlowGuard of {} held: {}", name(s), opening.flows.join("; ")),
        Turn::Skipped(s) => match opening.by {
            Some(by) => format!("{} opened out of order, and its ProcessFlowGuard names {}", name(by), name(s)),
            None => format!("another stage opened that should have waited for {}", name(s)),
        },
        Turn::Faulty(s) => format!("the fault logger {}", held(s, Kind::Fault)),
        Turn::Guard(x) => because(model, m, x),
    }
}

/// What makes a sentry have the value it has.
fn because(model: &Model, m: &Moment, x: usize) -> String {
    let sentry = &model.sentries[x];
    let now = m.now.value(&sentry.condition, m.occurring);
    if now.unwrap_or(false) != m.now.sentries[x] {
        return format!("{} was last looked at before", sentry.id);
    }
    let mut words = Vec::new();
    facts(model, m.now, m.occurring, &sentry.condition, &mut words);
    match now {
        None => format!("{} asks for an event that is not declared", sentry.id),
        _ if words.is_empty() => "always so".into(),
        _ => words.join(" and "),
    }
}

/// The facts that decide a condition: the first part that fails, or all that hold.
fn facts(model: &Model, now: &Snapshot, occurring: Option<EventIx>, condition: &Condition, into: &mut Vec<String>) {
    let not = |is: bool| if is { "" } else { "not " };
    let fact = match condition {
        Condition::Const(_) | Condition::Undeclared => return,
        Condition::Not(a) => return facts(model, now, occurring, a, into),
        Condition::And(parts) | Condition::Or(parts) => {
            // One part is enough to refute a conjunction, or to prove a disjunction.
            let enough = Some(matches!(condition, Condition::Or(_)));
            match parts.iter().find(|p| now.value(p, occurring) == enough) {
                Some(part) => facts(model, now, occurring, part, into),
                None => parts.iter().for_each(|p| facts(model, now, occurring, p, into)),
            }
            return;
        }
        Condition::Occurs(e) => format!("{} was {}occurring", model.events[*e].id, not(occurring == Some(*e))),
        Condition::Opened(s) => {
            let opened = now.value(condition, occurring) == Some(true);
            format!("{} was {}opened", model.stages[*s].id, not(opened))
        }
        Condition::Achieved(x) => format!("{} was {}achieved", model.sentries[*x].id, not(now.sentries[*x])),
        Condition::Is(i, code, _) => {
            let item = &model.items[*i];
            let text = |code: i64| match code.checked_sub(1).and_then(|at| item.values.get(at as usize)) {
                Some(text) => format!("'{text}'"),
                None => "of another status".into(),
            };
            format!("{} was {}{}", item.id, not(now.items[*i] == *code), text(*code))
        }
    };
    if !into.contains(&fact) {
        into.push(fact);
    }
}
