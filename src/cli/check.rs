//! `gsmc check`: verdicts by one engine or several, compared, with certified traces.

use super::args::ModelArgs;
use super::output::{deliver, say, stdout_look};
use super::progress;
use super::project::Project;
use super::{BAD_INPUT, traces};
use crate::backend;
use crate::check::{self, Plan};
use crate::report::results::{Engine, Results};
use crate::report::{human, junit};
use crate::trace::look::Look;
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;

/// What to check, with what, and how to show it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Who decides; several with commas
    #[arg(long, value_enum, default_value = "native", value_delimiter = ',')]
    backend: Vec<Backend>,
    /// Check only this property; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Add the standard properties: everything can happen, invariants hold, order and dead ends are harmless
    #[arg(long)]
    builtin: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    tools: super::args::ToolArgs,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    traces: traces::Args,
    /// Show whole snapshots in traces, not only what changed
    #[arg(long)]
    full: bool,
    /// Leave traces out of the text
    #[arg(long)]
    brief: bool,
    /// Show the traces of many properties that are as expected, too
    #[arg(long, conflicts_with = "brief")]
    all_traces: bool,
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

/// `--backend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Backend {
    /// The built-in BDD checker
    Native,
    /// NuSMV
    Nusmv,
    /// SPIN
    Spin,
    /// MCMAS
    Mcmas,
    /// All four, compared
    All,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table and traces for people
    Human,
    /// JSON for programs
    Json,
    /// JUnit XML for build servers
    Junit,
}

pub fn run(args: &Args) -> u8 {
    let project = match Project::open_with(&args.model, args.builtin) {
        Ok(project) => project,
        Err(code) => return code,
    };
    if let Err(message) = known_properties(args, &project) {
        say(&format!("error: {message}"));
        return BAD_INPUT;
    }
    let watcher = progress::Watcher::start(args.limits.timeout);
    let plan = Plan {
        engines: engines(&args.backend),
        only: args.property.clone(),
        builtin: args.builtin && args.property.is_empty(),
        timeout: args.limits.timeout,
        memory: args.limits.memory.map(|mb| mb.saturating_mul(1 << 20)),
        interrupt: watcher.interrupt(),
        progress: watcher.listener(),
        external: backend::Options { jobs: args.limits.jobs as usize, ..args.tools.options() },
    };
    let results = check::run(&project.model_name(), &project.app, &project.machine, &plan);
    watcher.finish();
    let code = deliver(&render(args, &results), args.output.as_deref());
    let written = args.traces.write(&results);
    match (code, written) {
        (0, 0) => results.exit_code(),
        (0, failed) | (failed, _) => failed,
    }
}

fn render(args: &Args, results: &Results) -> String {
    match args.format {
        Format::Human => {
            let look = if args.output.is_none() { stdout_look() } else { Look::default() };
            let look = Look { full: args.full, ..look };
            human::text(results, human::Style { look, brief: args.brief, all_traces: args.all_traces })
        }
        Format::Json => format!("{:#}\n", serde_json::to_value(results).unwrap_or_default()),
        Format::Junit => junit::text(results),
    }
}

fn engines(wanted: &[Backend]) -> Vec<Engine> {
    let named = |b: &Backend| match b {
        Backend::Native => vec![Engine::Native],
        Backend::Nusmv => vec![Engine::Nusmv],
        Backend::Spin => vec![Engine::Spin],
        Backend::Mcmas => vec![Engine::Mcmas],
        Backend::All => Engine::ALL.to_vec(),
    };
    wanted.iter().flat_map(named).collect()
}

/// Every `--property` must exist.
fn known_properties(args: &Args, project: &Project) -> Result<(), String> {
    let names: Vec<&str> = project.machine.properties.iter().map(|p| p.name.as_str()).collect();
    let Some(wanted) = args.property.iter().find(|w| !names.contains(&w.as_str())) else { return Ok(()) };
    let near = crate::source::nearest(wanted, names.iter().copied());
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    Err(format!("there is no property '{wanted}'{hint}"))
}
