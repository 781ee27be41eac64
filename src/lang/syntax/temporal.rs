//! Prefix operators of properties: branching time, linear time, knowledge, strategies, fixpoints, quantifiers, patterns.

use super::cursor::Parsed;
use super::lex::{Tok, Token};
use super::{Ast, AstKind, Level, Modal, Name, Parser};
use crate::logic::{Fixpoint, Know, Path, Pattern};
use crate::source::Diagnostic;
use crate::source::codes::expressions::SYNTAX;

impl Parser<'_> {
    /// A prefix operator of properties with its operand, or a primary expression.
    pub(super) fn temporal(&mut self) -> Parsed<Ast> {
        let token = self.peek();
        match token.tok {
            Tok::Sym("<<") => return self.can(),
            Tok::Sym(sign @ ("[]" | "<>")) if self.fixpoints > 0 => return self.one_step(sign == "[]"),
            Tok::Sym("[]" | "<>") if !self.linear => return Err(self.not_linear("")),
            Tok::Sym(sign @ ("[]" | "<>")) => {
                self.boxes = true;
                return self.linear_operator(if sign == "[]" { Modal::Globally } else { Modal::Finally });
            }
            Tok::Word => {}
            _ => return self.primary(),
        }
        let second = self.peek_second();
        let word = self.word(token);
        if let Some((path, modal)) = ctl(word).filter(|_| !self.follows_name(second)) {
            if matches!(second.tok, Tok::End | Tok::Sym(";")) {
                let d = self.error(&SYNTAX, format!("'{word}' is an operator, and no formula follows"));
                return Err(d.help(format!("what a type calls so is asked of an instance: exists x : Type (x.{word})")));
            }
            return self.branching_operator(path, modal);
        }
        let operand = self.starts_operand(second) && second.tok != Tok::Sym("-");
        let operator = operand || (self.linear && second.tok != Tok::Sym("-") && !self.follows_name(second));
        if let Some(modal) = modal(word).filter(|_| operator) {
            return if self.linear { self.linear_operator(modal) } else { Err(self.not_linear(word)) };
        }
        if word == "N" && self.linear && operator {
            return self.weak_next();
        }
        if let Some(knowledge) = self.subscripted(token, second) {
            return knowledge;
        }
        if let Some(kind) = self.glued_fixpoint(token, second) {
            return self.fixpoint(kind);
        }
        let opens = matches!(second.tok, Tok::Sym("(" | "["));
        match word {
            "A" if opens => self.branching_until(Path::A),
            "E" if opens => self.branching_until(Path::E),
            "LTL" if self.starts_operand(second) => self.on_all_runs(),
            "forall" | "exists" | "∀" | "∃" if matches!(second.tok, Tok::Word | Tok::Quoted) => self.quantifier(),
            "mu" | "μ" | "µ" if second.tok == Tok::Word && operand => self.fixpoint(Fixpoint::Least),
            "nu" | "ν" if second.tok == Tok::Word && operand => self.fixpoint(Fixpoint::Greatest),
            "K" | "EK" | "CK" | "DK" if second.tok == Tok::Sym("(") => self.know(),
            _ => match Pattern::named(word) {
                Some(pattern) if second.tok == Tok::Sym("(") => self.pattern(pattern),
                _ => match self.misspelt(word, second) {
                    Some(d) => Err(d),
                    None => self.primary(),
                },
            },
        }
    }

    /// A word that stands where an operator would, and what should stand there.
    #[cold]
    fn misspelt(&self, word: &str, second: Token) -> Option<Diagnostic> {
        let next = self.word(second);
        let infix = self.linear && matches!(next, "U" | "W" | "R");
        if second.tok == Tok::Sym("-") || infix || !self.starts_operand(second) {
            return None;
        }
        let upper = word.to_uppercase();
        let whole = format!("{upper}{}", next.to_uppercase());
        let unknown = || self.error(&SYNTAX, format!("unknown operator '{word}'"));
        if upper.len() == 1 && ctl(&whole).is_some() {
            let d = self.error(&SYNTAX, format!("'{word} {next}' is written as one word"));
            return Some(
                d.help(format!("write {whole}; after LTL the second letter stands alone: LTL {} …", &whole[1..])),
            );
        }
        if ctl(&upper).is_some() || upper == "LTL" {
            return Some(unknown().help(format!("operators are in capitals: {upper}")));
        }
        if matches!(word, "some" | "all") {
            let d = self.error(&SYNTAX, format!("'{word}' needs an instance to which others are related"));
            return Some(d.help(format!("write x.{word} Type.milestone, with x quantified: forall x : Type (…)")));
        }
        let short = word.len() <= 3 && word.chars().all(|c| c.is_ascii_uppercase());
        short.then(|| {
            let ways =
                "on all runs: AG always, AF at last, AX next; on some run: EG, EF, EX; or LTL and a formula about runs";
            unknown().help(ways)
        })
    }

    /// An operator of linear time where there is none.
    #[cold]
    fn not_linear(&self, word: &str) -> Diagnostic {
        if word.is_empty() {
            let d = self.expected("an operand (a name, a value, '!' or '(')");
            return d.help("[] and <> are operators of linear time: use them alone, or write AG and AF for them");
        }
        let d = self.error(&SYNTAX, format!("'{word}' stands after LTL or a group only"));
        d.help(format!("write A{word} or E{word}, or put LTL in front of the formula"))
    }

    fn branching_operator(&mut self, path: Path, modal: Modal) -> Parsed<Ast> {
        let start = self.bump().start;
        let inner = self.expr(Level::PREFIX)?;
        self.node(AstKind::Ctl(path, modal, Box::new(inner)), start)
    }

    fn branching_until(&mut self, path: Path) -> Parsed<Ast> {
        let start = self.bump().start;
        let (a, b) = self.branching(|p| p.until())?;
        self.node(AstKind::CtlUntil(path, Box::new(a), Box::new(b)), start)
    }

    fn on_all_runs(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let outside = std::mem::replace(&mut self.linear, true);
        let inner = self.expr(Level::LOWEST)?;
        self.linear = outside;
        self.node(AstKind::OnAllRuns(Box::new(inner)), start)
    }

    fn linear_operator(&mut self, modal: Modal) -> Parsed<Ast> {
        let start = self.bump().start;
        let inner = self.expr(Level::PREFIX)?;
        self.node(AstKind::Ltl(modal, Box::new(inner)), start)
    }

    /// `□φ` and `◇φ` in a fixpoint: after every step, after some step.
    fn one_step(&mut self, every: bool) -> Parsed<Ast> {
        let start = self.bump().start;
        let inner = self.expr(Level::PREFIX)?;
        let path = if every { Path::A } else { Path::E };
        self.node(AstKind::Ctl(path, Modal::Next, Box::new(inner)), start)
    }

    /// `N φ`, if there is a next point φ holds there: `!X !φ`. Runs without end have one always; recorded ones do not.
    fn weak_next(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let inner = self.expr(Level::PREFIX)?;
        let fails = self.node(AstKind::Not(Box::new(inner)), start)?;
        let next = self.node(AstKind::Ltl(Modal::Next, Box::new(fails)), start)?;
        self.node(AstKind::Not(Box::new(next)), start)
    }

    /// Parses with the operators of linear time switched off.
    pub(super) fn branching<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outside = std::mem::replace(&mut self.linear, false);
        let out = parse(self)?;
        self.linear = outside;
        Ok(out)
    }

    /// `(φ U ψ)` or `[φ U ψ]`.
    fn until(&mut self) -> Parsed<(Ast, Ast)> {
        let close = if self.bump().tok == Tok::Sym("[") { "]" } else { ")" };
        let a = self.expr(Level::LOWEST)?;
        self.until_word()?;
        let b = self.expr(Level::LOWEST)?;
        self.expect(close)?;
        Ok((a, b))
    }

    fn at_until(&self) -> bool {
        self.at_word("U") || self.at_word("UNTIL")
    }

    fn until_word(&mut self) -> Parsed<()> {
        if !self.at_until() {
            return Err(self.expected("'U' or 'UNTIL'"));
        }
        self.bump();
        Ok(())
    }

    fn quantifier(&mut self) -> Parsed<Ast> {
        let token = self.bump();
        let exists = matches!(self.word(token), "exists" | "∃");
        let mut vars = vec![self.name("a variable")?];
        while self.eat(",") {
            vars.push(self.name("a variable")?);
        }
        self.expect(":")?;
        let ty = self.name("an artifact type")?;
        let mut body = self.expr(Level::PREFIX)?;
        while let Some(var) = vars.pop() {
            body = self.node(AstKind::Quant { exists, var, ty: ty.clone(), body: Box::new(body) }, token.start)?;
        }
        Ok(body)
    }

    fn fixpoint(&mut self, kind: Fixpoint) -> Parsed<Ast> {
        let start = self.peek().start;
        // `µZ` can be one word.
        let letter = self.word(self.peek()).chars().next().map_or(0, char::len_utf8);
        if self.glued_fixpoint(self.peek(), self.peek_second()).is_some() {
            self.split(letter);
        } else {
            self.bump();
        }
        let var = self.name("a variable")?;
        if !self.at(".") {
            return Err(self.expected("'.' (a fixpoint is written mu Z. (…) or nu Z. (…))"));
        }
        self.bump();
        self.fixpoints += 1;
        let body = self.expr(Level::PREFIX)?;
        self.fixpoints -= 1;
        self.node(AstKind::Fix(kind, var, Box::new(body)), start)
    }

    fn know(&mut self) -> Parsed<Ast> {
        let token = self.bump();
        let know = match self.word(token) {
            "K" => Know::K,
            "EK" => Know::Everybody,
            "CK" => Know::Common,
            _ => Know::Distributed,
        };
        self.expect("(")?;
        let group = if know != Know::K && self.at("{") {
            self.bump();
            self.group("}")?
        } else {
            let name = self.name("the name of an agent")?;
            if know == Know::K { vec![name] } else { self.members(name) }
        };
        self.expect(",")?;
        let inner = self.branching(|p| p.expr(Level::LOWEST))?;
        self.expect(")")?;
        self.node(AstKind::Know(know, group, Box::new(inner)), token.start)
    }

    /// Names of agents up to `close`, which is taken too.
    pub(super) fn group(&mut self, close: &str) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        while !self.at(close) {
            if !names.is_empty() && !self.eat(",") {
                return Err(self.expected(&format!("',' or '{close}'")));
            }
            let name = self.name("the name of an agent")?;
            names.extend(self.members(name));
        }
        self.bump();
        Ok(names)
    }

    fn can(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let group = self.group(">>")?;
        let token = self.peek();
        if let Some(modal) = (token.tok == Tok::Word).then(|| modal(self.word(token))).flatten() {
            self.bump();
            let inner = self.branching(|p| p.expr(Level::PREFIX))?;
            return self.node(AstKind::Can(group, modal, Box::new(inner)), start);
        }
        let (a, b) = self.branching(|p| p.group_until())?;
        self.node(AstKind::CanUntil(group, Box::new(a), Box::new(b)), start)
    }

    /// `(φ U ψ)`, `[φ U ψ]`, `φ U ψ` or `(φ) U ψ`.
    fn group_until(&mut self) -> Parsed<(Ast, Ast)> {
        if self.at("[") {
            return self.until();
        }
        let a = if self.eat("(") {
            let a = self.expr(Level::LOWEST)?;
            if self.at_until() {
                self.bump();
                let b = self.expr(Level::LOWEST)?;
                self.expect(")")?;
                return Ok((a, b));
            }
            self.expect(")")?;
            a
        } else if self.starts_operand(self.peek()) {
            self.expr(Level::PREFIX)?
        } else {
            return Err(self.expected("X, F, G or a formula with U"));
        };
        if !self.at_until() {
            return Err(self.expected("'U' (after a group stands X, F, G or a formula with U)"));
        }
        self.bump();
        Ok((a, self.expr(Level::PREFIX)?))
    }

    fn pattern(&mut self, pattern: Pattern) -> Parsed<Ast> {
        let arity = pattern.arity();
        let start = self.bump().start;
        self.expect("(")?;
        let mut args = vec![self.expr(Level::LOWEST)?];
        while args.len() < arity {
            self.expect(",")?;
            args.push(self.expr(Level::LOWEST)?);
        }
        self.expect(")")?;
        self.node(AstKind::Pattern(pattern, args), start)
    }
}

fn ctl(word: &str) -> Option<(Path, Modal)> {
    let path = match word.as_bytes() {
        [b'A', _] => Path::A,
        [b'E', _] => Path::E,
        _ => return None,
    };
    modal(word.get(1..)?).map(|m| (path, m))
}

fn modal(word: &str) -> Option<Modal> {
    match word {
        "X" => Some(Modal::Next),
        "F" => Some(Modal::Finally),
        "G" => Some(Modal::Globally),
        _ => None,
    }
}
