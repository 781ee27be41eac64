//! An E-GSM model with everything that follows from it, as everything after lowering sees it.

use super::acting::{Acting, Ground};
use super::agents::Agent;
use super::atoms::{Fact, Resolve};
use super::lower::{Bodies, Built, Cause, Refused, Role, bodies, build, whole};
use super::model::{Kind, Model};
use super::reasons::{self, Turns};
use super::said::said;
use super::why::{self, Named};
use super::{draw, questions, waits};
use crate::lang::cards::{Card, Taken};
use crate::lang::lens::{Findings, Lens, Said, Slices};
use crate::lang::page::VariableKind;
use crate::lang::properties::{self, add_standard};
use crate::lang::summary::Summary;
use crate::lang::syntax::Text;
use crate::lang::terms::Terms;
use crate::logic::{Bool, Formula, PathFormula, Property, Rewrite};
use crate::machine::{BodyIx, ExprId, Rule, Valid, VarId, validate};
use crate::picture::Drawing;
use crate::source::codes::egsm as codes;
use crate::source::{Diagnostic, Diagnostics, Sources, render};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// How often an element may stand on a way of nested calls, unless said otherwise.
pub const NESTING: usize = 2;

/// A model, its moves, its properties and its machine.
#[derive(Clone, Debug)]
pub struct Egsm {
    /// The model.
    pub model: Model,
    /// Its moves.
    pub bodies: Bodies,
    /// The properties, as the machine has them.
    pub properties: Vec<Property<Fact>>,
    /// The machine.
    pub machine: Valid,
    /// What its variables stand for.
    pub roles: BTreeMap<VarId, Role>,
    /// What its rules do, by key.
    pub causes: Vec<(Cause, Role)>,
    /// Who acts.
    pub acting: Acting,
    /// What turns in some run, once it was asked for.
    turns: OnceLock<Option<Turns>>,
}

impl Egsm {
    /// Lowers a model with its properties; with `standard`, the questions of a process owner are added.
    pub fn new(
        model: Model,
        mut properties: Vec<Property<Fact>>,
        nesting: usize,
        standard: bool,
        acting: Acting,
    ) -> Result<Egsm, Diagnostic> {
        let bodies = bodies(&model, nesting).map_err(|why| refusal(&model, why))?;
        if standard {
            add_standard(&mut properties, questions::properties(&model));
        }
        let watched = if standard { questions::watched(&model) } else { BTreeSet::new() };
        let built = lowered(&model, &bodies, &acting, &properties, &whole(&model, &bodies), &watched)?;
        let mut machine = built.machine.clone();
        if standard {
            machine.questions = questions::questions(&model, &bodies, &built);
        }
        Egsm::of(model, bodies, acting, properties, Built { machine, ..built })
    }

    fn of(
        model: Model,
        bodies: Bodies,
        acting: Acting,
        properties: Vec<Property<Fact>>,
        built: Built,
    ) -> Result<Egsm, Diagnostic> {
        let machine = proved(&model, built.machine)?;
        let roles = built.handles.iter().map(|(role, var)| (*var, *role)).collect();
        Ok(Egsm { model, bodies, properties, machine, roles, causes: built.causes, acting, turns: OnceLock::new() })
    }
}

impl Egsm {
    /// The machine with only what some properties need. What agents see is the whole: then there is none.
    fn slice(&self, properties: &[Property<Fact>]) -> Option<Built> {
        let none = BTreeSet::new();
        let alone = self.acting.agents.is_none();
        alone.then(|| lowered(&self.model, &self.bodies, &self.acting, properties, &none, &none).ok()).flatten()
    }
}

/// Reads properties of a model.
pub fn read_properties(
    texts: &[Text],
    model: &Model,
    agents: &[Agent],
    diags: &mut Diagnostics,
) -> Vec<Property<Fact>> {
    properties::read(texts, &mut Resolve { model, agents, scope: None }, diags)
}

fn refusal(model: &Model, why: Refused) -> Diagnostic {
    let place = |s: usize| model.stages.get(s).map(|stage| (stage.span, stage.id.clone()));
    let (message, at) = match why {
        Refused::Unsettled => ("the rules do not settle at the start".to_string(), place(0)),
        Refused::TooLong(circle) => {
            let names: Vec<String> = circle.iter().filter_map(|s| Some(format!("'{}'", place(*s)?.1))).collect();
            let around = match names.as_slice() {
                [] => "the rules".to_string(),
                [one] => format!("the rules around stage {one}"),
                [some @ .., last] => format!("the rules of the stages {} and {last}", some.join(", ")),
            };
            let message = format!("{around} set each other off too often to be written down");
            (message, place(circle.first().copied().unwrap_or(0)))
        }
    };
    let d = match at {
        Some((span, _)) => Diagnostic::new(&codes::TOO_LONG, span, message),
        None => Diagnostic::placeless(&codes::TOO_LONG, message),
    };
    d.help("try --nesting 1; verdicts are then bounded")
}

