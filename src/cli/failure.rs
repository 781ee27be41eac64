//! Why a command has no result: for people on stderr and, where the result would have been one for programs, for those in its place.

use super::BAD_INPUT;
use super::output::{Inputs, Reader, json, sarif, say};
use super::project::{Refused, tell};
use crate::report::diagnostics::Report;
use crate::source::{Diagnostic, Diagnostics, Sources};
use std::path::Path;

/// Why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// What is wrong with the input.
    Input(Box<Refused>),
    /// Something that has no place in a file, with what to do and the exit code.
    Plain(String, Option<String>, u8),
    /// A result that could not be written, which has been said; the exit code.
    Told(u8),
}

/// In what form a result was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people, and formats that have no place for it: stdout stays empty.
    Text,
    /// `gsmc.diagnostics/1`
    Json,
    /// SARIF, which has findings about files alone.
    Sarif,
}

impl From<Box<Refused>> for Failure {
    fn from(refused: Box<Refused>) -> Failure {
        Failure::Input(refused)
    }
}

impl From<u8> for Failure {
    fn from(code: u8) -> Failure {
        Failure::Told(code)
    }
}

impl Failure {
    /// Findings about files that were read.
    pub fn of(diagnostics: Diagnostics, sources: &Sources) -> Failure {
        Failure::Input(Box::new(Refused { sources: sources.clone(), diagnostics }))
    }

    /// One of them.
    pub fn one(diagnostic: Diagnostic, sources: &Sources) -> Failure {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        Failure::of(diagnostics, sources)
    }

    /// An input error that has no place in a file.
    pub fn plain(message: impl Into<String>) -> Failure {
        Failure::Plain(message.into(), None, BAD_INPUT)
    }

    /// Says it on stderr; the exit code.
    pub fn tell(&self) -> u8 {
        match self {
            Failure::Input(refused) => tell(refused),
            Failure::Plain(message, help, code) => {
                let help = help.iter().map(|h| format!("\n  = help: {h}")).collect::<String>();
                say(&format!("error: {message}{help}"));
                *code
            }
            Failure::Told(code) => *code,
        }
    }

    /// Says it on stderr and, in the form of the result, where that would have gone; the exit code, and whether somebody still reads.
    pub fn report(&self, form: Form, output: Option<&Path>) -> (u8, Reader) {
        let code = self.tell();
        let (inputs, text) = match (self, form) {
            (Failure::Told(_), _) | (_, Form::Text) | (Failure::Plain(..), Form::Sarif) => {
                return (code, Reader::Listens);
            }
            (Failure::Input(r), Form::Json) => (Inputs::of(&r.sources), json(&Report::of(&r.diagnostics, &r.sources))),
            (Failure::Input(r), Form::Sarif) => {
                (Inputs::of(&r.sources), Ok(sarif(&r.sources, &r.diagnostics, None, code)))
            }
            (Failure::Plain(message, help, _), Form::Json) => {
                (Inputs::default(), json(&Report::plain(message, help.as_deref())))
            }
        };
        match text.and_then(|text| inputs.deliver(text, output)) {
            Ok(reader) => (code, reader),
            Err(failed) => (failed, Reader::Listens),
        }
    }
}
