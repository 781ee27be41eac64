//! What conditions in the notation have of their own: `+m`, `-S`, `some R.m`, `completed(S)`, `stage S`.

use super::cursor::Parsed;
use super::lex::{Dialect, Tok};
use super::{Ast, AstKind, Name, Parser, Related};

/// Words of the notation that ask something of a name in parentheses, and the operators they stand for.
const ASKED: [(&str, &str); 3] =
    [("completed", "isStageCompleted"), ("done", "hasTaskCompleted"), ("occurs", "isEventOccurring")];

impl Parser<'_> {
    /// An operand of a condition in the notation.
    pub(super) fn notation(&mut self) -> Parsed<Ast> {
        let token = self.peek();
        let word = if token.tok == Tok::Word { self.word(token) } else { "" };
        if self.at_change() {
            return self.change();
        }
        if self.at_related() {
            return self.related(None, token.start);
        }
        if matches!(word, "stage" | "milestone") && self.name_follows() {
            self.bump();
            return self.asked(status_operator(word == "stage", None), token.start);
        }
        match ASKED.iter().find(|(w, _)| *w == word) {
            Some((_, operator)) if self.peek_second().tok == Tok::Sym("(") => {
                self.bump();
                self.expect("(")?;
                let name = self.name("a name")?;
                self.expect(")")?;
                self.call(operator, vec![name], token.start)
            }
            _ => self.primary(),
        }
    }

    /// Does a word or quoted name come after the next token?
    fn name_follows(&self) -> bool {
        let second = self.peek_second();
        matches!(second.tok, Tok::Word | Tok::Quoted) && self.starts_operand(second) && !second.gap.line
    }

    /// Is the next thing `+m` or `-m`?
    pub(super) fn at_change(&self) -> bool {
        self.dialect == Dialect::Notation && (self.at("+") || self.at("-")) && self.name_follows()
    }

    /// Is the next thing `some R.m` or `all R.m`?
    pub(super) fn at_related(&self) -> bool {
        let here = self.at_word("some") || self.at_word("all");
        let second = self.peek_second();
        let signed = self.dialect == Dialect::Notation && matches!(second.tok, Tok::Sym("+" | "-"));
        here && matches!(self.dialect, Dialect::Notation | Dialect::Property)
            && (self.name_follows() || signed && !second.gap.line)
    }

    /// `+m`, `-m`, `+stage S`.
    fn change(&mut self) -> Parsed<Ast> {
        let sign = self.bump();
        let up = sign.tok == Tok::Sym("+");
        let word = self.word(self.peek());
        if matches!(word, "stage" | "milestone") && self.peek().tok == Tok::Word && self.name_follows() {
            self.bump();
            return self.asked(status_operator(word == "stage", Some(up)), sign.start);
        }
        let mut path = vec![self.step()?];
        while self.eat(".") {
            path.push(self.step()?);
        }
        self.node(AstKind::Changed { up, path }, sign.start)
    }

    /// `some R.m`, with the subject already read.
    pub(super) fn related(&mut self, subject: Option<Name>, start: usize) -> Parsed<Ast> {
        let word = self.bump();
        let all = self.word(word) == "all";
        let change = match self.peek().tok {
            Tok::Sym(sign @ ("+" | "-")) => Some(sign == "+"),
            _ => None,
        };
        if change.is_some() {
            self.bump();
        }
        let ty = self.step()?;
        self.expect(".")?;
        let status = self.step()?;
        self.node(AstKind::Related(Box::new(Related { all, change, subject, ty, status })), start)
    }

    /// An operator about the name that comes next.
    fn asked(&mut self, operator: &str, start: usize) -> Parsed<Ast> {
        let name = self.step()?;
        self.call(operator, vec![name], start)
    }

    fn call(&mut self, operator: &str, args: Vec<Name>, start: usize) -> Parsed<Ast> {
        let path = vec![Name { text: operator.to_string(), span: self.since(start), quoted: false }];
        self.node(AstKind::Call { path, args }, start)
    }
}

/// The operator that asks for a stage or milestone, or for its change.
fn status_operator(stage: bool, change: Option<bool>) -> &'static str {
    match (stage, change) {
        (true, None) => "isStageActive",
        (true, Some(true)) => "stageActivatedOnEvent",
        (true, Some(false)) => "stageClosedOnEvent",
        (false, None) => "isMilestoneAchieved",
        (false, Some(true)) => "milestoneAchievedOnEvent",
        (false, Some(false)) => "milestoneInvalidatedOnEvent",
    }
}
