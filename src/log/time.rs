//! Times in logs: ISO 8601, numbers of milliseconds, or a given pattern.

use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// A time as the log writes it, with a number to sort by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nanoseconds; from 1970 for calendar times, from wherever the log counts otherwise.
    pub at: i128,
    /// As written.
    pub text: String,
}

/// How times are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TimeFormat {
    /// ISO 8601 with or without a zone (then UTC), a date alone, or a number of milliseconds.
    #[default]
    Usual,
    /// A pattern as in `strptime`.
    Pattern(String),
}

impl TimeFormat {
    /// A text as a time.
    pub fn read(&self, text: &str) -> Option<Moment> {
        let trimmed = text.trim();
        let at = match self {
            TimeFormat::Usual => usual(trimmed),
            TimeFormat::Pattern(pattern) => patterned(pattern, trimmed),
        };
        at.map(|at| Moment { at, text: text.to_string() })
    }
}

fn usual(text: &str) -> Option<i128> {
    if let Ok(ms) = text.parse::<i64>() {
        return Some(i128::from(ms) * 1_000_000);
    }
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Some(stamp.as_nanosecond());
    }
    utc(text.parse::<DateTime>().ok()?)
}

fn patterned(pattern: &str, text: &str) -> Option<i128> {
    let parsed = strtime::parse(pattern, text).ok()?;
    if let Ok(stamp) = parsed.to_timestamp() {
        return Some(stamp.as_nanosecond());
    }
    let date_time = parsed.to_datetime().or_else(|_| parsed.to_date().map(DateTime::from)).ok()?;
    utc(date_time)
}

fn utc(local: DateTime) -> Option<i128> {
    let zoned: Zoned = local.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_nanosecond())
}
