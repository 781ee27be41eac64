//! A case with its machine, as everything after lowering sees it.

use super::lower::{Does, Lowered, lower};
use super::model::{Case, Kind, State};
use super::{atoms, model::InstIx};
use crate::lang::cards::{self, Card, Taken};
use crate::lang::lens::Lens;
use crate::lang::page::VariableKind;
use crate::lang::properties;
use crate::lang::summary::{Summary, domain_text};
use crate::lang::syntax::Text;
use crate::lang::terms::Terms;
use crate::machine::{Machine, Valid, VarId, validate};
use crate::source::{Diagnostic, Diagnostics, Sources};
use serde_json::json;

/// A case, its machine and the way back.
#[derive(Clone, Debug)]
pub struct Cmmn {
    /// The case.
    pub case: Case,
    /// Its machine with what its parts stand for.
    pub lowered: Lowered,
}

impl Cmmn {
    /// Lowers a case with the properties of some texts; what is wrong with those is reported.
    pub fn new(
        case: Case,
        rounds: usize,
        texts: &[Text],
        standard: bool,
        diags: &mut Diagnostics,
    ) -> Result<Cmmn, Diagnostic> {
        let lowered = lower(&case, rounds, standard, &mut |map, overflow, exprs| {
            atoms::properties(texts, &case, map, overflow, exprs, diags)
        })?;
        Ok(Cmmn { case, lowered })
    }

    /// Conditions that hold or not, freely; who writes data; bounds: what every verdict rests on.
    pub fn assumptions(&self) -> Vec<String> {
        let case = &self.case;
        let mut all: Vec<String> =
            case.free.iter().map(|f| format!("'{}' holds or not in every step", f.text)).collect();
        if !case.data.is_empty() {
            let names: Vec<&str> = case.data.iter().map(|d| d.name.as_str()).collect();
            all.push(format!("whoever completes a task may set {} to any value", names.join(", ")));
        }
        for (item, slots) in &self.lowered.machine.bounds {
            all.push(format!("at most {slots} instances of {item} at a time"));
        }
        if self.lowered.map.cut {
            all.push("steps are followed for 40 rounds".into());
        }
        all
    }

    fn counts(&self) -> Vec<(&'static str, usize)> {
        let items = &self.case.items[1..];
        let of = |test: &dyn Fn(&Kind) -> bool| items.iter().filter(|i| test(&i.kind)).count();
        vec![
            ("items", items.len()),
            ("stages", of(&|k| *k == Kind::Stage)),
            ("tasks", of(&|k| matches!(k, Kind::Task(_)))),
            ("milestones", of(&|k| matches!(k, Kind::Milestone(_)))),
            ("listeners", of(&|k| matches!(k, Kind::Listener { .. }))),
            ("criteria", self.case.criteria.len()),
            ("instances", self.case.instances.len() - 1),
        ]
    }

    /// What keeps each open container from completing: its children and the sentry parts that they miss.
    pub fn who_blocks(&self, snapshot: &[i64]) -> Vec<String> {
        let (case, map) = (&self.case, &self.lowered.map);
        let state = |i: InstIx| map.state_in(snapshot, i);
        let mut told = Vec::new();
        for (i, instance) in case.instances.iter().enumerate().filter(|(i, _)| state(*i) == State::Active) {
            let slots = instance.inside.iter().flat_map(|p| &case.places[*p].slots);
            let open = |s: State| matches!(s, State::Available | State::Enabled | State::Active | State::Unavailable);
            let blockers: Vec<String> =
                slots.filter(|j| open(state(**j))).map(|j| self.blocker(*j, state(*j), snapshot)).collect();
            if !blockers.is_empty() {
                told.push(format!("{} waits for {}", case.instances[i].name, blockers.join("; ")));
            }
        }
        told
    }

    fn blocker(&self, j: InstIx, state: State, snapshot: &[i64]) -> String {
        let case = &self.case;
        let (item, name) = (case.item_of(j), &case.instances[j].name);
        let missing: Vec<String> = match (state, case.instances[j].place) {
            (State::Available, Some(p)) => item.entry.iter().map(|c| self.missing(*c, p, snapshot)).collect(),
            _ => Vec::new(),
        };
        match missing.is_empty() {
            true => format!("{name} ({})", state.name()),
            false => format!("{name} ({}: {})", state.name(), missing.join(", or ")),
        }
    }

