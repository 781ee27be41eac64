//! Why a property is unknown: the snapshot, the step and the predicate that it hangs on, in the model's words.

use crate::abstraction::{Doubt, Predicates, Snapshot, System, condition, name, sharing};
use crate::answer::{Cause, Choice, TraceStep, Values, to_json};
use crate::machine::{AgentIx, BodyIx};
use crate::trace::name_choice;

/// More events than this are counted, not listed.
const FEW: usize = 6;

/// A doubt in names.
pub fn named(system: &System, predicates: &Predicates, initial: &Snapshot, doubt: &Doubt) -> Cause {
    let at = doubt.run.last().map_or(initial, |(_, snapshot)| snapshot);
    let mut before = initial;
    let mut may_run = Vec::new();
    for (by, after) in &doubt.run {
        let mut changes = finite(system, before, after);
        changes.extend(truths(system, predicates, after, |p| before.truths.get(p) != after.truths.get(p)));
        may_run.push(TraceStep { changes, ..by.map(|by| step(system, by)).unwrap_or_default() });
        before = after;
    }
    let near = sharing(predicates, &doubt.on);
    Cause {
        snapshot: finite(system, initial, at),
        predicates: truths(system, predicates, at, |p| near.contains(&p)),
        action: step(system, doubt.step),
        predicate: doubt.predicate.and_then(|p| predicates.list.get(p)).map(|p| name(system, p)),
        depends_on: condition(system, &doubt.on),
        may_run,
    }
}

fn step(system: &System, (agent, body): (AgentIx, BodyIx)) -> TraceStep {
    let actions = &system.machine.actions;
    let action = actions.iter().position(|a| (a.agent, a.body) == (agent, body));
    action.map(|action| name_choice(system.machine, &Choice::Act { action, inputs: Vec::new() })).unwrap_or_default()
}

/// What is not abstracted and differs.
fn finite(system: &System, before: &Snapshot, after: &Snapshot) -> Values {
    let vars = system.machine.state_vars().iter().zip(system.machine.state_ids());
    let codes = vars.zip(before.codes.iter().zip(&after.codes));
    let differ = codes.filter(|((_, id), (b, a))| b != a && system.wide(*id).is_none());
    differ.map(|((v, _), (_, code))| (v.name.clone(), to_json(&v.domain, *code))).collect()
}

fn truths(system: &System, predicates: &Predicates, at: &Snapshot, wanted: impl Fn(usize) -> bool) -> Values {
    let all = predicates.list.iter().zip(&at.truths).enumerate().filter(|(p, _)| wanted(*p));
    all.map(|(_, (p, truth))| (name(system, p), (*truth).into())).collect()
}

/// The same as a sentence.
pub fn told(cause: &Cause) -> String {
    let who = |s: &TraceStep| match (&s.agent, &s.event) {
        (Some(agent), Some(event)) => format!("{event} by {agent}"),
        (None, Some(event)) => event.clone(),
        (_, None) => "nothing".into(),
    };
    let at = cause.action.target.as_ref().map(|slot| format!(" at {slot}")).unwrap_or_default();
    let steps: Vec<String> = cause.may_run.iter().map(who).collect();
    let there = match steps.len() {
        0 => "in the initial snapshot".to_string(),
        n if n > FEW => format!("after {n} steps, the last of them {}", steps.last().map_or("", String::as_str)),
        _ => format!("after {}", steps.join(", ")),
    };
    let said = cause.predicates.iter().map(|(p, truth)| match truth.as_bool() {
        Some(true) => p.clone(),
        _ => format!("not {p}"),
    });
    let said: Vec<String> = said.collect();
    let open = match &cause.predicate {
        Some(predicate) => format!("it is open whether {}{at} leads to {predicate}", who(&cause.action)),
        None => format!("it is open whether {}{at} is possible", who(&cause.action)),
    };
    let depends = cause.depends_on.as_ref().map(|on| format!(": that depends on {on}")).unwrap_or_default();
    let known = if said.is_empty() { String::new() } else { format!(", with {}", said.join(", ")) };
    format!("{there}{known}, {open}{depends}")
}
