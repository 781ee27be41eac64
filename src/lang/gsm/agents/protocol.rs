//! Protocols: what an agent sends, when, and what it remembers.

use super::raw::RawEntry;
use crate::lang::gsm::resolve::names;
use crate::lang::gsm::resolve::{Line, protocol_condition, protocol_update};
use crate::lang::gsm::{Application, EventIx, PrivateVar, ProtocolEntry, ProtocolTarget, Role, TypeIx};
use crate::lang::syntax::{Ast, Name};
use crate::source::codes::agents as codes;
use crate::source::{Diagnostic, Diagnostics};

/// Whose protocol is read.
pub struct Sender<'a> {
    /// The application, with its roles.
    pub app: &'a Application,
    /// The agent's role, if it has one.
    pub role: Option<usize>,
    /// The agent's index.
    pub agent: usize,
    /// Its private variables.
    pub vars: &'a [PrivateVar],
    /// The ids of all agents.
    pub names: &'a [String],
}

/// The entries of a protocol.
pub fn resolve(raw: &[RawEntry], sender: &Sender, diags: &mut Diagnostics) -> Vec<ProtocolEntry> {
    raw.iter().filter_map(|entry| one(entry, sender, diags)).collect()
}

fn one(raw: &RawEntry, sender: &Sender, diags: &mut Diagnostics) -> Option<ProtocolEntry> {
    let event = names::event(sender.app, &raw.event, diags);
    let updates = variables(&raw.updates, sender, diags);
    let of = raw.ty.as_ref().map(|ty| names::artifact_type(sender.app, ty, diags));
    let event = event?;
    let role = sender.role.and_then(|r| sender.app.roles.get(r));
    let allowed = role.map_or(Vec::new(), |role| allowed(event, role, sender.app));
    if let Some(role) = role.filter(|_| allowed.is_empty()) {
        forbidden(event, &raw.event, role, sender.app, diags);
    }
    let mut targets = Vec::new();
    let created = sender.app.events[event].creates;
    let receivers = created.map_or_else(|| sender.app.receivers_of(event), |ty| vec![ty]);
    if let (Some(Some(ty)), Some(name)) = (of, &raw.ty)
        && !receivers.contains(&ty)
    {
        let message = format!("'{}' cannot be sent to '{}'", raw.event.text, name.text);
        let ids: Vec<String> = receivers.iter().map(|&t| format!("'{}'", sender.app.types[t].id)).collect();
        let d = Diagnostic::new(&codes::NOT_ALLOWED, name.span, message);
        diags.push(if ids.is_empty() { d } else { d.help(format!("it is sent to {}", ids.join(" or "))) });
    }
    for ty in receivers.into_iter().filter(|&ty| of.is_none_or(|of| of == Some(ty))) {
        let line = Line { ty, agent: sender.agent, vars: sender.vars, event, agents: sender.names };
        let condition = protocol_condition(sender.app, line, &raw.condition, diags);
        let mut values = Vec::new();
        for (var, ast) in &updates {
            let value = protocol_update(sender.app, line, &sender.vars[*var], ast, diags);
            values.extend(value.map(|v| (*var, v)));
        }
        // What the role does not allow is kept too: it makes no action, but what a protocol reads stays in the machine.
        targets.extend(condition.map(|condition| ProtocolTarget { ty, condition, updates: values }));
    }
    Some(ProtocolEntry { event, span: raw.span, targets })
}

/// Those that a role allows.
fn allowed(event: EventIx, role: &Role, app: &Application) -> Vec<TypeIx> {
    let types = &role.types;
    match app.events[event].creates {
        Some(ty) => [ty].into_iter().filter(|t| types[t.0].instantiates).collect(),
        None => TypeIx::all(&app.types).filter(|t| types[t.0].events.contains(&event)).collect(),
    }
}

fn forbidden(event: EventIx, name: &Name, role: &Role, app: &Application, diags: &mut Diagnostics) {
    let message = format!("role '{}' does not allow '{}'", role.name, name.text);
    let d = Diagnostic::new(&codes::NOT_ALLOWED, name.span, message);
    diags.push(match app.events[event].creates {
        Some(ty) => d.help(format!("add 'instantiation: {};' to the role", app.types[ty].id)),
        None => d.label("every sentry that waits for it is delegated"),
    });
}

/// The updated variables, each once, with the values they get.
fn variables<'r>(raw: &'r [(Name, Ast)], sender: &Sender, diags: &mut Diagnostics) -> Vec<(usize, &'r Ast)> {
    let mut updates: Vec<(usize, &Ast)> = Vec::new();
    for (name, value) in raw {
        let Some(var) = sender.vars.iter().position(|v| v.name == name.text) else {
            let message = format!("unknown private variable '{}'", name.text);
            let d = Diagnostic::new(&codes::UNKNOWN_VARIABLE, name.span, message);
            diags.push(d.nearest(&name.text, sender.vars.iter().map(|v| v.name.as_str())));
            continue;
        };
        if updates.iter().any(|(v, _)| *v == var) {
            let message = format!("'{}' is updated twice", name.text);
            diags.push(Diagnostic::new(&codes::UPDATED_TWICE, name.span, message));
            continue;
        }
        updates.push((var, value));
    }
    updates
}
