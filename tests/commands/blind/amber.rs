//! Mistakes in AMBER models: a connective exchanged, a guard negated or made false, an arrow left out or led elsewhere, an effect
//! taken back, a number or a condition changed.

use super::{Mistake, Model, measure};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The examples and the models of the tests, but for the hospital, which takes too long to be asked hundreds of times, and
/// one that is refused.
fn models() -> Vec<Model> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inside = |dir: &str| std::fs::read_dir(root.join(dir)).expect("a folder").flatten().map(|e| e.path());
    let mut folders: Vec<PathBuf> = inside("examples/amber").chain(inside("tests/amber")).collect();
    folders.retain(|f| f.join("model.amber").exists() && !f.ends_with("hospital") && !f.ends_with("crowded"));
    folders.sort();
    // Many models of the tests are also examples.
    let mut seen = BTreeSet::new();
    folders.retain(|f| seen.insert(f.file_name().map(|n| n.to_os_string())));
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text");
    let one = |folder: &PathBuf| {
        let named = |name: &str| (name.to_string(), read(&folder.join(name)));
        let properties = if folder.join("p.gsmp").exists() { "p.gsmp" } else { "properties.gsmp" };
        Model {
            name: folder.strip_prefix(root).unwrap_or(folder).display().to_string(),
            file: "model.amber",
            text: read(&folder.join("model.amber")),
            beside: vec![named("gsmc.toml"), named(properties)],
        }
    };
    folders.iter().map(one).collect()
}

/// The names in a part of a line, without those of blocks before a dot.
fn names_in(part: &str) -> Vec<String> {
    const WORDS: [&str; 22] = [
        "action",
        "interaction",
        "else",
        "any",
        "if",
        "true",
        "false",
        "repeated",
        "optional",
        "block",
        "by",
        "orjoin",
        "orsplit",
        "andjoin",
        "andsplit",
        "entry",
        "exit",
        "relation",
        "define",
        "var",
        "not",
        "and",
    ];
    let name = Regex::new(r#""([^"]+)"|([A-Za-z_]\w*)"#).expect("a pattern");
    let found = name.captures_iter(part).filter_map(|c| c.get(1).or(c.get(2)).map(|m| m.as_str().to_string()));
    found.filter(|n| !WORDS.contains(&n.as_str())).collect()
}

fn edit(text: &str, at: usize, was: &str, becomes: &str, line: &str, names: Vec<String>) -> Mistake {
    let (before, after) = (&text[..at], &text[at + was.len()..]);
    let changed = line.replacen(was, becomes, 1);
    Mistake {
        was: line.trim().into(),
        becomes: changed.trim().into(),
        text: format!("{before}{becomes}{after}"),
        names,
    }
}

/// What is done to lines with arrows.
fn arrows(text: &str, start: usize, line: &str, all: &mut Vec<Mistake>) {
    let arrow = Regex::new(r"-\[[^\]]*\]->|-/->|->|=>").expect("a pattern");
    let connective = Regex::new(r"[^&|](&|\|)[^&|]").expect("a pattern");
    let guard = Regex::new(r"\[([^\]]*)\]").expect("a pattern");
    let ends: Vec<usize> = arrow.find_iter(line).map(|m| m.start()).collect();
    // The parts on both sides of the arrows next to a place.
    let around = |at: usize| {
        let before = ends.iter().rev().filter(|e| **e <= at).nth(1).map_or(0, |e| *e);
        let after = ends.iter().filter(|e| **e > at).nth(1).map_or(line.len(), |e| *e);
        names_in(&line[before..after])
    };
    for found in connective.captures_iter(line).filter_map(|c| c.get(1)) {
        let other = if found.as_str() == "&" { "|" } else { "&" };
        let (before, after) = (&line[..found.start()], &line[found.end()..]);
        let becomes = format!("{before}{other}{after}");
        all.push(edit(text, start, line, &becomes, line, around(found.start())));
    }
    for found in guard.captures_iter(line).filter_map(|c| c.get(1)).filter(|g| g.as_str() != "else") {
        for by in [format!("!({})", found.as_str()), "false".into()] {
            let becomes = format!("{}{by}{}", &line[..found.start()], &line[found.end()..]);
            let names = around(found.start()).into_iter().chain(names_in(found.as_str())).collect();
            all.push(edit(text, start, line, &becomes, line, names));
        }
    }
    // The last arrow of a chain is forgotten.
    if let Some(last) = arrow.find_iter(line).last() {
        let becomes = &line[..last.start()];
        let alone = ends.len() == 1;
        let becomes = if alone { "" } else { becomes };
        all.push(edit(text, start, line, becomes, line, around(last.start())));
    }
}

/// What is done to lines with effects and definitions.
fn effects(text: &str, start: usize, line: &str, all: &mut Vec<Mistake>) {
    let effect = Regex::new(r"\w[\w.\[\]]* := [^;}]+").expect("a pattern");
    let condition = Regex::new(r"(if |define \w+ = )([^{]+)").expect("a pattern");
    let number = Regex::new(r"\d+").expect("a pattern");
    if let Some((head, _)) = line.split_once('{').filter(|_| line.contains(":=")) {
        for found in effect.find_iter(line) {
            let becomes =
                format!("{}{}", &line[..found.start()], &line[found.end()..]).replace("{ ;", "{ ").replace("; ;", ";");
            let becomes = becomes.replace("{  }", "").replace("{ }", "");
            let names = names_in(head).into_iter().chain(names_in(found.as_str())).collect();
            all.push(edit(text, start, line, &becomes, line, names));
        }
    }
    for found in condition.captures_iter(line).filter_map(|c| c.get(2)) {
        let becomes = format!("{}!({}){}", &line[..found.start()], found.as_str().trim(), &line[found.end()..]);
        all.push(edit(text, start, line, &becomes, line, names_in(line)));
    }
    let declares = line.trim_start().starts_with("type") || line.trim_start().starts_with("var");
    for found in number.find_iter(line).filter(|_| !declares && !line.contains("->")) {
        let more = found.as_str().parse::<u64>().map_or(1, |n| n + 1);
        let becomes = format!("{}{more}{}", &line[..found.start()], &line[found.end()..]);
        all.push(edit(text, start, line, &becomes, line, names_in(line)));
    }
}

fn mistakes(text: &str) -> Vec<Mistake> {
    let (mut all, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        let code = bare.trim_start();
        if bare.contains("->") && !code.starts_with('#') {
            arrows(text, start, bare, &mut all);
        } else if !code.starts_with('#') {
            effects(text, start, bare, &mut all);
            if code.starts_with("relation") {
                all.push(edit(text, start, bare, "", bare, names_in(bare)));
            }
        }
        start += line.len();
    }
    all
}

#[test]
fn mistakes_are_named() {
    measure(&models(), mistakes);
}
