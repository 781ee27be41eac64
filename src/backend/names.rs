//! Legal, unique and still recognisable names for a target language.
//!
//! GSM names may be anything: reserved words, unicode, quotes, names that differ in case only. A [`Namer`] turns each into an
//! identifier of the form `prefix_letters`, never twice the same (case does not count as a difference), and remembers what it
//! stood for. Generators keep the result by handle, so nothing is ever looked up by its exported spelling except through the map.

use super::NotWritten;
use super::checker::Language;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// Longest part taken over from a GSM name; SPIN is the strictest of the three and still far away.
const LONGEST: usize = 120;

/// What an exported name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The identifier in the exported file.
    pub name: String,
    /// What sort of thing: `variable`, `action`, `input`, `value`, `agent`, `property`, …
    pub kind: &'static str,
    /// The GSM name.
    pub gsm: String,
}

/// Gives out names for one exported file.
#[derive(Clone, Debug)]
pub struct Namer {
    language: &'static Language,
    taken: FxHashSet<String>,
    given: Vec<Named>,
}

impl Namer {
    /// A namer that avoids the target's reserved words.
    pub fn new(language: &'static Language) -> Namer {
        let words = language.reserved.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        Namer { language, taken: words.map(str::to_lowercase).collect(), given: Vec::new() }
    }

    /// A fresh identifier `prefix_…` for a GSM name.
    pub fn give(&mut self, prefix: char, kind: &'static str, gsm: &str) -> String {
        let stem = format!("{prefix}_{}", letters(gsm));
        let mut name = stem.clone();
        let mut n = 2u32;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{stem}_{n}");
            n += 1;
        }
        self.given.push(Named { name: name.clone(), kind, gsm: gsm.to_string() });
        name
    }

    /// The name map, in the order in which names were given.
    pub fn map(&self, source: &str) -> NameMap {
        NameMap {
            schema: "gsmc.names/1",
            target: self.language.name,
            source: source.to_string(),
            names: self.given.clone(),
        }
    }
}

/// The name map that is written beside an exported file.
#[derive(Clone, Debug, Serialize)]
pub struct NameMap {
    /// Name of this schema.
    pub schema: &'static str,
    /// The language.
    pub target: &'static str,
    /// The application.
    pub source: String,
    /// Every name.
    pub names: Vec<Named>,
}

impl NameMap {
    /// As JSON, ending in a newline.
    pub fn json(&self) -> Result<String, NotWritten> {
        let text = serde_json::to_string_pretty(self);
        text.map(|t| t + "\n").map_err(|e| NotWritten::Wrong(format!("the names cannot be written: {e}")))
    }
}

/// The letters, digits and single underscores of a name.
fn letters(gsm: &str) -> String {
    let mut out = String::new();
    for c in gsm.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if out.len() >= LONGEST {
            break;
        }
    }
    let cut = out.trim_end_matches('_');
    if cut.is_empty() { "x".to_string() } else { cut.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_unique_and_recognisable() {
        let mut namer = Namer::new(&crate::backend::nusmv::LANGUAGE);
        let asked = ["Order[1].Open", "order[1].open", "MODULE", "next", "ü", "€", "a\"b`;$(x)", "", "_"];
        let names: Vec<String> = asked.iter().map(|g| namer.give('v', "variable", g)).collect();
        assert_eq!(
            names,
            ["v_Order_1_Open", "v_order_1_open_2", "v_MODULE", "v_next", "v_x", "v_x_2", "v_a_b_x", "v_x_3", "v_x_4"]
        );
        let map = namer.map("app");
        assert_eq!(map.names.iter().map(|n| n.gsm.as_str()).collect::<Vec<_>>(), asked);
    }

    #[test]
    fn a_made_up_suffix_never_meets_a_real_name() {
        let mut namer = Namer::new(&crate::backend::spin::LANGUAGE);
        let all: Vec<String> = ["a", "A", "a_2", "A_2", "a"].iter().map(|g| namer.give('v', "variable", g)).collect();
        let folded: std::collections::BTreeSet<String> = all.iter().map(|n| n.to_lowercase()).collect();
        assert_eq!(folded.len(), all.len(), "{all:?}");
        assert!(namer.give('v', "variable", &"long".repeat(1000)).len() < 200);
    }
}
