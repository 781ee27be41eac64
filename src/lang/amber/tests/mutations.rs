//! Random damage to AMBER texts: the reader may complain, but must come back, with every place inside a file.

use crate::lang::Lens;
use crate::lang::amber::properties::AmberAtoms;
use crate::lang::amber::{Amber, read};
use crate::lang::load::mutations::{damage, places_are_inside, rounds};
use crate::lang::properties;
use crate::lang::syntax::Text;
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
    ".",
    "->",
    "=>",
    "-/->",
    "-[",
    "]->",
    "=[",
    "|",
    "&",
    ":=",
    "==",
    "\"",
    "'",
    "/*",
    "#",
    "//",
    "\n",
    "é",
    "\u{0}",
    "9223372036854775807",
    "-",
    "0..1",
    "[2]",
    "amber ",
    "block x { ",
    "action a ",
    "optional ",
    "repeated ",
    "interaction ",
    "relation r: ",
    "entry e ",
    "exit e ",
    "andsplit s ",
    "orjoin j ",
    "actor A sees ",
    "by A ",
    "var v: bool ",
    "var v: 0..3 ",
    "type T = { a } ",
    "const c = 1 ",
    "define d = ",
    "bound 2 ",
    "any ",
    "if ",
    "else ",
    "[else]",
    "AG ",
    "LTL ",
    "K(",
    "stuck",
];

/// All AMBER texts of the project: the examples, the hand-worked cases, the ill-formed ones; with the properties beside them.
fn texts() -> Vec<(PathBuf, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut open) = (Vec::new(), vec![root.join("examples/amber"), root.join("tests/amber")]);
    while let Some(path) = open.pop() {
        if let Ok(inside) = std::fs::read_dir(&path) {
            open.extend(inside.filter_map(|f| f.ok()).map(|f| f.path()));
        } else if path.extension().is_some_and(|e| e == "amber") {
            let beside =
                ["properties.gsmp", "p.gsmp"].iter().find_map(|p| std::fs::read_to_string(path.with_file_name(p)).ok());
            let text = std::fs::read_to_string(&path).expect("a text");
            found.push((path, text, beside.unwrap_or_else(|| "AG !stuck;".into())));
        }
    }
    found.sort();
    found
}

#[test]
fn damaged_texts_never_panic() {
    let (rounds, mut rng) = rounds();
    let texts = texts();
    assert!(texts.len() > 40);
    let (mut wrong, mut fine) = (0, 0);
    for round in 0..rounds {
        let (path, model, formulas) = &texts[round % texts.len()];
        let (mut model, mut formulas) = (model.clone(), formulas.clone());
        let damaged = if rng.u8(0..5) == 0 { &mut formulas } else { &mut model };
        *damaged = damage(damaged, PIECES, &mut rng);
        let told = std::panic::catch_unwind(|| opened(&model, &formulas));
        match told {
            Ok(true) => fine += 1,
            Ok(false) => wrong += 1,
            Err(_) => panic!("round {round}, {}:\n{model}\n{formulas}", path.display()),
        }
    }
    assert!(wrong > 0 && fine > 0, "{wrong} refused, {fine} read");
}

/// Reads, lowers and draws; is there a model?
fn opened(model: &str, formulas: &str) -> bool {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let (m, p) = (sources.add("model.amber", model), sources.add("p.gsmp", formulas));
    let read = read(m, &sources, &mut diags);
    assert!(read.is_some() || diags.has_errors(), "refused without a word");
    let amber = read.and_then(|model| {
        let list = properties::read(&[Text::of(p, &sources)], &mut AmberAtoms { model: &model }, &mut diags);
        Amber::new(model, list, false).map_err(|d| diags.push(d)).ok()
    });
    places_are_inside(&diags, &sources);
    if let Some(amber) = &amber {
        amber.drawing(&sources, 800).file();
    }
    amber.is_some()
}
