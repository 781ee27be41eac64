//! Random damage to the examples: the readers may complain, but must come back, with every place inside a file.

use super::{Request, load};
use crate::source::{Diagnostics, Sources};
use std::path::{Path, PathBuf};

/// Pieces that are likely to lead somewhere.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ":",
    ",",
    "->",
    "<->",
    "&&",
    "||",
    "!",
    "==",
    "'",
    "\"",
    "/*",
    "//",
    "\n\n",
    "$$",
    "..",
    "AG ",
    "LTL ",
    "K(",
    "<<",
    ">>",
    "forall x : T ",
    "A(",
    " U ",
    "agent ",
    "role ",
    "9223372036854775807",
    "-",
    "é",
    "\u{0}",
    "= [",
    "<",
    "&",
    "never(",
];

/// One to four random changes: a piece put in, bytes taken out, a stretch doubled, a stretch moved.
pub(crate) fn damage(text: &str, pieces: &[&str], rng: &mut fastrand::Rng) -> String {
    let mut out = text.to_string();
    for _ in 0..rng.usize(1..5) {
        let mut cuts = [rng.usize(0..=out.len()), rng.usize(0..=out.len())];
        cuts.sort_unstable();
        let [a, b] = cuts.map(|c| (0..=c).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(0));
        let b = (a..=b.min(a + 200)).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(a);
        let stretch = out[a..b].to_string();
        match rng.u8(0..4) {
            0 => out.insert_str(a, pieces[rng.usize(0..pieces.len())]),
            1 => out.replace_range(a..b, ""),
            2 => out.insert_str(b, &stretch.repeat(rng.usize(1..4))),
            _ => {
                out.replace_range(a..b, "");
                let to = (0..=rng.usize(0..=out.len())).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(0);
                out.insert_str(to, &stretch);
            }
        }
    }
    out
}

/// Copies an example to a folder where its files can be damaged.
fn copy(example: &Path) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder for the test");
    for file in std::fs::read_dir(example).expect("an example").filter_map(|f| f.ok()) {
        if file.path().is_file() {
            std::fs::copy(file.path(), dir.path().join(file.file_name())).expect("a copy");
        }
    }
    dir
}

fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")];
    while let Some(dir) = open.pop() {
        let inside: Vec<PathBuf> =
            std::fs::read_dir(&dir).map_or(vec![], |d| d.filter_map(|f| f.ok()).map(|f| f.path()).collect());
        if inside.iter().any(|f| f.ends_with("gsmc.toml")) {
            found.push(dir);
        }
        open.extend(inside.into_iter().filter(|f| f.is_dir()));
    }
    found.sort();
    found
}

/// How often to damage something, and with which luck. More rounds, with another seed: `GSMC_MUTATIONS=20000 cargo test --lib mutations`.
pub(crate) fn rounds() -> (usize, fastrand::Rng) {
    let wished = std::env::var("GSMC_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let rounds: usize = wished.unwrap_or(300);
    (rounds, fastrand::Rng::with_seed(rounds as u64))
}

#[test]
fn damaged_examples_never_panic() {
    let (rounds, mut rng) = rounds();
    let examples = examples();
    assert!(!examples.is_empty());
    for round in 0..rounds {
        let example = &examples[round % examples.len()];
        let dir = copy(example);
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(dir.path()).expect("a folder").filter_map(|f| f.ok()).map(|f| f.path()).collect();
        files.sort();
        let file = &files[rng.usize(0..files.len())];
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let damaged = damage(&text, PIECES, &mut rng);
        std::fs::write(file, &damaged).expect("a damaged file");
        let loaded = load(&Request { dir: Some(dir.path().into()), ..Request::default() });
        assert_eq!(loaded.app.is_none(), loaded.diagnostics.has_errors());
        places_are_inside(&loaded.diagnostics, &loaded.sources);
    }
}

/// Pieces of XML that are likely to lead somewhere.
const ELEMENTS: &[&str] = &[
    "<",
    "/>",
    "\"",
    "&amp;",
    "&x;",
    "<!DOCTYPE a>",
    "]]>",
    "<planItem id=\"i1\" definitionRef=\"d1\"/>",
    "<stage id=\"d1\">",
    "</stage>",
    "<sentry id=\"s1\"/>",
    "<ifPart><condition>${",
    "}</condition></ifPart>",
    "<repetitionRule/>",
    "<requiredRule/>",
    "<manualActivationRule/>",
    " sentryRef=\"s1\"",
    " definitionRef=\"plan\"",
    "<entryCriterion sentryRef=\"s1\"/>",
    "<exitCriterion sentryRef=\"s1\"/>",
    "<ca:DataFlowGuard id=\"g\"/>",
    "<ca:SubStage id=\"S\">",
    "GSM.isStageActive(",
    "GSM.isEventOccurring(e)",
    " == [",
    " and not ",
    " or (",
    "9223372036854775808",
    "-1e999",
    "((((((((((((((((((((((((((((((((",
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
    "\u{0}",
    "é",
];

/// Small cases, and folders of E-GSM models.
fn others() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = ["tests/cmmn", "examples/cmmn", "tests/egsm"].map(|d| root.join(d)).into();
    let mut found = vec![root.join("examples/shipment")];
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(&dir).into_iter().flatten().filter_map(|f| Some(f.ok()?.path())) {
            let small = path.metadata().is_ok_and(|m| m.len() < 8_000);
            match path.is_dir() {
                true if path.join("model.xml").is_file() => found.push(path),
                true => open.push(path),
                false if small && path.extension().is_some_and(|e| e == "cmmn") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn damaged_models_of_other_languages_never_panic() {
    let (rounds, mut rng) = rounds();
    let models = others();
    let (mut wrong, mut fine) = (0, 0);
    for round in 0..rounds {
        let model = &models[round % models.len()];
        let folder = if model.is_dir() { copy(model) } else { tempfile::tempdir().expect("a folder for the test") };
        let place = match model.file_name().filter(|_| model.is_file()) {
            Some(name) => folder.path().join(name),
            None => folder.path().join(if rng.u8(0..6) == 0 { "infoModel.xsd" } else { "model.xml" }),
        };
        let Ok(text) = std::fs::read_to_string(if model.is_file() { model } else { &place }) else { continue };
        std::fs::write(&place, damage(&text, ELEMENTS, &mut rng)).expect("a damaged file");
        let dir = if model.is_file() { place } else { folder.path().to_path_buf() };
        let opened = super::open(&Request { dir: Some(dir), ..Request::default() });
        assert!(opened.lens.is_some() || opened.diagnostics.has_errors(), "{} in round {round}", model.display());
        places_are_inside(&opened.diagnostics, &opened.sources);
        if opened.lens.is_some() { fine += 1 } else { wrong += 1 }
    }
    assert!(wrong > 0 && fine > 0, "{wrong} refused, {fine} read");
}

/// Every diagnostic is about a place inside its file and can be shown.
pub(crate) fn places_are_inside(diags: &Diagnostics, sources: &Sources) {
    for d in diags.iter() {
        if let Some(span) = d.span {
            let len = sources.file(span.file).map_or(0, |f| f.text.len());
            assert!(span.start <= span.end && span.start as usize <= len, "{d:?}");
        }
        let text = crate::source::render(d, sources, false);
        assert!(text.starts_with(if d.code.id.starts_with('E') { "error[" } else { "warning[" }), "{text}");
    }
}
