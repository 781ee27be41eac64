//! `gsmc replay`: logs without a case, what is first against a case, transitions of activities.

use crate::replay::{replay, root, skipping};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

fn told(log: &[u8], name: &str, more: &[&str]) -> (i32, Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, log).expect("a log");
    let (ran, json) = replay(&skipping(), &path, more);
    (ran.code, json, ran.err)
}

#[test]
fn a_log_without_a_case_is_an_input_error() {
    let nameless = "<log><trace><string key=\"concept:name\" value=\"1\"/></trace></log>";
    for (log, name, seen) in [
        (b"case,activity,time\n".as_slice(), "log.csv", "a table with the header 'case,activity,time', and has no row"),
        (b"case\tactivity\n", "log.tsv", "a table with the header 'case activity', and has no row"),
        (b"<?xml version=\"1.0\"?>\n<log xes.version=\"1.0\"/>", "log.xes", "no <trace> in it has an <event>"),
        (nameless.as_bytes(), "log.xes", "no <trace> in it has an <event>"),
        (b"", "log.csv", "the log is empty"),
        (b"\xef\xbb\xbf\n\n", "log.jsonl", "the log is empty"),
        (b"[{\"case\":1,\"activity\":\"a\"}]", "log.json", "it is one JSON list"),
        (b"PK\x03\x04\x14\x00\x06\x00", "log.xlsx", "it is a ZIP archive, as spreadsheets are"),
        (b"\x89PNG\x00\x00", "log.csv", "it is not a text"),
    ] {
        let (code, json, err) = told(log, name, &[]);
        assert_eq!((code, &json["totals"]["cases"]), (2, &json!(0)), "{name}: {err}");
        assert!(err.contains(seen), "{name}: {err}");
        assert!(json["errors"][0].as_str().is_some_and(|e| e.contains(seen)), "{json}");
    }
    let (_, _, err) = told(b"case,activity,time\n", "log.csv", &[]);
    assert!(err.contains("read are XES, CSV and TSV with a header, JSON with an object a line"), "{err}");
    // One file of several may have none.
    let folder = tempfile::tempdir().expect("a folder");
    let (empty, full) = (folder.path().join("1.csv"), folder.path().join("2.csv"));
    std::fs::write(&empty, "case,activity\n").expect("a log");
    std::fs::write(&full, "case,activity\n1,a\n").expect("a log");
    let (ran, json) = replay(&skipping(), &empty, &[&full.display().to_string()]);
    assert_eq!((ran.code, &json["totals"]["cases"]), (0, &json!(1)), "{}", ran.err);
}

/// Worked out by hand from the log: order O-2 gets two of its three parts, so the eighth event, OnShip, is the first that cannot be.
#[test]
fn the_first_thing_against_a_case_of_a_gsm_model() {
    let example = root().join("examples/order-to-cash");
    let (_, json) = replay(&example, &example.join("log.xes"), &[]);
    let case = |name: &str| json["cases"].as_array().expect("cases").iter().find(|c| c["case"] == name).expect(name);
    assert_eq!(case("O-1")["first"], Value::Null);
    let first = &case("O-2")["first"];
    assert_eq!(
        [&first["index"], &first["time"], &first["event"], &first["stage"], &first["kind"]],
        [&json!(7), &json!("2026-05-05T11:30:00+02:00"), &json!("OnShip"), &Value::Null, &json!("not-applicable")]
    );
    assert!(first["reason"].as_str().is_some_and(|r| r.contains("Ready does not hold")), "{first}");
    let ran = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["replay", "examples/order-to-cash", "examples/order-to-cash/log.xes", "--format", "csv"])
        .current_dir(root())
        .output()
        .expect("gsmc runs");
    let mut table = csv::Reader::from_reader(ran.stdout.as_slice());
    let columns = table.headers().expect("a header").clone();
    let at = |name: &str| columns.iter().position(|c| c == name).expect(name);
    let rows: Vec<csv::StringRecord> = table.records().map(|r| r.expect("a row")).collect();
    let row = rows.iter().find(|r| &r[0] == "O-2").expect("O-2");
    assert_eq!(
        [&row[at("first_index")], &row[at("first_event")], &row[at("first_kind")]],
        ["7", "OnShip", "not-applicable"]
    );
    assert_eq!(&row[at("first_time")], "2026-05-05T11:30:00+02:00");
    assert!(row[at("first_reason")].contains("Ready does not hold"), "{row:?}");
    assert!(rows.iter().find(|r| &r[0] == "O-1").is_some_and(|r| r[at("first_index")].is_empty()));
}

