//! Diagnostics: what is wrong, where, and what would be right.

use super::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is taken, but the author should look.
    Warning,
}

/// One finding about the input.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Stable code with its long explanation.
    pub code: &'static Code,
    /// One line, lower case, names in single quotes.
    pub message: String,
    /// Where; `None` only when there is no place (a missing file named on the command line).
    pub span: Option<Span>,
    /// What to write under the caret.
    pub label: Option<String>,
    /// Further facts, one line each.
    pub notes: Vec<String>,
    /// What to do in this very case.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding with a place.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: Some(span), ..Diagnostic::placeless(code, message) }
    }

    /// A finding about something that has no place in a file.
    pub fn placeless(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into(), span: None, label: None, notes: Vec::new(), help: None }
    }

    /// Writes `text` under the caret.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = Some(text.into());
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Says which known names are nearest to `name` (nothing when none is near).
    pub fn nearest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        let near = nearest(name, known);
        if near.is_empty() { self } else { self.help(format!("did you mean {}?", near.join(" or "))) }
    }

    /// What to type instead: its own help, or what its code says; nothing where the caret's label says what is expected.
    pub fn instead(&self) -> Option<&str> {
        let labelled = self.label.as_ref().is_some_and(|l| l.starts_with("expected"));
        self.help.as_deref().or((!labelled).then_some(self.code.instead))
    }

    /// Error or warning, by its code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// Up to three known names near to `name`, best first, quoted.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let lower = name.to_lowercase();
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&lower, &k.to_lowercase()), k))
        .filter(|(d, k)| *d <= 1 + name.chars().count().max(k.chars().count()) / 3)
        .collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(3).map(|(_, k)| format!("'{k}'")).collect()
}

/// More findings of one severity than this are not kept: nobody reads them, and a hostile file could fill the memory with them.
const MOST_KEPT: usize = 10_000;

/// All findings of a run, in the order they were made.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    seen: std::collections::BTreeSet<(&'static str, Option<Span>, String)>,
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one; the same finding at the same place is kept once.
    pub fn push(&mut self, d: Diagnostic) {
        let error = d.severity() == Severity::Error;
        let kept = if error { self.errors } else { self.list.len() - self.errors };
        if kept < MOST_KEPT && self.seen.insert((d.code.id, d.span, d.message.clone())) {
            self.errors += usize::from(error);
            self.list.push(d);
        }
    }

    /// Keeps the findings that a judge of all of them keeps; errors stay.
    pub fn keep(&mut self, judge: impl FnOnce(&[Diagnostic]) -> Vec<bool>) {
        let kept = judge(&self.list);
        let mut kept = kept.into_iter().chain(std::iter::repeat(true));
        self.list.retain(|d| kept.next().unwrap_or(true) || d.severity() == Severity::Error);
    }

    /// Is there an error among them?
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// All, errors and warnings, sorted by place (those without a place first).
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut all: Vec<&Diagnostic> = self.list.iter().collect();
        all.sort_by_key(|d| d.span);
        all
    }

    /// All, as found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Number of findings.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Nothing found?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|d| d.severity() == severity).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::codes::{files, model};
    use super::*;

    #[test]
    fn a_flood_of_findings_hides_no_error() {
        let mut all = Diagnostics::new();
        let warning = model::ALL.iter().find(|c| c.severity() == Severity::Warning).expect("a warning");
        for n in 0..3 * MOST_KEPT {
            all.push(Diagnostic::placeless(warning, n.to_string()));
        }
        assert!(!all.has_errors());
        all.push(Diagnostic::placeless(&files::FILE_MISSING, "gone"));
        all.push(Diagnostic::placeless(&files::FILE_MISSING, "gone"));
        assert!(all.has_errors());
        assert_eq!((all.count(Severity::Error), all.count(Severity::Warning)), (1, MOST_KEPT));
    }
}
