//! `gsmc check --abstract`: numbers without bounds.

use std::path::Path;
use std::process::{Command, Output};

fn gsmc(args: &[&str], solver: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    if let Some(path) = solver {
        command.env("GSMC_Z3", path);
    }
    command.args(args).output().expect("gsmc runs")
}

/// Order-to-Cash without a range for its counter of parts.
fn order_to_cash() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/order-to-cash");
    for entry in std::fs::read_dir(example).expect("the example").flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    let project = folder.path().join("gsmc.toml");
    let text = std::fs::read_to_string(&project).expect("gsmc.toml");
    let (before, _) = text.split_once("[ranges]").expect("a range to leave out");
    std::fs::write(&project, before).expect("gsmc.toml");
    folder
}

#[test]
fn the_counter_of_order_to_cash_needs_no_range() {
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_err() {
        println!("skipped: no z3");
        return;
    }
    let folder = order_to_cash();
    let dir = folder.path().to_str().expect("a path");
    let check = |more: &[&str]| {
        let args = [&["check", dir, "--abstract", "--format", "json"], more].concat();
        let done = gsmc(&args, None);
        let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        (done.status.code(), json)
    };
    let words = |json: &serde_json::Value, key: &str| -> Vec<String> {
        let list = json["results"].as_array().expect("results");
        list.iter().map(|r| r[key].as_str().unwrap_or("-").to_string()).collect()
    };
    // As the authors report: the first is open at first, the others are decided at once.
    let (code, bare) = check(&["--refine", "0", "--no-runs"]);
    assert_eq!(words(&bare, "verdict"), ["unknown", "false", "true", "false"]);
    assert_eq!(code, Some(3));
    let (code, json) = check(&[]);
    assert_eq!(words(&json, "verdict"), ["true", "false", "true", "false"], "{json:#}");
    assert_eq!(words(&json, "abstract_verdict"), ["unknown", "false", "true", "false"]);
    assert_eq!(words(&json, "decided_by"), ["abstraction"; 4]);
    assert_eq!(code, Some(0));
    let abstraction = &json["machine"]["abstraction"];
    assert_eq!(abstraction["attributes"], serde_json::json!(["CustomerOrder.Parts"]));
    let names: Vec<&str> =
        abstraction["predicates"].as_array().expect("predicates").iter().filter_map(|p| p["name"].as_str()).collect();
    for found in ["== 3", "== 2", "== 1", "== 0"] {
        let name = format!("CustomerOrder[1]: Parts {found}");
        assert!(names.contains(&name.as_str()), "{name} in {names:?}");
    }
    assert!(json["results"].as_array().expect("results").iter().all(|r| r["exact"] == true));
}

#[test]
fn without_a_solver_it_says_what_to_do() {
    let folder = order_to_cash();
    let dir = folder.path().to_str().expect("a path");
    let done = gsmc(&["check", dir, "--abstract"], Some("/nowhere/z3"));
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(3), "{said}");
    assert!(said.contains("GSMC_Z3 names /nowhere/z3, which is not a program"), "{said}");
}
