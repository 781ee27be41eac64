//! One style for files that people write: `.gsm`, `.gsma`, `.gsmp`, `.amber`.
//!
//! Lines stay lines and comments stay where they are; blanks and indentation are settled. So formatting twice changes nothing more, and
//! nothing but blanks is ever changed (which is checked before the result is given out).

mod pieces;
#[cfg(test)]
mod tests;

use crate::lang::syntax::{Dialect, Tok};
use crate::source::plain_lines;
use pieces::{Kind, Piece, pieces};
use std::path::Path;

/// The language of a file, by its name.
pub fn dialect_of(path: &Path) -> Option<Dialect> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "gsm" => Some(Dialect::Notation),
        "gsma" => Some(Dialect::Agents),
        "gsmp" => Some(Dialect::Property),
        "amber" => Some(Dialect::Amber),
        _ => None,
    }
}

/// The text in the one style. `Err`: why it cannot be formatted.
pub fn format(text: &str, dialect: Dialect) -> Result<String, String> {
    let unix = plain_lines(text.to_string());
    let before = pieces(&unix, dialect)?;
    let out = written(&before);
    let after = pieces(&out, dialect)?;
    let kept = |(i, (a, b)): (usize, (&Piece, &Piece))| {
        a.kind == b.kind && a.text == b.text && (i == 0 || (a.lines > 0) == (b.lines > 0))
    };
    let same = before.len() == after.len() && before.iter().zip(&after).enumerate().all(kept);
    if same && signs(&unix).eq(signs(&out)) {
        Ok(out)
    } else {
        Err("formatting would change more than blanks".to_string())
    }
}

/// How many comments of a model say nothing about one of its elements, as `///` does. Those in its blocks of agents and properties are
/// part of these.
pub fn comments(model: &str) -> usize {
    let own = |p: &&Piece| p.dialect == Dialect::Notation && !matches!(p.kind, Kind::Token(_));
    let all = pieces(model, Dialect::Notation).unwrap_or_default();
    all.iter().filter(own).filter(|p| !p.text.starts_with("///")).count()
}

/// Everything but blanks.
fn signs(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}')
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A block of statements.
    Block,
    /// A list in braces.
    List,
    /// `(` or `[`.
    Bracket,
}

fn written(pieces: &[Piece]) -> String {
    let mut out = String::new();
    let mut open: Vec<Open> = Vec::new();
    let mut first_word = "";
    for (i, piece) in pieces.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| pieces.get(i));
        let starts_line = piece.lines > 0 || before.is_none();
        let closes = matches!(piece.kind, Kind::Token(Tok::Sym(")" | "]" | "}")));
        if starts_line {
            if before.is_some() {
                let opened = before.is_some_and(|b| b.is("{"));
                let blank = piece.lines > 1 && !opened && !piece.is("}");
                out.push_str(if blank { "\n\n" } else { "\n" });
            }
            let depth = open.len() - usize::from(closes && !open.is_empty());
            let last = pieces.get(..i).unwrap_or_default().iter().rev().find(|p| matches!(p.kind, Kind::Token(_)));
            let more = usize::from(!closes && goes_on(piece, last, open.last().copied()));
            out.push_str(&"  ".repeat(depth + more));
        } else {
            out.push_str(gap(before, piece));
        }
        out.push_str(&piece.text);
        if let Kind::Token(tok) = piece.kind {
            let statement = starts_line || before.is_some_and(|b| b.is(";") || b.is("{") || b.is("}"));
            if statement && !closes {
                first_word = if tok == Tok::Word { &piece.text } else { "" };
            }
            match tok {
                Tok::Sym("(" | "[") => open.push(Open::Bracket),
                Tok::Sym("{") => open.push(opened(first_word, piece.dialect)),
                Tok::Sym(")" | "]" | "}") => {
                    open.pop();
                }
                _ => {}
            }
        }
    }
    let mut out: String = out.lines().map(|l| format!("{}\n", l.trim_end())).collect();
    while out.ends_with("\n\n") {
        out.pop();
    }
    if out.trim().is_empty() { String::new() } else { out }
}

/// What a `{` opens, by the first word of its statement.
fn opened(first_word: &str, dialect: Dialect) -> Open {
    let list = ["event", "sends", "created", "task", "instances", "options", "ranges", "relations", "abstraction"];
    if dialect == Dialect::Notation && list.contains(&first_word) || dialect == Dialect::Property {
        Open::List
    } else {
        Open::Block
    }
}

/// Does a line go on with what the line before began?
fn goes_on(piece: &Piece, last: Option<&Piece>, open: Option<Open>) -> bool {
    if open == Some(Open::Bracket) {
        return false; // The bracket indents already.
    }
    let joins = matches!(piece.kind, Kind::Token(_)) && matches!(piece.text.as_str(), "&&" | "||" | "and" | "or");
    let clause = piece.dialect == Dialect::Notation && matches!(piece.text.as_str(), "cleared" | "achieved");
    let left_open = last.is_some_and(|l| match l.kind {
        Kind::Token(Tok::Sym(",")) => open != Some(Open::List),
        Kind::Token(Tok::Sym(s)) => {
            matches!(s, "&&" | "||" | "->" | "<->" | "==" | "!=" | "=" | ":" | "+" | "-" | "*" | "/")
        }
        _ => false,
    });
    joins || clause || left_open
}

/// What stands between two pieces of one line.
fn gap(before: Option<&Piece>, piece: &Piece) -> &'static str {
    let Some(before) = before else { return "" };
    if piece.kind == Kind::LineComment {
        return "  ";
    }
    let kept = if piece.blank { " " } else { "" };
    let (Kind::Token(a), Kind::Token(b)) = (before.kind, piece.kind) else { return " " };
    let braces = piece.dialect != Dialect::Property;
    match (a, b) {
        (Tok::Sym("->"), Tok::Sym("," | ";")) => " ",
        (_, Tok::Sym("," | ";")) => "",
        (Tok::Sym("," | ";"), _) => " ",
        (Tok::Sym("{"), Tok::Sym("}")) if braces => " ",
        (_, Tok::Sym("{")) | (Tok::Sym("{"), _) | (_, Tok::Sym("}")) if braces => " ",
        (Tok::Sym("("), _) | (_, Tok::Sym(")")) => "",
        (_, Tok::Sym("&&" | "||" | "<->" | "==" | "!=" | "<=" | ">=" | "=")) => " ",
        (Tok::Sym("&&" | "||" | "<->" | "==" | "!=" | "<=" | ">=" | "="), _) => " ",
        (_, Tok::Sym("<" | ">")) | (Tok::Sym("<" | ">"), _) if piece.dialect != Dialect::Amber => " ",
        (_, Tok::Sym(":")) if piece.dialect == Dialect::Notation => "",
        (Tok::Sym(":"), _) if matches!(piece.dialect, Dialect::Notation | Dialect::Agents) => " ",
        _ => kept,
    }
}
