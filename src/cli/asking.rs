//! What to ask of which engine, within which limits: shared by the commands that check.

use super::BAD_INPUT;
use super::args::{ALL, ModelArgs, ToolArgs, names_and_all, shell_word};
use super::output::say;
use super::progress;
use super::project::{Project, Refused};
use crate::answer::{Engine, Results};
use crate::backend::{self, CHECKERS};
use crate::check::cache::{self, Cache, Memory};
use crate::check::{self, Plan};
use clap::builder::PossibleValuesParser;
use std::time::Duration;

/// What to check, and with what.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Who decides; several with commas
    #[arg(long, value_parser = backends(), default_value = "native", value_delimiter = ',')]
    backend: Vec<String>,
    /// Check only this property; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Add the standard properties: everything can happen, invariants hold, order and dead ends are harmless
    #[arg(long)]
    builtin: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    tools: ToolArgs,
}

/// Limits of engines.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Seconds for each property and engine
    #[arg(long, value_name = "S", value_parser = super::args::seconds)]
    timeout: Option<Duration>,
    /// Megabytes for each engine
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// External checkers at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

/// The choices of `--backend`.
fn backends() -> PossibleValuesParser {
    let native = (Engine::NATIVE.name(), "The built-in BDD checker".to_string());
    let external = CHECKERS.into_iter().map(|c| (c.engine.name(), c.title.to_string()));
    names_and_all(std::iter::once(native).chain(external).collect(), "All of them, compared")
}

impl Args {
    /// Reads the application and lets the engines decide. Findings go to stderr; on an error, the exit code is returned.
    pub fn results(&self) -> Result<(Project, Results), u8> {
        let project = Project::open_with(&self.model, self.builtin)?;
        let watcher = progress::Watcher::start(self.limits.timeout);
        let results = self.decide(&project, &watcher, None)?;
        Ok((project, results))
    }

    /// Reads the application, without a word.
    pub fn read(&self) -> Result<Project, Box<Refused>> {
        Project::read(&self.model, self.builtin)
    }

    /// The application.
    pub fn model(&self) -> &ModelArgs {
        &self.model
    }

    /// Are the standard properties asked, too?
    pub fn builtin(&self) -> bool {
        self.builtin
    }

    /// The arguments as a shell takes them; the limits are left to the next run.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.model.words();
        if self.backend != [Engine::NATIVE.name()] {
            words.extend(["--backend".to_string(), self.backend.join(",")]);
        }
        self.property.iter().for_each(|p| words.extend(["--property".to_string(), shell_word(p)]));
        words.extend(self.builtin.then(|| "--builtin".to_string()));
        words
    }

    /// The time limit.
    pub fn timeout(&self) -> Option<Duration> {
        self.limits.timeout
    }

    /// Lets the engines decide what is not remembered.
    pub fn decide(&self, project: &Project, watcher: &progress::Watcher, cache: Option<&Cache>) -> Result<Results, u8> {
        if let Err(message) = self.known_properties(project) {
            say(&format!("error: {message}"));
            return Err(BAD_INPUT);
        }
        let plan = Plan {
            engines: engines(&self.backend),
            only: self.property.clone(),
            builtin: self.builtin && self.property.is_empty(),
            timeout: self.limits.timeout,
            memory: self.limits.memory.map(|mb| mb.saturating_mul(1 << 20)),
            interrupt: watcher.interrupt(),
            progress: watcher.listener(),
            external: backend::Options { jobs: self.limits.jobs as usize, ..self.tools.options() },
        };
        let model = project.model_name();
        let results = match cache {
            None => check::run(&model, project.machine(), &plan),
            Some(cache) => cache::run(&model, project.lens(), &plan, &Memory { cache }),
        };
        watcher.finish();
        Ok(results)
    }

    /// Every `--property` must exist.
    fn known_properties(&self, project: &Project) -> Result<(), String> {
        let names: Vec<&str> = project.machine().properties.iter().map(|p| p.name.as_str()).collect();
        let Some(wanted) = self.property.iter().find(|w| !names.contains(&w.as_str())) else { return Ok(()) };
        let near = crate::source::nearest(wanted, names.iter().copied());
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        Err(format!("there is no property '{wanted}'{hint}"))
    }
}

/// The engines of `--backend`, in the order of columns.
fn engines(wanted: &[String]) -> Vec<Engine> {
    backend::engines().filter(|e| wanted.iter().any(|w| w == e.name() || w == ALL)).collect()
}
