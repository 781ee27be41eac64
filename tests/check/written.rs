//! Results leave the program whole, or it says that they did not.

use super::folder;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a shell line in a folder; `gsmc` in it is the program under test, `$P` a small project.
fn shell(dir: &Path, line: &str) -> Output {
    let gsmc = format!("gsmc() {{ '{}' \"$@\"; }}\n", env!("CARGO_BIN_EXE_gsmc"));
    let mut shell = Command::new("timeout");
    shell.args(["60", "sh", "-c", &(gsmc + line)]).current_dir(dir);
    shell.env("P", folder("examples/teaching/reopen")).output().expect("a shell")
}

/// The exit code of a line and what it says to stderr.
fn outcome(dir: &Path, line: &str) -> (i32, String) {
    let output = shell(dir, line);
    (output.status.code().expect("a code"), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Commands that print a result.
const COMMANDS: [&str; 18] = [
    "gsmc check $P",
    "gsmc check $P --format json",
    "gsmc check $P --format junit",
    "gsmc check $P --format sarif",
    "gsmc validate $P",
    "gsmc validate $P --format json",
    "gsmc validate $P --format sarif",
    "gsmc graph $P",
    "gsmc graph $P --format svg",
    "gsmc report $P -o -",
    "gsmc simulate $P --random 3",
    "echo choices | gsmc simulate $P",
    "gsmc explain",
    "gsmc explain E012",
    "gsmc completions bash",
    "gsmc man",
    "gsmc --help",
    "gsmc export $P --to smv -o out",
];

#[test]
fn a_result_that_cannot_be_written_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    for command in COMMANDS {
        let (code, said) = outcome(dir.path(), &format!("{command} > /dev/full"));
        assert_eq!(code, 2, "{command}: {said}");
        assert!(said.contains("error: cannot write the "), "{command}: {said}");
    }
    for command in ["check $P --format json", "validate $P", "graph $P", "report $P"] {
        let (code, said) = outcome(dir.path(), &format!("gsmc {command} -o /dev/full"));
        assert_eq!(code, 2, "{command}: {said}");
        assert!(said.contains("error: cannot write '/dev/full'"), "{command}: {said}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = tempfile::tempdir().expect("a folder");
    for command in COMMANDS.into_iter().chain(["gsmc check $P -o /dev/stdout", "gsmc simulate $P --random 1000000000"])
    {
        let line = format!("({command}; echo $? > code) | true; while [ ! -s code ]; do sleep 0.1; done; cat code >&2");
        let (_, said) = outcome(dir.path(), &line);
        assert_eq!(said.trim().lines().last(), Some("0"), "{command}: {said}");
        assert!(!said.contains("error:") && !said.contains("panic"), "{command}: {said}");
        fs::remove_file(dir.path().join("code")).expect("a code");
    }
}

#[test]
fn what_is_no_regular_file_is_written_to_and_links_are_followed_where_they_are_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name);
    let run = |line: &str| {
        let (code, said) = outcome(dir.path(), line);
        assert_eq!(code, 0, "{line}: {said}");
    };
    run("gsmc validate $P --format json > expected");
    let expected = fs::read_to_string(at("expected")).expect("a result");
    run(
        "mkfifo pipe; cat pipe > read & gsmc validate $P --format json -o pipe; wait; test -p pipe && cmp read expected",
    );
    run("gsmc validate $P --format json -o /dev/null && test -c /dev/null");
    run("echo first > log; gsmc validate $P --format json -o /dev/stdout >> log; echo last >> log");
    assert_eq!(fs::read_to_string(at("log")).expect("a log"), format!("first\n{expected}last\n"));
    run("gsmc validate $P --format json -o - > again && cmp again expected");
    run(
        "mkdir deep; ln -s deep/file link; gsmc validate $P --format json -o link; test -L link && cmp deep/file expected",
    );
    run(
        "mkdir out; touch mine; ln -s ../mine out/model.smv; gsmc export $P --to smv -o out; test ! -L out/model.smv && test ! -s mine",
    );
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    // A limit on the size of files is the full disk that everybody has.
    let full = "trap '' XFSZ; ulimit -f 1;";
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name);
    fs::write(at("old"), "old").expect("a file");
    let names = || {
        let mut all: Vec<_> = fs::read_dir(dir.path()).expect("a folder").flatten().map(|e| e.file_name()).collect();
        all.sort();
        all
    };
    for command in [
        "check $P --format json -o old",
        "validate $P -o old",
        "graph $P -o old.svg",
        "graph $P -o old.png",
        "report $P -o old",
    ] {
        let (code, said) = outcome(dir.path(), &format!("{full} gsmc {command}"));
        assert_eq!(code, 2, "{command}: {said}");
        assert!(said.contains("error: cannot write 'old"), "{command}: {said}");
        assert_eq!(fs::read_to_string(at("old")).expect("the old file"), "old");
        assert_eq!(names(), ["old"], "{command} leaves something behind");
    }
    for command in ["check $P --brief --trace-dir dir", "export $P --to smv -o dir", "man -o dir"] {
        let (code, said) = outcome(dir.path(), &format!("{full} gsmc {command}"));
        assert_eq!(code, 2, "{command}: {said}");
        assert!(said.contains("error: cannot"), "{command}: {said}");
        assert!(
            fs::read_dir(at("dir")).expect("a folder").flatten().all(|f| f.metadata().is_ok_and(|m| m.len() <= 512))
        );
        fs::remove_dir_all(at("dir")).expect("a folder");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_a_note() {
    let dir = tempfile::tempdir().expect("a folder");
    let (code, said) = outcome(dir.path(), "trap '' XFSZ; ulimit -f 0; gsmc check $P --cache cache | cat");
    assert!(code == 0 && said.contains("note: the cache 'cache' cannot be used: "), "{code} {said}");
    assert!(!said.contains("error:"), "{said}");
    let (code, said) = outcome(dir.path(), "touch file; gsmc check $P --cache file/cache");
    assert!(code == 0 && said.contains("note: the cache 'file/cache' cannot be used: "), "{code} {said}");
}

#[test]
fn pictures_are_what_their_names_say() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = |line: &str| outcome(dir.path(), line);
    let begins = |name: &str, with: &[u8]| fs::read(dir.path().join(name)).is_ok_and(|bytes| bytes.starts_with(with));
    for (name, with) in
        [("a.png", &b"\x89PNG\r\n"[..]), ("b.SVG", b"<?xml"), ("c.dot", b"digraph"), ("d.gv", b"digraph")]
    {
        let (code, said) = run(&format!("gsmc graph $P -o {name}"));
        assert!(code == 0 && begins(name, with), "{name}: {said}");
    }
    let (code, said) = run("gsmc graph $P -o x.pdf");
    assert!(code == 2 && said.contains(".svg, .png, and .dot"), "{said}");
    assert!(!dir.path().join("x.pdf").exists());
    let (code, said) = run("gsmc graph $P --view rules --format png > x.bin && gsmc graph $P --format dot -o x.txt");
    assert!(code == 0 && begins("x.bin", b"\x89PNG") && begins("x.txt", b"digraph"), "{said}");
}

/// A folder that is not there is told at once: the model is not even read, and says nothing of its own.
#[test]
fn a_missing_folder_is_told_before_anything_is_done() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("broken.gsm"), "nonsense").expect("a file");
    let commands = [
        "check broken.gsm",
        "report broken.gsm",
        "validate broken.gsm",
        "graph broken.gsm",
        "merge x.json",
        "replay broken.gsm x.csv",
    ];
    for command in commands {
        let (code, said) = outcome(dir.path(), &format!("gsmc {command} -o 'not there/out.svg'"));
        assert_eq!(code, 2, "{command}: {said}");
        assert_eq!(
            said,
            "error: cannot write 'not there/out.svg': there is no folder 'not there'; make it: mkdir -p 'not there'\n",
            "{command}"
        );
        let (code, said) = outcome(dir.path(), &format!("gsmc {command} -o ."));
        assert!(code == 2 && said.starts_with("error: cannot write '.': it is a folder"), "{command}: {said}");
    }
}

/// The notation of a project turned into XML in its own folder would take its settings along.
#[test]
fn a_conversion_does_not_replace_the_project_beside_the_model() {
    let dir = tempfile::tempdir().expect("a folder");
    assert_eq!(outcome(dir.path(), "gsmc new mine > /dev/null").0, 0);
    let settings = || fs::read_to_string(dir.path().join("mine/gsmc.toml")).expect("settings");
    let before = settings();
    let (code, said) = outcome(dir.path(), "gsmc convert mine/model.gsm -o mine");
    assert_eq!(code, 2, "{said}");
    assert_eq!(
        said,
        "error: 'mine' is the folder of the model, and its gsmc.toml would be lost: name another folder\n"
    );
    assert_eq!((settings(), dir.path().join("mine/model.xml").exists()), (before, false));
    assert_eq!(outcome(dir.path(), "gsmc convert mine/model.gsm -o xml").0, 0);
    assert_eq!(outcome(dir.path(), "gsmc convert mine/model.gsm -o xml").0, 0, "what it wrote it may write again");
}
