//! A shortest cycle of the rule graph, rule by rule, for those who want no cyclic model (`--strict-order`).

use super::{Application, Edge, Occurrence, Order, RuleIx, Rules, Status};
use crate::source::{Diagnostic, Sources, codes};
use std::collections::{BTreeMap, VecDeque};

/// Rules that wait for each other while something occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// What occurs.
    pub occurrence: Occurrence,
    /// The edges, each from where the one before ends; the last ends where the first starts, at the rule first in document order.
    pub edges: Vec<Edge>,
}

/// One shortest cycle among the rule graphs of all orders: of the first occurrence that has one so short, and there the one whose
/// rules come first.
pub fn shortest_cycle(orders: &[Order]) -> Option<Cycle> {
    let all = orders.iter().flat_map(|order| {
        let starts = order.cycles.iter().flatten();
        starts.filter_map(|&r| cycle_from(r, order)).map(|edges| Cycle { occurrence: order.occurrence, edges })
    });
    all.min_by_key(|cycle| cycle.edges.len())
}

/// A shortest way from a rule back to itself through rules not before it in document order.
fn cycle_from(start: RuleIx, order: &Order) -> Option<Vec<Edge>> {
    let mut reached: BTreeMap<RuleIx, Edge> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for edge in order.edges.iter().filter(|e| e.from == at && e.to >= start) {
            if !reached.contains_key(&edge.to) {
                reached.insert(edge.to, *edge);
                queue.push_back(edge.to);
            }
        }
    }
    let mut way = vec![*reached.get(&start)?];
    while let Some(edge) = way.last().filter(|e| e.from != start).and_then(|e| reached.get(&e.from)) {
        way.push(*edge);
    }
    way.reverse();
    Some(way)
}

impl Cycle {
    /// The rules, first in document order first.
    pub fn rules(&self) -> Vec<RuleIx> {
        self.edges.iter().map(|e| e.from).collect()
    }

    /// The refusal that `--strict-order` prints.
    pub fn diagnostic(&self, app: &Application, rules: &Rules, sources: &Sources) -> Diagnostic {
        let when = match self.occurrence {
            Occurrence::Event(e) => format!("event '{}' occurs", app.events[e].id),
            Occurrence::TaskDone(ty, task) => format!("task '{}' completes", app.types[ty].tasks[task].id),
        };
        let message = format!("rules wait for each other while {when}");
        let mut d = match self.edges.first() {
            Some(e) => Diagnostic::new(&codes::machine::CYCLIC_ORDER, rules.list[e.from].span(app), message)
                .label("the first rule of the cycle comes from here"),
            None => Diagnostic::placeless(&codes::machine::CYCLIC_ORDER, message),
        };
        for edge in &self.edges {
            d = d.note(explain(edge, app, rules, sources));
        }
        d.help("without --strict-order gsmc breaks the cycle and checks that no reachable step depends on how")
    }
}

/// Why one rule decides before the next.
fn explain(edge: &Edge, app: &Application, rules: &Rules, sources: &Sources) -> String {
    let (from, to) = (&rules.list[edge.from], &rules.list[edge.to]);
    let named = |r: &super::RuleDef| format!("{} ({})", r.label(app), sources.place(r.span(app)));
    if edge.reversed {
        return format!("{} decides before its consequence {}", named(from), to.label(app));
    }
    let t = &app.types[from.ty];
    let does = match from.effect(app) {
        (Status::Stage(s), true) => format!("opens {}", t.stages[s].id),
        (Status::Stage(s), false) => format!("closes {}", t.stages[s].id),
        (Status::Milestone(m), true) => format!("achieves {}", t.milestones[m].id),
        (Status::Milestone(m), false) => format!("invalidates {}", t.milestones[m].id),
    };
    let whose = if edge.related { format!(" of a related {}", t.id) } else { String::new() };
    format!("{} {does}{whose}, which {} reads", named(from), to.label(app))
}
