//! Numbers with a fraction, as they are written.

use crate::machine::number::Ratio;
use std::cmp::Ordering;
use std::fmt;

/// Most places after the point: more do not fit beside a few digits before it.
const MOST_PLACES: usize = 15;

/// `digits / 10^places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: i64,
    places: u32,
}

impl Decimal {
    /// 0.
    pub const ZERO: Decimal = Decimal { digits: 0, places: 0 };

    /// Reads `2.5`, `-.25`, `3`; `None` if it is no number, or has too many digits.
    pub fn read(text: &str) -> Option<Decimal> {
        let (head, tail) = text.split_once('.').unwrap_or((text, ""));
        let unsigned = head.strip_prefix(['-', '+']).unwrap_or(head);
        let all = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        // Places that say nothing take no room.
        let kept = tail.trim_end_matches('0');
        if !all(unsigned) || !all(tail) || unsigned.len() + tail.len() == 0 || kept.len() > MOST_PLACES {
            return None;
        }
        let sign = if head.starts_with('-') { "-" } else { "" };
        let digits = format!("{sign}{unsigned}{kept}");
        let digits = if digits == sign { "0".to_string() } else { digits };
        Some(Decimal { digits: digits.parse().ok()?, places: u32::try_from(kept.len()).ok()? })
    }

    /// So many parts, of which 1 has a power of ten.
    pub fn of_parts(digits: i64, parts: i64) -> Decimal {
        Decimal { digits, places: parts.max(1).ilog10() }.short()
    }

    /// The sum; `None` if it has too many digits.
    pub fn plus(self, other: Decimal) -> Option<Decimal> {
        let parts = self.parts().max(other.parts());
        let digits = self.in_parts(parts)?.checked_add(other.in_parts(parts)?)?;
        Some(Decimal { digits, places: self.places.max(other.places) }.short())
    }

    /// The difference; `None` if it has too many digits.
    pub fn minus(self, other: Decimal) -> Option<Decimal> {
        self.plus(Decimal { digits: other.digits.checked_neg()?, ..other })
    }

    /// The product; `None` if it has too many digits.
    pub fn times(self, other: Decimal) -> Option<Decimal> {
        let product = Decimal { digits: self.digits.checked_mul(other.digits)?, places: self.places + other.places };
        Some(product.short()).filter(|d| d.places as usize <= MOST_PLACES)
    }

    /// The quotient, 0 by zero; `None` if it has no end, or too many digits.
    pub fn over(self, other: Decimal) -> Option<Decimal> {
        let (mut rest, by) =
            (i128::from(self.digits) * i128::from(other.parts()), i128::from(other.digits) * i128::from(self.parts()));
        for places in 0..=MOST_PLACES {
            if rest.checked_rem(by).is_none_or(|rest| rest == 0) {
                let digits = i64::try_from(rest.checked_div(by).unwrap_or(0)).ok()?;
                return Some(Decimal { digits, places: u32::try_from(places).ok()? }.short());
            }
            rest = rest.checked_mul(10)?;
        }
        None
    }

    /// The largest whole number that is not above it.
    pub fn floor(self) -> i64 {
        self.digits.div_euclid(self.parts())
    }

    /// The smallest whole number that is not below it.
    pub fn ceil(self) -> i64 {
        self.floor().saturating_add(i64::from(self.digits.rem_euclid(self.parts()) > 0))
    }

    /// Without places that say nothing: equal numbers are written in one way.
    fn short(self) -> Decimal {
        let mut d = self;
        while d.places > 0 && d.digits % 10 == 0 {
            d = Decimal { digits: d.digits / 10, places: d.places - 1 };
        }
        d
    }

    /// As an exact number.
    pub fn number(self) -> Ratio {
        Ratio::new(self.digits.into(), self.parts().into())
    }

    /// As short as it can be written: `2.5`, `3`.
    pub fn text(self) -> String {
        if self.places == 0 { self.digits.to_string() } else { self.to_string() }
    }

    /// Without its fraction.
    pub fn whole(self) -> i64 {
        self.digits / 10i64.pow(self.places)
    }

    /// How many parts make 1, so that this is a whole number of them.
    pub fn parts(self) -> i64 {
        10i64.pow(self.places)
    }

    /// How many parts it is, if 1 has so many; `None` if that is no whole number, or too large.
    pub fn in_parts(self, parts: i64) -> Option<i64> {
        let each = parts / self.parts();
        (parts % self.parts() == 0).then(|| self.digits.checked_mul(each)).flatten()
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let scaled = |d: &Decimal, by: &Decimal| i128::from(d.digits) * i128::from(by.parts());
        scaled(self, other).cmp(&scaled(other, self))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Decimal {
    fn from(digits: i64) -> Decimal {
        Decimal { digits, places: 0 }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (one, sign) = (self.parts().unsigned_abs(), if self.digits < 0 { "-" } else { "" });
        let (whole, part) = (self.digits.unsigned_abs() / one, self.digits.unsigned_abs() % one);
        match self.places {
            0 => write!(f, "{sign}{whole}.0"),
            places => write!(f, "{sign}{whole}.{part:0places$}", places = places as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_as_they_stand() {
        for (text, shown, whole, hundredths) in [
            ("2.5", "2.5", 2, Some(250)),
            ("-2.50", "-2.5", -2, Some(-250)),
            (".25", "0.25", 0, Some(25)),
            ("-.5", "-0.5", 0, Some(-50)),
            ("+3", "3.0", 3, Some(300)),
            ("-3.", "-3.0", -3, Some(-300)),
            ("0.001", "0.001", 0, None),
        ] {
            let d = Decimal::read(text).unwrap();
            assert_eq!((d.to_string().as_str(), d.whole(), d.in_parts(100)), (shown, whole, hundredths), "{text}");
        }
        for wrong in ["", ".", "-", "a.5", "1e3", "1.5.2", "0.1234567890123456", "99999999999999999999"] {
            assert_eq!(Decimal::read(wrong), None, "{wrong}");
        }
        assert_eq!(Decimal::read("9000000000000000000").and_then(|d| d.in_parts(10)), None);
    }

    #[test]
    fn quotients_and_the_whole_numbers_around() {
        let d = |text: &str| Decimal::read(text).unwrap();
        for (a, b, quotient) in [
            ("5", "2", Some("2.5")),
            ("1", "3", None),
            ("0.3", "0.15", Some("2")),
            ("-1", "8", Some("-0.125")),
            ("7", "0", Some("0")),
        ] {
            assert_eq!(d(a).over(d(b)), quotient.map(d), "{a} / {b}");
        }
        for (text, floor, ceil) in [("2.5", 2, 3), ("-2.5", -3, -2), ("3.0", 3, 3), ("-0.1", -1, 0)] {
            assert_eq!((d(text).floor(), d(text).ceil()), (floor, ceil), "{text}");
        }
    }
}
