//! Fractions and points of time without bounds: `check --abstract` and `simulate --abstract`.

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
    if gsmc::smt::find(gsmc::smt::SolverKind::Z3).is_err() {
        println!("skipped: no z3");
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

/// Steps on exact values of any size, and runs of a check made again.
#[test]
fn the_simulator_takes_values_of_any_size() {
    let talk = |text: &str, lines: &str| {
        use std::io::Write;
        let folder = model(text);
        let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
        command.arg("simulate").arg(folder.path().join("model.gsm")).arg("--abstract");
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("gsmc runs");
        child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it listens");
        String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("a text")
    };
    let large = "123456789012345678901234567890.25";
    let said = talk(
        PRICE,
        &format!("1\nOffer at Lot[1], offer = {large}\nundo\nOffer at Lot[1], offer = 2/3\nOffer, offer = x\n"),
    );
    assert!(said.contains(&format!("Lot[1].offer 0 -> {large}")), "{said}");
    assert!(said.contains("Lot[1].offer 0 -> 2/3"), "{said}");
    assert!(said.contains("'x' is no value of offer: any number"), "{said}");
    let said = talk(LOAN, "1\nLend at Loan[1], due = 2026-11-16\nReturn at Loan[1], back = 2026-11-17\n");
    assert!(said.contains("+Loan[1].Late") && said.contains("Loan[1].back (when) 1970-01-01 -> 2026-11-17"), "{said}");
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
