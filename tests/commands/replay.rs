//! `gsmc replay`: recorded cases against hand-worked models, labelled runs of others, and damaged logs.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

fn gsmc(args: &[&str]) -> Ran {
    let run = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(root()).output().expect("gsmc runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Ran { code: run.status.code().expect("a code"), out: text(run.stdout), err: text(run.stderr) }
}

pub fn replay(model: &Path, log: &Path, more: &[&str]) -> (Ran, Value) {
    let (model, log) = (model.display().to_string(), log.display().to_string());
    let mut args = vec!["replay", &model, &log, "--format", "json"];
    args.extend(more);
    let ran = gsmc(&args);
    let json = serde_json::from_str(&ran.out).unwrap_or(Value::Null);
    (ran, json)
}

fn cases() -> Vec<PathBuf> {
    let all = std::fs::read_dir(root().join("tests/egsm")).expect("cases").filter_map(|e| Some(e.ok()?.path()));
    let mut all: Vec<PathBuf> = all.filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

/// What a hand-worked snapshot says is not in order, per stage.
fn not_in_order(snapshot: &Value) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for (stage, words) in snapshot.as_object().expect("stages") {
        let words = words.as_str().expect("words").split(' ');
        let bad: Vec<String> =
            words.filter(|w| ["outOfOrder", "skipped", "faulty"].contains(w)).map(String::from).collect();
        if !bad.is_empty() {
            found.insert(stage.clone(), bad);
        }
    }
    found
}

#[test]
fn hand_worked_cases_move_by_move() {
    let folder = tempfile::tempdir().expect("a folder");
    for project in cases() {
        let told: Value =
            serde_json::from_str(&std::fs::read_to_string(project.join("moves.json")).expect("moves")).expect("json");
        let (moves, expect) = (told["moves"].as_array().expect("moves"), told["expect"].as_array().expect("expect"));
        // Every beginning of the run is a case; a case needs an event, so the first is left out.
        let mut log = String::new();
        for n in 1..=moves.len() {
            for m in &moves[..n] {
                let mut event = json!({ "case": n.to_string(), "activity": m[0] });
                if m[1].is_string() {
                    event["status"] = m[1].clone();
                }
                let _ = writeln!(log, "{event}");
            }
        }
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, log).expect("a log");
        let (ran, json) = replay(&project, &path, &[]);
        assert_eq!(json["profile"], "egsm", "{}: {}", project.display(), ran.err);
        let judged = json["cases"].as_array().expect("cases");
        assert_eq!(judged.len(), moves.len());
        for (n, case) in judged.iter().enumerate() {
            let at_end: BTreeMap<String, Vec<String>> = serde_json::from_value(case["at_end"].clone()).expect("stages");
            assert_eq!(at_end, not_in_order(&expect[n + 1]), "{} after {} moves", project.display(), n + 1);
            assert_eq!(case["fit"], true);
        }
    }
}

#[test]
fn labelled_runs_of_others() {
    let corpus = root().join("../shared/corpus/egsm");
    let Ok(text) = std::fs::read_to_string(corpus.join("traces/expected.json")) else {
        return crate::tools::skipped("labelled_runs_of_others: the corpus of E-GSM runs is not here");
    };
    let expected: BTreeMap<String, Value> = serde_json::from_str(&text).expect("json");
    let (mut seen, mut as_labelled) = (0, 0);
    for model in ["ams-bru", "ams-cdg", "ams-fra", "bru-ams", "cdg-ams"] {
        let file = corpus.join(model).join("model.xml").display().to_string();
        let entries = std::fs::read_dir(corpus.join("traces").join(model)).expect("runs");
        let mut logs: Vec<String> = entries.filter_map(|e| Some(e.ok()?.path().display().to_string())).collect();
        logs.sort();
        let mut args = vec!["replay", "-m", &file, "--format", "json"];
        args.extend(logs.iter().map(String::as_str));
        let ran = gsmc(&args);
        let json: Value = serde_json::from_str(&ran.out).expect("json");
        for case in json["cases"].as_array().expect("cases") {
            let name = case["case"].as_str().expect("a name");
            let told = &expected[name];
            for (mine, theirs) in [
                ("verdict", "verdict"),
                ("completed", "completed"),
                ("at_end", "at_end"),
                ("label", "label"),
                ("events", "length"),
            ] {
                assert_eq!(case[mine], told[theirs], "{name} {mine}");
            }
            if let Some(first) = told["first"].as_object() {
                assert_eq!(
                    [&case["first"]["index"], &case["first"]["stage"], &case["first"]["kind"]],
                    [&first["index"], &first["stage"], &first["verdict"]],
                    "{name}"
                );
            }
            seen += 1;
            as_labelled += usize::from(case["verdict"] == case["label"]);
        }
        args.push("--expect-labels");
        // One run has times that put all its data before its start; it is labelled compliant all the same.
        assert_eq!(gsmc(&args).code, i32::from(model == "ams-bru"), "{model}");
    }
    assert_eq!((seen, as_labelled), (42, 41));
}

