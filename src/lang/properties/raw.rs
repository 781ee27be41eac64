//! The property file as written: annotations, names, formulas.

use crate::lang::syntax::{Ast, AstKind, Dialect, Level, Parser, Text, Tok, normalised};
use crate::source::codes::{expressions, properties as codes};
use crate::source::{Diagnostic, Diagnostics, Span};

/// After so many mistakes the rest of a file is not worth reading.
pub(super) const MOST_ERRORS: usize = 100;

/// A property as written.
#[derive(Clone, Debug)]
pub struct RawProperty {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where the name stands, or the formula.
    pub name_span: Span,
    /// `@expect`
    pub expect: bool,
    /// `@fair`
    pub fair: Vec<Ast>,
    /// The formula; `None` when it does not parse (which is reported).
    pub formula: Option<Ast>,
    /// The formula as text, blanks normalised.
    pub text: String,
    /// The comment right above it.
    pub comment: String,
    /// Where the formula stands.
    pub span: Span,
}

pub(super) type Parsed<T> = Result<T, Diagnostic>;

#[derive(Default)]
struct Notes {
    expect: Option<bool>,
    fair: Vec<Ast>,
    /// The comment above the first annotation, or above the property.
    comment: String,
    /// Where the first annotation stands.
    first: Option<Span>,
}

struct Reader<'t, 'd> {
    text: &'t Text,
    p: Parser<'t>,
    diags: &'d mut Diagnostics,
    errors: usize,
}

/// Reads a whole file and adds its properties to `out`.
pub fn read(text: &Text, out: &mut Vec<RawProperty>, diags: &mut Diagnostics) {
    let mut reader = Reader { text, p: Parser::new(text, Dialect::Property), diags, errors: 0 };
    let mut notes = Notes::default();
    while !reader.p.at_end_of_text() && reader.errors < MOST_ERRORS {
        reader.p.start_afresh();
        if reader.p.eat(";") {
            continue;
        }
        if reader.p.at("#") {
            reader.definition();
            continue;
        }
        if notes.comment.is_empty() {
            notes.comment = reader.p.comment_above(&["//", "#"]);
        }
        if reader.p.at("@") {
            reader.annotation(&mut notes);
        } else {
            let notes = std::mem::take(&mut notes);
            out.push(reader.property(notes));
        }
    }
    if let Some(span) = notes.first.filter(|_| reader.errors < MOST_ERRORS) {
        reader.diags.push(Diagnostic::new(&codes::DANGLING, span, "no property follows this annotation"));
    }
}

impl Reader<'_, '_> {
    fn report(&mut self, d: Diagnostic) {
        self.errors += 1;
        self.diags.push(d);
    }

    fn definition(&mut self) {
        if let Err(d) = super::define::definition(&mut self.p) {
            self.report(d);
            while self.p.peek().tok != Tok::End && !self.p.at(";") {
                self.p.bump();
            }
        }
    }

    fn annotation(&mut self, notes: &mut Notes) {
        self.p.only_this_line();
        let start = self.p.bump().start;
        if let Err(d) = self.annotated(notes) {
            self.report(d);
            while self.p.peek().tok != Tok::End && !self.p.at(";") {
                self.p.bump();
            }
        }
        notes.first.get_or_insert(self.p.since(start));
        self.p.eat(";");
    }

    fn annotated(&mut self, notes: &mut Notes) -> Parsed<()> {
        let token = self.p.peek();
        match (token.tok, self.p.word(token)) {
            (Tok::Word, "expect") => {
                self.p.bump();
                let value = self.p.peek();
                let expect = match self.p.word(value) {
                    "true" if value.tok == Tok::Word => true,
                    "false" if value.tok == Tok::Word => false,
                    _ => {
                        let message = format!("expected true or false, found {}", self.p.found());
                        return Err(self.p.error(&codes::EXPECT_VALUE, message));
                    }
                };
                self.p.bump();
                if notes.expect.is_some() {
                    let span = self.p.since(token.start);
                    self.report(Diagnostic::new(&codes::EXPECT_VALUE, span, "@expect is given twice"));
                }
                notes.expect = Some(expect);
            }
            (Tok::Word, "fair") => {
                self.p.bump();
                notes.fair.push(self.p.expr(Level::LOWEST)?);
            }
            (Tok::Word, word) => {
                let d = self.p.error(&codes::UNKNOWN_ANNOTATION, format!("unknown annotation '@{word}'"));
                return Err(d.note("annotations are @expect and @fair").nearest(word, ["expect", "fair"]));
            }
            _ => return Err(self.p.expected("'expect' or 'fair'")),
        }
        if self.p.peek().tok != Tok::End && !self.p.at(";") {
            return Err(self.p.expected("an operator or the end of the line"));
        }
        Ok(())
    }

