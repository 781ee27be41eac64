//! Checkers that misbehave, seen from the command line: what gsmc says and how it exits; and none outlives it.

use super::*;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Waits for something, ten seconds at most.
fn within(what: &str, mut there: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !there() {
        assert!(Instant::now() < until, "{what}");
        std::thread::yield_now();
    }
}

fn runs(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Writes a program that says it is NuSMV and otherwise runs a script.
fn fake(folder: &Path, version: &str, script: &str) -> PathBuf {
    let tool = folder.join("NuSMV");
    let says = format!("if [ \"$1\" = -h ]; then echo '*** This is NuSMV {version} (compiled'; exit 0; fi");
    std::fs::write(&tool, format!("#!/bin/sh\n{says}\n{script}\n")).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    tool
}

#[test]
fn a_checker_that_fails_spoils_only_its_own_column() {
    let ways = [
        ("2.6.0", "sleep 60", "timeout"),
        ("2.6.0", "trap '' TERM INT HUP; while :; do sleep 1; done", "timeout"),
        ("2.6.0", "kill -SEGV $$", "error"),
        ("2.6.0", "head -c 100000 /dev/urandom", "error"),
        ("2.6.0", "echo '<counter-example type=\"0\">'; echo '<node>'", "error"),
        ("1.0", "exit 0", "error"),
        ("", "", "error"),
    ];
    for (version, script, word) in ways {
        let folder = tempfile::tempdir().unwrap();
        let tool = match script {
            "" => folder.path().join("nowhere"),
            _ => fake(folder.path(), version, script),
        };
        let done = Command::new(env!("CARGO_BIN_EXE_gsmc"))
            .args(["check", "--backend", "native,nusmv", "--timeout", "2", "--format", "json", "--nusmv"])
            .arg(&tool)
            .arg("--run-dir")
            .arg(folder.path().join("runs"))
            .arg(root().join("examples/teaching/one-stage"))
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(3), "{script}: {}", String::from_utf8_lossy(&done.stderr));
        let results: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        for r in results["results"].as_array().unwrap() {
            let verdict = r["verdict"].as_str().unwrap();
            match r["backend"].as_str().unwrap() {
                "native" => assert!(verdict == "true" || verdict == "false", "{script}: native says {verdict}"),
                _ => assert_eq!(verdict, word, "{script}: {}", r["reason"]),
            }
        }
    }
}

#[test]
fn a_checker_ends_with_gsmc() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("pids");
    let wait = "trap '' TERM INT HUP; sleep 60 & echo $$ $!";
    let script = format!("{wait} > '{0}.new'; mv '{0}.new' '{0}'; wait; sleep 60", note.display());
    let tool = fake(folder.path(), "2.6.0", &script);
    for signal in ["-TERM", "-INT", "-HUP", "-KILL"] {
        let _ = std::fs::remove_file(&note);
        let mut gsmc = Command::new(env!("CARGO_BIN_EXE_gsmc"))
            .args(["check", "--backend", "nusmv", "--nusmv"])
            .arg(&tool)
            .arg("--run-dir")
            .arg(folder.path().join("runs"))
            .arg(root().join("examples/teaching/one-stage"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        within("the checker starts", || note.exists());
        let pids = std::fs::read_to_string(&note).unwrap();
        let pids: Vec<&str> = pids.split_whitespace().collect();
        assert!(pids.len() == 2 && pids.iter().all(|p| runs(p)), "{pids:?}");
        assert!(Command::new("kill").arg(signal).arg(gsmc.id().to_string()).status().unwrap().success());
        within("gsmc ends", || gsmc.try_wait().unwrap().is_some());
        within(&format!("the checker and its child end after {signal}"), || pids.iter().all(|p| !runs(p)));
        let left = std::fs::read_dir(folder.path().join("runs")).unwrap().count();
        assert!(left == 0 || signal == "-KILL", "{left} folders after {signal}");
    }
}

/// SPIN has found a violation and is asked for its run when Ctrl-C comes.
#[test]
fn what_is_interrupted_says_so_and_leaves_nothing_behind() {
    let Ok(spin) = find(Engine::named("spin"), None) else {
        return tools::skipped("what_is_interrupted_says_so_and_leaves_nothing_behind: spin not found");
    };
    let folder = tempfile::tempdir().unwrap();
    let (tool, note, runs) = (folder.path().join("spin"), folder.path().join("reading"), folder.path().join("runs"));
    let (real, note_name) = (spin.path.display(), note.display());
    let script = format!("case \"$*\" in *-k*) : > '{note_name}'; sleep 60;; *) exec '{real}' \"$@\";; esac");
    std::fs::write(&tool, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let gsmc = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["check", "--backend", "spin", "--format", "json", "--spin"])
        .arg(&tool)
        .arg("--run-dir")
        .arg(&runs)
        .arg(root().join("examples/garage"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(120);
    while !note.exists() {
        assert!(Instant::now() < until, "SPIN finds something");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").arg("-INT").arg(gsmc.id().to_string()).status().unwrap().success());
    let done = gsmc.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(3));
    let results: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let all = results["results"].as_array().unwrap();
    let undecided = all.iter().filter(|r| r["verdict"] == "unknown" && r["reason"] == "interrupted").count();
    assert!(undecided > 0 && all.iter().all(|r| r["verdict"] == "unknown" || r["exact"] == true), "{all:?}");
    assert_eq!(std::fs::read_dir(&runs).unwrap().count(), 0, "no folder stays");
}
