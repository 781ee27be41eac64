//! Why a property is unknown: the snapshot, the step and the predicate that it hangs on, in the model's words.

use crate::abstraction::{Doubt, Open, Predicates, Snapshot, System, condition, name, sharing};
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
    let named = |p: &Option<usize>| p.and_then(|p| predicates.list.get(p)).map(|p| name(system, p));
    let snapshot = finite(system, initial, at);
    match &doubt.open {
        Open::Step { by, predicate, on } => {
            let near = sharing(predicates, on);
            Cause {
                snapshot,
                predicates: truths(system, predicates, at, |p| near.contains(&p)),
                action: step(system, *by),
                mistaken_for: None,
                predicate: named(predicate),
                depends_on: condition(system, on),
                may_run,
            }
        }
        Open::Look { group, other, predicate } => {
            let differs = |p: usize| at.truths.get(p) != other.truths.get(p);
            let mut instead = finite(system, at, other);
            instead.extend(truths(system, predicates, other, differs));
            let who: Vec<&str> = group.iter().map(|a| system.machine.agent_name(*a)).collect();
            Cause {
                snapshot,
                predicates: truths(system, predicates, at, differs),
                action: TraceStep { agent: Some(who.join(" and ")), ..TraceStep::default() },
                mistaken_for: Some(instead),
                predicate: named(predicate),
                depends_on: None,
                may_run,
            }
        }
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
    let said = listed(&cause.predicates);
    let looks = cause.action.agent.as_deref().unwrap_or("nobody");
    let open = match (&cause.predicate, &cause.mistaken_for) {
        (Some(predicate), Some(other)) => {
            let other = listed(other);
            format!(
                "it is open whether {looks} can tell that from {other}: {predicate} has to do with what {looks} can see"
            )
        }
        (None, Some(other)) => {
            let other = listed(other);
            format!(
                "it is open whether {other}, which looks the same to {looks}, can come with all that {looks} can see"
            )
        }
        (Some(predicate), None) => format!("it is open whether {}{at} leads to {predicate}", who(&cause.action)),
        (None, None) => format!("it is open whether {}{at} is possible", who(&cause.action)),
    };
    let depends = cause.depends_on.as_ref().map(|on| format!(": that depends on {on}")).unwrap_or_default();
    let known = if said.is_empty() { String::new() } else { format!(", with {said}") };
    format!("{there}{known}, {open}{depends}")
}

/// What holds and what does not.
fn listed(values: &Values) -> String {
    let one = |(name, value): (&String, &serde_json::Value)| match value {
        serde_json::Value::Bool(true) => name.clone(),
        serde_json::Value::Bool(false) => format!("not {name}"),
        other => format!("{name} = {other}"),
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}
