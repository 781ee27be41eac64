//! How logs come to `gsmc replay`: packed, through pipes, with labels; and what is said of mappings that do not fit them.

use crate::replay::{replay, root, skipping};
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs it with a log on its standard input.
fn piped(log: &[u8], more: &[&str]) -> (i32, Value, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["replay", &skipping().display().to_string(), "-", "--format", "json"])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gsmc runs");
    child.stdin.take().expect("its input").write_all(log).expect("written");
    let ran = child.wait_with_output().expect("its output");
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    (ran.status.code().expect("a code"), serde_json::from_slice(&ran.stdout).unwrap_or(Value::Null), err)
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    pack.write_all(bytes).expect("packed");
    pack.finish().expect("packed")
}

#[test]
fn a_pipe_is_read_like_a_file() {
    // Case 1 goes back in time, so the log is read twice.
    let rows = b"case,activity,time\n1,c,3\n2,a,1\n1,a,1\n2,b,2\n1,b,2\n2,c,3\n";
    for log in [rows.to_vec(), packed(rows)] {
        let (code, json, err) = piped(&log, &[]);
        assert_eq!((code, json["totals"]["compliant"].as_u64()), (0, Some(2)), "{err}");
        assert_eq!(json["logs"][0], "-");
    }
    let (code, json, err) = piped(b"case,activity\n1,c\n", &[]);
    assert_eq!((code, json["cases"][0]["verdict"].as_str()), (1, Some("uncompliant")), "{err}");
    let (code, json, err) = piped(b"case,activity\n", &[]);
    assert_eq!((code, json["totals"]["cases"].as_u64()), (2, Some(0)));
    assert!(err.contains("-: the log has no case: it is a table with the header 'case,activity'"), "{err}");
}

#[test]
fn packed_pairs_of_the_emulator() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, packed(text.as_bytes())).expect("a log");
        path
    };
    let shipper = file("07-LEG-shipper.csv.gz", "1;eventid;a\n2;eventid;c\n");
    let states = file("07-LEG-uncompliant.csv.gz", "3;status;Somewhere\n");
    for one in [&states, &shipper] {
        let (ran, json) = replay(&skipping(), one, &["--expect-labels", "--item", "a"]);
        assert_eq!(json["totals"]["cases"], 1, "{}", ran.err);
        assert_eq!((json["cases"][0]["label"].as_str(), ran.code), (Some("uncompliant"), 0), "{}", ran.err);
        assert_eq!(json["cases"][0]["events"], 3);
    }
}

