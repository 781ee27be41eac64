//! `gsmc report`: everything about a model and its verdicts in one HTML file.

use super::failure::Failure;
use super::output::{Inputs, ready, say};
use super::project::{Project, Walked, files, walked};
use super::recorded::{LogArgs, Recorded};
use super::{BAD_INPUT, OK, asking, diff};
use crate::compare::{Version, compare};
use crate::lang::config::GivenReplay;
use crate::replay::totals::Replayed;
use crate::report::html::{self, Input};
use std::path::{Path, PathBuf};

/// What to check, and where the report goes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    asking: asking::Args,
    /// Show what changed since another version: a project folder or a model file
    #[arg(long, value_name = "OLD")]
    against: Option<PathBuf>,
    /// Judge the cases of these recorded logs, too
    #[arg(long, value_name = "LOG", num_args = 1..)]
    replay: Vec<PathBuf>,
    #[command(flatten)]
    log: LogArgs,
    /// The file to write; '-' is stdout
    #[arg(short, long, value_name = "FILE", default_value = REPORT)]
    output: PathBuf,
}

/// The file where nobody names one.
const REPORT: &str = "report.html";

impl Args {
    /// Every recorded case, with the runs that get onto the page.
    fn replayed<'p>(&self, project: &'p Project, given: GivenReplay) -> Result<(Replayed, Walked<'p>), Failure> {
        let walked = walked(project, self.asking.is_unbounded())?;
        let mut recorded = Recorded::new(&self.log, project, walked, given, self.replay.clone())?;
        let replayed = recorded.with_runs(html::cases::MOST_CASES)?;
        Ok((replayed, recorded.walked()))
    }
}

/// Exits as `check` does; where all is as expected, as `replay` does.
pub fn run(args: &Args) -> u8 {
    if let Err(code) = ready(Some(&args.output)) {
        return code;
    }
    let (project, results) = match args.asking.results() {
        Ok(found) => found,
        Err(code) => return code,
    };
    let older =
        match args.against.as_deref().map(|old| diff::version(old, args.asking.builtin(), args.asking.timeout())) {
            None => None,
            Some(Ok(older)) => Some(older),
            Some(Err(failure)) => return failure.tell(),
        };
    let logged = match (!args.replay.is_empty()).then(|| args.log.open(&args.asking.model_args())).transpose() {
        Ok(logged) => logged,
        Err(failure) => return failure.tell(),
    };
    let replayed = match logged.as_ref().map(|(project, given)| args.replayed(project, given.clone())).transpose() {
        Ok(replayed) => replayed,
        Err(failure) => return failure.tell(),
    };
    // Runs are shown in the model they are runs of.
    let shown = match walked(&project, args.asking.is_unbounded()) {
        Ok(shown) => shown,
        Err(failure) => return failure.tell(),
    };
    let shown = match &replayed {
        Some((_, Walked::Exact(lens))) => &**lens,
        _ => &*shown,
    };
    let replayed = replayed.as_ref().map(|(replayed, _)| replayed);
    let new = Version { lens: project.lens(), results: &results };
    let changes = older.as_ref().map(|older| compare(&diff::side(older), &new));
    let name = args.against.as_ref().map(|old| old.display().to_string()).unwrap_or_default();
    let input = Input {
        lens: shown,
        sources: &project.sources,
        diagnostics: &project.diagnostics,
        results: &results,
        against: changes.as_ref().map(|c| (name.as_str(), c)),
        replayed,
    };
    let page = match html::render(&input) {
        Ok(page) => page + "\n",
        Err(e) => {
            say(&format!("error: the report could not be made: {e}"));
            return BAD_INPUT;
        }
    };
    let mut inputs = Inputs::of(&project.sources).and(&args.replay);
    if let Some(older) = &older {
        inputs = inputs.and(files(&older.0.sources));
    }
    let written = match args.output == Path::new(REPORT) {
        true => inputs.write_own(&args.output, &page),
        false => inputs.deliver(&page, Some(&args.output)),
    };
    match written {
        Ok(_) => {
            if args.output != Path::new("-") {
                say(&format!("The report is in {}.", args.output.display()));
            }
            let recorded = replayed.map_or(OK, |r| r.exit_code(false));
            if results.exit_code() == OK { recorded } else { results.exit_code() }
        }
        Err(failed) => failed,
    }
}
