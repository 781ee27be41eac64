//! The page on formats is complete: every command, option and JSON field of the real program stands in it.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 17] = [
    "merge",
    "diff",
    "check",
    "replay",
    "validate",
    "simulate",
    "report",
    "explore",
    "graph",
    "export",
    "convert",
    "fmt",
    "new",
    "doctor",
    "explain",
    "completions",
    "man",
];

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md")).expect("the page")
}

fn gsmc(args: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    String::from_utf8(run.expect("gsmc runs").stdout).expect("text")
}

#[test]
fn every_command_and_option_is_documented() {
    let (page, help) = (page(), gsmc(&["--help"]));
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let listed: Vec<&str> =
        listed.filter(|l| !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(BTreeSet::from_iter(listed), BTreeSet::from_iter(COMMANDS.into_iter().chain(["help"])));
    for command in COMMANDS {
        assert!(page.contains(&format!("`{command}")), "{command}");
        let help = gsmc(&[command, "--help"]);
        let options = help.lines().map(str::trim_start).filter(|l| l.starts_with('-'));
        let options = options.flat_map(|l| l.split([' ', ',']).take_while(|w| w.is_empty() || w.starts_with('-')));
        for option in options.filter(|w| w.starts_with("--")) {
            let documented = page.contains(option) || (option == "--output" && page.contains("`-o "));
            assert!(documented, "gsmc {command} {option}");
        }
        let values = help.lines().filter_map(|l| l.trim_start().strip_prefix("- ")?.split_once(':'));
        for (value, _) in values {
            assert!(page.contains(value), "gsmc {command}: the value '{value}'");
        }
    }
}

/// The keys of objects, but not those of maps from names of the model to values.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    const MAPS: [&str; 7] = ["bounds", "cutoff", "initial", "payload", "changes", "differs", "values"];
    match value {
        Value::Array(list) => list.iter().for_each(|v| keys(v, found)),
        Value::Object(fields) => {
            for (key, inside) in fields {
                found.insert(key.clone());
                if !MAPS.contains(&key.as_str()) && key != "snapshot" {
                    keys(inside, found);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_of_the_json_is_documented() {
    let page = page();
    let runs = [
        &["check", "examples/teaching/lasso", "--format", "json"][..],
        &["check", "examples/teaching/two-views", "--format", "json"],
        &["check", "examples/teaching/vacuous", "--format", "json"],
        &["check", "examples/research-proposal", "--format", "json"],
        &["validate", "examples/teaching/real-race", "--format", "json"],
        &["validate", "examples/order-to-cash", "--format", "json"],
        &["doctor", "--format", "json"],
    ];
    let mut found = BTreeSet::new();
    for args in runs {
        keys(&serde_json::from_str(&gsmc(args)).unwrap_or_else(|e| panic!("{args:?}: {e}")), &mut found);
    }
    assert!(found.contains("strategy") && found.contains("sides") && found.contains("dropped"), "{found:?}");
    for key in found {
        assert!(page.contains(&format!("`{key}`")) || page.contains(&format!("\"{key}\"")), "JSON field '{key}'");
    }
}

#[test]
fn every_code_has_a_long_form_and_a_documented_range() {
    let list = gsmc(&["explain"]);
    assert!(list.lines().count() > 50);
    let page = page();
    let ranges: Vec<(u32, u32)> = page
        .split(|c: char| !(c.is_ascii_digit() || c == '–'))
        .filter_map(|w| w.split_once('–'))
        .filter_map(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
        .collect();
    // After an empty line come the standard questions.
    for code in list.lines().take_while(|l| !l.is_empty()).filter_map(|l| l.split_whitespace().next()) {
        let number: u32 = code[1..].parse().expect("a number");
        assert!(ranges.iter().any(|(a, b)| (*a..=*b).contains(&number)), "{code} is in no range of {ranges:?}");
        let told = gsmc(&["explain", code]);
        assert!(told.len() > 80 && told.contains("\n\nInstead: "), "{told}");
    }
}
