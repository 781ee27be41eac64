//! From a project folder or a single `.amber` file to a model with its machine.

use super::Amber;
use super::properties::{AmberAtoms, builtin};
use crate::lang::config::{self, Config};
use crate::lang::load::Request;
use crate::lang::syntax::{Name, Text};
use crate::lang::{files, properties};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Sources, Span};
use std::path::{Path, PathBuf};

/// What came of a request.
#[derive(Debug)]
pub struct Opened {
    /// All files that were read.
    pub sources: Sources,
    /// All findings.
    pub diagnostics: Diagnostics,
    /// The model; only without errors.
    pub amber: Option<Amber>,
    /// The model file.
    pub model_path: PathBuf,
}

/// Is it an AMBER model that a request names?
pub fn names_amber(request: &Request) -> bool {
    let amber = |path: &Path| path.extension().is_some_and(|e| e == "amber");
    if let Some(model) = request.model.as_deref().or(request.dir.as_deref().filter(|d| amber(d))) {
        return amber(model);
    }
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let config = project(request.dir.as_deref(), &mut sources, &mut diags);
    config.is_some_and(|(_, c)| c.model.is_some_and(|m| amber(Path::new(&m.text))))
}

/// The folder and configuration of a project; nothing for a model alone.
fn project(dir: Option<&Path>, sources: &mut Sources, diags: &mut Diagnostics) -> Option<(PathBuf, Config)> {
    let dir = dir.filter(|d| d.extension().is_none_or(|e| e != "amber"))?;
    let toml = dir.extension().is_some_and(|e| e == "toml");
    let base = if toml { dir.parent().unwrap_or(Path::new("")) } else { dir };
    let path = if toml { dir.to_path_buf() } else { dir.join("gsmc.toml") };
    let file = files::read(&path, None, sources, diags)?;
    Some((base.to_path_buf(), config::read(file, sources, diags)))
}

/// Reads and lowers the model that a request names, with the standard properties on request.
pub fn open(request: &Request, with_builtin: bool) -> Opened {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let (base, config) = project(request.dir.as_deref(), &mut sources, &mut diags).unwrap_or_default();
    let overrides = request.overrides.config(&mut sources, &mut diags);
    let named = |name: &Name| (base.join(&name.text), Some(name.span));
    let given = |path: &PathBuf| (path.clone(), None);
    let alone = request.dir.as_ref().filter(|d| d.extension().is_some_and(|e| e == "amber"));
    let model = request.model.as_ref().or(alone).map(given).or(config.model.as_ref().map(named));
    let asked: Vec<(PathBuf, Option<Span>)> = match request.properties.as_slice() {
        [] => config.properties.iter().map(named).collect(),
        several => several.iter().map(given).collect(),
    };
    let config = config.overridden(overrides);
    not_here(request, &config, &mut diags);
    let (model_path, span) = model.unwrap_or_default();
    let file = files::read(&model_path, span, &mut sources, &mut diags);
    let read = file.and_then(|f| super::read(f, &sources, &mut diags));
    let mut texts = Vec::new();
    for (path, span) in &asked {
        texts.extend(files::read(path, *span, &mut sources, &mut diags).map(|f| Text::of(f, &sources)));
    }
    let amber = read.and_then(|mut model| {
        model.bound = config.options.bound.or(model.bound);
        let mut list = properties::read(&texts, &mut AmberAtoms { model: &model }, &mut diags);
        if with_builtin {
            list.extend(builtin(&model));
        }
        let lowered = Amber::new(model, list, config.options.keep_all.unwrap_or(false));
        lowered.map_err(|d| diags.push(d)).ok()
    });
    let amber = amber.filter(|_| !diags.has_errors());
    Opened { sources, diagnostics: diags, amber, model_path }
}

/// Settings that mean nothing to an AMBER model are mistakes.
fn not_here(request: &Request, config: &Config, diags: &mut Diagnostics) {
    let mut wrong = |what: &str, span: Option<Span>, help: &str| {
        let mut d =
            Diagnostic::placeless(&codes::NOT_FOR_LANGUAGE, format!("'{what}' means nothing to an AMBER model"));
        d.span = span;
        diags.push(d.help(help));
    };
    if let Some(name) = &config.agents {
        wrong("agents", Some(name.span), "actors are declared in the model: actor A sees x");
    } else if request.agents.is_some() {
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
