//! From a project folder or single files to an application, in one go.
//!
//! Everything is read, whatever is wrong with what was read before, so that a run shows all mistakes. What could only be a
//! consequence of another mistake (an unknown attribute when the schema cannot be read) is kept back.

#[cfg(test)]
mod limits;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;

use crate::lang::config::{self, Config, Overrides};
use crate::lang::gsm::Application;
use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::resolve::{Draft, ModelOptions, build};
use crate::lang::gsm::{agents, domains, xml};
use crate::lang::syntax::{Name, Text};
use crate::lang::{files, properties};
use crate::source::codes::{
    agents as agent_codes, files as file_codes, options as codes, properties as property_codes, typing,
};
use crate::source::{Code, Diagnostic, Diagnostics, FileId, Sources, Span};
use std::path::{Path, PathBuf};

/// What the user asked to read.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A project folder (or its `gsmc.toml`).
    pub dir: Option<PathBuf>,
    /// `-m`: the model, instead of the folder's.
    pub model: Option<PathBuf>,
    /// `-a`: the agents file, instead of the folder's.
    pub agents: Option<PathBuf>,
    /// `-s`: property files, instead of the folder's.
    pub properties: Vec<PathBuf>,
    /// The other overrides.
    pub overrides: Overrides,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// All files that were read.
    pub sources: Sources,
    /// All findings.
    pub diagnostics: Diagnostics,
    /// The application; only without errors.
    pub app: Option<Application>,
    /// The properties; only without errors.
    pub properties: Vec<ModelProperty>,
    /// The model file.
    pub model_path: Option<PathBuf>,
}

/// A file and the place that names it.
type Named = (PathBuf, Option<Span>);

/// Reads everything that a request names.
pub fn load(request: &Request) -> Loaded {
    let mut loader = Loader { sources: Sources::new(), diags: Diagnostics::new() };
    let (base, project) = loader.project(request.dir.as_deref());
    let overrides = request.overrides.config(&mut loader.sources, &mut loader.diags);
    let named = |name: &Name| (base.join(&name.text), Some(name.span));
    let given = |path: &PathBuf| (path.clone(), None);
    let model = request.model.as_ref().map(given).or(project.model.as_ref().map(named));
    let agents = request.agents.as_ref().map(given).or(project.agents.as_ref().map(named));
    let properties: Vec<Named> = match request.properties.as_slice() {
        [] => project.properties.iter().map(named).collect(),
        several => several.iter().map(given).collect(),
    };
    // Schemas of the project lie beside its gsmc.toml; those on the command line are taken as they are.
    let mut schemas: Vec<PathBuf> = overrides.schemas.iter().map(|s| PathBuf::from(&s.text)).collect();
    schemas.extend(project.schemas.iter().map(|s| base.join(&s.text)));
    let config = project.overridden(overrides);
    let draft = loader.model(model.as_ref(), request, schemas, &config);
    let (app, properties) = loader.rest(draft, agents, &properties, &config);
    let clean = !loader.diags.has_errors();
    Loaded {
        sources: loader.sources,
        diagnostics: loader.diags,
        app: app.filter(|_| clean),
        properties: if clean { properties } else { Vec::new() },
        model_path: model.map(|(path, _)| path),
    }
}

struct Loader {
    sources: Sources,
    diags: Diagnostics,
}

/// Findings that may only follow from data that could not be read.
const ABOUT_DATA: [&Code; 2] = [&typing::UNKNOWN_NAME, &agent_codes::UNKNOWN_ATTRIBUTE];
/// Findings that may only follow from agents that could not be read.
const ABOUT_AGENTS: [&Code; 2] = [&typing::UNKNOWN_NAME, &property_codes::UNKNOWN_AGENT];

