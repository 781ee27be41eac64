//! From the files of a project to an E-GSM model with its machine.

use super::{Acting, Egsm, NESTING, agents, build, read_properties};
use crate::lang::Lens;
use crate::lang::config::{Config, Profile};
use crate::lang::gsm::load as files_of_gsm;
use crate::lang::gsm::resolve::Schemas;
use crate::lang::gsm::xml::{NAMESPACE, RawModel};
use crate::lang::project::{Files, Opened};
use crate::machine::Idle;
use crate::source::codes::{egsm as codes, options};
use crate::source::{Diagnostic, Diagnostics};
use regex::Regex;
use std::collections::BTreeSet;

/// Elements that only this dialect has.
const OURS: [&str; 3] = ["DataFlowGuard", "ProcessFlowGuard", "FaultLogger"];

/// Is this an E-GSM model? The profile decides where one is given, else the content: observers and no guard of plain GSM.
pub fn recognise(text: &str, files: &Files) -> bool {
    match files.overrides.options.profile.or(files.project.options.profile) {
        Some(profile) => return profile == Profile::Egsm,
        None if files.is_notation() => {}
        None => {
            let read = roxmltree::Document::parse(text).ok();
            let has = |name: &str| match &read {
                Some(document) => document.descendants().any(|n| n.has_tag_name((NAMESPACE, name))),
                // What cannot be read is refused later, by whoever it looks like.
                None => has_element(text, name),
            };
            return OURS.iter().any(|name| has(name)) && !has("StageGuard") && !waits_for_creation(text);
        }
    }
    let mut unread = Diagnostics::new();
    let read = files_of_gsm::model(files.text, files.is_notation(), &files.sources, &mut unread);
    read.is_some_and(|file| match file.settings.options.profile {
        Some(profile) => profile == Profile::Egsm,
        None => file.model.monitored,
    })
}

/// Does a sentry wait for an instance's creation? In this dialect nothing is created: its one instance is there from the start.
fn waits_for_creation(text: &str) -> bool {
    let Ok(component) = Regex::new(r#"Component\s[^>]*?\bid\s*=\s*["']([^"']+)["']"#) else { return false };
    let Ok(waiting) = Regex::new(r#"eventIds\s*=\s*["']([^"']*)["']"#) else { return false };
    let created: Vec<String> = component.captures_iter(text).map(|c| format!("Create_{}", &c[1])).collect();
    let mut events = waiting.captures_iter(text);
    events.any(|c| c[1].split(|ch: char| ch.is_whitespace() || ch == ',').any(|e| created.iter().any(|n| n == e)))
}

/// Does an element of that name begin somewhere, with or without a prefix?
fn has_element(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).unwrap_or("");
        let tag = before.rfind('<').and_then(|start| before.get(start + 1..));
        let prefix = tag.is_some_and(|t| t.is_empty() || (t.ends_with(':') && !t.contains([' ', '>', '\n', '!'])));
        let after = text.get(at + name.len()..).and_then(|rest| rest.chars().next());
        prefix && after.is_none_or(|c| c.is_whitespace() || c == '>' || c == '/')
    })
}

/// Reads and lowers a model with its properties.
pub fn open(mut files: Files) -> Opened {
    let schemas = std::mem::take(&mut files.schemas);
    let read = files_of_gsm::model(files.text, files.is_notation(), &files.sources, &mut files.diags);
    let settings = read.as_ref().map_or_else(Config::default, |r| r.settings.clone());
    let (project, overrides) = (std::mem::take(&mut files.project), std::mem::take(&mut files.overrides));
    let config = settings.overridden(project).overridden(overrides);
    let agents = match files.agents.take() {
        Some(named) => files.read(&named),
        None => read.as_ref().and_then(|r| r.agents.clone()),
    };
    let components = read.iter().flat_map(|r| &r.model.components);
    let names: Vec<&str> = components.flat_map(|c| [c.head.id.text.as_str(), c.head.name.as_str()]).collect();
    not_here(&config, &names, &mut files.diags);
    if let Some(read) = read.as_ref().filter(|_| files.is_notation()) {
        nothing_is_created(&read.model, &mut files.diags);
    }
    let replaced = !files.properties.is_empty();
    let mut texts = files.property_texts();
    if !replaced {
        texts.extend(read.as_ref().and_then(|r| r.properties.clone()));
    }
    let folder = files.folder();
    let mut found = Diagnostics::new();
    let model = read.and_then(|r| {
        let mut schemas = Schemas::new(&folder, &schemas, &mut files.sources);
        build(&r.model, &mut schemas, &mut found)
    });
    each_once(&found, &mut files.diags);
    let nesting = config.options.nesting.map_or(NESTING, |n| n as usize);
    let model = model.filter(|_| !files.diags.has_errors());
    if model.is_none() {
        files_of_gsm::parse_only(&mut files.diags, agents.as_ref(), &texts);
    }
    let egsm = model.and_then(|model| {
        let agents = agents.as_ref().map(|text| agents::read(text, &model, &mut files.diags));
        let otherwise = if agents.is_some() { Idle::Terminal } else { Idle::Always };
        let acting = Acting { agents, idle: config.options.idle.unwrap_or(otherwise) };
        let properties = read_properties(&texts, &model, acting.agents(), &mut files.diags);
        if files.diags.has_errors() {
            return None;
        }
        let lowered = Egsm::new(model, properties, nesting, files.standard, acting);
        lowered.map_err(|d| files.diags.push(d)).ok()
    });
    files.opened(egsm.map(|egsm| Box::new(egsm) as Box<dyn Lens>))
}

/// `created by` of the notation.
fn nothing_is_created(model: &RawModel, diags: &mut Diagnostics) {
    let creates = |text: &str| model.components.iter().any(|c| text == format!("Create_{}", c.head.id.text));
    for event in model.events.iter().filter(|e| creates(&e.head.id.text) || creates(&e.head.name)) {
        let d = Diagnostic::new(&codes::NOT_IN_EGSM, event.head.span, "nothing is created in an E-GSM model");
        diags.push(d.help("its one instance is there from the start: leave this out"));
    }
}

/// One warning per kind and element: the second mention of an undeclared event is not news.
fn each_once(found: &Diagnostics, diags: &mut Diagnostics) {
    let mut told = BTreeSet::new();
    for d in found.iter() {
        if told.insert((d.code.id, d.message.clone())) {
            diags.push(d.clone());
        }
    }
}

/// Settings that mean nothing to an E-GSM model are mistakes.
fn not_here(config: &Config, components: &[&str], diags: &mut Diagnostics) {
    let mut wrong = |what: &str, span, help: &str| {
        let message = format!("'{what}' means nothing to an E-GSM model");
        let mut d = Diagnostic::placeless(&options::NOT_FOR_LANGUAGE, message);
        d.span = span;
        diags.push(d.help(help));
    };
    config.ranges.iter().for_each(|(name, _)| wrong("ranges", Some(name.span), "items have a status, no numbers"));
    for (name, _) in &config.relations {
        wrong("relations", Some(name.span), "items have a status, no references");
    }
    let known = |name: &str| components.is_empty() || components.contains(&name);
    for (name, _) in config.instances.iter().filter(|(name, _)| !known(&name.text)) {
        let message = format!("unknown type '{}'", name.text);
        let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, message);
        diags.push(d.nearest(&name.text, components.iter().copied()));
    }
    for (name, _) in config.instances.iter().filter(|(name, n)| *n > 1 && known(&name.text)) {
        let d = Diagnostic::new(&codes::NOT_IN_EGSM, name.span, "there is one instance, from the start");
        diags.push(d.help("leave the number of instances out"));
    }
}
