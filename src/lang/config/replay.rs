//! `[replay]`: what the activities of a recorded log mean.

use super::toml::{Reader, Value, in_order};
use super::word;
use crate::lang::syntax::Name;
use toml::de::{DeTable, DeValue};

/// What a project says about its logs, names not yet looked up.
#[derive(Clone, Debug, Default)]
pub struct GivenReplay {
    /// Column or attribute of the case.
    pub case: Option<Name>,
    /// Of the activity.
    pub activity: Option<Name>,
    /// Of the time.
    pub time: Option<Name>,
    /// Of the agent.
    pub agent: Option<Name>,
    /// What a case is an instance of (GSM).
    pub of_type: Option<Name>,
    /// When a case is completed, as a formula.
    pub complete: Option<Name>,
    /// Activities that mean nothing are ignored, instead of being deviations.
    pub ignore_unmapped: Option<bool>,
    /// The rest of a case is not judged after a deviation.
    pub stop: Option<bool>,
    /// Unobserved steps between two events.
    pub silent: Option<u32>,
    /// What activities mean.
    pub events: Vec<(Name, GivenMove)>,
    /// Resources and the agents they are.
    pub agents: Vec<(Name, Name)>,
    /// Per attribute: texts of the log and of the model.
    pub values: Vec<(Name, Vec<(Name, Name)>)>,
}

/// What an activity means.
#[derive(Clone, Debug)]
pub enum GivenMove {
    /// Known, and of no matter.
    Nothing,
    /// An event (or a task's completion); its payload fields and the attributes they are in.
    Event(Name, Vec<(Name, Name)>),
    /// An item gets the status that an attribute has.
    Item(Name, Option<Name>),
}

const KEYS: [&str; 12] = [
    "case",
    "activity",
    "time",
    "agent",
    "type",
    "complete",
    "unmapped",
    "on_deviation",
    "silent",
    "events",
    "agents",
    "values",
];
const MOVE: [&str; 4] = ["event", "payload", "item", "status"];

/// More unobserved steps than this are taken for a slip.
const MOST_SILENT: i64 = 100;

impl Reader<'_> {
    pub(super) fn replay(&mut self, value: &Value) {
        let DeValue::Table(table) = value.get_ref() else { return self.wrong(value, "replay", "a table") };
        let mut given = GivenReplay::default();
        for (key, at, value) in in_order(table) {
            match key {
                "case" => given.case = self.text(value, key),
                "activity" => given.activity = self.text(value, key),
                "time" => given.time = self.text(value, key),
                "agent" => given.agent = self.text(value, key),
                "type" => given.of_type = self.text(value, key),
                "complete" => given.complete = self.text(value, key),
                "unmapped" => {
                    given.ignore_unmapped = self.one_of(value, key, &[("deviation", false), ("ignore", true)])
                }
                "on_deviation" => given.stop = self.one_of(value, key, &[("skip", false), ("stop", true)]),
                "silent" => given.silent = self.silent(value),
                "events" => given.events = self.pairs(value, key, Self::a_move),
                "agents" => given.agents = self.pairs(value, key, |r, v| r.text(v, "agents")),
                "values" => {
                    given.values =
                        self.pairs(value, key, |r, v| Some(r.pairs(v, "values", |r, v| r.text(v, "values"))));
                }
                _ => self.unknown(key, at, &KEYS),
            }
        }
        self.config.replay = given;
    }

    fn one_of<T: Copy>(&mut self, value: &Value, key: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(value, key)?;
        word(&text.text, text.span, words, self.diags)
    }

    fn silent(&mut self, value: &Value) -> Option<u32> {
        const WANTED: &str = "a number of steps from 0 to 100";
        let n = self.number(value, "silent", WANTED)?;
        let found = u32::try_from(n).ok().filter(|_| n <= MOST_SILENT);
        if found.is_none() {
            self.wrong(value, "silent", WANTED);
        }
        found
    }

    /// The entries of a table whose keys are names of the log.
    fn pairs<T>(&mut self, value: &Value, key: &str, read: impl Fn(&mut Self, &Value) -> Option<T>) -> Vec<(Name, T)> {
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong(value, key, "a table");
            return Vec::new();
        };
        let mut all = Vec::new();
        for (name, at, value) in in_order(table) {
            let name = Name { text: name.to_string(), span: self.span(at), quoted: false };
            all.extend(read(self, value).map(|value| (name, value)));
        }
        all
    }

    fn a_move(&mut self, value: &Value) -> Option<GivenMove> {
        match value.get_ref() {
            DeValue::String(text) if text.is_empty() => Some(GivenMove::Nothing),
            DeValue::String(_) => Some(GivenMove::Event(self.text(value, "events")?, Vec::new())),
            DeValue::Table(table) => self.spelled_out(value, table),
            _ => {
                self.wrong(value, "events", "an event's name, or a table with 'event' or 'item'");
                None
            }
        }
    }

    fn spelled_out(&mut self, whole: &Value, table: &DeTable) -> Option<GivenMove> {
        let (mut event, mut item, mut status, mut payload) = (None, None, None, Vec::new());
        for (key, at, value) in in_order(table) {
            match key {
                "event" => event = self.text(value, key),
                "item" => item = self.text(value, key),
                "status" => status = self.text(value, key),
                "payload" => payload = self.pairs(value, key, |r, v| r.text(v, "payload")),
                _ => self.unknown(key, at, &MOVE),
            }
        }
        match (event, item) {
            (Some(event), None) => Some(GivenMove::Event(event, payload)),
            (None, Some(item)) => Some(GivenMove::Item(item, status)),
            _ => {
                self.wrong(whole, "events", "either 'event' or 'item'");
                None
            }
        }
    }
}
