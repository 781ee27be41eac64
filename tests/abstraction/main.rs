//! `gsmc check --abstract`: numbers without bounds.

#[path = "../common/tools.rs"]
mod tools;

mod random;
mod refine;
mod solvers;
mod told;

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
    if tools::without_solver() {
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
    assert_eq!(words(&bare, "decided_by"), ["-", "abstraction", "abstraction", "abstraction"]);
    assert!(bare["results"][0].get("decided_by").is_some_and(serde_json::Value::is_null), "nobody did: {bare:#}");
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

/// Verdicts, the rounds and the names of the predicates with the rounds that added them.
fn asked(model: &Path, more: &[&str]) -> (Vec<String>, u64, Vec<(String, u64)>) {
    let args = [&["check", model.to_str().expect("a path"), "--abstract", "--format", "json"], more].concat();
    let done = gsmc(&args, None);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let verdict = |r: &serde_json::Value| r["verdict"].as_str().unwrap_or("-").to_string();
    let verdicts = json["results"].as_array().expect("results").iter().map(verdict).collect();
    let abstraction = &json["machine"]["abstraction"];
    let named = |p: &serde_json::Value| {
        let from = p["name"].as_str().zip(p["round"].as_u64());
        from.map(|(name, round)| (name.to_string(), round)).expect("a name and a round")
    };
    let predicates = abstraction["predicates"].as_array().expect("predicates").iter().map(named).collect();
    (verdicts, abstraction["rounds"].as_u64().expect("rounds"), predicates)
}

fn model(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.gsm"), text).expect("a file");
    folder
}

/// The counter of the guide does what the guide says.
#[test]
fn the_guide_tells_the_truth() {
    if tools::without_solver() {
        return;
    }
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/abstraction.md"));
    let page = page.expect("the guide");
    let text = page.split("```").nth(1).expect("an example").trim_start();
    let folder = model(text);
    let file = folder.path().join("model.gsm");
    let named = |name: &str, round: u64| (format!("Counter[1]: x {name}"), round);
    let first = vec![named("== 3", 0), named("< 3", 0)];
    assert_eq!(
        asked(&file, &["--refine", "0", "--no-runs"]),
        (vec!["unknown".into(), "true".into()], 0, first.clone())
    );
    let (verdicts, rounds, predicates) = asked(&file, &["--no-runs"]);
    assert_eq!((verdicts, rounds), (vec!["true".into(), "true".into()], 2));
    let found = [named("== 2", 1), named("< 2", 1), named("== 1", 2), named("< 1", 2)];
    assert_eq!(predicates, [first.as_slice(), &found].concat());
    // An actual run needs no further predicate.
    assert_eq!(asked(&file, &[]).1, 0);
}

/// What refinement would find can be given, and then nothing has to be found.
#[test]
fn predicates_can_be_given() {
    if tools::without_solver() {
        return;
    }
    let folder = order_to_cash();
    let project = folder.path().join("gsmc.toml");
    let text = std::fs::read_to_string(&project).expect("gsmc.toml");
    let given = "[abstraction]\nattributes = [\"CustomerOrder.Parts\"]\nrefine = 0\n\
                 predicates = [\"CustomerOrder: Parts == 0 || Parts == 1\", \"x: CustomerOrder: x.Parts == 2\"]\n";
    std::fs::write(&project, format!("{text}\n{given}")).expect("gsmc.toml");
    let (verdicts, rounds, predicates) = asked(folder.path(), &["--no-runs"]);
    assert_eq!((verdicts, rounds), (["true", "false", "true", "false"].map(String::from).to_vec(), 0));
    for value in 0..3 {
        let wanted = (format!("CustomerOrder[1]: Parts == {value}"), 0);
        assert!(predicates.contains(&wanted), "{wanted:?} in {predicates:?}");
    }
    let idle = given.replace("x.Parts == 2", "x.Fulfilling");
    std::fs::write(&project, format!("{text}\n{idle}")).expect("gsmc.toml");
    let done = gsmc(&["check", folder.path().to_str().expect("a path"), "--abstract", "--no-runs"], None);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("this predicate is about nothing that is abstracted"), "{said}");
}

