//! `gsmc report`: everything about a model and its verdicts in one HTML file.

use super::output::{deliver, say};
use super::project::show;
use super::recorded::{LogArgs, Recorded};
use super::{BAD_INPUT, OK, asking, diff};
use crate::compare::{Version, compare};
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
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

impl Args {
    /// Every recorded case, with the runs that get onto the page.
    fn replayed(&self) -> Result<Replayed, u8> {
        let (project, given) = self.log.open(self.asking.model())?;
        let recorded = Recorded::new(&self.log, &project, given, self.replay.clone()).map_err(|diagnostics| {
            show(&diagnostics, &project.sources);
            BAD_INPUT
        })?;
        recorded.with_runs(html::cases::MOST_CASES)
    }
}

/// Exits as `check` does; where all is as expected, as `replay` does.
pub fn run(args: &Args) -> u8 {
    let (project, results) = match args.asking.results() {
        Ok(found) => found,
        Err(code) => return code,
    };
    let older =
        match args.against.as_deref().map(|old| diff::version(old, args.asking.builtin(), args.asking.timeout())) {
            None => None,
            Some(Ok(older)) => Some(older),
            Some(Err(code)) => return code,
        };
    let replayed = match (!args.replay.is_empty()).then(|| args.replayed()).transpose() {
        Ok(replayed) => replayed,
        Err(code) => return code,
    };
    let new = Version { lens: project.lens(), results: &results };
    let changes = older.as_ref().map(|older| compare(&diff::side(older), &new));
    let name = args.against.as_ref().map(|old| old.display().to_string()).unwrap_or_default();
    let input = Input {
        lens: project.lens(),
        sources: &project.sources,
        diagnostics: &project.diagnostics,
        results: &results,
        against: changes.as_ref().map(|c| (name.as_str(), c)),
        replayed: replayed.as_ref(),
    };
    let page = match html::render(&input) {
        Ok(page) => page + "\n",
        Err(e) => {
            say(&format!("error: the report could not be made: {e}"));
            return BAD_INPUT;
        }
    };
    match deliver(&page, Some(&args.output)) {
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
