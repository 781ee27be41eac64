//! Parser of agents files.
//!
//! A mistake costs the field it stands in; reading goes on with the next one, so that a run shows all of them.

use super::raw::{RawAgent, RawEntry, RawFile, RawKind, RawRole, RawTransformation, RawVar};
use crate::lang::syntax::{Dialect, Level, Name, Parser, Text, Tok};
use crate::source::codes::agents as codes;
use crate::source::{Diagnostic, Diagnostics, Span};

/// More agents than this in one range are taken for a slip.
const MOST_AGENTS: i64 = 1000;
/// More roles and agents than this in a file, too.
const MOST_DECLARATIONS: usize = 10_000;
/// After so many mistakes the rest of a file is not worth reading.
const MOST_ERRORS: usize = 100;

type Parsed<T> = Result<T, Diagnostic>;

const ROLE_FIELDS: [&str; 4] = ["view", "window", "instantiation", "transformation"];
const AGENT_FIELDS: [&str; 3] = ["role", "vars", "protocol"];

struct Reader<'t, 'd> {
    p: Parser<'t>,
    diags: &'d mut Diagnostics,
    errors: usize,
    /// Are all names and private variables there?
    complete: bool,
}

/// Reads a whole file.
pub fn parse(text: &Text, diags: &mut Diagnostics) -> RawFile {
    let mut reader = Reader { p: Parser::new(text, Dialect::Agents), diags, errors: 0, complete: true };
    let mut file = RawFile::default();
    while !reader.p.at_end_of_text() && reader.errors < MOST_ERRORS {
        let outcome = if reader.p.at_word("role") {
            reader.role().map(|role| file.roles.push(role))
        } else if reader.p.at_word("agent") {
            reader.agent().map(|agent| file.agents.push(agent))
        } else if reader.p.eat(";") {
            Ok(())
        } else {
            Err(reader.p.expected("'role' or 'agent'"))
        };
        if let Err(d) = outcome {
            reader.report(d);
            reader.complete = false;
            reader.skip_to_declaration();
        }
    }
    file.complete = reader.complete && reader.errors < MOST_ERRORS;
    let agents = file.agents.iter().map(|a| a.count.unwrap_or(1) as usize).sum::<usize>();
    if file.roles.len() + agents > MOST_DECLARATIONS {
        let message = format!("more than {MOST_DECLARATIONS} roles and agents");
        diags.push(Diagnostic::new(&codes::COUNT, text.span(0, 0), message));
        return RawFile::default();
    }
    file
}

impl Reader<'_, '_> {
    fn report(&mut self, d: Diagnostic) {
        self.errors += 1;
        self.diags.push(d);
    }

    /// Goes on at the next `role NAME` or `agent NAME`.
    fn skip_to_declaration(&mut self) {
        while !self.p.at_end_of_text() && !self.at_declaration() {
            self.p.bump();
        }
    }

    /// Goes on behind the next `;`, before `}`, or at the next field.
    fn skip_to_field(&mut self) {
        let mut inner = 0usize;
        loop {
            match self.p.peek().tok {
                Tok::Sym(";") => {
                    self.p.bump();
                    return;
                }
                Tok::Sym("}") if inner == 0 => return,
                Tok::End | Tok::Unclosed("/*") => return,
                Tok::Sym("{") => inner += 1,
                Tok::Sym("}") => inner -= 1,
                Tok::Word if self.at_field() || self.at_declaration() => return,
                _ => {}
            }
            self.p.bump();
        }
    }

    fn at_field(&self) -> bool {
        let word = self.p.word(self.p.peek());
        let known = ROLE_FIELDS.contains(&word) || AGENT_FIELDS.contains(&word);
        let mut ahead = self.p.clone();
        ahead.bump();
        known && (ahead.at(":") || word == "window" && ahead.peek_second().tok == Tok::Sym(":"))
    }

    fn at_declaration(&self) -> bool {
        let starts = self.p.at_word("role") || self.p.at_word("agent");
        starts && matches!(self.p.peek_second().tok, Tok::Word | Tok::Quoted)
    }

    fn role(&mut self) -> Parsed<RawRole> {
        self.p.bump();
        let name = self.p.name("the role's name")?;
        let mut role = RawRole { name, view: vec![], windows: vec![], instantiation: vec![], transformation: vec![] };
        self.fields(&ROLE_FIELDS, |r, field, ty| {
            match field {
                "view" => role.view = r.list(|r| r.dotted("a data attribute"))?,
                "window" => role.windows.push((ty, r.p.expr(Level::LOWEST)?)),
                "instantiation" => role.instantiation = r.list(|r| r.p.name("an artifact type"))?,
                _ => role.transformation = r.list(Self::transformation)?,
            }
            Ok(())
        })?;
        Ok(role)
    }

