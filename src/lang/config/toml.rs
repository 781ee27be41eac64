//! Reader of `gsmc.toml`.

use super::{Abstracted, case};
use super::{CREATION, Config, EVENTS, IDLE, PROFILE, bound, nesting, range, waiting, word};
use crate::lang::syntax::Name;
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const KEYS: [&str; 12] = [
    "model",
    "agents",
    "properties",
    "schemas",
    "instances",
    "ranges",
    "relations",
    "options",
    "abstraction",
    "replay",
    "data",
    "writes",
];
const ABSTRACTION: [&str; 3] = ["attributes", "predicates", "refine"];
const OPTIONS: [&str; 12] = [
    "idle",
    "creation",
    "events",
    "strict_order",
    "keep_all",
    "bound",
    "profile",
    "nesting",
    "case",
    "manual",
    "data",
    "rounds",
];

/// A larger configuration is none.
const MOST_BYTES: usize = 1 << 20;

pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a configuration; all its mistakes are reported.
pub fn read(file: FileId, sources: &Sources, diags: &mut Diagnostics) -> Config {
    let source = sources.file(file).map_or("", |f| f.text.as_str());
    if source.len() > MOST_BYTES {
        diags.push(Diagnostic::new(
            &codes::NOT_TOML,
            Span::new(file, 0, 0),
            "a configuration of more than 1 MiB is none",
        ));
        return Config::default();
    }
    let (table, errors) = DeTable::parse_recoverable(source);
    for error in errors.iter().take(100) {
        let at = error.span().unwrap_or(0..0);
        diags.push(Diagnostic::new(&codes::NOT_TOML, Span::new(file, at.start, at.end), one_line(error.message())));
    }
    // What could be read beside a slip leads to the other files, which are read too; it may be half of what was meant.
    let mut unsure = Diagnostics::new();
    let diags = if errors.is_empty() { diags } else { &mut unsure };
    let mut reader = Reader { file, diags, config: Config::default() };
    reader.top(table.get_ref());
    reader.config
}

/// The tables of a configuration, which the notation has as blocks.
pub const SECTIONS: [&str; 5] = ["instances", "options", "ranges", "relations", "abstraction"];

/// Takes a configuration that was read from another kind of file; its places are offsets there.
pub fn from_table(file: FileId, table: &DeTable, diags: &mut Diagnostics) -> Config {
    let mut reader = Reader { file, diags, config: Config::default() };
    reader.top(table);
    reader.config
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) struct Reader<'d> {
    file: FileId,
    pub(super) diags: &'d mut Diagnostics,
    pub(super) config: Config,
}

/// Entries of a table in the order of the file.
pub(super) fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t str, Range<usize>, &'t Value<'i>)> {
    let mut all: Vec<_> = table.iter().map(|(k, v)| (k.get_ref().as_ref(), k.span(), v)).collect();
    all.sort_by_key(|(_, at, _)| at.start);
    all
}

