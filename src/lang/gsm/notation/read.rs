//! The top of a file, types and events.

use super::File;
use super::data::Decl;
use super::tasks::Waiting;
use crate::lang::config::{self, Config};
use crate::lang::gsm::convert::Block;
use crate::lang::gsm::xml::{Dialect, Head, RawComponent, RawEvent, RawItem, RawModel, Word};
use crate::lang::syntax::{Dialect as Language, Name, Parser, Text, Tok, Token};
use crate::source::codes::{expressions, notation as codes};
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};
use toml::de::DeTable;

/// After so many mistakes the rest of a file is not worth reading.
const MOST_ERRORS: usize = 100;
/// What may start a line outside of types, beside the blocks of settings.
const TOP: [&str; 6] = ["application", "event", "sends", "type", "agents", "properties"];

pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// Reads a file; all its mistakes are reported and read around.
pub fn read(file: FileId, sources: &Sources, diags: &mut Diagnostics) -> Option<File> {
    let source = &sources.file(file)?.text;
    let text = Text::plain(file, source.as_str(), 0);
    let mut reader = Reader::new(&text, diags);
    reader.top();
    Some(reader.finish(sources))
}

/// What reading a file needs at every line, and what it has gathered.
pub(super) struct Reader<'t, 'd> {
    pub p: Parser<'t>,
    pub diags: &'d mut Diagnostics,
    pub file: FileId,
    errors: usize,
    name: Option<Word>,
    egsm: bool,
    pub types: Vec<Type>,
    pub events: Vec<Event>,
    pub settings: DeTable<'t>,
    pub blocks: Vec<Block>,
    agents: Option<Text>,
    properties: Option<Text>,
    /// Where an unquoted `create` stands for the creation of an instance.
    pub creations: Vec<Span>,
    /// A block was left open; nothing is reported until the top is reached again.
    unwinding: bool,
}

/// A type with what is settled once the whole file is read.
pub(super) struct Type {
    pub component: RawComponent,
    pub attrs: Vec<Decl>,
    pub tasks: Vec<Waiting>,
    pub created_by: Option<Span>,
}

/// An event with its fields.
pub(super) struct Event {
    pub head: Head,
    pub outgoing: bool,
    pub fields: Vec<Decl>,
    /// The type whose instances it creates, by `created by`.
    pub of: Option<usize>,
}

impl<'t, 'd> Reader<'t, 'd> {
    fn new(text: &'t Text, diags: &'d mut Diagnostics) -> Reader<'t, 'd> {
        Reader {
            p: Parser::new(text, Language::Notation),
            diags,
            file: text.file(),
            errors: 0,
            name: None,
            egsm: false,
            types: Vec::new(),
            events: Vec::new(),
            settings: DeTable::new(),
            blocks: Vec::new(),
            agents: None,
            properties: None,
            creations: Vec::new(),
            unwinding: false,
        }
    }

    fn top(&mut self) {
        loop {
            self.unwinding = false;
            self.p.start_line();
            if self.p.at_end_of_text() || self.errors >= MOST_ERRORS {
                return;
            }
            if self.p.eat(";") {
                continue;
            }
            let doc = self.doc();
            let read = self.top_statement(doc);
            self.settle(read);
            if self.p.at("}") {
                let d = self.p.error(&codes::KEYWORD, "this '}' closes nothing");
                self.report(d);
                self.p.bump();
            }
        }
    }

    fn top_statement(&mut self, doc: Option<String>) -> Parsed<()> {
        let token = self.p.peek();
        let word = self.word(token);
        match word {
            "application" => self.application(),
            "event" => self.event_list(doc, false),
            "sends" => self.event_list(doc, true),
            "type" => self.artifact_type(doc),
            "agents" => self.foreign(Language::Agents),
            "properties" => self.foreign(Language::Property),
            _ if config::SECTIONS.contains(&word) => self.section(),
            _ => {
                let known: Vec<&str> = TOP.iter().chain(&config::SECTIONS).copied().collect();
                Err(self.wrong_keyword(&known))
            }
        }
    }

