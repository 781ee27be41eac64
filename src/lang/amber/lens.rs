//! A model with its machine, as everything after lowering sees it.

use super::draw::{Shown, lay_out, svg};
use super::lower::{Lowered, Map, Meaning, Relevant, lower};
use super::model::{Expr, Model, NodeKind};
use super::properties::AmberAtoms;
use super::why::{said, who_waits, why_not};
use crate::lang::lens::{Forbidden, Lens, Said, Slices};
use crate::lang::page::VariableKind;
use crate::lang::properties;
use crate::lang::summary::Summary;
use crate::lang::terms::{CHANGED, Sign, Terms};
use crate::logic::Property;
use crate::machine::{BodyIx, Valid, VarId};
use crate::picture::Drawing;
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Sources, render};
use serde_json::json;

/// Signs of its pictures.
const LEGEND: &[Sign] = &[
    Sign::new("circle", "action"),
    Sign::new("half", "interaction"),
    Sign::new("circle twice", "repeated"),
    Sign::new("circle dashed", "optional"),
    Sign::new("square full-ink", "all must come"),
    Sign::new("square", "one is enough"),
    Sign::new("diamond full-ink", "all ways"),
    Sign::new("diamond", "one way"),
    Sign::new("link-sign", "happens together"),
    Sign::new("circle waits", "waits").live(),
    Sign::new("circle happened", "has happened").live(),
    Sign::new("circle crossed", "disabled").live(),
    CHANGED,
];

/// A model, its properties, its machine and the way back.
#[derive(Clone, Debug)]
pub struct Amber {
    /// The model.
    pub model: Model,
    /// The properties, as the machine has them.
    pub properties: Vec<Property<Expr>>,
    /// The machine.
    pub machine: Valid,
    /// What its variables stand for.
    pub map: Map,
    /// Is data kept that nothing reads?
    keep_all: bool,
}

impl Amber {
    /// Lowers a model with its properties.
    pub fn new(model: Model, properties: Vec<Property<Expr>>, keep_all: bool) -> Result<Amber, Diagnostic> {
        let Lowered { machine, map } = lower(&model, &properties, keep_all)?;
        Ok(Amber { model, properties, machine, map, keep_all })
    }

    fn count(&self, kinds: &[NodeKind]) -> usize {
        self.model.nodes.iter().filter(|n| kinds.contains(&n.kind)).count()
    }

    fn counts(&self) -> Vec<(&'static str, usize)> {
        use NodeKind::*;
        let model = &self.model;
        vec![
            ("blocks", model.blocks.len().saturating_sub(1)),
            ("actions", self.count(&[Action])),
            ("interactions", self.count(&[Interaction])),
            ("relations", model.relations.len()),
            ("joins", self.count(&[AndJoin, OrJoin])),
            ("splits", self.count(&[AndSplit, OrSplit])),
            ("arrows", model.arrows.len()),
            ("double arrows", model.arrows.iter().filter(|a| a.double).count()),
            ("actors", model.actors.len()),
            ("variables", model.vars.len()),
        ]
    }
}

