//! Reader of agents files: who sees what and who may do what.

mod parse;
mod protocol;
mod raw;
mod roles;
#[cfg(test)]
mod tests;

pub use parse::parse;
pub use raw::{RawAgent, RawEntry, RawFile, RawRole, RawTransformation};

use crate::lang::gsm::{AUTO_AGENT, Agent, Application, PrivateVar};
use crate::lang::syntax::{Ast, AstKind, Text};
use crate::machine::{Domain, code};
use crate::source::codes::agents as codes;
use crate::source::{Diagnostic, Diagnostics, Span};
use raw::{RawKind, RawVar};
use std::collections::BTreeSet;

/// Reads agents into the application: roles and agents. Says whether all names could be read; if not, some agents or variables may be
/// missing.
pub fn read(text: &Text, app: &mut Application, diags: &mut Diagnostics) -> bool {
    let raw = parse(text, diags);
    let names = agent_names(&raw, diags);
    app.roles = roles::resolve(&raw.roles, app, &names, diags);
    let agents = agents(&raw, app, &names, diags);
    unused(&raw, &agents, text.span(0, 0), diags);
    app.agents = Some(agents);
    raw.complete
}

/// An agent's names: one, or as many as its range has.
pub(crate) fn expanded(agent: &RawAgent) -> Vec<String> {
    match agent.count {
        None => vec![agent.name.text.clone()],
        Some(n) => (1..=n).map(|i| format!("{}{i}", agent.name.text)).collect(),
    }
}

/// All agents' names in order; reports what is declared twice.
pub(crate) fn agent_names(raw: &RawFile, diags: &mut Diagnostics) -> Vec<String> {
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    for agent in &raw.agents {
        for name in expanded(agent) {
            let span = agent.name.span;
            if name == AUTO_AGENT {
                diags.push(Diagnostic::new(&codes::RESERVED, span, format!("'{name}' is the agent that runs tasks")));
            } else if !seen.insert(name.clone()) {
                diags.push(Diagnostic::new(&codes::DUPLICATE, span, format!("agent '{name}' is declared twice")));
            }
            all.push(name);
        }
    }
    all
}

fn agents(raw: &RawFile, app: &Application, names: &[String], diags: &mut Diagnostics) -> Vec<Agent> {
    let mut all = Vec::new();
    for agent in &raw.agents {
        let vars = variables(&agent.vars, diags);
        let role = role_of(agent, app, diags);
        for name in expanded(agent) {
            let span = agent.name.span;
            let entries = agent.protocol.as_deref().map(|entries| {
                protocol::resolve(entries, &protocol::Sender { app, role, agent: all.len(), vars: &vars, names }, diags)
            });
            all.push(Agent { name, span, role: role.unwrap_or(0), vars: vars.clone(), protocol: entries });
        }
    }
    all
}

fn role_of(agent: &RawAgent, app: &Application, diags: &mut Diagnostics) -> Option<usize> {
    let Some(role) = &agent.role else {
        let message = format!("agent '{}' has no role", agent.name.text);
        diags.push(Diagnostic::new(&codes::NO_ROLE, agent.name.span, message).help("add 'role: …;'"));
        return None;
    };
    let found = app.roles.iter().position(|r| r.name == role.text);
    if found.is_none() {
        let d = Diagnostic::new(&codes::UNKNOWN_ROLE, role.span, format!("unknown role '{}'", role.text));
        diags.push(d.nearest(&role.text, app.roles.iter().map(|r| r.name.as_str())));
    }
    found
}

fn unused(raw: &RawFile, agents: &[Agent], place: Span, diags: &mut Diagnostics) {
    if agents.is_empty() {
        if !diags.has_errors() {
            let d = Diagnostic::new(&codes::NO_AGENTS, place, "no agent is declared, so nobody sends anything");
            let help = "add one: agent Name { role: Role; protocol: Event: true -> ; }; or leave the agents out: then anybody may send anything";
            diags.push(d.help(help));
        }
        return;
    }
    let used = |name: &str| raw.agents.iter().any(|a| a.role.as_ref().is_some_and(|r| r.text == name));
    // An agent with a misspelt role may have meant it.
    let misspelt: Vec<String> =
        diags.iter().filter(|d| d.code == &codes::UNKNOWN_ROLE).filter_map(|d| d.help.clone()).collect();
    let meant = |name: &str| misspelt.iter().any(|help| help.contains(&format!("'{name}'")));
    for role in raw.roles.iter().filter(|r| !used(&r.name.text) && !meant(&r.name.text)) {
        let message = format!("no agent has the role '{}'", role.name.text);
        diags.push(Diagnostic::new(&codes::ROLE_UNUSED, role.name.span, message));
    }
}