fn proved(model: &Model, machine: crate::machine::Machine) -> Result<Valid, Diagnostic> {
    validate(machine).map_err(|fault| {
        let span = model.stages.first().map(|s| s.span);
        Diagnostic { span, ..Diagnostic::placeless(&codes::TOO_LONG, fault.to_string()) }
    })
}

/// The machine that has the variables `base` and what the properties speak of.
fn lowered(
    model: &Model,
    bodies: &Bodies,
    acting: &Acting,
    properties: &[Property<Fact>],
    base: &BTreeSet<Role>,
    watched: &BTreeSet<Role>,
) -> Result<Built, Diagnostic> {
    let mut wanted = base.clone();
    for p in properties {
        let mut want = |f: &Formula<Fact>| f.atoms(&mut |fact| fact.roles(&mut |role| _ = wanted.insert(role)));
        want(&p.formula);
        p.fair.iter().for_each(want);
    }
    let derived = |role: &Role| matches!(role, Role::Sentry(x) if bodies.derived.contains(x));
    wanted.retain(|role| !derived(role));
    let mut built = build(model, bodies, &wanted, watched, &acting.variables());
    acting.equip(&mut built, model, bodies);
    let mut ground = Ground::new(&mut built.machine.exprs, &built.machine.vars, &built.handles, &[]);
    let list = properties.iter().map(|p| p.rewritten(&mut ground)).collect();
    built.machine.properties = list;
    Ok(built)
}

/// Formulas about the model become formulas about the machine.
impl Rewrite<Fact, ExprId> for Ground<'_> {
    fn atom(&mut self, fact: &Fact) -> Formula<ExprId> {
        Formula::Atom(self.fact(fact))
    }

    fn formula(&mut self, f: &Formula<Fact>) -> Formula<ExprId> {
        match f {
            Formula::Bool(Bool::Quant { body, .. }) => self.formula(body),
            _ => f.rewritten(self),
        }
    }

    fn path(&mut self, f: &PathFormula<Fact>) -> PathFormula<ExprId> {
        match f {
            PathFormula::Bool(Bool::Quant { body, .. }) => self.path(body),
            _ => f.rewritten(self),
        }
    }
}

