//! Ranges that gsmc guesses are sensible, and told wherever a verdict rests on them.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Numbers of orders, compared as a condition says; `Far` is achieved where it holds.
fn model(condition: &str, property: &str) -> String {
    format!(
        "application Guessed
event Set {{ n: int, m: int }}
type T {{
  n: int
  m: int
  stage S {{
    guard on create
    milestone Far on Set when {condition}
  }}
}}
properties {{
  p: {property}
}}
instances {{ T = 3 }}
"
    )
}

fn gsmc(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(dir).output().expect("gsmc")
}

fn json(dir: &Path, model: &str, args: &[&str]) -> Value {
    std::fs::write(dir.join("model.gsm"), model).expect("a file");
    let output = gsmc(dir, &[&["check", "model.gsm", "--format", "json"], args].concat());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// With numbers at hand each of these has a run, as anybody sees: the guess must not hide it.
#[test]
fn what_can_be_is_within_the_guess() {
    let dir = tempfile::tempdir().expect("a folder");
    for condition in
        ["n == m + 5", "n > m", "n + m == 10", "n * m == 12", "n - m > 7", "n == 3 * m && m != 0", "n / 4 == 6"]
    {
        let results = json(dir.path(), &model(condition, "never(exists t: T (t.Far))"), &["--instances", "T=1"]);
        let r = &results["results"][0];
        assert_eq!(r["verdict"], "false", "{condition}");
        assert_eq!(r["assumptions"], Value::Null, "a run shows it: {condition}");
    }
}

/// Three orders, each with a larger number than the next: three numbers are needed, and found.
#[test]
fn instances_that_differ_one_after_the_other_are_within_the_guess() {
    let dir = tempfile::tempdir().expect("a folder");
    let property = "never(exists x: T (exists y: T (exists z: T (x.n > y.n && y.n > z.n))))";
    assert_eq!(json(dir.path(), &model("true", property), &[])["results"][0]["verdict"], "false");
}

/// 50 times 100 is beyond what is guessed for a product.
#[test]
fn what_rests_on_a_guess_says_so_everywhere() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = model("n * m == 5000", "never(exists t: T (t.Far))").replace("T = 3", "T = 1");
    let results = json(dir.path(), &text, &[]);
    let r = &results["results"][0];
    assert_eq!(r["verdict"], "true");
    let told = r["assumptions"][0].as_str().expect("an assumption");
    assert!(told.starts_with("T.n and T.m are guessed to lie in -64..64,"), "{told}");
    assert!(told.contains("--range T.n=") && told.contains("--abstract"), "{told}");
    assert_eq!(results["machine"]["assumptions"][0], r["assumptions"][0]);
    let shown = String::from_utf8(gsmc(dir.path(), &["check", "model.gsm"]).stdout).expect("text");
    assert!(shown.contains(&format!("assumed: {told}")), "{shown}");
    assert!(shown.contains("With other than the guessed values of data this may be otherwise."), "{shown}");
    assert!(gsmc(dir.path(), &["report", "model.gsm", "-o", "r.html"]).status.success());
    let page = std::fs::read_to_string(dir.path().join("r.html")).expect("a report");
    assert!(page.contains("Assumed: T.n and T.m are guessed to lie in"), "the report says it");
    // As it says: with ranges of one's own nothing is guessed, and the verdict is the other one.
    let given = json(dir.path(), &text, &["--range", "T.n=0..100", "--range", "T.m=0..100"]);
    assert_eq!(given["results"][0]["verdict"], "false");
    assert_eq!(given["machine"]["assumptions"], Value::Null);
}