#[test]
fn labels_and_mistakes_of_traces() {
    let trace = |name: &str, label: &str, activity: &str, more: &str| {
        format!(
            "<trace><string key=\"concept:name\" value=\"{name}\"/><string key=\"label\" value=\"{label}\"/><event><string key=\"concept:name\" value=\"{activity}\"/>{more}</event></trace>\n"
        )
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.xes");
    let good = trace("1", "compliant", "a", "") + &trace("2", "uncompliant", "c", "");
    std::fs::write(&path, format!("<log>\n{good}</log>")).expect("a log");
    assert_eq!(replay(&skipping(), &path, &["--expect-labels"]).0.code, 0);
    // What cannot be read costs its own trace only.
    let bad = trace("3", "compliant", "a", "<string key=\"x\" value=\"&ghost;\"/>");
    let last = trace("4", "compliant", "a", "");
    let mut bytes = format!("<log>\n{good}{bad}").into_bytes();
    bytes.extend(b"<trace><string key=\"concept:name\" value=\"5\"/><event><string key=\"concept:name\" value=\"\xfc\"/></event></trace>\n");
    bytes.extend(last.as_bytes());
    bytes.extend(b"</log>");
    std::fs::write(&path, bytes).expect("a log");
    let (ran, json) = replay(&skipping(), &path, &[]);
    let judged: Vec<&str> =
        json["cases"].as_array().expect("cases").iter().filter_map(|c| c["case"].as_str()).collect();
    assert_eq!((ran.code, judged), (2, vec!["1", "2", "4"]), "{}", ran.err);
    assert!(ran.err.contains("log.xes:4: an attribute cannot be read"), "{}", ran.err);
    assert!(ran.err.contains("log.xes:5: the text is not UTF-8 (case '5' is not judged)"), "{}", ran.err);
}

fn told(map: &str, log: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let (log, map) = (write("log.csv", log), write("map.toml", map));
    replay(&root().join("examples/shipment"), &log, &["--map", &map.display().to_string()]).0.err
}

#[test]
fn a_mapping_that_does_not_fit_the_log() {
    let log = "case,activity,place\n1,moves,OnRoad\n";
    let moves = "[replay.events]\nmoves = { item = \"Truck\", status = \"plaec\" }\n";
    let err = told(moves, log);
    assert!(err.contains("no event that is asked for it has the attribute 'plaec'"), "{err}");
    assert!(err.contains("did you mean 'place'?"), "{err}");
    let right = moves.replace("plaec", "place");
    assert_eq!(told(&right, log), "");
    let err = told(&format!("{right}[replay.values]\nplaces = {{ a = \"b\" }}\n"), log);
    assert!(err.contains("no event is asked for the attribute 'places'"), "{err}");
    let err = told(&format!("[replay]\ntime = \"when\"\n{right}"), log);
    assert!(err.contains("no column for the time: looked for when"), "{err}");
    assert!(err.contains("write time = \"COLUMN\" under [replay]; the columns are case, activity, place"), "{err}");
    // A log that could not be read whole says nothing about what it does not have.
    let err = told(&format!("{right}idle = \"\"\n"), "case,activity,place\n1,moves\n");
    assert!(err.contains("2 columns where the header has 3") && !err.contains("idle"), "{err}");
    assert!(told(&format!("{right}idle = \"\"\n"), log).contains("the log has no activity 'idle'"));
}

#[test]
fn other_encodings_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.csv");
    let wide: Vec<u8> = "\u{feff}case,activity\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, wide).expect("a log");
    let err = replay(Path::new("tests/egsm/skipped"), &path, &[]).0.err;
    assert!(err.contains("iconv -f utf-16 -t utf-8"), "{err}");
}

#[test]
fn what_was_not_followed_is_not_certain() {
    let example = root().join("examples/order-to-cash");
    let (ran, json) = replay(&example, &example.join("log.xes"), &["--frontier", "1"]);
    assert_eq!((ran.code, json["totals"]["approximate"].as_u64()), (3, Some(6)), "{}", ran.err);
}

/// Some logs together, by name and text; the answer.
fn together(files: &[(&str, &[u8])], project: &Path, more: &[&str]) -> (i32, Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.arg("replay").arg(project).args(["--format", "json"]).args(more);
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a log");
        command.arg(path);
    }
    let ran = command.output().expect("gsmc runs");
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    (ran.status.code().expect("a code"), serde_json::from_slice(&ran.stdout).unwrap_or(Value::Null), err)
}

#[test]
fn names_alone_do_not_make_a_pair() {
    let good = b"case,activity\n1,a\n1,b\n1,c\n".as_slice();
    let bad = b"case,activity\n2,c\n".as_slice();
    let (code, json, err) = together(&[("x-compliant.csv", good), ("x-uncompliant.csv", bad)], &skipping(), &[]);
    assert_eq!((code, json["totals"]["cases"].as_u64()), (1, Some(2)), "{err}");
    // Nor does a name leave a run out: each file of states is a case, with the same shipper.
    let shipper = b"1;eventid;a\n2;eventid;b\n".as_slice();
    let runs = [
        ("1-L-compliant.csv", b"3;status;X\n".as_slice()),
        ("1-L-uncompliant.csv", b"4;status;X\n"),
        ("1-L-shipper.csv", shipper),
    ];
    let (code, json, err) = together(&runs, &skipping(), &["--item", "a"]);
    assert_eq!(
        (code, json["totals"]["cases"].as_u64(), json["totals"]["events"].as_u64()),
        (0, Some(2), Some(6)),
        "{err}"
    );
    let names: Vec<&str> = json["cases"].as_array().expect("cases").iter().filter_map(|c| c["case"].as_str()).collect();
    assert!(names[0].ends_with("/1") && names[1].ends_with("/1-L-uncompliant"), "{names:?}");
}

