//! Names chosen to hurt: reserved words, names that differ in case only, unicode, quotes, backticks, shell commands.

use super::*;
use gsmc::backend::export;
use gsmc::backend::languages;
use gsmc::trace::Trace;
use std::collections::BTreeSet;

const DIR: &str = "tests/engines/hostile";

fn files(folder: &Path) -> BTreeSet<String> {
    let names = std::fs::read_dir(folder).unwrap().flatten();
    names.map(|e| e.file_name().to_string_lossy().into_owned()).collect()
}

/// Everything that a trace names.
fn named(trace: &Trace) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for s in &trace.steps {
        all.extend([&s.agent, &s.event, &s.target].into_iter().flatten().cloned());
        all.extend(s.payload.iter().flat_map(|(k, v)| [k.clone(), v.to_string()]));
        all.extend(s.changes.keys().cloned());
    }
    all
}

#[test]
fn exported_run_and_mapped_back() {
    let here = files(&root());
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("a b; $(touch x)");
    let machine = read(&root().join(DIR));
    let engines: Vec<Engine> = std::iter::once(Engine::NATIVE).chain(external()).collect();
    let external = Options { folder: Some(runs.clone()), ..Options::default() };
    let results = run("model.xml", &machine, &Plan { engines, external, ..Plan::default() });
    agree(DIR, &results);
    assert_eq!(results.exit_code(), 0);
    let known: BTreeSet<String> = [
        "Environment",
        "environment",
        "Create_MODULE",
        "MODULE[1]",
        "MODULE[1].created",
        "MODULE[1].K",
        "MODULE[1].k",
        "MODULE[1].never",
        "MODULE[1].größe `touch x5`;$(touch x6)",
        "MODULE[1].init",
        "MODULE[1].next",
        "init",
        "next",
        "true",
        "false",
        "Environment.init",
        "\"K\"",
        "\"k\"",
        "\"it's \\\"quoted\\\"\"",
        "\"`touch x1`;$(touch x2)\"",
        "\"*/ -- #define\"",
    ]
    .map(String::from)
    .into();
    let mut shown = 0;
    for r in &results.results {
        let Some(trace) = &r.trace else { continue };
        let strange: Vec<String> = named(trace).difference(&known).cloned().collect();
        assert!(strange.is_empty(), "{} by {}: {strange:?}", r.property, r.engine);
        let must = match r.property.as_str() {
            "größe" => "MODULE[1].größe `touch x5`;$(touch x6)",
            "it's; $(touch x7)" => "\"`touch x1`;$(touch x2)\"",
            "next" => "environment",
            _ => "MODULE[1].created",
        };
        assert!(named(trace).contains(must) || trace.steps.is_empty(), "{} by {}", r.property, r.engine);
        shown += 1;
    }
    assert!(shown >= 6 * (1 + super::external().len()), "{shown} traces");
    assert_eq!(files(&root()), here, "something was executed here");
    let left = if runs.exists() { files(&runs) } else { BTreeSet::new() };
    assert!(left.is_empty(), "something was left behind: {left:?}");
    assert!(files(folder.path()).iter().all(|f| f.starts_with("a b")), "something was executed above the run folders");
}

#[test]
fn name_maps_say_what_everything_stands_for() {
    let machine = read(&root().join(DIR));
    for target in languages() {
        let folder = tempfile::tempdir().unwrap();
        let exported = export(target, &machine, folder.path()).unwrap();
        let maps = exported.files.iter().filter(|f| f.to_string_lossy().ends_with(".names.json"));
        for map in maps {
            let map: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(map).unwrap()).unwrap();
            let names = map["names"].as_array().unwrap();
            let of = |gsm: &str| names.iter().filter(|n| n["gsm"] == gsm && n["kind"] == "variable").count();
            for v in &machine.vars {
                assert_eq!(of(&v.name), 1, "{} in the {} map", v.name, target.name);
            }
            let folded: BTreeSet<String> = names.iter().map(|n| n["name"].as_str().unwrap().to_lowercase()).collect();
            assert_eq!(folded.len(), names.len(), "two names differ in case only");
        }
    }
}
