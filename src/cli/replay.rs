//! `gsmc replay`: recorded cases against a model.

use super::OK;
use super::args::ModelArgs;
use super::failure::{Failure, Form};
use super::output::{Inputs, json, ready};
use super::project::walked;
use super::recorded::{Extent, FRONTIER, LogArgs, Recorded, split};
use crate::replay::show::{self as text, Style};
use crate::replay::totals::Replayed;
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Which model, which logs, and how to tell.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Recorded logs: XES, CSV, TSV, JSON lines, the emulator's pairs, each plain or gzip; several are one log
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
    /// Follow cases with exact values of data without bounds, whatever the log says
    #[arg(long = "abstract")]
    unbounded: bool,
    /// Print a [replay] section for the activities of the log, and judge nothing
    #[arg(long)]
    suggest_map: bool,
    /// Exit with 0 when every verdict is what the log's labels say
    #[arg(long)]
    expect_labels: bool,
    /// Show only this case, with its run
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// List clean cases, too
    #[arg(long)]
    all: bool,
    /// Most snapshots that a case may be in (GSM)
    #[arg(long, value_name = "N", default_value_t = FRONTIER)]
    frontier: usize,
    /// Threads that judge cases (all cores)
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
    /// A row per case
    Csv,
    /// JUnit XML for build servers: a test per case
    Junit,
}

pub fn run(args: &Args) -> u8 {
    let form = if args.format == Format::Json { Form::Json } else { Form::Text };
    let done = ready(args.output.as_deref()).map_err(Failure::from).and_then(|()| replay(args));
    done.unwrap_or_else(|failure| failure.report(form, args.output.as_deref()).0)
}

/// Judges the cases; the exit code.
fn replay(args: &Args) -> Result<u8, Failure> {
    let (model, logs) = split(&args.model, &args.logs);
    let model = ModelArgs { unbounded: args.unbounded, ..model };
    if logs.is_empty() {
        return Err(Failure::plain("no log is named: gsmc replay PROJECT LOG"));
    }
    let (project, given) = args.log.open(&model)?;
    let inputs = Inputs::of(&project.sources).and(&logs);
    let walked = walked(&project, args.unbounded)?;
    let mut recorded = Recorded::new(&args.log, &project, walked, given, logs)?;
    let (text, code) = match args.suggest_map {
        true => (recorded.suggestion()?, OK),
        false => args.text(&recorded.judge(&args.extent())?)?,
    };
    inputs.deliver(text, args.output.as_deref())?;
    Ok(code)
}

impl Args {
    fn extent(&self) -> Extent {
        let only = self.case.clone().map(|case| BTreeSet::from([case]));
        Extent { telling: only.is_some(), only, frontier: self.frontier, jobs: self.jobs }
    }

    /// The result as it was asked for, with the exit code.
    fn text(&self, replayed: &Replayed) -> Result<(String, u8), u8> {
        let style = Style { all: self.all, labels: self.expect_labels };
        let text = match self.format {
            Format::Human => text::human(replayed, style),
            Format::Csv => text::csv(replayed),
            Format::Junit => text::junit(replayed),
            Format::Json => json(replayed)?,
        };
        Ok((text, replayed.exit_code(self.expect_labels)))
    }
}
