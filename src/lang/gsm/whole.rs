//! A GSM application with everything that follows from it, as everything after lowering sees it.

use super::draw::{self, dot, rules};
use super::{
    Application, EventIx, Lowered, Map, ModelProperty, Occurrence, Order, Relevant, RuleIx, Rules, TypeIx, VarRole,
    lower, lowered, orders, page, properties, summary, terms,
};
use crate::lang::cards::{Card, Taken};
use crate::lang::cases::Cases;
use crate::lang::config::GivenAbstraction;
use crate::lang::counted::Counted;
use crate::lang::lens::{Lens, Slices};
use crate::lang::page::{ModelView, VariableKind};
use crate::lang::summary::Summary;
use crate::lang::terms::Terms;
use crate::lang::unbounded::Open;
use crate::machine::{BodyIx, Machine, Rule, Valid, VarId};
use crate::picture::Drawing;
use crate::source::{Diagnostic, Diagnostics, Sources, render};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// An application, its properties, its machine and the way back.
#[derive(Clone, Debug)]
pub struct Gsm {
    /// The model.
    pub app: Application,
    /// The properties, as the machine has them.
    pub properties: Vec<ModelProperty>,
    /// The machine.
    pub machine: Valid,
    /// What its parts stand for.
    pub map: Map,
    /// What to do about unbounded data.
    pub abstraction: GivenAbstraction,
    /// Types of which there may be any number.
    pub any: Vec<TypeIx>,
    /// The rules of the model.
    pub rules: Rules,
    /// With exact values: the application as it was.
    pub(super) origin: Option<Arc<Gsm>>,
    /// Their order, event by event, once somebody asked.
    pub(super) sequences: OnceLock<FxHashMap<Occurrence, Vec<RuleIx>>>,
}

impl Gsm {
    /// Lowers an application with its properties.
    pub fn new(app: Application, properties: Vec<ModelProperty>, sources: &Sources) -> Result<Gsm, Diagnostic> {
        let Lowered { machine, map } = lowered(&app, &properties, sources)?;
        Ok(Gsm::of(app, properties, machine, map))
    }

    /// An application that was lowered.
    pub(super) fn of(app: Application, properties: Vec<ModelProperty>, machine: Valid, map: Map) -> Gsm {
        let rules = Rules::of(&app);
        let (abstraction, sequences) = Default::default();
        Gsm { app, properties, machine, map, abstraction, any: Vec::new(), rules, origin: None, sequences }
    }

    /// The rules that can matter for an occurrence, in their order.
    pub(super) fn sequence(&self, occurrence: Occurrence) -> &[RuleIx] {
        let all = || orders(&self.app, &self.rules).into_iter().map(|o| (o.occurrence, o.sequence)).collect();
        self.sequences.get_or_init(all).get(&occurrence).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Lens for Gsm {
    fn language(&self) -> &'static str {
        "gsm"
    }

    fn machine(&self) -> &Valid {
        &self.machine
    }

    fn without_bounds(&self, sources: &Sources, found: &mut Diagnostics) -> Option<Result<Open, Diagnostic>> {
        Some(self.opened(sources, found))
    }

    fn exactly(&self, sources: &Sources, found: &mut Diagnostics) -> Option<Result<Box<dyn Lens>, Diagnostic>> {
        Some(self.with_exact_values(sources, found).map(|gsm| Box::new(gsm) as Box<dyn Lens>))
    }

    fn with_property(&self, text: &str, sources: &mut Sources) -> Result<Valid, String> {
        let (app, known) = self.origin.as_ref().map_or((&self.app, &self.properties), |o| (&o.app, &o.properties));
        let one = crate::lang::properties::typed(text, sources, |texts, diags| properties(texts, app, diags))?;
        let all: Vec<_> = known.iter().cloned().chain([one]).collect();
        let machine = match &self.origin {
            Some(origin) => {
                let asked = Gsm { properties: all, ..(**origin).clone() };
                asked.with_exact_values(sources, &mut Diagnostics::new()).map(|gsm| gsm.machine)
            }
            None => lower(app, &all, sources),
        };
        machine.map_err(|d| render(&d, sources, false))
    }

    fn name(&self) -> &str {
        &self.app.name
    }

    fn things(&self) -> &'static [&'static str] {
        &["stage", "milestone", "attribute"]
    }

