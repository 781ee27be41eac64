//! The third part of a README: commands with their exit codes, and changes with their consequences.

use super::prediction::tables;
use super::{examples, machine};
use gsmc::interp::{Explicit, Limits};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs every `gsmc` line of a README. It must exit with 0, or as its comment says.
pub fn commands(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in text.lines().filter(|l| l.starts_with("gsmc ")) {
        let (command, comment) = line.split_once('#').unwrap_or((line, ""));
        let wanted = comment.trim().strip_prefix("exit ").and_then(|c| c.chars().next()).unwrap_or('0');
        let output = Command::new(env!("CARGO_BIN_EXE_gsmc"))
            .args(command.split_whitespace().skip(1))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::null())
            .output()
            .expect("gsmc runs");
        let code = output.status.code().map_or("none".to_string(), |c| c.to_string());
        if code != wanted.to_string() {
            let said = String::from_utf8_lossy(&output.stderr);
            wrong.push(format!("{command}: exit code {code} instead of {wanted}\n{said}"));
        }
    }
    wrong
}

/// Makes every change that a README suggests, each in a copy of the folder, and compares what is no longer as expected.
pub fn changes(name: &str, text: &str) -> Vec<String> {
    let dir = examples().join("teaching").join(name);
    let mut wrong = Vec::new();
    for table in tables(text).iter().filter(|t| t.header.first().is_some_and(|h| h == "in")) {
        for row in &table.rows {
            let [file, old, new, then] = row.as_slice() else {
                wrong.push(format!("{row:?} does not have four cells"));
                continue;
            };
            let said: BTreeSet<String> =
                then.split(',').map(|p| p.trim().to_string()).filter(|p| p != "(nothing)").collect();
            let found = unexpected(&dir, file, old, new);
            if said != found {
                wrong.push(format!("with '{new}' instead of '{old}': predicted {said:?}, found {found:?}"));
            }
        }
    }
    wrong
}

/// Names of the properties of the changed project whose verdict is not the expected one, and `order-independent` if some step
/// depends on the order of the rules.
fn unexpected(dir: &Path, file: &str, old: &str, new: &str) -> BTreeSet<String> {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(dir).expect("a folder").flatten() {
        fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("copied");
    }
    let changed = copy.path().join(file);
    let text = fs::read_to_string(&changed).expect("a file of the project");
    assert_eq!(text.matches(old).count(), 1, "'{old}' stands once in {}/{file}", dir.display());
    fs::write(&changed, text.replace(old, new)).expect("written");
    let machine = machine(copy.path());
    let explicit = Explicit::build(&machine, Limits::default()).expect("it is small");
    let surprises = machine.properties.iter().filter(|p| explicit.check(p) != p.expect).map(|p| p.name.clone());
    surprises.chain(explicit.order_dependent().then(|| "order-independent".to_string())).collect()
}
