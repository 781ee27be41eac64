//! Rows of the tables, and how one is checked.

use gsmc::{Options, Plan, Project, check};
use std::path::{Path, PathBuf};

/// A formula of a paper.
pub struct Row {
    /// Where it stands.
    pub at: &'static str,
    /// As it is printed.
    pub printed: &'static str,
    /// The same in plain notation.
    pub plain: &'static str,
    /// The verdict that the paper prints, or that follows from what it says; `None` where it gives none.
    pub verdict: Option<bool>,
    /// What had to be corrected.
    #[allow(dead_code)]
    pub corrected: &'static str,
}

/// A row without a correction.
pub const fn row(at: &'static str, printed: &'static str, plain: &'static str, verdict: Option<bool>) -> Row {
    Row { at, printed, plain, verdict, corrected: "" }
}

/// A row with one.
pub const fn corrected(
    at: &'static str,
    printed: &'static str,
    plain: &'static str,
    verdict: Option<bool>,
    corrected: &'static str,
) -> Row {
    Row { at, printed, plain, verdict, corrected }
}

/// An example of the repository.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// An example with the names that a paper uses.
pub fn renamed(name: &str, names: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rename = |text: &str| {
        names.iter().fold(text.to_string(), |text, (old, new)| {
            let whole = regex::Regex::new(&format!(r"\b(Create_)?{old}\b")).expect("a pattern");
            whole.replace_all(&text, format!("${{1}}{new}")).into_owned()
        })
    };
    for file in std::fs::read_dir(example(name)).expect("an example").flatten().filter(|f| f.path().is_file()) {
        let text = std::fs::read_to_string(file.path()).expect("a text");
        std::fs::write(folder.path().join(rename(&file.file_name().to_string_lossy())), rename(&text)).expect("a file");
    }
    folder
}

/// Reads properties for a project instead of its own.
pub fn open(project: &Path, properties: &str) -> Result<Project, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("printed.gsmp");
    std::fs::write(&file, properties).expect("a file");
    let options = Options { properties: vec![file], ..Options::default() };
    Project::open(project, &options).map_err(|refused| refused.to_string())
}

/// Every row parses, means what its plain form means, and has the verdict that the paper prints. `definitions` stand above both.
pub fn check_rows(project: &Path, definitions: &str, rows: &[Row]) {
    for r in rows {
        let text = format!("{definitions}\nprinted:\n{}\n\nplain:\n{}\n", r.printed, r.plain);
        let opened = open(project, &text).unwrap_or_else(|why| panic!("{}: {}\n{why}", r.at, r.printed));
        let [printed, plain] = opened.machine().properties.as_slice() else { panic!("{}: not two properties", r.at) };
        assert_eq!(format!("{:?}", printed.formula), format!("{:?}", plain.formula), "{}: {}", r.at, r.printed);
        let Some(wanted) = r.verdict else { continue };
        let plan = Plan { only: Some(vec!["printed".into()]), ..Plan::default() };
        let results = check(&opened, &plan);
        let said = results.results.iter().find(|r| r.property == "printed").and_then(|r| r.verdict.holds());
        assert_eq!(said, Some(wanted), "{}: {}", r.at, r.printed);
    }
}

/// Both formulas have one verdict, although they are written with other operators.
pub fn agree(project: &Path, at: &str, definitions: &str, one: &str, other: &str) {
    let text = format!("{definitions}\none:\n{one}\n\nother:\n{other}\n");
    let opened = open(project, &text).unwrap_or_else(|why| panic!("{at}\n{why}"));
    let results = check(&opened, &Plan::default());
    let verdicts: Vec<Option<bool>> = results.results.iter().map(|r| r.verdict.holds()).collect();
    assert!(verdicts.len() == 2 && verdicts[0].is_some() && verdicts[0] == verdicts[1], "{at}: {verdicts:?}");
}
