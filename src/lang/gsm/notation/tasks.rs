//! Tasks: `task t: assign a = x, add c, add B { f = x }, clear B, create R { p = self }, call Service -> a, b`, or
//! alone `send E to R { f = x }`.

use super::read::{Parsed, Reader};
use crate::lang::gsm::xml::{RawTask, Word};
use crate::lang::syntax::{Name, Tok};
use crate::source::Span;
use crate::source::codes::expressions;

const STEPS: [&str; 7] = ["assign", "add", "remove", "clear", "create", "call", "send"];

/// A task whose names are settled when the whole file is read.
pub(super) struct Waiting {
    /// Position of its stage.
    pub stage: usize,
    /// Position among the tasks of the stage.
    pub at: usize,
    pub steps: Vec<Step>,
}

/// A part of a task.
pub(super) enum Step {
    Assign(Binding),
    Add(Word),
    Element { change: Word, bag: Word, data: Vec<Binding>, span: Span },
    Create { ty: Name, data: Vec<Binding>, span: Span },
    Call { service: Name, fills: Vec<Word>, span: Span },
    Send { event: Name, to: Option<Name>, data: Vec<Binding>, span: Span },
}

/// `a = x`
pub(super) struct Binding {
    pub target: Word,
    pub source: Source,
    pub span: Span,
}

/// The right side of `a = x`.
pub(super) enum Source {
    /// `self`: this instance.
    Itself(Span),
    /// `payload.f`, `payload(E, F).f`
    Payload { events: Vec<Word>, path: Word },
    /// An attribute, or a word that is none.
    Name(Word),
    /// `self.a`: an attribute.
    Attribute(Word),
    /// A number or quoted text.
    Constant(Word),
}

impl Reader<'_, '_> {
    pub(super) fn task(&mut self, stage: usize, doc: Option<String>) -> Parsed<()> {
        let start = self.p.bump().start;
        let head = self.head(start, "the task's name", doc)?;
        let (name, next) = (head.id.text.as_str(), self.word(self.p.peek()));
        if !self.p.at(":") && self.p.peek().tok != Tok::End {
            let missing = if STEPS.contains(&name) { "NAME: ".to_string() + name } else { name.to_string() + ":" };
            if STEPS.contains(&name) || STEPS.contains(&next) {
                return Err(self
                    .p
                    .expected("':'")
                    .help(format!("a task has a name and ':' before its steps: task {missing} {next} …")));
            }
        }
        let mut steps = Vec::new();
        let read = if self.p.eat(":") { self.steps(&mut steps) } else { self.end_of_statement() };
        let Some(t) = self.types.last_mut() else { return read };
        if let Some(s) = t.component.stages.get_mut(stage) {
            s.tasks.push(RawTask { head, steps: Vec::new() });
            t.tasks.push(Waiting { stage, at: s.tasks.len() - 1, steps });
        }
        read
    }

    fn steps(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        loop {
            let token = self.p.peek();
            let word = self.word(token);
            if !STEPS.contains(&word) {
                let known = STEPS.map(|s| format!("'{s}'")).join(", ");
                let d = self.p.expected(&format!("one of {known}"));
                return Err(match word {
                    "set" | "let" | "update" => d.help("write assign: assign n = 1"),
                    "new" | "make" => d.help("write create: create Order { amount = 1 }"),
                    "invoke" => d.help("write call: call Service -> a, b, or send: send Event { field = 1 }"),
                    _ => d.nearest(word, STEPS),
                });
            }
            self.p.bump();
            match word {
                "assign" => self.assignments(steps)?,
                "add" | "remove" | "clear" => {
                    let change = Word { text: word.to_string(), span: self.p.span(token) };
                    steps.push(self.counted(change, token.start)?);
                }
                "create" => {
                    let ty = self.p.name("a type")?;
                    let data = if self.p.at("{") { self.created_data()? } else { Vec::new() };
                    steps.push(Step::Create { ty, data, span: self.p.since(token.start) });
                }
                "send" => {
                    let event = self.p.name("an event")?;
                    let to = if self.p.at_word("to") {
                        self.p.bump();
                        Some(self.p.name("a type")?)
                    } else {
                        None
                    };
                    let data = if self.p.at("{") { self.created_data()? } else { Vec::new() };
                    steps.push(Step::Send { event, to, data, span: self.p.since(token.start) });
                }
                _ => {
                    let service = self.p.name("a service")?;
                    let mut fills = Vec::new();
                    if self.p.eat("->") {
                        fills.push(self.path("an attribute")?);
                        while self.p.at(",") && !self.step_follows() {
                            self.p.bump();
                            fills.push(self.path("an attribute")?);
                        }
                    }
                    steps.push(Step::Call { service, fills, span: self.p.since(token.start) });
                }
            }
            if !self.p.eat(",") {
                return self.end_of_statement();
            }
        }
    }

