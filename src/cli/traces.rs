//! Traces into files.

use super::output::{say, write_file};
use super::{BAD_INPUT, OK};
use crate::answer::{PropertyResult, Results};
use crate::trace::{dot, itf, text};
use clap::ValueEnum;
use std::path::PathBuf;

/// Where traces go.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    /// Write each trace into this folder, as PROPERTY.ENGINE.ending
    #[arg(long, value_name = "DIR")]
    trace_dir: Option<PathBuf>,
    /// Format of written traces
    #[arg(long, value_enum, default_value = "json")]
    trace_format: TraceFormat,
}

/// Formats of traces.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TraceFormat {
    /// gsmc's own JSON, which 'simulate --trace' reads
    Json,
    /// Informal Trace Format
    Itf,
    /// Text for people
    Text,
    /// A picture for Graphviz
    Dot,
}

impl Args {
    /// Writes all traces of a run.
    pub fn write(&self, results: &Results) -> u8 {
        let Some(dir) = &self.trace_dir else { return OK };
        if let Err(e) = std::fs::create_dir_all(dir) {
            say(&format!("error: cannot make '{}': {e}", dir.display()));
            return BAD_INPUT;
        }
        let mut taken: Vec<String> = Vec::new();
        for result in &results.results {
            let Some(text) = self.text(results, result) else { continue };
            let ending = match self.trace_format {
                TraceFormat::Json => "json",
                TraceFormat::Itf => "itf.json",
                TraceFormat::Text => "txt",
                TraceFormat::Dot => "dot",
            };
            let mut name = format!("{}.{}.{ending}", file_name(&result.property), result.engine);
            while taken.contains(&name) {
                name = format!("_{name}");
            }
            let path = dir.join(&name);
            taken.push(name);
            if let Err(e) = write_file(&path, &text) {
                say(&format!("error: cannot write '{}': {e}", path.display()));
                return BAD_INPUT;
            }
        }
        OK
    }

    fn text(&self, results: &Results, result: &PropertyResult) -> Option<String> {
        let trace = result.trace.as_ref().filter(|t| t.certified)?;
        Some(match self.trace_format {
            TraceFormat::Json => format!("{:#}\n", serde_json::to_value(trace).ok()?),
            TraceFormat::Itf => {
                let (source, property, backend) = (&results.model, &result.property, result.engine.name());
                format!("{:#}\n", itf::write(trace, itf::About { source, property, backend }))
            }
            TraceFormat::Text => text::render(trace, true),
            TraceFormat::Dot => dot::render(trace),
        })
    }
}

/// A property's name as a file name: letters, digits and a few signs stay.
fn file_name(property: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = property.chars().map(keep).take(100).collect();
    name.trim_start_matches('.').to_string()
}
