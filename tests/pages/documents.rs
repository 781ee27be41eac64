//! What the pages point at is there: every link leads somewhere, every command they show is one that gsmc has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Markdown pages of the repository.
fn pages() -> Vec<PathBuf> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    let mut found = vec![root().join("README.md")];
    ["docs", "examples", "backends"].iter().for_each(|folder| walk(&root().join(folder), &mut found));
    found.sort();
    found
}

/// The lines of a page, each with whether it stands in a fenced block.
fn lines(text: &str) -> impl Iterator<Item = (usize, bool, &str)> {
    let mut inside = false;
    text.lines().enumerate().map(move |(i, line)| {
        let fence = line.starts_with("```");
        inside ^= fence;
        (i + 1, inside && !fence, line)
    })
}

#[test]
fn every_link_leads_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (number, code, line) in lines(&text) {
            for part in line.split("](").skip(1).filter(|_| !code) {
                let target = part.split([')', '#']).next().unwrap_or_default();
                let there = target.is_empty() || target.contains("://") || page.with_file_name(target).exists();
                if !there {
                    dead.push(format!("{}:{number}: {target}", page.display()));
                }
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// What `--help` of a command says; empty for a command that there is not.
fn help(command: &str, known: &mut BTreeMap<String, String>) -> String {
    let ask = || {
        let run = Command::new(env!("CARGO_BIN_EXE_gsmc")).args([command, "--help"]).output().expect("gsmc runs");
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    known.entry(command.to_string()).or_insert_with(ask).clone()
}

#[test]
fn every_command_shown_exists() {
    let mut known = BTreeMap::new();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (number, _, line) in lines(&text).filter(|(_, code, _)| *code) {
            let line = line.strip_prefix("$ ").unwrap_or(line).split(" #").next().unwrap_or_default();
            let Some(words) = line.strip_prefix("gsmc ").map(|l| l.split_whitespace().collect::<Vec<_>>()) else {
                continue;
            };
            count += 1;
            let command = words[0].to_string();
            if command.starts_with('-') {
                continue; // the short form of check
            }
            let help = help(&command, &mut known);
            let options = words.iter().filter(|w| w.starts_with("--")).map(|w| w.split('=').next().unwrap_or_default());
            let bad: Vec<&str> =
                options.filter(|o| !help.contains(&format!("{o} ")) && !help.contains(&format!("{o}\n"))).collect();
            let gone = words.iter().filter(|w| w.starts_with("examples/") && !root().join(w).exists());
            if help.is_empty() || !bad.is_empty() || gone.count() > 0 {
                wrong.push(format!("{}:{number}: {line}", page.display()));
            }
        }
    }
    assert!(count > 50, "only {count} commands found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