    /// `add c`, `add B { f = x }`, `remove B = x`, `remove B` (any one), `clear B`
    fn counted(&mut self, change: Word, start: usize) -> Parsed<Step> {
        let bag = self.path("an attribute")?;
        let given = self.p.at("{") || self.p.at("=");
        if change.text == "clear" && given {
            return Err(self
                .p
                .expected("the end of the line")
                .help("clear empties the bag; one element is taken out by remove"));
        }
        let data = if self.p.at("{") {
            self.created_data()?
        } else if self.p.eat("=") {
            let source = self.source()?;
            vec![Binding { target: Word { text: String::new(), span: bag.span }, source, span: self.p.since(start) }]
        } else if change.text == "add" {
            return Ok(Step::Add(bag));
        } else {
            Vec::new()
        };
        Ok(Step::Element { change, bag, data, span: self.p.since(start) })
    }

    fn assignments(&mut self, steps: &mut Vec<Step>) -> Parsed<()> {
        steps.push(Step::Assign(self.binding()?));
        while self.p.at(",") && !self.step_follows() {
            self.p.bump();
            steps.push(Step::Assign(self.binding()?));
        }
        Ok(())
    }

    /// Does a new step come after the comma?
    fn step_follows(&self) -> bool {
        let mut ahead = self.p.clone();
        ahead.bump();
        let word = ahead.peek();
        let keyword = word.tok == Tok::Word && STEPS.contains(&ahead.word(word));
        ahead.bump();
        keyword && !ahead.at("=")
    }

    fn created_data(&mut self) -> Parsed<Vec<Binding>> {
        self.p.expect("{")?;
        let mut data = Vec::new();
        while !self.p.eat("}") {
            if self.p.eat(",") || self.p.eat(";") {
                continue;
            }
            data.push(self.binding()?);
            if !(self.p.at(",") || self.p.at(";") || self.p.at("}") || self.p.next_line()) {
                return Err(self.p.expected("',' or '}'"));
            }
        }
        Ok(data)
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let start = self.p.peek().start;
        let target = self.path("an attribute")?;
        if self.p.at("==") {
            let d = self.p.error(&expressions::SYNTAX, "an assignment is written with one '='");
            return Err(d.help(format!("write {} = …", target.text)));
        }
        self.p.expect("=")?;
        let source = self.source()?;
        Ok(Binding { target, source, span: self.p.since(start) })
    }

    fn source(&mut self) -> Parsed<Source> {
        let token = self.p.peek();
        let next = self.p.peek_second().tok;
        Ok(match (token.tok, self.p.word(token)) {
            (Tok::Word, "self") if next != Tok::Sym(".") => {
                self.p.bump();
                Source::Itself(self.p.span(token))
            }
            (Tok::Word, "self") => {
                self.p.bump();
                self.p.bump();
                Source::Attribute(self.path("an attribute")?)
            }
            (Tok::Word, "payload") if matches!(next, Tok::Sym("." | "(")) => {
                self.p.bump();
                let mut events = Vec::new();
                if self.p.eat("(") {
                    loop {
                        let name = self.p.name("an event")?;
                        events.push(Word { text: name.text, span: name.span });
                        if !self.p.eat(",") {
                            break;
                        }
                    }
                    self.p.expect(")")?;
                }
                self.p.expect(".")?;
                Source::Payload { events, path: self.path("a field")? }
            }
            (Tok::Word, _) => Source::Name(self.path("a value")?),
            _ => Source::Constant(self.constant()?),
        })
    }

    /// `a.b.'c d'` as one word.
    fn path(&mut self, what: &str) -> Parsed<Word> {
        let start = self.p.peek().start;
        let mut text = self.p.name(what)?.text;
        while self.p.eat(".") {
            text = format!("{text}.{}", self.p.name(what)?.text);
        }
        Ok(Word { text, span: self.p.since(start) })
    }
}
