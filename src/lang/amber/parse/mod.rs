//! Parser of AMBER models.
//!
//! A mistake costs the line it stands in; reading goes on with the next one, so that a run shows all of them.

mod chain;
mod data;

use super::NodeKind;
use super::raw::{RawBlock, RawItem, RawNode, RawPath, RawStatement};
use crate::lang::syntax::{Dialect, Level, Name, Parser, Text, Tok, unquote};
use crate::source::codes::{amber as codes, expressions};
use crate::source::{Diagnostic, Diagnostics};

/// After so many mistakes the rest of a file is not worth reading.
const MOST_ERRORS: usize = 100;
/// How deep blocks, groups, types and statements may be nested.
const MAX_DEPTH: usize = 50;

type Parsed<T> = Result<T, Diagnostic>;

/// Words that are names only in quotes.
const KEYWORDS: [&str; 30] = [
    "amber",
    "bound",
    "type",
    "const",
    "define",
    "var",
    "actor",
    "sees",
    "action",
    "interaction",
    "repeated",
    "optional",
    "andjoin",
    "orjoin",
    "andsplit",
    "orsplit",
    "block",
    "by",
    "entry",
    "exit",
    "relation",
    "record",
    "bool",
    "byte",
    "int",
    "any",
    "if",
    "else",
    "true",
    "false",
];

/// Words that begin a line.
const STARTS: [&str; 18] = [
    "amber",
    "bound",
    "type",
    "const",
    "define",
    "var",
    "actor",
    "action",
    "interaction",
    "repeated",
    "optional",
    "andjoin",
    "orjoin",
    "andsplit",
    "orsplit",
    "block",
    "entry",
    "relation",
];

pub(super) struct Reader<'t, 'd> {
    text: &'t Text,
    p: Parser<'t>,
    diags: &'d mut Diagnostics,
    errors: usize,
    depth: usize,
}

/// Reads a whole file.
pub fn parse(text: &Text, diags: &mut Diagnostics) -> Vec<RawItem> {
    let mut reader = Reader { text, p: Parser::new(text, Dialect::Amber), diags, errors: 0, depth: 0 };
    let mut items = Vec::new();
    loop {
        reader.lines(&mut items);
        if reader.p.at_end_of_text() || reader.errors >= MOST_ERRORS {
            return items;
        }
        let d = reader.p.error(&expressions::SYNTAX, "'}' closes nothing");
        reader.report(d.help("every '{' has one '}': leave this one out"));
        reader.p.bump();
    }
}

impl Reader<'_, '_> {
    fn report(&mut self, d: Diagnostic) {
        self.errors += 1;
        self.diags.push(d);
    }

    /// Lines up to a `}` or the end of the text, which are not taken.
    fn lines(&mut self, items: &mut Vec<RawItem>) {
        while !self.p.at_end_of_text() && self.errors < MOST_ERRORS {
            self.p.start_afresh();
            if self.p.eat(";") {
                continue;
            }
            if self.p.at("}") {
                return;
            }
            let depth = self.depth;
            let done = self.item().and_then(|item| {
                items.push(item);
                self.end_of_line()
            });
            if let Err(d) = done {
                self.report(d);
                self.depth = depth;
                self.skip_line();
            }
        }
    }

    fn end_of_line(&mut self) -> Parsed<()> {
        if self.p.peek().tok == Tok::End || self.p.at(";") || self.p.at("}") {
            return Ok(());
        }
        let d = self.p.expected("the end of the line or ';'");
        Err(if self.p.at(",") { d.help("several ends of an arrow stand in a group: a -> (b & c)") } else { d })
    }

    /// Goes to the end of the line, or to a line that starts with a keyword where a bracket was never closed.
    fn skip_line(&mut self) {
        loop {
            if self.p.peek().tok == Tok::End || self.p.at_end_of_text() || self.at_start() {
                return;
            }
            if self.p.outside_brackets() && (self.p.at(";") || self.p.at("}")) {
                return;
            }
            self.p.bump();
        }
    }

    fn item(&mut self) -> Parsed<RawItem> {
        let token = self.p.peek();
        let word = if token.tok == Tok::Word { self.p.word(token) } else { "" };
        match word {
            "amber" => self.after_word().and_then(|()| Ok(RawItem::Title(self.name("the model's name")?))),
            "bound" => {
                self.p.bump();
                let number = self.p.peek();
                let bound = self.integer()?;
                Ok(RawItem::Bound(bound, self.p.span(number)))
            }
            "type" => self.defined("the type's name").and_then(|name| Ok(RawItem::Type(name, self.a_type()?))),
            "const" => self
                .defined("the constant's name")
                .and_then(|name| Ok(RawItem::Const(name, self.p.expr(Level::LOWEST)?))),
            "define" => self
                .defined("the condition's name")
                .and_then(|name| Ok(RawItem::Define(name, self.p.expr(Level::LOWEST)?))),
            "var" => self.variables(),
            "actor" => self.actor(),
            "block" => self.block(),
            "relation" => self.relation(),
            "repeated" | "optional" | "action" | "interaction" => self.nodes(),
            "andjoin" | "orjoin" | "andsplit" | "orsplit" | "entry" | "exit" => self.nodes(),
            _ => self.chain(),
        }
    }

    fn after_word(&mut self) -> Parsed<()> {
        self.p.bump();
        Ok(())
    }

    /// `word name =`
    fn defined(&mut self, what: &str) -> Parsed<Name> {
        self.p.bump();
        let name = self.name(what)?;
        self.p.expect("=")?;
        Ok(name)
    }

