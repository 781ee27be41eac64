//! Every JSON output of the program against its schema in docs/schemas.

use crate::replay::root;
use crate::schema::Schemas;
use crate::tools;
use gsmc::answer::Engine;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Worked on with data without bounds.
const COUNTER: &str = "application Count
event Tick
type Counter {
  n: int
  stage Counting { guard on Tick; task up: add n; milestone Counted when done(up) }
}
properties { three: EF exists c: Counter (c.n == 3) }
";

/// Documents of real runs, each with its schema.
struct Outputs {
    schemas: Schemas,
    scratch: tempfile::TempDir,
    read: Vec<(String, Value)>,
}

impl Outputs {
    fn new() -> Outputs {
        let schemas = Schemas::read(&root().join("docs/schemas"));
        Outputs { schemas, scratch: tempfile::tempdir().expect("a folder"), read: Vec::new() }
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.scratch.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.scratch.path().join(name).display().to_string()
    }

    /// Runs gsmc and takes what it prints.
    fn run(&mut self, schema: &str, args: &[&str]) -> Value {
        let run = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(root()).output().expect("gsmc runs");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        let document: Value = serde_json::from_slice(&run.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}\n{said}"));
        self.take(schema, document.clone(), &format!("{args:?}"));
        document
    }

    fn json(&mut self, schema: &str, args: &[&str]) -> Value {
        self.run(schema, &[args, &["--format", "json"]].concat())
    }

    fn take(&mut self, schema: &str, document: Value, of: &str) {
        let faults = self.schemas.faults(schema, &document);
        assert!(faults.is_empty(), "{of} against {schema}:\n{}", faults.join("\n"));
        self.read.push((schema.to_string(), document));
    }

    /// Every file of a folder that ends so.
    fn folder(&mut self, schema: &str, folder: &Path, ending: &str) {
        let files: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
        let wanted: Vec<_> = files.iter().filter(|p| p.to_string_lossy().ends_with(ending)).collect();
        assert!(!wanted.is_empty(), "nothing in {} ends with {ending}", folder.display());
        for file in wanted {
            let text = std::fs::read_to_string(file).expect("a file");
            self.take(schema, serde_json::from_str(&text).expect("JSON"), &file.display().to_string());
        }
    }

    /// What the documents say nothing about, of what the schemas describe.
    fn unmet(&self) -> Vec<String> {
        let met = self.schemas.met.borrow();
        self.schemas.properties().into_iter().filter(|p| !met.contains(p)).collect()
    }
}

/// Checks: verdicts of every kind, of every language.
fn checks(all: &mut Outputs) {
    for project in ["garage", "teaching/two-views", "teaching/lasso", "teaching/vacuous", "teaching/overflow"] {
        all.json("results.json", &["check", &format!("examples/{project}")]);
    }
    for project in ["shipment", "amber/row", "cmmn/claim.cmmn", "teaching/real-race"] {
        all.json("results.json", &["check", &format!("examples/{project}"), "--builtin"]);
    }
    all.json(
        "results.json",
        &[
            "check",
            "examples/shipment",
            "-s",
            "examples/shipment/knowledge.gsmp",
            "-a",
            "examples/shipment/agents.gsma",
        ],
    );
    let knowing = all.file(
        "knowing.gsmp",
        "k: AG forall x : Test ((x.Done && x.positive) -> CK({doctor, patient}, x.positive));\n\n\
         c: AG forall x : Test ((x.Done && x.positive) -> K(doctor, K(patient, x.positive)));\n",
    );
    all.json("results.json", &["check", "examples/teaching/two-views", "-s", &knowing]);
    all.json("results.json", &["check", "examples/research-funding"]);
    all.json("results.json", &["check", "examples/fixed-price-two", "--timeout", "3"]);
    all.json("results.json", &["check", "examples/garage", "--memory", "1"]);
    all.json("results.json", &["check", "examples/teaching/lasso", "--backend", "all"]);
    for model in ["arrive", "cut", "wait"] {
        let file = format!("tests/any/{model}/model.gsm");
        all.json("results.json", &["check", "-m", &file]);
    }
    all.json("results.json", &["check", "-m", "tests/any/arrive/model.gsm", "--instances", "Doc=any"]);
    all.json("results.json", &["check", "-m", "tests/any/cut/model.gsm", "--instances", "Doc=any"]);
    let cache = all.path("cache");
    for _ in 0..2 {
        all.json("results.json", &["check", "examples/teaching/reopen", "--cache", &cache]);
    }
    all.json("profiles.json", &["check", "examples/cmmn/claim.cmmn", "--profile", "both"]);
}

