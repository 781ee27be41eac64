//! Values of variables, and when a system may do nothing.

use super::number::{self, Ratio};
use super::{Points, calendar, code};

/// The values of a variable. A value is coded as `i64`: false/true as 0/1, an enumerated value as its position (0 is ⊥),
/// an integer as itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// false, true.
    Bool,
    /// `lo..=hi`.
    Int {
        /// Smallest value.
        lo: i64,
        /// Largest value.
        hi: i64,
    },
    /// Numbers with fractions, counted in parts: a value is so many times `1/parts`, and need not be a whole number of them. Only machines
    /// without bounds have them, and there an end of `i64` stands for "no end".
    Real {
        /// How many parts make 1.
        parts: i64,
        /// Smallest value, in parts.
        lo: i64,
        /// Largest value, in parts.
        hi: i64,
    },
    /// Numbers with fractions that are told apart by constants alone, coded by position: each constant, and one number for all those between
    /// two neighbours, below the first and above the last.
    Points(Points),
    /// Points of time, from 1970 on or back. Only machines without bounds have them.
    Date {
        /// They count seconds, not days.
        seconds: bool,
    },
    /// ⊥ (code 0), these texts (codes 1, 2, …), and any other. Only machines without bounds have them.
    Text {
        /// The texts that the model names.
        words: Vec<String>,
    },
    /// ⊥ (code 0), then these texts (codes 1, 2, …). Private variables of enumerated type have no ⊥: see `bottom`.
    Enum {
        /// The texts in order.
        values: Vec<String>,
        /// Whether code 0 is ⊥; if not, codes start at 0 with the first text.
        bottom: bool,
    },
}

/// How ⊥ is written.
pub const BOTTOM: &str = "⊥";

impl Domain {
    /// Smallest and largest code.
    pub fn bounds(&self) -> (i64, i64) {
        match self {
            Domain::Bool => (0, 1),
            Domain::Int { lo, hi } | Domain::Real { lo, hi, .. } => (*lo, *hi),
            Domain::Points(points) => (0, points.list().len() as i64 - 1),
            Domain::Date { .. } => (i64::MIN, i64::MAX),
            Domain::Text { .. } => (0, i64::MAX),
            Domain::Enum { values, bottom } => (0, values.len() as i64 - if *bottom { 0 } else { 1 }),
        }
    }

    /// Are its values without number? An end of `i64` stands for "no end".
    pub fn is_unbounded(&self) -> bool {
        match self {
            Domain::Int { lo, hi } => *lo == i64::MIN || *hi == i64::MAX,
            Domain::Real { .. } | Domain::Date { .. } | Domain::Text { .. } => true,
            _ => false,
        }
    }

    /// Number of values.
    pub fn size(&self) -> u64 {
        let (lo, hi) = self.bounds();
        hi.abs_diff(lo).saturating_add(1)
    }

    /// Bits a value takes.
    pub fn bits(&self) -> u32 {
        // Codes of exact values lie anywhere.
        if self.is_unbounded() { 64 } else { 64 - (self.size() - 1).leading_zeros() }
    }

    /// The code of an enumerated text.
    pub fn code_of(&self, text: &str) -> Option<i64> {
        match self {
            Domain::Enum { values, bottom } => {
                values.iter().position(|v| v == text).map(|p| p as i64 + i64::from(*bottom))
            }
            _ => None,
        }
    }

    /// A code as people read it.
    pub fn show(&self, code: i64) -> String {
        match self {
            Domain::Bool => if code == 0 { "false" } else { "true" }.to_string(),
            Domain::Int { .. } | Domain::Date { .. } if !code::is_plain(code) => number::write(&code::number(code)),
            Domain::Int { .. } => code.to_string(),
            Domain::Real { .. } => self.write(&code::number(code)),
            Domain::Points(points) => points.number(code).map_or_else(|| format!("#{code}"), |n| number::write(&n)),
            Domain::Date { seconds } => calendar::write(code, *seconds),
            Domain::Text { .. } if code == 0 => BOTTOM.to_string(),
            Domain::Text { words } => {
                // The first text of the book has the least code that there is.
                let at = code.checked_sub(1).and_then(|at| usize::try_from(at).ok());
                let known = at.and_then(|at| words.get(at).cloned());
                known.or_else(|| code::text(code)).unwrap_or_else(|| format!("another text {code}"))
            }
            Domain::Enum { values, bottom } => match (code, *bottom) {
                (0, true) => BOTTOM.to_string(),
                (c, b) => values.get((c - i64::from(b)) as usize).cloned().unwrap_or_else(|| format!("#{c}")),
            },
        }
    }

