//! Numbers with a fraction, as they are written.

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

    /// The product; `None` if it has too many digits.
    pub fn times(self, other: Decimal) -> Option<Decimal> {
        let product = Decimal { digits: self.digits.checked_mul(other.digits)?, places: self.places + other.places };
        Some(product.short()).filter(|d| d.places as usize <= MOST_PLACES)
    }

    /// Without places that say nothing: equal numbers are written in one way.
    fn short(self) -> Decimal {
        let mut d = self;
        while d.places > 0 && d.digits % 10 == 0 {
            d = Decimal { digits: d.digits / 10, places: d.places - 1 };
        }
        d
    }

    /// Without its fraction, as models with bounds take it.
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
}
