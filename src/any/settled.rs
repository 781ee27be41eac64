//! Two questions that need the reachable snapshots: can an instance be set off by another one's step, and can one act for ever?

use super::couple::{Coupling, Obstacle};
use crate::interp::{Graph, Limits};
use crate::logic::{Formula, Property};
use crate::machine::{Assign, CompareOp, Domain, Machine, Origin, Rule, TRUE, Valid, Var, VarId};
use crate::source::Span;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::BTreeMap;
use std::time::Duration;

/// Snapshots of a single instance that are looked at one by one.
const MOST_STATES: usize = 200_000;

/// Rules that are named; more help nobody.
const MOST_NAMED: usize = 3;

/// What of one slot happens in steps of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A rule, by its key.
    Rule(u32),
    /// The end of the step.
    Finish,
}

/// Which rules of other slots can fire: an instance waits for others' steps there. Without an answer in time they count as if they
/// could.
/// `decide` gives verdicts on a machine's properties.
pub fn waiting(m: &Machine, coupling: &Coupling, decide: impl FnOnce(Machine) -> Vec<Option<bool>>) -> Vec<Obstacle> {
    let mut kinds: BTreeMap<Kind, Option<&Origin>> = BTreeMap::new();
    for (b, r) in &coupling.foreign {
        let origin = &m.bodies[*b].rules[*r].origin;
        kinds.entry(Kind::Rule(origin.key)).or_insert(Some(origin));
    }
    if !coupling.finishing.is_empty() {
        kinds.insert(Kind::Finish, None);
    }
    if kinds.is_empty() {
        return Vec::new();
    }
    let list: Vec<Kind> = kinds.keys().copied().collect();
    let fires = flagged(m, coupling, &list).map(decide).unwrap_or_default();
    let may = |i: usize| fires.get(i).copied().flatten() != Some(false);
    let set_off = kinds.values().enumerate().filter(|(i, _)| may(*i)).map(|(_, origin)| *origin);
    let (rules, ends): (Vec<Option<&Origin>>, Vec<_>) = set_off.partition(Option::is_some);
    let rules: Vec<&Origin> = rules.into_iter().flatten().collect();
    let mut found = Vec::new();
    if let Some(first) = rules.first() {
        let some: Vec<&str> = rules.iter().take(MOST_NAMED).map(|o| o.label.as_str()).collect();
        let more = if rules.len() > MOST_NAMED { ", …" } else { "" };
        let text = format!(
            "instances wait for each other's steps: {}{more} can fire in a step of another one",
            some.join(", ")
        );
        found.push(Obstacle { text, span: Some(first.span), at_a_distance: !coupling.tangled });
    }
    if !ends.is_empty() {
        let text = "a step of one instance ends something of another".into();
        found.push(Obstacle { text, span: None, at_a_distance: true });
    }
    found
}

/// The machine with a flag for each kind, set where it happens; asked whether they can be reached.
fn flagged(m: &Machine, coupling: &Coupling, kinds: &[Kind]) -> Option<Machine> {
    let mut machine = m.clone();
    if !machine.scratch_vars().is_empty() {
        return None;
    }
    let first = machine.vars.len() as u32;
    let flag = |kind: Kind| kinds.iter().position(|k| *k == kind).map(|i| VarId(first + i as u32));
    for i in 0..kinds.len() {
        let name = format!("happened {i}");
        machine.vars.push(Var { name, domain: Domain::Bool, init: 0, scratch: false, slot: None });
    }
    let domains: Vec<bool> = machine.vars.iter().map(|v| v.domain == Domain::Bool).collect();
    for (b, body) in machine.bodies.iter_mut().enumerate() {
        body.components.clear();
        let rules = std::mem::take(&mut body.rules);
        for (r, rule) in rules.into_iter().enumerate() {
            if coupling.foreign.contains(&(b, r))
                && let Some(target) = flag(Kind::Rule(rule.origin.key))
            {
                let origin = Origin { slot: None, ..rule.origin.clone() };
                body.rules.push(Rule { origin, target, value: TRUE, ..rule.clone() });
            }
            body.rules.push(rule);
        }
        let finish = std::mem::take(&mut body.finish);
        for (f, assign) in finish.into_iter().enumerate() {
            if coupling.finishing.contains(&(b, f))
                && let Some(var) = flag(Kind::Finish)
            {
                let exprs = &mut machine.exprs;
                let (old, flag) = (exprs.cur(assign.var), exprs.cur(var));
                let is_bool = domains.get(assign.var.0 as usize).copied().unwrap_or(false);
                let same = if is_bool {
                    exprs.iff(assign.value, old)
                } else {
                    exprs.compare(CompareOp::Eq, assign.value, old)
                };
                let changed = exprs.not(same);
                body.finish.push(Assign { var, value: exprs.or([flag, changed]) });
            }
            body.finish.push(assign);
        }
    }
    machine.questions.clear();
    let asked = |machine: &mut Machine, i: usize| {
        let formula = Formula::ef(Formula::Atom(machine.exprs.cur(VarId(first + i as u32))));
        Property { expect: false, ..Property::new(format!("happens {i}"), formula, Span::NOWHERE) }
    };
    machine.properties = (0..kinds.len()).map(|i| asked(&mut machine, i)).collect();
    Some(machine)
}

/// Can no instance of a family act for ever, others left aside? `false` also if there is too much to look at.
pub fn is_acyclic(one: &Valid, family: usize) -> bool {
    let limits = Limits { states: MOST_STATES, time: Some(Duration::from_secs(20)), ..Limits::default() };
    let Ok(graph) = Graph::all(one, limits) else { return false };
    let ours = |label: u32| match graph.choice(label) {
        crate::answer::Choice::Act { action, .. } => {
            let target = one.actions.get(*action).and_then(|a| one.body(a).target);
            target.and_then(|t| one.slots.get(t.0)).is_some_and(|s| s.family == family)
        }
        _ => false,
    };
    let mut all: DiGraph<(), (), u32> = DiGraph::default();
    let nodes: Vec<_> = (0..graph.len()).map(|_| all.add_node(())).collect();
    let mut edges = Vec::new();
    for s in 0..graph.len() {
        for e in graph.edges(s) {
            all.add_edge(nodes[s], nodes[e.to as usize], ());
            if ours(e.label) {
                edges.push((s, e.to as usize));
            }
        }
    }
    let mut part = vec![0; graph.len()];
    for (i, component) in tarjan_scc(&all).into_iter().enumerate() {
        component.into_iter().for_each(|n| part[n.index()] = i);
    }
    edges.iter().all(|(from, to)| part[*from] != part[*to])
}
