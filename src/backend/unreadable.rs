//! What the checkers print is read strictly: in `output.rs` of each tool.
//!
//! These are pure functions from text to verdicts and runs. A line counts only when all of it is as expected; every property sent must have
//! exactly one verdict; anything else is an error that says what was wrong, never a verdict by elimination.

/// Why a checker's output could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

#[cfg(test)]
/// Every beginning of a text that ends with a line, and every text with one line missing.
pub(crate) fn spoilt(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let cut = (0..lines.len()).map(|n| lines[..n].join("\n"));
    let missing = (0..lines.len()).map(|n| {
        let rest: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| *i != n).map(|(_, l)| *l).collect();
        rest.join("\n")
    });
    cut.chain(missing).collect()
}
