//! Why something turned within a move, in the words of the model.

use super::literal::{Compliance, Happening, Moment, Move, Snapshot, State, Status, Turn, watched};
use super::model::{Condition, EventIx, ItemIx, Kind, Model, SentryIx, StageIx};

/// What turned in a move, in order, each with its reason.
pub fn turns(model: &Model, before: &Snapshot, what: Move) -> Vec<(Turn, String)> {
    let turn = |told: Told| match told.what {
        Happening::Turn(turn) => Some((turn, told.why)),
        _ => None,
    };
    told(model, before, what).into_iter().filter_map(turn).collect()
}

/// Something that happened within a move.
struct Told {
    what: Happening,
    /// For a sentry: the value it got.
    holds: bool,
    why: String,
}

/// Everything that happened in a move, in order, each with its reason.
fn told(model: &Model, before: &Snapshot, what: Move) -> Vec<Told> {
    let mut all = Vec::new();
    let mut opening = Opening { skipped: before.stages.iter().map(is_skipped).collect(), by: None, flows: Vec::new() };
    let mut witness = |m: &Moment| {
        let (mut holds, mut why) = (true, String::new());
        match m.what {
            Happening::Turn(turn) => {
                match turn {
                    // Flow guards are asked when a stage opens; re-opening clears what they speak of.
                    Turn::Opens(s) => opening.flows = model.of(s, Kind::Flow).map(|p| because(model, m, p)).collect(),
                    Turn::OutOfOrder(s) => opening.by = Some(s),
                    _ => {}
                }
                why = reason(model, m, turn, &opening);
            }
            Happening::Sentry(x) => {
                holds = m.now.sentries[x];
                let stage = model.sentries[x].stage;
                let gone = !holds && m.now.stages[stage].state == State::Unopened;
                why = match model.sentries[x].kind == Kind::Milestone && gone {
                    true => format!("{} was forgotten", model.stages[stage].id),
                    false => because(model, m, x),
                };
            }
            Happening::ClosedWith(s) => {
                why = model.stages[s].parent.map(|p| format!("{} closed", model.stages[p].id)).unwrap_or_default();
            }
            Happening::Cleared(_) => why = "a stage around it opened again".into(),
            Happening::Occurs(_) => {}
        }
        all.push(Told { what: m.what, holds, why });
        opening.skipped = m.now.stages.iter().map(is_skipped).collect();
    };
    if watched(model, before, what, Some(&mut witness)).is_err() {
        all.truncate(1_000);
    }
    all
}

/// Something that has a name in a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A stage.
    Stage(StageIx),
    /// A sentry.
    Sentry(SentryIx),
    /// An item.
    Item(ItemIx),
}

impl Named {
    /// What is called so.
    pub fn find(model: &Model, name: &str) -> Option<Named> {
        let stage = model.stages.iter().position(|s| s.id == name).map(Named::Stage);
        let sentry = || model.sentries.iter().position(|s| s.id == name).map(Named::Sentry);
        let item = || model.items.iter().position(|i| i.id == name).map(Named::Item);
        stage.or_else(sentry).or_else(item)
    }
}

/// What happened to something in a move and why, as one sentence; `None`: nothing did.
pub fn happened(model: &Model, before: &Snapshot, what: Move, about: Named) -> Option<String> {
    let cause = match what {
        Move::Event(e) => format!("{} occurred", model.events[e].id),
        Move::Item(i, code) => format!("{} became {}", model.items[i].id, status(model, i, code)),
    };
    let (name, parts): (&str, Vec<String>) = match about {
        Named::Stage(s) => {
            let all = told(model, before, what).into_iter();
            (&model.stages[s].id, all.filter_map(|t| of_stage(s, &t, &cause)).collect())
        }
        Named::Sentry(x) => {
            let word = match model.sentries[x].kind {
                Kind::Milestone => ["is no longer achieved", "was achieved"],
                Kind::Fault => ["was reset", "tripped"],
                Kind::Guard | Kind::Flow => ["became false", "became true"],
            };
            let mine = told(model, before, what).into_iter().filter(|t| t.what == Happening::Sentry(x));
            let one = |t: Told| format!("it {} because {cause}: {}", word[usize::from(t.holds)], t.why);
            (&model.sentries[x].id, mine.map(one).collect())
        }
        Named::Item(i) => match what {
            Move::Item(changed, code) if changed == i => {
                return Some(format!("{} became {}.", model.items[i].id, status(model, i, code)));
            }
            _ => return None,
        },
    };
    let sentence = parts.join("; ");
    Some(format!("{name}{}.", sentence.strip_prefix("it")?))
}

/// What happened to a stage, as part of a sentence.
fn of_stage(s: StageIx, told: &Told, cause: &str) -> Option<String> {
    let (of, word) = match told.what {
        Happening::Turn(Turn::Opens(of)) => {
            return (of == s).then(|| format!("it opened because {cause}: {}", told.why));
        }
        Happening::Turn(Turn::OutOfOrder(of)) => (of, "is outOfOrder"),
        Happening::Turn(Turn::Skipped(of)) => (of, "was skipped"),
        Happening::Turn(Turn::Faulty(of)) => (of, "turned faulty"),
        Happening::Turn(Turn::Completes(of)) | Happening::ClosedWith(of) => (of, "closed"),
        Happening::Cleared(of) => (of, "was forgotten"),
        Happening::Turn(Turn::Guard(_)) | Happening::Sentry(_) | Happening::Occurs(_) => return None,
    };
    (of == s).then(|| format!("it {word} because {}", told.why))
}

/// A status in words.
pub(super) fn status(model: &Model, i: ItemIx, code: i64) -> String {
    match code.checked_sub(1).and_then(|at| model.items[i].values.get(at as usize)) {
        Some(text) => format!("'{text}'"),
        None => "of another status".into(),
    }
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
            format!("{} was {}{}", model.items[*i].id, not(now.items[*i] == *code), status(model, *i, *code))
        }
    };
    if !into.contains(&fact) {
        into.push(fact);
    }
}
