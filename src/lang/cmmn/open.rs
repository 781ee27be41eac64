//! From the files of a project to a case with its machine.

use super::Cmmn;
use super::lower::MOST_ROUNDS;
use super::model::Choices;
use crate::lang::Lens;
use crate::lang::config::Profile;
use crate::lang::project::{Files, Opened};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Span};

/// Does a text look like a CMMN file: a root element `definitions` (or a tool's `case`) that speaks of CMMN or plans a case?
pub fn recognise(text: &str) -> bool {
    let Some(root) = text.split('<').map(str::trim_start).find(|t| t.starts_with(|c: char| c.is_alphabetic())) else {
        return false;
    };
    let tag = root.split([' ', '>', '\n', '\t', '\r']).next().unwrap_or("");
    let name = tag.rsplit(':').next().unwrap_or("");
    name == "definitions" && (root.contains("/CMMN/") || text.contains("casePlanModel"))
}

/// Reads and lowers a case with its properties. The standard ones are always asked: they are why people check cases.
pub fn open(mut files: Files) -> Opened {
    let named_agents = files.agents.take();
    let config = std::mem::take(&mut files.project).overridden(std::mem::take(&mut files.overrides));
    let mut wrong = |what: &str, span: Option<Span>| {
        let mut d = Diagnostic::placeless(&codes::NOT_FOR_LANGUAGE, format!("'{what}' means nothing to a case"));
        d.span = span;
        files.diags.push(d);
    };
    if named_agents.is_some() {
        wrong("agents", None);
    }
    config.ranges.iter().for_each(|(name, _)| wrong("ranges", Some(name.span)));
    config.relations.iter().for_each(|(name, _)| wrong("relations", Some(name.span)));
    let profile = config.options.profile;
    if let Some(p) = profile.filter(|p| !matches!(p, Profile::Flowable | Profile::Spec)) {
        wrong(&format!("profile {}", p.name()), None);
    }
    let choices = Choices {
        profile: profile.unwrap_or_default(),
        instances: config.instances.iter().map(|(name, n)| (name.text.clone(), *n)).collect(),
        ..Choices::default()
    };
    let case = files.text.and_then(|f| super::read::read(f, &files.sources, &choices, &mut files.diags));
    let texts = files.property_texts();
    let cmmn = case.and_then(|case| {
        let lowered = Cmmn::new(case, MOST_ROUNDS, &texts, true, &mut files.diags);
        lowered.map_err(|d| files.diags.push(d)).ok()
    });
    files.opened(cmmn.map(|cmmn| Box::new(cmmn) as Box<dyn Lens>))
}
