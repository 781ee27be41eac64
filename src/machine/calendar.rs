//! Points of time as whole numbers: days, or seconds, since the first of January 1970.

/// What the number that says when a date is, is called: the date's name and this.
pub const WHEN: &str = " (when)";

/// Seconds of a day.
pub const DAY: i64 = 86_400;

/// A point of time: days since 1970, and seconds within the day where they are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Days since 1970-01-01.
    pub day: i64,
    /// Seconds since midnight, if a time is named; of the day in Greenwich, where a zone is.
    pub second: Option<i64>,
}

impl Moment {
    /// Reads `2026-11-16`, `2026-11-16T08:30:00` and `08:30`, which is of the first day. Seconds may be left out, parts of them do not count, and
    /// `Z` or a zone like `+01:00` may follow.
    pub fn read(text: &str) -> Option<Moment> {
        let text = text.trim();
        let (date, time) = match text.split_once(['T', ' ']) {
            Some((date, time)) => (Some(date), Some(time)),
            None if text.contains(':') => (None, Some(text)),
            None => (Some(text), None),
        };
        let day = date.map_or(Some(0), day)?;
        let second = match time {
            Some(time) => Some(zoned(time)?),
            None => None,
        };
        Some(Moment { day, second })
    }

    /// As a whole number.
    pub fn number(self, in_seconds: bool) -> i64 {
        if in_seconds { self.day * DAY + self.second.unwrap_or(0) } else { self.day }
    }
}

fn digits(text: &str, least: usize, most: usize) -> Option<i64> {
    let fits = (least..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn day(text: &str) -> Option<i64> {
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut parts = rest.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (year, month, day) = (sign * digits(year, 4, 9)?, digits(month, 2, 2)?, digits(day, 2, 2)?);
    let fits = parts.next().is_none() && (1..=12).contains(&month) && (1..=length(year, month)).contains(&day);
    fits.then(|| days_before(year, month) + day - 1)
}

/// A time with its zone.
fn zoned(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    match text.split_once(['+', '-']) {
        None => second(text),
        Some((time, zone)) => {
            let east = if text.contains('+') { 1 } else { -1 };
            let (hours, minutes) = zone.split_once(':')?;
            let ahead = digits(hours, 2, 2)? * 3600 + digits(minutes, 2, 2)? * 60;
            Some(second(time)? - east * ahead)
        }
    }
}

fn second(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let (hour, minute) = (digits(parts.next()?, 2, 2)?, digits(parts.next()?, 2, 2)?);
    let second = parts.next().map_or(Some(0), |s| match s.split_once('.') {
        Some((whole, part)) => digits(part, 1, 18).and(digits(whole, 2, 2)),
        None => digits(s, 2, 2),
    })?;
    let fits = parts.next().is_none() && hour < 24 && minute < 60 && second < 60;
    fits.then_some(hour * 3600 + minute * 60 + second)
}

fn length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to the first of a month.
fn days_before(year: i64, month: i64) -> i64 {
    // Years that begin in March have their odd day at the end.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    y * 365 + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + (153 * m + 2) / 5 - 719_468
}

/// A whole number as [`Moment::read`] reads it; the number itself where no calendar reaches.
pub fn write(number: i64, in_seconds: bool) -> String {
    let (day, second) = if in_seconds { (number.div_euclid(DAY), number.rem_euclid(DAY)) } else { (number, 0) };
    const FAR: i64 = 300_000_000_000;
    if !(-FAR..=FAR).contains(&day) {
        return number.to_string();
    }
    // A year is at most a day shorter and a day longer than this guess says.
    let mut year = 1970 + day.div_euclid(366).max(day * 400 / 146_097 - 2);
    while days_before(year + 1, 1) <= day {
        year += 1;
    }
    while days_before(year, 1) > day {
        year -= 1;
    }
    let month = (1..=12).rev().find(|m| days_before(year, *m) <= day).unwrap_or(1);
    let date = format!("{year:04}-{month:02}-{:02}", day - days_before(year, month) + 1);
    match in_seconds {
        true => format!("{date}T{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60),
        false => date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (text, day) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-11-16", 20_773),
            ("1900-02-28", -25_509),
            ("1900-03-01", -25_508),
            ("0001-01-01", -719_162),
        ] {
            assert_eq!(Moment::read(text), Some(Moment { day, second: None }), "{text}");
            assert_eq!(write(day, false), text);
        }
        for wrong in
            ["", "2026-13-01", "2026-02-29", "1900-02-29", "2026-1-1", "26-01-01", "2026-01-01T24:00", "8:30", "x"]
        {
            assert_eq!(Moment::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut before = Moment::read("1599-12-31").unwrap().day;
        for year in 1600..=2401 {
            for month in 1..=12 {
                for day in 1..=length(year, month) {
                    let text = format!("{year:04}-{month:02}-{day:02}");
                    let now = Moment::read(&text).unwrap().day;
                    assert_eq!((now, write(now, false)), (before + 1, text));
                    before = now;
                }
            }
        }
        let at = Moment::read("2026-11-16T08:30").unwrap();
        assert_eq!(write(at.number(true), true), "2026-11-16T08:30:00");
        assert_eq!(Moment::read("08:30:05").map(|m| m.number(true)), Some(30_605));
        for (text, same) in [
            ("2026-11-16T08:30:00.999", "2026-11-16T08:30:00"),
            ("2026-11-16T00:30:00+01:00", "2026-11-15T23:30:00"),
            ("2026-11-16T20:30:00.5-05:30", "2026-11-17T02:00:00Z"),
        ] {
            let number = |text| Moment::read(text).map(|m| m.number(true));
            assert_eq!(number(text), number(same), "{text}");
            // As days, both count by what is written.
            assert_eq!(Moment::read(text).map(|m| m.day), Some(20_773), "{text}");
        }
        assert_eq!(Moment::read("2026-11-16T08:30:00.x"), None);
    }
}
