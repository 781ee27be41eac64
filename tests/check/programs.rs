//! What other programs read: diagnostics, JUnit and SARIF.

use super::folder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn gsmc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(folder("")).output().expect("gsmc runs")
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// A copy of an example, with its property file changed.
fn copy(example: &str, to: &Path, change: impl Fn(&str) -> String) -> PathBuf {
    let dir = to.join("project");
    std::fs::create_dir(&dir).expect("a folder");
    for entry in std::fs::read_dir(folder(example)).expect("an example").flatten().filter(|e| e.path().is_file()) {
        std::fs::copy(entry.path(), dir.join(entry.file_name())).expect("a copy");
    }
    let file = dir.join("properties.gsmp");
    let text = std::fs::read_to_string(&file).expect("properties");
    std::fs::write(&file, change(&text)).expect("properties");
    dir
}

/// What is known of a mistake by looking at the text.
#[test]
fn mistakes_in_the_files_are_told_as_json() {
    let scratch = tempfile::tempdir().expect("a folder");
    let dir = copy("examples/teaching/reopen", scratch.path(), |text| {
        format!("{text}\nbad: AG forall x : Report (x.Aproved);\n")
    });
    let text = std::fs::read_to_string(dir.join("properties.gsmp")).expect("properties");
    let line = text.lines().position(|l| l.starts_with("bad:")).expect("the line") + 1;
    let column = "bad: AG forall x : Report (".len() + 1;
    let (dir, other) = (dir.display().to_string(), folder("examples/teaching/reopen").display().to_string());
    let out = scratch.path().join("out.json").display().to_string();
    let log = scratch.path().join("log.csv").display().to_string();
    std::fs::write(&log, "case,activity\n1,a\n").expect("a log");
    for command in [
        ["validate", &dir].as_slice(),
        &["check", &dir],
        &["check", &dir, "--builtin", "--backend", "all"],
        &["replay", &dir, &log],
        &["diff", &other, &dir],
        &["diff", &dir, &other],
        &["check", &dir, "-o", &out],
    ] {
        let output = gsmc(&[command, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let told = match command.contains(&"-o") {
            false => parsed(&output),
            true => serde_json::from_str(&std::fs::read_to_string(&out).expect("a file")).expect("JSON"),
        };
        assert_eq!([&told["schema"], &told["errors"]], [&json!("gsmc.diagnostics/1"), &json!(1)], "{command:?}");
        let all = told["diagnostics"].as_array().expect("a list");
        let found = all.iter().find(|d| d["severity"] == "error").expect("an error");
        assert!(found["message"].as_str().is_some_and(|m| m.contains("'Aproved'")), "{found}");
        assert!(found["help"].as_str().is_some_and(|h| h.contains("did you mean 'Approved'?")), "{found}");
        assert_eq!([&found["line"], &found["column"]], [&json!(line), &json!(column)], "{found}");
        assert_eq!(found["end"], json!({ "line": line, "column": column + "x.Aproved".len() }));
        assert!(found["file"].as_str().is_some_and(|f| f.ends_with("properties.gsmp")), "{found}");
        // People still read the same on stderr.
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!("error[{}]", found["code"].as_str().expect("a code"))), "{said}");
    }
    // Formats for people leave stdout empty.
    assert!(gsmc(&["check", &dir]).stdout.is_empty() && gsmc(&["validate", &dir]).stdout.is_empty());
}

#[test]
fn what_has_no_place_in_a_file_is_told_as_json() {
    let project = "examples/teaching/reopen";
    for (command, code, words) in [
        (["check", project, "--property", "aproval-lasts"].as_slice(), 2, "there is no property 'aproval-lasts'"),
        (&["check", project, "--swarm", "2"], 2, "--swarm is for SPIN alone"),
        (&["check", "no-such-folder"], 2, "no-such-folder"),
        (&["check", project, "--instances", "Nothing=2"], 2, "Nothing"),
        (&["replay", project], 2, "no log is named"),
        (&["replay", "tests/egsm/skipped", "tests/egsm/skipped/model.xml", "--suggest-map"], 2, "this is not XES"),
        (&["replay", "tests/egsm/skipped", "examples/shipment/log.csv", "--case", "none"], 2, "no case 'none'"),
    ] {
        let output = gsmc(&[command, &["--format", "json"]].concat());
        let told = parsed(&output);
        assert_eq!((output.status.code(), &told["errors"]), (Some(code), &json!(1)), "{command:?}: {told}");
        let found = &told["diagnostics"][0];
        assert!(found["message"].as_str().is_some_and(|m| m.contains(words)), "{command:?}: {found}");
        assert_eq!([&found["file"], &found["line"], &found["end"]], [&Value::Null; 3], "{command:?}: {found}");
    }
}