    /// A number as people read it; one with fractions counts parts, one of points is a code.
    pub fn write(&self, value: &Ratio) -> String {
        match self {
            Domain::Points(_) if value.is_integer() => self.show(code::of(value)),
            Domain::Real { parts, .. } => number::write(&(value / Ratio::from_integer((*parts).max(1).into()))),
            _ => number::write(value),
        }
    }

    /// Is a code one of a value of this domain?
    pub fn contains(&self, code: i64) -> bool {
        match self {
            Domain::Text { .. } => code >= 0 || code::text(code).is_some(),
            _ => self.admits(&code::number(code)),
        }
    }

    /// The code of the value that is nearest to that of a code.
    pub fn nearest(&self, code: i64) -> i64 {
        let (lo, hi) = self.bounds();
        match self {
            Domain::Text { .. } => code,
            _ if code::is_plain(code) => code.clamp(lo, hi),
            _ => {
                let n = code::number(code);
                let beyond = |end: i64, is: fn(&Ratio, &Ratio) -> bool| is(&n, &Ratio::from_integer(end.into()));
                match () {
                    () if lo != i64::MIN && beyond(lo, Ratio::lt) => lo,
                    () if hi != i64::MAX && beyond(hi, Ratio::gt) => hi,
                    () => code,
                }
            }
        }
    }

    /// Is an exact number one of its values?
    pub fn admits(&self, value: &Ratio) -> bool {
        let (lo, hi) = self.bounds();
        let end = |e: i64| (e != i64::MIN && e != i64::MAX).then(|| Ratio::from_integer(e.into()));
        let inside = end(lo).is_none_or(|lo| lo <= *value) && end(hi).is_none_or(|hi| *value <= hi);
        inside && (value.is_integer() || matches!(self, Domain::Real { .. }))
    }

    /// The value that a text writes, of any size; numbers with fractions in parts.
    pub fn exact(&self, text: &str) -> Option<Ratio> {
        let number = match self {
            Domain::Int { .. } => number::read(text)?,
            Domain::Real { parts, .. } => number::read(text)? * Ratio::from_integer((*parts).into()),
            _ => Ratio::from_integer(self.read(text)?.into()),
        };
        Some(number).filter(|n| self.admits(n))
    }

    /// The code of what [`Domain::show`] writes.
    pub fn read(&self, text: &str) -> Option<i64> {
        let (lo, hi) = self.bounds();
        match self {
            Domain::Bool => ["false", "true"].iter().position(|t| *t == text).map(|p| p as i64),
            Domain::Int { .. } if !self.is_unbounded() => text.parse().ok().filter(|v| (lo..=hi).contains(v)),
            Domain::Int { .. } | Domain::Real { .. } => self.exact(text).map(|n| code::of(&n)),
            Domain::Points(points) => points.code_of(&number::read(text)?),
            Domain::Date { seconds } => calendar::Moment::read(text).map(|m| m.number(*seconds)),
            Domain::Enum { bottom: true, .. } | Domain::Text { .. } if text == BOTTOM => Some(0),
            Domain::Text { words } => {
                let known = words.iter().position(|w| w == text).map(|at| at as i64 + 1);
                Some(known.unwrap_or_else(|| code::of_text(text)))
            }
            Domain::Enum { .. } => self.code_of(text),
        }
    }
}

/// When the system may do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idle {
    /// Every snapshot has a self-loop.
    Always,
    /// Only snapshots in which nobody can act have one.
    Terminal,
    /// None has one; a snapshot in which nobody can act is an error.
    Never,
}
