//! `examples/README.md`: a table of all examples, written by this test and compared with the file, so that it cannot go stale.
//!
//! `GSMC_BLESS=1 cargo test --test teaching` writes it anew.

use super::machine;
use gsmc::interp::{Graph, Limits};
use gsmc::machine::Valid;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
    let mut out = String::from(INTRO);
    out.push_str(
        "\n## To learn from\n\nOne idea each, small enough to follow every step by hand; each README predicts all of them. \
         [How to read them](teaching/README.md).\n\n\
         | example | idea | snapshots | B-steps | properties |\n|---|---|---|---|---|\n",
    );
    for name in folders(&examples.join("teaching")) {
        let dir = examples.join("teaching").join(&name);
        let machine = machine(&dir);
        let graph = Graph::all(&machine, Limits::default()).expect("it is small");
        let (snapshots, steps) = (graph.len(), super::shown::real_edges(&graph).count());
        let (title, properties) = (title(&dir), properties(&machine));
        out.push_str(&format!("| [{name}](teaching/{name}) | {title} | {snapshots} | {steps} | {properties} |\n"));
    }
    out.push_str("\n## Case studies\n\n| example | idea | properties |\n|---|---|---|\n");
    for name in folders(examples) {
        let dir = examples.join(&name);
        out.push_str(&format!("| [{name}]({name}) | {} | {} |\n", title(&dir), properties(&machine(&dir))));
    }
    out
}

/// First heading of the README.
fn title(dir: &Path) -> String {
    let text = fs::read_to_string(dir.join("README.md")).unwrap_or_default();
    text.lines().find_map(|l| l.strip_prefix("# ")).unwrap_or("").trim().to_string()
}

/// How many properties are expected to be true and false.
fn properties(machine: &Valid) -> String {
    let count = |wanted| machine.properties.iter().filter(|p| p.expect == wanted).count();
    let parts = [(count(true), "true"), (count(false), "false")].into_iter().filter(|(n, _)| *n > 0);
    parts.map(|(n, what)| format!("{n} {what}")).collect::<Vec<_>>().join(", ")
}
