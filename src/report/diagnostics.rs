//! Diagnostics for programs, as `gsmc.diagnostics/1`.

use crate::lang::config::COMMAND_LINE;
use crate::source::{Diagnostic, Diagnostics, Severity, Sources, Span};
use serde::Serialize;

/// The findings of a run that has no other result.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of this schema.
    pub schema: &'static str,
    /// Version of gsmc.
    pub gsmc: &'static str,
    /// How many are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// All of them, sorted by place.
    pub diagnostics: Vec<Finding>,
}

/// One finding. What has no place in a file, as a slip on the command line, has no file, line, column and end.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Its code; null where nothing in the files is wrong.
    pub code: Option<&'static str>,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// One line.
    pub message: String,
    /// The file, as it was named.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// Where the place ends: the character behind it.
    pub end: Option<Place>,
    /// What is said at the place.
    pub labels: Vec<String>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to type instead.
    pub help: Option<String>,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// Name of the schema.
pub const SCHEMA: &str = "gsmc.diagnostics/1";

impl Report {
    /// All findings about some files.
    pub fn of(diagnostics: &Diagnostics, sources: &Sources) -> Report {
        Report::new(findings(diagnostics, sources))
    }

    /// An error that is about no file.
    pub fn plain(message: &str, help: Option<&str>) -> Report {
        let (message, help) = (message.to_string(), help.map(str::to_string));
        Report::new(vec![Finding { message, help, ..Finding::nowhere(Severity::Error) }])
    }

    fn new(diagnostics: Vec<Finding>) -> Report {
        let count = |severity| diagnostics.iter().filter(|d| d.severity == word(severity)).count();
        Report {
            schema: SCHEMA,
            gsmc: env!("CARGO_PKG_VERSION"),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            diagnostics,
        }
    }
}

/// Findings, sorted by place.
pub fn findings(diagnostics: &Diagnostics, sources: &Sources) -> Vec<Finding> {
    diagnostics.sorted().into_iter().map(|d| Finding::of(d, sources)).collect()
}

impl Finding {
    fn nowhere(severity: Severity) -> Finding {
        Finding {
            code: None,
            severity: word(severity),
            message: String::new(),
            file: None,
            line: None,
            column: None,
            end: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    fn of(d: &Diagnostic, sources: &Sources) -> Finding {
        let at = |span: Span| {
            let (line, column) = sources.line_col(span);
            Place { line, column }
        };
        let file = |span: Span| sources.file(span.file).filter(|f| f.name != COMMAND_LINE);
        let place = d.span.and_then(|span| Some((file(span)?, at(span), at(Span { start: span.end, ..span }))));
        Finding {
            code: Some(d.code.id),
            message: d.message.clone(),
            file: place.map(|(file, ..)| file.name.clone()),
            line: place.map(|(_, start, _)| start.line),
            column: place.map(|(_, start, _)| start.column),
            end: place.map(|(.., end)| end),
            labels: d.label.iter().cloned().collect(),
            notes: d.notes.clone(),
            help: d.instead().map(str::to_string),
            ..Finding::nowhere(d.severity())
        }
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
