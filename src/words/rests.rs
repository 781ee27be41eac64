//! Verdicts without a run: what they rest on.

use super::never;
use super::phrase::{Speaker, joined, sentence};
use crate::answer::{AbstractionNumbers, Extent, MachineNumbers, PropertyResult, Scope, Verdict};
use crate::logic::{Formula, Path, Temporal};
use crate::machine::ExprId;

/// What was searched, within which bounds, under which assumptions.
pub fn sentence_of(s: &Speaker, r: &PropertyResult, numbers: &MachineNumbers) -> String {
    let property = s.properties.iter().find(|p| p.name == r.property);
    let holds = r.verdict == Verdict::True;
    // That a guard is dead is a question whose bad answer is yes.
    let absent = !holds || r.is_unexpected() && r.property.starts_with("dead-guard(");
    if let Some(why) = s.lens.never_possible(&r.property).filter(|_| absent) {
        let more = s.lens.in_the_way(&r.property, &|question| s.no.contains(question));
        let chain = r.facts.first().filter(|_| s.is_own()).map(|f| never::chain(s, &f.never, false));
        let more = more.or(chain.filter(|c| c.contains(" needs ")));
        return sentence(&more.map_or(why.clone(), |more| format!("{why}: {more}")));
    }
    let snapshots = match &numbers.reachable_states {
        Some(n) if n == "1" => "the only reachable snapshot".to_string(),
        Some(n) => format!("all {n} reachable snapshots"),
        None => "all reachable snapshots".into(),
    };
    let said = match property.map(|p| &p.formula) {
        Some(Formula::Quantified(Path::A, Temporal::Globally(_))) if holds => format!("it holds in {snapshots}"),
        Some(f) if holds && f.is_universal() => format!("it holds on every run through {snapshots}"),
        Some(f) if f.is_state() => format!("the initial snapshot {}", if holds { "has it" } else { "has it not" }),
        Some(Formula::Can(group, _)) if holds => {
            let has = if group.len() == 1 { "has" } else { "have" };
            format!("{} {has} a strategy for it", s.agents(group, "and"))
        }
        Some(Formula::Can(group, _)) => {
            let does = if group.len() == 1 { "does" } else { "do" };
            format!("the others can prevent it, whatever {} {does}", s.agents(group, "and"))
        }
        Some(_) if holds => format!("it holds, after a search of {snapshots}"),
        Some(f) => refuted(s, f, &snapshots),
        None if holds => format!("a search of {snapshots} found nothing against it"),
        None => format!("a search of {snapshots} found no such step"),
    };
    let mut rests = Vec::new();
    rests.extend(numbers.abstraction.as_ref().filter(|a| !a.attributes.is_empty()).map(unbounded));
    rests.extend(instances(r.scope.as_ref(), numbers));
    let agents: Vec<String> = s.m.agents.iter().filter(|a| !a.sees_all).filter_map(|a| a.name.clone()).collect();
    match agents.len() {
        0 => {}
        1..=3 => rests.push(format!("given what {} may do", joined(agents, "and"))),
        n => rests.push(format!("given what the {n} agents may do")),
    }
    let fair: Vec<String> = property.iter().flat_map(|p| &p.fair).map(|f| s.formula(f)).collect();
    if !fair.is_empty() {
        rests.push(format!("counting only runs on which again and again {}", joined(fair, "and")));
    }
    let rests = if rests.is_empty() { String::new() } else { format!(", {}", rests.join(", ")) };
    let mut told = sentence(&format!("{said}{rests}"));
    for vacuous in &r.vacuous {
        told += &format!(" But {vacuous}.");
    }
    if !r.facts.is_empty() && s.is_own() {
        told += &format!(" {}", never::sentences(s, &r.facts));
    }
    told
}

/// What it means that a formula is false where no run is shown.
fn refuted(s: &Speaker, f: &Formula<ExprId>, snapshots: &str) -> String {
    match f {
        Formula::Know(_, group, _) if group.len() == 1 => {
            let who = s.agents(group, "and");
            format!(
                "some run leads to a snapshot that looks to {who} as the initial one does, and there it fails; no single run \
                 shows that, since it is about what {who} knows: it was found by a search of {snapshots}"
            )
        }
        Formula::Quantified(Path::E, _) => format!("no run shows it, after a search of {snapshots}"),
        f if f.is_existential() => format!("no run shows it, after a search of {snapshots}"),
        f if f.is_universal() => {
            format!("some run goes against it, as a search of {snapshots} found without following one")
        }
        _ => format!("it does not hold, after a search of {snapshots}"),
    }
}

/// With how many instances: those that stand for any number, and the bounds of other types.
fn instances(scope: Option<&Scope>, numbers: &MachineNumbers) -> Vec<String> {
    let any = scope.filter(|s| s.extent == Extent::Any).map(|s| &s.cutoff);
    let counted = |(t, n): (&String, &u32)| format!("{n} {t}");
    let enough: Vec<String> = any.into_iter().flatten().map(counted).collect();
    let others = numbers.bounds.iter().filter(|(t, _)| any.is_none_or(|a| !a.contains_key(*t)));
    let others: Vec<String> = others.map(counted).collect();
    let mut told = Vec::new();
    if !enough.is_empty() {
        told.push(format!("with {}, which stand for any number", joined(enough, "and")));
    }
    if !others.is_empty() {
        told.push(format!("with at most {}", joined(others, "and")));
    }
    told
}

/// Data without bounds, and what it was decided with: `whatever the value of Order.total (8 predicates tell its values apart)`.
fn unbounded(a: &AbstractionNumbers) -> String {
    let values = match a.attributes.len() {
        1..=3 => joined(a.attributes.clone(), "and"),
        n => format!("{n} attributes without bounds"),
    };
    let predicates = match a.predicates.len() {
        1 => "one predicate tells".to_string(),
        n => format!("{n} predicates tell"),
    };
    format!("whatever the value of {values} ({predicates} apart what matters)")
}
