//! From the files of a project to a model with its machine.

use super::Amber;
use super::properties::{AmberAtoms, builtin};
use crate::lang::config::Config;
use crate::lang::project::{Files, Opened};
use crate::lang::{Lens, properties};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Span};

/// Does a text begin like an AMBER model?
pub fn recognise(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let comment = rest.starts_with('#') || rest.starts_with("//");
        rest = match (comment, rest.strip_prefix("/*")) {
            (true, _) => rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start(),
            (_, Some(inside)) => inside.split_once("*/").map_or("", |(_, rest)| rest).trim_start(),
            _ => return rest.strip_prefix("amber").is_some_and(|r| r.starts_with([' ', '\t'])),
        };
    }
}

/// Reads and lowers a model with its properties.
pub fn open(mut files: Files) -> Opened {
    let named_agents = files.agents.take();
    let config = std::mem::take(&mut files.project).overridden(std::mem::take(&mut files.overrides));
    not_here(named_agents.is_some(), &config, &mut files.diags);
    let read = files.text.and_then(|f| super::read(f, &files.sources, &mut files.diags));
    let texts = files.property_texts();
    if read.is_none() {
        properties::check_syntax(&texts, &mut files.diags);
    }
    let amber = read.and_then(|mut model| {
        model.bound = config.options.bound.or(model.bound);
        let mut list = properties::read(&texts, &mut AmberAtoms { model: &model }, &mut files.diags);
        if files.standard {
            properties::add_standard(&mut list, builtin(&model));
        }
        let lowered = Amber::new(model, list, config.options.keep_all.unwrap_or(false));
        lowered.map_err(|d| files.diags.push(d)).ok()
    });
    files.opened(amber.map(|amber| Box::new(amber) as Box<dyn Lens>))
}

/// Settings that mean nothing to an AMBER model are mistakes.
fn not_here(named_agents: bool, config: &Config, diags: &mut Diagnostics) {
    let mut wrong = |what: &str, span: Option<Span>, help: &str| {
        let mut d =
            Diagnostic::placeless(&codes::NOT_FOR_LANGUAGE, format!("'{what}' means nothing to an AMBER model"));
        d.span = span;
        diags.push(d.help(help));
    };
    if let Some(name) = &config.agents {
        wrong("agents", Some(name.span), "actors are declared in the model: actor A sees x");
    } else if named_agents {
        wrong("--agents", None, "actors are declared in the model: actor A sees x");
    }
    for (name, _) in &config.instances {
        wrong("instances", Some(name.span), "how many occurrences may wait is said with bound");
    }
    for (name, _) in &config.ranges {
        wrong("ranges", Some(name.span), "ranges are declared in the model: var n: 0..10");
    }
    for (name, _) in &config.relations {
        wrong("relations", Some(name.span), "relations are declared in the model: relation r: X.a, Y.b");
    }
}
