//! `gsmc merge`: results of the parts of a check that several machines took, put together.

use super::BAD_INPUT;
use super::output::{Inputs, json, ready, say, stdout_look};
use crate::answer::{Results, SCHEMA, merge};
use crate::report::{human, junit};
use crate::trace::look::Look;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Which results, and how to show them together.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Results of 'gsmc check --partition K/N --format json', of all parts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
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
    if let Err(code) = ready(args.output.as_deref()) {
        return code;
    }
    let mut parts = Vec::new();
    for file in &args.files {
        match read(file) {
            Ok(results) => parts.push((file.display().to_string(), results)),
            Err(why) => {
                say(&format!("error: {}: {why}", file.display()));
                return BAD_INPUT;
            }
        }
    }
    let (results, missing) = match merge(parts) {
        Ok(merged) => merged,
        Err(why) => {
            say(&format!("error: {why}"));
            return BAD_INPUT;
        }
    };
    if !missing.is_empty() {
        let list: Vec<String> = missing.iter().map(u32::to_string).collect();
        say(&format!("note: not all parts were given; missing: {}", list.join(", ")));
    }
    let inputs = Inputs::default().and(&args.files);
    let shown = render(args, &results).and_then(|text| inputs.deliver(&text, args.output.as_deref()));
    shown.map_or_else(|code| code, |_| results.exit_code())
}

/// Results of one part.
fn read(file: &Path) -> Result<Results, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let results: Results = serde_json::from_str(&text).map_err(|e| format!("these are no results of gsmc: {e}"))?;
    if results.schema != SCHEMA {
        return Err(format!("its schema is '{}', not '{SCHEMA}'", results.schema));
    }
    Ok(results)
}

fn render(args: &Args, results: &Results) -> Result<String, u8> {
    Ok(match args.format {
        Format::Human => {
            let look = if args.output.is_none() { stdout_look() } else { Look::default() };
            human::text(results, human::Style { look, brief: args.brief, all_traces: false })
        }
        Format::Json => json(results)?,
        Format::Junit => junit::text(results),
    })
}
