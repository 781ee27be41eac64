//! What every language needs of a project: its `gsmc.toml`, the files that it or the command line names, the model's text.

use super::config::{self, Config, GivenReplay, Overrides};
use super::files;
use super::lens::Lens;
use super::syntax::{Name, Text};
use crate::source::codes::{files as file_codes, options as codes};
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};
use std::path::{Path, PathBuf};

/// What the user asked to read.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A project folder (or its `gsmc.toml`), or a model file that is to be read alone.
    pub dir: Option<PathBuf>,
    /// `-m`: the model, instead of the folder's.
    pub model: Option<PathBuf>,
    /// `-a`: the agents file, instead of the folder's.
    pub agents: Option<PathBuf>,
    /// `-s`: property files, instead of the folder's.
    pub properties: Vec<PathBuf>,
    /// The other overrides.
    pub overrides: Overrides,
    /// Add the properties that every model of the language should have.
    pub standard: bool,
    /// Formulas that are added to the properties, each with its name: `mine: EF overflow;`.
    pub formulas: Vec<String>,
}

/// A file and the place that names it.
pub type Named = (PathBuf, Option<Span>);

/// The files of a request. A language reads on from here.
pub struct Files {
    /// All files that were read.
    pub sources: Sources,
    /// All findings so far.
    pub diags: Diagnostics,
    /// The model file; `None` is reported.
    pub model: Option<Named>,
    /// The model's text; `None` is reported.
    pub text: Option<FileId>,
    /// The agents file.
    pub agents: Option<Named>,
    /// Property files.
    pub properties: Vec<Named>,
    /// Schema files that come before those the model names.
    pub schemas: Vec<PathBuf>,
    /// `gsmc.toml`.
    pub project: Config,
    /// What the command line says beside it.
    pub overrides: Config,
    /// Add the properties that every model of the language should have.
    pub standard: bool,
    /// What the project says about recorded logs.
    pub replay: GivenReplay,
    /// Formulas that are added to the properties.
    pub formulas: Vec<String>,
}

/// What came of a request.
pub struct Opened {
    /// All files that were read.
    pub sources: Sources,
    /// All findings.
    pub diagnostics: Diagnostics,
    /// The model with its machine; only without errors.
    pub lens: Option<Box<dyn Lens>>,
    /// The model file.
    pub model_path: Option<PathBuf>,
    /// What the project says about recorded logs.
    pub replay: GivenReplay,
}

/// Finds and reads what a request names. `is_model`: is this file a model of some language?
pub fn gather(request: &Request, is_model: &dyn Fn(&Path) -> bool) -> Files {
    let mut files = Files::new(request.standard);
    let alone = request.dir.as_ref().filter(|dir| dir.is_file() && !is_toml(dir) && is_model(dir));
    let (base, project) = files.project(request.dir.as_deref().filter(|_| alone.is_none()));
    let overrides = request.overrides.config(&mut files.sources, &mut files.diags);
    let named = |name: &Name| (base.join(&name.text), Some(name.span));
    let given = |path: &PathBuf| (path.clone(), None);
    files.model = request.model.as_ref().or(alone).map(given).or(project.model.as_ref().map(named));
    files.agents = request.agents.as_ref().map(given).or(project.agents.as_ref().map(named));
    files.properties = match request.properties.as_slice() {
        [] => project.properties.iter().map(named).collect(),
        several => several.iter().map(given).collect(),
    };
    // Schemas of the project lie beside its gsmc.toml; those on the command line are taken as they are.
    files.schemas = overrides.schemas.iter().map(|s| PathBuf::from(&s.text)).collect();
    let schemas: Vec<Named> = project.schemas.iter().map(named).filter(|n| files.may_be_read(&base, n)).collect();
    files.schemas.extend(schemas.into_iter().map(|(path, _)| path));
    let used = [files.model.take(), files.agents.take()].map(|named| named.filter(|n| files.may_be_read(&base, n)));
    [files.model, files.agents] = used;
    let properties = std::mem::take(&mut files.properties);
    files.properties = properties.into_iter().filter(|n| files.may_be_read(&base, n)).collect();
    (files.project, files.overrides) = (project, overrides);
    files.replay = std::mem::take(&mut files.project.replay);
    files.formulas.clone_from(&request.formulas);
    files.text = files.model_text(request);
    files
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "toml")
}

