//! docs/security.md against the tests that it names, and what it says about the source.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            found.push((path.strip_prefix(root()).expect("below").to_path_buf(), text));
        }
    }
}

#[test]
fn every_line_has_its_tests() {
    let page = std::fs::read_to_string(root().join("docs/security.md")).expect("the page");
    let mut all = Vec::new();
    ["src", "tests"].iter().for_each(|folder| sources(&root().join(folder), &mut all));
    let is_test = |name: &str| {
        all.iter().any(|(_, text)| {
            let at = text.find(&format!("fn {name}()"));
            // The attribute stands right above, perhaps with others.
            at.and_then(|at| text[..at].rfind("#[test]").map(|t| at - t)).is_some_and(|near| near < 200)
        })
    };
    let mut lines = 0;
    for line in
        page.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| attack |") && !l.starts_with("| what |"))
    {
        let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").collect();
        let [_, _, tests] = cells.as_slice() else { panic!("three cells: {line}") };
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {line}");
        let missing: Vec<&&str> = names.iter().filter(|name| !is_test(name)).collect();
        assert!(missing.is_empty(), "there is no test {missing:?}: {line}");
        lines += 1;
    }
    assert!(lines > 20, "{lines} lines");
}

/// Files outside of tests that have one of some words.
fn with(words: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    sources(&root().join("src"), &mut all);
    let is_test = |path: &Path| {
        path.components().any(|c| ["tests", "testing", "tests.rs", "faults.rs"].iter().any(|t| c.as_os_str() == *t))
    };
    let program = |text: &str| {
        text.split("#[cfg(test)]")
            .next()
            .unwrap_or_default()
            .split("#[cfg(all(test")
            .next()
            .unwrap_or_default()
            .to_string()
    };
    let found =
        all.into_iter().filter(|(path, text)| !is_test(path) && words.iter().any(|w| program(text).contains(w)));
    let mut names: Vec<String> = found.map(|(path, _)| path.display().to_string()).collect();
    names.sort();
    names
}

#[test]
fn programs_are_started_in_few_places() {
    // Whoever starts a program finds it with backend::drive, and passes on no text of a model.
    let known =
        ["src/backend/drive/guard.rs", "src/backend/drive/process.rs", "src/cli/explore.rs", "src/smt/process.rs"];
    assert_eq!(with(&["Command::new(", "duct::cmd("]), known);
}

#[test]
fn only_the_explorer_listens() {
    assert_eq!(
        with(&["TcpListener::bind", "UdpSocket", "UnixListener", "UnixStream", "UnixDatagram"]),
        ["src/explore/http.rs"]
    );
    // It is woken through its own port.
    assert_eq!(with(&["TcpStream::connect"]), ["src/cli/explore.rs"]);
}
