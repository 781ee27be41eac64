//! `eventIds`, and which events a model never uses.

use super::names::{self, Found};
use crate::lang::gsm::xml::RawEvents;
use crate::lang::gsm::{Application, EventIx, Events, Rules, can_hold_without_event};
use crate::lang::syntax::{Name, Text};
use crate::source::codes::model;
use crate::source::{Diagnostic, Diagnostics};

/// Most words that one id can be made of.
const MAX_WORDS: usize = 8;

/// The events of a sentry; `None` when it lists none.
pub fn event_ids(app: &Application, events: &RawEvents, diags: &mut Diagnostics) -> Option<Vec<EventIx>> {
    match events {
        RawEvents::Listed(text) => listed(app, text, diags),
        RawEvents::Named(names) => Some(named(app, names, diags)).filter(|_| !names.is_empty()),
    }
}

/// Is some event named, known or not?
pub fn lists_some(events: &RawEvents) -> bool {
    match events {
        RawEvents::Listed(text) => text.as_str().chars().any(|c| !c.is_whitespace() && c != ','),
        RawEvents::Named(names) => !names.is_empty(),
    }
}

/// Events named one by one; here an unknown one is an error.
fn named(app: &Application, names: &[Name], diags: &mut Diagnostics) -> Vec<EventIx> {
    let mut events = Vec::new();
    for event in names.iter().filter_map(|name| names::event(app, name, diags)) {
        if !events.contains(&event) {
            events.push(event);
        }
    }
    events
}

/// The events that an `eventIds` lists; `None` when it is blank. Blanks and commas separate, but an id may contain blanks too: the
/// longest run of words that is an event counts.
fn listed(app: &Application, text: &Text, diags: &mut Diagnostics) -> Option<Vec<EventIx>> {
    if text.as_str().chars().all(|c| c.is_whitespace() || c == ',') {
        return None;
    }
    let mut events = Vec::new();
    let mut part_start = 0;
    for part in text.as_str().split(',') {
        let words = words(part, part_start);
        part_start += part.len() + 1;
        let mut at = 0;
        while at < words.len() {
            at += one_id(app, text, &words[at..], &mut events, diags);
        }
    }
    Some(events)
}

/// Takes one id from the front of `words`; says how many words it has.
fn one_id(
    app: &Application,
    text: &Text,
    words: &[(usize, usize)],
    events: &mut Vec<EventIx>,
    diags: &mut Diagnostics,
) -> usize {
    let (start, _) = words[0];
    for len in (1..=words.len().min(MAX_WORDS)).rev() {
        let id = text.slice(start, words[len - 1].1);
        if let Found::One(event) = names::find_event(app, id) {
            if !events.contains(&event) {
                events.push(event);
            }
            return len;
        }
    }
    let (id, span) = (text.slice(start, words[0].1), text.span(start, words[0].1));
    let known = app.events.iter().flat_map(|e| [e.id.as_str(), e.name.as_str()]);
    let d = match names::find_event(app, id) {
        Found::Many(ids) => {
            let d = Diagnostic::new(&model::AMBIGUOUS, span, format!("several events are called '{id}'"));
            d.help(format!("use an id: {}", ids.join(" or ")))
        }
        _ => Diagnostic::new(&model::EVENT_IDS, span, format!("no event is called '{id}'")).nearest(id, known),
    };
    diags.push(d);
    1
}

/// Start and end of every word.
fn words(part: &str, offset: usize) -> Vec<(usize, usize)> {
    let place = |word: &str| {
        let start = offset + (word.as_ptr() as usize - part.as_ptr() as usize);
        (start, start + word.len())
    };
    part.split_whitespace().map(place).collect()
}

/// Warns of declared events that no sentry waits for, where no sentry can hold without an event either.
pub fn warn_unused(app: &Application, diags: &mut Diagnostics) {
    let rules = Rules::of(app);
    if app.options.events == Events::Any || rules.list.iter().any(|r| can_hold_without_event(app, r)) {
        return;
    }
    for (event, named) in app.events.iter().zip(app.named()) {
        if event.declared && named.is_empty() && event.creates.is_none() && !event.outgoing {
            let message = format!("event '{}' is never waited for", event.id);
            diags.push(Diagnostic::new(&model::UNUSED_EVENT, event.span, message));
        }
    }
}
