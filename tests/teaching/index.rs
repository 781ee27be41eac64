//! `examples/README.md`: a table of all examples, written by this test and compared with the file, so that it cannot go stale.
//!
//! `GSMC_BLESS=1 cargo test --test teaching` writes it anew.

use super::machine;
use gsmc::machine::Valid;
use gsmc::native::verdict::{self, Report};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

const INTRO: &str = "# Examples

<!-- Written by `GSMC_BLESS=1 cargo test --test teaching`; do not edit. -->

Each folder is a project: `gsmc check examples/FOLDER` reads its `gsmc.toml`.
";

/// Folders with a `gsmc.toml` directly inside `dir`.
pub fn folders(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).expect("a folder").flatten();
    let projects = entries.filter(|e| e.path().join("gsmc.toml").is_file());
    projects.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
}

/// Compares `examples/README.md` with what it should be; with `GSMC_BLESS` set, writes it.
pub fn check(examples: &Path) {
    let path = examples.join("README.md");
    let wanted = text(examples);
    if std::env::var_os("GSMC_BLESS").is_some() {
        fs::write(&path, &wanted).expect("written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "examples/README.md should be:\n{wanted}\n(GSMC_BLESS=1 writes it)");
}

fn text(examples: &Path) -> String {
    let teaching = "\n## To learn from\n\nOne idea each, small enough to follow every step by hand; each README predicts all of them. \
                    [How to read them](teaching/README.md).\n\n";
    let studies = "\n## Case studies\n\n";
    format!("{INTRO}{teaching}{}{studies}{}", table(examples, "teaching/"), table(examples, ""))
}

fn table(examples: &Path, under: &str) -> String {
    let mut out = String::from("| example | idea | snapshots | properties |\n|---|---|---|---|\n");
    for name in folders(&examples.join(under)) {
        let dir = examples.join(under).join(&name);
        let machine = machine(&dir);
        let (snapshots, verdicts) = numbers(&machine);
        out.push_str(&format!("| [{name}]({under}{name}) | {} | {snapshots} | {verdicts} |\n", title(&dir)));
    }
    out
}

/// First heading of the README.
fn title(dir: &Path) -> String {
    let text = fs::read_to_string(dir.join("README.md")).unwrap_or_default();
    text.lines().find_map(|l| l.strip_prefix("# ")).unwrap_or("").trim().to_string()
}

/// Number of snapshots, and how many properties are true and false.
fn numbers(machine: &Valid) -> (String, String) {
    let options = verdict::Options { timeout: Some(Duration::from_secs(60)), ..verdict::Options::default() };
    let report: Report = verdict::check(machine, &options);
    let states = match &report.exploration {
        Ok(found) => found.states.to_string(),
        Err(trouble) => panic!("{}: {trouble}", machine.name),
    };
    let count = |wanted| report.answers.iter().filter(|a| a.result.verdict.holds() == Some(wanted)).count();
    let (yes, no) = (count(true), count(false));
    assert_eq!(yes + no, report.answers.len(), "{}: not all properties are decided", machine.name);
    let parts = [(yes, "true"), (no, "false")].into_iter().filter(|(n, _)| *n > 0);
    (states, parts.map(|(n, what)| format!("{n} {what}")).collect::<Vec<_>>().join(", "))
}
