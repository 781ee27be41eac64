//! Engines that are not installed, and programs that lie somewhere else than before.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn example() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching/one-stage").display().to_string()
}

/// Runs gsmc where no checker is installed.
fn bare(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    for variable in ["GSMC_TOOLS", "GSMC_NUSMV", "GSMC_SPIN", "GSMC_MCMAS"] {
        command.env_remove(variable);
    }
    command.env("PATH", "/nowhere").args(args).output().expect("gsmc runs")
}

#[test]
fn all_is_every_engine_that_is_there() {
    let done = bare(&["check", &example(), "--backend", "all", "--brief"]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{text}");
    let row = text.lines().find(|l| l.starts_with("can-join")).expect("a row");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["can-join", "true", "–", "–", "–", "true"]);
    assert!(text.contains("spin is not there: spin was not found; apt install spin gcc"), "{text}");
    let done = bare(&["check", &example(), "--backend", "all", "--format", "json"]);
    let json: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let names = |list: &str| -> Vec<String> {
        let all = json[list].as_array().into_iter().flatten().filter_map(|r| r["backend"].as_str());
        let mut all: Vec<String> = all.map(String::from).collect();
        all.dedup();
        all
    };
    assert_eq!(names("results"), ["native"]);
    assert_eq!(names("absent"), ["nusmv", "spin", "mcmas"]);
}

#[test]
fn an_engine_that_is_named_must_be_there() {
    for names in ["spin", "all,spin"] {
        let done = bare(&["check", &example(), "--backend", names, "--format", "json"]);
        let json: Value = serde_json::from_slice(&done.stdout).expect("JSON");
        assert_eq!(done.status.code(), Some(3), "{names}: {json}");
        let results = json["results"].as_array().expect("results");
        assert!(results.iter().any(|r| r["backend"] == "spin" && r["verdict"] == "error"), "{names}: {json}");
    }
    // So must a program that is named.
    let done = bare(&["check", &example(), "--backend", "all", "--spin", "/nowhere/spin"]);
    assert_eq!(done.status.code(), Some(3));
}

#[test]
fn doctor_says_what_to_type() {
    let done = bare(&["doctor"]);
    let text = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{text}");
    for words in [
        "apt install spin gcc",
        "apt install z3",
        "apt install cvc5",
        "--nusmv PATH or GSMC_NUSMV=PATH",
        "GSMC_Z3=PATH",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("install.sh") && !text.contains("README"), "there is no source tree: {text}");
}

#[test]
fn a_copied_program_remembers() {
    let folder = tempfile::tempdir().expect("a folder");
    let (copy, cache) = (folder.path().join("gsmc-copy"), folder.path().join("cache"));
    std::fs::copy(env!("CARGO_BIN_EXE_gsmc"), &copy).expect("a copy");
    let cached = |program: &Path| -> Vec<bool> {
        let mut command = Command::new(program);
        let done = command.args(["check", &example(), "--format", "json", "--cache"]).arg(&cache).output();
        let json: Value = serde_json::from_slice(&done.expect("it runs").stdout).expect("JSON");
        json["results"].as_array().expect("results").iter().map(|r| r["cached"] == true).collect()
    };
    assert!(cached(Path::new(env!("CARGO_BIN_EXE_gsmc"))).iter().all(|c| !c));
    assert!(cached(&copy).iter().all(|c| *c));
}
