//! `gsmc report`: everything about a model and its verdicts in one HTML file.

use super::output::{deliver, say};
use super::{BAD_INPUT, asking};
use crate::report::html::{self, Input};
use std::path::{Path, PathBuf};

/// What to check, and where the report goes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    asking: asking::Args,
    /// The file to write; '-' is stdout
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
}

/// Exits as `check` does.
pub fn run(args: &Args) -> u8 {
    let (project, results) = match args.asking.results() {
        Ok(found) => found,
        Err(code) => return code,
    };
    let input =
        Input { lens: project.lens(), sources: &project.sources, diagnostics: &project.diagnostics, results: &results };
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
            results.exit_code()
        }
        Err(failed) => failed,
    }
}
