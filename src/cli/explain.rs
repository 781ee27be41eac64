//! `gsmc explain E012`, `gsmc explain can-still-finish`, `gsmc explain bounded`.

use super::BAD_INPUT;
use super::output::{done, print, say, stdout_look};
use crate::answer::glossary;
use crate::lang::standard::{self, Standard};
use crate::source::codes;

/// Lines are no longer than this.
const WIDEST: usize = 88;

/// Which code, standard question or word.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A diagnostic code such as E012 or W003, a standard question such as can-still-finish, or a word of answers such as
    /// bounded; without one, all are listed
    #[arg(value_name = "CODE|QUESTION|WORD")]
    code: Option<String>,
}

pub fn run(args: &Args) -> u8 {
    let Some(id) = &args.code else {
        let lines = codes::all().into_iter().map(|c| format!("{}  {}\n", c.id, c.title));
        let widest = standard::ALL.iter().map(|s| s.name.len()).max().unwrap_or(0);
        let questions = standard::ALL.iter().map(|s| format!("{:<widest$}  {}\n", s.name, s.asks));
        let terms = glossary::ALL.iter().map(|t| format!("{:<widest$}  {}\n", t.name, t.title));
        let blank = || ["\n".to_string()];
        return done(print(&lines.chain(blank()).chain(questions).chain(blank()).chain(terms).collect::<String>()));
    };
    if let Some(question) = standard::find(id) {
        return done(print(&about(question)));
    }
    if let Some(term) = glossary::find(id) {
        return done(print(&format!("{}\n\n{}\n", wrap(&format!("{}: {}", term.name, term.title)), wrap(term.text))));
    }
    match codes::find(id) {
        Some(code) => {
            let (said, instead) = (wrap(code.explanation), wrap(&format!("Instead: {}.", code.instead)));
            done(print(&format!("{}: {}\n\n{said}\n\n{instead}\n", code.id, code.title)))
        }
        None => {
            let known: Vec<&str> = codes::all().into_iter().map(|c| c.id).collect();
            let mut near = crate::source::nearest(&id.to_uppercase(), known);
            let names = standard::ALL.iter().map(|s| s.name).chain(glossary::ALL.iter().map(|t| t.name));
            near.extend(crate::source::nearest(id, names));
            let hint = if near.is_empty() { String::new() } else { format!(" (near: {})", near.join(", ")) };
            say(&format!(
                "error: there is no diagnostic, standard question or word '{id}'{hint}; 'gsmc explain' lists them all"
            ));
            BAD_INPUT
        }
    }
}

/// A standard question: what it asks, how one would write it, what to do.
fn about(s: &Standard) -> String {
    let formula = match s.formula {
        "" => "It is about steps, so no formula says it; the native engine answers it.".to_string(),
        formula => format!("As a property: {formula}"),
    };
    let asked = match s.languages {
        ["cmmn"] => "Asked of every CMMN case, unless --no-builtin.".to_string(),
        all => format!("Asked by --builtin of models in {}.", all.join(", ")),
    };
    let head = wrap(&format!("{}: {}", s.name, s.asks));
    format!("{head}\n\n{}\n\n{}\n{}\n", wrap(s.otherwise), wrap(&formula), wrap(&asked))
}

/// Paragraphs filled to 88 columns, or to the terminal's; lines that start with blanks (examples) stay as they are.
fn wrap(text: &str) -> String {
    let most = stdout_look().width.unwrap_or(WIDEST).min(WIDEST);
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with(' ') {
            out += line;
            out.push('\n');
            continue;
        }
        let mut width = 0;
        for word in line.split_whitespace() {
            let len = word.chars().count();
            if width > 0 && width + 1 + len > most {
                out.push('\n');
                width = 0;
            } else if width > 0 {
                out.push(' ');
                width += 1;
            }
            out += word;
            width += len;
        }
        out.push('\n');
    }
    out.trim_end().to_string()
}
