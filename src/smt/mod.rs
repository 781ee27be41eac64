//! Questions to an SMT solver, as SMT-LIB 2 over a pipe.
//!
//! [`Term`] is what can be said, [`Solver`] one solver process, [`Oracle`] what the rest of gsmc asks: one solver, or two whose
//! answers are compared. A solver is never believed more than necessary: a model that comes with `sat` is evaluated here, `unknown`
//! stays `unknown`, and a solver that is late, dies or talks nonsense is an error, never an answer.

mod oracle;
mod process;
mod ready;
mod sexpr;
mod term;
#[cfg(test)]
mod tests;
mod tool;

pub use oracle::{Oracle, Recipe, Which};
pub use process::{Limits, Solver};
pub use ready::Ready;
pub use term::{Ratio, Sort, Symbol, Term, Value};
pub use tool::{Health, SolverKind, doctor, find, how_to_get};

/// What a solver says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sat {
    /// There is a model.
    Yes,
    /// There is none.
    No,
    /// It cannot tell, or not in time.
    Unknown,
}

impl Sat {
    /// As solvers say it.
    pub const fn word(self) -> &'static str {
        match self {
            Sat::Yes => "sat",
            Sat::No => "unsat",
            Sat::Unknown => "unknown",
        }
    }
}

/// Why a solver gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtError {
    /// There is no such solver here, or not one we know.
    Missing(String),
    /// It did not start, ended early, or said something that is no answer.
    Broken(String),
    /// It did not answer in time.
    Late(String),
    /// It said that there is a model, and the model is none; or two solvers contradict each other. Carries the question.
    Wrong(String),
    /// Somebody pressed Ctrl-C.
    Cancelled,
    /// More is possible than can be listed.
    TooMuch(String),
}

impl std::fmt::Display for SmtError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SmtError::Missing(why) | SmtError::Broken(why) | SmtError::Late(why) => f.write_str(why),
            SmtError::Wrong(why) | SmtError::TooMuch(why) => f.write_str(why),
            SmtError::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for SmtError {}
