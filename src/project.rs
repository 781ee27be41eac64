//! The front door: a project opened, ready to be checked, explained, drawn.

use crate::answer::{Engine, Results};
use crate::check::{Plan, ask_with_enough, refusal};
use crate::lang::Lens;
use crate::lang::config::GivenReplay;
use crate::lang::load::{Opened, Request, open};
use crate::machine::Valid;
use crate::source::{Diagnostics, Sources, render_all};
use std::path::{Path, PathBuf};

/// What to read beside the project, and how; see [`Request`].
pub type Options = Request;

/// A model without errors, with its properties and its machine.
pub struct Project {
    /// Files that were read.
    pub sources: Sources,
    /// Warnings.
    pub diagnostics: Diagnostics,
    /// The model file.
    pub model_path: PathBuf,
    /// What the project says about recorded logs.
    pub replay: GivenReplay,
    lens: Box<dyn Lens>,
}

/// Files that make no model, and why.
#[derive(Debug)]
pub struct Refused {
    /// Files that were read.
    pub sources: Sources,
    /// What is wrong with them.
    pub diagnostics: Diagnostics,
}

impl Project {
    /// Opens a project folder, its `gsmc.toml`, or a model file of any language.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Project, Box<Refused>> {
        Project::read(&Request { dir: Some(path.as_ref().to_path_buf()), ..options.clone() })
    }

    /// Opens what a request names.
    pub fn read(request: &Request) -> Result<Project, Box<Refused>> {
        let Opened { sources, mut diagnostics, mut lens, model_path, replay } = open(request);
        if let Some(refusal) = lens.as_deref().and_then(refusal) {
            diagnostics.push(refusal);
            lens = None;
        }
        match lens {
            Some(lens) => {
                Ok(Project { sources, diagnostics, model_path: model_path.unwrap_or_default(), replay, lens })
            }
            None => Err(Box::new(Refused { sources, diagnostics })),
        }
    }

    /// What its language says about the model.
    pub fn lens(&self) -> &dyn Lens {
        self.lens.as_ref()
    }

    /// Its machine, with the properties.
    pub fn machine(&self) -> &Valid {
        self.lens.machine()
    }

    /// The model file as results name it.
    pub fn model_name(&self) -> String {
        self.model_path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// Lets the engines of a plan decide the properties of a project; the native one when the plan names none.
pub fn check(project: &Project, plan: &Plan) -> Results {
    let mut plan = plan.clone();
    if plan.engines.is_empty() {
        plan.engines.push(Engine::NATIVE);
    }
    let (lens, sources) = (project.lens(), &project.sources);
    let (mut results, smaller) = ask_with_enough(&project.model_name(), lens, sources, &plan);
    crate::words::tell(smaller.as_deref().unwrap_or(lens), &mut results);
    results
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&render_all(&self.diagnostics, &self.sources, false))
    }
}

impl std::error::Error for Refused {}