    fn property(&mut self, notes: Notes) -> RawProperty {
        let first = self.p.peek();
        let name = self.name();
        let name_end = self.p.last_end().max(first.start);
        let name_span = if name.is_some() { self.text.span(first.start, name_end - 1) } else { self.p.span(first) };
        let start = self.p.peek().start;
        let formula = self.formula(name.as_deref()).map_err(|d| {
            self.report(d);
            self.p.skip_property();
        });
        let end = formula.as_ref().map_or(start, |(_, end)| *end);
        RawProperty {
            name,
            name_span,
            expect: notes.expect.unwrap_or(true),
            fair: notes.fair,
            comment: notes.comment,
            formula: formula.ok().map(|(ast, _)| ast),
            text: normalised(self.text, Dialect::Property, start, end),
            span: self.text.span(start, end),
        }
    }

    /// `name:`; words, numbers, `-`, `.` and `/` without blanks between them, or a quoted text.
    fn name(&mut self) -> Option<String> {
        let mut ahead = self.p.clone();
        let first = ahead.peek();
        match first.tok {
            Tok::Quoted => {
                ahead.bump();
            }
            Tok::Word | Tok::Int | Tok::Decimal => {
                ahead.bump();
                let joins = |tok| matches!(tok, Tok::Word | Tok::Int | Tok::Decimal | Tok::Sym("-" | "." | "/"));
                while ahead.peek().gap.none && joins(ahead.peek().tok) {
                    ahead.bump();
                }
            }
            _ => return None,
        }
        let raw = self.text.slice(first.start, ahead.last_end());
        let name = if first.tok == Tok::Quoted { crate::lang::syntax::unquote(raw) } else { raw.to_string() };
        if !ahead.eat(":") {
            return None;
        }
        self.p = ahead;
        Some(name)
    }

    /// The formula and the offset of its end; takes the `;` too.
    fn formula(&mut self, name: Option<&str>) -> Parsed<(Ast, usize)> {
        if let (Some(name), true) = (name, self.p.peek().tok == Tok::End || self.p.at(";")) {
            return Err(self.p.error(&codes::NO_FORMULA, format!("property '{name}' has no formula")));
        }
        let before = self.p.clone();
        let result = self.whole();
        let Err(why) = result else { return result };
        // With [] and <> a formula can only be one of linear time, with or without LTL in front.
        let failed = std::mem::replace(&mut self.p, before);
        let start = self.p.peek().start;
        self.p.read_linear();
        match self.whole() {
            Ok((ast, end)) if self.p.has_boxes() && !branches(&ast) => {
                let span = self.p.since(start);
                Ok((Ast::new(AstKind::OnAllRuns(Box::new(ast)), span), end))
            }
            // What is wrong lies further on than the sign of linear time.
            Err(further) if self.p.has_boxes() && self.p.last_end() > failed.last_end() => Err(further),
            _ => {
                self.p = failed;
                Err(why)
            }
        }
    }

    /// A formula up to its end.
    fn whole(&mut self) -> Parsed<(Ast, usize)> {
        let ast = self.p.expr(Level::LOWEST)?;
        let end = self.p.last_end();
        let token = self.p.peek();
        if token.tok == Tok::End || self.p.eat(";") {
            return Ok((ast, end));
        }
        let d = self.p.expected("an operator, ';' or an empty line");
        Err(match self.p.word(token) {
            word @ ("U" | "UNTIL" | "W" | "R") if d.code == &expressions::SYNTAX => {
                d.help(format!("write A(… {word} …) or E(… {word} …), or put LTL in front of the formula"))
            }
            _ => d,
        })
    }
}

/// Has a formula operators of branching time outside of knowledge?
fn branches(ast: &Ast) -> bool {
    use AstKind::{Can, CanUntil, Ctl, CtlUntil, Fix, Know, OnAllRuns, Pattern};
    match &ast.kind {
        Ctl(..) | CtlUntil(..) | Can(..) | CanUntil(..) | Fix(..) | Pattern(..) | OnAllRuns(_) => true,
        Know(..) => false,
        _ => ast.parts().into_iter().any(branches),
    }
}
