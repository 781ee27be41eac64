//! Blocks of settings: `instances { Loan = 2 }`, `options { idle = terminal }`. They have the keys of `gsmc.toml`.

use super::read::{Parsed, Reader};
use crate::lang::gsm::convert::Block;
use crate::lang::syntax::{Tok, unquote};
use crate::source::Diagnostic;
use crate::source::codes::{notation, options as codes};
use std::borrow::Cow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

impl<'t> Reader<'t, '_> {
    pub(super) fn section(&mut self) -> Parsed<()> {
        let keyword = self.p.bump();
        let mut table = DeTable::new();
        let mut block = Block { name: self.p.word(keyword).to_string(), entries: Vec::new() };
        self.p.expect("{")?;
        while !self.p.eat("}") {
            if self.p.eat(",") || self.p.eat(";") {
                continue;
            }
            self.entry(&mut table, &mut block)?;
            if !(self.p.at(",") || self.p.at(";") || self.p.at("}") || self.p.next_line()) {
                return Err(self.p.expected("',' or '}'"));
            }
        }
        self.blocks.push(block);
        let key = Spanned::new(keyword.start..keyword.end, Cow::Owned(self.p.word(keyword).to_string()));
        let value = Spanned::new(keyword.start..keyword.end, DeValue::Table(table));
        if self.settings.insert(key, value).is_some() {
            let message = format!("there is a block of {} already", self.p.word(keyword));
            self.report(Diagnostic::new(&notation::SECOND, self.p.span(keyword), message));
        }
        self.end_of_statement()
    }

    /// `name = value`
    fn entry(&mut self, table: &mut DeTable<'t>, block: &mut Block) -> Parsed<()> {
        let start = self.p.peek().start;
        let mut name = self.p.name("a name")?.text;
        while self.p.eat(".") {
            name = format!("{name}.{}", self.p.name("a name")?.text);
        }
        let key = Spanned::new(start..self.p.last_end(), Cow::Owned(name.clone()));
        self.p.expect("=")?;
        let value = self.value()?;
        block.entries.push((name.clone(), written(value.get_ref())));
        if table.insert(key, value).is_some() {
            let message = format!("'{name}' is given twice");
            self.report(Diagnostic::new(&notation::SECOND, self.p.since(start), message));
        }
        Ok(())
    }

    /// A word or text stands for itself, anything else is as in TOML.
    fn value(&mut self) -> Parsed<Spanned<DeValue<'t>>> {
        let first = self.p.peek();
        let raw = self.p.word(first);
        let range = first.start..first.end;
        match first.tok {
            Tok::Word if !matches!(raw, "true" | "false") => {
                self.p.bump();
                return Ok(Spanned::new(range, DeValue::String(Cow::Owned(raw.to_string()))));
            }
            Tok::Quoted => {
                self.p.bump();
                return Ok(Spanned::new(range, DeValue::String(Cow::Owned(unquote(raw)))));
            }
            _ => {}
        }
        let mut inside = 0usize;
        loop {
            match self.p.peek().tok {
                Tok::End | Tok::Unclosed(_) => break,
                Tok::Sym("," | ";" | "}") if inside == 0 => break,
                Tok::Sym("[") => inside += 1,
                Tok::Sym("]") => inside = inside.saturating_sub(1),
                _ if inside == 0 && self.p.next_line() => break,
                _ => {}
            }
            self.p.bump();
        }
        let end = self.p.last_end().max(first.start);
        match DeValue::parse(self.p.text_between(first.start, end)) {
            Ok(value) => Ok(shifted(value, first.start)),
            Err(_) => Err(Diagnostic::new(&codes::WRONG_VALUE, self.p.since(first.start), "this is not a value")
                .help("values are words, texts in quotes, whole numbers, true, false and lists [1, 2]")),
        }
    }
}

/// A value whose text starts at a later place.
fn shifted(value: Spanned<DeValue>, by: usize) -> Spanned<DeValue> {
    let at = value.span();
    let inner = match value.into_inner() {
        DeValue::Array(items) => DeValue::Array(items.into_iter().map(|v| shifted(v, by)).collect()),
        other => other,
    };
    Spanned::new(at.start + by..at.end + by, inner)
}

/// A value as TOML writes it.
fn written(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => toml::Value::String(text.to_string()).to_string(),
        DeValue::Integer(n) => n.as_str().to_string(),
        DeValue::Float(n) => n.as_str().to_string(),
        DeValue::Boolean(b) => b.to_string(),
        DeValue::Datetime(d) => d.to_string(),
        DeValue::Array(items) => {
            format!("[{}]", items.iter().map(|v| written(v.get_ref())).collect::<Vec<_>>().join(", "))
        }
        DeValue::Table(_) => "{}".to_string(),
    }
}
