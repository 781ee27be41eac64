//! Results of parts put together, all of them and some.

use super::folder;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

fn gsmc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(folder("")).output().expect("gsmc runs")
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// What is known of a property before anybody decides it.
fn asked(r: &Value) -> Value {
    let known = ["property", "formula", "expect", "either", "comment", "logic", "backend"];
    known.iter().map(|k| (k.to_string(), r[k].clone())).collect()
}

/// The results of one part alone, merged: every property of the whole with what its author expects, in the same order.
fn merged_alone(project: &str, more: &[&str], part: u32, of: u32) -> (Value, Value, Output) {
    let dir = tempfile::tempdir().expect("a folder");
    let check = |extra: &[&str]| gsmc(&[&["check", project, "--format", "json"], more, extra].concat());
    let whole = parsed(&check(&[]));
    let file = dir.path().join("part.json").display().to_string();
    check(&["--partition", &format!("{part}/{of}"), "-o", &file]);
    let merged = gsmc(&["merge", &file, "--format", "json"]);
    (whole, parsed(&merged), merged)
}

#[test]
fn a_missing_part_keeps_names_formulas_and_expectations() {
    let mut missing_and_false = 0;
    for (project, more, of) in [
        ("examples/garage", [].as_slice(), 2),
        ("examples/teaching/real-race", &["--builtin"], 3),
        ("examples/shipment", &["--builtin"], 2),
        ("examples/amber/row", &["--builtin"], 2),
        ("examples/cmmn/claim.cmmn", &[], 2),
    ] {
        for part in 1..=of {
            let (whole, merged, _) = merged_alone(project, more, part, of);
            let all = |results: &Value| results["results"].as_array().expect("results").clone();
            let (whole, merged) = (all(&whole), all(&merged));
            let asked_of = |list: &[Value]| list.iter().map(asked).collect::<Vec<_>>();
            assert_eq!(asked_of(&merged), asked_of(&whole), "{project}, part {part} of {of}");
            for (w, m) in whole.iter().zip(&merged) {
                if m["reason"].as_str().is_some_and(|why| why.ends_with("is missing")) {
                    assert_eq!(m["verdict"], "unknown", "{m}");
                    assert!(m["summary"].as_str().is_some_and(|s| s.starts_with("Not decided: part ")), "{m}");
                    missing_and_false += usize::from(m["expect"] == json!(false));
                } else {
                    assert_eq!(m["verdict"], w["verdict"], "{m}");
                }
            }
        }
    }
    assert!(missing_and_false > 0, "some missing property is expected to be false");
}

/// A part that took nothing still knows what the others took, and whom they asked.
#[test]
fn a_part_without_properties() {
    let (whole, merged, output) = merged_alone("examples/teaching/reopen", &[], 9, 9);
    assert_eq!(output.status.code(), Some(3));
    let count = |v: &Value| v["results"].as_array().expect("results").len();
    assert_eq!(count(&merged), count(&whole));
}

#[test]
fn parts_that_cannot_be_merged_are_told_as_json() {
    let missing = gsmc(&["merge", "no-such.json", "--format", "json"]);
    assert_eq!((missing.status.code(), &parsed(&missing)["schema"]), (Some(2), &json!("gsmc.diagnostics/1")));
    let dir = tempfile::tempdir().expect("a folder");
    let whole = dir.path().join("whole.json").display().to_string();
    gsmc(&["check", "examples/teaching/reopen", "--format", "json", "-o", &whole]);
    assert!(Path::new(&whole).exists());
    let refused = gsmc(&["merge", &whole, "--format", "json"]);
    let told = parsed(&refused);
    let message = told["diagnostics"][0]["message"].as_str().expect("a message");
    assert!(refused.status.code() == Some(2) && message.contains("it is a whole run"), "{told}");
}
