//! Stages with their guards and milestones.

use super::read::{Parsed, Reader};
use crate::lang::gsm::xml::{RawEvents, RawExpression, RawMilestone, RawSentry, RawStage, Word};
use crate::lang::syntax::{Level, Name, Tok};
use crate::source::Diagnostic;
use crate::source::codes::notation as codes;

/// What may start a line in a stage.
const IN_STAGE: [&str; 8] = ["guard", "milestone", "achieved", "cleared", "task", "stage", "flow guard", "fault"];
/// Deepest nesting of stages.
const MAX_DEPTH: usize = 100;

impl Reader<'_, '_> {
    fn stages(&mut self) -> Option<&mut Vec<RawStage>> {
        self.types.last_mut().map(|t| &mut t.component.stages)
    }

    /// `stage S { … }`; stages inside it come after it.
    pub(super) fn stage(&mut self, doc: Option<String>, parent: Option<usize>) -> Parsed<()> {
        let start = self.p.bump().start;
        let head = self.head(start, "the stage's name", doc)?;
        let what = format!("stage '{}'", head.id.text);
        if self.depth(parent) > MAX_DEPTH {
            let message = format!("stages are nested more than {MAX_DEPTH} deep");
            return Err(Diagnostic::new(&codes::KEYWORD, head.span, message));
        }
        let stage = RawStage {
            head,
            parent,
            guards: Vec::new(),
            milestones: Vec::new(),
            tasks: Vec::new(),
            flow_guards: Vec::new(),
            fault_loggers: Vec::new(),
        };
        let Some(stages) = self.stages() else { return Ok(()) };
        stages.push(stage);
        let at = stages.len() - 1;
        if !self.p.at("{") {
            return self.end_of_statement();
        }
        self.block(&what, |r, doc| r.in_stage(at, doc))
    }

    fn depth(&mut self, parent: Option<usize>) -> usize {
        let Some(stages) = self.stages() else { return 0 };
        std::iter::successors(parent, |&s| stages.get(s).and_then(|s| s.parent)).take(MAX_DEPTH + 1).count()
    }

    fn in_stage(&mut self, at: usize, doc: Option<String>) -> Parsed<()> {
        match self.word(self.p.peek()) {
            "guard" => self.guard(at, "guard"),
            "fault" => self.guard(at, "fault_logger"),
            "flow" => {
                self.p.bump();
                if !self.p.at_word("guard") {
                    return Err(self.p.expected("'guard'"));
                }
                self.guard(at, "flow_guard")
            }
            "milestone" => self.milestone(at, doc),
            "task" => self.task(at, doc),
            "stage" => self.stage(doc, Some(at)),
            word @ ("achieved" | "cleared") => {
                let d = self.p.error(&codes::KEYWORD, format!("'{word}' belongs to a milestone"));
                Err(d.help("put it right after the milestone's line"))
            }
            _ => Err(self.wrong_keyword(&IN_STAGE)),
        }
    }

    /// `guard g on E when φ`, `flow guard φ`, `fault on E when φ`.
    fn guard(&mut self, at: usize, kind: &str) -> Parsed<()> {
        let keyword = self.p.bump();
        let Some(stage) = self.stages().and_then(|s| s.get(at)) else { return Ok(()) };
        let owner = stage.head.id.text.clone();
        let position = match kind {
            "guard" => stage.guards.len(),
            "flow_guard" => stage.flow_guards.len(),
            _ => stage.fault_loggers.len(),
        };
        let made_up = format!("{owner}_{kind}{}", position + 1);
        // A flow guard may be just its condition.
        let bare = kind == "flow_guard" && !self.names_sentry();
        let sentry =
            if bare { self.condition_alone(keyword.start, made_up)? } else { self.sentry(keyword.start, made_up)? };
        if kind == "guard" && sentry.events.is_none() && sentry.expression.is_none() {
            let message = "this guard always holds: its stage opens again after every closing";
            let d = Diagnostic::new(&codes::ALWAYS, sentry.span, message);
            self.diags.push(d.help(
                "write 'on create' if the stage opens when its instance is created, 'when true' if this is meant",
            ));
        }
        let Some(stage) = self.stages().and_then(|s| s.get_mut(at)) else { return Ok(()) };
        match kind {
            "guard" => stage.guards.push(sentry),
            "flow_guard" => stage.flow_guards.push(sentry),
            _ => stage.fault_loggers.push(sentry),
        }
        self.end_of_statement()
    }

