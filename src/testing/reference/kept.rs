//! What tasks keep of the payload of the event that opened their stage.

use super::step::Payload;
use crate::lang::gsm::{ArtifactType, AttrIx, BagIx, Change, EventIx, TaskIx, TaskSource, TaskStep};

/// The payload fields that a task reads, with the events they may come from, each once.
pub(super) fn sources(t: &ArtifactType, task: TaskIx) -> Vec<(&str, &[EventIx])> {
    let asked = |bag: BagIx, f: AttrIx| t.bags[bag].tests.iter().any(|t| t.field == f);
    read_by(&t.tasks[task].steps, &asked)
}

/// The same, of the fields of elements those that are `asked` for.
pub(super) fn read_by<'a>(
    steps: &'a [TaskStep],
    asked: &dyn Fn(BagIx, AttrIx) -> bool,
) -> Vec<(&'a str, &'a [EventIx])> {
    let mut all: Vec<&TaskSource> = Vec::new();
    for step in steps {
        match step {
            TaskStep::Set { source, .. } => all.push(source),
            TaskStep::Create { data, .. } => all.extend(data.iter().map(|(_, s)| s)),
            TaskStep::Send { fields, .. } => all.extend(fields.iter().map(|(_, s)| s)),
            TaskStep::Element { bag, change, fields, .. } if *change != Change::Replace => {
                all.extend(fields.iter().filter(|(f, _)| asked(*bag, *f)).map(|(_, s)| s));
            }
            _ => {}
        }
    }
    let mut found: Vec<(&str, &[EventIx])> = Vec::new();
    for source in all {
        if let TaskSource::Field { name, events } = source
            && !found.contains(&(name, events))
        {
            found.push((name, events));
        }
    }
    found
}

/// What a task keeps of the payload of the event that opened its stage.
pub(super) fn buffered(
    t: &ArtifactType,
    task: TaskIx,
    opened_by: Option<(usize, EventIx, &Payload)>,
) -> Vec<Option<String>> {
    let kept = |(name, events): (&str, &[EventIx])| {
        let (_, event, payload) = opened_by?;
        let carried = payload.iter().find(|(n, ..)| n == name && (events.is_empty() || events.contains(&event)));
        carried.map(|(_, code, domain)| domain.show(*code))
    };
    sources(t, task).into_iter().map(kept).collect()
}