#[test]
fn one_file_of_a_pair_may_be_packed_and_begin_with_a_mark() {
    let shipper = b"\xef\xbb\xbf1;eventid;a\n2;eventid;c\n".as_slice();
    let states = packed(b"3;status;Somewhere\n");
    let files = [("07-L-uncompliant.csv.gz", states.as_slice()), ("07-L-shipper.csv", shipper)];
    let (code, json, err) = together(&files, &skipping(), &["--item", "a", "--expect-labels"]);
    assert_eq!(
        (code, json["totals"]["cases"].as_u64(), json["totals"]["events"].as_u64()),
        (0, Some(1), Some(3)),
        "{err}"
    );
}

#[test]
fn several_files_are_one_log() {
    let trace = |events: &str| {
        let event = |a: char| format!("<event><string key=\"concept:name\" value=\"{a}\"/></event>");
        let events: String = events.chars().map(event).collect();
        format!("<log><trace><string key=\"concept:name\" value=\"1\"/>{events}</trace></log>").into_bytes()
    };
    let (first, last, rows) = (trace("ab"), trace("c"), b"case,activity\n1,c\n".as_slice());
    for other in [("b.xes", last.as_slice()), ("b.csv", rows)] {
        let (code, json, err) = together(&[("a.xes", &first), other], &skipping(), &[]);
        assert_eq!(
            (code, json["totals"]["cases"].as_u64(), json["totals"]["events"].as_u64()),
            (0, Some(1), Some(3)),
            "{err}"
        );
        assert_eq!(json["cases"][0]["verdict"], "compliant", "{err}");
    }
}

#[test]
fn headers_are_read_as_people_write_them() {
    let quoted = b"case,\"x;y;z;w\",activity\n1,,a\n1,,b\n".as_slice();
    let keys = b"{\"Case\":1,\"Activity\":\"a\"}\n{\"CASE\":1,\"Event\":\"b\"}\n".as_slice();
    for (name, log) in [("a.csv", quoted), ("a.jsonl", keys)] {
        let (code, json, err) = together(&[(name, log)], &skipping(), &[]);
        assert_eq!((code, json["totals"]["events"].as_u64()), (0, Some(2)), "{err}");
    }
}

#[test]
fn what_is_not_judged_any_more_is_not_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    std::fs::write(&map, "[replay]\non_deviation = \"stop\"\n[replay.events]\n\"last\" = \"b\"\n").expect("a map");
    let rows = b"case,activity\n1,a\n1,nobody\n1,a\n1,b\n1,last\n".as_slice();
    let (code, json, err) = together(&[("a.csv", rows)], &skipping(), &["--map", &map.display().to_string()]);
    assert_eq!((code, json["totals"]["fitness"].as_f64()), (1, Some(0.2)), "{err}");
    assert!(!err.contains("W281"), "{err}");
}

const PACKING: &str = "application Packing
event Pay { method: string }
event Ship
type Order {
  method: string
  stage Packing {
    guard on Pay
    task pack: call Warehouse
    milestone Packed when done(pack)
  }
  stage Shipping {
    guard on Ship when method == 'card'
    guard on Ship when method == 'transfer' && Packed
    milestone Sent when true
  }
}
";

#[test]
fn tasks_go_by_their_names_and_a_run_is_one_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.gsm"), PACKING).expect("a model");
    std::fs::write(folder.path().join("gsmc.toml"), "model = \"model.gsm\"\n").expect("a project");
    let rows =
        b"case,activity,method\n1,Create_Order,\n1,Pay,\n1,pack,\n1,Ship,\n2,Create_Order,\n2,Pay,cash\n2,Ship,\n"
            .as_slice();
    let (_, json, err) = together(&[("a.csv", rows)], folder.path(), &[]);
    let case = |n: usize| &json["cases"][n];
    assert_eq!(case(0)["fit"], true, "{err} {json:#}");
    let refused = &case(1)["deviations"][0];
    assert_eq!((case(1)["fit"].as_bool(), refused["kind"].as_str()), (Some(false), Some("not-applicable")), "{json:#}");
    let reason = refused["reason"].as_str().expect("a reason");
    assert!(reason.contains("method == 'card'"), "{reason}");
    // Only one payment lets the order be shipped, so that is what the run shows.
    let (_, json, err) = together(&[("a.csv", rows)], folder.path(), &["--case", "1"]);
    let then = json["cases"][0]["run"][1]["then"].to_string();
    assert!(["card", "transfer"].iter().any(|way| then.contains(way)), "{err} {json:#}");
}
