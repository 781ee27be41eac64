//! A model as named parts, each with what it does; two lists compared.

use crate::lang::Lens;
use crate::lang::page::VariableKind;
use crate::lang::summary::domain_text;
use crate::machine::{Body, Machine, Rule, SlotIx, VarId, show};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A part that is new, gone or does something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The part: `stage Loan.Closing`, `guard g1 of Closing`.
    pub part: String,
    /// What it did; null where it is new.
    pub was: Option<String>,
    /// What it does; null where it is gone.
    pub is: Option<String>,
}

type Parts = BTreeMap<String, String>;

/// What is different, parts that are gone first.
pub fn changes(old: &dyn Lens, new: &dyn Lens) -> Vec<Change> {
    let said = (old.parts(), new.parts());
    let machines = said.0.is_none() || said.1.is_none();
    let (was, is) = match said {
        (Some(was), Some(is)) => (was, is),
        _ => (parts(old), parts(new)),
    };
    let mut found = Vec::new();
    for (part, text) in was.iter().filter(|(p, _)| !is.contains_key(*p)) {
        found.push(Change { part: part.clone(), was: Some(text.clone()), is: None });
    }
    for (part, text) in &is {
        let before = was.get(part);
        if before != Some(text) {
            found.push(Change { part: part.clone(), was: before.cloned(), is: Some(text.clone()) });
        }
    }
    if machines {
        found.extend(order(old.machine(), new.machine()));
    }
    found
}

/// Everything that can be told apart, by name. Of slots that are alike the first stands for all.
fn parts(lens: &dyn Lens) -> Parts {
    let m: &Machine = lens.machine();
    let mut all = Parts::new();
    for v in m.state_ids().filter(|v| !lens.is_internal(*v) && first(m, m.var(*v).slot)) {
        all.insert(named(lens, m, v), domain_text(&m.var(v).domain));
    }
    for (bound, n) in &m.bounds {
        all.insert(format!("bound of {bound}"), n.to_string());
    }
    let mut rules: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for body in m.bodies.iter().filter(|b| first(m, b.target)) {
        for rule in body.rules.iter().filter(|r| first(m, r.origin.slot) && !m.var(r.target).scratch) {
            let when = condition(m, rule);
            rules.entry(lens.rule_words(rule)).or_default().entry(when).or_default().insert(body.event.clone());
        }
    }
    let events: BTreeSet<&str> = m.bodies.iter().map(|b| b.event.as_str()).collect();
    for (rule, ways) in rules {
        let way = |(when, on): (&String, &BTreeSet<String>)| match on.len() {
            n if n == events.len() && n > 1 => when.clone(),
            _ => format!("on {}: {when}", on.iter().cloned().collect::<Vec<_>>().join(", ")),
        };
        all.insert(rule, ways.iter().map(way).collect::<Vec<_>>().join("; "));
    }
    for action in m.actions.iter().filter(|a| first(m, m.body(a).target)) {
        let body = m.body(action);
        let part = format!("{} may send {}", m.agent_name(action.agent), body.event);
        let fields: Vec<String> =
            body.inputs.iter().map(|i| format!("{}: {}", i.name, domain_text(&i.domain))).collect();
        let when = short(m, &show::expression(m, action.allowed).replace("before(", "("));
        all.insert(part, if fields.is_empty() { when } else { format!("{when} with {}", fields.join(", ")) });
    }
    all
}

/// Is it the first of its kind, or none of several?
fn first(m: &Machine, slot: Option<SlotIx>) -> bool {
    slot.and_then(|s| m.slots.get(s.0)).is_none_or(|s| s.number == 1)
}

/// `stage Loan.Closing`.
fn named(lens: &dyn Lens, m: &Machine, v: VarId) -> String {
    let kind = match lens.kind(v) {
        VariableKind::Created => "instances of",
        VariableKind::Stage => "stage",
        VariableKind::Milestone => "milestone",
        VariableKind::State => "state of",
        VariableKind::Data => "attribute",
        VariableKind::Task => "task",
        VariableKind::Observer => "observer",
        VariableKind::Private => "private variable",
        VariableKind::Overflow => "flag",
    };
    format!("{kind} {}", m.var(v).name.replacen("[1]", "", 1).trim_end_matches(".created").trim_end_matches(".pending"))
}

/// What a rule needs.
fn condition(m: &Machine, rule: &Rule) -> String {
    let sides: Vec<String> = [rule.prerequisite, rule.antecedent]
        .into_iter()
        .map(|e| show::expression(m, e).replace("before(", "was("))
        .filter(|t| t != "true")
        .collect();
    if sides.is_empty() { "always".into() } else { short(m, &sides.join(" && ")) }
}

/// Slots that stand for all of their kind are not numbered.
fn short(m: &Machine, text: &str) -> String {
    m.slots.iter().filter(|s| s.number == 1).fold(text.to_string(), |text, s| text.replace(&format!("{}.", s.name), ""))
}

/// Rules that both versions have and run in another order.
fn order(old: &Machine, new: &Machine) -> Vec<Change> {
    // A rule waits at every slot; it is named once.
    let labels = |b: &Body| {
        let mut names: Vec<String> = Vec::new();
        for label in b.rules.iter().map(|r| &r.origin.label) {
            if !names.contains(label) {
                names.push(label.clone());
            }
        }
        names
    };
    let mut found: Vec<Change> = Vec::new();
    for body in new.bodies.iter().filter(|b| first(new, b.target)) {
        let same =
            |b: &&Body| b.event == body.event && first(old, b.target) && b.target.is_some() == body.target.is_some();
        let Some(before) = old.bodies.iter().find(same) else { continue };
        let (was, is) = (labels(before), labels(body));
        let common = |a: &[String], b: &[String]| a.iter().filter(|l| b.contains(l)).cloned().collect::<Vec<_>>();
        let (x, y) = (common(&was, &is), common(&is, &was));
        let part = format!("order of the rules on {}", body.event);
        if x != y && !found.iter().any(|c| c.part == part) {
            // What is in its old place at the front and at the end is left out.
            let front = x.iter().zip(&y).take_while(|(a, b)| a == b).count();
            let back = x.iter().rev().zip(y.iter().rev()).take_while(|(a, b)| a == b).count();
            let moved = |list: &[String]| Some(list[front..list.len() - back].join(", "));
            found.push(Change { part, was: moved(&x), is: moved(&y) });
        }
    }
    found
}
