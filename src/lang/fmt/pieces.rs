//! A text as tokens and comments, with the line ends between them.

use crate::lang::syntax::{Dialect, Lexer, Text, Tok};
use crate::source::FileId;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A token.
    Token(Tok),
    /// `// …` or `# …`
    LineComment,
    /// `/* … */`
    BlockComment,
}

/// A token or comment.
#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: Kind,
    pub text: String,
    /// Line ends before it.
    pub lines: usize,
    /// Is there anything between it and the piece before?
    pub blank: bool,
    /// The language it stands in.
    pub dialect: Dialect,
}

impl Piece {
    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.kind, Kind::Token(Tok::Sym(_))) && self.text == symbol
    }
}

/// All pieces of a text. Blocks of agents and properties in a model are read in their own languages.
pub fn pieces(text: &str, dialect: Dialect) -> Result<Vec<Piece>, String> {
    let source = Text::plain(FileId(0), text, 0);
    let mut lexer = Lexer::new(&source, dialect);
    let (mut current, mut depth, mut last) = (dialect, 0usize, 0usize);
    let mut out: Vec<Piece> = Vec::new();
    loop {
        let token = lexer.token();
        let (lines, blank) = gap(source.slice(last, token.start), current, &mut out);
        match token.tok {
            Tok::End => return Ok(out),
            Tok::Unclosed(what) => {
                let line = source.slice(0, token.start).matches('\n').count() + 1;
                return Err(format!("{what} is not closed in line {line}"));
            }
            _ => {}
        }
        let kind = Kind::Token(token.tok);
        let text = source.slice(token.start, token.end).to_string();
        out.push(Piece { kind, text, lines, blank, dialect: current });
        last = token.end;
        let inner = match token.tok {
            Tok::Sym("{") => {
                depth += 1;
                if dialect == Dialect::Notation && depth == 1 { block_language(&out) } else { current }
            }
            Tok::Sym("}") => {
                depth = depth.saturating_sub(1);
                if depth == 0 { dialect } else { current }
            }
            _ => current,
        };
        if inner != current {
            current = inner;
            lexer = Lexer::starting_at(&source, current, last);
        }
    }
}

/// The language of the block whose `{` is the last piece.
fn block_language(pieces: &[Piece]) -> Dialect {
    match pieces.iter().rev().nth(1).map(|p| p.text.as_str()) {
        Some("agents") => Dialect::Agents,
        Some("properties") => Dialect::Property,
        _ => Dialect::Notation,
    }
}

/// Takes the comments out of what stands between two tokens. Gives the line ends behind the last one, and whether anything stands there.
fn gap(text: &str, dialect: Dialect, out: &mut Vec<Piece>) -> (usize, bool) {
    let (mut rest, mut lines, mut blank) = (text, 0, false);
    while let Some(c) = rest.chars().next() {
        let line = rest.starts_with("//") || c == '#';
        let len = if line {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            lines += usize::from(c == '\n');
            blank = true;
            rest = rest.get(c.len_utf8()..).unwrap_or("");
            continue;
        };
        let (comment, behind) = rest.split_at(len);
        let kind = if line { Kind::LineComment } else { Kind::BlockComment };
        let text = comment.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        out.push(Piece { kind, text, lines, blank, dialect });
        (rest, lines, blank) = (behind, 0, false);
    }
    (lines, blank)
}
