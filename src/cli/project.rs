//! Opening an application: read, report, lower.

use super::BAD_INPUT;
use super::args::ModelArgs;
use super::output::{say, stderr_colour};
use crate::lang::Lens;
use crate::lang::config::GivenAbstraction;
use crate::lang::gsm::{self, Gsm};
use crate::lang::load::{Loaded, load};
use crate::machine::Valid;
use crate::source::{Diagnostic, Diagnostics, Severity, Sources, render_all};
use serde_json::json;
use std::path::PathBuf;

/// An application without errors, and its machine.
pub struct Project {
    /// Files that were read.
    pub sources: Sources,
    /// Warnings.
    pub diagnostics: Diagnostics,
    /// The model and its machine.
    pub gsm: Gsm,
    /// The model file.
    pub model_path: PathBuf,
    /// What to do about unbounded data.
    pub abstraction: GivenAbstraction,
}

impl Project {
    /// Reads and lowers an application. Findings go to stderr; on an error, the exit code is returned.
    pub fn open(args: &ModelArgs) -> Result<Project, u8> {
        Project::open_with(args, false)
    }

    /// The same, with the standard properties added on request.
    pub fn open_with(args: &ModelArgs, builtin: bool) -> Result<Project, u8> {
        match Project::read(args, builtin) {
            Ok(project) => {
                show(&project.diagnostics, &project.sources);
                Ok(project)
            }
            Err(refused) => Err(refused.tell()),
        }
    }

    /// The same, without a word.
    pub fn read(args: &ModelArgs, builtin: bool) -> Result<Project, Box<Refused>> {
        let Loaded { sources, mut diagnostics, app, mut properties, model_path, abstraction } = load(&args.request());
        if let Some(app) = app.as_ref().filter(|_| builtin) {
            properties.extend(gsm::builtin(app));
        }
        match app.map(|app| Gsm::new(app, properties, &sources)) {
            Some(Ok(gsm)) if !diagnostics.has_errors() => {
                let model_path = model_path.unwrap_or_default();
                Ok(Project { sources, diagnostics, gsm, model_path, abstraction })
            }
            lowered => {
                if let Some(Err(refusal)) = lowered {
                    diagnostics.push(refusal);
                }
                Err(Box::new(Refused { sources, diagnostics }))
            }
        }
    }

    /// What its language says about it.
    pub fn lens(&self) -> &dyn Lens {
        &self.gsm
    }

    /// The machine.
    pub fn machine(&self) -> &Valid {
        &self.gsm.machine
    }

    /// The model file as results name it.
    pub fn model_name(&self) -> String {
        self.model_path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Warnings as JSON.
    pub fn warnings_json(&self) -> serde_json::Value {
        let one = |d: &Diagnostic| {
            let place = d.span.map(|s| {
                let (line, column) = self.sources.line_col(s);
                json!({ "file": self.sources.file(s.file).map(|f| f.name.clone()), "line": line, "column": column })
            });
            json!({ "code": d.code.id, "message": d.message, "place": place, "help": d.help })
        };
        self.diagnostics.sorted().into_iter().map(one).collect()
    }
}

/// Files that make no application, and why.
pub struct Refused {
    /// Files that were read.
    pub sources: Sources,
    /// What is wrong with them.
    pub diagnostics: Diagnostics,
}

impl Refused {
    /// Says why, to stderr; gives the exit code.
    pub fn tell(&self) -> u8 {
        show(&self.diagnostics, &self.sources);
        let count = |severity| self.diagnostics.count(severity);
        say(&format!("\n{}", tally(count(Severity::Error), count(Severity::Warning))));
        BAD_INPUT
    }
}

/// Findings, to stderr.
pub fn show(diagnostics: &Diagnostics, sources: &Sources) {
    let text = render_all(diagnostics, sources, stderr_colour());
    if !text.is_empty() {
        say(&text);
    }
}

fn tally(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    match warnings {
        0 => plural(errors, "error"),
        w => format!("{}, {}", plural(errors, "error"), plural(w, "warning")),
    }
}
