//! The guide is run: every file it shows is written, every command it shows is executed, every output compared.
//!
//! A block ```` ```xml file=leave/model.xml ```` is a file, ```` ```diff file=leave/model.xml ```` a change to it. A block ```` ```console ````
//! holds `$ gsmc …` lines with their output; lines `> …` are typed into the command above them. A console block marked `needs=nusmv,spin` is skipped, and reported, where a tool is missing. `GSMC_BLESS=1 cargo test --test pages guide`
//! writes the outputs into the pages; read them before you commit.

use crate::page::{blocks, option};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a page in a fresh folder and gives it back with the outputs that came.
fn rerun(page: &str, name: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<&str> = page.lines().collect();
    let mut out = String::new();
    let mut next = 0;
    for block in blocks(&lines) {
        for line in &lines[next..=block.open] {
            let _ = writeln!(out, "{line}");
        }
        let body = &lines[block.open + 1..block.close];
        let place = format!("guide: {name}, line {}", block.open + 1);
        let runs = option(&block.info, "needs").is_none_or(|n| n.split(',').all(|tool| there(tool, &place)));
        if let Some(file) = option(&block.info, "file") {
            let path = folder.path().join(file);
            // Readers do not see the block's info string: the text above it must name the file.
            let base = file.rsplit('/').next().unwrap_or(file);
            assert!(
                lines[next..block.open].iter().any(|l| l.contains(base)),
                "{place}: nothing says that this is {file}"
            );
            let text = match block.info.starts_with("diff") {
                true => changed(&std::fs::read_to_string(&path).expect("a file to change"), body, &place),
                false => format!("{}\n", body.join("\n")),
            };
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            std::fs::write(path, text).expect("a file");
        }
        if block.info.starts_with("console") && runs {
            for (at, line) in body.iter().enumerate() {
                let Some(command) = line.strip_prefix("$ ") else { continue };
                let shown = body[at + 1..].iter().take_while(|l| !l.starts_with("$ "));
                let typed: String = shown.filter_map(|l| l.strip_prefix("> ")).map(|l| format!("{l}\n")).collect();
                let _ = writeln!(out, "$ {command}");
                out += &execute(command, &typed, folder.path());
            }
        } else {
            for line in body {
                let _ = writeln!(out, "{line}");
            }
        }
        next = block.close;
    }
    for line in &lines[next..] {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// A file with a change made: what the lines with ` ` and `-` say stands in it once, and becomes what ` ` and `+` say.
fn changed(text: &str, change: &[&str], place: &str) -> String {
    let side = |other: char| -> String {
        let kept = change.iter().filter(|l| !l.starts_with(other));
        kept.map(|l| format!("{}\n", l.get(1..).unwrap_or_default())).collect()
    };
    let (old, new) = (side('+'), side('-'));
    assert_eq!(text.matches(&old).count(), 1, "{place}: the lines to change are not there, or not only once:\n{old}");
    text.replacen(&old, &new, 1)
}

/// stdout and stderr of a `gsmc …` command, as a person sees them: diagnostics first.
fn execute(command: &str, typed: &str, folder: &Path) -> String {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("gsmc"), "the guide only runs gsmc: {command}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(words)
        .current_dir(folder)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("gsmc starts");
    let mut stdin = child.stdin.take().expect("stdin");
    std::io::Write::write_all(&mut stdin, typed.as_bytes()).expect("input");
    drop(stdin);
    let output = child.wait_with_output().expect("gsmc ends");
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text += &String::from_utf8_lossy(&output.stdout);
    text.lines().map(|l| format!("{}\n", l.trim_end())).collect()
}

/// Is a checker here? If not, the place that needs it is reported as skipped.
fn there(tool: &str, place: &str) -> bool {
    let engine = gsmc::backend::engine(tool).unwrap_or_else(|| panic!("{place} needs the unknown tool '{tool}'"));
    crate::tools::there(engine, place)
}

#[test]
fn every_page_does_what_it_says() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(&guide).expect("docs/guide").flatten().map(|e| e.path()).collect();
    pages.retain(|p| p.extension().is_some_and(|e| e == "md"));
    pages.sort();
    assert!(!pages.is_empty());
    pages.iter().for_each(|path| does_what_it_says(path));
}

#[test]
fn the_page_about_the_papers_does_what_it_says() {
    does_what_it_says(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/papers.md"));
}

fn does_what_it_says(path: &Path) {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let page = std::fs::read_to_string(path).expect("a page");
    let now = rerun(&page, &name);
    if now != page && std::env::var_os("GSMC_BLESS").is_some() {
        return std::fs::write(path, &now).expect("blessed");
    }
    for (i, (was, is)) in page.lines().zip(now.lines()).enumerate() {
        assert_eq!(was, is, "{name}, line {}", i + 1);
    }
    assert_eq!(page.lines().count(), now.lines().count(), "{name}");
}
