//! For how many instances a verdict holds.

use super::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// For how many instances a verdict holds, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// For how many.
    #[serde(rename = "scope")]
    pub extent: Extent,
    /// The numbers it was decided with: they suffice, or are the least, or the most.
    pub cutoff: BTreeMap<String, u32>,
    /// How that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// What the instances are for, or what keeps it from holding for more.
    pub why: Vec<Why>,
}

/// For how many instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// For any number.
    Any,
    /// For these numbers and all larger ones.
    From,
    /// For at most these numbers.
    AtMost,
}

/// How it is known that a verdict holds for other numbers than it was decided with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Instances do not touch each other, and the formula speaks of few.
    Cutoff,
    /// A run stays a run where more are possible.
    Growth,
    /// Decided from above and below.
    Sandwich,
    /// Proved on every few of them.
    Views,
}

/// A reason, with its place where it has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// In words.
    pub text: String,
    /// `file:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl Scope {
    /// As a sentence about a verdict: `It is true for any number of Order: 3 suffice (…).`
    pub fn sentence(&self, verdict: Verdict) -> String {
        match self.extent {
            Extent::From if self.why.is_empty() => "With more instances it is the same.".into(),
            _ => format!("It is {} {}.", verdict.name(), self.text()),
        }
    }

    /// In a few words: `for any number of Order: 3 suffice (…)`.
    pub fn text(&self) -> String {
        let why: Vec<String> = self.why.iter().map(Why::text).collect();
        let why = match why.is_empty() {
            true => String::new(),
            false if self.by == Some(By::Views) => format!(", though {}", why.join(", and ")),
            false => format!(" ({})", why.join("; ")),
        };
        let each = |join: &dyn Fn(&str, u32) -> String| -> String {
            self.cutoff.iter().map(|(t, n)| join(t, *n)).collect::<Vec<_>>().join(", ")
        };
        match self.extent {
            Extent::Any => {
                let suffice = if self.by == Some(By::Views) { "proved on every" } else { "" };
                match (self.cutoff.len(), self.cutoff.iter().next()) {
                    (1, Some((t, n))) if suffice.is_empty() => {
                        let verb = if *n == 1 { "suffices" } else { "suffice" };
                        format!("for any number of {t}: {n} {verb}{why}")
                    }
                    (1, Some((t, 1))) => format!("for any number of {t}: proved on each of them{why}"),
                    (1, Some((t, n))) => format!("for any number of {t}: {suffice} {n} of them{why}"),
                    _ => format!("for any number: {} suffice{why}", each(&|t, n| format!("{n} {t}"))),
                }
            }
            Extent::From => format!("from {} on{why}", each(&|t, n| format!("{n} {t}"))),
            Extent::AtMost => format!("for at most {}{why}", each(&|t, n| format!("{n} {t}"))),
        }
    }
}

impl Why {
    fn text(&self) -> String {
        match &self.place {
            Some(place) => format!("{}, {place}", self.text),
            None => self.text.clone(),
        }
    }
}
