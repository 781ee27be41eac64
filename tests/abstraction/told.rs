//! What is told about answers without bounds: what they rest on, what they leave open, and what to type next.

use super::solvers::{Z3, fake};
use super::{CLUB, gsmc, model, tools};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn checked(path: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let args = [&["check", path.to_str().expect("a path"), "--abstract", "--format", "json"], more].concat();
    let done = gsmc(&args, None);
    (done.status.code(), serde_json::from_slice(&done.stdout).expect("JSON"))
}

/// Messages with a number and a text that no attribute is named like, compared with attributes.
const DOORS: &str = "application Doors
event Knock { count: int 0.., who: string }
event Set { least: Door.least, owner: Door.owner }
type Door {
  least: int 0..
  owner: string
  stage Asking { guard on Knock }
  stage Setting { guard on Set; milestone Done on Set }
}
agents {
  role R { instantiation: Door; };
  agent Ann { role: R; protocol: Create_Door: true ->, Set: true ->, Knock: count > least && who != owner ->; };
}
properties {
  closed: AG forall d: Door (d.Asking -> d.least < 0 || d.owner != 'Ann' || d.Asking)
}
";

/// Data without bounds is not guessed, be it of an attribute or of a message; what stays finite is, and what to do about it is not to
/// ask for what is there already.
#[test]
fn what_has_no_bounds_is_not_assumed_to_have_some() {
    if tools::without_solver() {
        return;
    }
    let folder = model(DOORS);
    let file = folder.path().join("model.gsm");
    let (_, json) = checked(&file, &[]);
    assert_eq!(json["results"][0]["verdict"], "true", "{json:#}");
    assert_eq!(json["machine"]["assumptions"], Value::Null, "{json:#}");
    let summary = json["results"][0]["summary"].as_str().expect("a sentence");
    assert!(!summary.contains("guessed"), "{summary}");

    std::fs::write(&file, format!("{DOORS}abstraction {{ attributes = [\"Door.least\"] }}\n")).expect("a model");
    let (_, json) = checked(&file, &[]);
    let assumed: Vec<&str> =
        json["machine"]["assumptions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(assumed.iter().any(|a| a.contains("Door.owner")), "texts stay finite: {json:#}");
    assert!(!assumed.iter().any(|a| a.contains("least") || a.contains("--abstract")), "{assumed:?}");

    let bounded = gsmc(&["check", file.to_str().expect("a path")], None);
    let bounded = String::from_utf8_lossy(&bounded.stdout);
    assert!(!bounded.contains("--range count"), "no option gives a message's field a range: {bounded}");
}

/// An engine to which it is unknown because of the abstraction agrees with one that decides.
#[test]
fn what_the_abstraction_leaves_open_for_others_is_decided() {
    if tools::without_solver() {
        return;
    }
    let folder = model(super::COUNTER);
    let (code, json) = checked(&folder.path().join("model.gsm"), &["--backend", "all", "--property", "three"]);
    let results = json["results"].as_array().expect("results");
    if results.iter().any(|r| r["verdict"] == "error") {
        tools::skipped("abstraction: not all checkers are here");
        return;
    }
    let vague: Vec<&Value> = results.iter().filter(|r| r["verdict"] == "unknown").collect();
    assert!(!vague.is_empty() && vague.iter().all(|r| r["backend"] != "native"), "{json:#}");
    assert!(vague.iter().all(|r| r.get("decided_by").is_some_and(Value::is_null)), "{json:#}");
    assert_eq!(code, Some(0), "{json:#}");
}

/// That somebody does not know something is no matter of one run.
#[test]
fn ignorance_has_words_of_its_own() {
    if tools::without_solver() {
        return;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/research-funding");
    let (_, json) = checked(&example, &["--property", "leader-knows"]);
    let summary = json["results"][0]["summary"].as_str().expect("a sentence");
    assert_eq!(json["results"][0]["verdict"], "false");
    assert!(
        summary.starts_with("Some run leads to a snapshot that looks to Leader as the initial one does"),
        "{summary}"
    );
}

/// What was under way when the time was over, and how to have more of it.
#[test]
fn a_timeout_says_what_was_under_way() {
    let folder = model(CLUB);
    let deaf = fake(folder.path(), "deaf", Z3, "exec sleep 60");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.env("GSMC_Z3", &deaf).arg("check").arg(folder.path().join("model.gsm"));
    let done = command.args(["--abstract", "--timeout", "1"]).output().expect("gsmc runs");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("did not answer in time while") && said.contains("--timeout"), "{said}");
}

/// The command that shows a run takes data as the check did, texts that nobody named included.
#[test]
fn the_run_is_explored_without_bounds() {
    if tools::without_solver() {
        return;
    }
    let (always, once) = ("AG forall d: Door (d.Asking -> ", "EF exists d: Door (d.Asking && d.least > 900 && (");
    let folder = model(&DOORS.replace(always, once).replace("d.Asking)\n}", "d.Asking))\n}"));
    let file = folder.path().join("model.gsm");
    let done = gsmc(&["check", file.to_str().expect("a path"), "--abstract"], None);
    let said = String::from_utf8_lossy(&done.stdout);
    let line = said.lines().find(|l| l.contains("gsmc explore")).unwrap_or_default();
    assert!(line.contains("model.gsm --abstract --path ") && line.contains("Knock"), "{said}");
}

#[test]
fn nothing_without_bounds_has_a_reason() {
    if tools::without_solver() {
        return;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/order-to-cash");
    let done = gsmc(&["check", example.to_str().expect("a path"), "--abstract"], None);
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("without bounds: nothing, since every number") && said.contains("[ranges]"), "{said}");
    assert!(!said.contains("whatever the value of 0"), "{said}");
}
