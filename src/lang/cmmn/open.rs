//! From the files of a project to a case with its machine.

use super::Cmmn;
use super::lower::MOST_ROUNDS;
use super::model::Choices;
use crate::lang::Lens;
use crate::lang::config::Config;
use crate::lang::project::{Files, Opened};
use crate::lang::properties::check_syntax;
use crate::lang::syntax::Name;
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Span};

/// Does a text look like a CMMN file: a root element `definitions` (or a tool's `case`) that speaks of CMMN or plans a case?
pub fn recognise(text: &str) -> bool {
    let Some(root) = text.split('<').map(str::trim_start).find(|t| t.starts_with(|c: char| c.is_alphabetic())) else {
        return false;
    };
    let tag = root.split([' ', '>', '\n', '\t', '\r']).next().unwrap_or("");
    let name = tag.rsplit(':').next().unwrap_or("");
    name == "definitions" && (root.contains("/CMMN/") || text.contains("casePlanModel"))
}

/// The word for agents that makes one of every role.
const ROLES: &str = "roles";

/// Reads and lowers a case with its properties. The standard ones are asked unless the user says not to: they are why people check
/// cases.
pub fn open(mut files: Files) -> Opened {
    let agents = files.agents.take();
    let config = std::mem::take(&mut files.project).overridden(std::mem::take(&mut files.overrides));
    let roles = agents.as_ref().is_some_and(|(path, _)| path.file_name().is_some_and(|n| n == ROLES));
    not_here(agents.filter(|_| !roles).is_some(), &config, &mut files.diags);
    let given = &config.case;
    let texts = |names: &[Name]| names.iter().map(|n| n.text.clone()).collect();
    let lists = |all: &[(Name, Vec<Name>)]| all.iter().map(|(n, list)| (n.text.clone(), texts(list))).collect();
    let choices = Choices {
        profile: config.options.profile.unwrap_or_default(),
        case: given.id.as_ref().map(|n| n.text.clone()),
        instances: config.instances.iter().map(|(name, n)| (name.text.clone(), *n)).collect(),
        by_hand: texts(&given.by_hand),
        data_any: given.data_any.is_some(),
        values: lists(&given.values),
        writes: lists(&given.writes),
        roles,
    };
    let rounds = given.rounds.map_or(MOST_ROUNDS, |(n, _)| n as usize);
    let case = files.text.and_then(|f| super::read::read(f, &files.sources, &choices, &mut files.diags));
    let texts = files.property_texts();
    if case.is_none() {
        check_syntax(&texts, &mut files.diags);
    }
    let cmmn = case.and_then(|case| {
        let lowered = Cmmn::new(case, rounds, &texts, !given.no_standard, &mut files.diags);
        lowered.map_err(|d| files.diags.push(d)).ok()
    });
    files.opened(cmmn.map(|cmmn| Box::new(cmmn) as Box<dyn Lens>))
}

/// Settings that mean nothing to a case are mistakes.
fn not_here(named_agents: bool, config: &Config, diags: &mut Diagnostics) {
    let mut wrong = |what: &str, span: Option<Span>, help: &str| {
        let mut d = Diagnostic::placeless(&codes::NOT_FOR_LANGUAGE, format!("'{what}' means nothing to a case"));
        d.span = span;
        diags.push(if help.is_empty() { d } else { d.help(help) });
    };
    if named_agents {
        wrong(
            "agents",
            config.agents.as_ref().map(|n| n.span),
            "--agents roles makes an agent of every role or assignee",
        );
    }
    config.ranges.iter().for_each(|(name, _)| wrong("ranges", Some(name.span), "values are given under [data]"));
    config.relations.iter().for_each(|(name, _)| wrong("relations", Some(name.span), ""));
}
