//! Reading files.

use super::load;
use crate::lang::cmmn::model::Choices;

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

/// Real files, if somebody points to a folder of them.
#[test]
fn real_files_are_read() {
    let Ok(folder) = std::env::var("GSMC_CMMN_FILES") else { return };
    for path in files(&folder) {
        let text = std::fs::read_to_string(&path).expect("text");
        let (case, findings) = load(&text, &Choices::default());
        assert!(case.is_some() || findings.contains("error[E25"), "{}: {findings}", path.display());
    }
}
