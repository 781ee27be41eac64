//! What the activities of a log mean to a model: the project's `[replay]` section, else names as they are.

use super::uses::{Uses, What};
use crate::lang::config::{GivenMove, GivenReplay};
use crate::lang::syntax::Name;
use crate::log::Event;
use crate::source::codes::replay as codes;
use crate::source::{Diagnostic, Diagnostics, nearest};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The name under which the formula of a completed case stands among the properties.
pub const COMPLETE: &str = "complete-case";

/// What can be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// An event, or a task's completion, by number; payload fields and the attributes they are in.
    Event(usize, Vec<(String, String)>),
    /// An item gets the status that an attribute has (`status`, else `value`).
    Item(usize, Option<String>),
}

/// The names that a model knows.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Events and completions of tasks, by name.
    pub events: Vec<(String, usize)>,
    /// Items of an E-GSM model.
    pub items: Vec<String>,
    /// Agents; `None`: anybody may do anything.
    pub agents: Option<Vec<String>>,
    /// Payload fields per event, by number.
    pub fields: BTreeMap<usize, Vec<String>>,
}

/// What a log event is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'m> {
    /// A move.
    Means(&'m Means),
    /// Known, and of no matter.
    Nothing,
    /// Nothing that the model knows.
    Unknown,
}

/// The mapping, looked up.
#[derive(Debug)]
pub struct Mapping {
    known: Known,
    entries: FxHashMap<String, Option<Means>>,
    /// Entries by what they are if they say `activity:transition`, the transition in small letters.
    transitions: FxHashMap<String, String>,
    /// Names of the model that need no entry.
    plain: FxHashMap<String, Means>,
    /// Events that have the name of an item: without a status they are meant.
    namesakes: FxHashMap<String, Means>,
    uses: Uses,
    agents: FxHashMap<String, String>,
    values: FxHashMap<String, FxHashMap<String, String>>,
    ignore_unmapped: bool,
    /// The rest of a case is not judged after a deviation.
    pub stop: bool,
    /// Unobserved steps between two events.
    pub silent: u32,
}

/// The attribute of events that names their transition.
const TRANSITION: &str = "lifecycle:transition";

/// The transition of an event that comes when its activity is done.
const COMPLETES: &str = "complete";

/// Unobserved steps where nobody says how many.
const SILENT: u32 = 3;

impl Mapping {
    /// Looks up what a project says; unknown names are mistakes.
    pub fn new(given: &GivenReplay, known: Known, diags: &mut Diagnostics) -> Mapping {
        let (mut plain, mut namesakes) = (FxHashMap::default(), FxHashMap::default());
        for (ix, item) in known.items.iter().enumerate() {
            plain.insert(item.clone(), Means::Item(ix, None));
        }
        for (name, ix) in &known.events {
            let list = if known.items.contains(name) { &mut namesakes } else { &mut plain };
            list.entry(name.clone()).or_insert(Means::Event(*ix, Vec::new()));
        }
        let mut mapping = Mapping {
            known,
            entries: FxHashMap::default(),
            transitions: FxHashMap::default(),
            plain,
            namesakes,
            uses: Uses::of(given),
            agents: FxHashMap::default(),
            values: FxHashMap::default(),
            ignore_unmapped: given.ignore_unmapped.unwrap_or(false),
            stop: given.stop.unwrap_or(false),
            silent: given.silent.unwrap_or(SILENT),
        };
        for (activity, means) in &given.events {
            let means = mapping.resolve(means, diags);
            if let Some((name, transition)) = activity.text.rsplit_once(':') {
                let key = with_transition(name, transition);
                if mapping.transitions.insert(key, activity.text.clone()).is_some() {
                    let message = format!("another entry is about '{}', too", activity.text);
                    diags.push(Diagnostic::new(&codes::SAME_TRANSITION, activity.span, message));
                }
            }
            mapping.entries.insert(activity.text.clone(), means);
        }
        for (resource, agent) in &given.agents {
            mapping.known_agent(agent, diags);
            mapping.agents.insert(resource.text.clone(), agent.text.clone());
        }
        for (attribute, texts) in &given.values {
            let texts = texts.iter().map(|(log, model)| (log.text.clone(), model.text.clone())).collect();
            mapping.values.insert(attribute.text.clone(), texts);
        }
        mapping
    }

