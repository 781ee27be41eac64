//! A check in parts: every property in one of them, and together the same answers as in one run.

#[path = "../common/tools.rs"]
mod tools;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn gsmc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).output().expect("gsmc runs")
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

fn json(output: &Output) -> Value {
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {told}"))
}

/// Name, engine and verdict of every answer, and the steps of its run.
fn answers(results: &Value) -> Vec<(String, String, String, usize)> {
    let word = |r: &Value, key: &str| r[key].as_str().unwrap_or_default().to_string();
    let steps = |r: &Value| r["trace"]["steps"].as_array().map_or(0, Vec::len);
    let one = |r: &Value| (word(r, "property"), word(r, "backend"), word(r, "verdict"), steps(r));
    results["results"].as_array().expect("results").iter().map(one).collect()
}

/// The parts of a check as files.
fn parts(folder: &Path, of: u32, args: &[&str]) -> Vec<PathBuf> {
    let part = |k: u32| {
        let file = folder.join(format!("{k}-{of}.json"));
        let (share, path) = (format!("{k}/{of}"), file.display().to_string());
        let done = gsmc(&[&["check", "--partition", &share, "--format", "json", "-o", &path], args].concat());
        assert!(file.exists(), "{}", String::from_utf8_lossy(&done.stderr));
        file
    };
    (1..=of).map(part).collect()
}

fn merged(files: &[PathBuf], more: &[&str]) -> Output {
    let files: Vec<&str> = files.iter().filter_map(|f| f.to_str()).collect();
    gsmc(&[&["merge"], files.as_slice(), more].concat())
}

#[test]
fn parts_together_are_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    for (model, options, sizes) in [
        ("garage", vec![], vec![1, 2, 3]),
        ("fixed-price", vec!["--builtin"], vec![2]),
        ("order-to-cash", vec![], vec![4]),
    ] {
        let path = example(model);
        let args: Vec<&str> = [path.as_str()].into_iter().chain(options).collect();
        let whole = gsmc(&[&["check", "--format", "json"], args.as_slice()].concat());
        let mut expected = answers(&json(&whole));
        expected.sort();
        for of in sizes {
            let files = parts(folder.path(), of, &args);
            let together = merged(&files, &["--format", "json"]);
            let mut found = answers(&json(&together));
            found.sort();
            assert_eq!(found, expected, "{model} in {of} parts");
            assert_eq!(together.status.code(), whole.status.code(), "{model} in {of} parts");
            let first: Value =
                serde_json::from_str(&std::fs::read_to_string(&files[0]).expect("a part")).expect("JSON");
            assert!(of == 1 || answers(&first).len() < expected.len(), "a part is not everything");
        }
    }
}

#[test]
fn what_does_not_belong_together_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (garage, two) = (example("garage"), example("fixed-price"));
    let files = parts(folder.path(), 3, &[&garage]);
    let said = |files: &[PathBuf]| {
        let done = merged(files, &["--brief"]);
        let told = String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
        (done.status.code(), told)
    };
    let (code, told) = said(&files[..2]);
    assert!(told.contains("not all parts were given; missing: 3") && told.contains("unknown"), "{told}");
    assert_ne!(code, Some(0));
    let (code, told) = said(&[files[0].clone(), files[0].clone()]);
    assert!(code == Some(2) && told.contains("both are part 1 of 3"), "{told}");
    let fewer = parts(folder.path(), 2, &[&garage]);
    let (code, told) = said(&[files[0].clone(), fewer[1].clone()]);
    assert!(code == Some(2) && told.contains("one is of 3 parts, the other of 2"), "{told}");
    let other = folder.path().join("other");
    std::fs::create_dir(&other).expect("a folder");
    let others = parts(&other, 3, &[&two]);
    let (code, told) = said(&[files[0].clone(), others[1].clone()]);
    assert!(code == Some(2) && told.contains("the models, properties or options are not the same"), "{told}");
    let whole = folder.path().join("whole.json");
    gsmc(&["check", &garage, "--format", "json", "-o", whole.to_str().expect("a path")]);
    let (code, told) = said(&[whole]);
    assert!(code == Some(2) && told.contains("it is a whole run"), "{told}");
    let cut = folder.path().join("cut.json");
    let text = std::fs::read_to_string(&files[0]).expect("a part");
    std::fs::write(&cut, &text[..text.len() / 2]).expect("half a part");
    let (code, told) = said(&[cut]);
    assert!(code == Some(2) && told.contains("no results of gsmc"), "{told}");
    for wrong in ["0/3", "4/3", "3", "a/b", "1/0", "-1/2"] {
        let done = gsmc(&["check", &garage, &format!("--partition={wrong}")]);
        assert_eq!(done.status.code(), Some(2), "{wrong}");
    }
}

fn script(name: &str, model: &str) -> Output {
    let path = example(&format!("scale/{name}"));
    let mut command = Command::new("bash");
    command.args([&path, "3", model]).env("GSMC", env!("CARGO_BIN_EXE_gsmc")).env("FORMAT", "json");
    command.output().expect("bash runs")
}

#[test]
fn with_gnu_parallel() {
    if Command::new("parallel").arg("--version").output().is_err() {
        tools::report_skipped("with_gnu_parallel: parallel not found");
        return;
    }
    let garage = example("garage");
    let whole = answers(&json(&gsmc(&["check", &garage, "--format", "json"])));
    let mut found = answers(&json(&script("parallel.sh", &garage)));
    let mut expected = whole.clone();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    let none = script("parallel.sh", "no such model");
    let told = String::from_utf8_lossy(&none.stderr);
    assert!(!none.status.success() && told.contains("no such model"), "{told}");
}

#[test]
fn with_slurm() {
    let ready = Command::new("sinfo").args(["--noheader", "--states", "idle,mixed,alloc"]).output();
    if !ready.is_ok_and(|o| o.status.success() && !o.stdout.is_empty()) {
        tools::report_skipped("with_slurm: no Slurm node (tests/scale/slurm.sh starts one)");
        return;
    }
    let garage = example("garage");
    let mut expected = answers(&json(&gsmc(&["check", &garage, "--format", "json"])));
    let mut found = answers(&json(&script("slurm.sh", &garage)));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
