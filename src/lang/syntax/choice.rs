//! Choices and names for values: `a ? b : c`, `if a then b else c endif`, `let x = e in φ`, and the remainder `a % b`.

use super::cursor::Parsed;
use super::lex::{Tok, Token};
use super::{Ast, AstKind, Level, Parser};
use crate::source::codes::expressions::{SYNTAX, TOO_DEEP};

/// How large the operands of `%` may be together. The first is needed twice, so that long ones could grow beyond all bounds.
const LONGEST: usize = 100;

impl Parser<'_> {
    /// `a ? b : c`, with `a` read.
    pub(super) fn question(&mut self, condition: Ast, start: usize) -> Parsed<Ast> {
        if self.at(":") {
            let d = self.error(&SYNTAX, "the short form a ?: b is not read");
            return Err(d.help("write what is asked: a != null ? a : b"));
        }
        let then = self.expr(Level::LOWEST)?;
        self.expect(":")?;
        let otherwise = self.expr(Level::LOWEST)?;
        self.node(AstKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), start)
    }

    /// An operand that begins with a word: a choice or `let`, a defined name, or a name of the model.
    pub(super) fn named(&mut self, token: Token) -> Parsed<Ast> {
        if let Some(choice) = self.in_words(token) {
            return choice;
        }
        match self.defined()? {
            Some(meaning) => Ok(meaning),
            None => self.path(),
        }
    }

    /// A choice or `let` in words, if the next word begins one.
    fn in_words(&mut self, token: Token) -> Option<Parsed<Ast>> {
        let second = self.peek_second();
        match self.word(token) {
            "if" if self.starts_operand(second) => Some(self.if_then_else()),
            "let" if second.tok == Tok::Word && self.starts_operand(second) => Some(self.let_in()),
            _ => None,
        }
    }

    fn if_then_else(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let condition = self.expr(Level::LOWEST)?;
        self.expect_word("then")?;
        let then = self.expr(Level::LOWEST)?;
        self.expect_word("else")?;
        let otherwise = self.expr(Level::LOWEST)?;
        self.expect_word("endif")?;
        self.node(AstKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), start)
    }

    /// `let x = e, y : Integer = f in φ`.
    fn let_in(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let mut names = Vec::new();
        loop {
            let name = self.name("a name")?;
            if self.eat(":") {
                self.name("a type")?;
            }
            self.expect("=")?;
            names.push((name, self.expr(Level::LOWEST)?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect_word("in")?;
        let mut body = self.expr(Level::LOWEST)?;
        while let Some((name, value)) = names.pop() {
            body = self.node(AstKind::Let(name, Box::new(value), Box::new(body)), start)?;
        }
        Ok(body)
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if !self.at_word(word) {
            return Err(self.expected(&format!("'{word}' or an operator")));
        }
        self.bump();
        Ok(())
    }

    /// `a % b`.
    pub(super) fn remainder(&mut self, left: Ast, right: Ast) -> Parsed<AstKind> {
        let mut nodes = 0;
        left.walk(&mut |part| nodes += if matches!(part.kind, AstKind::Rem(..)) { LONGEST / 2 } else { 1 });
        right.walk(&mut |part| nodes += if matches!(part.kind, AstKind::Rem(..)) { LONGEST / 2 } else { 1 });
        if nodes > LONGEST {
            return Err(self.error(&TOO_DEEP, "the operands of '%' are too long").help("compute with shorter ones"));
        }
        Ok(AstKind::Rem(Box::new(left), Box::new(right)))
    }
}