    fn resolve(&self, given: &GivenMove, diags: &mut Diagnostics) -> Option<Means> {
        match given {
            GivenMove::Nothing => None,
            GivenMove::Event(name, payload) => {
                let Some((_, event)) = self.known.events.iter().find(|(n, _)| *n == name.text) else {
                    unknown("event", name, self.known.events.iter().map(|(n, _)| n.as_str()), diags);
                    return None;
                };
                let fields = self.known.fields.get(event).map_or(&[][..], Vec::as_slice);
                for (field, _) in payload.iter().filter(|(f, _)| !fields.contains(&f.text)) {
                    unknown("payload field", field, fields.iter().map(String::as_str), diags);
                }
                let payload = payload.iter().map(|(f, a)| (f.text.clone(), a.text.clone())).collect();
                Some(Means::Event(*event, payload))
            }
            GivenMove::Item(name, status) => {
                let Some(item) = self.known.items.iter().position(|i| *i == name.text) else {
                    unknown("item", name, self.known.items.iter().map(String::as_str), diags);
                    return None;
                };
                Some(Means::Item(item, status.as_ref().map(|s| s.text.clone())))
            }
        }
    }

    fn known_agent(&self, agent: &Name, diags: &mut Diagnostics) {
        let known = self.known.agents.as_deref().unwrap_or(&[]);
        if !known.contains(&agent.text) {
            unknown("agent", agent, known.iter().map(String::as_str), diags);
        }
    }

