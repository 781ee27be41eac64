//! Texts that hurt: whatever ends, begins or steers something in one of the languages that gsmc writes.

use fastrand::Rng;
use std::collections::BTreeSet;

const PIECES: &[&str] = &[
    "*/",
    "*\\",
    "\\*",
    "/*",
    "/",
    "*",
    "//",
    "??/",
    "??",
    "-->",
    "-- ",
    "--",
    "<!--",
    "]]>",
    "<![CDATA[",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{2028}",
    "\u{2029}",
    "\u{85}",
    "#define init 1",
    "\n#define x y",
    "#",
    "c_code {",
    "c_decl { int x; }",
    "ltl p { [] true }",
    "never { }",
    "active proctype p()",
    "MODULE main",
    "LTLSPEC FALSE",
    "TRUE",
    "INIT FALSE",
    "end Agent",
    "Agent Environment",
    "(assert false)",
    "(exit)",
    "|",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"];evil",
    "\\N",
    "\\l",
    "&",
    "&#10;",
    "&lt;",
    "&quot;",
    "</script>",
    "</style>",
    "</title>",
    "<script>alert(1)</script>",
    "</svg>",
    "\" onload=\"alert(1)",
    "' onclick='alert(1)",
    "javascript:alert(1)",
    "\0",
    "\u{1b}[2J",
    "\u{1b}[31m",
    "\u{1b}]0;t\u{7}",
    "\u{9b}31m",
    "\u{90}",
    "\u{7f}",
    "\u{8}",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{61c}",
    "\u{feff}",
    "\u{1f600}",
    "ö",
    "K",
    "k",
    "name",
    " ",
    "%s%n",
    "$(touch pwned)",
    "`touch pwned`",
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1-1",
    "@SUM(1)",
    ",",
    "$$",
    "<U+2A>",
    "\\u{1b}",
    ".",
    "..",
    "../../x",
    "[1]",
    "init",
    "next",
    "self",
    "true",
    "a->b",
];

/// Which characters a place can carry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// All but line ends: quoted names of gsmc's own languages.
    Line,
    /// What XML 1.0 allows, without blanks and commas, which separate identifiers in lists.
    XmlWord,
}

impl Carries {
    fn takes(self, c: char) -> bool {
        match self {
            Carries::Line => c != '\n' && c != '\r',
            Carries::XmlWord => {
                !c.is_whitespace() && c != ',' && (c > '\u{1f}' || c == '\t') && !matches!(c, '\u{fffe}' | '\u{ffff}')
            }
        }
    }
}

/// So many different texts.
pub fn some(rng: &mut Rng, count: usize, carries: Carries) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    while all.len() < count {
        let mut text = one(rng, &all);
        text.retain(|c| carries.takes(c));
        let text = text.trim().to_string();
        // What is no text at all has a place of its own below.
        if text.is_empty() && rng.u8(0..50) != 0 {
            continue;
        }
        if known.insert(text.clone()) {
            all.push(text);
        }
    }
    all
}

fn one(rng: &mut Rng, before: &[String]) -> String {
    match rng.u8(0..20) {
        // The same but for its case.
        0 if !before.is_empty() => {
            let other = &before[rng.usize(0..before.len())];
            other
                .chars()
                .map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
                .collect()
        }
        1 => PIECES[rng.usize(0..PIECES.len())].repeat(rng.usize(1..60)),
        2 => (0..rng.usize(1..12)).map(|_| rng.char('\0'..='\u{ff}')).collect(),
        _ => (0..rng.usize(1..6)).map(|_| PIECES[rng.usize(0..PIECES.len())]).collect(),
    }
}

/// Harmless names in the same order as the texts.
pub fn harmless(texts: &[String]) -> Vec<String> {
    let mut sorted: Vec<&String> = texts.iter().collect();
    sorted.sort();
    let rank = |t: &String| sorted.binary_search(&t).unwrap_or(0);
    texts.iter().map(|t| if t.is_empty() { String::new() } else { format!("n{:03}", rank(t)) }).collect()
}
