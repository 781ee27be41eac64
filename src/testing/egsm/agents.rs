//! Random agents files for an E-GSM model: roles that see parts of it, agents who remember and report.

use crate::lang::egsm::model::{Kind, Model, SentryIx, StageIx};
use crate::testing::Choices;
use std::collections::BTreeSet;

/// Agents are called in this order.
pub const NAMES: [&str; 3] = ["ann", "bob", "cyd"];

/// An agents file that fits the model, and how many agents it declares, of [`NAMES`].
pub fn random_agents(c: &mut Choices, model: &Model) -> (String, usize) {
    let number = 1 + c.below(NAMES.len());
    let mut text = String::new();
    for (k, name) in NAMES.iter().enumerate().take(number) {
        let (role, delegated) = role(c, model, k);
        text += &role;
        let vars = c.some_of(&VARIABLES, 35);
        let declared: Vec<&str> = vars.iter().map(|(_, declared)| *declared).collect();
        let declared = if vars.is_empty() { String::new() } else { format!(" vars: {};", declared.join(", ")) };
        let names: Vec<&str> = vars.iter().map(|(name, _)| *name).collect();
        let protocol = protocol(c, model, &delegated, &names);
        text += &format!("agent {name} {{ role: Role{k};{declared}{protocol} }};\n");
    }
    (text, number)
}

const VARIABLES: [(&str, &str); 3] =
    [("told", "bool told = false"), ("mood", "{calm, cross} mood = calm"), ("left", "0..2 left = 1")];

/// A role, and the sentries that it leaves to others.
fn role(c: &mut Choices, model: &Model, k: usize) -> (String, BTreeSet<SentryIx>) {
    let items: Vec<&str> = model.items.iter().map(|i| i.id.as_str()).collect();
    let view = c.some_of(&items, 50);
    let mut fields = String::new();
    if !view.is_empty() {
        fields += &format!(" view: {};", view.join(", "));
    }
    if c.chance(25) {
        fields += &format!(" window: {};", fact(c, model));
    }
    let mut delegated = BTreeSet::new();
    let hidden: Vec<String> = (0..c.one_of([0, 0, 1, 2])).map(|_| transformation(c, model, &mut delegated)).collect();
    if !hidden.is_empty() {
        fields += &format!(" transformation: {};", hidden.join(", "));
    }
    (format!("role Role{k} {{{fields} }};\n"), delegated)
}

fn transformation(c: &mut Choices, model: &Model, delegated: &mut BTreeSet<SentryIx>) -> String {
    let stage = c.below(model.stages.len());
    let id = &model.stages[stage].id;
    let milestones: Vec<&str> =
        model.sentries.iter().filter(|s| s.kind == Kind::Milestone).map(|s| s.id.as_str()).collect();
    match c.below(5) {
        1 => {
            let sentry = c.below(model.sentries.len());
            delegated.insert(sentry);
            format!("delegate_sentry('{}')", model.sentries[sentry].id)
        }
        2 => {
            model.stages[stage].children.iter().for_each(|inside| leave(model, *inside, delegated));
            format!("condense_stage('{id}')")
        }
        3 => {
            leave(model, stage, delegated);
            format!("eliminate_stage('{id}')")
        }
        4 if !milestones.is_empty() => format!("hide_milestone('{}')", milestones[c.below(milestones.len())]),
        _ => format!("hide_stage_status('{id}')"),
    }
}

fn leave(model: &Model, stage: StageIx, delegated: &mut BTreeSet<SentryIx>) {
    delegated.extend(&model.stages[stage].sentries);
    model.stages[stage].children.iter().for_each(|inside| leave(model, *inside, delegated));
}

/// Some of what the role may report; now and then all of it.
fn protocol(c: &mut Choices, model: &Model, delegated: &BTreeSet<SentryIx>, vars: &[&str]) -> String {
    let mut lines = Vec::new();
    let known = |heard: &[SentryIx]| heard.is_empty() || heard.iter().any(|x| !delegated.contains(x));
    for event in model.events.iter().filter(|e| !e.of_item && known(&e.listeners)) {
        if c.chance(80) {
            lines.push(line(c, model, &event.id, None, vars));
        }
    }
    for item in &model.items {
        let raised = item.raises.iter().flat_map(|(l, e)| [*l, *e]).flat_map(|e| model.events[e].listeners.clone());
        let heard: Vec<SentryIx> = raised.chain(item.listeners.clone()).collect();
        // An event of that name would be meant instead.
        let hidden = model.events.iter().any(|e| e.id == item.id);
        if known(&heard) && !hidden && c.chance(80) {
            lines.push(line(c, model, &item.id, Some(&item.values), vars));
        }
    }
    if lines.is_empty() || c.chance(10) { String::new() } else { format!(" protocol: {};", lines.join(", ")) }
}

fn line(c: &mut Choices, model: &Model, what: &str, values: Option<&[String]>, vars: &[&str]) -> String {
    let mut parts: Vec<String> = (0..c.one_of([0, 1, 1, 2])).map(|_| fact(c, model)).collect();
    if let Some(value) = values.and_then(|v| c.pick(v).cloned()).filter(|_| c.chance(50)) {
        parts.push(format!("status {} '{value}'", c.one_of(["==", "!="])));
    }
    parts.extend(c.pick(vars).filter(|_| !vars.is_empty()).map(|v| remembered(c, v)));
    let condition = if parts.is_empty() { "true".into() } else { parts.join(c.one_of([" && ", " || "])) };
    let updates: Vec<String> = c.some_of(vars, 60).iter().map(|v| update(c, model, v)).collect();
    format!("{what}: {condition} -> {}", updates.join(", "))
}

fn remembered(c: &mut Choices, var: &str) -> String {
    match var {
        "told" => c.one_of(["told", "!told"]).into(),
        "mood" => format!("mood {} 'cross'", c.one_of(["==", "!="])),
        _ => format!("left {} {}", c.one_of(["!=", "=="]), c.below(3)),
    }
}

fn update(c: &mut Choices, model: &Model, var: &str) -> String {
    match var {
        "told" => match c.below(3) {
            0 => "told = true".into(),
            1 => "told = !told".into(),
            _ => format!("told = {}", fact(c, model)),
        },
        "mood" => format!("mood = '{}'", c.one_of(["cross", "calm"])),
        _ => format!("left = {}", c.below(3)),
    }
}

/// Something about the snapshot.
fn fact(c: &mut Choices, model: &Model) -> String {
    let stage = &model.stages[c.below(model.stages.len())].id;
    let compared: Vec<_> = model.items.iter().filter(|i| !i.values.is_empty()).collect();
    let not = c.one_of(["", "!"]);
    match c.below(4) {
        0 if !compared.is_empty() => {
            let item = compared[c.below(compared.len())];
            format!("{not}({}.status == '{}')", item.id, item.values[c.below(item.values.len())])
        }
        1 => format!("{not}{}('{stage}')", c.one_of(["outOfOrder", "skipped", "faulty"])),
        _ => format!("{not}{}('{stage}')", c.one_of(["opened", "closed"])),
    }
}
