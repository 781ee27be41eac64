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

use crate::lang::config::{self, Config, GivenAbstraction, Overrides};
use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::resolve::{Draft, ModelOptions, build};
use crate::lang::gsm::{self, Application};
use crate::lang::gsm::{agents, domains, notation, xml};
use crate::lang::syntax::{Name, Text};
use crate::lang::{files, properties};
use crate::source::codes::{
    agents as agent_codes, files as file_codes, options as codes, properties as property_codes, typing,
};
use crate::source::{Code, Diagnostic, Diagnostics, Sources, Span};
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
    /// What to do about unbounded data.
    pub abstraction: GivenAbstraction,
}

/// A file and the place that names it.
type Named = (PathBuf, Option<Span>);

/// Reads everything that a request names.
pub fn load(request: &Request) -> Loaded {
    let mut loader = Loader { sources: Sources::new(), diags: Diagnostics::new() };
    // A model in the notation can be a whole project.
    let alone = request.dir.as_ref().filter(|dir| is_notation(dir) && !dir.is_dir());
    let (base, project) = loader.project(request.dir.as_deref().filter(|_| alone.is_none()));
    let overrides = request.overrides.config(&mut loader.sources, &mut loader.diags);
    let named = |name: &Name| (base.join(&name.text), Some(name.span));
    let given = |path: &PathBuf| (path.clone(), None);
    let model = request.model.as_ref().or(alone).map(given).or(project.model.as_ref().map(named));
    let agents = request.agents.as_ref().map(given).or(project.agents.as_ref().map(named));
    let properties: Vec<Named> = match request.properties.as_slice() {
        [] => project.properties.iter().map(named).collect(),
        several => several.iter().map(given).collect(),
    };
    // Schemas of the project lie beside its gsmc.toml; those on the command line are taken as they are.
    let mut schemas: Vec<PathBuf> = overrides.schemas.iter().map(|s| PathBuf::from(&s.text)).collect();
    schemas.extend(project.schemas.iter().map(|s| base.join(&s.text)));
    let read = loader.model(model.as_ref(), request);
    let settings = read.as_ref().map_or_else(Config::default, |r| r.settings.clone());
    let config = settings.overridden(project).overridden(overrides);
    // What is named beside the model replaces its own blocks.
    let own = |text: Option<&Text>| text.cloned();
    let agents = match agents {
        Some(named) => Some(loader.text(&named)),
        None => own(read.as_ref().and_then(|r| r.agents.as_ref())).map(Some),
    };
    let properties: Vec<Text> = match properties.as_slice() {
        [] => own(read.as_ref().and_then(|r| r.properties.as_ref())).into_iter().collect(),
        several => several.iter().filter_map(|named| loader.text(named)).collect(),
    };
    let folder = model.as_ref().and_then(|(path, _)| path.parent()).map_or_else(PathBuf::new, Path::to_path_buf);
    let draft = read.and_then(|read| loader.build(&read, folder, schemas, &config));
    let (app, properties) = loader.rest(draft, agents, &properties, &config);
    let clean = !loader.diags.has_errors();
    Loaded {
        sources: loader.sources,
        diagnostics: loader.diags,
        app: app.filter(|_| clean),
        properties: if clean { properties } else { Vec::new() },
        model_path: model.map(|(path, _)| path),
        abstraction: config.abstraction,
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

    /// The model file, as it spells the model.
    fn model(&mut self, model: Option<&Named>, request: &Request) -> Option<notation::File> {
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
        if is_notation(path) {
            return notation::read(file, &self.sources, &mut self.diags);
        }
        let model = xml::read(file, &self.sources, &mut self.diags)?;
        Some(notation::File { model, settings: Config::default(), blocks: Vec::new(), agents: None, properties: None })
    }

    /// What the names in a model mean.
    fn build(
        &mut self,
        read: &notation::File,
        folder: PathBuf,
        schemas: Vec<PathBuf>,
        config: &Config,
    ) -> Option<Draft> {
        let (bounds, relations) = (config.instances.clone(), config.relations.clone());
        let options = ModelOptions { folder, schemas, bounds, relations };
        build(&read.model, &options, &mut self.sources, &mut self.diags)
    }

    fn text(&mut self, (path, span): &Named) -> Option<Text> {
        let file = files::read(path, *span, &mut self.sources, &mut self.diags)?;
        Some(Text::of(file, &self.sources))
    }

    /// Agents, properties and domains.
    fn rest(
        &mut self,
        draft: Option<Draft>,
        agents: Option<Option<Text>>,
        properties: &[Text],
        config: &Config,
    ) -> (Option<Application>, Vec<ModelProperty>) {
        let Some(mut draft) = draft else {
            self.parse_only(agents.flatten().as_ref(), properties);
            return (None, Vec::new());
        };
        draft.app.options = config.options.options();
        let about_data: &[&Code] = if draft.incomplete { &ABOUT_DATA } else { &[] };
        let mut complete = true;
        let mut found = Diagnostics::new();
        if let Some(text) = agents {
            complete = text.is_some_and(|t| agents::read(&t, &mut draft.app, &mut found));
        }
        self.take(&found, about_data);
        let about_agents: &[&Code] = if complete { &[] } else { &ABOUT_AGENTS };
        let mut found = Diagnostics::new();
        let properties = gsm::properties(properties, &draft.app, &mut found);
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
    fn parse_only(&mut self, agents: Option<&Text>, properties: &[Text]) {
        if let Some(text) = agents {
            agents::parse(text, &mut self.diags);
        }
        for text in properties {
            properties::parse(text, &mut Vec::new(), &mut self.diags);
        }
    }
}

/// Is this a file in gsmc's own notation?
fn is_notation(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gsm"))
}
