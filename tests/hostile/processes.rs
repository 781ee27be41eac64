//! What reaches a terminal, and what reaches a solver: these go through processes, a few of them.

use crate::projects::{ALL, EGSM, NOTATION, Template};
use crate::readers::{csv, plain_text, smt};
use crate::texts::{harmless, some};
use std::path::Path;
use std::process::{Command, Output};

fn gsmc(folder: &Path, args: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gsmc"));
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", folder);
    command.envs(variables.iter().copied()).output().expect("gsmc runs")
}

/// Runs a command and looks at all that it says.
fn clean(folder: &Path, args: &[&str]) -> String {
    let out = gsmc(folder, args, &[]);
    for (name, bytes) in [("stdout", &out.stdout), ("stderr", &out.stderr)] {
        let text = String::from_utf8(bytes.clone()).expect("UTF-8");
        plain_text(&text).unwrap_or_else(|why| panic!("{args:?}, {name}: {why}"));
    }
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn project(template: &Template, texts: &[String]) -> tempfile::TempDir {
    // A folder can have such a name as well.
    let folder = tempfile::Builder::new().prefix("a\u{1b}[31m\u{202e}\n").tempdir().expect("a folder");
    template.write(folder.path(), texts);
    folder
}

#[test]
fn nothing_steers_a_terminal() {
    for (i, template) in ALL.into_iter().enumerate() {
        for seed in 0..2 {
            let mut rng = fastrand::Rng::with_seed(seed * 100 + i as u64);
            let texts = some(&mut rng, template.texts, template.carries);
            let folder = project(template, &texts);
            let (at, twin) = (folder.path(), project(template, &harmless(&texts)));
            let dir = at.display().to_string();
            for args in [
                &["check", &dir, "--builtin", "--all-traces"][..],
                &["check", &dir, "--format", "json"],
                &["check", &dir, "--format", "sarif"],
                &["check", &dir, "--format", "junit"],
                &["check", &dir, "-o", "results.txt"],
                &["check", &dir, "--trace-dir", "traces", "--trace-format", "text"],
                &["validate", &dir],
                &["validate", &dir, "--format", "json"],
                &["validate", &dir, "--format", "sarif"],
                &["simulate", &dir, "--random", "4"],
                &["simulate", &dir, "--random", "2", "--full"],
                &["diff", &dir, &twin.path().display().to_string()],
                &["explain", &texts[0].replace('\0', "")],
                &["report", &dir, "-o", "report.html"],
                &["export", &dir, "-o", "out"],
                &["check", &dir, "--property", &texts[1].replace('\0', "")],
            ] {
                clean(at, args);
            }
            if let Ok(text) = std::fs::read_to_string(at.join("results.txt")) {
                plain_text(&text).expect("a result file for people");
            }
            for file in std::fs::read_dir(at.join("traces")).into_iter().flatten().flatten() {
                plain_text(&std::fs::read_to_string(file.path()).expect("a trace")).expect("a trace for people");
            }
        }
    }
}

#[test]
fn recorded_cases_steer_nothing_either() {
    for (template, logs) in [(&NOTATION, &["log.csv", "log.jsonl"][..]), (&EGSM, &["log.csv", "log.xes"])] {
        for seed in 0..3 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let texts = some(&mut rng, template.texts, template.carries);
            let folder = project(template, &harmless(&texts));
            let hostile = project(template, &texts);
            for log in logs {
                // The hostile log, also beside a model without anything hostile: its names are those that no model has.
                let log = hostile.path().join(log).display().to_string();
                for dir in [folder.path(), hostile.path()] {
                    let dir = dir.display().to_string();
                    let replay = |more: &[&str]| clean(folder.path(), &[&["replay", &dir, &log], more].concat());
                    replay(&["--all"]);
                    replay(&["--format", "json"]);
                    replay(&["--format", "junit"]);
                    replay(&["--suggest-map"]);
                    csv(&replay(&["--format", "csv"])).unwrap_or_else(|why| panic!("{why}"));
                }
            }
        }
    }
}

/// A solver that keeps what it is told.
#[cfg(unix)]
#[test]
fn solvers_are_told_numbers_only() {
    use std::os::unix::fs::PermissionsExt;
    let Ok(tool) = gsmc::smt::find(gsmc::smt::SolverKind::Z3) else {
        gsmc::testing::skipped("solvers_are_told_numbers_only: z3 not found");
        return;
    };
    let tools = tempfile::tempdir().expect("a folder");
    let (program, log) = (tools.path().join("z3"), tools.path().join("log"));
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *-in*) tee -a '{}' | '{}' \"$@\";; *) '{}' \"$@\";; esac\n",
        log.display(),
        tool.path.display(),
        tool.path.display()
    );
    std::fs::write(&program, script).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program that runs");
    let mut heard = 0;
    for seed in 0..6 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let texts = some(&mut rng, NOTATION.texts, NOTATION.carries);
        let folder = project(&NOTATION, &texts);
        let _ = std::fs::remove_file(&log);
        gsmc(folder.path(), &["check", ".", "--abstract", "--smt", "z3"], &[("GSMC_Z3", &program)]);
        let Ok(text) = std::fs::read_to_string(&log) else { continue };
        const KNOWN: [&str; 10] = [
            "set-option",
            "set-logic",
            "declare-const",
            "assert",
            "push",
            "pop",
            "check-sat",
            "check-sat-using",
            "get-value",
            "echo",
        ];
        let commands = smt(&text).unwrap_or_else(|why| panic!("{why}"));
        assert!(commands.iter().all(|c| KNOWN.contains(&c.as_str())), "{commands:?}");
        heard += commands.len();
    }
    assert!(heard > 20, "a solver was asked: {heard}");
}
