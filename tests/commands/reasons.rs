//! Reasons of what never comes in languages with words of their own, worked out by hand.

use std::path::Path;
use std::process::Command;

/// The summaries of a model's results: property and sentence.
fn told(model: &Path) -> Vec<(String, String)> {
    let run = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["check", "--builtin", "--format", "json"])
        .arg(model)
        .output()
        .expect("gsmc runs");
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    let text = |r: &serde_json::Value, key: &str| r[key].as_str().unwrap_or_default().to_string();
    let results = json["results"].as_array().expect("results");
    results.iter().map(|r| (text(r, "property"), text(r, "summary"))).collect()
}

/// What a model says to a question after a change.
fn changed(files: &[&str], change: (&str, &str), question: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut model = None;
    for file in files {
        let text = std::fs::read_to_string(root.join(file)).expect("a file");
        let name = Path::new(file).file_name().expect("a name");
        let (from, to) = change;
        std::fs::write(folder.path().join(name), text.replacen(from, to, 1)).expect("written");
        model.get_or_insert_with(|| folder.path().join(name));
    }
    let all = told(&model.expect("a model"));
    all.into_iter().find(|(p, _)| p == question).map(|(_, s)| s).unwrap_or_default()
}

#[test]
fn a_case_that_never_completes() {
    // Who pays waits for what comes after it.
    let claim = ["examples/cmmn/claim-repaired.cmmn"];
    let circle = ("sourceRef=\"pay\"", "sourceRef=\"closed\"");
    assert_eq!(
        changed(&claim, circle, "can-complete"),
        "No run completes the case: Closed is never reached (criterion paid waits for 'complete' of Closed)."
    );
    let again = (
        "definitionRef=\"assessStage\"/>",
        "definitionRef=\"assessStage\"><itemControl><repetitionRule/></itemControl></planItem>",
    );
    assert_eq!(
        changed(&claim, again, "can-complete"),
        "No run completes the case: Assessment repeats, and comes again at once."
    );
}

/// A, B and C come one after the other; the flow guard of C asks for the milestone of B.
#[test]
fn a_stage_that_cannot_be_finished_without_a_report() {
    let files = ["tests/egsm/skipped/model.xml", "tests/egsm/skipped/infoModel.xsd"];
    let never = "<ca:Condition id=\"B_m1_c\" expression=\"false\"";
    let condition = ("<ca:Condition id=\"B_m1_c\" expression=\"GSM.isEventOccurring(b)\"", never);
    assert_eq!(
        changed(&files, condition, "can-complete-compliantly(C)"),
        "C cannot be finished without a reported violation: C never opens without a report: flow guard C_p1 of C waits for \
         B_m1 to be achieved; B never completes: milestone B_m1 of B waits for what is never so."
    );
    let guard = ("id=\"C_g1\" expression=\"GSM.isEventOccurring(c)\"", "id=\"C_g1\" expression=\"false\"");
    assert_eq!(changed(&files, guard, "can-open(C)"), "C never opens: guard C_g1 of C waits for what is never so.");
}

/// Who waits for whom where a process stops.
#[test]
fn a_process_that_stops() {
    let files = ["tests/amber/blocks/model.amber"];
    // The interaction of one block loses the partner that would start it.
    let told = changed(&files, ("e -> d -> f", "d -> f"), "no-deadlock");
    assert!(!told.contains("is not triggered, while"), "{told}");
}
