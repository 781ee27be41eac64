//! From the model to the machine.
//!
//! Slots and variables ([`vars`]), then one body per (event, slot) with the rules in their serialized order ([`body`]), then who
//! may make it happen ([`actions`]), then the properties with their quantifiers expanded ([`formula`]). Only attributes that
//! something reads are kept ([`cone`]). Nothing here knows which engine comes next.

mod actions;
mod applicable;
mod assign;
mod bags;
mod body;
mod cone;
mod expr;
mod finish;
mod formula;
mod ground;
mod messages;
mod observers;
mod points;
mod questions;
mod reals;
mod rules;
mod settled;
#[cfg(test)]
mod tests;
mod turn;
mod vars;

use crate::lang::gsm::{
    Application, Map, Occurrence, Order, Rules, Status, TaskIx, TypeIx, orders, settled, shortest_cycle,
};
use crate::lang::gsm::{Given, ModelProperty};
use crate::machine::{AgentIx, BodyIx, ExprId, Exprs, Fault, Machine, SlotIx, Unbounded, Valid, VarId};
use crate::machine::{validate, validate_unbounded};
use crate::source::{Diagnostic, Sources, Span, codes};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A machine, and what its parts stand for.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The machine.
    pub machine: Valid,
    /// The way back to the model.
    pub map: Map,
}

/// The machine of an application with its properties.
pub fn lower(app: &Application, properties: &[ModelProperty], sources: &Sources) -> Result<Valid, Diagnostic> {
    lowered(app, properties, sources).map(|l| l.machine)
}

/// Lowers an application with its properties. Fails on a cyclic rule graph under `strict_order`; the cycle is then shown with its
/// places in `sources`.
pub fn lowered(app: &Application, properties: &[ModelProperty], sources: &Sources) -> Result<Lowered, Diagnostic> {
    let (machine, map, _) = assembled(app, properties, &[], sources)?;
    Ok(Lowered { machine: validate(machine).map_err(bad)?, map })
}

/// The same for an application some of whose numbers have no bounds, with conditions that the user gives: each for all instances it can
/// be about.
pub fn lowered_unbounded(
    app: &Application,
    properties: &[ModelProperty],
    given: &[Given],
    sources: &Sources,
) -> Result<(Unbounded, Map, Conditions), Diagnostic> {
    let (machine, map, conditions) = assembled(app, properties, given, sources)?;
    Ok((validate_unbounded(machine).map_err(bad)?, map, conditions))
}

/// Conditions that an abstraction should tell apart, beside those that decide whether something happens.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// What the user gave, for all instances it can be about.
    pub given: Vec<Vec<ExprId>>,
    /// What is asked of values on their way into a bag: it says which counter will count them.
    pub elements: Vec<ExprId>,
}

fn bad(fault: Fault) -> Diagnostic {
    Diagnostic::placeless(&codes::machine::BAD_MACHINE, fault.to_string())
}

fn assembled(
    app: &Application,
    properties: &[ModelProperty],
    given: &[Given],
    sources: &Sources,
) -> Result<(Machine, Map, Conditions), Diagnostic> {
    let rules = Rules::of(app);
    if app.options.strict_order
        && let Some(cycle) = shortest_cycle(&orders(app, &rules))
    {
        return Err(cycle.diagnostic(app, &rules, sources));
    }
    let mut lower = Lower::new(app, rules, Relevant::of(app, properties));
    lower.explore_instances();
    lower.make_variables();
    lower.make_agents();
    lower.make_actions();
    lower.make_properties(properties);
    lower.make_questions();
    let given = given.iter().map(|g| lower.given(g)).collect();
    let conditions = Conditions { given, elements: std::mem::take(&mut lower.elements) };
    let (left_out, cyclic) = (lower.left_out(), lower.cyclic());
    match lower.misfit {
        Some(misfit) => Err(misfit),
        None => Ok((Machine { left_out, cyclic, ..lower.m }, lower.map, conditions)),
    }
}

/// What of an application matters for some properties. Equal for two lists of properties: their machines differ in the properties
/// alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relevant {
    kept: Vec<Vec<bool>>,
    /// Fields of messages whose values somebody reads: task, and position among those that the message carries.
    carried: CarriedFields,
    observed: observers::Observed,
}

/// Fields of messages: the task that sends it, and a position among those that it carries.
type CarriedFields = BTreeSet<(TypeIx, TaskIx, usize)>;

impl Relevant {
    /// What matters for these properties.
    pub fn of(app: &Application, properties: &[ModelProperty]) -> Relevant {
        let observed = observers::observed(app, properties);
        let (kept, carried) = cone::kept(app, properties, &observed);
        Relevant { kept, carried, observed }
    }

