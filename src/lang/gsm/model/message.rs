//! One-way messages: tasks that send an event.

use super::{Application, AttrIx, EventIx, Field, TaskIx, TaskSource, TaskStep, TypeIx};
use crate::machine::Domain;

/// A message that a task sends.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The event that occurs at the receiver.
    pub event: EventIx,
    /// The type of the receiver.
    pub receiver: TypeIx,
    /// The receiver is the sender itself.
    pub to_itself: bool,
    /// What it carries: fields by position in the payload.
    pub fields: &'a [(usize, TaskSource)],
}

impl TaskSource {
    /// Does it read this field of the event?
    pub fn is_of(&self, event: EventIx, field: &str) -> bool {
        matches!(self, TaskSource::Field { name, events }
            if name == field && (events.is_empty() || events.contains(&event)))
    }
}

impl Application {
    /// The message that a task sends.
    pub fn message(&self, ty: TypeIx, task: TaskIx) -> Option<Message<'_>> {
        let steps = &self.types.get(ty.0)?.tasks.get(task.0)?.steps;
        steps.iter().find_map(|step| match step {
            TaskStep::Send { event, to, fields, .. } => {
                Some(Message { event: *event, receiver: to.unwrap_or(ty), to_itself: to.is_none(), fields })
            }
            _ => None,
        })
    }

    /// Does some task send the event?
    pub fn sent_by_task(&self, event: EventIx) -> bool {
        let sends = |s: &TaskStep| matches!(s, TaskStep::Send { event: e, .. } if *e == event);
        self.types.iter().flat_map(|t| &t.tasks).flat_map(|t| &t.steps).any(sends)
    }

    /// The types at whose instances an event can occur: its receivers, and those of messages.
    pub fn targets_of(&self, event: EventIx) -> Vec<TypeIx> {
        let mut types = self.receivers_of(event);
        for (ty, task) in TypeIx::each(&self.types).flat_map(|(ty, t)| TaskIx::all(&t.tasks).map(move |k| (ty, k))) {
            let message = self.message(ty, task).filter(|m| m.event == event && !types.contains(&m.receiver));
            types.extend(message.map(|m| m.receiver));
        }
        types
    }

    /// The values of a payload field at a receiver: those of the attribute of its name, or its own.
    pub fn field_domain<'a>(&'a self, field: &'a Field, receiver: TypeIx) -> &'a Domain {
        self.own_attr(field, receiver).map_or(&field.domain, |a| &self.types[receiver].attrs[a].domain)
    }

    /// The attribute of a receiver that has the name of a payload field.
    pub fn own_attr(&self, field: &Field, receiver: TypeIx) -> Option<AttrIx> {
        let t = &self.types[receiver];
        t.attr(&field.name).filter(|a| !t.attrs[*a].set)
    }
}
