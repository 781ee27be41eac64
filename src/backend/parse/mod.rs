//! What the checkers print, read strictly.
//!
//! Pure functions from text to verdicts and runs. A line counts only when all of it is as expected; every property sent must have
//! exactly one verdict; anything else is an error that says what was wrong, never a verdict by elimination.

pub mod mcmas;
pub mod nusmv;
pub mod spin;

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
mod tests;
