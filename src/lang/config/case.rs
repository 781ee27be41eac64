//! What only cases (CMMN) take: which case of a file, what happens by hand, values and writers of data, rounds of a step.

use super::toml::{Reader, Value};
use crate::lang::syntax::Name;
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Span};
use toml::de::DeValue;

/// What a project says about a case, names not yet looked up.
#[derive(Clone, Debug, Default)]
pub struct GivenCase {
    /// The case of a file with several, by its id.
    pub id: Option<Name>,
    /// Transitions made by hand: `complete`, or `terminate=Review` for one item.
    pub by_hand: Vec<Name>,
    /// Data may change at any time.
    pub data_any: Option<Span>,
    /// Values of variables, instead of those that conditions compare them with.
    pub values: Vec<(Name, Vec<Name>)>,
    /// What the completion of a task (or `case`: its start) writes.
    pub writes: Vec<(Name, Vec<Name>)>,
    /// Steps are cut off after so many rounds.
    pub rounds: Option<(u32, Span)>,
    /// The standard questions are not asked.
    pub no_standard: bool,
}

/// Transitions that somebody can make by hand.
const BY_HAND: [&str; 5] = ["complete", "terminate", "fault", "disable", "reenable"];

/// More rounds than this are taken for a slip.
const MOST_ROUNDS: u32 = 1000;

impl GivenCase {
    /// This with everything that `over` mentions replaced.
    pub(super) fn overridden(mut self, over: GivenCase) -> GivenCase {
        self.id = over.id.or(self.id);
        if !over.by_hand.is_empty() {
            self.by_hand = over.by_hand;
        }
        self.data_any = over.data_any.or(self.data_any);
        self.values.extend(over.values);
        self.writes.extend(over.writes);
        self.rounds = over.rounds.or(self.rounds);
        self.no_standard |= over.no_standard;
        self
    }

    /// What it says, each with its place: mistakes where the model is no case.
    pub fn mentions(&self) -> Vec<(&'static str, Span)> {
        let mut all: Vec<(&'static str, Span)> = Vec::new();
        all.extend(self.id.iter().map(|n| ("case", n.span)));
        all.extend(self.by_hand.iter().map(|n| ("manual", n.span)));
        all.extend(self.data_any.map(|s| ("data", s)));
        all.extend(self.values.iter().map(|(n, _)| ("data", n.span)));
        all.extend(self.writes.iter().map(|(n, _)| ("writes", n.span)));
        all.extend(self.rounds.map(|(_, s)| ("rounds", s)));
        all
    }
}

/// `complete` or `terminate=Review`, or an error.
pub(super) fn by_hand(text: Name, diags: &mut Diagnostics) -> Option<Name> {
    let word = text.text.split('=').next().unwrap_or("");
    if BY_HAND.contains(&word) {
        return Some(text);
    }
    let message = format!("'{word}' is not one of {}", BY_HAND.join(", "));
    diags.push(Diagnostic::new(&codes::WRONG_VALUE, text.span, message).nearest(word, BY_HAND));
    None
}

/// `any`: data may change at any time.
pub(super) fn any_time(text: &str, span: Span, diags: &mut Diagnostics) -> Option<Span> {
    super::word(text, span, &[("any", span)], diags)
}

/// A number of rounds, or an error.
pub(super) fn rounds(n: i64, span: Span, diags: &mut Diagnostics) -> Option<(u32, Span)> {
    if let Some(n) = u32::try_from(n).ok().filter(|n| (1..=MOST_ROUNDS).contains(n)) {
        return Some((n, span));
    }
    let message = format!("a step cannot have {n} rounds");
    diags.push(Diagnostic::new(&codes::WRONG_VALUE, span, message).label(format!("expected 1 to {MOST_ROUNDS}")));
    None
}

impl Reader<'_> {
    /// `[data]`: `outcome = ["yes", "no"]`.
    pub(super) fn data(&mut self, name: Name, value: &Value) {
        let values = self.values(value, &name.text);
        self.config.case.values.push((name, values));
    }

    /// `[writes]`: `"Review" = ["outcome"]`.
    pub(super) fn writes(&mut self, name: Name, value: &Value) {
        let variables = self.texts(value, &name.text);
        self.config.case.writes.push((name, variables));
    }

    /// Values of a variable: texts, numbers, `true`, `false`.
    fn values(&mut self, value: &Value, key: &str) -> Vec<Name> {
        const WANTED: &str = "a list of values";
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong(value, key, WANTED);
            return Vec::new();
        };
        let mut all = Vec::new();
        for item in items.iter() {
            let text = match item.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Boolean(b) => b.to_string(),
                DeValue::Integer(n) => n.to_string(),
                DeValue::Float(x) => x.to_string(),
                _ => {
                    self.wrong(item, key, "texts, numbers, true or false");
                    continue;
                }
            };
            let quoted = matches!(item.get_ref(), DeValue::String(_));
            all.push(Name { text, span: self.span(item.span()), quoted });
        }
        all
    }
}