/// Parts of a check, and what becomes of them.
fn parts(all: &mut Outputs) {
    let part = all.json("results.json", &["check", "examples/garage", "--builtin", "--partition", "1/2"]);
    let whole = all.json("results.json", &["check", "examples/garage"]);
    assert!(part["share"].is_object() && whole["share"].is_null());
    let file = all.file("part.json", &part.to_string());
    all.json("results.json", &["merge", &file]);
    let knowing = all.json("results.json", &["check", "examples/shipment", "--builtin", "--partition", "2/2"]);
    assert!(knowing["share"]["takes"].as_array().is_some_and(|t| t.iter().any(|t| t["either"] == true)));
    // What engines say that do not agree cannot be had from one that is right: the JSON of one is turned round.
    let mut liar = part;
    let results = liar["results"].as_array_mut().expect("results");
    let mut other = results.first().expect("a result").clone();
    other["verdict"] = if other["verdict"] == "true" { json!("false") } else { json!("true") };
    other["backend"] = json!("spin");
    results.push(other);
    let file = all.file("liar.json", &liar.to_string());
    let merged = all.json("results.json", &["merge", &file]);
    assert_eq!(merged["disagreements"].as_array().map(Vec::len), Some(1));
}

/// Runs in files of their own, and names.
fn files(all: &mut Outputs) {
    for (format, schema) in [("json", "trace.json"), ("itf", "itf.json")] {
        let dir = all.path(format);
        for project in ["garage", "teaching/two-views", "teaching/lasso"] {
            let project = format!("examples/{project}");
            let args = ["check", &project, "--trace-dir", &dir, "--trace-format", format];
            all.json("results.json", &args);
        }
        let ending = if format == "itf" { ".itf.json" } else { ".json" };
        all.folder(schema, Path::new(&dir), ending);
    }
    let dir = all.path("export");
    let mut export = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    export.args(["export", "examples/garage", "-o", &dir]).current_dir(root());
    assert!(export.output().expect("gsmc runs").status.success());
    all.folder("names.json", Path::new(&dir), ".json");
}

fn looks(all: &mut Outputs) {
    for project in ["garage", "shipment", "amber/row", "cmmn/claim.cmmn", "teaching/real-race", "order-to-cash"] {
        all.json("validate.json", &["validate", &format!("examples/{project}")]);
    }
    all.json("diff.json", &["diff", "examples/teaching/reopen", "examples/teaching/one-stage"]);
    all.json("diff.json", &["diff", "examples/teaching/one-stage", "examples/teaching/reopen"]);
    all.json("doctor.json", &["doctor"]);
    all.json("doctor.json", &["doctor", "--spin", "/no-such-program"]);
}

fn logs(all: &mut Outputs) {
    for project in ["shipment", "order-to-cash"] {
        let (project, log) = (format!("examples/{project}"), if project == "shipment" { "log.csv" } else { "log.xes" });
        all.json("replay.json", &["replay", &project, &format!("{project}/{log}")]);
    }
    all.json("replay.json", &["replay", "examples/shipment", "examples/shipment/log.csv", "--case", "S-2"]);
    let log = all.file(
        "garage.csv",
        "case,activity,customerId,damage,label\n1,accident occurs,0,,good\n1,deliver car,,,\n2,assessment,,70,\n",
    );
    all.json("replay.json", &["replay", "examples/amber/garage", &log]);
    let cut = all.file("cut.jsonl", "{\"case\":1,\"activity\":\"a\"}\n{\"case\":2,\"acti");
    all.json("replay.json", &["replay", "tests/egsm/skipped", &cut]);
    let none = all.file("none.csv", "case,activity\n");
    all.json("replay.json", &["replay", "tests/egsm/skipped", &none]);
}

