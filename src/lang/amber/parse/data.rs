//! Data: types, variables, fragments.

use super::{Parsed, Reader};
use crate::lang::amber::raw::{RawItem, RawRight, RawStatement, RawType, RawValue};
use crate::lang::syntax::{Ast, AstKind, Level, Tok};
use crate::source::Diagnostic;
use crate::source::codes::amber as codes;

impl Reader<'_, '_> {
    /// `var a, b: T = value`
    pub(super) fn variables(&mut self) -> Parsed<RawItem> {
        self.p.bump();
        let names = self.list(|r| r.name("the variable's name"))?;
        if !self.p.at(":") {
            return Err(self
                .p
                .expected("':' and a type")
                .help("write var n: 0..10, var done: bool or var c: {red, green}"));
        }
        self.p.bump();
        let ty = self.a_type()?;
        let init = if self.p.eat("=") { Some(self.value()?) } else { None };
        Ok(RawItem::Var(names, ty, init))
    }

    pub(super) fn a_type(&mut self) -> Parsed<RawType> {
        self.deeper()?;
        let token = self.p.peek();
        let word = if token.tok == Tok::Word { self.p.word(token) } else { "" };
        let simple = match word {
            "bool" => Some(RawType::Bool),
            "byte" => Some(RawType::Byte),
            "int" => Some(RawType::Int(self.p.span(token))),
            _ => None,
        };
        let mut ty = match (simple, token.tok) {
            (Some(simple), _) => {
                self.p.bump();
                simple
            }
            (None, Tok::Word) if word == "record" => self.record()?,
            (None, Tok::Sym("{")) => {
                self.p.bump();
                let values = self.list(|r| r.name("a value"))?;
                self.p.expect("}")?;
                RawType::Values(values)
            }
            (None, Tok::Int | Tok::Sym("-" | "(")) => self.range()?,
            (None, Tok::Word) if self.p.peek_second().tok == Tok::Sym("..") => self.range()?,
            (None, Tok::Word | Tok::Quoted) => RawType::Named(self.name("a type")?),
            _ => return Err(self.p.expected("a type (bool, byte, lo..hi, {a, b}, record { f: T } or a name)")),
        };
        let mut levels = 1;
        while self.p.at("[") {
            self.deeper()?;
            levels += 1;
            self.p.bump();
            let size = self.p.expr(Level::SUM)?;
            self.p.expect("]")?;
            ty = RawType::Array(Box::new(ty), size);
        }
        self.depth -= levels;
        Ok(ty)
    }

    fn range(&mut self) -> Parsed<RawType> {
        let lo = self.p.expr(Level::SUM)?;
        self.p.expect("..")?;
        let hi = self.p.expr(Level::SUM)?;
        Ok(RawType::Range(lo, hi))
    }

    fn record(&mut self) -> Parsed<RawType> {
        self.p.bump();
        self.p.expect("{")?;
        let mut fields = Vec::new();
        loop {
            let name = self.name("a field's name")?;
            self.p.expect(":")?;
            fields.push((name, self.a_type()?));
            let more = self.p.eat(",") || self.p.eat(";");
            if self.p.eat("}") {
                return Ok(RawType::Record(fields));
            }
            if !more {
                return Err(self.p.expected("',' or '}'"));
            }
        }
    }

    fn value(&mut self) -> Parsed<RawValue> {
        let start = self.p.peek().start;
        if !self.p.at("{") {
            return self.p.expr(Level::LOWEST).map(RawValue::Expr);
        }
        self.deeper()?;
        self.p.bump();
        let parts = self.list(Self::value)?;
        if !self.p.at("}") {
            return Err(self.p.expected("',' or '}'"));
        }
        self.p.bump();
        self.depth -= 1;
        Ok(RawValue::Parts(parts, self.p.since(start)))
    }

    /// `{ statement; … }`
    pub(super) fn fragment(&mut self) -> Parsed<Vec<RawStatement>> {
        self.deeper()?;
        self.p.expect("{")?;
        let mut all = Vec::new();
        loop {
            while self.p.eat(";") {}
            if self.p.eat("}") {
                self.depth -= 1;
                return Ok(all);
            }
            let statement = self.statement()?;
            let closed = matches!(statement, RawStatement::If(..));
            all.push(statement);
            if !closed && !self.p.at(";") && !self.p.at("}") {
                return Err(self.p.expected("an operator, ';' or '}'"));
            }
        }
    }

    fn statement(&mut self) -> Parsed<RawStatement> {
        if self.p.at_word("if") {
            return self.if_else();
        }
        let place = self.place()?;
        if !self.p.at(":=") {
            let d = self.p.expected("':='");
            return Err(if self.p.at("=") { d.help("assignments are written x := x + 1") } else { d });
        }
        self.p.bump();
        Ok(RawStatement::Assign(place, Box::new(self.right()?)))
    }

    fn place(&mut self) -> Parsed<Ast> {
        let token = self.p.peek();
        let ast = match token.tok {
            Tok::Word | Tok::Quoted => self.p.expr(Level::OPERAND)?,
            _ => return Err(self.p.expected("a statement (x := …, or if)")),
        };
        match ast.kind {
            AstKind::Path(_) | AstKind::Element { .. } => Ok(ast),
            _ => Err(Diagnostic::new(&codes::NOT_A_PLACE, ast.span, "nothing can be assigned to this")
                .help("left of := stands a variable, a field or an element: x, file[i].status")),
        }
    }

    fn right(&mut self) -> Parsed<RawRight> {
        if !self.p.at_word("any") {
            return self.value().map(RawRight::Value);
        }
        let start = self.p.bump().start;
        if self.p.at(";") || self.p.at("}") {
            return Ok(RawRight::Any(self.p.since(start)));
        }
        if self.p.eat("{") {
            let values = self.list(|r| r.p.expr(Level::SUM))?;
            self.p.expect("}")?;
            return Ok(RawRight::AnyOf(values, self.p.since(start)));
        }
        let lo = self.p.expr(Level::SUM)?;
        if !self.p.at("..") {
            return Err(self.p.expected("'..'").help("write any, any 1..3 or any {a, b}"));
        }
        self.p.bump();
        let hi = self.p.expr(Level::SUM)?;
        Ok(RawRight::AnyBetween(lo, hi, self.p.since(start)))
    }

    fn if_else(&mut self) -> Parsed<RawStatement> {
        self.deeper()?;
        self.p.bump();
        let condition = self.p.expr(Level::LOWEST)?;
        let then = self.fragment()?;
        let mut other = Vec::new();
        if self.p.at_word("else") {
            self.p.bump();
            other = if self.p.at_word("if") { vec![self.if_else()?] } else { self.fragment()? };
        }
        self.depth -= 1;
        Ok(RawStatement::If(condition, then, other))
    }
}
