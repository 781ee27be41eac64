//! Solvers that are missing, misbehave or disagree.

use super::{CLUB, gsmc, model, order_to_cash, tools};
use std::path::Path;
use std::process::Command;

/// Without any solver on the way, bounded checking goes on, and the message says what to type.
#[test]
fn a_missing_solver_is_told_with_what_to_type() {
    let folder = model(CLUB);
    let file = folder.path().join("model.gsm");
    let nowhere = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
        command.env("PATH", nowhere.path()).env("HOME", nowhere.path()).env("GSMC_TOOLS", nowhere.path());
        command.env_remove("GSMC_Z3");
        command.arg("check").arg(&file).args(args).output().expect("gsmc runs")
    };
    let done = run(&["--abstract"]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(3), "{said}");
    assert!(said.contains("z3") && said.contains("install"), "{said}");
    assert_eq!(run(&["--property", "two"]).status.code(), Some(0));
}

#[test]
fn without_a_solver_it_says_what_to_do() {
    let folder = order_to_cash();
    let dir = folder.path().to_str().expect("a path");
    let done = gsmc(&["check", dir, "--abstract"], Some("/nowhere/z3"));
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(3), "{said}");
    assert!(said.contains("GSMC_Z3 names /nowhere/z3, which is not a program"), "{said}");
}

/// A program that says it is a solver and then does something else.
pub fn fake(folder: &Path, name: &str, version: &str, script: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    let text = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit; fi\n{script}\n");
    std::fs::write(&path, text).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
    path
}

pub const Z3: &str = "Z3 version 4.8.12 - 64 bit";
const CVC5: &str = "This is cvc5 version 1.0.3";

/// Exit code, the distinct verdicts and what is said on the side.
fn with_solvers(file: &Path, solvers: [&Path; 2], more: &[&str]) -> (Option<i32>, Vec<String>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.env("GSMC_Z3", solvers[0]).env("GSMC_CVC5", solvers[1]);
    let done = command.arg("check").arg(file).args(["--abstract", "--format", "json"]).args(more).output();
    let done = done.expect("gsmc runs");
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap_or_default();
    let verdicts = json["results"].as_array().into_iter().flatten().filter_map(|r| r["verdict"].as_str());
    let mut verdicts: Vec<String> = verdicts.map(String::from).collect();
    verdicts.dedup();
    (done.status.code(), verdicts, String::from_utf8_lossy(&done.stderr).into_owned())
}

/// A solver that dies, talks nonsense or never answers decides nothing, and one that lies is an alarm.
#[test]
fn a_solver_that_misbehaves_decides_nothing() {
    let folder = model(CLUB);
    let file = folder.path().join("model.gsm");
    let answering = |what: &str| format!("while read -r l; do case \"$l\" in *check-sat*) {what};; esac; done");
    let values = "*get-value*) echo '((x0 -1))'";
    let cases = [
        ("dies", "exit 0".to_string(), 3, "error"),
        ("crashes", answering("kill -SEGV $$"), 3, "error"),
        ("nonsense", answering("echo perhaps"), 3, "error"),
        ("complains", answering("echo '(error \"line 7\")'"), 3, "error"),
        ("lists", answering(&format!("echo sat;; {values}")), 3, "error"),
        ("silent", "exec sleep 60".to_string(), 3, "timeout"),
    ];
    for (name, script, code, verdict) in cases {
        let solver = fake(folder.path(), name, Z3, &script);
        let (exit, verdicts, said) = with_solvers(&file, [&solver, &solver], &["--timeout", "2"]);
        assert_eq!((exit, verdicts), (Some(code), vec![verdict.to_string()]), "{name}: {said}");
    }
}

#[test]
fn solvers_that_disagree_are_an_alarm() {
    let Ok(z3) = gsmc::smt::find(gsmc::smt::SolverKind::Z3) else {
        tools::skipped("abstraction: z3 not found");
        return;
    };
    let folder = model(CLUB);
    let file = folder.path().join("model.gsm");
    let real = format!("'{}' -in -smt2", z3.path.display());
    let right = fake(folder.path(), "right", CVC5, &format!("exec {real}"));
    let wrong = fake(folder.path(), "wrong", Z3, &format!("{real} | sed -u 's/^sat$/unsat/'"));
    let both = |first: &Path| with_solvers(&file, [first, &right], &["--smt", "both", "--property", "two"]);
    let (code, _, said) = both(&wrong);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("two solvers disagree (z3 unsat, cvc5 sat)") && said.contains("(check-sat)"), "{said}");
    let (code, verdicts, said) = both(&z3.path);
    assert_eq!((code, verdicts), (Some(0), vec!["true".to_string()]), "{said}");
}
