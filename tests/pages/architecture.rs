//! The table of rooms in docs/architecture.md against the imports of the source: nothing is used that the table does not allow, no
//! rooms use each other in a circle, and no file is too long to read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LONGEST: usize = 450;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Folders of the table with what they may use; `None`: everything.
fn table() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let mut rooms = BTreeMap::new();
    for line in page.lines().filter(|l| l.starts_with("| `src/")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [folder, _, uses] = cells.as_slice() else { panic!("three cells: {line}") };
        let names = folder.split(',').map(|f| f.trim().trim_matches('`').trim_start_matches("src/").to_string());
        let uses: BTreeSet<String> = uses.split(',').map(|u| u.trim().to_string()).filter(|u| u != "–").collect();
        for name in names {
            rooms.insert(name, (!uses.contains("all")).then(|| uses.clone()));
        }
    }
    assert!(rooms.len() > 10, "the table was not found");
    rooms
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Path below `src` without its ending, and text.
fn sources() -> Vec<(String, String)> {
    let (src, mut found) = (root().join("src"), Vec::new());
    files(&src, &mut found);
    found.sort();
    let one = |path: &PathBuf| {
        let name = path.strip_prefix(&src).expect("below src").with_extension("");
        (name.to_string_lossy().replace('\\', "/"), std::fs::read_to_string(path).expect("a file"))
    };
    found.iter().map(one).collect()
}

/// The room of a path: the longest folder of the table that it lies in.
fn room<'r>(rooms: &'r BTreeMap<String, Option<BTreeSet<String>>>, path: &str) -> Option<&'r str> {
    let inside = |r: &&String| path == r.as_str() || path.starts_with(&format!("{r}/"));
    rooms.keys().filter(inside).max_by_key(|r| r.len()).map(String::as_str)
}

/// Tests may use anything.
fn is_test(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let helpers = ["tests", "testkit", "testing", "limits", "mutations", "corpus", "faults"];
    parts.iter().any(|p| helpers.contains(p))
}

/// The module that a file is.
fn module(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| *part != "mod").collect()
}

/// What a file names of other modules, as paths from the root: `crate::a::b`, `gsmc::a::b`, `super::super::b`; comments and inner
/// tests left out. `a::{b, c}` is two.
fn imports(path: &str, text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
    let text = lines.join("\n");
    let root = regex::Regex::new(r"\b(?:crate|gsmc|super(?:::super)*)::").expect("a pattern");
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for start in root.find_iter(&text) {
        let here = module(path);
        let up = start.as_str().matches("super").count();
        let mut base: Vec<String> = match up {
            0 => Vec::new(),
            up => here[..here.len().saturating_sub(up)].iter().map(|s| s.to_string()).collect(),
        };
        let mut rest = &text[start.end()..];
        while let Some((name, after)) =
            rest.split_once("::").filter(|(name, _)| !name.is_empty() && word(name) == *name)
        {
            base.push(name.to_string());
            rest = after;
        }
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').map(|name| word(name.trim())).collect(),
            None => vec![word(rest)],
        };
        found.extend(names.into_iter().map(|name| [base.join("/"), name].join("/")));
    }
    found.iter().map(|path| path.trim_matches('/').to_string()).collect()
}

#[test]
fn paths_of_all_kinds_are_seen() {
    let text = "use crate::logic::{Bool, walk};\nlet x = super::super::trace::replay(y);\nuse super::draw;\n// crate::no\n\
        gsmc::cli::run();\nuse crate::{answer, check::run};\nuse super::super::lens::Lens;";
    let found = imports("lang/gsm/whole", text);
    let expected = [
        "answer",
        "check",
        "cli/run",
        "lang/gsm/draw",
        "lang/lens/Lens",
        "lang/trace/replay",
        "logic/Bool",
        "logic/walk",
    ];
    assert_eq!(found, expected.map(String::from).into());
    assert_eq!(imports("backend/mod", "use super::trace::Trace;"), ["trace/Trace".to_string()].into());
}

/// Which room uses which.
fn used() -> BTreeMap<String, BTreeMap<String, String>> {
    let rooms = table();
    let mut uses: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| !is_test(path)) {
        let Some(here) = room(&rooms, &path) else {
            assert!(["lib", "main", "lang/mod"].contains(&path.as_str()), "src/{path} is in no room of the table");
            continue;
        };
        for import in imports(&path, &text) {
            if let Some(there) = room(&rooms, &import).filter(|there| *there != here) {
                uses.entry(here.to_string()).or_default().insert(there.to_string(), path.clone());
            }
        }
    }
    uses
}

#[test]
fn rooms_use_what_the_table_allows() {
    let rooms = table();
    for (here, uses) in used() {
        let Some(Some(allowed)) = rooms.get(&here) else { continue };
        for (there, by) in uses {
            assert!(
                allowed.contains(&there),
                "src/{by} uses {there}, which docs/architecture.md does not allow {here}"
            );
        }
    }
}

#[test]
fn no_rooms_use_each_other_in_a_circle() {
    let mut uses = used();
    // Rooms that use nothing that is left, or that nothing left uses, can go; what cannot is on a circle.
    let lonely = |uses: &BTreeMap<String, BTreeMap<String, String>>| {
        let bottom = |list: &BTreeMap<String, String>| list.keys().all(|there| !uses.contains_key(there));
        let top = |room: &String| uses.values().all(|list| !list.contains_key(room));
        uses.iter().find(|(room, list)| bottom(list) || top(room)).map(|(room, _)| room.clone())
    };
    while let Some(done) = lonely(&uses) {
        uses.remove(&done);
    }
    assert!(uses.is_empty(), "circles among {uses:#?}");
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(path, lines)| format!("src/{path}.rs has {lines} lines"))
        .collect();
    assert!(long.is_empty(), "at most {LONGEST}: {long:#?}");
}
