//! The dialects that files are written in.

use crate::testing::Choices;

/// A way to write a case down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// CMMN 1.1.
    #[default]
    New,
    /// CMMN 1.0: what has no rule for it is started by hand.
    Old,
    /// Cafienne's: no namespace, names of 1.0, parts in any order, events with a capital.
    Cafienne,
}

impl Dialect {
    pub fn draw(c: &mut Choices) -> Dialect {
        c.one_of([Dialect::New, Dialect::New, Dialect::New, Dialect::Old, Dialect::Cafienne])
    }

    /// The root element.
    pub fn root(self) -> String {
        let own = match self {
            Dialect::New => " xmlns=\"http://www.omg.org/spec/CMMN/20151109/MODEL\"",
            Dialect::Old => " xmlns=\"http://www.omg.org/spec/CMMN/20131201/MODEL\"",
            Dialect::Cafienne => "",
        };
        let vendors =
            "xmlns:flowable=\"http://flowable.org/cmmn\" xmlns:camunda=\"http://camunda.org/schema/1.0/cmmn\"";
        format!("<definitions{own} {vendors}>")
    }

    /// Are criteria attributes of their items?
    pub fn refers(self) -> bool {
        self != Dialect::New
    }

    pub fn manual_unless_told(self) -> bool {
        self == Dialect::Old
    }

    pub fn condition(self, text: &str) -> String {
        let text = escape(text);
        match self {
            Dialect::New => format!("<condition>{text}</condition>"),
            _ => format!("<condition><body>{text}</body></condition>"),
        }
    }

    /// What an element is called.
    pub fn element(self, kind: &'static str) -> &'static str {
        match kind {
            "userEventListener" if self != Dialect::New => "userEvent",
            "timerEventListener" if self != Dialect::New => "timerEvent",
            _ => kind,
        }
    }

    pub fn event(self, name: &str) -> String {
        let mut letters = name.chars();
        match (self, letters.next()) {
            (Dialect::Cafienne, Some(first)) => first.to_uppercase().chain(letters).collect(),
            _ => name.to_string(),
        }
    }

    /// Parts one after the other.
    pub fn in_order(self, parts: &[String]) -> String {
        match self {
            Dialect::Cafienne => parts.iter().rev().map(String::as_str).collect(),
            _ => parts.concat(),
        }
    }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
