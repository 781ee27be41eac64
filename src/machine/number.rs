//! Exact numbers of any size, as people write them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero, pow};

/// An exact number.
pub type Ratio = num_rational::Ratio<BigInt>;

/// `2.5`, `-3`; `1/3` where a decimal would have no end.
pub fn write(n: &Ratio) -> String {
    let (mut denominator, mut places) = (n.denom().clone(), 0);
    // How often 2 and 5 divide it is how many places it takes; anything else has no end.
    for prime in [2u32, 5].map(BigInt::from) {
        let mut times = 0;
        while denominator.is_multiple_of(&prime) {
            denominator /= &prime;
            times += 1;
        }
        places = places.max(times);
    }
    if !denominator.is_one() {
        return n.to_string();
    }
    let digits = (n * Ratio::from_integer(pow(BigInt::from(10), places))).to_integer().abs().to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    let sign = if n.is_negative() { "-" } else { "" };
    if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// Most characters of a number that is read: larger ones are slips, and take long.
const LONGEST: usize = 10_000;

/// What [`write()`] writes, and decimals with signs, blanks around and places that are not needed.
pub fn read(text: &str) -> Option<Ratio> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { -1 } else { 1 }, rest),
        None => (1, text),
    };
    let all = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let natural = |t: &str| all(t).then(|| t.parse::<BigInt>().ok()).flatten();
    if text.len() > LONGEST {
        return None;
    }
    let number = match digits.split_once('/') {
        Some((a, b)) => {
            let (a, b) = (natural(a)?, natural(b)?);
            (!b.is_zero()).then(|| Ratio::new(a, b))?
        }
        None => {
            let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
            // `.5` is read; a text without digits before and without a point is none.
            let whole = if whole.is_empty() && digits.len() > 1 { "0" } else { whole };
            (all(whole) && all(part)).then_some(())?;
            Ratio::new(natural(&format!("{whole}{part}"))?, pow(BigInt::from(10), part.len()))
        }
    };
    Some(number * Ratio::from_integer(BigInt::from(sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_the_same() {
        let ratio = |a: i64, b: i64| Ratio::new(a.into(), b.into());
        for (n, text) in [
            (ratio(5, 2), "2.5"),
            (ratio(-1, 40), "-0.025"),
            (ratio(7, 1), "7"),
            (ratio(0, 1), "0"),
            (ratio(1, 3), "1/3"),
            (ratio(-22, 7), "-22/7"),
        ] {
            assert_eq!((write(&n).as_str(), read(text)), (text, Some(n)));
        }
        let large = format!("1{}.5", "0".repeat(40));
        assert_eq!(read(&large).map(|n| write(&n)), Some(large));
        assert_eq!(read(" +.50 "), Some(ratio(1, 2)));
        for wrong in ["", "-", ".", "1.", "1/0", "a", "1e3", "--1", "1.-5", "٣"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
