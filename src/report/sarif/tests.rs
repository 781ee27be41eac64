use super::place::address;
use super::*;
use crate::answer::Engine;
use crate::check::{Plan, run};
use crate::lang::gsm::lower;
use crate::lang::load::{Request, load};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The schema's objects as far as gsmc writes them: where they stand, what they must and what they may have. The schema allows
/// nothing else anywhere.
const OBJECTS: &[(&str, &[&str], &[&str])] = &[
    ("", &["version", "runs"], &["$schema"]),
    ("/runs", &["tool"], &["invocations", "columnKind", "artifacts", "results"]),
    ("/runs/tool", &["driver"], &[]),
    ("/runs/tool/driver", &["name"], &["semanticVersion", "shortDescription", "rules"]),
    ("/runs/tool/driver/shortDescription", &["text"], &[]),
    ("/runs/tool/driver/rules", &["id"], &["shortDescription", "fullDescription", "help", "defaultConfiguration"]),
    ("/runs/tool/driver/rules/shortDescription", &["text"], &[]),
    ("/runs/tool/driver/rules/fullDescription", &["text"], &[]),
    ("/runs/tool/driver/rules/help", &["text"], &[]),
    ("/runs/tool/driver/rules/defaultConfiguration", &[], &["level"]),
    ("/runs/invocations", &["executionSuccessful"], &["exitCode"]),
    ("/runs/artifacts", &[], &["location"]),
    ("/runs/artifacts/location", &[], &["uri"]),
    ("/runs/results", &["message"], &["ruleId", "ruleIndex", "level", "locations", "codeFlows"]),
    ("/runs/results/message", &["text"], &[]),
    ("/runs/results/locations", &[], &["physicalLocation"]),
    ("/runs/results/codeFlows", &["threadFlows"], &[]),
    ("/runs/results/codeFlows/threadFlows", &["locations"], &[]),
    ("/runs/results/codeFlows/threadFlows/locations", &[], &["location", "nestingLevel", "importance"]),
    ("/runs/results/codeFlows/threadFlows/locations/location", &[], &["message", "physicalLocation"]),
    ("/runs/results/codeFlows/threadFlows/locations/location/message", &["text"], &[]),
];
const PLACE: &[(&str, &[&str], &[&str])] = &[
    ("", &["artifactLocation"], &["region"]),
    ("/artifactLocation", &[], &["uri", "index"]),
    ("/region", &["startLine"], &["startColumn", "endLine", "endColumn"]),
];

/// Walks a log and asks the schema's tables, with array positions left out.
fn shape(value: &Value, at: &str, seen: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| shape(item, at, seen)),
        Value::Object(fields) => {
            let place = at.split_once("/physicalLocation").map(|(_, rest)| (PLACE, rest));
            let (table, key) = place.unwrap_or((OBJECTS, at));
            let entry = table.iter().find(|(name, ..)| *name == key);
            let (_, must, may) = entry.unwrap_or_else(|| panic!("no object is expected at {at}"));
            must.iter().for_each(|f| assert!(fields.contains_key(*f), "{at} lacks {f}"));
            for (name, inner) in fields {
                assert!(must.contains(&name.as_str()) || may.contains(&name.as_str()), "{at} must not have {name}");
                shape(inner, &format!("{at}/{name}"), seen);
            }
            seen.insert(at.to_string());
        }
        _ => {}
    }
}

fn every<'v>(value: &'v Value, name: &str, found: &mut Vec<&'v Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| every(item, name, found)),
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| {
            if key == name {
                found.push(inner);
            }
            every(inner, name, found);
        }),
        _ => {}
    }
}

/// The rules of SARIF that no shape shows.
fn sound(log: &Value) {
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "every rule once");
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let mut places = Vec::new();
    every(log, "physicalLocation", &mut places);
    for place in places {
        let file = &place["artifactLocation"];
        let artifact = &run["artifacts"][file["index"].as_u64().unwrap() as usize];
        assert_eq!(artifact["location"]["uri"], file["uri"]);
        let uri = file["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%:".contains(&b)), "{uri}");
        let number = |name: &str| place["region"][name].as_u64().unwrap();
        let (start, end) = ((number("startLine"), number("startColumn")), (number("endLine"), number("endColumn")));
        assert!(start.0 >= 1 && start.1 >= 1 && start <= end, "{place}");
    }
}

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/teaching").join(name)
}

/// The log of a check, with every expectation turned round where `wrong`.
fn checked(dir: &Path, wrong: bool, here: &Path) -> Value {
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    let mut properties = loaded.properties;
    properties.iter_mut().for_each(|p| p.expect ^= wrong);
    let machine = lower(loaded.app.as_ref().unwrap(), &properties, &loaded.sources).unwrap();
    let plan = Plan { engines: vec![Engine::NATIVE], ..Plan::default() };
    let results = run("model.xml", &machine, &plan);
    let checked = Some((&machine, &results));
    log(&Input { sources: &loaded.sources, diagnostics: &loaded.diagnostics, checked, here, exit: results.exit_code() })
}

