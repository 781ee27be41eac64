//! Two versions compared: what changed in the model, whose verdicts did, and which run is new or gone.

use std::path::{Path, PathBuf};
use std::process::Command;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/teaching").join(name)
}

/// A copy of an example with one change.
fn changed(name: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(example(name)).expect("an example").flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    let file = folder.path().join("model.gsm");
    let text = std::fs::read_to_string(&file).expect("a text");
    assert!(text.contains(from), "no '{from}'");
    std::fs::write(file, text.replacen(from, to, 1)).expect("written");
    folder
}

fn diff(old: &Path, new: &Path, more: &[&str]) -> (String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_gsmc")).arg("diff").args([old, new]).args(more).output().expect("gsmc");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

#[test]
fn a_model_does_the_same_as_itself_and_as_its_xml_twin() {
    let (old, file) = (example("reopen"), example("reopen").join("model.xml"));
    assert_eq!(diff(&old, &old, &[]), ("The models do the same.\n\nVerdicts\n  5 the same\n".into(), 0));
    let (told, _) = diff(&example("reopen").join("model.gsm"), &file, &[]);
    assert!(told.starts_with("The models do the same.\n"), "{told}");
}

#[test]
fn a_changed_sentry_and_its_verdict() {
    let new =
        changed("reopen", "cleared AuthorWithdraws on Withdraw", "cleared AuthorWithdraws on Withdraw when Review");
    let (told, code) = diff(&example("reopen"), new.path(), &[]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("clearing condition AuthorWithdraws of Approved\n"), "{told}");
    assert!(told.contains("  lost-by-withdrawal was true and is false\n"), "{told}");
    assert!(told.contains("    the old run: Create_Report/Submit/Approve/Withdraw\n"), "{told}");
    assert!(
        told.contains("      in the new model: step 4 of the path, 'Withdraw': that is not possible here\n"),
        "{told}"
    );
}

#[test]
fn parts_that_come_and_go() {
    let new = changed(
        "one-stage",
        "guard Joins on Join\n",
        "guard Joins on Join\n    milestone Left achieved Leaves on Join\n",
    );
    let (told, code) = diff(&example("one-stage"), new.path(), &[]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("  + milestone Card.Left\n") && told.contains("  + condition Leaves of Left\n"), "{told}");
    assert!(told.contains("  stays was true and is false\n"), "{told}");
    let (back, _) = diff(new.path(), &example("one-stage"), &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&back).expect("JSON");
    assert_eq!(json["schema"], "gsmc.diff/1");
    let gone = json["model"].as_array().expect("a list").iter().filter(|c| c["is"].is_null()).count();
    assert!(gone >= 2, "{back}");
}

#[test]
fn a_rule_at_several_slots_is_in_one_place_of_the_order() {
    let new = tempfile::tempdir().expect("a folder");
    let file = new.path().join("model.gsm");
    let text = std::fs::read_to_string(example("reopen").join("model.gsm")).expect("a text");
    std::fs::write(&file, format!("{text}\ninstances {{ Report = 2 }}\n")).expect("written");
    let (told, _) = diff(&example("reopen").join("model.gsm"), &file, &[]);
    assert!(told.contains("  ~ bound of Report\n") && !told.contains("order of the rules"), "{told}");
}

#[test]
fn of_another_order_only_what_moved_is_told() {
    let stages = |list: [&str; 3]| {
        let one = |s: &&str| format!("  stage {s} {{\n    guard on Go\n    milestone {s}Done on Stop\n  }}\n");
        format!("application A\nevent Go, Stop\ntype T {{\n{}}}\n", list.iter().map(one).collect::<String>())
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = (folder.path().join("old.gsm"), folder.path().join("new.gsm"));
    std::fs::write(&old, stages(["A", "B", "C"])).expect("written");
    std::fs::write(&new, stages(["A", "C", "B"])).expect("written");
    let (told, _) = diff(&old, &new, &[]);
    let line = told.lines().find(|l| l.trim_start().starts_with("was  PAC-1")).unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains("B/B_guard1") && !line.contains("A/A_guard1"), "{told}");
}

#[test]
fn what_cannot_be_read_is_an_input_error() {
    assert_eq!(diff(Path::new("/nowhere/at/all"), &example("reopen"), &[]).1, 2);
}
