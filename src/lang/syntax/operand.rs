//! Operands: negation, constants, names, calls, parentheses.

use super::cursor::Parsed;
use super::lex::{Dialect, Tok, Token, unquote};
use super::{Ast, AstKind, Level, Name, Parser};
use crate::machine::ArithOp;
use crate::source::Diagnostic;
use crate::source::codes::expressions as codes;

impl Parser<'_> {
    pub(super) fn prefix(&mut self) -> Parsed<Ast> {
        let token = self.peek();
        match token.tok {
            Tok::Sym("!") => self.not(),
            Tok::Word if matches!(self.word(token), "not" | "NOT") && self.starts_operand(self.peek_second()) => {
                self.not()
            }
            Tok::Sym("-") if !self.at_change() => self.minus(),
            _ => match self.dialect {
                Dialect::Property => self.temporal(),
                Dialect::Notation => self.notation(),
                Dialect::Sentry | Dialect::Agents | Dialect::Amber => self.primary(),
            },
        }
    }

    fn not(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let inner = self.expr(Level::PREFIX)?;
        self.node(AstKind::Not(Box::new(inner)), start)
    }

    fn minus(&mut self) -> Parsed<Ast> {
        let start = self.bump().start;
        let zero = Ast::new(AstKind::Int(0), self.since(start));
        let inner = self.expr(Level::OPERAND)?;
        let kind = match inner.kind {
            AstKind::Int(n) => AstKind::Int(-n),
            AstKind::Decimal(text) => AstKind::Decimal(format!("-{text}")),
            _ => AstKind::Arith(ArithOp::Sub, Box::new(zero), Box::new(inner)),
        };
        self.node(kind, start)
    }

    /// Can an operand start with this token?
    pub(super) fn starts_operand(&self, token: Token) -> bool {
        match token.tok {
            Tok::Word => {
                const INFIX: [&str; 12] =
                    ["and", "or", "xor", "implies", "iff", "eq", "ne", "lt", "le", "gt", "ge", "UNTIL"];
                !INFIX.contains(&self.word(token))
            }
            Tok::Int | Tok::Decimal | Tok::Quoted | Tok::DataTerm | Tok::Value => true,
            Tok::Sym(s) => {
                matches!(s, "(" | "!" | "-" | "$$" | "[]" | "<>" | "<<")
                    || s == "+" && self.dialect == Dialect::Notation
            }
            Tok::Unclosed(_) | Tok::Unknown | Tok::End => false,
        }
    }

    /// Does a word before this token name something, although it could be a prefix operator?
    pub(super) fn follows_name(&self, token: Token) -> bool {
        match token.tok {
            Tok::Sym(s) => {
                matches!(
                    s,
                    "==" | "!=" | "<" | "<=" | ">" | ">=" | "=" | "+" | "*" | "/" | "." | "&&" | "||" | "->" | "<->"
                )
            }
            Tok::Word => !self.starts_operand(token),
            _ => false,
        }
    }

    /// Constants, names, calls, parentheses.
    pub(super) fn primary(&mut self) -> Parsed<Ast> {
        let token = self.peek();
        let raw = self.word(token);
        let kind = match token.tok {
            Tok::Sym("(") => {
                self.bump();
                let inner = self.expr(Level::LOWEST)?;
                if !self.at(")") {
                    return Err(self.unclosed(token));
                }
                self.bump();
                return Ok(inner);
            }
            Tok::Sym("$$") => AstKind::SelfId,
            Tok::Int => match raw.parse() {
                Ok(n) => AstKind::Int(n),
                Err(_) => return Err(self.error(&codes::NUMBER, format!("the number {raw} is too large"))),
            },
            Tok::Decimal => AstKind::Decimal(raw.to_string()),
            Tok::Quoted if self.names_something() => return self.path(),
            Tok::Quoted => AstKind::Text(unquote(raw)),
            Tok::Value => AstKind::Text(raw.trim_matches(['[', ']']).trim().to_string()),
            Tok::DataTerm => self.data_term(token),
            Tok::Word if matches!(raw, "true" | "TRUE" | "⊤") => AstKind::Bool(true),
            Tok::Word if matches!(raw, "false" | "FALSE" | "⊥") => AstKind::Bool(false),
            Tok::Word if self.starts_operand(token) => return self.named(token),
            Tok::Word => {
                let d = self.expected("an operand (a name, a value, '!' or '(')");
                return Err(d.help(format!(
                    "'{raw}' is an operator; as a name it stands in quotes, of an instance x it is x.{raw}"
                )));
            }
            _ => return Err(self.expected("an operand (a name, a value, '!' or '(')")),
        };
        self.bump();
        self.node(kind, token.start)
    }

    /// Is the quoted text that comes next a name, not a value? In AMBER it can always be one.
    fn names_something(&self) -> bool {
        match self.dialect {
            Dialect::Amber => true,
            Dialect::Property => matches!(self.peek_second().tok, Tok::Sym("." | "[")),
            Dialect::Notation => self.peek_second().tok == Tok::Sym("."),
            Dialect::Sentry | Dialect::Agents => false,
        }
    }

    /// A parenthesis whose expression does not end with `)`.
    fn unclosed(&self, open: Token) -> Diagnostic {
        if matches!(self.peek().tok, Tok::Unclosed(_) | Tok::Unknown) {
            return self.expected("')' or an operator");
        }
        // Something else stands in the middle of the line: that is the mistake. At its end, the parenthesis is.
        let ends = self.peek().tok == Tok::End || self.next_line() || self.at(";");
        if !ends {
            return self.expected("')' or an operator");
        }
        let d = Diagnostic::new(&codes::UNCLOSED, self.span(open), "'(' is not closed").label("opened here");
        let d = d.help(format!("add ')' before {}", self.found()));
        match self.dialect {
            Dialect::Sentry => d.note(format!("column {} of the expression", self.text.column(open.start))),
            _ => d,
        }
    }

    fn data_term(&self, token: Token) -> AstKind {
        let inner = self.text.slice(token.start + 1, token.end - 1);
        let mut at = token.start + 1;
        let mut names = Vec::new();
        for piece in inner.split('/') {
            let text = piece.trim().trim_end_matches('.');
            let lead = piece.len() - piece.trim_start().len();
            let span = self.text.span(at + lead, at + lead + text.len());
            names.push(Name { text: text.to_string(), span, quoted: false });
            at += piece.len() + 1;
        }
        let item = if inner.contains('/') { Some(names.remove(0)) } else { None };
        names.retain(|n| !n.text.is_empty());
        AstKind::DataTerm { item: item.filter(|n| !n.text.is_empty()), steps: names }
    }

    pub(super) fn path(&mut self) -> Parsed<Ast> {
        let start = self.peek().start;
        let mut path = vec![self.step()?];
        while self.at(".") {
            self.bump();
            if let ([subject], true) = (path.as_slice(), self.at_related()) {
                let subject = subject.clone();
                return self.related(Some(subject), start);
            }
            path.push(self.step()?);
        }
        if !self.at("(") {
            let path = self.node(AstKind::Path(path), start)?;
            return self.elements(path, start);
        }
        const OF_SETS: [&str; 9] =
            ["exists", "forAll", "count", "size", "isEmpty", "notEmpty", "select", "reject", "one"];
        if let [word] = path.as_slice()
            && matches!(word.text.as_str(), "size" | "empty")
            && self.dialect != Dialect::Amber
        {
            return self.of_one(word.clone(), start);
        }
        if let [set @ .., op] = path.as_slice()
            && OF_SETS.contains(&op.text.as_str())
            && !set.is_empty()
            && self.dialect != Dialect::Amber
        {
            let (op, set) = (op.clone(), Ast::new(AstKind::Path(set.to_vec()), self.since(start)));
            return self.of_set(set, op, start);
        }
        self.bump();
        let mut args = Vec::new();
        while !self.at(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.argument()?);
        }
        self.bump();
        self.node(AstKind::Call { path, args }, start)
    }

    /// `size(x)`, `empty(x)`: the same as `x.size()`, `x.isEmpty()`.
    fn of_one(&mut self, word: Name, start: usize) -> Parsed<Ast> {
        self.expect("(")?;
        let set = Box::new(self.expr(Level::LOWEST)?);
        self.expect(")")?;
        let op = if word.text == "empty" { Name { text: "isEmpty".into(), ..word } } else { word };
        self.node(AstKind::Arrow { set, op, var: None, ty: None, body: None }, start)
    }

    /// `[i].field[j]` … behind a path.
    fn elements(&mut self, path: Ast, start: usize) -> Parsed<Ast> {
        let mut of = path;
        while matches!(self.dialect, Dialect::Amber | Dialect::Property) && self.at("[") && self.peek().gap.none {
            self.bump();
            let index = Box::new(self.expr(Level::SUM)?);
            if !self.at("]") {
                return Err(self.expected("']' or an operator"));
            }
            self.bump();
            let mut steps = Vec::new();
            while self.eat(".") {
                steps.push(self.step()?);
            }
            of = self.node(AstKind::Element { of: Box::new(of), index, steps }, start)?;
        }
        Ok(of)
    }

    pub(super) fn step(&mut self) -> Parsed<Name> {
        let token = self.peek();
        match token.tok {
            Tok::Word | Tok::Int => {
                self.spend()?;
                self.bump();
                Ok(Name { text: self.word(token).to_string(), span: self.span(token), quoted: false })
            }
            _ => self.name("a name"),
        }
    }

    /// An argument of a call: a quoted text, or whatever stands before the next comma or closing parenthesis.
    fn argument(&mut self) -> Parsed<Name> {
        self.spend()?;
        let first = self.peek();
        if first.tok == Tok::Quoted {
            return self.name("a name");
        }
        let mut inner = 0usize;
        loop {
            match self.peek().tok {
                Tok::Sym("," | ")") if inner == 0 => break,
                Tok::Sym("(") => inner += 1,
                Tok::Sym(")") => inner -= 1,
                Tok::End | Tok::Unclosed(_) | Tok::Sym(";") => return Err(self.expected("')'")),
                _ => {}
            }
            self.bump();
        }
        if self.peek().start == first.start {
            return Err(self.expected("a name"));
        }
        let text = self.text.slice(first.start, self.last).to_string();
        Ok(Name { text, span: self.since(first.start), quoted: false })
    }
}