    fn terms(&self) -> Terms {
        terms::terms(&self.app)
    }

    fn kind(&self, var: VarId) -> VariableKind {
        page::kind(&self.map, var)
    }

    fn is_internal(&self, var: VarId) -> bool {
        matches!(self.map.role(var), VarRole::Buffer(_))
    }

    fn cards(&self, step: &Taken, now: &mut [i64]) -> Vec<Card> {
        self.rule_cards(step, now)
    }

    fn inapplicable(&self, body: BodyIx, by_payload: bool) -> Option<String> {
        match self.map.occurrence(body) {
            Some(Occurrence::TaskDone(ty, task)) => Some(match self.app.message(ty, task) {
                Some(_) => "no such message is under way to there".into(),
                None => "the task is not pending".into(),
            }),
            _ if by_payload => None,
            _ => Some("no rule there waits for it now".into()),
        }
    }

    fn rule_words(&self, rule: &Rule) -> String {
        match self.rules.list.get(rule.origin.key as usize) {
            Some(def) => self.rule_in_words(def),
            None => format!("the rule {}", rule.origin.label),
        }
    }

    fn never_written(&self, var: VarId, value: i64) -> Option<String> {
        self.not_in_machine(var, value)
    }

    fn happening(&self, event: &str) -> Option<String> {
        let message = || {
            let (name, sender) = event.rsplit_once(" from ")?;
            let ix = self.app.events.iter().position(|e| e.id == name).map(EventIx)?;
            self.app.sent_by_task(ix).then(|| format!("the message {name} from {sender} arrives"))
        };
        event.strip_prefix("done ").map(|task| format!("task {task} is done")).or_else(message)
    }

    fn never_possible(&self, question: &str) -> Option<String> {
        self.not_asked(question)
    }

    fn summary(&self) -> Summary {
        let all = summary::Summary::of(self);
        let json = serde_json::to_value(&all).unwrap_or_default();
        Summary { counts: all.counts(), text: all.text(), json }
    }

    fn page(&self, sources: &Sources) -> ModelView {
        page::view(self, sources)
    }

    fn drawing(&self, sources: &Sources, width: i32) -> Drawing {
        draw::drawing(&self.app, sources, width)
    }

    fn dot(&self) -> Option<String> {
        Some(dot::lifecycle(&self.app))
    }

    fn rule_graphs(&self) -> Vec<String> {
        orders(&self.app, &self.rules).iter().map(|o| o.occurrence.name(&self.app)).collect()
    }

    fn draw_rule_graphs(&self, events: &[usize], as_svg: bool) -> String {
        let all = orders(&self.app, &self.rules);
        let chosen: Vec<&Order> = events.iter().filter_map(|e| all.get(*e)).collect();
        if as_svg {
            return rules::file(&self.app, &self.rules, &chosen);
        }
        let texts: Vec<String> = chosen.iter().map(|o| dot::rule_graph(&self.app, &self.rules, o)).collect();
        texts.join("\n")
    }

    fn guesses(&self, machine: &Machine) -> Vec<String> {
        self.guessed_in(machine)
    }

    fn rounded(&self, machine: &Machine, property: &str) -> Vec<String> {
        self.rounded_for(machine, property)
    }

    fn cases(&self) -> Option<&dyn Cases> {
        Some(self)
    }

    fn counted(&self) -> Option<&dyn Counted> {
        Some(self)
    }

    fn slices(&self, properties: &[usize]) -> Slices {
        let mut slices = Slices::default();
        let mut known: Vec<(Relevant, Option<usize>)> = Vec::new();
        for p in properties {
            let Some(property) = self.properties.get(*p) else {
                slices.of.push(None);
                continue;
            };
            let relevant = Relevant::of(&self.app, std::slice::from_ref(property));
            let made = known.iter().find(|(r, _)| *r == relevant).map(|(_, at)| *at);
            let at = made.unwrap_or_else(|| {
                let at = relevant.machine(&self.app).map(|machine| {
                    slices.machines.push(machine);
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
