//! Opening a project for a command: what is found goes to stderr.

use super::BAD_INPUT;
use super::args::ModelArgs;
use super::failure::Failure;
use super::output::{say, say_findings};
use super::signals::while_reading;
use crate::lang::Lens;
use crate::lang::config::COMMAND_LINE;
pub use crate::project::{Project, Refused};
use crate::source::{Diagnostics, Severity, Sources};
use std::path::PathBuf;
use std::time::Duration;

/// Reads and lowers a model. Findings go to stderr; on an error, the exit code is returned.
pub fn open(args: &ModelArgs) -> Result<Project, u8> {
    open_with(args, false)
}

/// The same, with the standard properties added on request.
pub fn open_with(args: &ModelArgs, standard: bool) -> Result<Project, u8> {
    opened(read(args, standard))
}

/// The same, to look at it: see [`read_as_written`].
pub fn open_as_written(args: &ModelArgs) -> Result<Project, u8> {
    opened(read_as_written(args))
}

/// What was read, with its findings told.
pub fn opened(read: Result<Project, Box<Refused>>) -> Result<Project, u8> {
    match read {
        Ok(project) => {
            show(&project.diagnostics, &project.sources);
            Ok(project)
        }
        Err(refused) => Err(tell(&refused)),
    }
}

/// The same, without a word.
pub fn read(args: &ModelArgs, standard: bool) -> Result<Project, Box<Refused>> {
    read_within(args, standard, None)
}

/// The same within a time, with which gsmc ends.
pub fn read_within(args: &ModelArgs, standard: bool, timeout: Option<Duration>) -> Result<Project, Box<Refused>> {
    let request = crate::project::Options { standard, ..args.request() };
    while_reading(timeout, || Project::read(&request))
}

/// Reads a model to look at it or to write it down. One that compares dates, which only data without bounds allows, is read as such.
pub fn read_as_written(args: &ModelArgs) -> Result<Project, Box<Refused>> {
    read(args, false).or_else(|refused| {
        let open = ModelArgs { unbounded: true, ..args.clone() };
        let project = read(&open, false).map_err(|_| refused)?;
        say("note: this model compares dates, which takes data without bounds: check it with --abstract");
        Ok(project)
    })
}

/// A model as steps are taken in it.
pub enum Walked<'p> {
    /// As it was read.
    Bounded(&'p dyn Lens),
    /// On exact values.
    Exact(Box<dyn Lens>),
}

impl std::ops::Deref for Walked<'_> {
    type Target = dyn Lens;

    fn deref(&self) -> &dyn Lens {
        match self {
            Walked::Bounded(lens) => *lens,
            Walked::Exact(lens) => &**lens,
        }
    }
}

/// The model as it was read, or on exact values. Warnings about that go to stderr.
pub fn walked(project: &Project, exactly: bool) -> Result<Walked<'_>, Failure> {
    if !exactly {
        return Ok(Walked::Bounded(project.lens()));
    }
    let mut found = Diagnostics::new();
    let exact = match project.lens().exactly(&project.sources, &mut found) {
        None => {
            return Err(Failure::plain(format!("--abstract is not there for {} models", project.lens().language())));
        }
        Some(Ok(lens)) => Some(lens),
        Some(Err(why)) => {
            found.push(why);
            None
        }
    };
    match exact.filter(|_| !found.has_errors()) {
        Some(lens) => {
            show(&found, &project.sources);
            Ok(Walked::Exact(lens))
        }
        None => Err(Failure::of(found, &project.sources)),
    }
}

/// The files that were read.
pub fn files(sources: &Sources) -> Vec<PathBuf> {
    sources.files().filter(|f| f.name != COMMAND_LINE).map(|f| PathBuf::from(&f.name)).collect()
}

/// Says why files make no model, to stderr; gives the exit code.
pub fn tell(refused: &Refused) -> u8 {
    show(&refused.diagnostics, &refused.sources);
    let count = |severity| refused.diagnostics.count(severity);
    say(&format!("\n{}", tally(count(Severity::Error), count(Severity::Warning))));
    BAD_INPUT
}

/// Findings, to stderr.
pub fn show(diagnostics: &Diagnostics, sources: &Sources) {
    say_findings(diagnostics, sources);
}

fn tally(errors: usize, warnings: usize) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    match warnings {
        0 => plural(errors, "error"),
        w => format!("{}, {}", plural(errors, "error"), plural(w, "warning")),
    }
}
