//! `gsmc explain E012`, `gsmc explain can-still-finish`.

use super::BAD_INPUT;
use super::output::{done, print, say};
use crate::lang::standard::{self, Standard};
use crate::source::codes;

/// Which code or standard question.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A diagnostic code such as E012 or W003, or a standard question such as can-still-finish; without one, all are listed
    #[arg(value_name = "CODE|QUESTION")]
    code: Option<String>,
}

pub fn run(args: &Args) -> u8 {
    let Some(id) = &args.code else {
        let lines = codes::all().into_iter().map(|c| format!("{}  {}\n", c.id, c.title));
        let widest = standard::ALL.iter().map(|s| s.name.len()).max().unwrap_or(0);
        let questions = standard::ALL.iter().map(|s| format!("{:<widest$}  {}\n", s.name, s.asks));
        return done(print(&lines.chain(["\n".into()]).chain(questions).collect::<String>()));
    };
    if let Some(question) = standard::find(id) {
        return done(print(&about(question)));
    }
    match codes::find(id) {
        Some(code) => done(print(&format!("{}: {}\n\n{}\n", code.id, code.title, wrap(code.explanation)))),
        None => {
            let known: Vec<&str> = codes::all().into_iter().map(|c| c.id).collect();
            let mut near = crate::source::nearest(&id.to_uppercase(), known);
            near.extend(crate::source::nearest(id, standard::ALL.iter().map(|s| s.name)));
            let hint = if near.is_empty() { String::new() } else { format!(" (near: {})", near.join(", ")) };
            say(&format!(
                "error: there is no diagnostic or standard question '{id}'{hint}; 'gsmc explain' lists them all"
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
    let asked = format!("Asked by --builtin of models in {}.", s.languages.join(", "));
    format!("{}: {}\n\n{}\n\n{}\n{}\n", s.name, s.asks, wrap(s.otherwise), wrap(&formula), wrap(&asked))
}

/// Paragraphs filled to 88 columns; lines that start with blanks (examples) stay as they are.
fn wrap(text: &str) -> String {
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
            if width > 0 && width + 1 + len > 88 {
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