    /// A name: a word that is no keyword, or a quoted text.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.p.peek();
        let raw = self.p.word(token);
        match token.tok {
            Tok::Word if KEYWORDS.contains(&raw) => {
                let d = self.p.error(&codes::KEYWORD, format!("'{raw}' is a keyword, not a name"));
                Err(d.label(format!("expected {what}")).help(format!("write \"{raw}\" in quotes if that is its name")))
            }
            Tok::Word => {
                self.p.bump();
                Ok(Name { text: raw.to_string(), span: self.p.span(token), quoted: false })
            }
            Tok::Quoted => {
                let name = Name { text: unquote(raw), span: self.p.span(token), quoted: true };
                if name.text.trim().is_empty() {
                    return Err(self
                        .p
                        .error(&expressions::SYNTAX, "a name is empty")
                        .label(format!("expected {what}")));
                }
                self.p.bump();
                Ok(name)
            }
            _ => Err(self.p.expected(what)),
        }
    }

    /// `X.Y.name`
    fn path(&mut self, what: &str) -> Parsed<RawPath> {
        let mut names = vec![self.name(what)?];
        while self.p.eat(".") {
            names.push(self.name(what)?);
        }
        let span = names.iter().skip(1).fold(names[0].span, |all, n| all.to(n.span));
        Ok(RawPath { names, span })
    }

    /// One or more, with commas between them; a line goes on behind a comma.
    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![each(self)?];
        while self.p.eat(",") {
            self.p.go_on();
            all.push(each(self)?);
        }
        Ok(all)
    }

    fn integer(&mut self) -> Parsed<i64> {
        let token = self.p.peek();
        let digits = self.p.word(token);
        if token.tok != Tok::Int {
            return Err(self.p.expected("a number"));
        }
        let Ok(n) = digits.parse::<i64>() else {
            return Err(self.p.error(&expressions::NUMBER, format!("the number {digits} is too large")));
        };
        self.p.bump();
        Ok(n)
    }

    fn actor(&mut self) -> Parsed<RawItem> {
        self.p.bump();
        let name = self.name("the actor's name")?;
        let mut sees = Vec::new();
        if self.p.at_word("sees") {
            self.p.bump();
            sees = self.list(|r| r.path("a variable"))?;
        }
        Ok(RawItem::Actor(name, sees))
    }

    fn nodes(&mut self) -> Parsed<RawItem> {
        let (mut repeated, mut optional) = (false, false);
        let kind = loop {
            let token = self.p.peek();
            let kind = match self.p.word(token) {
                "repeated" if token.tok == Tok::Word => {
                    repeated = true;
                    None
                }
                "optional" if token.tok == Tok::Word => {
                    optional = true;
                    None
                }
                word if token.tok == Tok::Word => NodeKind::from_word(word),
                _ => None,
            };
            let modifier = matches!(self.p.word(token), "repeated" | "optional") && token.tok == Tok::Word;
            match kind {
                Some(kind) if kind.happens() || !(repeated || optional) => break kind,
                None if modifier => {}
                _ => return Err(self.p.expected("'action' or 'interaction'")),
            }
            self.p.bump();
        };
        self.p.bump();
        let what = format!("the name of the {}", kind.word());
        let nodes = self.list(|r| {
            let name = r.name(&what)?;
            let fragment = if kind.happens() && r.p.at("{") { r.fragment_or_nothing() } else { Vec::new() };
            Ok(RawNode { name, kind, repeated, optional, fragment })
        })?;
        Ok(RawItem::Nodes(nodes))
    }

    /// A fragment. One with a mistake is left out, so that arrows still find its action.
    fn fragment_or_nothing(&mut self) -> Vec<RawStatement> {
        let depth = self.depth;
        self.fragment().unwrap_or_else(|d| {
            self.report(d);
            self.depth = depth;
            while !self.p.outside_brackets() && !self.p.at_end_of_text() && !self.at_start() {
                self.p.bump();
            }
            Vec::new()
        })
    }

    /// Does a line start here, to judge by its first word?
    fn at_start(&self) -> bool {
        let token = self.p.peek();
        token.gap.line && token.tok == Tok::Word && STARTS.contains(&self.p.word(token))
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        Err(self.p.error(&expressions::TOO_DEEP, format!("nested more than {MAX_DEPTH} levels deep")))
    }

    fn block(&mut self) -> Parsed<RawItem> {
        self.p.bump();
        let name = self.name("the block's name")?;
        let mut by = None;
        if self.p.at_word("by") {
            self.p.bump();
            by = Some(self.name("an actor")?);
        }
        let open = self.p.expect("{")?;
        self.deeper()?;
        self.p.lines_inside();
        let mut items = Vec::new();
        self.lines(&mut items);
        self.depth -= 1;
        if !self.p.eat("}") && self.errors < MOST_ERRORS {
            let d = Diagnostic::new(&expressions::UNCLOSED, self.p.span(open), "this block is not closed");
            self.report(d.label("opened here").help("write '}' where it ends"));
        }
        Ok(RawItem::Block(RawBlock { name, by, items }))
    }

    fn relation(&mut self) -> Parsed<RawItem> {
        let start = self.p.bump().start;
        let named = self.p.peek_second().tok == Tok::Sym(":");
        let mut name = None;
        if named {
            name = Some(self.name("the relation's name")?);
            self.p.expect(":")?;
            self.p.go_on();
        }
        let parties = self.list(|r| r.path("an interaction"))?;
        Ok(RawItem::Relation(name, parties, self.p.since(start)))
    }
}