    /// Is an attribute part of the machine?
    pub fn keeps(&self, ty: TypeIx, attr: crate::lang::gsm::AttrIx) -> bool {
        self.kept.get(ty.0).and_then(|kept| kept.get(attr.0)) == Some(&true)
    }

    /// The machine of what matters, without any property; `None` if it is not well-formed.
    pub fn machine(&self, app: &Application) -> Option<Valid> {
        let mut lower = Lower::new(app, Rules::of(app), self.clone());
        lower.explore_instances();
        lower.make_variables();
        lower.make_agents();
        lower.make_actions();
        let (left_out, cyclic) = (lower.left_out(), lower.cyclic());
        let machine = validate(Machine { left_out, cyclic, ..lower.m }).ok()?;
        lower.misfit.is_none().then_some(machine)
    }
}

/// A machine under construction.
struct Lower<'a> {
    app: &'a Application,
    rules: Rules,
    m: Machine,
    map: Map,
    /// Per type and attribute: is it part of the machine?
    kept: Vec<Vec<bool>>,
    /// Fields of messages whose values somebody reads.
    carried: CarriedFields,
    /// Per type and stage: which observers do properties need?
    observed: observers::Observed,
    /// Slots of each type.
    slots_of: Vec<Vec<SlotIx>>,
    orders: FxHashMap<Occurrence, Order>,
    /// Per rule: it is never ready between steps.
    settled: Vec<bool>,
    /// Per event, the types that it goes to.
    receivers: Vec<Vec<TypeIx>>,
    /// The rules of all slots, per occurrence.
    grounds: FxHashMap<Occurrence, Rc<ground::Ground>>,
    bodies: FxHashMap<body::Trigger, BodyIx>,
    /// The actions of an agent with a body.
    alike: FxHashMap<(AgentIx, BodyIx), Vec<usize>>,
    /// What is asked of elements before they come into a bag.
    elements: Vec<ExprId>,
    /// The first thing that fits nowhere: a mistake of whoever resolved the model.
    misfit: Option<Diagnostic>,
}

impl<'a> Lower<'a> {
    fn new(app: &'a Application, rules: Rules, Relevant { kept, carried, observed }: Relevant) -> Lower<'a> {
        let m = Machine {
            name: app.name.clone(),
            vars: Vec::new(),
            exprs: Exprs::default(),
            slots: Vec::new(),
            agents: Vec::new(),
            bodies: Vec::new(),
            actions: Vec::new(),
            idle: app.idle(),
            overflow: VarId(0),
            properties: Vec::new(),
            questions: Vec::new(),
            bounds: Vec::new(),
            left_out: Vec::new(),
            cyclic: false,
        };
        let orders = orders(app, &rules);
        let settled = settled(app, &rules, &orders);
        let orders = orders.into_iter().map(|o| (o.occurrence, o)).collect();
        let receivers = app.receivers();
        let map = Map::default();
        let (slots_of, grounds, bodies, alike, elements) = Default::default();
        Lower {
            app,
            rules,
            m,
            map,
            kept,
            carried,
            observed,
            slots_of,
            orders,
            settled,
            receivers,
            grounds,
            bodies,
            alike,
            elements,
            misfit: None,
        }
    }

    /// Something does not fit where the resolved model says that it does; the machine is then not made.
    fn misfit(&mut self, span: Option<Span>, what: &str) {
        let message = format!("{what}, although the model was found well-typed");
        self.misfit
            .get_or_insert_with(|| Diagnostic { span, ..Diagnostic::placeless(&codes::machine::BAD_MACHINE, message) });
    }

    /// The variable of a status attribute of a slot.
    fn status(&self, slot: SlotIx, status: Status) -> VarId {
        self.map.slots[slot].status(status)
    }

    /// `x && y && …`, by reference to slots' variables before the step.
    fn all_prev(&mut self, vars: impl IntoIterator<Item = VarId>) -> ExprId {
        let parts: Vec<ExprId> = vars.into_iter().map(|v| self.m.exprs.prev(v)).collect();
        self.m.exprs.and(parts)
    }

    /// The same expression about the snapshot before the step.
    fn before(&mut self, e: ExprId) -> ExprId {
        self.m.exprs.before(e)
    }

    fn left_out(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (t, kept) in self.app.types.iter().zip(&self.kept) {
            let gone = t.attrs.iter().zip(kept).filter(|(_, kept)| !**kept);
            out.extend(gone.map(|(a, _)| format!("{}.{}", t.id, a.path)));
        }
        out
    }

    fn cyclic(&self) -> bool {
        let cyclic = |what: &Occurrence| self.orders.get(what).is_some_and(|o| !o.cycles.is_empty());
        self.map.occurrences.iter().any(cyclic)
    }

    /// Slots of a type, ascending.
    fn slots(&self, ty: TypeIx) -> Vec<SlotIx> {
        self.slots_of[ty.0].clone()
    }
}