fn mistakes(all: &mut Outputs) {
    let model = all.file("wrong.gsm", "application Wrong\ntype T {\n  stage S { guard on Gone; milestone }\n}\n");
    for args in [["check", "-m", &model].as_slice(), &["validate", "-m", &model], &["replay", "-m", &model, "log.csv"]]
    {
        all.json("diagnostics.json", args);
    }
    all.json("diagnostics.json", &["check", "no-such-folder"]);
    all.json("diagnostics.json", &["check", "examples/garage", "--property", "none"]);
    all.json("diagnostics.json", &["check", "examples/garage", "--instances", "Nothing=1"]);
    all.json("diagnostics.json", &["diff", "examples/garage", "no-such-folder"]);
    all.json("diagnostics.json", &["merge", "no-such.json"]);
    all.json("diagnostics.json", &["replay", "examples/shipment"]);
}

/// What needs other programs; what is not there is left out of the count.
fn with_tools(all: &mut Outputs) -> Vec<&'static str> {
    let mut missing = Vec::new();
    let model = all.file("counter.gsm", COUNTER);
    if tools::without_solver() {
        missing.extend(["abstraction", "cause", "decided_by", "abstract_verdict"]);
    } else {
        all.json("results.json", &["check", "-m", &model, "--abstract"]);
        all.json("results.json", &["check", "-m", &model, "--abstract", "--refine", "0", "--no-runs"]);
    }
    if tools::there(Engine::named("spin"), "schemas") {
        all.json("results.json", &["check", "examples/teaching/lasso", "--backend", "spin", "--swarm", "2"]);
        all.json(
            "results.json",
            &["check", "examples/teaching/lasso", "--backend", "spin", "--swarm", "2", "--partition", "1/2"],
        );
    } else {
        missing.push("coverage");
    }
    missing
}

/// What no run of the test says, and why.
const RARE: [&str; 8] = [
    // Where it takes two agents, one after the other, to get from one snapshot to another that looks the same.
    "side/properties/sides",
    // Where fewer slots than given can ever be used, and where no number of instances is all that can be said.
    "machine/properties/unused",
    "why/items/properties/place",
    // Where a search came to its limits before the shortest run was found.
    "trace.json/properties/shortest",
    // Of agents who look in an abstraction that cannot be refined.
    "/cause/properties/mistaken_for",
    // Only where an engine is not installed, and only where some is.
    "results.json/properties/absent",
    "/absent/properties/",
    // A graph of rules for which no one order serves all events.
    "/per_event/",
];

#[test]
fn every_output_follows_its_schema() {
    let mut all = Outputs::new();
    checks(&mut all);
    parts(&mut all);
    files(&mut all);
    looks(&mut all);
    logs(&mut all);
    mistakes(&mut all);
    let missing = with_tools(&mut all);
    let expected =
        |p: &String| RARE.iter().any(|rare| p.contains(rare)) || missing.iter().any(|m| p.contains(&format!("/{m}")));
    let unmet: Vec<String> = all.unmet().into_iter().filter(|p| !expected(p)).collect();
    assert!(unmet.is_empty(), "no output has: {unmet:#?}");
    let used: std::collections::BTreeSet<&str> = all.read.iter().map(|(schema, _)| schema.as_str()).collect();
    assert_eq!(used.into_iter().collect::<Vec<_>>(), all.schemas.names());
    damaged(&all);
}

/// The schemas are strict: a document of which anything is changed to what can never be is refused.
fn damaged(all: &Outputs) {
    let impossible = json!([[[]]]);
    let mut refused = 0;
    for (schema, document) in &all.read {
        let mut places = Vec::new();
        walk(document, String::new(), &mut places);
        // Long documents are much the same all the way.
        for place in places.iter().step_by(places.len() / 40 + 1) {
            for extra in [true, false] {
                let mut wrong = document.clone();
                let part = wrong.pointer_mut(place).expect("a place");
                match (part.as_object_mut(), extra) {
                    (Some(fields), true) => drop(fields.insert("zz zz".into(), impossible.clone())),
                    (Some(_), false) | (None, true) => continue,
                    (None, false) => *part = impossible.clone(),
                }
                assert!(!all.schemas.faults(schema, &wrong).is_empty(), "{schema} takes nonsense at {place}");
                refused += 1;
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

/// Every place of a document.
fn walk(value: &Value, place: String, all: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, item)| walk(item, format!("{place}/{n}"), all));
        }
        Value::Object(fields) => {
            all.push(place.clone());
            for (name, inner) in fields {
                walk(inner, format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        _ => all.push(place),
    }
}
