//! `gsmc check`: verdicts by one engine or several, compared, with certified traces.

use super::output::{deliver, stdout_look};
use super::{asking, traces};
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
}

pub fn run(args: &Args) -> u8 {
    let (_, results) = match args.asking.results() {
        Ok(found) => found,
        Err(code) => return code,
    };
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
