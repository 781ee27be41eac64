//! `gsmc diff OLD NEW`: what changed in the model, and whose verdicts did.

use super::args::{Format, ModelArgs};
use super::failure::{Failure, Form};
use super::output::{json, print_raw, stdout_look};
use super::progress::Watcher;
use super::project::{self, Project};
use super::{INCONCLUSIVE, OK, UNEXPECTED};
use crate::answer::Results;
use crate::check::Plan;
use crate::compare::{Version, compare, is_open, render};
use crate::project::check;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which versions, and what to ask of them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The old version: a project folder or a model file
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new version
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Compare the answers to the standard questions, too
    #[arg(long)]
    builtin: bool,
    /// Seconds for each property
    #[arg(long, value_name = "S", value_parser = super::args::seconds)]
    timeout: Option<Duration>,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// Exits with 0 when no verdict changed, 1 when one did, 3 when one is open.
pub fn run(args: &Args) -> u8 {
    let of = |path: &Path| version(path, args.builtin, args.timeout);
    let (old, new) = match (of(&args.old), of(&args.new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(failure), _) | (_, Err(failure)) => {
            let form = if args.format == Format::Json { Form::Json } else { Form::Text };
            return failure.report(form, None).0;
        }
    };
    let found = compare(&side(&old), &side(&new));
    let text = match args.format {
        Format::Human => Ok(render(&found, &stdout_look())),
        Format::Json => json(&found),
    };
    match text.and_then(print_raw) {
        Err(code) => code,
        Ok(_) if found.turned() => UNEXPECTED,
        Ok(_) if is_open(&old.1) || is_open(&new.1) => INCONCLUSIVE,
        Ok(_) => OK,
    }
}

/// As the comparison takes it.
pub fn side((project, results): &(Project, Results)) -> Version<'_> {
    Version { lens: project.lens(), results }
}

/// A version, read and checked.
pub fn version(path: &Path, builtin: bool, timeout: Option<Duration>) -> Result<(Project, Results), Failure> {
    let file = path.is_file() && path.extension().is_none_or(|e| e != "toml");
    let model = match file {
        true => ModelArgs { model: Some(path.to_path_buf()), ..ModelArgs::default() },
        false => ModelArgs { dir: Some(path.to_path_buf()), ..ModelArgs::default() },
    };
    let project = project::read_within(&model, builtin, timeout)?;
    project::show(&project.diagnostics, &project.sources);
    let watcher = Watcher::start(timeout);
    let builtin = builtin || project.lens().asks_standard();
    let plan = Plan { builtin, timeout, interrupt: watcher.interrupt(), ..Plan::default() };
    let results = check(&project, &plan);
    watcher.finish();
    Ok((project, results))
}
