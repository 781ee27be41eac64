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
        tools::skipped("with_gnu_parallel: parallel not found");
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
        tools::skipped("with_slurm: no Slurm node (tests/scale/slurm.sh starts one)");
        return;
    }
    let garage = example("garage");
    let mut expected = answers(&json(&gsmc(&["check", &garage, "--format", "json"])));
    let mut found = answers(&json(&script("slurm.sh", &garage)));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// The steps of a job of `examples/scale/matrix.yml`: what stands behind `run:` in it.
fn steps(text: &str, job: &str) -> Vec<String> {
    let from = text.lines().skip_while(|l| *l != format!("  {job}:")).skip(1);
    let lines = from.take_while(|l| l.is_empty() || l.starts_with("    "));
    lines.filter_map(|l| l.trim().strip_prefix("- run: ")).map(str::to_string).collect()
}

#[test]
fn as_a_build_matrix() {
    let text = std::fs::read_to_string(example("scale/matrix.yml")).expect("the matrix");
    let listed = text.lines().find_map(|l| l.trim().strip_prefix("part: ["));
    let values: Vec<&str> = listed.and_then(|l| l.strip_suffix(']')).expect("a matrix").split(", ").collect();
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(example("garage"), folder.path().join("model")).expect("a model");
    let program = Path::new(env!("CARGO_BIN_EXE_gsmc")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let shell = |step: &str| {
        let done = Command::new("bash").args(["-e", "-c", step]).env("PATH", &path).current_dir(&folder).output();
        done.expect("bash runs")
    };
    let ours = |step: &String| !step.starts_with("cargo install");
    for value in &values {
        let asked: Vec<String> = steps(&text, "part").into_iter().filter(ours).collect();
        assert_eq!(asked.len(), 1, "{asked:?}");
        let done = shell(&asked[0].replace("${{ matrix.part }}", value));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let whole = gsmc(&["check", &example("garage"), "--format", "junit"]);
    let last: Vec<String> = steps(&text, "whole").into_iter().filter(ours).collect();
    assert_eq!(last.len(), 1, "{last:?}");
    let done = shell(&last[0]);
    assert_eq!(done.status.code(), whole.status.code(), "{}", String::from_utf8_lossy(&done.stderr));
    let found = std::fs::read_to_string(folder.path().join("results.xml")).expect("results");
    let cases = |text: &str| text.matches("<testcase ").count();
    assert!(cases(&found) > 0 && cases(&found) == cases(&String::from_utf8_lossy(&whole.stdout)), "{found}");
}

#[test]
fn a_swarm_finds_runs_or_says_how_far_it_came() {
    if !tools::there(gsmc::backend::spin::ENGINE, "a_swarm_finds_runs_or_says_how_far_it_came") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let garage = example("garage");
    let native = answers(&json(&gsmc(&["check", &garage, "--format", "json"])));
    let asked = [garage.as_str(), "--backend", "spin", "--swarm", "5"];
    let whole = json(&gsmc(&[&["check", "--format", "json"], asked.as_slice()].concat()));
    let files = parts(folder.path(), 2, &asked);
    let together = json(&merged(&files, &["--format", "json"]));
    for results in [&whole, &together] {
        let mut decided = 0;
        for r in results["results"].as_array().expect("results") {
            let (name, verdict) = (r["property"].as_str().expect("a name"), r["verdict"].as_str().expect("a verdict"));
            match verdict {
                "true" | "false" => {
                    decided += 1;
                    let truth = native.iter().find(|(n, ..)| n == name).map(|(_, _, verdict, _)| verdict.as_str());
                    assert_eq!(Some(verdict), truth, "{name}");
                    assert_eq!(r["trace"]["certified"], true, "{name}: {r}");
                }
                "unknown" => {
                    assert_eq!(r["coverage"]["searches"], 5, "{name}: {r}");
                    let most = r["coverage"]["most"].as_u64();
                    assert!(most > Some(1) && r["reason"].as_str().is_some_and(|w| w.contains("found nothing")), "{r}");
                }
                other => assert_eq!(other, "unsupported", "{name}: {r}"),
            }
        }
        assert!(decided > 0, "the violations of this model are near its start");
    }
    let one: Value = serde_json::from_str(&std::fs::read_to_string(&files[0]).expect("a part")).expect("JSON");
    let three = |r: &Value| r["coverage"]["searches"] == 3;
    assert!(one["results"].as_array().is_some_and(|all| all.iter().any(three)), "searches 1, 3 and 5: {one}");
    let halves = merged(&files[..1], &["--brief"]);
    let told = String::from_utf8_lossy(&halves.stdout).into_owned();
    assert!(told.contains("of 2 parts some are missing: 2"), "{told}");
    for wrong in [&["--swarm", "3"][..], &["--swarm", "0", "--backend", "spin"], &["--swarm", "2", "--backend", "all"]]
    {
        let done = gsmc(&[&["check", &garage], wrong].concat());
        assert_eq!(done.status.code(), Some(2), "{wrong:?}");
    }
}

/// Time is up: what was searched is told, and nothing is called true.
#[test]
fn a_swarm_within_a_time_limit() {
    if !tools::there(gsmc::backend::spin::ENGINE, "a_swarm_within_a_time_limit") {
        return;
    }
    let two = example("fixed-price-two");
    let only = ["--property", "rejected-for-a-winner", "--backend", "spin", "--swarm", "4", "--timeout", "8"];
    let found = json(&gsmc(&[&["check", &two, "--format", "json"], only.as_slice()].concat()));
    let r = &found["results"][0];
    let known = ["unknown", "timeout"].iter().any(|v| r["verdict"] == **v);
    assert!(known, "it is true, which a swarm cannot know: {r}");
    let made = |key: &str| r["coverage"][key].as_u64().unwrap_or(0);
    assert!(r["verdict"] == "timeout" || made("searches") + made("stopped") == 4, "{r}");
}

#[test]
fn exports_in_parts_hold_every_property_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let garage = example("garage");
    let written = |share: &str| {
        let out = folder.path().join(share.replace('/', "-"));
        let done =
            gsmc(&["export", &garage, "--to", "ispl,promela", "--partition", share, "-o", &out.display().to_string()]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let read = |name: &str| std::fs::read_to_string(out.join(name)).expect("a file");
        (read("model.pml"), read("model.ispl"))
    };
    let claims = |promela: &str| {
        let names = promela.lines().filter_map(|l| l.trim().strip_prefix("ltl ").or(l.trim().strip_prefix("never ")));
        names.filter_map(|l| l.split([' ', '{']).next()).map(str::to_string).collect::<Vec<_>>()
    };
    let formulas = |ispl: &str| {
        let from = ispl.split("\nFormulae").nth(1).unwrap_or_default();
        from.lines().filter(|l| l.trim_end().ends_with(';') && !l.contains("end Formulae")).count()
    };
    let (whole, whole_ispl) = written("1/1");
    let parts: Vec<(String, String)> = (1..=3).map(|k| written(&format!("{k}/3"))).collect();
    let mut found: Vec<String> = parts.iter().flat_map(|(promela, _)| claims(promela)).collect();
    let mut expected = claims(&whole);
    found.sort();
    expected.sort();
    assert!(expected.len() > 1 && found == expected, "{found:?} and {expected:?}");
    let sum: usize = parts.iter().map(|(_, ispl)| formulas(ispl)).sum();
    assert!(formulas(&whole_ispl) > 3 && sum == formulas(&whole_ispl), "{sum}");
    assert_eq!(written("2/3"), parts[1], "the same every time");
}
