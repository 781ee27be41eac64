//! Text for Graphviz DOT.

use crate::source::is_unprintable;
use std::fmt::Write;

/// A text as a DOT string. ASCII stays, but for the three signs that mean something inside quotes; other letters become entities,
/// which Graphviz shows as what they are, and what should not be shown at all becomes its code, `<U+1B>`.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    text.chars().for_each(|c| put(&mut out, c));
    out + "\""
}

/// The same for lines below each other, aligned on the left.
pub fn lines(lines: &[String]) -> String {
    let mut out = String::from("\"");
    for line in lines {
        line.chars().for_each(|c| put(&mut out, c));
        out += "\\l";
    }
    out + "\""
}

fn put(out: &mut String, c: char) {
    let code = u32::from(c);
    let _ = match c {
        '\n' => write!(out, "\\n"),
        '"' | '\\' | '&' => write!(out, "&#{code};"),
        ' '..='~' => write!(out, "{c}"),
        c if is_unprintable(c) || c == '\t' => write!(out, "<U+{code:X}>"),
        _ => write!(out, "&#{code};"),
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_ends_a_string() {
        assert_eq!(super::string("a -> <b> 'c'"), "\"a -> <b> 'c'\"");
        assert_eq!(
            super::string("a\"\\];&lt;\né\u{202e}\u{1b}\0"),
            "\"a&#34;&#92;];&#38;lt;\\n&#233;<U+202E><U+1B><U+0>\""
        );
        assert_eq!(super::lines(&["a\"".into(), "b".into()]), "\"a&#34;\\lb\\l\"");
    }
}
