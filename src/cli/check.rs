//! `gsmc check`: verdicts by one engine or several, compared, with certified traces.

use super::BAD_INPUT;
use super::args::ModelArgs;
use super::output::{deliver, say, stdout_colour};
use super::project::Project;
use crate::native;
use crate::report::human;
use crate::report::results::{MachineNumbers, PropertyResult, Results};
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;

/// What to check, with what, and how to show it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Check only this property; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Seconds for each property and engine
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Megabytes for each engine
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
}

pub fn run(args: &Args) -> u8 {
    let project = match Project::open(&args.model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    if let Err(message) = known_properties(args, &project) {
        say(&format!("error: {message}"));
        return BAD_INPUT;
    }
    let mut numbers = MachineNumbers::of(&project.machine);
    let answers = run_native(args, &project, &mut numbers);
    let results = Results::new(project.model_name(), numbers, answers);
    let text = match args.format {
        Format::Human => {
            human::text(&results, human::Style { colour: stdout_colour(), full: args.full, brief: args.brief })
        }
        Format::Json => format!("{:#}\n", serde_json::to_value(&results).unwrap_or_default()),
    };
    match deliver(&text, args.output.as_deref()) {
        0 => results.exit_code(),
        failed => failed,
    }
}

/// Every `--property` must exist.
fn known_properties(args: &Args, project: &Project) -> Result<(), String> {
    let names: Vec<&str> = project.machine.properties.iter().map(|p| p.name.as_str()).collect();
    for wanted in args.property.iter().filter(|w| !names.contains(&w.as_str())) {
        let near = crate::source::nearest(wanted, names.iter().copied());
        let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
        return Err(format!("there is no property '{wanted}'{hint}"));
    }
    Ok(())
}

fn run_native(args: &Args, project: &Project, numbers: &mut MachineNumbers) -> Vec<PropertyResult> {
    let options = native::verdict::Options {
        timeout: args.timeout.and_then(|s| Duration::try_from_secs_f64(s).ok()),
        memory: args.memory.map(|mb| mb.saturating_mul(1 << 20)),
        only: args.property.clone(),
        ..Default::default()
    };
    let report = native::verdict::check(&project.machine, &options);
    if let Ok(found) = &report.exploration {
        numbers.reachable_states = Some(found.states.to_string());
        numbers.overflow_reachable = Some(found.overflow);
        numbers.order_dependent = Some(found.order_dependent.is_some());
    }
    report.answers.into_iter().map(|a| a.result).collect()
}