/// A club: who is on the way in is already told apart as the bag will tell members apart.
const CLUB: &str = "application Club
event Join { Age: int 0.. }
event Leave
type Club {
  Members: bag { Age: int 0.. }
  stage In { guard on Join when Members.size() < 2; task admit: add Members { Age = payload.Age }; milestone Admitted when done(admit) }
  stage Out { guard on Leave; task leave: remove Members; milestone Left when done(leave) }
}
properties {
  grown:    EF exists c: Club (c.Members.exists(Age >= 18));
  children: AG forall c: Club (c.Members.forAll(Age < 18));
  two:      AG forall c: Club (c.Members.size() <= 2);
  empty:    AG EF forall c: Club (c.Members.isEmpty())
}
";

#[test]
fn a_record_on_its_way_into_a_bag_keeps_its_kind() {
    if tools::without_solver() {
        return;
    }
    let folder = model(CLUB);
    let file = folder.path().join("model.gsm");
    let (verdicts, _, predicates) = asked(&file, &["--refine", "0", "--no-runs"]);
    // Somebody of 18 who comes in is counted among the grown-ups, without any further predicate.
    assert_eq!(verdicts, ["true", "false", "true", "true"]);
    assert!(predicates.contains(&("Club[1]: admit.Age < 18".to_string(), 0)), "{predicates:?}");
}

/// Bags with a range on every engine that is here.
#[test]
fn bags_on_external_checkers() {
    let folder = model(&format!("{CLUB}ranges {{ Club.Members = [0, 2] }}\n"));
    let file = folder.path().join("model.gsm");
    let file = file.to_str().expect("a path");
    let done = gsmc(&["check", file, "--backend", "all", "--format", "json"], None);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let expected = [("grown", "true"), ("children", "false"), ("two", "true"), ("empty", "true")];
    for result in json["results"].as_array().expect("results") {
        let (name, verdict) = (result["property"].as_str(), result["verdict"].as_str());
        let wanted = expected.iter().find(|(p, _)| Some(*p) == name).map(|(_, v)| *v);
        let answered = matches!(verdict, Some("true" | "false"));
        assert!(!answered || verdict == wanted, "{result:#}");
        assert!(answered || result["backend"] != "native", "{result:#}");
    }
}