    /// What a criterion still waits for.
    pub fn missing(&self, c: usize, at: usize, snapshot: &[i64]) -> String {
        let criterion = &self.case.criteria[c];
        let kept = |part: usize| {
            let latch = self.lowered.map.latches.get(&(c, at, part));
            latch.is_some_and(|v| snapshot.get(v.0 as usize).is_some_and(|x| *x != 0))
        };
        let mut parts = Vec::new();
        for (k, part) in criterion.on.iter().enumerate().filter(|(k, _)| !kept(*k)) {
            parts.push(match &part.source {
                super::model::Source::Items(items) => {
                    let names: Vec<&str> = items.iter().map(|i| self.case.items[*i].name.as_str()).collect();
                    format!("'{}' of {}", part.event.name(), names.join(" or "))
                }
                super::model::Source::File(f) => format!("'{}' of {}", part.event.name(), self.case.files[*f].name),
                super::model::Source::Free(f) => self.case.free[*f].text.clone(),
                super::model::Source::Nothing => format!("part {} that never occurs", k + 1),
            });
        }
        if let Some(condition) = criterion.condition.filter(|_| !kept(criterion.on.len())) {
            parts.push(format!("'{}' to hold", self.case.conditions[condition].text));
        }
        match parts.is_empty() {
            true if !criterion.has_sentry => format!("{} has no sentry", criterion.name),
            _ => format!("{} still waits for {}", criterion.name, parts.join(" and ")),
        }
    }
}

impl Lens for Cmmn {
    fn language(&self) -> &'static str {
        "cmmn"
    }

    fn machine(&self) -> &Valid {
        &self.lowered.machine
    }

    fn with_property(&self, text: &str, sources: &mut Sources) -> Result<Valid, String> {
        let mut machine: Machine = (*self.lowered.machine).clone();
        let (map, overflow) = (&self.lowered.map, machine.overflow);
        let one = properties::typed(text, sources, |texts, diags| {
            atoms::properties(texts, &self.case, map, overflow, &mut machine.exprs, diags)
        })?;
        machine.properties.push(one);
        validate(machine).map_err(|fault| fault.to_string())
    }

    fn profile(&self) -> Option<&str> {
        Some(self.case.profile.name())
    }

    fn asks_standard(&self) -> bool {
        true
    }

    fn things(&self) -> &'static [&'static str] {
        &["item", "variable"]
    }

    fn terms(&self) -> Terms {
        let formula = match self.case.items.get(1) {
            Some(item) => format!("EF '{}'.completed", item.name),
            None => "EF case.completed".into(),
        };
        Terms { picture: "Items of the case", part: "item", formula, ..Terms::plain() }
    }

    fn kind(&self, var: VarId) -> VariableKind {
        let map = &self.lowered.map;
        if map.states.contains(&var) {
            return VariableKind::State;
        }
        if map.data.contains(&var) || map.files.contains(&var) {
            return VariableKind::Data;
        }
        match var == map.endless || var == self.lowered.machine.overflow {
            true => VariableKind::Overflow,
            false => VariableKind::Observer,
        }
    }

    /// Only what the step did to items and variables: bookkeeping says nothing to people.
    fn cards(&self, step: &Taken, now: &mut [i64]) -> Vec<Card> {
        let rules = &step.body().rules;
        let does = |card: &Card| card.turn.and_then(|t| self.lowered.map.does.get(rules.get(t)?.origin.key as usize));
        let all = cards::plain(step, now);
        all.into_iter().filter(|c| c.fired || !matches!(does(c), None | Some(Does::Nothing))).collect()
    }

    fn summary(&self) -> Summary {
        let (m, counts) = (&self.lowered.machine, self.counts());
        let more = [
            ("properties", m.properties.len()),
            ("events", m.actions.len()),
            ("rounds of a step", self.lowered.map.rounds),
            ("state bits", m.state_bits() as usize),
        ];
        let mut text = format!("{}\n  {:<17} {}\n", self.case.name, "profile", self.case.profile.name());
        counts.iter().chain(&more).for_each(|(what, n)| text += &format!("  {what:<17} {n}\n"));
        for (data, var) in self.case.data.iter().zip(&self.lowered.map.data) {
            text += &format!("  {:<17} {}\n", data.name, domain_text(&m.var(*var).domain));
        }
        for assumed in self.assumptions() {
            text += &format!("  {:<17} {assumed}\n", "assumed");
        }
        let numbers: serde_json::Map<String, serde_json::Value> =
            counts.iter().chain(&more).map(|(what, n)| (what.replace(' ', "_"), json!(n))).collect();
        let json = json!({
            "schema": "gsmc.validate/1",
            "gsmc": env!("CARGO_PKG_VERSION"),
            "application": self.case.name,
            "language": "cmmn",
            "profile": self.case.profile.name(),
            "numbers": numbers,
            "assumptions": self.assumptions(),
            "properties": m.properties.len(),
            "machine": {
                "state_bits": m.state_bits(),
                "actions": m.actions.len(),
                "rules": m.ground_rules(),
                "left_out": m.left_out,
            },
        });
        Summary { counts, text, json }
    }
}
