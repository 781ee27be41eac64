//! XES, streamed: traces with their events; lists and containers are skipped, document types refused.

use super::{Event, Fault, LATIN, Next, Options, event, not_utf8, whole};
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
    /// The attribute of traces that names them, if it is not the usual one.
    named: Option<String>,
    buffer: Vec<u8>,
    /// Open elements that matter: `trace`, `event`.
    trace: Option<Trace>,
    current: Option<(BTreeMap<String, String>, u64)>,
    /// Elements inside a list or container, or inside an attribute.
    skipped: usize,
    depth: usize,
    traces: usize,
    lines: u64,
    /// The root has been seen.
    begun: bool,
    over: bool,
}

/// A trace that is being read.
#[derive(Default)]
struct Trace {
    /// By key.
    attributes: BTreeMap<String, String>,
    /// Something of it cannot be read: it is not judged.
    broken: bool,
}

/// A deeper file is not a log.
const MOST_DEPTH: usize = 64;

/// The key of names.
const NAME: &str = "concept:name";

/// Events have the attributes of their trace with this in front.
const OF_TRACE: &str = "case:";

impl Reader {
    /// From an input.
    pub fn new(path: &Path, input: Box<dyn BufRead>, options: &Options) -> Reader {
        let mut xml = Xml::from_reader(input);
        xml.config_mut().check_end_names = true;
        let or = |given: &Option<String>, usual: &str| Some(given.clone().unwrap_or_else(|| usual.into()));
        let named = options.case.as_ref().map(|key| format!("{OF_TRACE}{}", key.trim_start_matches(OF_TRACE)));
        let options = Options {
            case: Some(format!("{OF_TRACE}{NAME}")),
            activity: or(&options.activity, NAME),
            time: or(&options.time, "time:timestamp"),
            agent: or(&options.agent, "org:resource"),
            ..options.clone()
        };
        Reader {
            path: path.into(),
            xml,
            options,
            named,
            buffer: Vec::new(),
            trace: None,
            current: None,
            skipped: 0,
            depth: 0,
            traces: 0,
            lines: 1,
            begun: false,
            over: false,
        }
    }

    fn fail(&mut self, message: &str) -> Option<Next> {
        self.over = true;
        Some(Err(Fault { line: Some(self.lines), case: self.case(), ..whole(&self.path, message) }))
    }

    /// What the trace is called: by the attribute that was asked for, its name, or its number.
    fn case(&self) -> Option<String> {
        let attributes = &self.trace.as_ref()?.attributes;
        let asked = self.named.as_ref().and_then(|key| attributes.get(key));
        let name = asked.or_else(|| attributes.get(self.options.case.as_ref()?));
        Some(name.cloned().unwrap_or_else(|| self.number()))
    }

    fn number(&self) -> String {
        format!("trace {}", self.traces)
    }

    /// An attribute that cannot be read: its trace is not judged, the others are.
    fn skip(&mut self, fault: Fault) -> Option<Next> {
        let case = self.case();
        let known = self.trace.as_mut().is_some_and(|t| std::mem::replace(&mut t.broken, true));
        (!known).then_some(Err(Fault { case, ..fault }))
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
                self.trace = Some(Trace::default());
            }
            b"event" if !empty => self.current = Some((BTreeMap::new(), self.lines)),
            b"trace" | b"event" => {}
            _ => {
                // An attribute may hold attributes of its own; they are not ours.
                self.skipped += usize::from(!empty);
                let (key, value) = self.attribute(tag)?;
                if let (Some(key), Some(value)) = (key, value) {
                    match (&mut self.current, &mut self.trace) {
                        (Some((values, _)), _) => drop(values.insert(key, value)),
                        (None, Some(t)) => drop(t.attributes.insert(format!("{OF_TRACE}{key}"), value)),
                        (None, None) => {}
                    }
                }
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
                return Err(not_utf8(&self.path, Some(self.lines), LATIN));
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
                let case = self.case().unwrap_or_else(|| self.number());
                if let Some(trace) = &self.trace {
                    if trace.broken {
                        return None;
                    }
                    values.extend(trace.attributes.iter().map(|(k, v)| (k.clone(), v.clone())));
                }
                values.insert(format!("{OF_TRACE}{NAME}"), case);
                let group = self.traces as u64;
                return Some(event(&self.path, line, values, &self.options).map(|e| Event { group, ..e }));
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
                Ok(Piece::Start(tag) | Piece::Empty(tag)) if self.depth == 0 && tag.local_name().as_ref() != b"log" => {
                    let root = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
                    self.fail(&format!("this is not XES: it begins with <{root}>, not with <log>"))
                }
                Ok(Piece::Empty(_)) if self.depth == 0 => {
                    self.begun = true;
                    None
                }
                Ok(Piece::Start(tag)) => {
                    self.begun = true;
                    self.depth += 1;
                    match self.start(&tag, false) {
                        Ok(()) if self.depth > MOST_DEPTH => self.fail("elements are nested too deeply"),
                        Ok(()) => None,
                        Err(fault) => self.skip(fault),
                    }
                }
                Ok(Piece::Empty(tag)) => match self.start(&tag, true) {
                    Ok(()) => None,
                    Err(fault) => self.skip(fault),
                },
                Ok(Piece::End(tag)) => {
                    self.depth = self.depth.saturating_sub(1);
                    self.end(tag.local_name().as_ref())
                }
                Ok(Piece::Eof) if self.depth > 0 => self.fail("the log breaks off: an element is not closed"),
                Ok(Piece::Eof) if !self.begun => self.fail("this is not XES: there is no <log>"),
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
