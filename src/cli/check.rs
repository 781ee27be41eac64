//! `gsmc check`: verdicts by one engine or several, compared, with certified traces.

use super::output::{deliver, sarif, stdout_look};
use super::progress::Watcher;
use super::project::{Project, Refused, show};
use super::{asking, more, traces};
use crate::report::results::Results;
use crate::report::{human, junit};
use crate::trace::look::Look;
use clap::ValueEnum;
use std::path::PathBuf;

/// What to check, with what, and how to show it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    asking: asking::Args,
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

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table and traces for people
    Human,
    /// JSON for programs
    Json,
    /// JUnit XML for build servers
    Junit,
    /// SARIF 2.1.0 for code hosts and editors: findings, and properties that are not as expected
    Sarif,
}

pub fn run(args: &Args) -> u8 {
    let project = match args.asking.read() {
        Ok(project) => project,
        Err(refused) => return refuse(args, &refused),
    };
    show(&project.diagnostics, &project.sources);
    let watcher = Watcher::start(args.asking.timeout());
    let results = match args.asking.decide(&project, &watcher) {
        Ok(results) => results,
        Err(code) => return code,
    };
    let code = deliver(&render(args, &project, &results), args.output.as_deref());
    let written = args.traces.write(&results);
    match (code, written) {
        (0, 0) => results.exit_code(),
        (0, failed) | (failed, _) => failed,
    }
}

/// What is wrong with the files, for people and, where findings have a place in the format, for programs.
fn refuse(args: &Args, refused: &Refused) -> u8 {
    let code = refused.tell();
    if args.format == Format::Sarif {
        deliver(&sarif(&refused.sources, &refused.diagnostics, None, code), args.output.as_deref());
    }
    code
}

fn render(args: &Args, project: &Project, results: &Results) -> String {
    match args.format {
        Format::Human => {
            let look = if args.output.is_none() { stdout_look() } else { Look::default() };
            let look = Look { full: args.full, ..look };
            let text = human::text(results, human::Style { look, brief: args.brief, all_traces: args.all_traces });
            if args.brief { text } else { text + &more::lines(&args.asking, project, results) }
        }
        Format::Json => format!("{:#}\n", serde_json::to_value(results).unwrap_or_default()),
        Format::Junit => junit::text(results),
        Format::Sarif => {
            let checked = Some((&project.machine, results));
            sarif(&project.sources, &project.diagnostics, checked, results.exit_code())
        }
    }
}
