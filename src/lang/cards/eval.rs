//! A condition with the values of all its parts.

use crate::machine::number::{self, Ratio};
use crate::machine::{BOTTOM, CompareOp, Domain, calendar, code};
use serde::{Serialize, Serializer};

/// A part of a condition with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Eval {
    /// What it says.
    pub text: String,
    /// Its value.
    pub value: Val,
    /// Which snapshot it was read in.
    pub at: At,
    /// The parts that make up its value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Eval>,
    #[serde(skip)]
    join: Join,
}

/// Where the value of a part comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// The snapshot before the step.
    Before,
    /// The snapshot at the rule's turn.
    Now,
    /// Both: it changed in this step.
    Change,
    /// What happens in this step.
    Event,
    /// Nowhere: it is fixed.
    Fixed,
    /// Its parts.
    Parts,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A truth value.
    Bool(bool),
    /// The code of a number.
    Num(i64),
    /// A point of time: its number, and whether that counts seconds.
    Time(i64, bool),
    /// A text; `None` is ⊥.
    Text(Option<String>),
}

impl Serialize for Val {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Val::Bool(b) => s.serialize_bool(*b),
            Val::Num(n) if n.unsigned_abs() <= 1 << 53 => s.serialize_i64(*n),
            Val::Num(_) | Val::Time(..) => s.serialize_str(&self.to_string()),
            Val::Text(t) => s.serialize_str(t.as_deref().unwrap_or(BOTTOM)),
        }
    }
}

impl std::fmt::Display for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Val::Bool(b) => b.fmt(f),
            Val::Num(n) => f.write_str(&number::write(&code::number(*n))),
            Val::Time(n, seconds) => f.write_str(&calendar::write(*n, *seconds)),
            Val::Text(t) => f.write_str(t.as_deref().unwrap_or(BOTTOM)),
        }
    }
}

impl Val {
    /// The value of a code.
    pub fn of(domain: &Domain, code: i64) -> Val {
        match domain {
            Domain::Bool => Val::Bool(code != 0),
            Domain::Int { .. } => Val::Num(code),
            Domain::Real { parts, .. } => {
                Val::Num(code::of(&(code::number(code) / Ratio::from_integer((*parts).max(1).into()))))
            }
            Domain::Points(points) => Val::Num(points.number(code).map_or(code, |n| code::of(&n))),
            Domain::Date { seconds } => Val::Time(code, *seconds),
            Domain::Enum { .. } | Domain::Text { .. } => {
                Val::Text(Some(domain.show(code)).filter(|text| text != BOTTOM))
            }
        }
    }

    /// The code of a number.
    pub fn number(&self) -> Option<i64> {
        match self {
            Val::Num(n) | Val::Time(n, _) => Some(*n),
            _ => None,
        }
    }

    /// A comparison; of what are no numbers only whether they are the same.
    pub fn compare(&self, op: CompareOp, other: &Val) -> bool {
        match (self.number(), other.number()) {
            (Some(a), Some(b)) => op.of_codes(a, b),
            _ => (self == other) == (op != CompareOp::Ne),
        }
    }
}

/// How parts make up a value, as far as the search for a culprit cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    All,
    Any,
    Other,
}

impl Eval {
    /// A value read somewhere.
    pub fn leaf(text: String, value: Val, at: At) -> Eval {
        Eval { text, value, at, parts: Vec::new(), join: Join::Other }
    }

    /// A truth value read somewhere.
    pub fn truth(text: String, value: bool, at: At) -> Eval {
        Eval::leaf(text, Val::Bool(value), at)
    }

    /// True when all parts are.
    pub fn all(text: String, parts: Vec<Eval>) -> Eval {
        let value = parts.iter().all(Eval::holds);
        Eval { text, value: Val::Bool(value), at: At::Parts, parts, join: Join::All }
    }

    /// True when some part is.
    pub fn any(text: String, parts: Vec<Eval>) -> Eval {
        let value = parts.iter().any(Eval::holds);
        Eval { text, value: Val::Bool(value), at: At::Parts, parts, join: Join::Any }
    }

    /// A value made of parts in another way.
    pub fn other(text: String, value: Val, parts: Vec<Eval>) -> Eval {
        Eval { text, value, at: At::Parts, parts, join: Join::Other }
    }

    /// Is it true?
    pub fn holds(&self) -> bool {
        self.value == Val::Bool(true)
    }

    fn size(&self) -> usize {
        1 + self.parts.iter().map(Eval::size).sum::<usize>()
    }

    /// Of a condition that is false, the smallest part that makes it so: of a conjunction one false part (what waits for another
    /// event first), of a disjunction of one that part.
    pub fn culprit(&self) -> &Eval {
        match (self.join, self.parts.as_slice()) {
            (Join::All, parts) => {
                let wrong = parts.iter().filter(|p| !p.holds()).map(Eval::culprit);
                wrong.min_by_key(|p| (p.at != At::Event, p.size())).unwrap_or(self)
            }
            (Join::Any, [one]) => one.culprit(),
            // An event part stays one: none of its events occurs.
            _ => self,
        }
    }
}

/// One part as itself, several joined.
pub fn together(mut parts: Vec<Eval>, join: fn(String, Vec<Eval>) -> Eval) -> Eval {
    if parts.len() == 1 {
        return parts.swap_remove(0);
    }
    let joined = join(String::new(), parts);
    let word = if joined.join == Join::All { " and " } else { " or " };
    let text = match (joined.parts.is_empty(), joined.join) {
        (true, Join::All) => "true".into(),
        (true, _) => "false".into(),
        _ => listed(&joined.parts, word),
    };
    Eval { text, ..joined }
}

/// Parts as one text.
pub fn listed(parts: &[Eval], word: &str) -> String {
    let show =
        |p: &Eval| if p.join == Join::Other || p.parts.len() < 2 { p.text.clone() } else { format!("({})", p.text) };
    parts.iter().map(show).collect::<Vec<_>>().join(word)
}
