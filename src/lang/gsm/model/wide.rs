//! The whole domain of data that is abstracted.

use super::Decimal;
use crate::machine::Domain;

/// The values of data that is abstracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// Whole numbers.
    Whole {
        /// The smallest, if there is one.
        lo: Option<i64>,
        /// The largest, if there is one.
        hi: Option<i64>,
    },
    /// Numbers with fractions.
    Real {
        /// The smallest, if there is one.
        lo: Option<Decimal>,
        /// The largest, if there is one.
        hi: Option<Decimal>,
        /// The one and the other is no value itself.
        open: (bool, bool),
    },
    /// Points of time.
    Date,
}

impl Wide {
    /// Numbers with fractions?
    pub const fn is_real(&self) -> bool {
        matches!(self, Wide::Real { .. })
    }

    /// A domain of numbers with these ends in the place of its own, as far as there are some.
    pub fn within(&self, domain: &Domain) -> Domain {
        let (low, high) = domain.bounds();
        match (domain, self) {
            (Domain::Int { .. }, Wide::Whole { lo, hi }) => {
                Domain::Int { lo: lo.unwrap_or(low), hi: hi.unwrap_or(high) }
            }
            (Domain::Real { parts, .. }, Wide::Real { lo, hi, .. }) => {
                let end = |end: &Option<Decimal>, own: i64| end.and_then(|d| d.in_parts(*parts)).unwrap_or(own);
                Domain::Real { parts: *parts, lo: end(lo, low), hi: end(hi, high) }
            }
            _ => domain.clone(),
        }
    }

    /// As a domain, where 1 has so many parts, and points of time are days or seconds; `None` if an end does not fit.
    pub fn domain(&self, parts: i64, seconds: bool) -> Option<Domain> {
        let end = |d: &Option<Decimal>, none: i64| d.map_or(Some(none), |d| d.in_parts(parts));
        Some(match self {
            Wide::Date => Domain::Date { seconds },
            Wide::Whole { lo, hi } => Domain::Int { lo: lo.unwrap_or(i64::MIN), hi: hi.unwrap_or(i64::MAX) },
            Wide::Real { lo, hi, .. } => Domain::Real { parts, lo: end(lo, i64::MIN)?, hi: end(hi, i64::MAX)? },
        })
    }
}
