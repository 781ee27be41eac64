//! Texts of strangers on a terminal: what a terminal or a reader's eye would take for more than a letter is written as its code.

use std::borrow::Cow;
use std::fmt::Write;

/// Would this character steer a terminal, reorder what stands around it, or end a line unseen? Line feed and tab do not count.
pub fn is_unprintable(c: char) -> bool {
    let direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let separator = matches!(c, '\u{2028}' | '\u{2029}');
    (c.is_control() && c != '\n' && c != '\t') || direction || separator
}

/// Text that can be shown: an escape becomes `\u{1b}`. Line feeds and tabs stay, and a line may end as in a file of Windows.
pub fn printable(text: &str) -> Cow<'_, str> {
    coded(text, is_unprintable)
}

/// The same for a name, which has no lines.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    coded(text, |c| c == '\n' || c == '\t' || is_unprintable(c))
}

fn coded(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '\r' && rest.peek() == Some(&'\n') && !bad('\n') {
            continue;
        }
        if bad(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// JSON with escapes for characters that are better not shown. They stand in strings only, so the value stays the same.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_unprintable) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        match is_unprintable(c) {
            // None of them lies beyond four digits.
            true => drop(write!(out, "\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_for_what_is_more_than_a_letter() {
        let text = "é\t1\r\n\u{1b}[31m\u{9b}2J\u{7f}\0\r\u{202e}\u{2066}\u{200f}\u{2028}\u{85}";
        let shown = "é\t1\n\\u{1b}[31m\\u{9b}2J\\u{7f}\\u{0}\\u{d}\\u{202e}\\u{2066}\\u{200f}\\u{2028}\\u{85}";
        assert_eq!(printable(text), shown);
        assert_eq!(on_one_line("a\r\nb\tc"), "a\\u{d}\\u{a}b\\u{9}c");
        assert!(matches!(printable("größe 'a' \u{1f600}"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "a\u{9b}": "\u{202e}\u{2028}\u{7f}\u{1b}\\ü" });
        let shown = printable_json(&value.to_string()).into_owned();
        assert!(!shown.contains(is_unprintable), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
