//! From text to untyped expressions: one lexer and one parser for sentries, agents files and properties.
//!
//! The parser takes time linear in the text and its depth is bounded, so hostile input gives an error and nothing worse.

mod ast;
mod choice;
mod climb;
mod cursor;
mod lex;
mod notation;
mod operand;
mod printed;
mod temporal;
#[cfg(test)]
mod tests;
mod text;

pub use ast::{Ast, AstKind, Linear, Modal, Name, Related};
pub use climb::Level;
pub use cursor::{MAX_DEPTH, MAX_NODES, Parser};
pub use lex::{Dialect, Gap, Lexer, Tok, Token, unquote};
pub use printed::{Definition, Definitions};
pub use text::Text;

use crate::source::Diagnostic;

/// Parses the whole text as one expression. The error says what was expected and at which column of the text.
pub fn expression(text: &Text, dialect: Dialect) -> Result<Ast, Diagnostic> {
    let mut parser = Parser::new(text, dialect);
    let ast = parser.expr(Level::LOWEST)?;
    match parser.peek().tok {
        Tok::End => Ok(ast),
        _ => Err(parser.expected("an operator or the end of the expression")),
    }
}

/// The decoded text between two offsets with comments left out and every gap shrunk to one blank.
pub fn normalised(text: &Text, dialect: Dialect, start: usize, end: usize) -> String {
    let mut lexer = Lexer::starting_at(text, dialect, start);
    let mut out = String::new();
    loop {
        let token = lexer.token();
        if token.tok == Tok::End || token.end > end {
            return out;
        }
        if !token.gap.none && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(text.slice(token.start, token.end));
    }
}
