//! Snapshots and steps in the notation of the READMEs.
//!
//! A snapshot is what differs from the initial one. An instance is written `Type[1]{…}`, the braces holding what is true of it and
//! `name=value` for other values; where there is room for one instance only, its name is left out. Private variables and
//! `overflow` stand outside the braces. The initial snapshot is `nothing`.

use super::prediction::{class_line, step_line};
use gsmc::interp::{Choice, Edge, Graph};
use gsmc::machine::Domain;
use gsmc::machine::{AgentIx, Machine, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A snapshot written by hand or by [`snapshot`], its instances and everything inside their braces sorted.
pub fn canonical(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find([' ', '{']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        match after.strip_prefix('{') {
            Some(inside) => {
                let (items, after) = inside.split_once('}').unwrap_or((inside, ""));
                let mut items: Vec<&str> = items.split(',').map(str::trim).filter(|i| !i.is_empty()).collect();
                items.sort_unstable();
                parts.push(format!("{name}{{{}}}", items.join(", ")));
                rest = after.trim_start();
            }
            None => {
                parts.push(name.to_string());
                rest = after.trim_start();
            }
        }
    }
    parts.sort_unstable();
    parts.join(" ")
}

/// A snapshot.
pub fn snapshot(machine: &Machine, codes: &[i64]) -> String {
    let code = |v: VarId| codes[v.0 as usize];
    let changed = |v: &VarId| code(*v) != machine.var(*v).init;
    let item = |v: VarId, prefix: &str| {
        let var = machine.var(v);
        let name = var.name.strip_prefix(prefix).unwrap_or(&var.name);
        match (&var.domain, code(v)) {
            (Domain::Bool, 1) => name.to_string(),
            (domain, c) => format!("{name}={}", domain.show(c)),
        }
    };
    let mut parts = Vec::new();
    for slot in &machine.slots {
        let prefix = format!("{}.", slot.name);
        if slot.exists.is_none_or(|v| code(v) == 1) {
            let inside = slot.vars.iter().copied().filter(|v| Some(*v) != slot.exists).filter(changed);
            let items: Vec<String> = inside.map(|v| item(v, &prefix)).collect();
            parts.push(format!("{}{{{}}}", slot_name(machine, &slot.name), items.join(", ")));
        } else if let Some(v) = slot.vars.iter().copied().find(changed) {
            parts.push(format!("{} though not created", item(v, "")));
        }
    }
    let outside = machine.var_ids().filter(|v| machine.var(*v).slot.is_none()).filter(changed);
    parts.extend(outside.map(|v| item(v, "")));
    if parts.is_empty() { "nothing".into() } else { canonical(&parts.join(" ")) }
}

/// A slot's name; nothing where it is the only one.
fn slot_name<'a>(machine: &Machine, name: &'a str) -> &'a str {
    if machine.slots.len() == 1 { "" } else { name }
}

/// All edges that are B-steps, with the snapshot they leave; idling is none.
pub fn real_edges<'g>(graph: &'g Graph) -> impl Iterator<Item = (usize, &'g Edge)> {
    let all = (0..graph.len()).flat_map(|s| graph.edges(s).iter().map(move |e| (s, e)));
    all.filter(|(_, e)| *graph.choice(e.label) != Choice::Idle)
}

/// All B-steps of all reachable snapshots.
pub fn steps(graph: &Graph) -> BTreeSet<String> {
    let machine = graph.interp().machine();
    let mut all = BTreeSet::new();
    for (from, edge) in real_edges(graph) {
        let codes = graph.codes(from);
        let choice = graph.choice(edge.label);
        let (before, after) = (snapshot(machine, &codes), snapshot(machine, &graph.codes(edge.to as usize)));
        let (who, event, rules) = describe(graph, &codes, choice);
        let line = step_line(&before, &who, &event, &rules, &after, edge.order);
        assert!(all.insert(line.clone()), "found twice: {line}");
    }
    all
}

/// Sender, event, and the changes that the rules make, in order.
fn describe(graph: &Graph, codes: &[i64], choice: &Choice) -> (String, String, String) {
    let machine = graph.interp().machine();
    let Choice::Act { action, inputs } = choice else { return Default::default() };
    let action = &machine.actions[*action];
    let body = machine.body(action);
    let mut event = body.event.clone();
    if !inputs.is_empty() {
        let payload = body.inputs.iter().zip(inputs).map(|(i, c)| format!("{}={}", i.name, i.domain.show(*c)));
        event.push_str(&format!("({})", payload.collect::<Vec<_>>().join(", ")));
    }
    if let (Some(target), true) = (body.target, machine.slots.len() > 1) {
        event.push_str(&format!(" at {}", machine.slots[target].name));
    }
    let step = graph.interp().step(codes, choice).expect("a step of the graph");
    let mut now: BTreeMap<VarId, bool> = BTreeMap::new();
    let mut changes = Vec::new();
    for &position in &step.fired {
        let rule = &body.rules[position];
        let before = now.get(&rule.target).copied().unwrap_or(codes[rule.target.0 as usize] == 1);
        let value = rule.value == gsmc::machine::TRUE;
        now.insert(rule.target, value);
        if before != value {
            let name = &machine.var(rule.target).name;
            let (slot, local) = name.split_once('.').unwrap_or(("", name));
            let name = if slot_name(machine, slot).is_empty() { local } else { name };
            changes.push(format!("{}{name}", if value { '+' } else { '-' }));
        }
    }
    (machine.agent_name(action.agent).to_string(), event, changes.join(", "))
}

/// Which snapshots look the same to whom, for the agents of the agents file.
pub fn classes(graph: &Graph) -> BTreeSet<String> {
    let machine = graph.interp().machine();
    let mut all = BTreeSet::new();
    for (a, agent) in AgentIx::each(&machine.agents).filter(|(_, a)| !a.sees_all) {
        let mut alike: Vec<(_, Vec<String>)> = Vec::new();
        for codes in (0..graph.len()).map(|s| graph.codes(s)) {
            let (view, text) = (graph.interp().local_state(a, &codes), snapshot(machine, &codes));
            match alike.iter_mut().find(|(v, _)| *v == view) {
                Some((_, texts)) => texts.push(text),
                None => alike.push((view, vec![text])),
            }
        }
        let name = agent.name.clone().unwrap_or_default();
        all.extend(alike.into_iter().map(|(_, texts)| class_line(&name, texts)));
    }
    all
}
