//! Texts of the model inside comments of generated files.

use std::fmt::{self, Display, Formatter, Write};

/// A text in a comment of a generated file: one line that no target language takes for the end of the comment.
///
/// Only [`Comment::of`] makes one, and the templates take nothing else for texts of the model, so none of them reaches a generated
/// file as it is. It keeps what is on a list and harmless in the comments of all three languages (`/* … */` of Promela, `-- …` of
/// SMV and ISPL); everything else is written as its code, `<U+2028>`. The name map has the texts as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment(String);

/// Signs that end, begin or continue nothing in any comment.
const SIGNS: &str = " _.,:;()[]{}=<>!&|+-'\"";
/// Signs that are harmless unless they are neighbours: `*/` ends a comment, `/*` looks like the start of one, `??/` is a backslash to
/// a C preprocessor.
const LONELY: &str = "*/?";

impl Comment {
    /// A text as it may stand in a comment.
    pub fn of(text: &str) -> Comment {
        let mut out = String::with_capacity(text.len());
        let (mut before, mut rest) = (None, text.chars().peekable());
        while let Some(c) = rest.next() {
            let lonely = |neighbour: Option<&char>| neighbour.is_none_or(|n| !LONELY.contains(*n));
            let harmless = c.is_ascii_alphanumeric()
                || SIGNS.contains(c)
                || (LONELY.contains(c) && lonely(before.as_ref()) && lonely(rest.peek()));
            if harmless {
                out.push(c);
            } else {
                let _ = write!(out, "<U+{:X}>", u32::from(c));
            }
            before = Some(c);
        }
        Comment(out)
    }

    /// Is there nothing to say?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Display for Comment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        Comment::of(text).to_string()
    }

    #[test]
    fn ordinary_formulas_read_as_they_are() {
        for text in [
            "AG (x.Approved -> y == 'a')",
            "p: <<Clerk, Boss>> F forall x : Leave (x.n * 2 / 3 >= \"it's\" && !x[1]._b)",
            "EF exists x : T (x.a != 0 <-> x.b); {1, 2}?",
        ] {
            assert_eq!(of(text), text);
        }
    }

    #[test]
    fn what_could_end_a_comment_is_a_code() {
        assert_eq!(of("a*/b"), "a<U+2A><U+2F>b");
        assert_eq!(of("a*\\b"), "a*<U+5C>b");
        assert_eq!(of("/**"), "<U+2F><U+2A><U+2A>");
        assert_eq!(of("??/ ? x"), "<U+3F><U+3F><U+2F> ? x");
        assert_eq!(
            of("a\r\nb\u{2028}\u{85}\u{1b}\0#`$é"),
            "a<U+D><U+A>b<U+2028><U+85><U+1B><U+0><U+23><U+60><U+24><U+E9>"
        );
    }

    /// Every text of up to four signs of those that matter: what comes out is printable ASCII on one line without a dangerous pair.
    #[test]
    fn no_neighbours_make_something_new() {
        let signs = ['*', '/', '\\', '?', '\n', '-', 'a'];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            texts = texts.iter().flat_map(|t| signs.iter().map(move |c| format!("{t}{c}"))).collect();
            for text in &texts {
                let made = of(text);
                assert!(made.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b'\\'), "{made}");
                assert!(["*/", "/*", "//", "??"].iter().all(|pair| !made.contains(pair)), "{text:?}: {made}");
            }
        }
    }
}