    fn agent(&mut self) -> Parsed<RawAgent> {
        self.p.bump();
        let name = self.p.name("the agent's name")?;
        let count = if self.p.at("[") { Some(self.count()?) } else { None };
        let mut agent = RawAgent { name, count, role: None, vars: vec![], protocol: None };
        self.fields(&AGENT_FIELDS, |r, field, _| {
            match field {
                "role" => agent.role = Some(r.p.name("the name of a role")?),
                "vars" => agent.vars = r.list(Self::variable)?,
                _ => agent.protocol = Some(r.protocol()?),
            }
            Ok(())
        })?;
        Ok(agent)
    }

    /// `{ field: … ; … } ;`
    fn fields(
        &mut self,
        known: &[&str],
        mut read: impl FnMut(&mut Self, &str, Option<Name>) -> Parsed<()>,
    ) -> Parsed<()> {
        self.p.expect("{")?;
        let mut seen: Vec<String> = Vec::new();
        while !self.p.at("}") && self.errors < MOST_ERRORS {
            if self.p.at_end_of_text() || self.at_declaration() {
                return Err(self.p.expected("'}'"));
            }
            if self.p.eat(";") {
                continue;
            }
            if let Err(d) = self.field(known, &mut seen, &mut read) {
                self.report(d);
                self.complete &= seen.last().is_none_or(|field| field != "vars");
                self.skip_to_field();
                if self.at_declaration() {
                    return Ok(());
                }
            }
        }
        self.p.eat("}");
        self.p.eat(";");
        Ok(())
    }

    fn field(
        &mut self,
        known: &[&str],
        seen: &mut Vec<String>,
        read: &mut impl FnMut(&mut Self, &str, Option<Name>) -> Parsed<()>,
    ) -> Parsed<()> {
        let token = self.p.peek();
        let span = self.p.span(token);
        let word = match (token.tok, self.p.word(token)) {
            (Tok::Word, "var") => "vars",
            (Tok::Word, word) => word,
            _ => return Err(self.p.expected(&format!("{} or '}}'", known.join(", ")))),
        };
        if !known.contains(&word) {
            let message = format!("unknown field '{word}'");
            let d =
                Diagnostic::new(&codes::UNKNOWN_FIELD, span, message).note(format!("fields are {}", known.join(", ")));
            let d = d.nearest(word, known.iter().copied());
            self.p.bump();
            return Err(d);
        }
        self.p.bump();
        // `window Loan: …` is about one type.
        let typed = word == "window" && self.p.peek_second().tok == Tok::Sym(":");
        let ty = if typed { Some(self.p.name("an artifact type")?) } else { None };
        self.p.expect(":")?;
        let said = ty.as_ref().map_or(word.to_string(), |ty| format!("{word} {}", ty.text));
        if seen.contains(&said) {
            self.report(Diagnostic::new(&codes::REPEATED, span, format!("'{said}' is given twice")));
        }
        seen.push(said.clone());
        if !self.p.at(";") && !self.p.at("}") {
            read(self, word, ty)?;
        } else {
            self.empty(word, &said, span, read)?;
        }
        if self.p.at("}") {
            return Ok(());
        }
        if !self.p.at(";") {
            let what = match word {
                "window" => "an operator or ';'",
                "role" => "';'",
                _ => "',' or ';'",
            };
            return Err(self.p.expected(what));
        }
        self.p.bump();
        Ok(())
    }

    /// A field that says nothing: a list without entries. An empty protocol is one, too; a condition cannot be empty.
    fn empty(
        &mut self,
        word: &str,
        said: &str,
        span: Span,
        read: &mut impl FnMut(&mut Self, &str, Option<Name>) -> Parsed<()>,
    ) -> Parsed<()> {
        match word {
            "protocol" => read(self, word, None)?,
            "window" => {
                let d = Diagnostic::new(&codes::EMPTY_WINDOW, span, format!("'{said}' is empty"));
                self.report(
                    d.help(format!("write '{said}: true' to show everything, '{said}: false' to show nothing")),
                );
            }
            _ => {}
        }
        Ok(())
    }

    /// One or more, with commas between them (and perhaps one behind).
    fn list<T>(&mut self, each: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![each(self)?];
        while self.p.eat(",") {
            if self.p.at(";") || self.p.at("}") {
                break;
            }
            all.push(each(self)?);
        }
        Ok(all)
    }

    /// A name with dots in it.
    fn dotted(&mut self, what: &str) -> Parsed<Name> {
        let start = self.p.peek().start;
        let mut name = self.p.name(what)?;
        while self.p.eat(".") {
            let next = self.p.name(what)?;
            name.text = format!("{}.{}", name.text, next.text);
            name.span = self.p.since(start);
        }
        Ok(name)
    }

