//! Agents of an E-GSM model: who reports which moves, and what each of them sees.
//!
//! The files are those of GSM. There is one instance, so a window opens or shuts the view of all of it; nothing is created.

use super::atoms::{Fact, Resolve, Scope};
use super::lower::Role;
use super::model::{EventIx, ItemIx, Kind, Model, SentryIx, StageIx};
use crate::lang::gsm::PrivateVar;
use crate::lang::gsm::agents::{
    RawAgent, RawEntry, RawRole, RawTransformation, agent_names, expanded, literal, parse, variables,
};
use crate::lang::syntax::{Name, Text};
use crate::machine::Domain;
use crate::source::codes::{agents as codes, egsm, expressions};
use crate::source::{Code, Diagnostic, Diagnostics};
use std::collections::BTreeSet;

/// Who reports moves.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Its private variables.
    pub vars: Vec<PrivateVar>,
    /// When it sees and reports anything.
    pub window: Fact,
    /// What it sees then.
    pub seen: BTreeSet<Role>,
    /// What it reports.
    pub entries: Vec<Entry>,
}

/// A line of a protocol.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What is reported.
    pub what: Reported,
    /// When.
    pub condition: Fact,
    /// What the agent remembers then.
    pub updates: Vec<(usize, Value)>,
}

/// What an agent reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// An event.
    Event(EventIx),
    /// A change of an item.
    Item(ItemIx),
}

/// What a private variable becomes.
#[derive(Clone, Debug)]
pub enum Value {
    /// A value, coded.
    Code(i64),
    /// Whether something is so.
    Whether(Fact),
}

/// A role.
struct Part {
    name: String,
    window: Fact,
    seen: BTreeSet<Role>,
    delegated: BTreeSet<SentryIx>,
}

/// Reads an agents file.
pub fn read(text: &Text, model: &Model, diags: &mut Diagnostics) -> Vec<Agent> {
    let raw = parse(text, diags);
    agent_names(&raw, diags);
    let mut roles: Vec<Part> = Vec::new();
    for role in &raw.roles {
        if roles.iter().any(|r| r.name == role.name.text) {
            wrong(&codes::DUPLICATE, &role.name, format!("role '{}' is declared twice", role.name.text), diags);
        }
        roles.push(part(role, model, diags));
    }
    let mut all: Vec<Agent> = Vec::new();
    for agent in &raw.agents {
        let vars = variables(&agent.vars, diags);
        if let Some(var) = agent.vars.iter().find(|v| v.name.text == "status") {
            let message = "'status' has two meanings here: what an item gets, and a private variable";
            let d = Diagnostic::new(&expressions::TWO_MEANINGS, var.name.span, message);
            diags.push(d.help("give the variable another name"));
        }
        let Some(role) = role_of(agent, &roles, diags) else { continue };
        for name in expanded(agent) {
            let entries =
                Sender { model, role, agent: all.len(), vars: &vars }.entries(agent.protocol.as_deref(), diags);
            let (window, seen) = (role.window.clone(), role.seen.clone());
            all.push(Agent { name, vars: vars.clone(), window, seen, entries });
        }
    }
    if all.is_empty() && !diags.has_errors() {
        let d = Diagnostic::new(&codes::NO_AGENTS, text.span(0, 0), "no agent is declared");
        diags.push(d.help("without an agents file anybody reports anything"));
    }
    all
}

fn wrong(code: &'static Code, at: &Name, message: String, diags: &mut Diagnostics) {
    diags.push(Diagnostic::new(code, at.span, message));
}

fn role_of<'r>(agent: &RawAgent, roles: &'r [Part], diags: &mut Diagnostics) -> Option<&'r Part> {
    let Some(role) = &agent.role else {
        wrong(&codes::NO_ROLE, &agent.name, format!("agent '{}' has no role", agent.name.text), diags);
        return None;
    };
    let found = roles.iter().find(|r| r.name == role.text);
    if found.is_none() {
        let d = Diagnostic::new(&codes::UNKNOWN_ROLE, role.span, format!("unknown role '{}'", role.text));
        diags.push(d.nearest(&role.text, roles.iter().map(|r| r.name.as_str())));
    }
    found
}

