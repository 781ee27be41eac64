//! Traces into files.

use super::output::{Inputs, json, told};
use crate::answer::{PropertyResult, Results, Trace};
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
    /// Makes the folder: that this cannot be is said before anything is done.
    pub fn ready(&self) -> Result<(), u8> {
        let Some(dir) = &self.trace_dir else { return Ok(()) };
        told(std::fs::create_dir_all(dir), &format!("to the folder '{}'", dir.display())).map(drop)
    }

    /// Writes all traces of a run.
    pub fn write(&self, results: &Results, inputs: &Inputs) -> Result<(), u8> {
        let Some(dir) = &self.trace_dir else { return Ok(()) };
        self.ready()?;
        let mut taken: Vec<String> = Vec::new();
        for result in &results.results {
            let Some(trace) = result.trace.as_ref().filter(|t| t.certified) else { continue };
            let text = self.text(results, result, trace)?;
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
            inputs.write_own(&path, &text)?;
        }
        Ok(())
    }

    fn text(&self, results: &Results, result: &PropertyResult, trace: &Trace) -> Result<String, u8> {
        Ok(match self.trace_format {
            TraceFormat::Json => json(trace)?,
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
