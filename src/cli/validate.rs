//! `gsmc validate`.

use super::OK;
use super::args::ModelArgs;
use super::failure::{Failure, Form};
use super::output::{self, Inputs, ready, sarif};
use super::progress::Watcher;
use super::project::{self, Project, show};
use crate::check::race;
use crate::interp::Interp;
use crate::native::verdict::{self, Options, OrderMatters};
use crate::report::diagnostics::findings;
use crate::source::{Severity, printable, printable_json};
use crate::trace::{Trace, text};
use clap::ValueEnum;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// What to validate and how to show it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Seconds to look whether the order of the rules matters, for a cyclic rule graph
    #[arg(long, value_name = "S", default_value = "10", value_parser = super::args::seconds)]
    timeout: Duration,
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
    /// SARIF 2.1.0 for code hosts and editors: errors and warnings at their places
    Sarif,
}

pub fn run(args: &Args) -> u8 {
    if let Err(code) = ready(args.output.as_deref()) {
        return code;
    }
    let project = match project::read_as_written(&args.model) {
        Ok(project) => project,
        Err(refused) => {
            let form = match args.format {
                Format::Human => Form::Text,
                Format::Json => Form::Json,
                Format::Sarif => Form::Sarif,
            };
            return Failure::from(refused).report(form, args.output.as_deref()).0;
        }
    };
    show(&project.diagnostics, &project.sources);
    let summary = || project.lens().summary();
    let race = || project.machine().cyclic.then(|| order_matters(&project, args.timeout));
    let text = match args.format {
        Format::Human => {
            let warnings = project.diagnostics.count(Severity::Warning);
            let race = race().as_ref().map(Race::text).unwrap_or_default();
            let text =
                format!("{}{race}\n{warnings} warning{}\n", summary().text, if warnings == 1 { "" } else { "s" });
            printable(&text).into_owned()
        }
        Format::Json => {
            let mut value = summary().json;
            value["warnings"] = json!(findings(&project.diagnostics, &project.sources));
            value["order_dependent"] = race().as_ref().map_or(json!(false), Race::json);
            printable_json(&format!("{value:#}\n")).into_owned()
        }
        Format::Sarif => sarif(&project.sources, &project.diagnostics, None, OK),
    };
    output::done(Inputs::of(&project.sources).deliver(&text, args.output.as_deref()))
}

/// Does some reachable step of a cyclic model depend on the order of its rules?
enum Race {
    No,
    /// A run that ends with such a step.
    Yes(Box<Trace>),
    Unknown(String),
}

fn order_matters(project: &Project, timeout: Duration) -> Race {
    let watcher = Watcher::start(Some(timeout));
    let (only, interrupt) = (Some(Vec::new()), watcher.interrupt());
    let options = Options { only, interrupt, timeout: Some(timeout), ..Options::default() };
    let report = verdict::check(project.machine(), &options);
    watcher.finish();
    let run = match report.exploration {
        Err(trouble) => return Race::Unknown(trouble.to_string()),
        Ok(found) => found.order_dependent,
    };
    let trail = match run {
        OrderMatters::Never => return Race::No,
        OrderMatters::After(trail) => trail,
        OrderMatters::Unknown(why) => return Race::Unknown(why.to_string()),
    };
    match race(&Interp::new(project.machine()), &trail.raw()) {
        Ok(trace) => Race::Yes(Box::new(trace)),
        Err(why) => Race::Unknown(format!("the trace did not replay: {why}")),
    }
}

impl Race {
    fn text(&self) -> String {
        match self {
            Race::No => "\nNo reachable step depends on how the cycles are broken.\n".into(),
            Race::Yes(trace) => {
                format!(
                    "\nThe order matters: the last step of this run depends on how a cycle is broken.\n{}",
                    text::render(trace, false)
                )
            }
            Race::Unknown(why) => {
                format!("\nWhether the order matters is not known: {why}; --timeout gives more time\n")
            }
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Race::No => json!(false),
            Race::Yes(_) => json!(true),
            Race::Unknown(_) => json!(null),
        }
    }
}