    fn transformation(&mut self) -> Parsed<RawTransformation> {
        let start = self.p.peek().start;
        let op = self.p.name("a transformation")?;
        self.p.expect("(")?;
        let mut args = vec![self.p.name("a name")?];
        while self.p.eat(",") {
            args.push(self.p.name("a name")?);
        }
        self.p.expect(")")?;
        Ok(RawTransformation { op, args, span: self.p.since(start) })
    }

    fn integer(&mut self) -> Parsed<i64> {
        let negative = self.p.eat("-");
        let token = self.p.peek();
        let digits = self.p.word(token);
        if token.tok != Tok::Int {
            return Err(self.p.expected("a number"));
        }
        let Ok(n) = digits.parse::<i64>() else {
            let message = format!("the number {digits} is too large");
            return Err(self.p.error(&crate::source::codes::expressions::NUMBER, message));
        };
        self.p.bump();
        Ok(if negative { -n } else { n })
    }

    fn count(&mut self) -> Parsed<i64> {
        self.p.expect("[")?;
        let start = self.p.peek().start;
        let n = self.integer()?;
        let span = self.p.since(start);
        self.p.expect("]")?;
        if (1..=MOST_AGENTS).contains(&n) {
            return Ok(n);
        }
        let message = format!("{n} agents cannot be made");
        self.report(Diagnostic::new(&codes::COUNT, span, message).label(format!("expected 1 to {MOST_AGENTS}")));
        Ok(1)
    }

    fn variable(&mut self) -> Parsed<RawVar> {
        let kind = self.kind()?;
        let name = self.p.name("the variable's name")?;
        let init = if self.p.eat("=") { Some(self.p.expr(Level::SUM)?) } else { None };
        Ok(RawVar { kind, name, init })
    }

    fn kind(&mut self) -> Parsed<RawKind> {
        let start = self.p.peek().start;
        match self.p.peek().tok {
            Tok::Word if self.p.at_word("bool") || self.p.at_word("boolean") => {
                self.p.bump();
                Ok(RawKind::Bool)
            }
            Tok::Sym("{") => {
                self.p.bump();
                let mut values = vec![self.p.name("a value")?];
                while self.p.eat(",") {
                    values.push(self.p.name("a value")?);
                }
                self.p.expect("}")?;
                Ok(RawKind::Values(values))
            }
            Tok::Int | Tok::Sym("-") => {
                let lo = self.integer()?;
                self.p.expect("..")?;
                let hi = self.integer()?;
                Ok(RawKind::Range(lo, hi, self.p.since(start)))
            }
            _ => Err(self.p.expected("a type (bool, lo..hi or {a, b})")),
        }
    }

    fn protocol(&mut self) -> Parsed<Vec<RawEntry>> {
        let mut entries = Vec::new();
        while !self.p.at(";") && !self.p.at("}") {
            entries.push(self.entry()?);
        }
        Ok(entries)
    }

    /// `event: condition -> updates`, and the comma behind it.
    fn entry(&mut self) -> Parsed<RawEntry> {
        let start = self.p.peek().start;
        let event = self.p.name("an event")?;
        // `Return Loan: …` is about instances of one type.
        let typed = self.p.peek_second().tok == Tok::Sym(":");
        let ty = if typed { Some(self.p.name("an artifact type")?) } else { None };
        let shape =
            "a line of a protocol is written Event: condition -> updates; what is always allowed is Event: true ->";
        if !self.p.eat(":") {
            return Err(self.p.expected("':'").help(shape));
        }
        let condition = self.p.expr(Level::XOR)?;
        if !self.p.eat("->") {
            return Err(self.p.expected("'->' or an operator").help(shape));
        }
        let mut updates = Vec::new();
        let mut span = self.p.since(start);
        loop {
            if self.at_update() {
                let var = self.p.name("a private variable")?;
                self.p.expect("=")?;
                updates.push((var, self.p.expr(Level::LOWEST)?));
                span = self.p.since(start);
            }
            if self.p.at(";") || self.p.at("}") {
                break;
            }
            if !self.p.at(",") {
                let what = if updates.is_empty() { "an update, ',' or ';'" } else { "an operator, ',' or ';'" };
                return Err(self.p.expected(what));
            }
            self.p.bump();
            if !self.at_update() {
                break;
            }
        }
        Ok(RawEntry { event, ty, condition, updates, span })
    }

    fn at_update(&self) -> bool {
        let mut ahead = self.p.clone();
        ahead.name("").is_ok() && ahead.at("=")
    }
}
