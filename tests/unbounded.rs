//! Fractions and points of time without bounds: `check --abstract` and `simulate --abstract`.

#[path = "common/tools.rs"]
mod tools;

use std::path::Path;
use std::process::{Command, Output};

fn gsmc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).output().expect("gsmc runs")
}

fn model(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.gsm"), text).expect("a file");
    folder
}

/// Verdicts, and the names of the predicates.
fn asked(model: &Path) -> (Vec<String>, Vec<String>) {
    let done = gsmc(&["check", model.to_str().expect("a path"), "--abstract", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let all = |list: &serde_json::Value, key: &str| -> Vec<String> {
        list.as_array().expect("a list").iter().map(|r| r[key].as_str().unwrap_or("-").to_string()).collect()
    };
    (all(&json["results"], "verdict"), all(&json["machine"]["abstraction"]["predicates"], "name"))
}

/// A price that is set by offers above it.
const PRICE: &str = "application Price
event Offer { offer: real }
type Lot {
  price: real 0.25.. = 0.5
  offer: real
  stage Raising { guard on Offer when offer > price; task take: assign price = offer; milestone Raised when done(take) }
}
properties {
  between: EF exists l: Lot (l.price > 2.5 && l.price < 2.51);
  low:     AG forall l: Lot (l.price >= 0.5);
  third:   EF exists l: Lot (l.price * 3 == 1.0);
  start:   AG forall l: Lot (l.price != 0.4);
  high:    AG forall l: Lot (l.price <= 1000000.0)
}
";

/// A book is late when it comes back after the day when it is due.
const LOAN: &str = "application Loans
event Lend { due: date }
event Return { back: date }
type Loan {
  due: date
  back: date
  stage Out { guard on Lend; milestone Late on Return when due < back; milestone InTime on Return when back <= due }
}
properties {
  late:  EF exists l: Loan (l.Late && l.due > '2026-11-16' && l.back < '2026-11-19');
  none:  EF exists l: Loan (l.Late && l.due > '2026-11-16' && l.back < '2026-11-18');
  unset: AG forall l: Loan (!l.back -> !(l.back < '2026-11-16') && !(l.back >= '2026-11-16'));
  same:  AG forall l: Loan (!l.back && !l.due -> l.back == l.due);
  apart: AG forall l: Loan (!l.back && l.due -> l.back != l.due && !(l.back < l.due) && !(l.back >= l.due));
  both:  EF exists l: Loan (l.Late && l.InTime)
}
";

/// Worked by hand: only what is above the price comes in, so that it never falls.
#[test]
fn fractions_and_dates_have_no_bounds() {
    if tools::without_solver() {
        return;
    }
    let folder = model(PRICE);
    let (verdicts, _) = asked(&folder.path().join("model.gsm"));
    assert_eq!(verdicts, ["true", "true", "false", "true", "false"]);
    let folder = model(LOAN);
    let (verdicts, predicates) = asked(&folder.path().join("model.gsm"));
    assert_eq!(verdicts, ["true", "false", "true", "true", "true", "false"]);
    assert!(predicates.iter().any(|name| name == "Loan[1]: back < '2026-11-16'"), "{predicates:?}");
    // With bounds there are no points of time, and that is said.
    let done = gsmc(&["check", folder.path().join("model.gsm").to_str().expect("a path")]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("dates are compared with --abstract"));
}

/// Times of day count: within one day there is room for being late, within one second there is none.
#[test]
fn times_of_day_are_kept() {
    if tools::without_solver() {
        return;
    }
    let text = LOAN.replace(": date", ": datetime");
    let (head, _) = text.split_once("properties").expect("properties");
    let folder = model(&format!(
        "{head}properties {{
  day:    EF exists l: Loan (l.Late && l.due >= '2026-11-16' && l.back < '2026-11-17');
  second: EF exists l: Loan (l.Late && l.due >= '2026-11-16T10:00:00' && l.back < '2026-11-16T10:00:01');
  intime: AG forall l: Loan (!l.Late)
}}
"
    ));
    let file = folder.path().join("model.gsm");
    let (verdicts, predicates) = asked(&file);
    assert_eq!(verdicts, ["true", "false", "false"]);
    assert!(predicates.iter().any(|p| p == "Loan[1]: due < '2026-11-16T00:00:00'"), "{predicates:?}");
    // In a log, to the second, whatever the zone is.
    let file = file.to_str().expect("a path");
    for (back, late) in [("08:30:01Z", 1), ("08:30:00", 0), ("09:30:00.5+01:00", 0), ("09:29:59", 1)] {
        let log = folder.path().join("log.csv");
        let rows = "case,activity,due,back\n1,Create_Loan,,\n1,Lend,2026-11-16T08:30:00,\n1,Return,,2026-11-16T";
        std::fs::write(&log, format!("{rows}{back}\n")).expect("a log");
        let done = gsmc(&["replay", file, log.to_str().expect("a path"), "--abstract"]);
        let said = String::from_utf8_lossy(&done.stdout).to_string();
        assert!(
            said.contains(&format!("property intime: true in {}, false in {late}", 1 - late)),
            "{back}: {said}{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
    // The way to XML and back keeps them; without `--abstract` nothing is compared.
    std::fs::write(file, "application A\ntype T { due: datetime; stage S { guard when !due } }\n").expect("a model");
    let done = gsmc(&["convert", file, "--to", "barcelona", "-o", folder.path().join("xml").to_str().expect("a path")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let dir = folder.path().join("xml");
    let done = gsmc(&["convert", dir.to_str().expect("a path"), "--one-file"]);
    let back = String::from_utf8_lossy(&done.stdout).to_string();
    assert!(back.contains("due: datetime"), "{back}{}", String::from_utf8_lossy(&done.stderr));
}

/// A model that compares dates can be looked at and written down, though only `--abstract` decides about it; a zone can be typed.
#[test]
fn models_that_compare_dates_are_shown_and_converted() {
    let folder = model(LOAN);
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_string();
    let file = path("model.gsm");
    let run = |args: &[&str]| {
        let done = gsmc(args);
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("a text")
    };
    assert!(run(&["validate", &file]).contains("milestones      2"));
    assert!(String::from_utf8_lossy(&gsmc(&["validate", &file]).stderr).contains("check it with --abstract"));
    assert!(run(&["graph", &file, "--format", "svg"]).contains("InTime"));
    run(&["convert", &file, "--to", "barcelona", "-o", &path("xml")]);
    let back = run(&["convert", &path("xml"), "--one-file"]);
    in_order(&back, &["due < back", "back <= due", "l.back < '2026-11-19'"]);
    // What is wrong with or without bounds is told as it always is.
    std::fs::write(&file, LOAN.replace("when due < back", "when due < bakc")).expect("a model");
    let done = gsmc(&["validate", &file]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("bakc"));
    let lines = "1\nLend at Loan[1], due = 2026-11-16T08:30:00+01:00\n";
    let said = talk(&LOAN.replace(": date", ": datetime"), lines);
    in_order(&said, &["Loan[1].due (when) 1970-01-01T00:00:00 -> 2026-11-16T07:30:00"]);
}

/// Somebody who sees `a` and not `b`, and somebody who sees both, both without bounds.
fn watched(kind: &str, is: &str) -> String {
    format!(
        "application Sale
event Show {{ a: {kind} }}
event Hide {{ b: {kind} }}
type Lot {{
  a: {kind}
  b: {kind}
  stage Shown {{ guard on Show }}
  stage Hidden {{ guard on Hide }}
}}
agents {{
  role Watcher {{ view: a; instantiation: Lot; }};
  role Keeper {{ view: a, b; }};
  agent Ann {{ role: Watcher; protocol: Create_Lot: true -> ; }};
  agent Bob {{ role: Keeper; protocol: Show: true -> , Hide: true -> ; }};
}}
properties {{
  seen:   AG forall l: Lot (l.a {is} -> K(Ann, l.a {is}));
  hidden: AG forall l: Lot (l.b {is} -> K(Ann, l.b {is}));
  both:   AG forall l: Lot (l.b {is} && l.a {is} -> K(Bob, l.b {is} && l.a {is}));
  never:  EF exists l: Lot (K(Ann, l.b {is}))
}}
abstraction {{ attributes = [\"Lot.a\", \"Lot.b\"] }}
"
    )
}

/// Worked by hand: what Ann sees she knows; that something came in she sees, but it may as well have been something else.
#[test]
fn who_sees_fractions_dates_and_texts_knows_them() {
    if tools::without_solver() {
        return;
    }
    for (kind, is) in [("real", "> 1.5"), ("date", "> '2026-11-16'"), ("string", "== 'Eve'"), ("int", "> 7")] {
        let folder = model(&watched(kind, is));
        let (verdicts, _) = asked(&folder.path().join("model.gsm"));
        assert_eq!(verdicts, ["true", "false", "true", "false"], "{kind}");
    }
}

/// What the simulator says to some lines.
fn talk(text: &str, lines: &str) -> String {
    use std::io::Write;
    let folder = model(text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.arg("simulate").arg(folder.path().join("model.gsm")).arg("--abstract");
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("gsmc runs");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it listens");
    String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("a text")
}

/// Every part stands in a text, in this order.
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in\n{rest}\nof\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

/// Steps on exact values of any size, with reasons, and runs of a check made again.
#[test]
fn the_simulator_takes_values_of_any_size() {
    let large = "123456789012345678901234567890.25";
    let offer = format!("Lot[1].offer 0 -> {large}");
    let held = format!("offer = {large}");
    let said = talk(
        PRICE,
        &format!(
            "1\nOffer offer=2/3\nundo\nOffer at Lot[1], offer = {large}\nwhy Raising\nOffer, offer = x\nOffer size=1\ndone take\nwhy price\n"
        ),
    );
    in_order(
        &said,
        &["Offer takes any value of offer (any number)", "Lot[1].offer 0 -> 2/3", &offer, "+Lot[1].Raising"],
    );
    in_order(
        &said,
        &["> why Raising", "offer > price = true", &held, "price = 0.5", "'x' is no value of offer: any number"],
    );
    in_order(&said, &["Offer carries no 'size'", &format!("Lot[1].price 0.5 -> {large}")]);
    // What nothing compares with can be anything, and is offered.
    in_order(&talk(INVOICE, "1\n"), &["Bill at Invoice[1] (number = 0, amount = 0)", "Bill takes any value of number"]);
    // An offer that is not above the price opens nothing.
    let said = talk(PRICE, "1\nOffer offer=0.3\nwhynot Raising\n");
    in_order(&said, &["Offer offer=0.3: that is not possible here"]);
    let lines = "1\nLend at Loan[1], due = 2026-11-16\nReturn at Loan[1], back = 2026-11-17\nwhy Late\nwhynot InTime\n";
    let said = talk(LOAN, lines);
    in_order(&said, &["Loan[1].back (when) 1970-01-01 -> 2026-11-17", "+Loan[1].Late", "> why Late"]);
    in_order(&said, &["> why Late", "due < back = true", "due = 2026-11-16", "back = 2026-11-17"]);
    in_order(&said, &["> whynot InTime", "did not fire", "back <= due = false  <--"]);
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_ok() {
        for text in [PRICE, LOAN] {
            let folder = model(text);
            let (file, traces) = (folder.path().join("model.gsm"), folder.path().join("traces"));
            let (file, dir) = (file.to_str().expect("a path"), traces.to_str().expect("a path"));
            gsmc(&["check", file, "--abstract", "--trace-dir", dir]);
            let found: Vec<_> = std::fs::read_dir(&traces).expect("traces").flatten().collect();
            assert!(!found.is_empty());
            for trace in found {
                let trace = trace.path();
                let done = gsmc(&["simulate", file, "--abstract", "--trace", trace.to_str().expect("a path")]);
                assert_eq!(done.status.code(), Some(0), "{trace:?}: {}", String::from_utf8_lossy(&done.stderr));
            }
        }
    }
}

/// Invoices of any amount.
const INVOICE: &str = "application Payments
event Bill { number: int, amount: real }
event Pay { paid: real }
type Invoice {
  number: int
  amount: real
  paid: real
  stage Waiting { guard on Bill; milestone Settled on Pay when paid >= amount; milestone Short on Pay when paid < amount }
}
properties {
  settled: AG forall i: Invoice (i.Settled -> i.paid >= i.amount);
  never:   AG forall i: Invoice (i.number != 7)
}
";

/// Worked by hand: a is paid to the cent, b a cent short, c is paid before there is a bill, d has an amount that is no number.
const LOG: &str = "case,activity,time,number,amount,paid
a,Create_Invoice,2026-01-01T08:00:00,,,
a,Bill,2026-01-01T09:00:00,1000000000000,12345.67,
a,Pay,2026-01-02T09:00:00,,,12345.67
b,Create_Invoice,2026-01-01T08:00:00,,,
b,Bill,2026-01-01T09:00:00,7,1.0E3,
b,Pay,2026-01-02T09:00:00,,,999.99
c,Create_Invoice,2026-01-01T08:00:00,,,
c,Pay,2026-01-02T09:00:00,,,5
d,Create_Invoice,2026-01-01T08:00:00,,,
d,Bill,2026-01-01T09:00:00,3,twelve,
";

/// Amounts beyond every range of the model are no deviations, with and without `--abstract`.
#[test]
fn recorded_amounts_are_followed_exactly() {
    let folder = model(INVOICE);
    std::fs::write(folder.path().join("log.csv"), LOG).expect("a file");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_string();
    for more in [None, Some("--abstract")] {
        let (file, log) = (path("model.gsm"), path("log.csv"));
        let args = ["replay", "-m", &file, &log, "--format", "json"].into_iter().chain(more).collect::<Vec<_>>();
        let done = gsmc(&args);
        assert_eq!(done.status.code(), Some(1));
        let told = String::from_utf8_lossy(&done.stderr).contains("cases are followed with exact values");
        assert_eq!(told, more.is_none());
        let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        let cases = json["cases"].as_array().expect("cases");
        let about = |name: &str| cases.iter().find(|c| c["case"] == name).expect("the case");
        assert_eq!((&about("a")["fit"], &about("b")["fit"]), (&true.into(), &true.into()));
        assert_eq!(about("a")["properties"]["never"], "true so far");
        assert_eq!(about("b")["properties"]["never"], "false permanent");
        assert_eq!(about("b")["properties"]["settled"], "true so far");
        let deviation = |name: &str| about(name)["deviations"][0]["kind"].as_str().unwrap_or_default().to_string();
        assert_eq!((deviation("c"), deviation("d")), ("not-applicable".into(), "wrong-value".into()));
    }
    let done = gsmc(&["replay", "-m", &path("model.gsm"), &path("log.csv"), "--case", "b"]);
    let said = String::from_utf8_lossy(&done.stdout).to_string();
    in_order(&said, &["Bill at Invoice[1] (number = 7, amount = 1000)", "Pay at Invoice[1] (paid = 999.99)"]);
}

/// Counted up from 0; what decides is whether 2 is behind `n < 3`.
const COUNTER: &str = "application Counter
event Tick
type Counter {
  n: int
  stage Counting { guard on Tick; task up: add n; milestone Counted when done(up) }
}
properties { three: EF exists c: Counter (c.n == 3) }
";

/// Worked by hand: the step to 3 is open where n is below 3, and 2 before the step is what decides it.
#[test]
fn what_is_unknown_names_snapshot_step_and_predicate() {
    if tools::without_solver() {
        return;
    }
    let folder = model(COUNTER);
    let file = folder.path().join("model.gsm").to_str().expect("a path").to_string();
    let bare = ["check", &file, "--abstract", "--refine", "0", "--no-runs"];
    let done = gsmc(&[bare.as_slice(), &["--format", "json"]].concat());
    assert_eq!(done.status.code(), Some(3));
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let cause = &json["results"][0]["cause"];
    assert_eq!(cause["action"]["event"], "done up");
    assert_eq!(cause["action"]["target"], "Counter[1]");
    assert_eq!(cause["predicate"], "Counter[1]: n == 3");
    assert_eq!(cause["depends_on"], "Counter[1]: n == 2");
    assert_eq!(cause["snapshot"]["Counter[1].Counting"], true);
    assert_eq!(cause["predicates"]["Counter[1]: n == 3"], false);
    let run = cause["may_run"].as_array().expect("a run");
    let events: Vec<&str> = run.iter().filter_map(|s| s["event"].as_str()).collect();
    assert_eq!(events, ["Create_Counter", "Tick"]);
    let text = gsmc(&bare);
    let text = String::from_utf8_lossy(&text.stdout).to_string();
    let said = "it is open whether done up by AutoAgent at Counter[1] leads to Counter[1]: n == 3: that depends on Counter[1]: n == 2";
    assert!(text.contains(said), "{text}");
}

/// A number that comes with the creation, and a run that is looked for step by step.
#[test]
fn what_comes_with_a_creation() {
    let folder = model(
        "application New
type T {
  n: int
  created by Create_T { n }
  stage S {
    guard on create
    milestone M when n > 100
  }
}
properties {
  seven: EF exists x: T (x.S && x.n == 7);
  at-once: EF exists x: T (x.M && x.n == 1000)
}
",
    );
    let file = folder.path().join("model.gsm");
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_ok() {
        // The milestone waits for the stage to be open before the step, and there is no other step.
        assert_eq!(asked(&file).0, ["true", "false"]);
    }
}

/// Elements of bags are told apart by numbers with fractions, too: at a constant, and on either side of it. Worked by hand: `limit` is 2.5, what
/// comes in is not below 0, and 2.75 alone can be taken out.
#[test]
fn bags_of_fractions() {
    let folder = model(
        "application Bags
event Go { r: real }
event Drop
type B {
  limit: real = 2.5
  g: bag { r: real 0.. }
  stage S { guard on Go; task t: add g { r = payload.r }; milestone M when done(t) }
  stage D { guard on Drop when g.exists(r > 2.5); task d: remove g { r = 2.75 }; milestone Dropped when done(d) }
  stage C { guard on Drop when g.count(r <= 2.5) >= 2; task e: add g { r = limit }; milestone Copied when done(e) }
}
properties {
  between: EF exists b: B (b.g.exists(r > 2.5 && r < 2.75));
  nowhere: EF exists b: B (b.g.exists(r > 2.5 && r < 2 + 0.5));
  at-most: AG forall b: B (b.g.count(r <= 2.5) == b.g.count(r < 2.5) + b.g.count(r == 2.5));
  all:     AG forall b: B (b.g.size() == b.g.count(r < 2.75) + b.g.count(r == 2.75) + b.g.count(r > 2.75));
  below:   EF exists b: B (b.g.exists(r < 0));
  copied:  AG forall b: B (b.Copied -> b.g.exists(r == 2.5) || b.C);
  gone:    EF exists b: B (b.Dropped && b.g.isEmpty());
  kept:    EF exists b: B (b.Dropped && b.g.size() == 1 && b.g.exists(r > 2.75))
}
",
    );
    let file = folder.path().join("model.gsm");
    if !tools::without_solver() {
        let expected = ["true", "false", "true", "true", "false", "true", "true", "true"];
        assert_eq!(asked(&file).0, expected);
    }
    // A third has no digits to write it with.
    std::fs::write(&file, "application A\ntype T { b: bag real; stage S { guard when b.exists(self > 1 / 3) } }\n")
        .expect("a model");
    let done = gsmc(&["check", file.to_str().expect("a path"), "--abstract"]);
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && told.contains("write the number with its digits"), "{told}");
}

/// The counts of abstract snapshots that may and must be reached, and verdicts.
fn counted(model: &Path) -> (Vec<String>, [String; 2]) {
    let done = gsmc(&["check", model.to_str().expect("a path"), "--abstract", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let all = json["results"].as_array().expect("a list");
    let verdicts = all.iter().map(|r| r["verdict"].as_str().unwrap_or("-").to_string()).collect();
    let count = |key: &str| json["machine"]["abstraction"][key].as_str().unwrap_or("-").to_string();
    (verdicts, [count("may_states"), count("must_states")])
}

/// The ends that a field of a message has count, also where a task copies it into a number with others.
#[test]
fn payload_keeps_its_own_ends() {
    if tools::without_solver() {
        return;
    }
    let text = |x: &str| {
        format!(
            "application A
event E {{ p: int 2..3 }}
type T {{
  x: {x}
  stage S {{ guard on E; task t: assign x = payload.p; milestone M when done(t) }}
}}
properties {{
  written: AG forall t: T (t.M -> t.x >= 2);
  small:   AG forall t: T (t.M -> t.x <= 3);
  zero:    EF exists t: T (t.M && t.x == 0)
}}
"
        )
    };
    for x in ["int", "int 0..", "int 0..1000"] {
        let folder = model(&text(x));
        std::fs::write(folder.path().join("gsmc.toml"), "model = \"model.gsm\"\n[abstraction]\nattributes = \"all\"\n")
            .expect("a project");
        assert_eq!(asked(folder.path()).0, ["true", "true", "false"], "{x}");
    }
}

/// What is kept for a task that fills abstracted data is abstracted, too, whatever ends it has. By hand: not created; created; S is open
/// and the task has its value, with `x <= 2` as ever; and the same when it is done.
#[test]
fn what_a_task_keeps_is_abstracted() {
    if tools::without_solver() {
        return;
    }
    let folder = model(
        "application A
event E { p: T.y }
type T {
  x: int 0..4 = 2
  y: int 0..2 = 1
  stage S { guard on E; task t: assign y = payload(E).p; milestone M when done(t) }
}
properties { low: AG forall t: T (t.S -> t.x <= 2) }
options { keep_all = true }
",
    );
    let project = "model = \"model.gsm\"\n[abstraction]\nattributes = \"all\"\n";
    std::fs::write(folder.path().join("gsmc.toml"), project).expect("a project");
    let (verdicts, counts) = counted(folder.path());
    assert_eq!(verdicts, ["true"]);
    assert_eq!(counts, ["4", "4"]);
}

/// A number that goes into a field with ends becomes the nearest one, and `overflow` says so: with bounds and without.
#[test]
fn elements_of_bags_stay_within_their_ends() {
    let folder = model(
        "application S
event E { v: int 0..9 }
type T {
  n: int
  b: bag { a: int 0..5 }
  stage S { guard on E; task t: assign n = payload.v, add b { a = payload.v }; milestone M when done(t) }
}
properties {
  cut:    AG forall t: T (t.M && t.b.size() == 1 && t.n == 9 -> t.b.exists(a == 5));
  told:   AG forall t: T (t.M && t.b.size() == 1 && t.n == 9 -> overflow);
  within: AG forall t: T (t.M && t.b.size() == 1 && t.n == 4 && !overflow -> t.b.exists(a == 4));
  never:  AG forall t: T (t.b.count(a > 5) + t.b.count(a < 0) == 0)
}
",
    );
    let file = folder.path().join("model.gsm");
    let path = file.to_str().expect("a path");
    if !tools::without_solver() {
        assert_eq!(asked(&file).0, ["true"; 4]);
    }
    let done = gsmc(&["check", path, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert!(json["results"].as_array().expect("a list").iter().all(|r| r["verdict"] == "true"), "{json}");
    // A bag begins empty, so that a range that begins elsewhere makes no sense.
    let done = gsmc(&["check", path, "--range", "T.b=1..2"]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("begins at 0, not at 1"));
}

/// Where somebody always has to act, a snapshot in which nobody can is an error, as it is with bounds.
#[test]
fn who_must_not_idle_and_cannot_act() {
    if tools::without_solver() {
        return;
    }
    let text = "application A
event E
type T {
  x: int
  created by Create_T { x }
  stage S { guard on E when x > 1 }
}
agents { role R { instantiation: T; }; agent A { role: R; }; }
properties { opened: LTL F exists t: T (t.S); ax: EF AX false }
options { idle = never }
";
    let folder = model(text);
    assert_eq!(counted(&folder.path().join("model.gsm")).0, ["error", "error"]);
    let folder = model(&text.replace("idle = never", "idle = always"));
    assert_eq!(counted(&folder.path().join("model.gsm")).0, ["false", "false"]);
}

/// Numbers that are divided by one another are no reason to wait for ever, nor to know less of the rest.
#[test]
fn division_of_numbers_without_bounds_ends() {
    if tools::without_solver() {
        return;
    }
    let folder = model(
        "application N
event Set { n: int }
type C {
  n: int
  m: int
  stage S { guard on Set; task t: assign m = n; milestone M when done(t) }
}
properties {
  three: EF exists c: C (c.n == 3);
  one:   AG forall c: C (c.m != 0 && c.n == c.m -> c.n / c.m == 1)
}
",
    );
    assert_eq!(counted(&folder.path().join("model.gsm")).0, ["true", "true"]);
}

/// What may and what must happen can be handed to other checkers: two folders, each with the machine in every language.
#[test]
fn both_sides_are_exported() {
    if tools::without_solver() {
        return;
    }
    let folder = model(LOAN);
    let (file, out) = (folder.path().join("model.gsm"), folder.path().join("out"));
    let done = gsmc(&["export", file.to_str().expect("a path"), "--abstract", "-o", out.to_str().expect("a path")]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let written = |side: &str, ending: &str| {
        let files = std::fs::read_dir(out.join(side)).expect("a folder").flatten().map(|f| f.path());
        let found = files.into_iter().find(|f| f.extension().is_some_and(|e| e == ending)).expect("a file");
        std::fs::read_to_string(found).expect("a text")
    };
    for ending in ["smv", "pml", "ispl"] {
        assert_ne!(written("may", ending), written("must", ending), "{ending}");
    }
    // A run may end anywhere on the side of what must be possible, and nowhere on the other.
    // Without a solver there is nothing to export, and that is no mistake of the model.
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.args(["export", "--abstract", "-o"]).arg(folder.path().join("none")).arg(&file).env("GSMC_Z3", "/no/z3");
    assert_eq!(command.output().expect("gsmc runs").status.code(), Some(3));
    assert!(!folder.path().join("none").exists());
    let sinks = |side: &str| written(side, "smv").matches("sink").count();
    assert!(sinks("must") > sinks("may"));
}
