//! Warnings about what can never happen or says nothing.

use super::Reader;
use crate::lang::cmmn::model::{ALWAYS, Criterion, Event, Item, Kind, NEVER, Source};
use crate::source::Diagnostic;
use crate::source::codes::cmmn as codes;

impl Reader<'_, '_, '_> {
    pub(super) fn doubts(&mut self, criteria: &[Criterion]) {
        for part in criteria.iter().flat_map(|c| &c.on) {
            match &part.source {
                Source::Items(items) if items.iter().all(|i| self.never_has(&self.items[*i], part.event)) => {
                    let item = &self.items[items[0]];
                    let message = format!("{} '{}' never has '{}'", item.kind_name(), item.name, part.event_name());
                    let d = Diagnostic::new(&codes::NEVER_OCCURS, part.span, message);
                    let usual = if item.is_milestone() || item.is_listener() { "occur" } else { "complete" };
                    let known = part.event != Event::Other;
                    self.diags.push(if known { d.help(format!("its usual event is '{usual}'")) } else { d });
                }
                Source::File(_) if !part.event.of_file() => {
                    let message = format!("a case file item never has '{}'", part.event_name());
                    let d = Diagnostic::new(&codes::NEVER_OCCURS, part.span, message);
                    self.diags.push(
                        d.help("its events are create, update, replace, delete and those of children and references"),
                    );
                }
                _ => {}
            }
        }
        for ix in 1..self.items.len() {
            let item = &self.items[ix];
            let heard = |c: &Criterion| c.on.iter().any(|p| matches!(&p.source, Source::Items(s) if s.contains(&ix)));
            let (name, span) = (&item.name, item.span);
            if item.is_milestone() && item.entry.is_empty() {
                let message = format!("milestone '{name}' has no entry criterion: it occurs at once");
                self.diags.push(Diagnostic::new(&codes::IDLE_MILESTONE, span, message));
            } else if item.is_listener()
                && item.kind != (Kind::Listener { reactivate: true })
                && !criteria.iter().any(heard)
            {
                let message = format!("no criterion waits for listener '{name}'");
                self.diags.push(Diagnostic::new(&codes::UNUSED_LISTENER, span, message));
            }
        }
    }

    /// Is this an event that the item never has?
    fn never_has(&self, item: &Item, event: Event) -> bool {
        let works = matches!(item.kind, Kind::Stage | Kind::Task(_));
        match event {
            Event::Create | Event::Exit => false,
            Event::Terminate => !works && self.flowable() && item.is_milestone(),
            Event::Complete => !works,
            Event::Start => !works || (!self.flowable() && item.manual == ALWAYS),
            Event::Enable | Event::Disable | Event::Reenable => item.manual == NEVER,
            Event::ManualStart => self.flowable() || item.manual == NEVER,
            Event::Fault => item.task().is_none(),
            Event::Occur => works || item.kind == (Kind::Listener { reactivate: true }),
            _ => true,
        }
    }
}