const ORDERED: &str = "case,activity,time\n1,a,1\n1,b,2\n1,c,3\n";

/// The hand-worked model in which `c` before `b` skips B.
pub fn skipping() -> PathBuf {
    root().join("tests/egsm/skipped")
}

fn judged(log: &str, name: &str, more: &[&str]) -> (Ran, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, log).expect("a log");
    replay(&skipping(), &path, more)
}

#[test]
fn times_order_a_case_whatever_the_rows() {
    let (_, right) = judged(ORDERED, "log.csv", &[]);
    let (ran, mixed) = judged("case,activity,time\n1,c,3\n2,a,1\n1,a,1\n2,b,2\n1,b,2\n2,c,3\n", "log.csv", &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(mixed["totals"]["compliant"], 2);
    assert_eq!(right["cases"][0]["at_end"], mixed["cases"][0]["at_end"]);
    let (ran, as_file) = judged("case,activity,time\n1,c,3\n1,a,1\n1,b,2\n", "log.csv", &["--order", "file"]);
    assert_eq!((ran.code, as_file["cases"][0]["verdict"].as_str()), (1, Some("uncompliant")));
    let (ran, sorted) = judged("case,activity,time\n1,c,3\n1,a,1\n2,a,1\n2,b,2\n", "log.csv", &["--sorted"]);
    assert_eq!((ran.code, sorted["totals"]["cases"].as_u64()), (2, Some(1)), "{}", ran.err);
    assert!(ran.err.contains("log.csv:3: the times go back (case '1' is not judged)"), "{}", ran.err);
}

#[test]
fn damaged_logs_are_told_and_other_cases_judged() {
    let (ran, json) = judged("case,activity,time\n1,a,1\n2,a,yesterday\n1,b,2\n3,a,5\n2,b,6\n", "log.csv", &[]);
    assert_eq!((ran.code, json["totals"]["cases"].as_u64()), (2, Some(2)));
    assert!(ran.err.contains("log.csv:3: 'yesterday' is not a time (case '2' is not judged)"), "{}", ran.err);
    let trace = |name: &str| {
        format!(
            "<trace><string key=\"concept:name\" value=\"{name}\"/><event><string key=\"concept:name\" value=\"a\"/></event></trace>\n"
        )
    };
    let cut = format!("<log>\n{}{}", trace("1"), &trace("2")[..70]);
    let (ran, json) = judged(&cut, "log.xes", &[]);
    assert_eq!((ran.code, json["totals"]["cases"].as_u64()), (2, Some(1)), "{}", ran.err);
    assert!(ran.err.contains("breaks off"), "{}", ran.err);
    let twice = format!("<log>{}{}</log>", trace("1"), trace("1"));
    let (ran, json) = judged(&twice, "log.xes", &[]);
    assert_eq!((ran.code, json["totals"]["cases"].as_u64()), (2, Some(2)));
    assert!(ran.err.contains("another trace is called '1' already"), "{}", ran.err);
    let folder = tempfile::tempdir().expect("a folder");
    let latin = folder.path().join("log.csv");
    std::fs::write(&latin, b"case,activity,time\n1,a,1\n2,a,1\n2,b\xfc,2\n1,b,2\n2,c,3\n").expect("a log");
    let (ran, json) = replay(&skipping(), &latin, &[]);
    assert_eq!((ran.code, json["cases"][0]["events"].as_u64()), (2, Some(2)));
    // A case of which a row cannot be read is not judged: without that row it might look wrong.
    assert_eq!((json["totals"]["cases"].as_u64(), &json["cases"][0]["case"]), (Some(1), &json!("1")));
    assert!(ran.err.contains("log.csv:4: the text is not UTF-8"), "{}", ran.err);
    // Cut in the middle of a quoted cell, of a line of JSON, of a gzip stream.
    let (ran, json) = judged("case,activity,time\n1,a,1\n1,b,2\n2,a,1\n2,\"b", "log.csv", &[]);
    assert_eq!((ran.code, json["totals"]["cases"].as_u64()), (2, Some(1)), "{}", ran.err);
    assert!(ran.err.contains("log.csv:5: the log breaks off"), "{}", ran.err);
    assert!(ran.err.contains("(case '2' is not judged)"), "{}", ran.err);
    // Case 1 may have gone on, too; had it come to its end, nothing would be missing.
    assert_eq!((&json["cases"][0]["incomplete"], &json["totals"]["incomplete"]), (&json!(true), &json!(1)));
    let shipment = root().join("examples/shipment");
    let log = std::fs::read_to_string(shipment.join("log.csv")).expect("a log");
    let signed = log.find("S-2,receipt").expect("the end of S-2");
    let early = folder.path().join("early.csv");
    std::fs::write(&early, &log[..log[signed..].find('\n').expect("a line") + signed + 5]).expect("a log");
    let (ran, json) = replay(&shipment, &early, &[]);
    assert!(ran.code == 2 && ran.err.contains("(case 'S-1' is not judged)"), "{}", ran.err);
    let told: Vec<_> =
        json["cases"].as_array().expect("cases").iter().map(|c| (&c["case"], &c["incomplete"])).collect();
    assert_eq!(told, [(&json!("S-2"), &Value::Null)]);
    let (ran, json) = judged("{\"case\":1,\"activity\":\"a\"}\n{\"case\":2,\"acti", "log.jsonl", &[]);
    assert_eq!((ran.code, json["totals"]["cases"].as_u64()), (2, Some(1)), "{}", ran.err);
    assert!(ran.err.contains("log.jsonl:2:"), "{}", ran.err);
    let packed = folder.path().join("log.csv.gz");
    let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let rows: String = (0..4000).map(|n| format!("c{},a,{}\n", n * 7919 % 4001, n * 104_729)).collect();
    std::io::Write::write_all(&mut pack, format!("case,activity,time\n{rows}").as_bytes()).expect("packed");
    let bytes = pack.finish().expect("packed");
    std::fs::write(&packed, &bytes[..bytes.len() / 2]).expect("half of it");
    let (ran, json) = replay(&skipping(), &packed, &[]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("breaks off") && json["totals"]["cases"].as_u64() > Some(10), "{}", ran.err);
    // Entities that grow within each other, ten deep; without the document type they mean nothing.
    let grown: String = (1..10).map(|n| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10))).collect();
    let laughs = format!("<!DOCTYPE log [<!ENTITY e0 \"ha\">{grown}]><log>{}</log>", trace("&e9;"));
    let (ran, _) = judged(&laughs, "log.xes", &[]);
    assert!(ran.code == 2 && ran.err.contains("document types are refused"), "{}", ran.err);
    let (ran, _) = judged(&format!("<log>{}{}</log>", trace("&e9;"), trace("2")), "log.xes", &[]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let bomb = "<!DOCTYPE log [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><log><trace><string key=\"concept:name\" value=\"&b;\"/></trace></log>";
    let (ran, _) = judged(bomb, "log.xes", &[]);
    assert!(ran.code == 2 && ran.err.contains("document types are refused"), "{}", ran.err);
}