/// The private variables of an agent.
pub(crate) fn variables(raw: &[RawVar], diags: &mut Diagnostics) -> Vec<PrivateVar> {
    let (mut vars, mut seen) = (Vec::new(), BTreeSet::new());
    for var in raw {
        let span = var.name.span;
        if !seen.insert(&var.name.text) {
            let message = format!("private variable '{}' is declared twice", var.name.text);
            diags.push(Diagnostic::new(&codes::VARIABLE_TWICE, span, message));
            continue;
        }
        let domain = domain(&var.kind, diags);
        let init = initial(var, &domain, diags);
        vars.push(PrivateVar { name: var.name.text.clone(), domain, init, span });
    }
    vars
}

fn domain(kind: &RawKind, diags: &mut Diagnostics) -> Domain {
    match kind {
        RawKind::Bool => Domain::Bool,
        RawKind::Range(lo, hi, span) => {
            if lo > hi {
                let message = format!("the range {lo}..{hi} is empty");
                diags.push(Diagnostic::new(&codes::VARIABLE_RANGE, *span, message));
            } else if hi.abs_diff(*lo) > u64::from(u32::MAX / 2) {
                let message = format!("the range {lo}..{hi} has too many values");
                diags.push(Diagnostic::new(&codes::VARIABLE_RANGE, *span, message));
            } else if !code::is_plain(*lo) {
                let message = format!("the range {lo}..{hi} begins below {}", code::FIRST);
                diags.push(Diagnostic::new(&codes::VARIABLE_RANGE, *span, message));
            }
            Domain::Int { lo: *lo, hi: *hi.max(lo) }
        }
        RawKind::Values(names) => {
            let (mut values, mut seen) = (Vec::new(), BTreeSet::new());
            for name in names {
                if !seen.insert(&name.text) {
                    let message = format!("value '{}' is listed twice", name.text);
                    diags.push(Diagnostic::new(&codes::VARIABLE_TWICE, name.span, message));
                    continue;
                }
                values.push(name.text.clone());
            }
            Domain::Enum { values, bottom: false }
        }
    }
}

/// A literal as a value of a private variable.
pub fn literal(domain: &Domain, ast: &Ast) -> Option<i64> {
    match (&ast.kind, domain) {
        (AstKind::Bool(b), Domain::Bool) => Some(i64::from(*b)),
        (AstKind::Int(n), Domain::Int { lo, hi }) => Some(*n).filter(|n| (lo..=hi).contains(&n)),
        (AstKind::Int(n), Domain::Enum { .. }) => domain.code_of(&n.to_string()),
        (AstKind::Text(text), Domain::Enum { .. }) => domain.code_of(text),
        (AstKind::Path(steps), Domain::Enum { .. }) => match steps.as_slice() {
            [name] => domain.code_of(&name.text),
            _ => None,
        },
        _ => None,
    }
}

/// The declared initial value; without one, false, 0 clamped into the range, or the first value.
fn initial(var: &RawVar, domain: &Domain, diags: &mut Diagnostics) -> i64 {
    let (lo, hi) = domain.bounds();
    let default = 0.clamp(lo, hi);
    let Some(init) = &var.init else { return default };
    literal(domain, init).unwrap_or_else(|| {
        let wanted = match domain {
            Domain::Bool => "true or false".to_string(),
            Domain::Int { .. } | Domain::Real { .. } | Domain::Points(_) | Domain::Date { .. } => {
                format!("a number from {lo} to {hi}")
            }
            Domain::Text { .. } => "a text".into(),
            Domain::Enum { values, .. } => values.iter().map(|v| format!("'{v}'")).collect::<Vec<_>>().join(" or "),
        };
        let message = format!("'{}' cannot start with this value", var.name.text);
        diags.push(Diagnostic::new(&codes::INITIAL, init.span, message).label(format!("expected {wanted}")));
        default
    })
}
