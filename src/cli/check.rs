//! `gsmc check`: verdicts by one engine or several, compared, with certified traces.

use super::output::{deliver, stdout_colour};
use super::{asking, traces};
use crate::report::results::Results;
use crate::report::{human, junit};
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
            let colour = stdout_colour() && args.output.is_none();
            human::text(results, human::Style { colour, full: args.full, brief: args.brief })
        }
        Format::Json => format!("{:#}\n", serde_json::to_value(results).unwrap_or_default()),
        Format::Junit => junit::text(results),
    }
}