#[test]
fn activities_that_mean_nothing() {
    let log = "case,activity,time\n1,a,1\n1,fax,2\n1,b,3\n";
    let (ran, json) = judged(log, "log.csv", &[]);
    assert_eq!(ran.code, 1);
    assert_eq!(json["cases"][0]["deviations"][0]["kind"], "unknown-event");
    assert_eq!(json["cases"][0]["deviations"][0]["index"], 1);
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("map.toml");
    std::fs::write(&map, "[replay.events]\n\"fax\" = \"\"\n\"letter\" = \"a\"\n").expect("a map");
    let map = map.display().to_string();
    let (ran, json) = judged(log, "log.csv", &["--map", &map]);
    assert_eq!((ran.code, &json["cases"][0]["ignored"]), (0, &json!([1])), "{}", ran.err);
    assert!(ran.err.contains("the log has no activity 'letter'"), "{}", ran.err);
    let (ran, _) = judged(log, "log.csv", &["--suggest-map"]);
    assert!(ran.out.contains("\"a\" = \"a\"") && ran.out.contains("\"fax\" ="), "{}", ran.out);
}

#[test]
fn properties_are_judged_on_finite_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.gsmp");
    let text = "opens: AF opens('B');\n\nnever-skipped: AG !skipped('B');\n\nlinear: LTL G (opens('C') -> F completes('C'));\n\nmay: EF opens('B');\n\n\
        strong: LTL G (opens('C') -> X !violation);\n\nweak: LTL G (opens('C') -> N !violation);\n";
    std::fs::write(&file, text).expect("properties");
    let file = file.display().to_string();
    let (ran, json) = judged("case,activity,time\n1,a,1\n1,c,2\n2,a,1\n2,b,2\n", "log.csv", &["-s", &file]);
    let said = |case: usize, name: &str| json["cases"][case]["properties"][name].as_str().unwrap_or("").to_string();
    assert_eq!(said(0, "opens"), "false so far", "{}", ran.err);
    assert_eq!(said(0, "never-skipped"), "false permanent");
    assert_eq!(said(1, "opens"), "true permanent");
    assert_eq!(said(1, "never-skipped"), "true so far");
    assert_eq!(said(1, "linear"), "true so far");
    assert_eq!(said(1, "may"), "not a trace property");
    // The first case ends with the move that opens C: it has no next snapshot.
    assert_eq!((said(0, "strong").as_str(), said(0, "weak").as_str()), ("false so far", "true so far"));
    assert_eq!((said(1, "strong").as_str(), said(1, "weak").as_str()), ("true so far", "true so far"));
}

