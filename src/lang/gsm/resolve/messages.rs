//! Tasks that send a message.

use super::names::{self, Found};
use super::tasks::{TaskReader, steps_of};
use crate::lang::gsm::xml::{Invoked, RawMapping, Word};
use crate::lang::gsm::{EventIx, TaskStep, TypeIx};
use crate::source::codes::model;
use crate::source::{Diagnostic, Span};

impl TaskReader<'_> {
    /// The event that an `Invoke` sends, if it sends one: a declared event that creates nothing. An error is reported.
    pub(super) fn sent_event(&mut self, service: &Word, what: Invoked) -> Result<Option<EventIx>, ()> {
        let name = &service.text;
        let (code, message, help) = match (names::find_event(self.app, name), what) {
            (Found::One(event), Invoked::Any | Invoked::Send) if self.app.events[event].creates.is_none() => {
                return Ok(Some(event));
            }
            (Found::One(event), Invoked::Call) if self.app.events[event].creates.is_none() => (
                &model::BAD_MESSAGE,
                format!("'{name}' is an event, which is sent and not called"),
                format!("write send {name}; a service needs another name"),
            ),
            (Found::One(_), Invoked::Send) => (
                &model::BAD_MESSAGE,
                format!("'{name}' creates an instance, so it cannot be sent"),
                format!("write create {}", name.strip_prefix("Create_").unwrap_or(name)),
            ),
            (Found::Many(ids), Invoked::Send) => {
                (&model::AMBIGUOUS, format!("'{name}' is ambiguous"), format!("use one of {}", ids.join(", ")))
            }
            (Found::Nothing, Invoked::Send) => {
                let d = Diagnostic::new(&model::UNKNOWN_EVENT, service.span, format!("unknown event '{name}'"));
                let known = self.app.events.iter().filter(|e| e.creates.is_none());
                self.diags.push(d.nearest(name, known.flat_map(|e| [e.id.as_str(), e.name.as_str()])));
                return Err(());
            }
            _ => return Ok(None),
        };
        self.diags.push(Diagnostic::new(code, service.span, message).help(help));
        Err(())
    }

    /// A message: each mapping fills a field of the event.
    pub(super) fn send(
        &mut self,
        event: EventIx,
        to: Option<&Word>,
        mappings: &[RawMapping],
        span: Span,
    ) -> Option<TaskStep> {
        let to = match to {
            None => None,
            Some(word) => Some(self.receiver(word)?),
        };
        let mut fields: Vec<(usize, _)> = Vec::new();
        for mapping in mappings {
            self.ignored_type(mapping);
            let Some(at) = self.carried_field(mapping, event) else { continue };
            if fields.iter().any(|(other, _)| *other == at) {
                let name = &self.app.events[event].payload[at].name;
                let message = format!("the field '{name}' of the message is given twice");
                self.diags.push(Diagnostic::new(&model::BAD_MESSAGE, mapping.span, message).help("give it once"));
                continue;
            }
            let Some(target) = self.field_of(event, at, to.unwrap_or(self.ty)) else { continue };
            let Some(source) = self.source(mapping, &target) else { continue };
            fields.push((at, self.settled(source, target.key, Some(fields.len()))));
        }
        Some(TaskStep::Send { event, to, fields, span })
    }

    /// The type of the receiver.
    fn receiver(&mut self, word: &Word) -> Option<TypeIx> {
        let name = crate::lang::syntax::Name { text: word.text.clone(), span: word.span, quoted: true };
        names::artifact_type(self.app, &name, self.diags)
    }

    /// The field that a mapping of a message fills: its path, or the end of it.
    fn carried_field(&mut self, mapping: &RawMapping, event: EventIx) -> Option<usize> {
        let end = mapping.target.as_ref();
        let Some(path) = end.and_then(|end| end.path.as_ref().or(end.expression.as_ref())) else {
            let span = end.map_or(mapping.span, |end| end.span);
            self.diags.push(Diagnostic::new(&model::BAD_MAPPING, span, "this mapping has no Target with a field"));
            return None;
        };
        let e = &self.app.events[event];
        let steps = steps_of(&path.text);
        let suffixes = (0..steps.len()).map(|skip| steps[skip..].join("."));
        let found = suffixes.into_iter().find_map(|s| e.payload.iter().position(|f| f.name == s));
        if found.is_none() {
            let last = steps.last().copied().unwrap_or("");
            let message = format!("the event '{}' has no field '{last}'", e.id);
            let d = Diagnostic::new(&model::UNKNOWN_FIELD, path.span, message);
            self.diags.push(d.nearest(last, e.payload.iter().map(|f| f.name.as_str())));
        }
        found
    }

    /// A message is the whole task.
    pub(super) fn only_step(&mut self, written: usize) {
        let sent = self.steps.iter().find_map(|s| match s {
            TaskStep::Send { span, .. } => Some(*span),
            _ => None,
        });
        if let Some(span) = sent.filter(|_| written > 1) {
            let message = "a task that sends a message does nothing else";
            let d = Diagnostic::new(&model::BAD_MESSAGE, span, message);
            self.diags
                .push(d.help("put the other steps into the task of another stage, opened by this one's milestone"));
        }
    }
}
