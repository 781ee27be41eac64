//! What papers print and keyboards do not have: `K_a φ`, `E_Γ φ`, `µZ.φ`, and names that `#define` gives.

use super::cursor::{MAX_NODES, Parsed};
use super::lex::{Tok, Token};
use super::{Ast, AstKind, Level, Name, Parser};
use crate::logic::{Fixpoint, Know};
use crate::source::codes::expressions::{SYNTAX, TOO_DEEP};
use std::collections::BTreeMap;

/// What `#define` gives a name to.
#[derive(Clone, Debug)]
pub enum Definition {
    /// A formula, or a value.
    Formula(Ast),
    /// A group of agents.
    Group(Vec<Name>),
}

/// Definitions by name.
pub type Definitions = BTreeMap<String, Definition>;

/// Operators of knowledge that take their agents as a subscript.
const SUBSCRIPTED: [(&str, Know); 7] = [
    ("EK_", Know::Everybody),
    ("CK_", Know::Common),
    ("DK_", Know::Distributed),
    ("K_", Know::K),
    ("E_", Know::Everybody),
    ("C_", Know::Common),
    ("D_", Know::Distributed),
];

impl Parser<'_> {
    /// `K_a φ`, `K_{a} φ`, `E_Γ φ`, `E_{a, b} φ`, `CK_…`, `DK_…`; `None` where the next word is no such operator.
    pub(super) fn subscripted(&mut self, token: Token, second: Token) -> Option<Parsed<Ast>> {
        let word = self.word(token);
        let (prefix, know) = SUBSCRIPTED.iter().find(|(prefix, _)| word.starts_with(prefix))?;
        let braces = word == *prefix && second.tok == Tok::Sym("{") && second.gap.none;
        let operand = self.starts_operand(second) && second.tok != Tok::Sym("-");
        (braces || word.len() > prefix.len() && operand).then(|| self.knows(token, prefix.len(), *know))
    }

    /// A group of agents in braces.
    pub fn agents(&mut self) -> Parsed<Vec<Name>> {
        self.expect("{")?;
        self.group("}")
    }

    fn knows(&mut self, token: Token, prefix: usize, know: Know) -> Parsed<Ast> {
        self.split(prefix);
        let group = if self.eat("{") {
            self.group("}")?
        } else {
            // A word alone: names with '-' stand in braces.
            let agent = self.bump();
            let name = Name { text: self.word(agent).to_string(), span: self.span(agent), quoted: false };
            self.members(name)
        };
        if know == Know::K && group.len() != 1 {
            let d = self.error(&SYNTAX, "K is about one agent");
            return Err(d.help("for a group: E_{a, b} φ everybody knows, C_{a, b} φ it is common knowledge"));
        }
        let inner = self.branching(|p| p.expr(Level::PREFIX))?;
        self.node(AstKind::Know(know, group, Box::new(inner)), token.start)
    }

    /// The agents that a name stands for: those of a defined group, or itself.
    pub(super) fn members(&self, name: Name) -> Vec<Name> {
        match self.definitions.get(&name.text) {
            Some(Definition::Group(group)) if !name.quoted => group.clone(),
            _ => vec![name],
        }
    }

    /// `µZ.φ` without a blank behind the letter: takes the letter. The variable begins with a capital of the Latin alphabet.
    pub(super) fn glued_fixpoint(&mut self, token: Token, second: Token) -> Option<Fixpoint> {
        let word = self.word(token);
        let letter = word.chars().next()?;
        let kind = match letter {
            'μ' | 'µ' => Fixpoint::Least,
            'ν' => Fixpoint::Greatest,
            _ => return None,
        };
        let variable = word.get(letter.len_utf8()..)?;
        let fits = variable.starts_with(|c: char| c.is_ascii_uppercase()) && second.tok == Tok::Sym(".");
        fits.then_some(kind)
    }

    /// The formula or value that a defined name stands for, if the next word is one. Takes it.
    pub(super) fn defined(&mut self) -> Parsed<Option<Ast>> {
        let token = self.peek();
        let Some(Definition::Formula(meaning)) = self.definitions.get(self.word(token)) else { return Ok(None) };
        if token.tok != Tok::Word || matches!(self.peek_second().tok, Tok::Sym("." | ":")) {
            return Ok(None);
        }
        let mut nodes = 0;
        meaning.walk(&mut |_| nodes += 1);
        self.nodes += nodes;
        if self.nodes > MAX_NODES {
            return Err(self.error(&TOO_DEEP, format!("more than {MAX_NODES} names and operators in one text")));
        }
        let meaning = meaning.clone();
        self.bump();
        Ok(Some(meaning))
    }
}