impl Reader<'_> {
    pub(super) fn span(&self, at: Range<usize>) -> Span {
        Span::new(self.file, at.start, at.end)
    }

    pub(super) fn wrong(&mut self, value: &Value, key: &str, wanted: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number with a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("'{key}' takes {wanted}, not {found}");
        self.diags.push(Diagnostic::new(&codes::WRONG_VALUE, self.span(value.span()), message));
    }

    pub(super) fn unknown(&mut self, key: &str, at: Range<usize>, known: &[&str]) {
        let d = Diagnostic::new(&codes::UNKNOWN_KEY, self.span(at), format!("unknown key '{key}'"));
        let d = d.note(format!("keys are {}", known.join(", ")));
        self.diags.push(d.nearest(key, known.iter().copied()));
    }

    fn top(&mut self, table: &DeTable) {
        for (key, at, value) in in_order(table) {
            match key {
                "model" => self.config.model = self.text(value, key),
                "agents" => self.config.agents = self.text(value, key),
                "properties" => self.config.properties = self.texts(value, key),
                "schemas" => self.config.schemas = self.texts(value, key),
                "instances" => self.each(value, key, Self::instances),
                "ranges" => self.each(value, key, Self::range),
                "relations" => self.each(value, key, Self::relation),
                "options" => self.each(value, key, Self::option),
                "abstraction" => self.each(value, key, Self::abstraction),
                "replay" => self.replay(value),
                "data" => self.each(value, key, Self::data),
                "writes" => self.each(value, key, Self::writes),
                _ => self.unknown(key, at, &KEYS),
            }
        }
    }

    /// Reads every entry of a table.
    fn each(&mut self, value: &Value, key: &str, read: impl Fn(&mut Self, Name, &Value)) {
        let DeValue::Table(table) = value.get_ref() else { return self.wrong(value, key, "a table") };
        for (name, at, value) in in_order(table) {
            let name = Name { text: name.to_string(), span: self.span(at), quoted: false };
            self.entry(name, value, &read);
        }
    }

    /// A key with dots but without quotes makes nested tables: `CustomerOrder.Parts = …`.
    fn entry(&mut self, name: Name, value: &Value, read: &dyn Fn(&mut Self, Name, &Value)) {
        let DeValue::Table(inner) = value.get_ref() else { return read(self, name, value) };
        for (step, at, value) in in_order(inner) {
            let text = format!("{}.{step}", name.text);
            self.entry(Name { text, span: self.span(at), quoted: false }, value, read);
        }
    }

    pub(super) fn text(&mut self, value: &Value, key: &str) -> Option<Name> {
        match value.get_ref() {
            DeValue::String(text) => Some(Name { text: text.to_string(), span: self.span(value.span()), quoted: true }),
            _ => {
                self.wrong(value, key, "a text");
                None
            }
        }
    }

    pub(super) fn texts(&mut self, value: &Value, key: &str) -> Vec<Name> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().filter_map(|item| self.text(item, key)).collect(),
            DeValue::String(_) => self.text(value, key).into_iter().collect(),
            _ => {
                self.wrong(value, key, "a list of texts");
                Vec::new()
            }
        }
    }

    pub(super) fn number(&mut self, value: &Value, key: &str, wanted: &str) -> Option<i64> {
        let number = match value.get_ref() {
            DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok(),
            _ => None,
        };
        if number.is_none() {
            self.wrong(value, key, wanted);
        }
        number
    }

    fn instances(&mut self, name: Name, value: &Value) {
        if matches!(value.get_ref(), DeValue::String(word) if word == super::ANY) {
            self.config.any.push(name.clone());
            return self.config.instances.push((name, super::SOME_INSTANCES));
        }
        let Some(n) = self.number(value, &name.text, "a whole number or \"any\"") else { return };
        if let Some(n) = bound(n, self.span(value.span()), self.diags) {
            self.config.instances.push((name, n));
        }
    }

    fn range(&mut self, name: Name, value: &Value) {
        const WANTED: &str = "a pair of whole numbers such as [0, 3]";
        let pair = match value.get_ref() {
            DeValue::Array(items) if items.len() == 2 => items.first().zip(items.get(1)),
            _ => None,
        };
        let Some((lo, hi)) = pair else { return self.wrong(value, &name.text, WANTED) };
        let (lo, hi) = (self.number(lo, &name.text, WANTED), self.number(hi, &name.text, WANTED));
        let Some((lo, hi)) = lo.zip(hi) else { return };
        if let Some(range) = range(lo, hi, self.span(value.span()), self.diags) {
            self.config.ranges.push((name, range));
        }
    }

    fn relation(&mut self, name: Name, value: &Value) {
        if let Some(ty) = self.text(value, &name.text) {
            self.config.relations.push((name, ty));
        }
    }

    fn flag(&mut self, value: &Value, key: &str) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(b) => Some(*b),
            _ => {
                self.wrong(value, key, "true or false");
                None
            }
        }
    }

    fn abstraction(&mut self, name: Name, value: &Value) {
        match name.text.as_str() {
            "attributes" => {
                let words = [("auto", 0), ("all", 1)];
                self.config.abstraction.attributes = match value.get_ref() {
                    DeValue::String(_) => {
                        let text = self.text(value, &name.text);
                        let found = text.and_then(|t| word(&t.text, t.span, &words, self.diags));
                        found.map(|n| if n == 0 { Abstracted::Auto } else { Abstracted::All })
                    }
                    _ => Some(Abstracted::Named(self.texts(value, &name.text))),
                };
            }
            "predicates" => self.config.abstraction.predicates = self.texts(value, &name.text),
            "refine" => {
                const WANTED: &str = "a number of rounds from 0 to 1000";
                let Some(n) = self.number(value, &name.text, WANTED) else { return };
                match u32::try_from(n).ok().filter(|n| *n <= 1000) {
                    Some(n) => self.config.abstraction.refine = Some(n),
                    None => {
                        let message = format!("'{}' takes {WANTED}, not {n}", name.text);
                        self.diags.push(Diagnostic::new(&codes::WRONG_VALUE, self.span(value.span()), message));
                    }
                }
            }
            key => self.unknown(key, name.span.start as usize..name.span.end as usize, &ABSTRACTION),
        }
    }

    fn option(&mut self, name: Name, value: &Value) {
        match name.text.as_str() {
            "idle" => {
                let text = self.text(value, &name.text);
                self.config.options.idle = text.and_then(|t| word(&t.text, t.span, &IDLE, self.diags));
            }
            "creation" => {
                let text = self.text(value, &name.text);
                self.config.options.creation = text.and_then(|t| word(&t.text, t.span, &CREATION, self.diags));
            }
            "events" => {
                let text = self.text(value, &name.text);
                self.config.options.events = text.and_then(|t| word(&t.text, t.span, &EVENTS, self.diags));
            }
            "profile" => {
                let text = self.text(value, &name.text);
                self.config.options.profile = text.and_then(|t| word(&t.text, t.span, &PROFILE, self.diags));
            }
            "strict_order" => self.config.options.strict_order = self.flag(value, &name.text),
            "keep_all" => self.config.options.keep_all = self.flag(value, &name.text),
            "bound" => {
                let number = self.number(value, &name.text, "a whole number");
                let span = self.span(value.span());
                self.config.options.bound = number.and_then(|n| waiting(n, span, self.diags));
            }
            "nesting" => {
                let number = self.number(value, &name.text, "a whole number");
                let span = self.span(value.span());
                self.config.options.nesting = number.and_then(|n| nesting(n, span, self.diags));
            }
            "case" => self.config.case.id = self.text(value, &name.text),
            "manual" => {
                let named = self.texts(value, &name.text);
                let named = named.into_iter().filter_map(|n| case::by_hand(n, self.diags)).collect();
                self.config.case.by_hand = named;
            }
            "data" => {
                let text = self.text(value, &name.text);
                self.config.case.data_any = text.and_then(|t| case::any_time(&t.text, t.span, self.diags));
            }
            "rounds" => {
                let number = self.number(value, &name.text, "a whole number");
                let span = self.span(value.span());
                self.config.case.rounds = number.and_then(|n| case::rounds(n, span, self.diags));
            }
            key => self.unknown(key, name.span.start as usize..name.span.end as usize, &OPTIONS),
        }
    }
}