#[test]
fn the_shipments_of_the_example() {
    let example = root().join("examples/shipment");
    let (ran, json) = replay(&example, &example.join("log.csv"), &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let said: Vec<String> = json["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|c| {
            let first = &c["first"];
            let found = match first["stage"].as_str() {
                Some(stage) => format!("{stage} {}", first["kind"].as_str().unwrap_or("")),
                None => "nothing".into(),
            };
            let deviations = c["deviations"].as_array().map_or(0, Vec::len);
            format!("{} {found}, {deviations}, {}", c["case"].as_str().unwrap_or(""), c["completed"])
        })
        .collect();
    assert_eq!(
        said,
        [
            "S-1 nothing, 0, true",
            "S-2 Drive outOfOrder, 0, true",
            "S-3 Drive faulty, 0, true",
            "S-4 Deliver outOfOrder, 0, true",
            "S-5 nothing, 1, true",
            "S-6 nothing, 0, false",
        ]
    );
    assert_eq!(json["cases"][5]["properties"]["loading-ends"], "false so far");
    assert_eq!(json["cases"][1]["properties"]["loaded-before-driving"], "false permanent");
    assert_eq!(json["totals"]["stages"]["Load"]["skipped"], 1);
}

#[test]
fn orders_with_steps_that_no_log_shows() {
    let example = root().join("examples/order-to-cash");
    let (ran, json) = replay(&example, &example.join("log.xes"), &[]);
    assert_eq!((ran.code, &json["profile"]), (1, &json!("gsm")), "{}", ran.err);
    let mut said = Vec::new();
    for case in json["cases"].as_array().expect("cases") {
        let kinds = case["deviations"].as_array().expect("a list").iter();
        let kinds: Vec<String> = kinds.map(|d| format!("{} {}", d["event"], d["kind"]).replace('"', "")).collect();
        said.push(format!("{} {}: {}", case["case"].as_str().expect("a name"), case["completed"], kinds.join(", ")));
    }
    assert_eq!(
        said,
        [
            "O-1 true: ",
            // Never assembled: nothing can be shipped, so nothing delivered, invoiced or paid.
            "O-2 false: OnShip not-applicable, OnDeliver agent-not-allowed, OnInvoice not-applicable, OnPay not-applicable",
            "O-3 false: OnPay agent-not-allowed",
            "O-4 true: fax unknown-event",
            "O-5 true: ",
            "O-6 false: ",
        ]
    );
    assert_eq!(json["cases"][3]["ignored"], json!([4]));
    // The parts are booked by completions that the log does not show; without them the third part is one too many.
    let map = "[replay]\nsilent = 0\n[replay.events]\n\"order placed\" = \"Create_CustomerOrder\"\n\"order complete\" = \"OnSubmit\"\n\"OnShip\" = { event = \"OnShip\", payload = { CarrierId = \"carrier\" } }\n[replay.agents]\n\"diogenes\" = \"Diogenes\"\n[replay.values]\n\"carrier\" = { \"HER\" = \"Hermes\" }\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("map.toml");
    std::fs::write(&file, map).expect("a map");
    let (_, json) = replay(&example, &example.join("log.xes"), &["--map", &file.display().to_string()]);
    assert_eq!(json["cases"][0]["fit"], false);
}

