//! Attributes of types and fields of events.

use super::read::{Parsed, Reader};
use crate::lang::gsm::Decimal;
use crate::lang::gsm::resolve::Ends;
use crate::lang::gsm::xml::Word;
use crate::lang::gsm::xsd::{Kind, Occurs, XsdField};
use crate::lang::syntax::{Name, Tok};
use crate::source::codes::notation as codes;
use crate::source::{Diagnostic, nearest};
use std::collections::HashSet;

/// Deepest nesting of records.
const MAX_DEPTH: usize = 24;
const TYPES: [&str; 9] = ["int", "bool", "string", "real", "date", "datetime", "ref", "bag", "record"];
/// Names of data types elsewhere.
const ELSEWHERE: [(&str, &str); 9] = [
    ("integer", "int"),
    ("number", "int"),
    ("boolean", "bool"),
    ("text", "string"),
    ("str", "string"),
    ("char", "string"),
    ("float", "real"),
    ("double", "real"),
    ("decimal", "real"),
];

/// A declared attribute or field.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub field: XsdField,
    /// The type it refers to.
    pub refers: Option<Name>,
    /// Whose declaration it takes over.
    pub from: Option<From>,
}

/// Where a declaration comes from.
#[derive(Clone, Debug)]
pub(super) enum From {
    /// `Type.attribute`
    Of(Name, Name),
    /// The attribute of the same name.
    SameName,
}

impl Reader<'_, '_> {
    /// `name: type` in a type.
    pub(super) fn attribute(&mut self) -> Parsed<()> {
        let mut decls = Vec::new();
        self.declaration("", &Occurs::Once, 0, &mut decls)?;
        if let Some(t) = self.types.last_mut() {
            t.attrs.extend(decls);
        }
        self.end_of_statement()
    }

    /// `{ a: int, b, c: Loan.c }`
    pub(super) fn fields(&mut self) -> Parsed<Vec<Decl>> {
        let mut decls = Vec::new();
        self.inner("", &Occurs::Once, 0, &mut decls)?;
        Ok(decls)
    }

    fn inner(&mut self, prefix: &str, occurs: &Occurs, depth: usize, out: &mut Vec<Decl>) -> Parsed<()> {
        self.p.expect("{")?;
        if self.p.at("}") && !prefix.is_empty() {
            return Err(self.p.expected("a field (name: type)"));
        }
        if depth > MAX_DEPTH {
            return Err(self.p.error(&codes::DATA_TYPE, format!("records are nested more than {MAX_DEPTH} deep")));
        }
        while !self.p.eat("}") {
            if self.p.eat(",") || self.p.eat(";") {
                continue;
            }
            self.declaration(prefix, occurs, depth, out)?;
            let ends = self.p.at(",") || self.p.at(";") || self.p.at("}") || self.p.next_line();
            if !ends {
                return Err(self.p.expected("',' or '}'"));
            }
        }
        Ok(())
    }

    fn declaration(&mut self, prefix: &str, occurs: &Occurs, depth: usize, out: &mut Vec<Decl>) -> Parsed<()> {
        let name = self.p.name("a name")?;
        self.not_a_value(&name)?;
        let path = if prefix.is_empty() { name.text.clone() } else { format!("{prefix}.{}", name.text) };
        let field = XsdField {
            path,
            span: name.span,
            kind: Kind::Text,
            values: Vec::new(),
            min: None,
            max: None,
            ends: Ends::default(),
            initial: None,
            set: *occurs != Occurs::Once,
            bag: occurs.bag(),
        };
        let decl = Decl { field, refers: None, from: None };
        if !self.p.eat(":") {
            out.push(Decl { from: Some(From::SameName), ..decl });
            return Ok(());
        }
        self.data_type(decl, occurs, depth, out)
    }

    fn data_type(&mut self, mut decl: Decl, occurs: &Occurs, depth: usize, out: &mut Vec<Decl>) -> Parsed<()> {
        let token = self.p.peek();
        if self.p.at("{") {
            decl.field.values = self.values()?;
        } else {
            let mut word = self.word(token);
            if token.tok == Tok::Quoted || self.p.peek_second().tok == Tok::Sym(".") {
                return self.borrowed(decl, out);
            }
            // What other languages call it: told, and read as meant, so that nothing else seems wrong because of it.
            if let Some((_, ours)) = ELSEWHERE.iter().find(|(other, _)| word.eq_ignore_ascii_case(other)) {
                let d = self.p.error(&codes::DATA_TYPE, format!("expected a data type, found {}", self.p.found()));
                self.report(d.help(format!("write {ours}")));
                word = ours;
            }
            if !TYPES.contains(&word) {
                let d = self.p.error(&codes::DATA_TYPE, format!("expected a data type, found {}", self.p.found()));
                let d = d.note(format!("data types are {}, {{ a, b }}, Type.attribute", TYPES.join(", ")));
                let d = d.nearest(word, TYPES);
                let reference = d.help.is_none() && word.starts_with(char::is_uppercase);
                let d = if reference { d.help(format!("a reference is written 'ref {word}'")) } else { d };
                // Read as what it is nearest to, so that its uses do not seem wrong.
                let near = nearest(word, ["int", "bool", "string", "real", "date", "datetime"]);
                let Some(meant) = TYPES.iter().find(|t| near.first().is_some_and(|n| n.trim_matches('\'') == **t))
                else {
                    return Err(d);
                };
                self.report(d);
                word = meant;
            }
            self.p.bump();
            match word {
                "int" => self.number(Kind::Integer, &mut decl)?,
                "real" => self.number(Kind::Decimal, &mut decl)?,
                "bool" => decl.field.kind = Kind::Boolean,
                "date" => decl.field.kind = Kind::Date,
                "datetime" => decl.field.kind = Kind::Time,
                "ref" => {
                    decl.field.kind = Kind::Integer;
                    decl.refers = Some(self.p.name("a type")?);
                }
                "bag" if self.p.at("{") && !self.at_values() => {
                    let path = decl.field.path.clone();
                    return self.inner(&path, &occurs.many(&path), depth + 1, out);
                }
                "bag" => {
                    let occurs = occurs.many(&decl.field.path);
                    (decl.field.set, decl.field.bag) = (true, occurs.bag());
                    return self.data_type(decl, &occurs, depth + 1, out);
                }
                "record" => return self.inner(&decl.field.path.clone(), occurs, depth + 1, out),
                _ => {}
            }
        }
        if self.p.eat("=") {
            decl.field.initial = Some(self.constant()?);
        }
        out.push(decl);
        Ok(())
    }

