//! Reading files.

use super::load;
use crate::lang::cmmn::model::Choices;

/// Where files of other people lie.
pub const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmmn/real");

/// The case files below a folder.
pub fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let mut stack = vec![std::path::PathBuf::from(folder)];
    let mut found = Vec::new();
    while let Some(path) = stack.pop() {
        let name = path.display().to_string();
        if path.is_dir() {
            stack.extend(std::fs::read_dir(&path).expect("folder").map(|e| e.expect("entry").path()));
        } else if name.ends_with(".cmmn") || name.ends_with(".cmmn.xml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every file has the items that its list says, or is refused for the reason that it says.
#[test]
fn real_files_are_read() {
    let list = std::fs::read_to_string(format!("{REAL}/README.md")).expect("a list");
    let row = |line: &str| -> Option<(String, String)> {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let file = cells.next().filter(|f| f.contains(".cmmn"))?;
        Some((file.to_string(), cells.next()?.to_string()))
    };
    let wanted: Vec<(String, String)> = list.lines().filter_map(row).collect();
    assert_eq!(wanted.len(), files(REAL).len());
    for (file, items) in wanted {
        let text = std::fs::read_to_string(format!("{REAL}/{file}")).unwrap_or_else(|e| panic!("{file}: {e}"));
        let (case, findings) = load(&text, &Choices::default());
        match case {
            Some(case) => assert_eq!((case.items.len() - 1).to_string(), items, "{file}"),
            None => assert!(findings.contains(&format!("error[{items}]")), "{file}: {findings}"),
        }
    }
}

/// More real files, if somebody points to a folder of them.
#[test]
fn more_real_files_are_read() {
    let Ok(folder) = std::env::var("GSMC_CMMN_FILES") else { return };
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).expect("text");
        let (case, findings) = load(&text, &Choices::default());
        assert!(case.is_some() || findings.contains("error[E25"), "{}: {findings}", path.display());
    }
}
