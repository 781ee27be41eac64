//! A shortest cycle of the rule graph, rule by rule, for those who want no cyclic model (`--strict-order`).

use super::{Application, Edge, Occurrence, Order, RuleIx, Rules, Status};
use crate::source::{Diagnostic, Sources, codes};
use std::collections::VecDeque;
use std::collections::btree_map::{BTreeMap, Entry};

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
            if let Entry::Vacant(unseen) = reached.entry(edge.to) {
                unseen.insert(*edge);
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

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{Rules, orders};
    use super::*;

    fn cycle(m: &Model) -> Option<Cycle> {
        shortest_cycle(&orders(&m.app, &Rules::of(&m.app)))
    }

    #[test]
    fn none_in_an_acyclic_model() {
        let mut m = Model::new(&["E1"]);
        m.ty("T").stage("S", &["m"]).guard("S", &["E1"], not(F::Completed("S"))).achieve("m", &["E1"], TRUE);
        assert_eq!(cycle(&m), None);
    }

    #[test]
    fn named_rule_by_rule_with_event_and_places() {
        let mut m = Model::new(&["E1", "E3"]);
        m.ty("T").stage("P", &["mP"]).stage("P/C", &["mC"]).guard("P", &["E1"], TRUE);
        m.achieve("mP", &["E3"], not(F::Achieved("mC"))).guard("C", &["E3"], TRUE);
        let mut sources = Sources::new();
        sources.add("model.xml", "0123456789");
        let found = cycle(&m).unwrap();
        let d = found.diagnostic(&m.app, &Rules::of(&m.app), &sources);
        assert_eq!(d.message, "rules wait for each other while event 'E3' occurs");
        let expected = [
            "PAC-2 mP/mP.1 (model.xml:1:6) achieves mP, which PAC-5 P/mP reads",
            "PAC-5 P/mP (model.xml:1:3) closes P, which PAC-1 C/C.1 reads",
            "PAC-1 C/C.1 (model.xml:1:7) opens C, which PAC-4 mC reads",
            "PAC-4 mC (model.xml:1:4) invalidates mC, which PAC-2 mP/mP.1 reads",
        ];
        assert_eq!(d.notes, expected);
        assert_eq!(d.span, Some(Rules::of(&m.app).list[found.rules()[0]].span(&m.app)));
    }

    #[test]
    fn the_shortest_over_all_events() {
        use F::*;
        // E1 has a cycle of three, E2 one of two.
        let mut m = Model::new(&["E1", "E2"]);
        m.ty("T").stage("A", &["a"]).stage("B", &["b"]).stage("C", &["c"]);
        m.achieve("a", &["E1"], JustAchieved("c")).achieve("b", &["E1"], JustAchieved("a"));
        m.achieve("c", &["E1"], JustAchieved("b"));
        assert_eq!(cycle(&m).unwrap().edges.len(), 3);
        m.achieve("b", &["E2"], JustAchieved("c")).achieve("c", &["E2"], JustAchieved("b"));
        let found = cycle(&m).unwrap();
        assert_eq!((found.edges.len(), found.occurrence.name(&m.app)), (2, "E2".to_string()));
    }

    #[test]
    fn a_rule_that_reads_itself_in_another_slot() {
        let mut m = Model::new(&["E1"]);
        m.ty("T").stage("S", &[]).guard("S", &["E1"], not(related("T", F::Active("S"))));
        let found = cycle(&m).unwrap();
        assert_eq!(found.edges.len(), 1);
        let d = found.diagnostic(&m.app, &Rules::of(&m.app), &Sources::new());
        assert_eq!(d.notes, ["PAC-1 S/S.1 (?:0:0) opens S of a related T, which PAC-1 S/S.1 reads"]);
    }
}