#[test]
fn logs_have_the_shape_of_the_schema() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = BTreeSet::new();
    for name in ["reopen", "lasso", "vacuous", "two-views", "overflow", "real-race"] {
        for wrong in [false, true] {
            let log = checked(&example(name), wrong, here);
            shape(&log, "", &mut seen);
            sound(&log);
        }
    }
    assert!(
        seen.contains("/runs/results/codeFlows/threadFlows/locations/location/physicalLocation/region"),
        "{seen:?}"
    );
}

#[test]
fn a_property_that_fails_is_shown_at_its_place_with_its_run() {
    let log = checked(&example("reopen"), true, Path::new(env!("CARGO_MANIFEST_DIR")));
    let results = log["runs"][0]["results"].as_array().unwrap();
    let result = results.iter().find(|r| r["message"]["text"].as_str().unwrap().contains("approval-lasts")).unwrap();
    assert_eq!(
        result["message"]["text"],
        "'approval-lasts' is false by native, expected true\n\
        Run: Create_Report at Report[1]; Submit at Report[1]; Approve at Report[1]; Withdraw at Report[1].\n\
        after step 3: `Report[1].Approved` is true\nafter step 4: `Report[1].Approved` is false"
    );
    let text = |file: &str| std::fs::read_to_string(example("reopen").join(file)).unwrap();
    // The place is where a search for the name finds it.
    let (property, sentry) =
        (line_of(&text("properties.gsmp"), "approval-lasts:"), line_of(&text("model.gsm"), "cleared AuthorWithdraws"));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "examples/teaching/reopen/properties.gsmp");
    assert!((property..property + 2).contains(&place["region"]["startLine"].as_u64().unwrap()), "{place}");
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let last = steps.iter().rfind(|s| s["nestingLevel"] == 0).unwrap();
    assert_eq!(
        last["location"]["message"]["text"],
        "Withdraw at Report[1]: -Report[1].Approved\nHere `Report[1].Approved` is false."
    );
    assert_eq!(last["importance"], "essential");
    let place = &last["location"]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "examples/teaching/reopen/model.gsm");
    assert_eq!(place["region"]["startLine"], sentry, "{place}");
}

/// The number of the first line with some text.
fn line_of(text: &str, part: &str) -> u64 {
    text.lines().position(|l| l.contains(part)).unwrap() as u64 + 1
}

#[test]
fn findings_of_files_that_are_refused_are_told_too() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("Größe & #1");
    std::fs::create_dir(&folder).unwrap();
    for file in ["gsmc.toml", "model.gsm"] {
        std::fs::copy(example("reopen").join(file), folder.join(file)).unwrap();
    }
    std::fs::write(folder.join("properties.gsmp"), "p:\n  AG forall x : Report (x.Aproved);\n").unwrap();
    let instances = vec!["Nothing=2".to_string()];
    let overrides = crate::lang::config::Overrides { instances, ..Default::default() };
    let loaded = load(&Request { dir: Some(folder), overrides, ..Request::default() });
    let input =
        Input { sources: &loaded.sources, diagnostics: &loaded.diagnostics, checked: None, here: dir.path(), exit: 2 };
    let log = log(&input);
    let mut seen = BTreeSet::new();
    shape(&log, "", &mut seen);
    sound(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{log:#}");
    // The command line is no file.
    assert_eq!(results.iter().filter(|r| r.get("locations").is_none()).count(), 1);
    let placed = results.iter().find(|r| r.get("locations").is_some()).unwrap();
    let place = &placed["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "Gr%C3%B6%C3%9Fe%20%26%20%231/properties.gsmp");
    assert_eq!(place["region"], json!({ "startLine": 2, "startColumn": 25, "endLine": 2, "endColumn": 34 }));
    assert!(placed["message"]["text"].as_str().unwrap().contains("did you mean 'Approved'?"));
}

#[test]
fn addresses_are_relative_where_they_can_be() {
    let here = Path::new("/home/ann/work");
    let of = |p: &str| address(Path::new(p), here);
    assert_eq!(of("leave/model.xml"), "leave/model.xml");
    assert_eq!(of("./leave/../a b.xml"), "a%20b.xml");
    assert_eq!(of("/home/ann/work/x%y.xml"), "x%25y.xml");
    assert_eq!(of("a:b.xml"), "a%3Ab.xml");
    assert_eq!(of("../other/ü.xml"), "file:///home/ann/other/%C3%BC.xml");
}
