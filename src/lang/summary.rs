//! A model in numbers, for people and for programs.

use crate::machine::{Domain, Machine};
use serde_json::{Value, json};

/// What `validate` shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How many of what the model has, for the report: `stages`, 12.
    pub counts: Vec<(&'static str, usize)>,
    /// All of it for people, with a line break at the end.
    pub text: String,
    /// All of it for programs.
    pub json: Value,
}

impl Summary {
    /// The summary of a machine whose language has no words for it.
    pub fn plain(language: &str, m: &Machine) -> Summary {
        let agents: Vec<&str> = m.agents.iter().filter_map(|a| a.name.as_deref()).collect();
        let counts = vec![("agents", agents.len()), ("variables", m.state_vars().len())];
        let more = [
            ("properties", m.properties.len()),
            ("rules", m.ground_rules()),
            ("actions", m.actions.len()),
            ("state bits", m.state_bits() as usize),
        ];
        let mut text = format!("{}\n", m.name);
        counts.iter().chain(&more).for_each(|(what, n)| text += &format!("  {what:<15} {n}\n"));
        text.push('\n');
        for v in m.state_vars() {
            text += &format!("  {:<32} {}\n", v.name, domain_text(&v.domain));
        }
        let variable = |v: &crate::machine::Var| json!({ "name": v.name, "domain": domain_text(&v.domain) });
        let json = json!({
            "schema": "gsmc.validate/2",
            "gsmc": env!("CARGO_PKG_VERSION"),
            "application": m.name,
            "language": language,
            "agents": agents,
            "variables": m.state_vars().iter().map(variable).collect::<Vec<_>>(),
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

/// A domain for people.
pub fn domain_text(domain: &Domain) -> String {
    let (lo, hi) = domain.bounds();
    match domain {
        Domain::Bool => "false, true".into(),
        _ if domain.is_unbounded() => crate::machine::show::values(domain),
        Domain::Int { .. } => format!("{lo}..{hi}"),
        _ => (lo..=hi).map(|c| domain.show(c)).collect::<Vec<_>>().join(", "),
    }
}
