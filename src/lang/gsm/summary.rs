//! The model in numbers: what `validate` shows.

use super::{Application, Gsm, Map, Order, RuleIx, Rules, common_order, orders};
use crate::lang::gsm::model::TypeIx;
use crate::lang::summary::domain_text;
use serde::Serialize;

/// Numbers, order and cycles of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Version of this shape.
    pub schema: &'static str,
    /// Version of gsmc.
    pub gsmc: &'static str,
    /// Name of the application.
    pub application: String,
    /// Artifact types.
    pub types: Vec<TypeSummary>,
    /// Declared events.
    pub events: usize,
    /// Names of the agents; empty without an agents file.
    pub agents: Vec<String>,
    /// Number of properties.
    pub properties: usize,
    /// The machine.
    pub machine: MachineSummary,
    /// The order of the rules.
    pub order: OrderSummary,
}

/// One artifact type.
#[derive(Clone, Debug, Serialize)]
pub struct TypeSummary {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Slots.
    pub instances: u32,
    /// Stages.
    pub stages: usize,
    /// Milestones.
    pub milestones: usize,
    /// Guards.
    pub guards: usize,
    /// Tasks.
    pub tasks: usize,
    /// Data attributes.
    pub attributes: Vec<AttributeSummary>,
}

/// One data attribute.
#[derive(Clone, Debug, Serialize)]
pub struct AttributeSummary {
    /// Its path.
    pub name: String,
    /// What it was declared as.
    pub kind: &'static str,
    /// Its values, for people.
    pub domain: String,
    /// Is it part of the machine?
    pub kept: bool,
}

/// The machine in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct MachineSummary {
    /// Bits of a snapshot.
    pub state_bits: u32,
    /// Actions.
    pub actions: usize,
    /// Ground rules that can matter.
    pub rules: usize,
    /// Rules before grounding.
    pub model_rules: usize,
    /// Attributes left out.
    pub left_out: Vec<String>,
}

/// The serialized order.
#[derive(Clone, Debug, Serialize)]
pub struct OrderSummary {
    /// One order that serves all events, if there is one.
    pub common: Option<Vec<String>>,
    /// The order for each event; empty when one serves all.
    pub per_event: Vec<EventOrder>,
    /// Events whose rule graph is cyclic, with the rules on cycles.
    pub cyclic: Vec<EventCycles>,
}

/// The order for one event.
#[derive(Clone, Debug, Serialize)]
pub struct EventOrder {
    /// The event.
    pub event: String,
    /// Its rules in order.
    pub rules: Vec<String>,
}

/// Cyclic components of one event's rule graph.
#[derive(Clone, Debug, Serialize)]
pub struct EventCycles {
    /// The event.
    pub event: String,
    /// Rules that depend on each other, component by component.
    pub components: Vec<Vec<String>>,
    /// Edges left out, `from` that now runs after `to`.
    pub dropped: Vec<(String, String)>,
}

impl Summary {
    /// The summary of a model and its machine.
    pub fn of(gsm: &Gsm) -> Summary {
        let Gsm { app, machine, map, .. } = gsm;
        let rules = Rules::of(app);
        Summary {
            schema: "gsmc.validate/2",
            gsmc: env!("CARGO_PKG_VERSION"),
            application: app.name.clone(),
            types: TypeIx::all(&app.types).map(|t| type_summary(app, map, t)).collect(),
            events: app.events.iter().filter(|e| e.declared).count(),
            agents: app.agents.iter().flatten().map(|a| a.name.clone()).collect(),
            properties: machine.properties.len(),
            machine: MachineSummary {
                state_bits: machine.state_bits(),
                actions: machine.actions.len(),
                rules: machine.ground_rules(),
                model_rules: rules.list.len(),
                left_out: machine.left_out.clone(),
            },
            order: order_summary(app, &rules),
        }
    }

    /// How many of what the model has.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("artifact types", self.types.len()),
            ("stages", self.total(|t| t.stages)),
            ("milestones", self.total(|t| t.milestones)),
            ("guards", self.total(|t| t.guards)),
            ("tasks", self.total(|t| t.tasks)),
            ("attributes", self.total(|t| t.attributes.len())),
            ("events", self.events),
            ("agents", self.agents.len()),
        ]
    }

    /// Sum of a number over all types.
    fn total(&self, f: impl Fn(&TypeSummary) -> usize) -> usize {
        self.types.iter().map(f).sum()
    }

    /// The summary for people.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.application);
        let counts = [
            ("artifact types", self.types.len()),
            ("stages", self.total(|t| t.stages)),
            ("milestones", self.total(|t| t.milestones)),
            ("guards", self.total(|t| t.guards)),
            ("events", self.events),
            ("attributes", self.total(|t| t.attributes.len())),
            ("tasks", self.total(|t| t.tasks)),
            ("agents", self.agents.len()),
            ("properties", self.properties),
            ("ground rules", self.machine.rules),
            ("actions", self.machine.actions),
            ("state bits", self.machine.state_bits as usize),
        ];
        counts.iter().for_each(|(what, n)| out += &format!("  {what:<15} {n}\n"));
        for t in &self.types {
            out += &format!(
                "\n{} ({} instance{}): {} stages, {} milestones, {} guards\n",
                named(&t.id, &t.name),
                t.instances,
                if t.instances == 1 { "" } else { "s" },
                t.stages,
                t.milestones,
                t.guards
            );
            for a in &t.attributes {
                let note = if a.kept { "" } else { "  (left out: nothing reads it)" };
                out += &format!("  {:<24} {:<12} {}{note}\n", a.name, a.kind, a.domain);
            }
        }
        out + &self.order.text()
    }
}