/// The garage: the insurer rejects a damage of 1000 of customer 0, whose limit is 1 times 1000; then the car is delivered and all is done.
#[test]
fn a_log_of_an_amber_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("garage.csv");
    let text = "case,activity,customerId,damage\n\
        one,accident occurs,0,\none,assessment,,1000\none,claim receipt,,\none,evaluate,,\none,notification,,\none,deliver car,,\n\
        two,accident occurs,0,\ntwo,deliver car,,\n\
        three,accident occurs,,\nthree,GARAGE.repair,,\nthree,assessment,,70\n";
    std::fs::write(&log, text).expect("a log");
    let (ran, json) = replay(&root().join("examples/amber/garage"), &log, &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let totals = &json["totals"];
    assert_eq!((&totals["fit"], &totals["completed"]), (&json!(1), &json!(1)));
    let kinds = json!({"not-applicable": 1, "unknown-event": 1, "wrong-value": 1});
    assert_eq!(totals["deviations"], kinds);
    let plain = gsmc(&["replay", "examples/amber/garage", &log.display().to_string()]);
    assert!(plain.out.contains("deliver car does not wait: it waits for receive decision"), "{}", plain.out);
}

/// What the script of a report reads.
fn data_of(html: &str) -> Value {
    let from = html.split("id=\"data\">").nth(1).expect("data");
    serde_json::from_str(from.split("</script>").next().expect("an end")).expect("JSON")
}

#[test]
fn a_report_with_the_cases_of_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.html").display().to_string();
    // Everything that is asked of the model is as expected, so the log decides.
    let ran = gsmc(&["report", "examples/shipment", "--replay", "examples/shipment/log.csv", "-o", &file]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let html = std::fs::read_to_string(&file).expect("a report");
    assert!(html.contains("6 recorded cases: 5 not as the model has it"), "{}", ran.err);
    assert!(html.contains("no ProcessFlowGuard of Drive held"));
    let data = data_of(&html);
    let runs = data["runs"].as_array().expect("runs");
    let steps = |name: &str| {
        let run = runs.iter().find(|r| r["property"] == name && r["engines"] == json!(["the log"]));
        run.unwrap_or_else(|| panic!("no run of {name}"))["path"]["steps"].as_array().expect("steps").clone()
    };
    // Ignored and unknown events are no steps of the model.
    let (_, told) = replay(&root().join("examples/shipment"), &root().join("examples/shipment/log.csv"), &[]);
    for case in told["cases"].as_array().expect("cases") {
        let left_out =
            case["ignored"].as_array().expect("a list").len() + case["deviations"].as_array().expect("a list").len();
        let wanted = case["events"].as_u64().expect("a number") as usize - left_out;
        assert_eq!(steps(case["case"].as_str().expect("a name")).len(), wanted, "{case}");
    }
    // The run of the case that drove empty turns Drive out of order on the picture.
    let last: Vec<usize> = steps("S-2").iter().map(|n| n.as_u64().expect("a number") as usize).collect();
    let turned = last.iter().any(|n| data["steps"][*n].to_string().contains("\"outOfOrder\""));
    assert!(turned && html.contains("data-var=\"Drive.compliance\""));
}

#[test]
fn a_report_with_a_log_of_orders() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.html").display().to_string();
    let ran = gsmc(&["report", "examples/order-to-cash", "--replay", "examples/order-to-cash/log.xes", "-o", &file]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let data = data_of(&std::fs::read_to_string(&file).expect("a report"));
    let of_log = |r: &&Value| r["engines"] == json!(["the log"]);
    assert_eq!(data["runs"].as_array().expect("runs").iter().filter(of_log).count(), 6);
}