/// Names that are only compared with each other: there is always another one.
#[test]
fn texts_have_no_bounds() {
    if tools::without_solver() {
        return;
    }
    let folder = model(
        "application Letters
event Ask { from: string }
event Answer { to: string }
type Letter {
  from: string
  to: string
  stage Asking { guard on Ask; milestone Agreed on Answer when to == from && from != 'Ann' }
}
properties {
  two-others: EF exists l: Letter (l.from != l.to && l.from != 'Ann' && l.to != 'Ann' && l.from != 'Bob' && l.to != 'Bob');
  another:    EF exists l: Letter (l.Agreed && l.from == l.to && l.to != 'Bob');
  bob:        EF exists l: Letter (l.Agreed && l.from == 'Bob');
  ann:        AG forall l: Letter (l.Agreed -> l.from != 'Ann');
  same:       AG forall l: Letter (l.from == 'Ann' && l.to == 'Bob' -> l.from != l.to)
}
",
    );
    let file = folder.path().join("model.gsm");
    let args = ["check", file.to_str().expect("a path"), "--abstract", "--format", "json"];
    let json: serde_json::Value = serde_json::from_slice(&gsmc(&args, None).stdout).expect("JSON");
    let results = json["results"].as_array().expect("results");
    let verdicts: Vec<&str> = results.iter().filter_map(|r| r["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["true"; 5], "{json:#}");
    let abstraction = &json["machine"]["abstraction"];
    assert_eq!(abstraction["attributes"], serde_json::json!(["Letter.from", "Letter.to"]));
    let predicates = abstraction["predicates"].as_array().expect("predicates");
    let names: Vec<&str> = predicates.iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(names.contains(&"Letter[1]: from == 'Ann'"), "{names:?}");
    // The run has names in it, and two that nobody calls by name differ.
    let bob = &results[2]["trace"]["steps"].to_string();
    assert!(bob.contains("\"Bob\""), "{bob}");
    let steps = &results[0]["trace"]["steps"].to_string();
    assert!(steps.contains("another text"), "{steps}");
}

/// Checkers that know nothing of abstraction get both sides, and never contradict.
#[test]
fn checkers_get_both_sides() {
    if tools::without_solver() {
        return;
    }
    let folder = model(&CLUB.replace("empty:    AG EF", "soon:     LTL G"));
    let file = folder.path().join("model.gsm");
    let args = ["check", file.to_str().expect("a path"), "--abstract", "--backend", "all", "--format", "json"];
    let done = gsmc(&args, None);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_ne!(done.status.code(), Some(4), "{json:#}");
    let expected = [("grown", "true"), ("children", "false"), ("two", "true"), ("soon", "false")];
    for result in json["results"].as_array().expect("results") {
        let wanted = expected.iter().find(|(p, _)| result["property"] == *p).map(|(_, v)| *v);
        let verdict = result["verdict"].as_str();
        // Here may and must are the same, so that who can decide at all decides everything.
        assert!(verdict == wanted || matches!(verdict, Some("error" | "unsupported")), "{result:#}");
        assert!(verdict == wanted || result["backend"] != "native", "{result:#}");
    }
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
    if tools::without_solver() {
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

/// A tank whose level is measured again and again.
const TANK: &str = "application Tank
event Fill { level: int 0.. }
type Tank {
  level: int 0..
  stage Holding { guard on Fill; milestone Measured on Fill }
}
properties {
  next:   AX AX forall t: Tank (t.level < 7);
  some:   EX EX exists t: Tank (t.level > 7);
  never:  AF exists t: Tank (t.level > 7);
  stays:  EG forall t: Tank (t.level < 7);
  until:  E (forall t: Tank (t.level < 3) U exists t: Tank (t.level > 100));
  all:    A (forall t: Tank (t.level < 3) U exists t: Tank (t.level > 100));
  swings: LTL !(G F exists t: Tank (t.level > 5) && G F exists t: Tank (t.level == 2));
  back:   AG (exists t: Tank (t.level > 9) -> AF exists t: Tank (t.level == 1))
}
";

/// Whatever a single run can show is shown by one, over values without bounds; where it goes on for ever, all values come again.
#[test]
fn runs_show_what_they_can() {
    if tools::without_solver() {
        return;
    }
    let folder = model(TANK);
    let file = folder.path().join("model.gsm");
    let args = ["check", file.to_str().expect("a path"), "--abstract", "--format", "json"];
    let json: serde_json::Value = serde_json::from_slice(&gsmc(&args, None).stdout).expect("JSON");
    let expected = [
        ("next", "false", false),
        ("some", "true", false),
        ("never", "false", true),
        ("stays", "true", true),
        ("until", "true", false),
        ("all", "false", false),
        ("swings", "false", true),
        ("back", "false", true),
    ];
    let results = json["results"].as_array().expect("results");
    assert_eq!(results.len(), expected.len());
    for (result, (name, verdict, lasso)) in results.iter().zip(expected) {
        assert_eq!((&result["property"], &result["verdict"]), (&name.into(), &verdict.into()), "{result:#}");
        let trace = &result["trace"];
        assert_eq!(trace["certified"], true, "{name}: {result:#}");
        let start = trace["loop_start"].as_u64();
        assert_eq!(start.is_some(), lasso, "{name}: {trace:#}");
        // The snapshots, from the changes.
        let mut now = trace["initial"].as_object().expect("values").clone();
        let mut snapshots = vec![now.clone()];
        for step in trace["steps"].as_array().expect("steps") {
            now.extend(step["changes"].as_object().expect("changes").clone());
            snapshots.push(now.clone());
        }
        if let Some(start) = start {
            assert_eq!(snapshots.get(start as usize), snapshots.last(), "{name}: the loop closes");
        }
        if name == "swings" {
            let levels: Vec<i64> = snapshots.iter().filter_map(|s| s["Tank[1].level"].as_i64()).collect();
            let turn = &levels[start.unwrap_or_default() as usize..];
            assert!(turn.iter().any(|l| *l > 5) && turn.contains(&2), "{levels:?}");
        }
    }
}

#[test]
fn answers_without_bounds_have_their_sentences() {
    if tools::without_solver() {
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
    assert_eq!(
        said("three"),
        "After task up is done (step 7) x is 3 (for which guard Ticks of Counting made way in step 6)."
    );
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
    assert!(ended.ends_with("needs that `Counter[1].x < 3`, which is never so when Stop comes."), "{ended}");
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