impl OrderSummary {
    fn text(&self) -> String {
        let mut out = String::new();
        match &self.common {
            Some(rules) => {
                out += "\nOrder of the rules (one order serves all events)\n";
                rules.iter().enumerate().for_each(|(i, r)| out += &format!("  {:>3}. {r}\n", i + 1));
            }
            None => {
                for e in &self.per_event {
                    out += &format!("\nOrder of the rules on {}\n", e.event);
                    e.rules.iter().enumerate().for_each(|(i, r)| out += &format!("  {:>3}. {r}\n", i + 1));
                }
            }
        }
        for (events, c) in self.same_cycles() {
            let rules: usize = c.components.iter().map(Vec::len).sum();
            out += &format!("\nCyclic on {}: {} rules depend on each other\n", first_few(&events), rules);
            c.components.iter().for_each(|k| out += &format!("  {}\n", k.join(", ")));
            c.dropped.iter().for_each(|(a, b)| out += &format!("  {b} is decided before {a}, which it reads\n"));
        }
        out
    }

    /// Events that have the same cycles, together.
    fn same_cycles(&self) -> Vec<(Vec<&str>, &EventCycles)> {
        let mut groups: Vec<(Vec<&str>, &EventCycles)> = Vec::new();
        for c in &self.cyclic {
            match groups.iter_mut().find(|(_, g)| g.components == c.components && g.dropped == c.dropped) {
                Some((events, _)) => events.push(&c.event),
                None => groups.push((vec![&c.event], c)),
            }
        }
        groups
    }
}

/// A list of names that stays on one line.
fn first_few(names: &[&str]) -> String {
    match names {
        [a, b, c, rest @ ..] if rest.len() > 1 => format!("{a}, {b}, {c} and {} more events", rest.len()),
        _ => names.join(", "),
    }
}

fn type_summary(app: &Application, map: &Map, ty: TypeIx) -> TypeSummary {
    let t = &app.types[ty];
    let slot = map.slots.iter().find(|s| s.ty == ty);
    let attributes = t.attrs.iter().enumerate().map(|(i, a)| AttributeSummary {
        name: a.path.clone(),
        kind: a.kind.name(),
        domain: if a.set { "a set".into() } else { domain_text(&a.domain) },
        kept: slot.is_some_and(|s| s.attrs[i].is_some()),
    });
    TypeSummary {
        id: t.id.clone(),
        name: t.name.clone(),
        instances: t.bound,
        stages: t.stages.len(),
        milestones: t.milestones.len(),
        guards: t.stages.iter().map(|s| s.guards.len()).sum(),
        tasks: t.tasks.len(),
        attributes: attributes.collect(),
    }
}

fn order_summary(app: &Application, rules: &Rules) -> OrderSummary {
    let all = orders(app, rules);
    let label = |r: &RuleIx| {
        let prefix = if app.types.len() > 1 { format!("{}: ", app.types[rules.list[*r].ty].id) } else { String::new() };
        format!("{prefix}{}", rules.list[*r].label(app))
    };
    let names = |list: &[RuleIx]| list.iter().map(label).collect::<Vec<String>>();
    let common = common_order(&all).map(|o| names(&o));
    let event_order = |o: &Order| EventOrder { event: o.occurrence.name(app), rules: names(&o.sequence) };
    let cyclic = all.iter().filter(|o| !o.cycles.is_empty()).map(|o| EventCycles {
        event: o.occurrence.name(app),
        components: o.cycles.iter().map(|c| names(c)).collect(),
        dropped: o.edges.iter().filter(|e| e.dropped).map(|e| (label(&e.from), label(&e.to))).collect(),
    });
    OrderSummary {
        per_event: if common.is_some() { Vec::new() } else { all.iter().map(event_order).collect() },
        cyclic: cyclic.collect(),
        common,
    }
}

/// Name and id, once if they are the same.
pub fn named(id: &str, name: &str) -> String {
    if id == name { id.to_string() } else { format!("{name} [{id}]") }
}