fn part(raw: &RawRole, model: &Model, diags: &mut Diagnostics) -> Part {
    let mut resolve = Resolve { model, agents: &[], scope: None };
    let window = match raw.windows.first() {
        None => Fact::Const(true),
        Some((_, ast)) => resolve.fact(ast, diags).unwrap_or(Fact::Const(false)),
    };
    if let Some((_, second)) = raw.windows.get(1) {
        let d = Diagnostic::new(&egsm::NOT_IN_EGSM, second.span, "there is one instance, so a role has one window");
        diags.push(d.help("join the windows with 'and'"));
    }
    for name in &raw.instantiation {
        let d = Diagnostic::new(&egsm::NOT_IN_EGSM, name.span, "there is one instance, from the start");
        diags.push(d.help("leave 'instantiation' out"));
    }
    let mut role = Part { name: raw.name.text.clone(), window, seen: statuses(model), delegated: BTreeSet::new() };
    for name in &raw.view {
        let id = name.text.strip_suffix(".status").unwrap_or(&name.text);
        match model.items.iter().position(|i| i.id == id || id.ends_with(&format!(".{}", i.id))) {
            Some(i) => _ = role.seen.insert(Role::Item(i)),
            None => {
                let d =
                    Diagnostic::new(&codes::UNKNOWN_ATTRIBUTE, name.span, format!("no item is called '{}'", name.text));
                diags.push(d.nearest(id, model.items.iter().map(|i| i.id.as_str())));
            }
        }
    }
    raw.transformation.iter().for_each(|t| hide(t, model, &mut role, diags));
    role
}

/// What everybody sees who is not kept from it: the status of stages and milestones.
fn statuses(model: &Model) -> BTreeSet<Role> {
    let stages = (0..model.stages.len()).flat_map(of_stage);
    let milestones = (0..model.sentries.len()).filter(|x| model.sentries[*x].kind == Kind::Milestone);
    stages.chain(milestones.map(Role::Sentry)).collect()
}

fn of_stage(s: StageIx) -> [Role; 3] {
    [Role::State(s), Role::Compliance(s), Role::Faulty(s)]
}

const TRANSFORMATIONS: [&str; 5] =
    ["hide_stage_status", "hide_milestone", "delegate_sentry", "condense_stage", "eliminate_stage"];

fn hide(raw: &RawTransformation, model: &Model, role: &mut Part, diags: &mut Diagnostics) {
    let op = raw.op.text.as_str();
    if !TRANSFORMATIONS.contains(&op) {
        let d = Diagnostic::new(&codes::UNKNOWN_TRANSFORMATION, raw.op.span, format!("unknown transformation '{op}'"));
        return diags.push(d.nearest(op, TRANSFORMATIONS));
    }
    // A first argument that names the component may be given, as in GSM.
    let Some(name) = raw.args.last() else {
        let d = Diagnostic::new(&codes::TRANSFORMATION_ARGUMENTS, raw.span, format!("{op} takes a name"));
        return diags.push(d);
    };
    let sentry = |milestone: bool| {
        let fits = |s: &super::model::Sentry| s.id == name.text && (!milestone || s.kind == Kind::Milestone);
        model.sentries.iter().position(fits)
    };
    let found = match op {
        "hide_milestone" => sentry(true).map(|m| _ = role.seen.remove(&Role::Sentry(m))),
        "delegate_sentry" => sentry(false).map(|x| _ = role.delegated.insert(x)),
        _ => model.stages.iter().position(|s| s.id == name.text).map(|s| match op {
            "hide_stage_status" => of_stage(s).iter().for_each(|r| _ = role.seen.remove(r)),
            "eliminate_stage" => eliminate(model, s, role),
            _ => model.stages[s].children.iter().for_each(|c| eliminate(model, *c, role)),
        }),
    };
    if found.is_none() {
        let d = Diagnostic::new(
            &egsm::UNKNOWN_NAME,
            name.span,
            format!("nothing that {op} takes is called '{}'", name.text),
        );
        let stages = model.stages.iter().map(|s| s.id.as_str());
        diags.push(d.nearest(&name.text, stages.chain(model.sentries.iter().map(|s| s.id.as_str()))));
    }
}

/// Hides a stage with everything inside; what its sentries wait for is somebody else's business.
fn eliminate(model: &Model, s: StageIx, role: &mut Part) {
    of_stage(s).iter().for_each(|r| _ = role.seen.remove(r));
    for &x in &model.stages[s].sentries {
        role.seen.remove(&Role::Sentry(x));
        role.delegated.insert(x);
    }
    model.stages[s].children.iter().for_each(|c| eliminate(model, *c, role));
}

/// Whose protocol is read.
struct Sender<'a> {
    model: &'a Model,
    role: &'a Part,
    agent: usize,
    vars: &'a [PrivateVar],
}

