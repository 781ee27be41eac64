//! Checkers that misbehave: each must give the right word, and nothing may be left running.

use super::*;
use crate::answer::PropertyResult;
use crate::check::by_checkers;
use crate::check::doctor::lamp;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// A program that says it is NuSMV and, asked to check, runs a script in which `$here` is its own folder.
fn fake(script: &str) -> (RunFolder, PathBuf) {
    let folder = RunFolder::new(None, "fake").unwrap();
    let version = "if [ \"$1\" = -h ]; then echo '*** This is NuSMV 2.6.0 (compiled on some day)'; exit 0; fi";
    let here = folder.path().display();
    folder.write("NuSMV", &format!("#!/bin/sh\nhere='{here}'\n{version}\n{script}\n")).unwrap();
    let path = folder.file("NuSMV");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path)
}

fn options(path: PathBuf, runs: &RunFolder) -> Options {
    let limits = Limits { time: Some(Duration::from_secs(2)), disk: 1 << 20, ..Limits::default() };
    Options {
        programs: vec![(nusmv::ENGINE, path)],
        limits,
        folder: Some(runs.path().to_path_buf()),
        ..Options::default()
    }
}

/// The answers of a fake, and the folder its runs were in.
fn ask(script: &str) -> (Vec<PropertyResult>, RunFolder) {
    ask_with(script, true)
}

fn ask_with(script: &str, traces: bool) -> (Vec<PropertyResult>, RunFolder) {
    let (_fake, path) = fake(script);
    let runs = RunFolder::new(None, "runs").unwrap();
    let answers = by_checkers(&[nusmv::ENGINE], &lamp().unwrap(), &[0, 1], &Options { traces, ..options(path, &runs) });
    (answers, runs)
}

fn words(answers: &[PropertyResult]) -> Vec<Verdict> {
    answers.iter().map(|a| a.verdict).collect()
}

fn why(answers: &[PropertyResult]) -> &str {
    answers.first().and_then(|a| a.reason.as_deref()).unwrap_or("")
}

fn empty(folder: &RunFolder) -> bool {
    std::fs::read_dir(folder.path()).unwrap().next().is_none()
}

#[test]
fn one_that_hangs_or_does_not_listen() {
    for script in ["sleep 60", "trap '' TERM INT HUP; while :; do sleep 1; done"] {
        let (answers, runs) = ask(script);
        assert_eq!(words(&answers), [Verdict::Timeout; 2]);
        assert!(empty(&runs), "a run folder stays only when there is something to look at");
    }
}

#[test]
fn one_that_crashes_or_says_nothing() {
    for script in ["kill -SEGV $$", "exit 0", "echo 'file model.smv: line 3: syntax error' >&2; exit 1"] {
        let (answers, runs) = ask(script);
        assert_eq!(words(&answers), [Verdict::Error; 2], "{script}");
        assert!(why(&answers).contains(&runs.path().display().to_string()), "{}", why(&answers));
        assert!(!empty(&runs));
    }
}

#[test]
fn one_that_talks_nonsense() {
    let (answers, _runs) = ask("echo \"-- specification 'somebody'  is true\"");
    assert_eq!(words(&answers), [Verdict::Error; 2]);
    assert!(why(&answers).contains("not understood"), "{}", why(&answers));
    let (answers, _runs) = ask("head -c 100000 /dev/urandom");
    assert_eq!(words(&answers), [Verdict::Error; 2]);
}

#[test]
fn one_that_stops_half_way() {
    let half = "for s in $(sed -n 's/^check_[a-z]* -P //p' run.cmd | head -n 1); do echo \"-- specification '$s'  is true\"; done";
    let (answers, _runs) = ask_with(&format!("case \"$*\" in *-df*) sleep 60;; esac; {half}; sleep 60"), false);
    assert_eq!(words(&answers), [Verdict::True, Verdict::Timeout], "what was said in time counts");
    let (answers, _runs) = ask_with(&format!("{half}; sleep 60"), false);
    assert_eq!(words(&answers), [Verdict::True; 2], "only what is open is asked again");
    let (answers, _runs) = ask_with(&format!("{half}; exit 3"), false);
    assert_eq!(words(&answers), [Verdict::True, Verdict::Error]);
    let (answers, _runs) = ask(half);
    assert_eq!(words(&answers), [Verdict::Error; 2], "it also holds the opposite when asked for a run");
}

#[test]
fn one_that_lies_about_its_runs() {
    let say = |trace: &str| {
        let each = "for s in $(sed -n 's/^check_[a-z]* -P //p' run.cmd); do echo \"-- specification '$s'  is false\";";
        format!("{each} case \"$*\" in *-dcx*) ;; *) {trace};; esac; done")
    };
    let (answers, _runs) = ask(&say("echo '<counter-example type=\"0\" desc=\"x\" >'; echo '<node>'"));
    assert_eq!(words(&answers), [Verdict::False; 2]);
    assert!(answers.iter().all(|a| a.trace.is_none()), "half a trace is no trace");
    let step = "<input id=\"2\"><value variable=\"c_action\">a_idle</value></input>";
    let state = |on: &str| format!("<state id=\"1\"><value variable=\"v_on\">{on}</value></state>");
    let nodes = format!("<node>{}{step}</node><node>{}</node>", state("FALSE"), state("TRUE"));
    let wrong = format!("echo '<counter-example type=\"0\" desc=\"x\" >'; echo '{nodes}'; echo '</counter-example>'");
    let (answers, runs) = ask(&say(&wrong));
    let alarm = &answers[1];
    assert!(alarm.trace.as_ref().is_some_and(|t| !t.certified), "{alarm:?}");
    assert!(alarm.reason.as_ref().is_some_and(|r| r.contains(&runs.path().display().to_string())));
}

#[test]
fn one_that_fills_the_disk() {
    let (answers, _runs) = ask("while :; do echo filling filling filling; done");
    assert_eq!(words(&answers), [Verdict::Error; 2]);
    assert!(why(&answers).contains("too large"), "{}", why(&answers));
}

#[test]
fn one_that_is_missing_or_of_another_kind() {
    let runs = RunFolder::new(None, "runs").unwrap();
    let lamp = lamp().unwrap();
    let missing = by_checkers(&[nusmv::ENGINE], &lamp, &[0], &options("/nowhere/NuSMV".into(), &runs));
    assert_eq!(words(&missing), [Verdict::Error]);
    assert!(why(&missing).contains("not a program"));
    for (says, expected) in [("*** This is NuSMV 1.0 (compiled", "does not know"), ("hello", "does not say that it is")]
    {
        let folder = RunFolder::new(None, "fake").unwrap();
        folder.write("NuSMV", &format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        let path = folder.file("NuSMV");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let strange = by_checkers(&[nusmv::ENGINE], &lamp, &[0], &options(path, &runs));
        assert_eq!(words(&strange), [Verdict::Error]);
        assert!(why(&strange).contains(expected), "{}", why(&strange));
    }
}

#[test]
fn cancelling_stops_everything() {
    let (_fake, path) = fake("sleep 60");
    let runs = RunFolder::new(None, "runs").unwrap();
    let o = options(path, &runs);
    o.limits.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    let answers = by_checkers(&[nusmv::ENGINE], &lamp().unwrap(), &[0, 1], &o);
    assert_eq!(words(&answers), [Verdict::Unknown; 2]);
}
