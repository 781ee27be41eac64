//! XES, streamed: traces with their events; lists and containers are skipped, document types refused.

use super::{Event, Fault, Next, Options, event, not_utf8, whole};
use quick_xml::Reader as Xml;
use quick_xml::events::{BytesStart, Event as Piece};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Reads events.
pub(super) struct Reader {
    path: PathBuf,
    xml: Xml<Box<dyn BufRead>>,
    options: Options,
    buffer: Vec<u8>,
    /// Open elements that matter: `trace`, `event`.
    trace: Option<BTreeMap<String, String>>,
    current: Option<(BTreeMap<String, String>, u64)>,
    /// Elements inside a list or container, or inside an attribute.
    skipped: usize,
    depth: usize,
    traces: usize,
    lines: u64,
    over: bool,
}

/// A deeper file is not a log.
const MOST_DEPTH: usize = 64;

impl Reader {
    /// From an input.
    pub fn new(path: &Path, input: Box<dyn BufRead>, options: &Options) -> Reader {
        let mut xml = Xml::from_reader(input);
        xml.config_mut().check_end_names = true;
        Reader {
            path: path.into(),
            xml,
            options: options.clone(),
            buffer: Vec::new(),
            trace: None,
            current: None,
            skipped: 0,
            depth: 0,
            traces: 0,
            lines: 1,
            over: false,
        }
    }

    fn fail(&mut self, message: &str) -> Option<Next> {
        self.over = true;
        let case = self.trace.as_ref().and_then(|t| t.get("concept:name")).cloned();
        Some(Err(Fault { line: Some(self.lines), case, ..whole(&self.path, message) }))
    }

    /// An element begins. `Some` is what a whole (empty) element gives.
    fn start(&mut self, tag: &BytesStart, empty: bool) -> Result<(), Fault> {
        if self.skipped > 0 {
            self.skipped += usize::from(!empty);
            return Ok(());
        }
        match tag.local_name().as_ref() {
            b"log" | b"extension" | b"global" | b"classifier" | b"list" | b"container" | b"values" => {
                let inside = tag.local_name().as_ref() != b"log";
                self.skipped += usize::from(inside && !empty);
            }
            b"trace" if !empty => {
                self.traces += 1;
                self.trace = Some(BTreeMap::new());
            }
            b"event" if !empty => self.current = Some((BTreeMap::new(), self.lines)),
            b"trace" | b"event" => {}
            _ => {
                let (key, value) = self.attribute(tag)?;
                if let (Some(key), Some(value)) = (key, value) {
                    match (&mut self.current, &mut self.trace) {
                        (Some((values, _)), _) => drop(values.insert(key, value)),
                        (None, Some(values)) => drop(values.insert(key, value)),
                        (None, None) => {}
                    }
                }
                // An attribute may hold attributes of its own; they are not ours.
                self.skipped += usize::from(!empty);
            }
        }
        Ok(())
    }

    fn attribute(&self, tag: &BytesStart) -> Result<(Option<String>, Option<String>), Fault> {
        let (mut key, mut value) = (None, None);
        for attribute in tag.attributes() {
            let wrong = |why: String| Fault { line: Some(self.lines), ..whole(&self.path, &why) };
            let attribute = attribute.map_err(|e| wrong(format!("an attribute cannot be read: {e}")))?;
            let which = match attribute.key.as_ref() {
                b"key" => &mut key,
                b"value" => &mut value,
                _ => continue,
            };
            if std::str::from_utf8(&attribute.value).is_err() {
                return Err(not_utf8(&self.path, Some(self.lines)));
            }
            let text = attribute.unescape_value().map_err(|e| wrong(format!("an attribute cannot be read: {e}")))?;
            *which = Some(text.into_owned());
        }
        Ok((key, value))
    }

    /// An element ends; an event is then complete.
    fn end(&mut self, name: &[u8]) -> Option<Next> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return None;
        }
        match name {
            b"trace" => self.trace = None,
            b"event" => {
                let (mut values, line) = self.current.take()?;
                let case = self.trace.as_ref().and_then(|t| t.get("concept:name").cloned());
                let unnamed = || format!("trace {}", self.traces);
                values.insert("case:concept:name".into(), case.unwrap_or_else(unnamed));
                let options = Options {
                    case: Some("case:concept:name".into()),
                    activity: Some(self.options.activity.clone().unwrap_or_else(|| "concept:name".into())),
                    time: Some(self.options.time.clone().unwrap_or_else(|| "time:timestamp".into())),
                    agent: Some(self.options.agent.clone().unwrap_or_else(|| "org:resource".into())),
                    ..self.options.clone()
                };
                let group = self.traces as u64;
                return Some(event(&self.path, line, values, &options).map(|e| Event { group, ..e }));
            }
            _ => {}
        }
        None
    }
}

impl Iterator for Reader {
    type Item = Next;

    fn next(&mut self) -> Option<Next> {
        while !self.over {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            let piece = self.xml.read_event_into(&mut buffer);
            if let Ok(piece) = &piece {
                self.lines += piece.iter().filter(|b| **b == b'\n').count() as u64;
            }
            let found = match piece {
                Err(e) => self.fail(&format!("the log breaks off or is not XML: {e}")),
                Ok(Piece::DocType(_)) => self.fail("document types are refused: they can hide files and bombs"),
                Ok(Piece::Start(tag)) => {
                    self.depth += 1;
                    match self.start(&tag, false) {
                        Ok(()) if self.depth > MOST_DEPTH => self.fail("elements are nested too deeply"),
                        Ok(()) => None,
                        Err(fault) => self.fail_with(fault),
                    }
                }
                Ok(Piece::Empty(tag)) => match self.start(&tag, true) {
                    Ok(()) => None,
                    Err(fault) => self.fail_with(fault),
                },
                Ok(Piece::End(tag)) => {
                    self.depth = self.depth.saturating_sub(1);
                    self.end(tag.local_name().as_ref())
                }
                Ok(Piece::Eof) if self.depth > 0 => self.fail("the log breaks off: an element is not closed"),
                Ok(Piece::Eof) => {
                    self.over = true;
                    None
                }
                Ok(_) => None,
            };
            self.buffer = buffer;
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

impl Reader {
    fn fail_with(&mut self, fault: Fault) -> Option<Next> {
        self.over = true;
        Some(Err(fault))
    }
}