    /// A word that cannot start a line here.
    pub(super) fn wrong_keyword(&self, known: &[&str]) -> Diagnostic {
        let list = known.iter().map(|k| format!("'{k}'")).collect::<Vec<_>>().join(", ");
        let message = format!("{} cannot stand here", self.p.found());
        let d = self.p.error(&codes::KEYWORD, message).note(format!("possible here: {list}"));
        match self.p.word(self.p.peek()) {
            word @ ("guard" | "milestone" | "task" | "fault") => d.help(format!("a {word} belongs into a stage")),
            "stage" => d.help("a stage belongs into a type: type Order { stage Paying { … } }"),
            word => d.nearest(word, known.iter().copied()),
        }
    }

    pub(super) fn word(&self, token: Token) -> &'t str {
        if token.tok == Tok::Word { self.p.word(token) } else { "" }
    }

    /// Does a statement that can only stand at the top start here?
    pub(super) fn at_top_keyword(&self) -> bool {
        let word = self.word(self.p.peek());
        let next = self.p.peek_second();
        let plain = matches!(next.tok, Tok::Word | Tok::Quoted | Tok::Sym("{")) && !next.gap.line;
        plain && (TOP.contains(&word) || config::SECTIONS.contains(&word))
    }

    fn application(&mut self) -> Parsed<()> {
        let keyword = self.p.bump();
        let name = self.p.name("the application's name")?;
        if self.name.is_some() {
            let span = self.p.since(keyword.start);
            self.report(Diagnostic::new(&codes::SECOND, span, "the application has a name already"));
        }
        self.name = Some(Word { text: name.text, span: name.span });
        if self.p.at_word("egsm") {
            self.p.bump();
            self.egsm = true;
        }
        self.end_of_statement()
    }

    /// `event A { … }, B "text"`
    fn event_list(&mut self, doc: Option<String>, outgoing: bool) -> Parsed<()> {
        let mut start = self.p.bump().start;
        loop {
            let head = self.head(start, "the event's name", doc.clone())?;
            let fields = if self.p.at("{") { self.fields()? } else { Vec::new() };
            self.check_carried(&fields, outgoing);
            self.events.push(Event { head, outgoing, fields, of: None });
            if !self.p.eat(",") {
                return self.end_of_statement();
            }
            start = self.p.peek().start;
        }
    }

    /// What an event cannot carry: a value of its own, and anything at all when it goes out.
    fn check_carried(&mut self, fields: &[Decl], outgoing: bool) {
        for field in fields.iter().map(|f| &f.field) {
            let (span, message) = match &field.initial {
                _ if outgoing => {
                    (field.span, "an event that is sent to the environment carries nothing here".to_string())
                }
                Some(value) => {
                    (value.span, format!("'{}' has no initial value: whoever sends the event chooses", field.path))
                }
                None => continue,
            };
            self.report(Diagnostic::new(&codes::DATA_TYPE, span, message).help("leave it out"));
        }
    }

    /// A name and perhaps a text for people.
    pub(super) fn head(&mut self, start: usize, what: &str, description: Option<String>) -> Parsed<Head> {
        let name = self.p.name(what)?;
        let span = self.p.since(start.min(name.span.start as usize));
        self.not_a_value(&name)?;
        let id = Word { text: name.text, span: name.span };
        if id.text.is_empty() {
            return Err(Diagnostic::new(&codes::KEYWORD, name.span, format!("expected {what}, found an empty name")));
        }
        let shown = self.shown_name();
        Ok(Head { name: shown.unwrap_or_else(|| id.text.clone()), id, description, span })
    }

    /// `true` and `false` are values: what is called so stands in quotes, everywhere.
    pub(super) fn not_a_value(&self, name: &Name) -> Parsed<()> {
        if name.quoted || !matches!(name.text.as_str(), "true" | "false" | "TRUE" | "FALSE") {
            return Ok(());
        }
        let d =
            Diagnostic::new(&expressions::TWO_MEANINGS, name.span, format!("'{}' is a value, not a name", name.text));
        Err(d.help(format!("as a name it stands in quotes, here and in conditions: '{}'", name.text)))
    }

    /// A text in double quotes.
    pub(super) fn shown_name(&mut self) -> Option<String> {
        let token = self.p.peek();
        let is_text = token.tok == Tok::Quoted && self.p.word(token).starts_with(['"', '“']);
        if !is_text {
            return None;
        }
        self.p.bump();
        Some(crate::lang::syntax::unquote(self.p.word(token))).filter(|t| !t.is_empty())
    }

    fn artifact_type(&mut self, doc: Option<String>) -> Parsed<()> {
        let start = self.p.bump().start;
        let head = self.head(start, "the type's name", doc)?;
        let component = RawComponent { head, root_item: None, items: Vec::new(), stages: Vec::new() };
        self.types.push(Type { component, attrs: Vec::new(), tasks: Vec::new(), created_by: None });
        let what = format!("type '{}'", self.types.last().map_or("", |t| t.component.head.id.text.as_str()));
        self.block(&what, Self::in_type)
    }

    /// `{ … }`, statement by statement. A statement that can only stand at the top means that a brace is missing.
    pub(super) fn block(
        &mut self,
        what: &str,
        statement: impl Fn(&mut Self, Option<String>) -> Parsed<()>,
    ) -> Parsed<()> {
        let open = self.p.expect("{")?;
        let place = self.p.span(open);
        loop {
            self.p.start_line();
            if self.unwinding || self.errors >= MOST_ERRORS {
                return Ok(());
            }
            if self.p.eat("}") {
                return Ok(());
            }
            if self.p.eat(";") {
                continue;
            }
            if self.p.at_end_of_text() || self.at_top_keyword() {
                let found = self.p.found();
                let d = Diagnostic::new(&codes::MISSING_BRACE, place, format!("the block of {what} is not closed"));
                self.report(d.label("opened here").help(format!("add '}}' before {found}")));
                self.unwinding = true;
                return Ok(());
            }
            let doc = self.doc();
            let read = statement(self, doc);
            self.settle(read);
        }
    }

    fn in_type(&mut self, doc: Option<String>) -> Parsed<()> {
        let (token, next) = (self.p.peek(), self.p.peek_second());
        match self.word(token) {
            _ if next.tok == Tok::Sym(":") && !next.gap.line => self.attribute(),
            "stage" => self.stage(doc, None),
            "created" => self.created_by(),
            _ => Err(self.wrong_keyword(&["stage", "created by"]).note("an attribute is written 'name: type'")),
        }
    }

    /// `created by E { a, b }`
    fn created_by(&mut self) -> Parsed<()> {
        let start = self.p.bump().start;
        if !self.p.at_word("by") {
            return Err(self.p.expected("'by'"));
        }
        self.p.bump();
        let mut head = self.head(start, "the event that creates an instance", None)?;
        let Some(at) = self.types.len().checked_sub(1) else { return Ok(()) };
        if let Some(first) = self.types[at].created_by.replace(head.span) {
            let d = Diagnostic::new(&codes::SECOND, head.span, "this type says already what creates it");
            self.report(d);
            self.types[at].created_by = Some(first);
        }
        // An event creates instances by its id or name.
        let usual = format!("Create_{}", self.types[at].component.head.id.text);
        if head.id.text != usual {
            head.name = usual;
        }
        let fields = if self.p.at("{") { self.fields()? } else { Vec::new() };
        self.check_carried(&fields, false);
        self.events.push(Event { head, outgoing: false, fields, of: Some(at) });
        self.end_of_statement()
    }

    /// The end of the line, `;`, or the brace that closes the block.
    pub(super) fn end_of_statement(&mut self) -> Parsed<()> {
        if self.p.peek().tok == Tok::End || self.p.at(";") || self.p.at("}") {
            return Ok(());
        }
        let found = self.p.peek();
        let (before, word) = (self.p.text_between(0, self.p.last_end()), self.word(found));
        let d = self.p.expected("the end of the line");
        let last = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        Err(match word {
            "on" => d.help("'on' stands before 'when': on EVENT when CONDITION"),
            "if" | "where" | "while" | "upon" | "after" | "in" | "at" | "by" | "with" | "until" => {
                d.help("write 'on EVENT', 'when CONDITION', or both")
            }
            "" => d,
            // A name of several words.
            _ if found.tok == Tok::Word && !last.is_empty() => {
                d.help(format!("a name with blanks stands in quotes: '{last} {word}'"))
            }
            _ => d,
        })
    }

    /// The `///` lines right above the next token.
    fn doc(&self) -> Option<String> {
        Some(self.p.comment_above(&["///"])).filter(|d| !d.is_empty())
    }

    /// Reports what went wrong in a statement and goes on behind it.
    fn settle(&mut self, read: Parsed<()>) {
        if let Err(d) = read {
            self.report(d);
            self.p.skip_statement();
        }
    }

    pub(super) fn report(&mut self, d: Diagnostic) {
        if !self.unwinding {
            self.errors += 1;
            self.diags.push(d);
        }
    }

    fn foreign(&mut self, dialect: Language) -> Parsed<()> {
        let keyword = self.p.bump();
        let what = self.p.word(keyword);
        let text = self.p.foreign_block(dialect)?;
        let place = if dialect == Language::Agents { &mut self.agents } else { &mut self.properties };
        if place.replace(text).is_some() {
            let message = format!("there is a block of {what} already");
            self.report(Diagnostic::new(&codes::SECOND, self.p.span(keyword), message));
        }
        self.end_of_statement()
    }

    fn finish(mut self, sources: &Sources) -> File {
        let mut settings = config::from_table(self.file, &self.settings, self.diags);
        let root = self.name.as_ref().map_or(Span::new(self.file, 0, 0), |n| n.span);
        if self.events.iter().any(|e| e.head.id.text == "create") {
            for span in std::mem::take(&mut self.creations) {
                let message = "'create' has two meanings here: the creation of this instance, and an event";
                let d = Diagnostic::new(&expressions::TWO_MEANINGS, span, message);
                self.diags.push(d.help("write 'create' in quotes for the event, Create_ and the type for creation"));
            }
        }
        let (components, events) = self.settled(&mut settings, sources);
        let observed = components.iter().flat_map(|c: &RawComponent| &c.stages);
        let egsm = self.egsm || observed.into_iter().any(|s| !s.flow_guards.is_empty() || !s.fault_loggers.is_empty());
        let dialect = if egsm { Dialect::EGsm } else { Dialect::Barcelona };
        let model = RawModel { name: self.name, span: root, dialect, monitored: egsm, components, events };
        File { model, settings, blocks: self.blocks, agents: self.agents, properties: self.properties }
    }

    /// Components and events with everything that waited for the whole file.
    fn settled(&mut self, settings: &mut Config, sources: &Sources) -> (Vec<RawComponent>, Vec<RawEvent>) {
        let declared: Vec<Vec<Decl>> = self.types.iter().map(|t| t.attrs.clone()).collect();
        let mut components = Vec::new();
        let mut types = std::mem::take(&mut self.types);
        let names: Vec<(String, String)> =
            types.iter().map(|t| (t.component.head.id.text.clone(), t.component.head.name.clone())).collect();
        for (at, t) in types.iter_mut().enumerate() {
            relations(t, settings);
            self.settle_tasks(&names, &declared, at, t);
            let span = t.component.head.span;
            let fields = self.fields_of(std::mem::take(&mut t.attrs), &names, &declared, Some(at), sources);
            if !fields.is_empty() {
                t.component.items.push(RawItem { id: None, schema: None, root: None, fields: Some(fields), span });
            }
            components.push(t.component.clone());
        }
        let mut events = Vec::new();
        for event in std::mem::take(&mut self.events) {
            let span = event.head.span;
            let fields = self.fields_of(event.fields, &names, &declared, event.of, sources);
            let message = |fields| RawItem { id: None, schema: None, root: None, fields, span };
            let inputs = if fields.is_empty() || event.outgoing { Vec::new() } else { vec![message(Some(fields))] };
            let outputs = if event.outgoing { vec![message(None)] } else { Vec::new() };
            events.push(RawEvent { head: event.head, inputs, outputs });
        }
        (components, events)
    }
}

/// References between types become relations.
fn relations(t: &Type, settings: &mut Config) {
    let own = &t.component.head.id.text;
    for decl in &t.attrs {
        if let Some(to) = &decl.refers {
            let text = format!("{own}.{}", decl.field.path);
            settings.relations.push((Name { text, span: decl.field.span, quoted: false }, to.clone()));
        }
    }
}
