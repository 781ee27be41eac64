//! Checkers must not outlive gsmc, however it ends.

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

#[test]
fn a_checker_ends_with_gsmc() {
    let folder = tempfile::tempdir().unwrap();
    let (tool, note) = (folder.path().join("NuSMV"), folder.path().join("pids"));
    let version = "if [ \"$1\" = -h ]; then echo '*** This is NuSMV 2.6.0 (compiled'; exit 0; fi";
    let script = format!(
        "#!/bin/sh\n{version}\ntrap '' TERM INT HUP\nsleep 60 &\necho $$ $! > '{0}.new'\nmv '{0}.new' '{0}'\nwait\nsleep 60\n",
        note.display()
    );
    std::fs::write(&tool, script).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    for signal in ["-KILL", "-TERM", "-INT"] {
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
    }
}
