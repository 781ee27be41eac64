//! Which entries of a mapping some event of the log uses; what is left is told.

use crate::lang::config::{GivenMove, GivenReplay};
use crate::lang::syntax::Name;
use crate::log::Event;
use crate::source::Diagnostic;
use crate::source::codes::replay as codes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// What happened.
    Activity,
    /// Who did it.
    Agent,
    /// Something else that events carry.
    Attribute,
    /// The same, where its texts mean others.
    Values,
}

/// The entries, and which were used. Threads share it.
#[derive(Debug, Default)]
pub(super) struct Uses {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    what: What,
    name: Name,
    used: AtomicBool,
    /// What an event had instead, where an attribute was missing.
    instead: OnceLock<Vec<String>>,
}

impl Uses {
    /// All entries of a section.
    pub fn of(given: &GivenReplay) -> Uses {
        let mut uses = Uses::default();
        for (activity, means) in &given.events {
            uses.add(What::Activity, activity);
            match means {
                GivenMove::Nothing => {}
                GivenMove::Event(_, payload) => payload.iter().for_each(|(_, a)| uses.add(What::Attribute, a)),
                GivenMove::Item(_, status) => status.iter().for_each(|a| uses.add(What::Attribute, a)),
            }
        }
        given.agents.iter().for_each(|(resource, _)| uses.add(What::Agent, resource));
        given.values.iter().for_each(|(attribute, _)| uses.add(What::Values, attribute));
        uses
    }

    fn add(&mut self, what: What, name: &Name) {
        if self.entry(what, &name.text).is_none() {
            let (used, instead) = (AtomicBool::new(false), OnceLock::new());
            self.entries.push(Entry { what, name: name.clone(), used, instead });
        }
    }

    fn entry(&self, what: What, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.what == what && e.name.text == name)
    }

    /// An event has it.
    pub fn note(&self, what: What, name: &str) {
        if let Some(entry) = self.entry(what, name) {
            entry.used.store(true, Ordering::Relaxed);
        }
    }

    /// An event was asked for an attribute.
    pub fn asked(&self, event: &Event, attribute: &str) {
        if event.attributes.contains_key(attribute) {
            self.note(What::Values, attribute);
        }
        let Some(entry) = self.entry(What::Attribute, attribute) else { return };
        match event.attributes.contains_key(attribute) {
            true => entry.used.store(true, Ordering::Relaxed),
            false => _ = entry.instead.get_or_init(|| event.attributes.keys().cloned().collect()),
        }
    }

    /// A warning for each entry that no event used. An attribute that no event was asked for is left to the warning about its activity.
    pub fn unused(&self) -> Vec<Diagnostic> {
        let warning = |e: &Entry| {
            let name = &e.name.text;
            let message = match e.what {
                What::Activity => format!("the log has no activity '{name}'"),
                What::Agent => format!("nobody in the log is called '{name}'"),
                What::Attribute => format!("no event that is asked for it has the attribute '{name}'"),
                What::Values => format!("no event is asked for the attribute '{name}'"),
            };
            let d = Diagnostic::new(&codes::UNUSED_ENTRY, e.name.span, message);
            d.nearest(name, e.instead.get().into_iter().flatten().map(String::as_str))
        };
        let idle =
            |e: &&Entry| !e.used.load(Ordering::Relaxed) && (e.what != What::Attribute || e.instead.get().is_some());
        self.entries.iter().filter(idle).map(warning).collect()
    }
}