impl Sender<'_> {
    /// The lines of a protocol; without one, all that the role may report.
    fn entries(&self, raw: Option<&[RawEntry]>, diags: &mut Diagnostics) -> Vec<Entry> {
        if let Some(raw) = raw {
            return raw.iter().filter_map(|entry| self.entry(entry, diags)).collect();
        }
        let events = (0..self.model.events.len()).filter(|e| !self.model.events[*e].of_item).map(Reported::Event);
        let all = events.chain((0..self.model.items.len()).map(Reported::Item)).filter(|what| self.allows(*what));
        all.map(|what| Entry { what, condition: Fact::Const(true), updates: Vec::new() }).collect()
    }

    fn entry(&self, raw: &RawEntry, diags: &mut Diagnostics) -> Option<Entry> {
        let what = self.reported(&raw.event, diags);
        if let Some(ty) = raw.ty.as_ref().filter(|ty| ![&self.model.component, &self.model.name].contains(&&ty.text)) {
            wrong(&egsm::UNKNOWN_NAME, ty, format!("there is no type '{}'", ty.text), diags);
        }
        let item = match what {
            Some(Reported::Item(i)) => Some(i),
            _ => None,
        };
        let mut resolve =
            Resolve { model: self.model, agents: &[], scope: Some(Scope { agent: self.agent, vars: self.vars, item }) };
        let condition = resolve.fact(&raw.condition, diags);
        let mut updates: Vec<(usize, Value)> = Vec::new();
        for (name, value) in &raw.updates {
            let Some(v) = self.vars.iter().position(|v| v.name == name.text) else {
                let message = format!("unknown private variable '{}'", name.text);
                let d = Diagnostic::new(&codes::UNKNOWN_VARIABLE, name.span, message);
                diags.push(d.nearest(&name.text, self.vars.iter().map(|v| v.name.as_str())));
                continue;
            };
            if updates.iter().any(|(other, _)| *other == v) {
                wrong(&codes::UPDATED_TWICE, name, format!("'{}' is updated twice", name.text), diags);
                continue;
            }
            let given = match &self.vars[v].domain {
                Domain::Bool => resolve.fact(value, diags).map(Value::Whether),
                domain => match literal(domain, value) {
                    Some(code) => Some(Value::Code(code)),
                    None => {
                        let message = format!("'{}' cannot get this value", name.text);
                        let d = Diagnostic::new(&egsm::NOT_IN_EGSM, value.span, message);
                        diags.push(d.help("write one of its values: nothing is computed in an E-GSM model"));
                        None
                    }
                },
            };
            updates.extend(given.map(|g| (v, g)));
        }
        let what = what?;
        if !self.allows(what) {
            let message = format!("role '{}' does not allow '{}'", self.role.name, raw.event.text);
            let d = Diagnostic::new(&codes::NOT_ALLOWED, raw.event.span, message);
            diags.push(d.label("every sentry that waits for it is delegated"));
            return None;
        }
        Some(Entry { what, condition: condition?, updates })
    }

    fn reported(&self, name: &Name, diags: &mut Diagnostics) -> Option<Reported> {
        let event = self.model.events.iter().position(|e| e.id == name.text && !e.of_item).map(Reported::Event);
        let item = || self.model.items.iter().position(|i| i.id == name.text).map(Reported::Item);
        let found = event.or_else(item);
        if found.is_none() {
            let events = self.model.events.iter().filter(|e| !e.of_item).map(|e| e.id.as_str());
            let d =
                Diagnostic::new(&egsm::UNKNOWN_NAME, name.span, format!("no event or item is called '{}'", name.text));
            diags.push(d.nearest(&name.text, events.chain(self.model.items.iter().map(|i| i.id.as_str()))));
        }
        found
    }

    /// May the role report it? Not if somebody hears of it, and all who do are delegated.
    fn allows(&self, what: Reported) -> bool {
        let hears: Vec<SentryIx> = match what {
            Reported::Event(e) => self.model.events[e].listeners.clone(),
            Reported::Item(i) => {
                let item = &self.model.items[i];
                let raised = item.raises.iter().flat_map(|(l, e)| [*l, *e]);
                raised.flat_map(|e| self.model.events[e].listeners.clone()).chain(item.listeners.clone()).collect()
            }
        };
        hears.is_empty() || hears.iter().any(|x| !self.role.delegated.contains(x))
    }
}