#[test]
fn warnings_of_validate_are_diagnostics() {
    let scratch = tempfile::tempdir().expect("a folder");
    let dir = copy("examples/teaching/reopen", scratch.path(), |text| text.to_string());
    std::fs::write(dir.join("gsmc.toml"), "model = \"model.gsm\"\n[replay]\n").expect("a project");
    let model = std::fs::read_to_string(dir.join("model.gsm")).expect("a model");
    let event = "event Unused\n";
    std::fs::write(dir.join("model.gsm"), model.clone() + event).expect("a model");
    let output = gsmc(&["validate", &dir.display().to_string(), "--format", "json"]);
    let told = parsed(&output);
    assert_eq!((output.status.code(), &told["schema"]), (Some(0), &json!("gsmc.validate/2")), "{told}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let warnings = told["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), said.matches("warning[").count(), "{said}");
    for w in warnings {
        assert_eq!(w["severity"], "warning");
        assert!(said.contains(&format!("warning[{}]", w["code"].as_str().expect("a code"))), "{w}");
    }
}

/// What every property is expected to be, turned round.
fn turned(text: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let named = |l: &str| l.split_once(':').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(part));
    let (mut out, mut denied) = (String::new(), false);
    for line in text.lines() {
        let expects = line.trim_start().starts_with("@expect false");
        if named(line) && !std::mem::take(&mut denied) {
            out += "@expect false\n";
        }
        if !expects {
            out += &format!("{line}\n");
        }
        denied |= expects;
    }
    out
}

#[test]
fn junit_failures_hold_the_sentence_and_the_run() {
    let scratch = tempfile::tempdir().expect("a folder");
    let dir = copy("examples/teaching/lasso", scratch.path(), turned).display().to_string();
    let results = parsed(&gsmc(&["check", &dir, "--format", "json"]));
    let output = gsmc(&["check", &dir, "--format", "junit"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let mut runs = 0;
    for case in document.descendants().filter(|n| n.has_tag_name("testcase")) {
        let name = case.attribute("name").expect("a name");
        let result =
            results["results"].as_array().expect("results").iter().find(|r| r["property"] == name).expect(name);
        let Some(failure) = case.children().find(|n| n.has_tag_name("failure")) else {
            assert_eq!(result["verdict"], json!(result["expect"].to_string()), "{name}");
            continue;
        };
        let told = failure.text().expect("a text");
        for part in ["summary", "formula"] {
            assert!(told.contains(result[part].as_str().expect(part)), "{name}: {told}");
        }
        for (n, step) in result["trace"]["steps"].as_array().into_iter().flatten().enumerate() {
            let event = step["event"].as_str().unwrap_or("idle");
            let line = told.lines().find(|l| l.trim_start().starts_with(&format!("{}. ", n + 1)));
            assert!(line.is_some_and(|l| l.contains(event)), "{name}: {event} in {told}");
            runs += 1;
        }
    }
    assert!(runs > 3, "{text}");
    let failures = document.descendants().filter(|n| n.has_tag_name("failure")).count();
    assert_eq!(failures, results["results"].as_array().map_or(0, Vec::len), "every expectation was turned round");
}

#[test]
fn sarif_rules_say_what_they_mean_and_what_to_do() {
    let scratch = tempfile::tempdir().expect("a folder");
    let dir = copy("examples/teaching/overflow", scratch.path(), turned).display().to_string();
    let log = parsed(&gsmc(&["check", &dir, "--builtin", "--format", "sarif"]));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&str> = rules.iter().filter_map(|r| r["id"].as_str()).collect();
    assert!(ids.contains(&"property-not-as-expected") && ids.contains(&"no-overflow"), "{ids:?}");
    for rule in rules {
        for part in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[part]["text"].as_str().is_some_and(|t| !t.is_empty()), "{part}: {rule}");
        }
    }
    // As 'gsmc explain' has it.
    let question = rules.iter().find(|r| r["id"] == "no-overflow").expect("the rule");
    let explained = String::from_utf8(gsmc(&["explain", "no-overflow"]).stdout).expect("text").replace('\n', " ");
    for part in ["fullDescription", "help"] {
        let text = question[part]["text"].as_str().expect("a text");
        assert!(explained.contains(text), "{text}: {explained}");
    }
}

/// The questions of E-GSM models are answered by one search, whose time is shared among them.
#[test]
fn standard_questions_take_their_time() {
    for project in ["examples/shipment", "examples/teaching/reopen", "examples/amber/row"] {
        let told = parsed(&gsmc(&["check", project, "--builtin", "--format", "json"]));
        let results = told["results"].as_array().expect("results");
        assert!(results.len() > 5, "{project}");
        for r in results {
            assert!(r["seconds"].as_f64().is_some_and(|s| s > 0.0), "{project}: {r}");
        }
    }
}

#[test]
fn a_format_that_is_given_as_an_option() {
    for (args, tip) in [
        (["check", "examples/garage", "--json"].as_slice(), "tip: use --format json"),
        (&["--json", "-m", "model.xml"], "tip: use --format json"),
        (&["validate", "--sarif"], "tip: use --format sarif"),
        (&["replay", "--csv"], "tip: use --format csv"),
        (&["doctor", "--json"], "tip: use --format json"),
    ] {
        let output = gsmc(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(tip), "{args:?}: {said}");
    }
    // Where there is no such format, none is offered.
    let said = String::from_utf8_lossy(&gsmc(&["validate", "--junit"]).stderr).into_owned();
    assert!(!said.contains("--format junit"), "{said}");
}
