//! The commands at the end of a check: a shell takes them, and they do what they say.

use super::{copy_xml, folder};
use gsmc::interp::Interp;
use gsmc::trace::path;
use std::path::Path;
use std::process::Command;

/// Runs gsmc; gives its exit code and stdout.
fn gsmc(dir: &Path, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gsmc")).args(arguments).current_dir(dir).output().expect("gsmc runs");
    (output.status.code().expect("a code"), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The words of a command as a shell sees them.
fn words(command: &str) -> Vec<String> {
    let output = Command::new("sh").args(["-c", &format!("printf '%s\\n' {command}")]).output().expect("a shell");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

fn command<'t>(text: &'t str, name: &str) -> &'t str {
    let line = text.lines().find(|l| l.contains(&format!("gsmc {name} "))).unwrap_or_else(|| panic!("{text}"));
    &line[line.find("gsmc ").expect("a command")..]
}

#[test]
fn they_name_the_run_and_survive_a_shell() {
    let dir = tempfile::tempdir().expect("a folder");
    let name = "it's a \"$HOME\" & `more`";
    let project = dir.path().join(name);
    std::fs::create_dir(&project).expect("a folder");
    for file in ["gsmc.toml", "model.xml", "properties.gsmp"] {
        copy_xml("examples/teaching/reopen", file, &project.join(file));
    }
    let arguments = ["check", name, "--instances", "Report=2", "--property", "approval-lasts"];
    let (code, text) = gsmc(dir.path(), &arguments);
    assert_eq!(code, 0, "{text}");
    let report = words(command(&text, "report"));
    assert_eq!(report, ["gsmc", "report", name, "--instances", "Report=2", "--property", "approval-lasts"]);
    let explore = words(command(&text, "explore"));
    assert_eq!(explore[..6], ["gsmc", "explore", name, "--instances", "Report=2", "--path"]);

    // The path leads to where the counterexample leads.
    let overrides = gsmc::lang::config::Overrides { instances: vec!["Report=2".into()], ..Default::default() };
    let request = gsmc::lang::load::Request { dir: Some(project), overrides, ..Default::default() };
    let loaded = gsmc::lang::load::load(&request);
    let app = loaded.app.expect("an application");
    let machine = gsmc::lang::gsm::lower(&app, &loaded.properties, &loaded.sources).expect("a machine");
    let interp = Interp::new(&machine);
    let steps = path::read(&interp, &explore[6]).expect("a legal path");
    let shown = text.lines().filter(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()) && l.contains(" at "));
    assert_eq!(steps.len(), shown.count(), "{text}");

    // And the page is written.
    let (code, _) = gsmc(dir.path(), &report.iter().skip(1).map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, 0);
    assert!(std::fs::read_to_string(dir.path().join("report.html")).expect("a report").contains("approval-lasts"));
}

#[test]
fn without_a_run_nothing_is_offered_for_exploring() {
    let dir = folder("examples/teaching/one-stage");
    let (_, text) = gsmc(&dir, &["check", ".", "--property", "stays"]);
    assert!(text.contains("gsmc report . --property stays") && !text.contains("gsmc explore"), "{text}");
    let (_, brief) = gsmc(&dir, &["check", ".", "--brief"]);
    assert!(!brief.contains("To see more"), "{brief}");
}

/// What one engine decides is not open, and that another one did not is told all the same.
#[test]
fn the_last_line_counts_what_single_engines_left_open() {
    let run = |backends: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_gsmc"))
            .args(["check", "--brief", "--spin", "/nowhere/spin", "--backend", backends])
            .arg(folder("examples/teaching/reopen"))
            .output()
            .expect("gsmc runs");
        String::from_utf8_lossy(&output.stdout).trim_end().lines().last().unwrap_or_default().to_string()
    };
    let alone = run("native");
    let properties: usize = alone.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    assert!(properties > 0 && alone.ends_with("0 not as expected"), "{alone}");
    assert_eq!(run("native,spin"), format!("{alone}; left open: {properties} by spin"));
    assert_eq!(run("spin"), format!("0 as expected, 0 not as expected, {properties} open"));
}