    /// `Type.attribute`
    fn borrowed(&mut self, decl: Decl, out: &mut Vec<Decl>) -> Parsed<()> {
        let ty = self.p.name("a type")?;
        self.p.expect(".")?;
        let mut attr = self.p.name("an attribute")?;
        while self.p.eat(".") {
            let next = self.p.name("an attribute")?;
            attr = Name { text: format!("{}.{}", attr.text, next.text), span: attr.span.to(next.span), quoted: true };
        }
        out.push(Decl { from: Some(From::Of(ty, attr)), ..decl });
        Ok(())
    }

    /// Are the braces that come next a list of values, not of fields?
    fn at_values(&self) -> bool {
        let mut ahead = self.p.clone();
        ahead.bump();
        ahead.name("").is_ok() && (ahead.at(",") || ahead.at("}"))
    }

    /// `{ a, 'b c' }`
    fn values(&mut self) -> Parsed<Vec<String>> {
        self.p.expect("{")?;
        let (mut values, mut known) = (Vec::new(), HashSet::new());
        while !self.p.at("}") {
            let value = self.p.name("a value")?;
            if !known.insert(value.text.clone()) {
                self.report(Diagnostic::new(
                    &codes::SECOND,
                    value.span,
                    format!("value '{}' is listed twice", value.text),
                ));
            } else {
                values.push(value.text);
            }
            if !self.p.eat(",") && !self.p.at("}") {
                return Err(self.p.expected("',' or '}'"));
            }
        }
        if values.is_empty() {
            return Err(self.p.expected("a value"));
        }
        self.p.bump();
        Ok(values)
    }

    /// `0..9`, `0..`, `..9` after `int`, `0.5..` after `real`, there also `0<..<9` without the ends.
    fn number(&mut self, kind: Kind, decl: &mut Decl) -> Parsed<()> {
        decl.field.kind = kind;
        let starts = |this: &Self| matches!(this.p.peek().tok, Tok::Int | Tok::Decimal) || this.p.at("-");
        let signed = starts(self);
        if signed {
            (decl.field.min, decl.field.ends.lo) = self.end(kind)?;
            decl.field.ends.open.0 = kind == Kind::Decimal && self.p.eat("<");
            if !self.p.at("..") {
                return Err(self.p.expected("'..'"));
            }
        }
        if !self.p.eat("..") {
            return Ok(());
        }
        decl.field.ends.open.1 = kind == Kind::Decimal && self.p.eat("<");
        if !signed || decl.field.ends.open.1 || starts(self) {
            (decl.field.max, decl.field.ends.hi) = self.end(kind)?;
        }
        Ok(())
    }

    /// An end of a range: without its fraction, and as it is written.
    fn end(&mut self, kind: Kind) -> Parsed<(Option<i64>, Option<Decimal>)> {
        if kind == Kind::Integer {
            let n = self.integer()?;
            return Ok((Some(n), Some(Decimal::from(n))));
        }
        let sign = if self.p.eat("-") { "-" } else { "" };
        let token = self.p.peek();
        let number = matches!(token.tok, Tok::Int | Tok::Decimal)
            .then(|| Decimal::read(&format!("{sign}{}", self.p.word(token))))
            .flatten();
        let Some(number) = number else { return Err(self.p.expected("a number")) };
        self.p.bump();
        Ok((Some(number.whole()), Some(number)))
    }

    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let minus = self.p.eat("-");
        let token = self.p.peek();
        let number = self.p.word(token).parse::<i64>().ok().filter(|_| token.tok == Tok::Int);
        let Some(number) = number else { return Err(self.p.expected("a number")) };
        self.p.bump();
        Ok(if minus { -number } else { number })
    }

    /// A value as it is written: a number, a word, or a quoted text.
    pub(super) fn constant(&mut self) -> Parsed<Word> {
        let start = self.p.peek().start;
        let sign = if self.p.eat("-") { "-" } else { "" };
        let token = self.p.peek();
        let text = match token.tok {
            Tok::Int | Tok::Decimal => {
                self.p.bump();
                format!("{sign}{}", self.p.word(token))
            }
            Tok::Quoted | Tok::Word if sign.is_empty() => self.p.name("a value")?.text,
            _ => return Err(self.p.expected("a value")),
        };
        Ok(Word { text, span: self.p.since(start) })
    }
}