impl Lens for Amber {
    fn language(&self) -> &'static str {
        "amber"
    }

    fn machine(&self) -> &Valid {
        &self.machine
    }

    fn with_property(&self, text: &str, sources: &mut Sources) -> Result<Valid, String> {
        let mut atoms = AmberAtoms { model: &self.model };
        let one = properties::typed(text, sources, |texts, diags| properties::read(texts, &mut atoms, diags))?;
        let all: Vec<_> = self.properties.iter().cloned().chain([one]).collect();
        let lowered = lower(&self.model, &all, self.keep_all).map_err(|d| render(&d, sources, false))?;
        Ok(lowered.machine)
    }

    fn things(&self) -> &'static [&'static str] {
        &["action", "variable"]
    }

    fn terms(&self) -> Terms {
        let action = self.model.nodes.iter().rfind(|n| n.kind.happens());
        Terms {
            step: "step",
            picture: "Process",
            part: "node",
            ending: "who waits, what has happened",
            formula: action.map_or("AG !stuck".into(), |n| format!("EF executed('{}')", n.path)),
            legend: LEGEND,
        }
    }

    fn kind(&self, var: VarId) -> VariableKind {
        match self.map.meaning(var) {
            Some(Meaning::Cell(_)) => VariableKind::Data,
            Some(Meaning::Overflow | Meaning::Crowded) => VariableKind::Overflow,
            Some(Meaning::Last) => VariableKind::Observer,
            _ => VariableKind::State,
        }
    }

    fn says(&self, var: VarId, value: i64) -> Option<Said> {
        said(&self.model, self.map.meaning(var)?, value)
    }

    fn hangs(&self, question: &str, snapshot: &[i64]) -> Option<String> {
        let what = match question.trim_start_matches("standard(").trim_end_matches(')') {
            "no-deadlock" => "the process stops before its end",
            "can-end" => "the process cannot end any more",
            _ => return None,
        };
        let waits = who_waits(&self.model, &Shown::of(&self.map, snapshot));
        let told: Vec<String> = waits.into_iter().take(3).collect();
        (!told.is_empty()).then(|| format!("{what}: {}", told.join("; ")))
    }

    fn why_not(&self, body: BodyIx, snapshot: &[i64]) -> Option<String> {
        let reasons = why_not(&self.model, &Shown::of(&self.map, snapshot), body.0);
        if body.0 >= self.model.events.len() {
            return Some("something that is not optional can happen, or nothing at all".into());
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }

    fn forbidden(&self) -> Option<Forbidden> {
        let var = self.map.crowded?;
        Some(Forbidden {
            var,
            code: &codes::CROWDED,
            message: "occurrences of an action can pile up, and no bound is named".into(),
            help: "say how many may wait: bound 2 in the model, or --bound 2".into(),
        })
    }

    fn summary(&self) -> Summary {
        let (m, counts) = (&self.machine, self.counts());
        let more = [
            ("properties", m.properties.len()),
            ("events", self.model.events.len()),
            ("state bits", m.state_bits() as usize),
        ];
        let mut text = format!("{}\n", self.model.name);
        counts.iter().chain(&more).for_each(|(what, n)| text += &format!("  {what:<15} {n}\n"));
        match self.model.bound {
            Some(bound) => text += &format!("  {:<15} {bound}\n", "bound"),
            None => text += &format!("  {:<15} none named, one occurrence waits\n", "bound"),
        }
        if !m.left_out.is_empty() {
            text += &format!("  {:<15} {}\n", "left out", m.left_out.join(", "));
        }
        let numbers: serde_json::Map<String, serde_json::Value> =
            counts.iter().chain(&more).map(|(what, n)| (what.replace(' ', "_"), json!(n))).collect();
        let json = json!({
            "schema": "gsmc.validate/2",
            "gsmc": env!("CARGO_PKG_VERSION"),
            "application": self.model.name,
            "language": "amber",
            "numbers": numbers,
            "bound": self.model.bound,
            "agents": self.model.actors.iter().map(|a| &a.name).collect::<Vec<_>>(),
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

    fn drawing(&self, _sources: &Sources, width: i32) -> Drawing {
        svg::drawing(&self.model, &self.machine, &self.map, &lay_out(&self.model, width))
    }

    fn slices(&self, asked: &[usize]) -> Slices {
        let mut slices = Slices::default();
        let mut known: Vec<(Relevant, Option<usize>)> = Vec::new();
        for p in asked {
            let Some(property) = self.properties.get(*p) else {
                slices.of.push(None);
                continue;
            };
            let relevant = Relevant::of(&self.model, std::slice::from_ref(property), self.keep_all);
            let made = known.iter().find(|(r, _)| *r == relevant).map(|(_, at)| *at);
            let at = made.unwrap_or_else(|| {
                let at = relevant.lower(&self.model, &[]).ok().map(|lowered| {
                    slices.machines.push(lowered.machine);
                    slices.machines.len() - 1
                });
                known.push((relevant, at));
                at
            });
            slices.of.push(at);
        }
        slices
    }
}
