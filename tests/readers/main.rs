//! What readers make of files: what is empty, what has two meanings, what is ignored, whatever the line ends.

mod egsm;
mod empty;
mod ignored;
mod lines;
mod together;
mod words;

use gsmc::lang::load::{Request, open};
use gsmc::{Options, Plan, Project, check};
use std::path::Path;

/// A folder with these files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    dir
}

/// Every finding as `W031 message`, in the order of places; help and notes too if wanted.
pub fn findings(dir: &Path) -> Vec<String> {
    let opened = open(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    opened.diagnostics.sorted().into_iter().map(|d| format!("{} {}", d.code.id, d.message)).collect()
}

/// Codes of the findings, each once, and behind them the verdicts of all properties: `W034 true`.
pub fn outcome(files: &[(&str, &str)]) -> String {
    let dir = folder(files);
    let mut words: Vec<String> =
        findings(dir.path()).iter().filter_map(|f| Some(f.split(' ').next()?.into())).collect();
    // What nobody waits for is not what these tests are about.
    words.retain(|w| w != "W034");
    words.sort();
    words.dedup();
    if let Ok(project) = Project::open(dir.path(), &Options::default()) {
        let results = check(&project, &Plan::default());
        words.extend(results.results.iter().map(|r| r.verdict.name().to_string()));
    }
    words.join(" ")
}

/// Fails with every row that came out otherwise than it says.
pub fn compare(rows: impl IntoIterator<Item = (String, String, String)>) {
    let wrong: Vec<String> = rows
        .into_iter()
        .filter(|(_, expected, found)| expected != found)
        .map(|(what, expected, found)| format!("{what}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// The settings of a project with one model.
pub fn toml(model: &str) -> String {
    format!("model = \"{model}\"\n")
}
