//! Places: files as relative, percent-encoded addresses, spans as regions that count from 1.

use crate::lang::config::COMMAND_LINE;
use crate::source::{FileId, Sources, Span};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// The files of a log.
pub struct Places<'a> {
    sources: &'a Sources,
    here: &'a Path,
    used: Vec<FileId>,
}

impl<'a> Places<'a> {
    pub fn new(sources: &'a Sources, here: &'a Path) -> Places<'a> {
        Places { sources, here, used: Vec::new() }
    }

    /// A span as a physical location; `None` for the command line, which is no file.
    pub fn physical(&mut self, span: Span) -> Option<Value> {
        let file = self.sources.file(span.file).filter(|f| f.name != COMMAND_LINE)?;
        let index = self.used.iter().position(|f| *f == span.file).unwrap_or_else(|| {
            self.used.push(span.file);
            self.used.len() - 1
        });
        let (line, column) = self.sources.line_col(span);
        let (last_line, last_column) = self.sources.line_col(Span { start: span.end, ..span });
        Some(json!({
            "artifactLocation": { "uri": address(Path::new(&file.name), self.here), "index": index },
            "region": { "startLine": line, "startColumn": column, "endLine": last_line, "endColumn": last_column },
        }))
    }

    /// The files that were pointed at, in the order of their indices.
    pub fn artifacts(&self) -> Vec<Value> {
        let files = self.used.iter().filter_map(|id| self.sources.file(*id));
        files.map(|f| json!({ "location": { "uri": address(Path::new(&f.name), self.here) } })).collect()
    }
}

/// A file's address: relative to `here` where it lies below it, a `file:` address otherwise.
pub fn address(file: &Path, here: &Path) -> String {
    let whole = normal(&here.join(file));
    match whole.strip_prefix(normal(here)) {
        Ok(below) => encoded(below),
        Err(_) => format!("file:///{}", encoded(&whole)),
    }
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

/// The parts of a path, joined by `/`, everything but unreserved characters percent-encoded.
fn encoded(path: &Path) -> String {
    let part = |p: Component| match p {
        Component::Normal(name) => Some(encode(&name.to_string_lossy())),
        _ => None,
    };
    path.components().filter_map(part).collect::<Vec<_>>().join("/")
}

fn encode(name: &str) -> String {
    let mut out = String::new();
    for b in name.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(b)),
            _ => {
                let _ = write!(out, "%{b:02X}");
            }
        }
    }
    out
}