    /// Does a name, `on` or `when` come next, rather than a condition?
    fn names_sentry(&self) -> bool {
        if self.p.at_word("on") || self.p.at_word("when") {
            return true;
        }
        let mut ahead = self.p.clone();
        ahead.name("").is_ok() && (ahead.at_word("on") || ahead.at_word("when") || ahead.peek().tok == Tok::Quoted)
    }

    fn condition_alone(&mut self, start: usize, id: String) -> Parsed<RawSentry> {
        let expression = Some(RawExpression::Read(self.p.expr(Level::LOWEST)?));
        let span = self.p.since(start);
        Ok(RawSentry { name: id.clone(), id: Word { text: id, span }, span, events: None, expression, language: None })
    }

    /// `[name] [on E, F] [when φ]`
    fn sentry(&mut self, start: usize, made_up: String) -> Parsed<RawSentry> {
        let token = self.p.peek();
        let named = matches!(token.tok, Tok::Word | Tok::Quoted) && !self.p.at_word("on") && !self.p.at_word("when");
        let (id, name) = if named {
            let head = self.head(start, "a name, 'on' or 'when'", None)?;
            (head.id, head.name)
        } else {
            (Word { text: made_up.clone(), span: self.p.since(start) }, made_up)
        };
        let span = self.p.since(start);
        let events = self.on()?;
        let expression = self.when()?;
        Ok(RawSentry { id, name, span, events, expression, language: None })
    }

    fn on(&mut self) -> Parsed<Option<RawEvents>> {
        if !self.p.at_word("on") {
            return Ok(None);
        }
        self.p.bump();
        let mut names = Vec::new();
        loop {
            let name = self.p.name("an event")?;
            let create = name.text == "create" && !name.quoted;
            if create {
                self.creations.push(name.span);
            }
            let own = self.types.last().map_or("", |t| t.component.head.id.text.as_str());
            names.push(if create { Name { text: format!("Create_{own}"), ..name } } else { name });
            if !self.p.eat(",") {
                return Ok(Some(RawEvents::Named(names)));
            }
            if self.p.at_word("when") {
                return Err(self.p.expected("an event").help("leave out the ',' before 'when'"));
            }
        }
    }

    fn when(&mut self) -> Parsed<Option<RawExpression>> {
        if !self.p.at_word("when") {
            return Ok(None);
        }
        self.p.bump();
        Ok(Some(RawExpression::Read(self.p.expr(Level::LOWEST)?)))
    }

    /// `milestone m on E when φ`, then lines `achieved …` and `cleared …`.
    fn milestone(&mut self, at: usize, doc: Option<String>) -> Parsed<()> {
        let start = self.p.bump().start;
        let head = self.head(start, "the milestone's name", doc)?;
        let owner = head.id.text.clone();
        let mut raw = RawMilestone { head, events: None, achieving: Vec::new(), invalidating: Vec::new() };
        if self.p.at_word("on") || self.p.at_word("when") {
            raw.achieving.push(self.sentry(start, format!("{owner}_condition1"))?);
        }
        let read = self.clauses(&owner, &mut raw);
        if let Some(stage) = self.stages().and_then(|s| s.get_mut(at)) {
            stage.milestones.push(raw);
        }
        read
    }

    fn clauses(&mut self, owner: &str, raw: &mut RawMilestone) -> Parsed<()> {
        loop {
            let mut ahead = self.p.clone();
            ahead.start_line();
            let achieved = ahead.at_word("achieved");
            if !achieved && !ahead.at_word("cleared") {
                return self.end_of_statement();
            }
            self.p = ahead;
            let start = self.p.bump().start;
            let (into, kind) = match achieved {
                true => (&raw.achieving, "condition"),
                false => (&raw.invalidating, "invalidation"),
            };
            let sentry = self.sentry(start, format!("{owner}_{kind}{}", into.len() + 1))?;
            if achieved { raw.achieving.push(sentry) } else { raw.invalidating.push(sentry) }
        }
    }
}
