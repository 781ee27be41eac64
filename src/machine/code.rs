//! Codes of exact values: what a snapshot holds where data has no bounds.
//!
//! A whole number is its own code, as everywhere. The codes below `FIRST`, which no model counts down to, stand for the rest: decimals with a few
//! places are written into the code, all other numbers and all texts are entries of a book that everybody shares. Equal values have equal codes;
//! their order is not that of the codes, so that numbers are compared and computed with here.

use super::number::Ratio;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, pow};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, RwLock};

/// The first code that is the number itself. No range begins below it.
pub const FIRST: i64 = i64::MIN + (1 << 62);
/// Codes below that come in blocks: the book, then decimals with one place, with two, …
const BLOCK: i64 = 1 << 59;
/// Most places of a decimal that needs no entry.
const PLACES: i64 = 7;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Entry {
    Number(Ratio),
    Text(String),
}

#[derive(Default)]
struct Book {
    entries: Vec<Entry>,
    codes: FxHashMap<Entry, i64>,
}

static BOOK: LazyLock<RwLock<Book>> = LazyLock::new(RwLock::default);

/// Is a code the number itself?
pub const fn is_plain(code: i64) -> bool {
    code >= FIRST
}

/// The code of a whole number.
pub fn of_int(n: i64) -> i64 {
    if is_plain(n) { n } else { entered(Entry::Number(Ratio::from_integer(n.into()))) }
}

/// The code of a number.
pub fn of(n: &Ratio) -> i64 {
    let plain = if n.is_integer() { n.to_integer().to_i64().filter(|n| is_plain(*n)) } else { decimal(n) };
    plain.unwrap_or_else(|| entered(Entry::Number(n.clone())))
}

/// The code of a text that has no number of its own.
pub fn of_text(text: &str) -> i64 {
    entered(Entry::Text(text.into()))
}

/// The number of a code; a text is none.
pub fn number(code: i64) -> Ratio {
    if is_plain(code) {
        return Ratio::from_integer(code.into());
    }
    let (places, rest) = (code.wrapping_sub(i64::MIN) / BLOCK, code.wrapping_sub(i64::MIN) % BLOCK);
    if places > 0 {
        return Ratio::new((rest - BLOCK / 2).into(), pow(BigInt::from(10), places as usize));
    }
    match entry(code) {
        Some(Entry::Number(n)) => n,
        _ => Ratio::from_integer(code.into()),
    }
}

/// The text of a code, if it is one.
pub fn text(code: i64) -> Option<String> {
    match entry(code) {
        Some(Entry::Text(text)) => Some(text),
        _ => None,
    }
}

/// A decimal with few places as a code: its digits, in the block of its places.
fn decimal(n: &Ratio) -> Option<i64> {
    let places = (1..=PLACES).find(|p| pow(BigInt::from(10), *p as usize).is_multiple_of(n.denom()))?;
    let digits = (n * Ratio::from_integer(pow(BigInt::from(10), places as usize))).to_integer().to_i64()?;
    let fits = digits.unsigned_abs() < (BLOCK / 2) as u64;
    fits.then(|| i64::MIN + places * BLOCK + BLOCK / 2 + digits)
}

/// A book that somebody left in the middle of writing is as good as before: entries are never changed.
fn entered(new: Entry) -> i64 {
    let known = |book: &Book| book.codes.get(&new).copied();
    if let Some(code) = known(&BOOK.read().unwrap_or_else(|e| e.into_inner())) {
        return code;
    }
    let mut book = BOOK.write().unwrap_or_else(|e| e.into_inner());
    known(&book).unwrap_or_else(|| {
        let code = i64::MIN + book.entries.len() as i64;
        book.entries.push(new.clone());
        book.codes.insert(new.clone(), code);
        code
    })
}

fn entry(code: i64) -> Option<Entry> {
    let at = usize::try_from(code.wrapping_sub(i64::MIN)).ok()?;
    BOOK.read().unwrap_or_else(|e| e.into_inner()).entries.get(at).cloned()
}

#[cfg(test)]
mod tests {
    use super::super::number::{read, write};
    use super::*;
    use crate::machine::{ArithOp, CompareOp, Domain};

    /// The first entry of the book has it.
    #[test]
    fn the_least_code_can_be_shown() {
        let names = Domain::Text { words: vec!["Ann".into()] };
        assert_eq!(names.show(1), "Ann");
        assert_ne!(names.show(i64::MIN), "Ann");
    }

    #[test]
    fn codes_say_the_number() {
        let large = "9".repeat(40);
        let texts = ["0", "-3", "12345.67", "-0.0000001", "0.00000001", "1/3", "9223372036854775807", large.as_str()];
        for text in texts.into_iter().chain(["-9223372036854775808", "288230376151711743.5", "1000000000000"]) {
            let n = read(text).unwrap();
            assert_eq!(write(&number(of(&n))), text);
            assert_eq!(of(&n), of(&read(text).unwrap()));
        }
        assert_eq!(of(&read("12.50").unwrap()), of(&read("12.5").unwrap()));
        assert_eq!(text(of_text("a")).as_deref(), Some("a"));
        assert!(of_text("a") != of_text("b") && of_text("a") == of_text("a"));
    }

    /// Operations on codes are those on numbers, whatever the codes.
    #[test]
    fn computing_with_codes() {
        let texts = ["0", "1", "-2", "7", "0.5", "-12.75", "1/3", "4611686018427387904", "-4611686018427387904"];
        let far = ["9223372036854775807", "-9223372036854775808", "123456789012345678901234567890", "0.00000001"];
        let all: Vec<Ratio> = texts.into_iter().chain(far).map(|t| read(t).unwrap()).collect();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            for op in [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge] {
                assert_eq!(op.of_codes(of(a), of(b)), op.holds(a, b), "{a} {op:?} {b}");
            }
            for op in [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Over] {
                assert_eq!(number(op.of_codes(of(a), of(b))), op.of_numbers(a, b), "{a} {op:?} {b}");
            }
            let (lo, hi) = (-5, 6);
            let within = Domain::Int { lo, hi }.nearest(of(a));
            let (least, most) = (Ratio::from_integer(lo.into()), Ratio::from_integer(hi.into()));
            assert_eq!(number(within), a.clone().clamp(least, most));
        }
        assert_eq!(Domain::Int { lo: 0, hi: i64::MAX }.nearest(of(&all[5])), 0);
        assert_eq!(Domain::Int { lo: 0, hi: i64::MAX }.nearest(of(&all[11])), of(&all[11]));
    }
}
