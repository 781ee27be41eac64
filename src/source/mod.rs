//! Files, places in them, and diagnostics for people.
//!
//! Everything a reader produces keeps a [`Span`]: a byte range in a file. Line and column are computed only when a
//! message is shown.

pub mod codes;
mod diag;
mod printable;
mod quiet;
mod read;
mod render;
mod shell;
mod write;

pub use codes::Code;
pub use diag::{Diagnostic, Diagnostics, Severity, nearest};
pub use printable::{is_unprintable, on_one_line, printable, printable_json};
pub use quiet::{is_quiet, quietly};
pub use read::{is_passed_on, open_file, open_input, read_text};
pub use render::{render, render_all};
pub use shell::shell_word;
pub use write::{write_own, write_whole};

/// A text with every line end written `\n`, as XML readers have it: lines are counted alike in files of any system.
pub fn plain_lines(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

/// A file known to [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The place of what nobody wrote.
    pub const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end.max(start) as u32 }
    }

    /// The smallest span that covers both; they should lie in one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file that was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown to people.
    pub name: String,
    /// Its whole text.
    pub text: String,
    line_starts: Vec<u32>,
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Takes a file in and names it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id given out by [`Sources::add`].
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The text under a span; empty when the span is not of these sources.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Line and column of the span's start, both from 1; the column counts characters.
    pub fn line_col(&self, span: Span) -> (usize, usize) {
        let Some(file) = self.file(span.file) else { return (0, 0) };
        let line = file.line_starts.partition_point(|&s| s <= span.start).max(1);
        let from = file.line_starts[line - 1] as usize;
        let upto = (span.start as usize).min(file.text.len());
        let col = file.text.get(from..upto).map_or(0, |t| t.chars().count());
        (line, col + 1)
    }

    /// `file:line:column` of a span's start.
    pub fn place(&self, span: Span) -> String {
        let (line, col) = self.line_col(span);
        let name = self.file(span.file).map_or("?", |f| f.name.as_str());
        format!("{name}:{line}:{col}")
    }
}
