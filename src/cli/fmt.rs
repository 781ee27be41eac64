//! `gsmc fmt`: the one style.

use super::output::{print, say, write_file};
use super::{BAD_INPUT, OK, UNEXPECTED};
use crate::lang::fmt::{dialect_of, format};
use std::path::PathBuf;

/// What to format.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files: .gsm, .gsma, .gsmp or .amber
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if some file is not in the one style
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> u8 {
    let mut code = OK;
    for path in &args.files {
        let shown = path.display();
        let Some(dialect) = dialect_of(path) else {
            say(&format!("error: '{shown}' is not a .gsm, .gsma, .gsmp or .amber file"));
            code = BAD_INPUT;
            continue;
        };
        let text = match crate::source::read_text(path) {
            Ok(text) => text,
            Err(e) => {
                say(&format!("error: cannot read '{shown}': {e}"));
                code = BAD_INPUT;
                continue;
            }
        };
        match format(&text, dialect) {
            Err(why) => {
                say(&format!("error: '{shown}' is left as it is: {why}"));
                code = BAD_INPUT;
            }
            Ok(new) if new == text => {}
            Ok(_) if args.check => {
                if let Err(failed) = print(&format!("{shown} is not in the one style")) {
                    return failed;
                }
                code = code.max(UNEXPECTED);
            }
            Ok(new) => {
                if let Err(failed) = write_file(path, new) {
                    return failed;
                }
            }
        }
    }
    code
}
