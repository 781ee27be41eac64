//! Tests that could not run.

use std::io::Write;

/// Says that a test did not run, also to the list that `tests/run.sh` shows at the end. A list that cannot be written is told, too.
pub fn skipped(line: &str) {
    eprintln!("SKIPPED {line}");
    let Some(list) = std::env::var_os("GSMC_SKIPPED") else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(list);
    if let Err(why) = file.and_then(|mut f| writeln!(f, "{line}")) {
        eprintln!("the list of skipped tests cannot be written: {why}");
    }
}