impl Lens for Egsm {
    fn language(&self) -> &'static str {
        "gsm"
    }

    fn machine(&self) -> &Valid {
        &self.machine
    }

    fn with_property(&self, text: &str, sources: &mut Sources) -> Result<Valid, String> {
        let one = properties::typed(text, sources, |texts, diags| {
            read_properties(texts, &self.model, self.acting.agents(), diags)
        })?;
        let all: Vec<_> = self.properties.iter().cloned().chain([one]).collect();
        let base = whole(&self.model, &self.bodies);
        let built = lowered(&self.model, &self.bodies, &self.acting, &all, &base, &BTreeSet::new());
        let machine = built.and_then(|b| proved(&self.model, b.machine));
        machine.map_err(|d| render(&d, sources, false))
    }

    fn profile(&self) -> Option<&str> {
        Some("egsm")
    }

    fn in_words(&self, question: &str, holds: bool) -> Option<String> {
        questions::words(&self.model, question, holds)
    }

    /// What is possible when anybody reports anything. Agents who do not are the engines' business.
    fn findings(&self, wants: &dyn Fn(&str) -> bool, stop: &dyn Fn() -> bool) -> Option<Findings> {
        let anybody = self.acting.agents.is_none();
        anybody.then(|| questions::found(&self.model, &self.bodies, wants, stop))
    }

    fn alone(&self, property: usize) -> Option<Box<dyn Lens>> {
        let properties = vec![self.properties.get(property)?.clone()];
        let built = self.slice(&properties)?;
        let (model, bodies) = (self.model.clone(), self.bodies.clone());
        Some(Box::new(Egsm::of(model, bodies, self.acting.clone(), properties, built).ok()?))
    }

    fn name(&self) -> &str {
        &self.model.name
    }

    fn things(&self) -> &'static [&'static str] {
        &["stage", "milestone", "item"]
    }

    fn terms(&self) -> Terms {
        let formula = self.model.stages.first().map_or("EF violation".into(), |s| format!("EF outOfOrder('{}')", s.id));
        let legend = draw::LEGEND;
        Terms { step: "move", picture: "Stages, milestones and items", part: "part", formula, legend, ..Terms::plain() }
    }

    fn drawing(&self, _: &Sources, width: i32) -> Drawing {
        draw::drawing(self, width)
    }

    fn says(&self, var: VarId, value: i64) -> Option<Said> {
        said(&self.model, *self.roles.get(&var)?, value)
    }

    fn never_possible(&self, question: &str) -> Option<String> {
        let nesting = self.bodies.cuts().then_some(self.bodies.nesting);
        let turns = self.turns.get_or_init(|| Turns::of(&self.model, nesting));
        reasons::why(&self.model, turns.as_ref()?, question)
    }

    fn rule_words(&self, rule: &Rule) -> String {
        format!("'{}'", rule.origin.label)
    }

    fn kind(&self, var: VarId) -> VariableKind {
        match self.roles.get(&var) {
            Some(Role::State(_)) => VariableKind::Stage,
            Some(Role::Sentry(x)) if self.model.sentries[*x].kind == Kind::Milestone => VariableKind::Milestone,
            Some(Role::Item(_)) => VariableKind::Data,
            Some(Role::Unstable) => VariableKind::Overflow,
            None if self.machine.agents.iter().any(|a| a.private.contains(&var)) => VariableKind::Private,
            _ => VariableKind::Observer,
        }
    }

    fn cards(&self, step: &Taken, now: &mut [i64]) -> Vec<Card> {
        self.told(step, now)
    }

    fn names(&self) -> Vec<String> {
        let stages = self.model.stages.iter().map(|s| s.id.clone());
        let sentries = self.model.sentries.iter().map(|s| s.id.clone());
        stages.chain(sentries).chain(self.model.items.iter().map(|i| i.id.clone())).collect()
    }

    fn tells_happenings(&self) -> bool {
        true
    }

    fn happened(&self, name: &str, before: &[i64], body: BodyIx, _fired: &[usize]) -> Option<String> {
        let (about, what) = (Named::find(&self.model, name)?, self.bodies.moves.get(body.0)?.what);
        why::happened(&self.model, &self.literally(before), what, about)
    }

    fn stands(&self, name: &str, snapshot: &[i64]) -> Option<String> {
        Some(waits::stands(&self.model, &self.literally(snapshot), Named::find(&self.model, name)?))
    }

    fn is_internal(&self, var: VarId) -> bool {
        matches!(self.roles.get(&var), Some(Role::Last(..) | Role::LastGuard(_) | Role::Condition(_)))
    }

    fn summary(&self) -> Summary {
        let of = |kind: Kind| self.model.sentries.iter().filter(|s| s.kind == kind).count();
        let counts = vec![
            ("stages", self.model.stages.len()),
            ("guards", of(Kind::Guard)),
            ("flow guards", of(Kind::Flow)),
            ("fault loggers", of(Kind::Fault)),
            ("milestones", of(Kind::Milestone)),
            ("events", self.model.events.iter().filter(|e| !e.of_item).count()),
            ("items", self.model.items.len()),
        ];
        let m = &self.machine;
        let longest = self.bodies.moves.iter().map(|b| b.ops.len()).max().unwrap_or(0);
        let more = [
            ("properties", m.properties.len()),
            ("moves", m.bodies.len()),
            ("longest move", longest),
            ("state bits", m.state_bits() as usize),
        ];
        let mut text = format!("{}\n  {:<17} egsm\n", self.model.name, "profile");
        counts.iter().chain(&more).for_each(|(what, n)| text += &format!("  {what:<17} {n}\n"));
        for item in &self.model.items {
            text += &format!("  {:<17} ⊥, {}\n", format!("{}.status", item.id), item.values.join(", "));
        }
        let mut plain = Summary::plain("gsm", m);
        plain.json["profile"] = "egsm".into();
        for (what, n) in &counts {
            plain.json["numbers"][what.replace(' ', "_")] = (*n).into();
        }
        Summary { counts, text, json: plain.json }
    }

    /// Each property alone: compliance and faults of other stages are none of its business.
    fn slices(&self, properties: &[usize]) -> Slices {
        if self.acting.agents.is_some() {
            return Slices { machines: vec![self.machine.clone()], of: properties.iter().map(|_| Some(0)).collect() };
        }
        let mut slices = Slices::default();
        for p in properties {
            let alone = self.properties.get(*p).and_then(|p| {
                let mut machine = self.slice(std::slice::from_ref(p))?.machine;
                machine.properties.clear();
                validate(machine).ok()
            });
            slices.of.push(alone.map(|machine| {
                slices.machines.push(machine);
                slices.machines.len() - 1
            }));
        }
        slices
    }
}
