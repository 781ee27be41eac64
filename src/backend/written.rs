//! Models written out: whole, or with a reason why not.

use super::Answer;
use super::choice::TooMany;
use crate::answer::Verdict;

/// Stands in a model's text for what cannot be there; no name and no comment has it.
pub const IMPOSSIBLE: &str = "\0";

/// Why a model was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotWritten {
    /// The language, or its checker, cannot hold it.
    Unsupported(String),
    /// It would not mean what it should: a mistake in gsmc.
    Wrong(String),
}

impl NotWritten {
    /// A formula of this property that should have been refused before.
    pub fn formula(property: &str) -> NotWritten {
        NotWritten::Wrong(format!("a formula of {property} has no form in the exported model"))
    }

    /// As an answer to everything that the model was written for.
    pub fn answer(self) -> Answer {
        match self {
            NotWritten::Unsupported(why) => Answer::because(Verdict::Unsupported, why),
            NotWritten::Wrong(why) => Answer::because(Verdict::Error, why),
        }
    }
}

impl From<TooMany> for NotWritten {
    fn from(why: TooMany) -> NotWritten {
        NotWritten::Unsupported(why.to_string())
    }
}

impl std::fmt::Display for NotWritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotWritten::Unsupported(why) => f.write_str(why),
            NotWritten::Wrong(why) => write!(f, "{why}; please report this"),
        }
    }
}

impl std::error::Error for NotWritten {}

/// The text of a model, if nothing in it is impossible. Names and comments are made of printable ASCII, so whatever else is in it came
/// there by mistake.
pub fn written(rendered: askama::Result<String>) -> Result<String, NotWritten> {
    let text = rendered.map_err(|e| NotWritten::Wrong(format!("the exported model cannot be written: {e}")))?;
    let strange = |c: char| c != '\n' && !(' '..='~').contains(&c);
    match text.lines().find(|l| l.contains(strange)) {
        None => Ok(text),
        Some(line) => {
            let line = line.trim().replace(strange, "???");
            Err(NotWritten::Wrong(format!("the exported model would have a line without meaning: {line}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_with_a_hole_is_not_written() {
        assert_eq!(written(Ok("a := b;\n".into())), Ok("a := b;\n".into()));
        let hole = written(Ok(format!("a := b;\n  c := {IMPOSSIBLE};\n"))).unwrap_err();
        assert!(hole.to_string().contains("c := ???;"), "{hole}");
        assert_eq!(hole.answer().verdict, Verdict::Error);
        let foreign = written(Ok("a := \u{2028};\n".into())).unwrap_err();
        assert!(foreign.to_string().contains("a := ???;"), "{foreign}");
        let broken = written(Err(askama::Error::Fmt)).unwrap_err();
        assert_eq!(broken.answer().verdict, Verdict::Error);
        assert_eq!(NotWritten::from(TooMany).answer().verdict, Verdict::Unsupported);
    }
}