impl Loader {
    /// The project's folder and configuration.
    fn project(&mut self, dir: Option<&Path>) -> (PathBuf, Config) {
        let Some(dir) = dir else { return (PathBuf::new(), Config::default()) };
        let (base, path) = if dir.extension().is_some_and(|e| e == "toml") {
            (dir.parent().map_or_else(PathBuf::new, Path::to_path_buf), dir.to_path_buf())
        } else {
            (dir.to_path_buf(), dir.join("gsmc.toml"))
        };
        if dir.is_file() && path != dir {
            let message = format!("'{}' is not a project folder", dir.display());
            let d = Diagnostic::placeless(&codes::NOT_A_FOLDER, message);
            self.diags.push(d.help(format!("to read a model alone, write -m {}", dir.display())));
            return (base, Config::default());
        }
        if !path.exists() {
            let message = format!("file '{}' not found", path.display());
            let d = Diagnostic::placeless(&file_codes::FILE_MISSING, message);
            self.diags.push(d.help("a project folder has a gsmc.toml; a model alone is read with -m"));
            return (base, Config::default());
        }
        let file = files::read(&path, None, &mut self.sources, &mut self.diags);
        let config = file.map(|f| config::read(f, &self.sources, &mut self.diags));
        (base, config.unwrap_or_default())
    }

    fn model(
        &mut self,
        model: Option<&Named>,
        request: &Request,
        schemas: Vec<PathBuf>,
        config: &Config,
    ) -> Option<Draft> {
        let Some((path, span)) = model else {
            if !self.diags.has_errors() {
                let d = Diagnostic::placeless(&codes::NO_MODEL, "no model is named");
                self.diags.push(match &request.dir {
                    Some(dir) => d.help(format!("add 'model = \"…\"' to {}", dir.join("gsmc.toml").display())),
                    None => d.help("name a project folder, or the XML file with -m"),
                });
            }
            return None;
        };
        let file = files::read(path, *span, &mut self.sources, &mut self.diags)?;
        let raw = xml::read(file, &self.sources, &mut self.diags)?;
        let options = ModelOptions {
            folder: path.parent().map_or_else(PathBuf::new, Path::to_path_buf),
            schemas,
            bounds: config.instances.clone(),
            relations: config.relations.clone(),
        };
        build(&raw, &options, &mut self.sources, &mut self.diags)
    }

    /// Agents, properties and domains.
    fn rest(
        &mut self,
        draft: Option<Draft>,
        agents: Option<Named>,
        properties: &[Named],
        config: &Config,
    ) -> (Option<Application>, Vec<ModelProperty>) {
        let open = |l: &mut Self, (path, span): &Named| files::read(path, *span, &mut l.sources, &mut l.diags);
        let agents = agents.map(|named| open(self, &named));
        let properties: Vec<FileId> = properties.iter().filter_map(|named| open(self, named)).collect();
        let Some(mut draft) = draft else {
            self.parse_only(agents.flatten(), &properties);
            return (None, Vec::new());
        };
        draft.app.options = config.options.options();
        let about_data: &[&Code] = if draft.incomplete { &ABOUT_DATA } else { &[] };
        let mut complete = true;
        let mut found = Diagnostics::new();
        if let Some(file) = agents {
            complete = file.is_some_and(|f| agents::read(f, &self.sources, &mut draft.app, &mut found));
        }
        self.take(&found, about_data);
        let about_agents: &[&Code] = if complete { &[] } else { &ABOUT_AGENTS };
        let mut found = Diagnostics::new();
        let properties = properties::read(&properties, &self.sources, &draft.app, &mut found);
        self.take(&found, &[about_data, about_agents].concat());
        let mut found = Diagnostics::new();
        let app = domains::infer(draft, &properties, &config.ranges, &mut found);
        self.take(&found, about_data);
        (Some(app), properties)
    }

    /// Takes findings over, except those kept back.
    fn take(&mut self, found: &Diagnostics, kept_back: &[&Code]) {
        for d in found.iter().filter(|d| !kept_back.contains(&d.code)) {
            self.diags.push(d.clone());
        }
    }

    /// Without a model at least the grammar can be checked.
    fn parse_only(&mut self, agents: Option<FileId>, properties: &[FileId]) {
        let text = |file: FileId, s: &Sources| Text::plain(file, s.file(file).map_or("", |f| f.text.as_str()), 0);
        if let Some(file) = agents {
            agents::parse(&text(file, &self.sources), &mut self.diags);
        }
        for &file in properties {
            properties::parse(&text(file, &self.sources), &mut Vec::new(), &mut self.diags);
        }
    }
}
