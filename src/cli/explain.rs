//! `gsmc explain E012`.

use super::BAD_INPUT;
use super::output::{done, print, say};
use crate::source::codes;

/// Which code.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A diagnostic code such as E012 or W003; without one, all codes are listed
    code: Option<String>,
}

pub fn run(args: &Args) -> u8 {
    let Some(id) = &args.code else {
        let lines = codes::all().into_iter().map(|c| format!("{}  {}\n", c.id, c.title));
        return done(print(&lines.collect::<String>()));
    };
    match codes::find(id) {
        Some(code) => done(print(&format!("{}: {}\n\n{}\n", code.id, code.title, wrap(code.explanation)))),
        None => {
            let known: Vec<&str> = codes::all().into_iter().map(|c| c.id).collect();
            let near = crate::source::nearest(&id.to_uppercase(), known);
            let hint = if near.is_empty() { String::new() } else { format!(" (near: {})", near.join(", ")) };
            say(&format!("error: there is no diagnostic '{id}'{hint}; 'gsmc explain' lists them all"));
            BAD_INPUT
        }
    }
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