/// An event that an E-GSM model does not know is against a case, and no stage turned by it.
#[test]
fn the_first_thing_against_a_case_of_an_egsm_model() {
    let (_, json, err) = told(b"case,activity,time\n1,a,1\n1,fax,2\n2,a,1\n2,fax,2\n2,c,3\n", "log.csv", &[]);
    let [one, two] = [&json["cases"][0], &json["cases"][1]];
    assert_eq!([&one["first"]["index"], &one["first"]["kind"]], [&json!(1), &json!("unknown-event")], "{err}");
    assert_eq!((&one["verdict"], &one["first"]["stage"]), (&json!("compliant"), &Value::Null));
    // A stage that turned goes before, although it came later.
    assert_eq!([&two["first"]["index"], &two["first"]["kind"]], [&json!(2), &json!("outOfOrder")]);
}

/// What is said of a mapping on stderr.
fn warned(log: &str, name: &str, map: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, file) = (folder.path().join(name), folder.path().join("map.toml"));
    std::fs::write(&path, log).expect("a log");
    std::fs::write(&file, map).expect("a map");
    replay(&skipping(), &path, &["--map", &file.display().to_string()]).0.err
}

/// What became of the events of case 1, by the names of the model's events; `-` for those that are of no matter.
fn moves(log: &str, name: &str, map: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, file) = (folder.path().join(name), folder.path().join("map.toml"));
    std::fs::write(&path, log).expect("a log");
    std::fs::write(&file, map).expect("a map");
    let (ran, json) = replay(&skipping(), &path, &["--map", &file.display().to_string(), "--case", "1"]);
    let ignored = json["cases"][0]["ignored"].as_array().cloned().unwrap_or_default();
    let run = json["cases"][0]["run"].as_array().cloned().unwrap_or_default();
    let said = |l: &Value| match ignored.contains(&l["index"]) {
        true => "-".to_string(),
        false => l["event"].as_str().unwrap_or_default().to_string(),
    };
    (run.iter().map(said).collect(), ran.err)
}

/// `work` without a transition, and with some, in CSV and XES.
const TRANSITIONS: [&str; 5] = ["", "COMPLETE", "start", "Start", "suspend"];

fn table() -> String {
    let row = |(n, t): (usize, &&str)| format!("1,work,{n},{t}\n");
    let rows: String = TRANSITIONS.iter().enumerate().map(row).collect();
    format!("case,activity,time,lifecycle:transition\n{rows}")
}

fn xes() -> String {
    let event = |t: &&str| {
        let transition = format!("<string key=\"lifecycle:transition\" value=\"{t}\"/>");
        let transition = if t.is_empty() { "" } else { &transition };
        format!("<event><string key=\"concept:name\" value=\"work\"/>{transition}</event>")
    };
    let events: String = TRANSITIONS.iter().map(event).collect();
    format!("<log><trace><string key=\"concept:name\" value=\"1\"/>{events}</trace></log>")
}

#[test]
fn entries_about_transitions() {
    for (log, name) in [(table(), "log.csv"), (xes(), "log.xes")] {
        let of = |map: &str| moves(&log, name, &format!("[replay.events]\n{map}"));
        // The entry with its transition is more than the one without; an event that says none is complete.
        let map = "\"work:complete\" = \"a\"\n\"work:START\" = \"b\"\n\"work\" = \"c\"\n";
        let (said, err) = of(map);
        assert_eq!(said, ["a", "a", "b", "b", "-"], "{name}: {err}");
        let warned = warned(&log, name, &format!("[replay.events]\n{map}"));
        assert!(warned.contains("the log has no activity 'work'\n") && !warned.contains("'work:"), "{warned}");
        let (said, err) = of("\"work\" = \"c\"\n\"work:Suspend\" = \"b\"\n");
        assert_eq!(said, ["c", "c", "-", "-", "b"], "{name}: {err}");
        let (said, err) = of("\"work:complete\" = \"\"\n\"work\" = \"c\"\n");
        assert_eq!(said, ["-"; 5], "{name}: {err}");
        let (_, err) = of("\"work:start\" = \"b\"\n\"work:START\" = \"a\"\n");
        assert!(err.contains("error[E285]: another entry is about 'work:START', too"), "{err}");
    }
    // An activity whose name has a colon needs no transition.
    let (said, err) = moves("case,activity\n1,step:two\n1,a\n", "log.csv", "[replay.events]\n\"step:two\" = \"b\"\n");
    assert_eq!(said, ["b", "a"], "{err}");
}

#[test]
fn every_command_with_json_says_what_is_wrong_with_a_log() {
    let none = Path::new("no-such-log.csv");
    let (ran, json) = replay(&skipping(), none, &[]);
    assert_eq!((ran.code, &json["schema"]), (2, &json!("gsmc.replay/1")), "{}", ran.err);
    assert!(json["errors"][0].as_str().is_some_and(|e| e.contains("no-such-log.csv")), "{json}");
}