/// Has a file this ending, however it is spelled?
pub(crate) fn ends_with(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

impl Files {
    fn new(standard: bool) -> Files {
        Files {
            sources: Sources::new(),
            diags: Diagnostics::new(),
            model: None,
            text: None,
            agents: None,
            properties: Vec::new(),
            schemas: Vec::new(),
            project: Config::default(),
            overrides: Config::default(),
            standard,
            replay: GivenReplay::default(),
            formulas: Vec::new(),
        }
    }

    /// The project's folder and configuration.
    fn project(&mut self, dir: Option<&Path>) -> (PathBuf, Config) {
        let Some(dir) = dir else { return (PathBuf::new(), Config::default()) };
        let (base, path) = if is_toml(dir) {
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
        if !dir.exists() {
            let message = format!("there is no folder or file '{}'", dir.display());
            let d = Diagnostic::placeless(&file_codes::FILE_MISSING, message);
            if dir.is_symlink() {
                let to = std::fs::read_link(dir).unwrap_or_default();
                self.diags.push(d.help(format!("it is a link to '{}', which leads nowhere", to.display())));
                return (base, Config::default());
            }
            let name = dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let beside = files::beside(dir);
            let d = d.nearest(&name, beside.iter().map(String::as_str));
            let help = "write the folder of a project, or a model file; 'gsmc new NAME' makes a project to start from";
            self.diags.push(if d.help.is_none() { d.help(help) } else { d });
            return (base, Config::default());
        }
        if !dir.is_dir() && path != dir {
            // A pipe or a device: reading says so.
            files::read(dir, None, &mut self.sources, &mut self.diags);
            return (base, Config::default());
        }
        if !path.exists() {
            let message = format!("file '{}' not found", path.display());
            let d = Diagnostic::placeless(&file_codes::FILE_MISSING, message);
            self.diags.push(d.help("a project folder has a gsmc.toml; a model alone is read with -m"));
            return (base, Config::default());
        }
        let alone = dir != path && path.canonicalize().is_ok_and(|real| !is_toml(&real));
        if alone {
            let message = format!("'{}' is a link to a file that is no gsmc.toml", path.display());
            self.diags.push(Diagnostic::placeless(&file_codes::PATH_OUTSIDE, message));
            return (base, Config::default());
        }
        let file = files::read(&path, None, &mut self.sources, &mut self.diags);
        let config = file.map(|f| config::read(f, &self.sources, &mut self.diags));
        (base, config.unwrap_or_default())
    }

    /// May a file be read? What the user names, always.
    fn may_be_read(&mut self, base: &Path, (path, span): &Named) -> bool {
        let foreign = span.is_some() && files::is_foreign(base, path);
        if foreign {
            let message = format!("'{}' lies outside of the project and is no file of one", path.display());
            let mut d = Diagnostic::placeless(&file_codes::PATH_OUTSIDE, message);
            d.span = *span;
            self.diags.push(d.help("copy the file into the project's folder, or name it on the command line"));
        }
        !foreign
    }

    fn model_text(&mut self, request: &Request) -> Option<FileId> {
        let Some((path, span)) = &self.model else {
            if !self.diags.has_errors() {
                let d = Diagnostic::placeless(&codes::NO_MODEL, "no model is named");
                self.diags.push(match &request.dir {
                    Some(dir) => d.help(format!("add 'model = \"…\"' to {}", dir.join("gsmc.toml").display())),
                    None => d.help("name a project folder or a model file, or go into a folder with a gsmc.toml; 'gsmc new NAME' makes one"),
                });
            }
            return None;
        };
        files::read(path, *span, &mut self.sources, &mut self.diags)
    }

    /// Is the model a file in gsmc's own notation?
    pub fn is_notation(&self) -> bool {
        self.model.as_ref().is_some_and(|(path, _)| ends_with(path, "gsm"))
    }

    /// Reads a file that is named beside the model.
    pub fn read(&mut self, (path, span): &Named) -> Option<Text> {
        let file = files::read(path, *span, &mut self.sources, &mut self.diags)?;
        Some(Text::of(file, &self.sources))
    }

    /// The texts of the property files.
    pub fn property_texts(&mut self) -> Vec<Text> {
        let named = std::mem::take(&mut self.properties);
        let mut texts: Vec<Text> = named.iter().filter_map(|named| self.read(named)).collect();
        for formula in std::mem::take(&mut self.formulas) {
            let file = self.sources.add("a formula", formula);
            texts.push(Text::of(file, &self.sources));
        }
        texts
    }

    /// The folder of the model.
    pub fn folder(&self) -> PathBuf {
        self.model.as_ref().and_then(|(path, _)| path.parent()).map_or_else(PathBuf::new, Path::to_path_buf)
    }

    /// What came of it. A model that comes with errors is none.
    pub fn opened(self, lens: Option<Box<dyn Lens>>) -> Opened {
        let clean = !self.diags.has_errors();
        Opened {
            sources: self.sources,
            diagnostics: self.diags,
            lens: lens.filter(|_| clean),
            model_path: self.model.map(|(path, _)| path),
            replay: self.replay,
        }
    }
}
