//! `gsmc merge`: results of the parts of a check that several machines took, put together.

use super::failure::{Failure, Form};
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
    let form = if args.format == Format::Json { Form::Json } else { Form::Text };
    let done = ready(args.output.as_deref()).map_err(Failure::from).and_then(|()| put_together(args));
    done.unwrap_or_else(|failure| failure.report(form, args.output.as_deref()).0)
}

/// The results together; the exit code.
fn put_together(args: &Args) -> Result<u8, Failure> {
    let mut parts = Vec::new();
    for file in &args.files {
        let results = read(file).map_err(|why| Failure::plain(format!("{}: {why}", file.display())))?;
        parts.push((file.display().to_string(), results));
    }
    let (results, missing) = merge(parts).map_err(|why| Failure::plain(why.to_string()))?;
    if !missing.is_empty() {
        let list: Vec<String> = missing.iter().map(u32::to_string).collect();
        say(&format!("note: not all parts were given; missing: {}", list.join(", ")));
    }
    let inputs = Inputs::default().and(&args.files);
    inputs.deliver(render(args, &results)?, args.output.as_deref())?;
    Ok(results.exit_code())
}

/// Why a part has no results, where it says so.
fn reason(text: &str) -> Option<String> {
    let said: serde_json::Value = serde_json::from_str(text).ok()?;
    let first = said["diagnostics"].as_array()?.iter().find(|d| d["severity"] == "error")?;
    Some(format!("it has no results: {}", first["message"].as_str()?))
}

/// Results of one part.
fn read(file: &Path) -> Result<Results, String> {
    let text = crate::source::read_text(file).map_err(|e| e.to_string())?;
    let results: Results = serde_json::from_str(&text)
        .map_err(|e| reason(&text).unwrap_or_else(|| format!("these are no results of gsmc: {e}")))?;
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