    /// What a log event is to the model: an entry `activity:transition` goes before one for the activity. Other transitions than `complete`,
    /// which an event has that says none, count only where such an entry says so.
    pub fn said(&self, event: &Event) -> Said<'_> {
        let transition = event.attributes.get(TRANSITION).map_or(COMPLETES, String::as_str);
        if let Some(said) = self.transition(&event.activity, transition) {
            return said;
        }
        if !transition.eq_ignore_ascii_case(COMPLETES) {
            return Said::Nothing;
        }
        if let Some(said) = self.entry(&event.activity) {
            return said;
        }
        let bare = ["status", "value"].iter().all(|a| !event.attributes.contains_key(*a));
        let namesake = self.namesakes.get(&event.activity).filter(|_| bare);
        match namesake.or_else(|| self.plain.get(&event.activity)) {
            Some(means) => Said::Means(means),
            None if self.ignore_unmapped => Said::Nothing,
            None => Said::Unknown,
        }
    }

    /// What an entry `activity:transition` says, where there is one.
    fn transition(&self, activity: &str, transition: &str) -> Option<Said<'_>> {
        if self.transitions.is_empty() {
            return None;
        }
        self.entry(self.transitions.get(&with_transition(activity, transition))?)
    }

    fn entry(&self, activity: &str) -> Option<Said<'_>> {
        let entry = self.entries.get(activity)?;
        self.uses.note(What::Activity, activity);
        Some(entry.as_ref().map_or(Said::Nothing, Said::Means))
    }

    /// The status that an event gives its item.
    pub fn status(&self, event: &Event, attribute: Option<&str>) -> Option<String> {
        let names = attribute.map_or(vec!["status", "value"], |a| vec![a]);
        names.into_iter().find_map(|name| self.value(event, name))
    }

    /// The value of an attribute as the model writes it.
    pub fn value(&self, event: &Event, attribute: &str) -> Option<String> {
        self.uses.asked(event, attribute);
        let text = event.attributes.get(attribute)?;
        let meant = self.values.get(attribute).and_then(|texts| texts.get(text));
        Some(meant.unwrap_or(text).clone())
    }

    /// The agent who did it, as the model names it.
    pub fn agent<'e>(&'e self, event: &'e Event) -> Option<&'e str> {
        let resource = event.agent.as_deref()?;
        self.uses.note(What::Agent, resource);
        Some(self.agents.get(resource).map_or(resource, String::as_str))
    }

    /// Does some entry show this event or completion?
    pub fn shows(&self, event: usize) -> bool {
        self.entries.values().any(|m| matches!(m, Some(Means::Event(e, _)) if *e == event))
    }

    /// Entries that no event used.
    pub fn unused(&self) -> Vec<Diagnostic> {
        self.uses.unused()
    }

    /// `; did you mean …?` where some name is near.
    pub fn nearest(&self, activity: &str) -> String {
        let names =
            self.known.events.iter().map(|(n, _)| n.as_str()).chain(self.known.items.iter().map(String::as_str));
        match nearest(activity, names).first() {
            Some(near) => format!("; did you mean {near}?"),
            None => String::new(),
        }
    }

    /// A `[replay]` section for the activities of a log: each with the name of the model that is nearest to it.
    pub fn suggestion(&self, activities: &[(String, usize)]) -> String {
        let mut out = String::from("[replay.events]\n");
        for (activity, count) in activities {
            let (means, remark) = match self.plain.get(activity) {
                Some(means) => (self.spelled(means), String::new()),
                None => {
                    let alike = simple(activity);
                    let names = self.plain.keys().filter(|n| simple(n) == alike).min();
                    let names = names.cloned().or_else(|| self.one_of_its_words(activity)).or_else(|| {
                        let mut all: Vec<&str> = self.plain.keys().map(String::as_str).collect();
                        all.sort_unstable();
                        nearest(activity, all).first().map(|n| n.trim_matches('\'').to_string())
                    });
                    match names.as_ref().and_then(|n| self.plain.get(n)) {
                        Some(means) => (self.spelled(means), "  # nearest name".to_string()),
                        None => ("\"\"".to_string(), "  # nothing near: ignored".to_string()),
                    }
                }
            };
            let times = if *count == 1 { "once".to_string() } else { format!("{count} times") };
            let remark = if remark.is_empty() { format!("  # {times}") } else { format!("{remark}, {times}") };
            out += &format!("{} = {means}{remark}\n", quoted(activity));
        }
        out
    }

    /// The only name that an activity has among its words: "truck position" speaks of `Truck`.
    fn one_of_its_words(&self, activity: &str) -> Option<String> {
        let words: Vec<String> = activity.split(|c: char| !c.is_alphanumeric()).map(simple).collect();
        let mut named = self.plain.keys().filter(|n| words.contains(&simple(n)));
        match (named.next(), named.next()) {
            (Some(one), None) => Some(one.clone()),
            _ => None,
        }
    }

    fn spelled(&self, means: &Means) -> String {
        match means {
            Means::Item(i, _) => {
                format!("{{ item = {}, status = \"status\" }}", quoted(&self.known.items[*i]))
            }
            Means::Event(e, _) => {
                let name = self.known.events.iter().find(|(_, ix)| ix == e).map_or("", |(n, _)| n.as_str());
                quoted(name)
            }
        }
    }
}

/// What an entry about a transition is looked up by: transitions are the same in small and capital letters.
fn with_transition(activity: &str, transition: &str) -> String {
    format!("{activity}:{}", transition.to_lowercase())
}

/// Letters and digits only, small.
fn simple(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c.is_control() => out += &format!("\\u{:04X}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

fn unknown<'a>(what: &str, name: &Name, known: impl Iterator<Item = &'a str>, diags: &mut Diagnostics) {
    let d = Diagnostic::new(&codes::UNKNOWN_NAME, name.span, format!("unknown {what} '{}'", name.text));
    diags.push(d.nearest(&name.text, known));
}
