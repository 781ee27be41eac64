//! `gsmc validate`.

use super::args::{Format, ModelArgs};
use super::output::deliver;
use super::project::Project;
use crate::report::summary::Summary;
use crate::source::Severity;
use std::path::PathBuf;

/// What to validate and how to show it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args) -> u8 {
    let project = match Project::open(&args.model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let summary = Summary::of(&project.app, &project.machine);
    let text = match args.format {
        Format::Human => {
            let warnings = project.diagnostics.count(Severity::Warning);
            format!("{}\n{warnings} warning{}\n", summary.text(), if warnings == 1 { "" } else { "s" })
        }
        Format::Json => {
            let mut value = serde_json::to_value(&summary).unwrap_or_default();
            value["warnings"] = project.warnings_json();
            format!("{value:#}\n")
        }
    };
    deliver(&text, args.output.as_deref())
}
