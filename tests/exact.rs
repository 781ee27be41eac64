//! Values without bounds as people meet them: in words, in recorded cases, in files of runs and in pictures.

#[path = "common/tools.rs"]
mod tools;

use std::process::{Command, Output};

fn gsmc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).output().expect("gsmc runs")
}

/// A folder with files, to be named by their paths in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn of(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        files.iter().for_each(|(name, text)| std::fs::write(folder.path(name), text).expect("a file"));
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path").to_string()
    }
}

fn out(done: &Output) -> String {
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Letters from somebody to somebody.
const LETTERS: &str = "application Letters
type Letter {
  from: string
  to: string
  created by Create_Letter { from, to }
}
properties {
  other: EF exists l: Letter (l.from == l.to && l.from != 'Ann');
  @expect false
  never: AG forall l: Letter (l.from == l.to -> l.from != 'Ann')
}
";

#[test]
fn texts_are_shown_as_the_model_writes_them() {
    if tools::without_solver() {
        return;
    }
    let folder = Folder::of(&[("model.gsm", LETTERS)]);
    let said = out(&gsmc(&["check", &folder.path("model.gsm"), "--abstract"]));
    for part in ["from is not 'Ann'", "`Letter[1].from != 'Ann'` is true", "(step 1) from is 'Ann', while"] {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
}

/// Lots for which somebody offers an amount.
const LOTS: &str = "application Lots
event Bid { amount: real, who: string }
type Lot {
  amount: real 0.01..
  who: string
  other: string
  stage Open { guard on Bid when amount > 2.5 || who == 'ann' }
}
properties { own: EF exists l: Lot (l.Open && l.who == l.other) }
";

#[test]
fn conditions_on_payload_are_shown_as_the_model_writes_them() {
    let log = "case,activity,time,amount,who\na,Create_Lot,2026-01-01,,\na,Bid,2026-01-02,2.5,zoe\n";
    let folder = Folder::of(&[("model.gsm", LOTS), ("log.csv", log)]);
    let said = out(&gsmc(&["replay", &folder.path("model.gsm"), &folder.path("log.csv"), "--abstract"]));
    assert!(said.contains("amount > 2.5 or who == 'ann' does not hold"), "{said}");
}

/// An order is paid only if it was large, which the log does not say.
const ORDERS: &str = "application Orders
event Pay
type Order {
  total: int
  no: int 0..100
  created by Create_Order { total, no }
  stage Paying { guard on create; milestone Paid on Pay when total > 10 && no > 3 }
}
properties { pays: LTL F exists o: Order (o.Paid) }
";

#[test]
fn what_a_log_leaves_open_is_tried_with_what_later_steps_compare() {
    let log = "case,activity,time,no\n5,Create_Order,2026-01-01,5\n5,Pay,2026-01-02,\n";
    let folder = Folder::of(&[("model.gsm", ORDERS), ("log.csv", log)]);
    let (model, log) = (folder.path("model.gsm"), folder.path("log.csv"));
    let done = gsmc(&["replay", &model, &log, "--abstract", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!(json["cases"][0]["fit"], true, "{json}");
}

/// What is created with a number can be done only if it is large.
const LARGE: &str = "application Large
event Go
type Thing {
  x: int
  r: real
  created by Create_Thing { x, r }
  stage Doing { guard on create; milestone Done on Go when x > 5000 }
}
properties { done: EF exists t: Thing (t.Done && t.x == 7000 && t.r * 3 == 1.0) }
";

/// Files of runs, in both formats, are replayed and drawn.
#[test]
fn runs_in_files_are_made_again() {
    if tools::without_solver() {
        return;
    }
    let folder = Folder::of(&[("model.gsm", LARGE)]);
    let (model, traces) = (folder.path("model.gsm"), folder.path("traces"));
    for (format, ending) in [("itf", "itf.json"), ("json", "json")] {
        gsmc(&["check", &model, "--abstract", "--trace-dir", &traces, "--trace-format", format]);
        let file = folder.path(&format!("traces/done.native.{ending}"));
        let done = gsmc(&["simulate", &model, "--abstract", "--trace", &file]);
        assert_eq!(done.status.code(), Some(0), "{format}: {}", String::from_utf8_lossy(&done.stderr));
        assert!(out(&done).contains("(x = 7000, r = 1/3)"), "{}", out(&done));
        let drawn = gsmc(&["graph", &model, "--abstract", "--trace", &file]);
        assert_eq!(drawn.status.code(), Some(0), "{format}: {}", String::from_utf8_lossy(&drawn.stderr));
        assert!(out(&drawn).contains("0 -> 1/3"), "{}", out(&drawn));
    }
}
