//! `gsmc check --abstract`: numbers without bounds.

#[path = "common/tools.rs"]
mod tools;

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
        tools::report_skipped("abstraction: z3 not found");
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

/// Verdicts with what is said about the number of instances, as `true any 2`.
fn for_any(args: &[&str]) -> Vec<String> {
    let done = gsmc(&[&["check", "--abstract", "--format", "json"], args].concat(), None);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let told = |r: &serde_json::Value| {
        let extent = r["scope"].as_str().unwrap_or("-");
        let numbers = r["cutoff"].as_object().into_iter().flatten();
        let numbers: Vec<String> = numbers.map(|(_, n)| n.to_string()).collect();
        format!("{} {extent} {}", r["verdict"].as_str().unwrap_or("-"), numbers.join(" "))
    };
    json["results"].as_array().expect("results").iter().map(told).collect()
}

/// The numbers of instances are found on the machine without bounds: what waits only beyond any range counts.
#[test]
fn for_any_number_of_instances() {
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_err() {
        tools::report_skipped("abstraction: z3 not found");
        return;
    }
    let folder = order_to_cash();
    let dir = folder.path().to_str().expect("a path");
    let told = for_any(&[dir, "--instances", "CustomerOrder=any"]);
    assert_eq!(told, ["true any 3", "false any 1", "true any 3", "false any 2"]);

    let heavy = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/any/load/model.gsm");
    let told = for_any(&[heavy, "--instances", "Parcel=any"]);
    assert_eq!(told, ["true from 3", "true from 3", "true at-most 3"], "a label waits for others' steps");

    let light = folder.path().join("light.gsm");
    let text = std::fs::read_to_string(heavy).expect("the model");
    std::fs::write(&light, text.replace("kilos > 3", "kilos < 0")).expect("a model without labels");
    let light = light.to_str().expect("a path");
    let told = for_any(&[light, "--instances", "Parcel=any"]);
    assert_eq!(told, ["true any 1", "true any 2", "true any 1"]);
    for n in 1..=3 {
        let told = for_any(&[light, "--instances", &format!("Parcel={n}")]);
        let verdicts: Vec<&str> = told.iter().filter_map(|t| t.split(' ').next()).collect();
        assert_eq!(verdicts, ["true", if n == 1 { "false" } else { "true" }, "true"], "{n}");
    }
}

#[test]
fn answers_without_bounds_have_their_sentences() {
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_err() {
        println!("skipped: no z3");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("counter.gsm");
    std::fs::write(&file, COUNTER).expect("a model");
    let done = gsmc(&["check", file.to_str().expect("a path"), "--abstract", "--format", "json"], None);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let said = |name: &str| {
        let list = json["results"].as_array().expect("results");
        let found = list.iter().find(|r| r["property"] == name).expect("the property");
        found["summary"].as_str().expect("a sentence").to_string()
    };
    assert_eq!(said("three"), "After done up by AutoAgent (step 7) x is 3.");
    let four = said("four");
    assert!(four.contains("`Counter[1].x > 3` (x is 4)") && four.contains("Counted is achieved"), "{four}");
    let stuck = said("stuck");
    assert!(
        stuck.contains("guard Ticks of Counting") && stuck.contains("`EF Counter[1].Ended` does not hold"),
        "{stuck}"
    );
    let back = said("never-back");
    assert!(
        back.starts_with("It holds in all reachable snapshots, whatever the value of Counter.x (4 predicates"),
        "{back}"
    );
    let ended = said("ended");
    assert!(
        ended.contains("Within the ranges of the model the reason is: Ended is never achieved, because"),
        "{ended}"
    );
    assert!(ended.contains("Ending is open and `Counter[1].x < 3`"), "{ended}");
}

const COUNTER: &str = "application Counter
event Tick, Stop
type Counter {
  x: int 0..
  stage Counting {
    guard Ticks on Tick
    task up: add x
    milestone Counted when done(up)
  }
  stage Ending {
    guard Stops on Stop when x > 7 && Counting
    milestone Ended when x < 3
  }
}
properties {
  three: EF exists c: Counter (c.x == 3);
  four: AG forall c: Counter (c.Counted -> !(c.x > 3));
  never-back: AG forall c: Counter (c.x == 3 -> AG c.x >= 3);
  ended: EF exists c: Counter (c.Ended);
  stuck: AG forall c: Counter (c.Counting -> EF c.Ended);
}
";
