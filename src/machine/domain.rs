//! Values of variables, and when a system may do nothing.

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
            Domain::Int { lo, hi } => (*lo, *hi),
            Domain::Enum { values, bottom } => (0, values.len() as i64 - if *bottom { 0 } else { 1 }),
        }
    }

    /// Is there no smallest or no largest value? An end of `i64` stands for "no end".
    pub fn is_unbounded(&self) -> bool {
        matches!(self, Domain::Int { lo, hi } if *lo == i64::MIN || *hi == i64::MAX)
    }

    /// Number of values.
    pub fn size(&self) -> u64 {
        let (lo, hi) = self.bounds();
        hi.abs_diff(lo).saturating_add(1)
    }

    /// Bits a value takes.
    pub fn bits(&self) -> u32 {
        64 - (self.size() - 1).leading_zeros()
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
            Domain::Int { .. } => code.to_string(),
            Domain::Enum { values, bottom } => match (code, *bottom) {
                (0, true) => BOTTOM.to_string(),
                (c, b) => values.get((c - i64::from(b)) as usize).cloned().unwrap_or_else(|| format!("#{c}")),
            },
        }
    }

    /// The code of what [`Domain::show`] writes.
    pub fn read(&self, text: &str) -> Option<i64> {
        let (lo, hi) = self.bounds();
        match self {
            Domain::Bool => ["false", "true"].iter().position(|t| *t == text).map(|p| p as i64),
            Domain::Int { .. } => text.parse().ok().filter(|v| (lo..=hi).contains(v)),
            Domain::Enum { bottom: true, .. } if text == BOTTOM => Some(0),
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
