//! `#define p (…)`: names for conditions, values and groups of agents, as property files for SPIN have them.

use super::raw::Parsed;
use crate::lang::syntax::{Definition, Level, Parser, Tok};
use crate::source::codes::properties as codes;

/// Reads a definition; the next token is its `#`.
pub fn definition(p: &mut Parser) -> Parsed<()> {
    p.only_this_line();
    p.bump();
    p.bump();
    let token = p.peek();
    let name = p.word(token);
    if token.tok != Tok::Word {
        return Err(p.expected("the name that is defined"));
    }
    p.bump();
    if p.at("(") && p.peek().gap.none {
        let d = p.error(&codes::DEFINITION, format!("'{name}' cannot have parameters"));
        return Err(d.help(format!("put a blank behind the name: #define {name} (…); one definition for each use")));
    }
    if p.peek().tok == Tok::End {
        return Err(p.error(&codes::DEFINITION, format!("nothing stands behind '#define {name}'")));
    }
    let meaning = match p.at("{") {
        true => Definition::Group(p.agents()?),
        false => Definition::Formula(p.expr(Level::LOWEST)?),
    };
    if !p.eat(";") && p.peek().tok != Tok::End {
        return Err(p.expected("an operator or the end of the line"));
    }
    if p.define(name, meaning) {
        return Ok(());
    }
    let d = crate::source::Diagnostic::new(&codes::DEFINITION, p.span(token), format!("'{name}' is defined twice"));
    Err(d.help("give one of them another name"))
}
