//! A case with its machine, as everything after lowering sees it.

use super::atoms;
use super::condition::Data;
use super::lower::{Does, Lowered, lower};
use super::model::{Case, Item, Kind, State};
use crate::lang::cards::{self, At, Card, Eval, Taken};
use crate::lang::lens::{CutOff, Lens, Said};
use crate::lang::page::VariableKind;
use crate::lang::properties;
use crate::lang::summary::{Summary, domain_text};
use crate::lang::syntax::Text;
use crate::lang::terms::Terms;
use crate::machine::{BodyIx, Machine, Node, Rule, Valid, VarId, validate};
use crate::picture::Drawing;
use crate::source::{Diagnostic, Diagnostics, Sources};
use serde_json::json;
use std::collections::BTreeMap;

/// A case, its machine and the way back.
#[derive(Clone, Debug)]
pub struct Cmmn {
    /// The case.
    pub case: Case,
    /// Its machine with what its parts stand for.
    pub lowered: Lowered,
    /// The standard questions are asked.
    standard: bool,
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
        Ok(Cmmn { case, lowered, standard })
    }

    /// Conditions that hold or not, freely; who writes data; what happens by hand; bounds: what every verdict rests on.
    pub fn assumed(&self) -> Vec<String> {
        let case = &self.case;
        let how = match case.flowable() {
            true => "as on Flowable's engine (profile flowable)",
            false => "as the standard says (profile spec)",
        };
        let (items, instances) = (case.items.len() - 1, case.instances.len() - 1);
        let mut all = vec![format!("the case runs {how}; items {items}, instances {instances}")];
        all.extend(self.free_conditions());
        if !case.data.is_empty() {
            let names: Vec<&str> = case.data.iter().map(|d| d.name.as_str()).collect();
            let every = |i: &Item| i.task().is_none_or(|t| t.writes.len() == case.data.len());
            let who = match (case.data_any, case.start_writes.len() == case.data.len() && case.items.iter().all(every))
            {
                (true, _) => "anybody at any time",
                (_, true) => "whoever starts the case or completes a task",
                _ => "whoever does what [writes] names",
            };
            let values =
                |(d, v): (&Data, &VarId)| format!("{}: {}", d.name, domain_text(&self.lowered.machine.var(*v).domain));
            let values: Vec<String> = case.data.iter().zip(&self.lowered.map.data).map(values).collect();
            all.push(format!("{who} may set {} to any value ({})", names.join(", "), values.join("; ")));
        }
        let named = |test: &dyn Fn(&Item) -> bool| -> Vec<&str> {
            case.items.iter().filter(|i| test(i)).map(|i| i.name.as_str()).collect()
        };
        let completed = named(&|i| i.by_hand.complete);
        if completed.len() == named(&|i| i.is_container()).len() {
            all.push("stages and the case may be completed by hand".into());
        } else if !completed.is_empty() {
            all.push(format!("these may be completed by hand: {}", completed.join(", ")));
        }
        let hands = named(&|i| i.by_hand.fault || i.by_hand.terminate || i.by_hand.disable);
        if !hands.is_empty() {
            all.push(format!("these may fail, be terminated or disabled by hand: {}", hands.join(", ")));
        }
        if !case.roles.is_empty() {
            all.push(format!("only the one named does what names somebody: {}", case.roles.join(", ")));
        }
        for (item, slots) in &self.lowered.machine.bounds {
            all.push(format!("at most {slots} instances of {item} at a time"));
        }
        if self.lowered.map.cut {
            all.push(format!("a step that goes on for more than {} rounds does not end", self.lowered.map.rounds));
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
        self.standard
    }

    fn in_words(&self, question: &str, holds: bool) -> Option<String> {
        let bounds = &self.lowered.machine.bounds;
        if (question, holds) != ("no-overflow", false) || bounds.is_empty() {
            return None;
        }
        let more: Vec<String> = bounds.iter().map(|(item, n)| format!("--instances {item}={}", n + 1)).collect();
        Some(format!("more instances may be needed than there are places: try {}", more.join(" or ")))
    }

    fn cut_off(&self) -> Option<CutOff> {
        let flag = self.lowered.machine.var(self.lowered.map.endless).name.clone();
        self.lowered.map.cut.then(|| CutOff { flag, never: "settles".into() })
    }

    fn assumptions(&self) -> Vec<String> {
        self.assumed()
    }

    fn free_conditions(&self) -> Vec<String> {
        self.case.free.iter().map(|f| format!("'{}' holds or not in every step", f.text)).collect()
    }

    fn why_not(&self, body: BodyIx, snapshot: &[i64]) -> Option<String> {
        self.why_impossible(body, snapshot)
    }

    fn tells_happenings(&self) -> bool {
        true
    }

    fn happened(&self, name: &str, _before: &[i64], body: BodyIx, fired: &[usize]) -> Option<String> {
        self.what_happened(name, body, fired)
    }

    fn stands(&self, name: &str, snapshot: &[i64]) -> Option<String> {
        let of_item = |i: &usize| self.case.item_of(*i).name == name;
        let is = |i: &usize| self.case.instances[*i].name == name || of_item(i);
        let all: Vec<String> =
            (1..self.case.instances.len()).filter(is).map(|i| self.why_not_in(i, snapshot)).collect();
        (!all.is_empty()).then(|| all.join("\n"))
    }

    fn why_so(&self, var: VarId, snapshot: &[i64]) -> Option<String> {
        let instance = self.lowered.map.states.iter().position(|v| *v == var)?;
        Some(self.why_not_in(instance, snapshot))
    }

    fn hangs(&self, question: &str, snapshot: &[i64]) -> Option<String> {
        self.where_it_hangs(question, snapshot)
    }

    fn says(&self, var: VarId, value: i64) -> Option<Said> {
        let map = &self.lowered.map;
        if let Some(i) = map.states.iter().position(|s| *s == var) {
            let state = self.lowered.machine.var(var).domain.show(value);
            let name = if i == 0 { "the case" } else { self.case.instances[i].name.as_str() };
            return (state != State::None.name()).then(|| Said {
                is: format!("{name} is {state}"),
                was: format!("{name} was {state}"),
                never: Some(format!("{name} is never {state}")),
                no_more: Some(format!("{name} can never be {state} any more")),
            });
        }
        let endless = var == map.endless && value == 1;
        endless.then(|| Said {
            is: "the step does not come to an end".into(),
            was: "a step did not come to an end".into(),
            never: Some("every step comes to an end".into()),
            no_more: None,
        })
    }

    fn rule_words(&self, rule: &Rule) -> String {
        format!("'{}'", rule.origin.label)
    }

    fn never_possible(&self, question: &str) -> Option<String> {
        self.what_never_comes(question)
    }

    fn in_the_way(&self, question: &str, no: &dyn Fn(&str) -> bool) -> Option<String> {
        self.what_keeps_it_open(question, no)
    }

    fn parts(&self) -> Option<BTreeMap<String, String>> {
        Some(self.named_parts())
    }

    fn drawing(&self, _sources: &Sources, width: i32) -> Drawing {
        super::draw::drawing(self, width)
    }

    fn things(&self) -> &'static [&'static str] {
        &["item", "variable"]
    }

    fn terms(&self) -> Terms {
        super::terms::of(&self.case)
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
        let mut told: Vec<Card> =
            all.into_iter().filter(|c| c.fired || !matches!(does(c), None | Some(Does::Nothing))).collect();
        let m = &self.lowered.machine;
        let within = |c: &Card| {
            let rule = c.turn.and_then(|t| rules.get(t));
            let mut reads = false;
            rule.into_iter().for_each(|r| {
                m.exprs.leaves(r.antecedent, &mut |l| reads |= matches!(l, Node::Cur(v) if m.var(*v).scratch));
            });
            reads
        };
        for card in told.iter_mut().filter(|c| within(c)) {
            card.antecedent = Eval::truth("what goes before in the step brings it about".into(), card.fired, At::Parts);
            if let Some(refusal) = &mut card.refused {
                refusal.part = card.antecedent.clone();
            }
        }
        told
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
        for assumed in self.assumed() {
            text += &format!("  {:<17} {assumed}\n", "assumed");
        }
        let numbers: serde_json::Map<String, serde_json::Value> =
            counts.iter().chain(&more).map(|(what, n)| (what.replace(' ', "_"), json!(n))).collect();
        let json = json!({
            "schema": "gsmc.validate/2",
            "gsmc": env!("CARGO_PKG_VERSION"),
            "application": self.case.name,
            "language": "cmmn",
            "profile": self.case.profile.name(),
            "numbers": numbers,
            "assumptions": self.assumed(),
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
