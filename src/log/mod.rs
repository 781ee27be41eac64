//! Recorded event logs: XES, tables, JSON lines, the emulator's pairs; each read in one pass, event by event.
//!
//! A reader gives [`Event`]s in the order of the file. What is wrong with one of them is told with its line, and reading goes on
//! where it can.

mod emulator;
mod input;
mod lines;
mod table;
#[cfg(test)]
mod tests;
mod time;
mod xes;

pub use emulator::Label;
pub use input::Log;
pub use time::{Moment, TimeFormat};

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// One recorded event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The case it belongs to.
    pub case: String,
    /// What happened.
    pub activity: String,
    /// When, where the log says so.
    pub time: Option<Moment>,
    /// Who did it.
    pub agent: Option<String>,
    /// Everything else, by name.
    pub attributes: BTreeMap<String, String>,
    /// Line in its file, from 1.
    pub line: u64,
    /// Where the log keeps the events of a case together: the number of that group in its file, from 1. Else 0.
    pub group: u64,
}

/// What can go wrong while a log is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: PathBuf,
    /// Line in it, from 1; `None` when it is about the file as a whole.
    pub line: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The case it concerns, where that is known: the others can still be judged.
    pub case: Option<String>,
    /// The log breaks off here: whatever is still open may have gone on.
    pub cut: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.case {
            Some(case) => write!(f, " (case '{case}' is not judged)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The IEEE standard, in XML.
    Xes,
    /// CSV or TSV with a header.
    Table,
    /// One JSON object a line.
    Lines,
    /// The E-GSM emulator's pairs of files.
    Emulator,
}

impl Format {
    /// Names on the command line.
    pub const NAMES: [(&'static str, Format); 5] = [
        ("xes", Format::Xes),
        ("csv", Format::Table),
        ("tsv", Format::Table),
        ("jsonl", Format::Lines),
        ("emulator", Format::Emulator),
    ];
}

/// Where the log keeps what; `None` means the usual names.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Format, if it should not be found from the content.
    pub format: Option<Format>,
    /// Column or attribute of the case.
    pub case: Option<String>,
    /// Of the activity.
    pub activity: Option<String>,
    /// Of the time.
    pub time: Option<String>,
    /// Of the agent.
    pub agent: Option<String>,
    /// How times are written.
    pub time_format: TimeFormat,
    /// The item whose status the emulator records.
    pub item: Option<String>,
    /// Counts the bytes that were read, for whoever waits.
    pub read: Option<Arc<AtomicU64>>,
}

/// What a log gives next.
pub type Next = Result<Event, Fault>;

/// Opens a log. For one file of the emulator's pair, both are read.
pub fn open(log: &Log, options: &Options) -> Result<Box<dyn Iterator<Item = Next>>, Fault> {
    let path = log.path();
    let (head, input) = head(log, options)?;
    match options.format.unwrap_or_else(|| sniff(path, &head)) {
        Format::Xes => Ok(Box::new(xes::Reader::new(path, input, options))),
        Format::Table => Ok(Box::new(table::Reader::new(path, input, &head, options)?)),
        Format::Lines => Ok(Box::new(lines::Reader::new(path, input, options))),
        Format::Emulator => Ok(Box::new(emulator::read(log, options)?.into_iter())),
    }
}

/// The beginning of a log, by which its format is known, and all of it.
fn head(log: &Log, options: &Options) -> Result<(String, Box<dyn BufRead>), Fault> {
    let path = log.path();
    let mut input = log.content(options.read.as_ref())?;
    let start = input.fill_buf().map_err(|e| unreadable(path, &e.to_string()))?;
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return Err(not_utf8(path, None, "utf-16"));
    }
    let head = String::from_utf8_lossy(&start[..start.len().min(4096)]).into_owned();
    if head.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(Fault { help: Some(READ.into()), ..whole(path, "the log is empty") });
    }
    if let Some((seen, help)) = no_log(start, &head) {
        return Err(Fault {
            help: Some(help.into()),
            ..whole(path, &format!("this is no log that can be read: it is {seen}"))
        });
    }
    Ok((head, input))
}

/// What looks like a log and is none, with what to do.
fn no_log(start: &[u8], head: &str) -> Option<(&'static str, &'static str)> {
    if start.starts_with(b"PK\x03\x04") {
        return Some(("a ZIP archive, as spreadsheets are", "save the sheet as CSV"));
    }
    if start.contains(&0) {
        return Some(("not a text", READ));
    }
    let list = head.trim_start_matches('\u{feff}').trim_start().strip_prefix('[');
    if list.is_some_and(|items| items.trim_start().starts_with('{')) {
        return Some(("one JSON list", "write an object a line: jq -c '.[]' LOG"));
    }
    None
}

/// What is wrong with a log that can be read and has no event: what was seen, and what would be one.
pub fn no_event(log: &Log, options: &Options) -> Fault {
    let path = log.path();
    let head = match head(log, options) {
        Ok((head, _)) => head,
        Err(fault) => return fault,
    };
    let first = head.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    let seen = match options.format.unwrap_or_else(|| sniff(path, &head)) {
        Format::Xes => "it is XES, and no <trace> in it has an <event>".to_string(),
        Format::Table => format!("it is a table with the header '{}', and has no row below", short(first)),
        Format::Lines => "it is read as JSON lines, and has no line".to_string(),
        Format::Emulator => "it is read as a file of the emulator, and has no row".to_string(),
    };
    Fault { help: Some(READ.into()), ..whole(path, &format!("the log has no case: {seen}")) }
}

/// What is read.
const READ: &str = "read are XES, CSV and TSV with a header, JSON with an object a line, and the emulator's pairs; --log-format says which";

/// So much of a line is shown.
const MOST_SHOWN: usize = 80;

fn short(line: &str) -> String {
    let shown = line.chars().map(|c| if c.is_control() { ' ' } else { c });
    let more = if line.chars().nth(MOST_SHOWN).is_some() { "…" } else { "" };
    shown.take(MOST_SHOWN).chain(more.chars()).collect()
}

/// One of the emulator's pairs of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The file that stands for both.
    pub file: PathBuf,
    /// What its name says of the case.
    pub label: Option<Label>,
    /// A longer name of its case, where another case has the same.
    pub case: String,
}

/// The pair that a log belongs to; its name alone does not say so.
pub fn pair(log: &Log, options: &Options) -> Option<Pair> {
    let path = log.path();
    if !options.format.map_or_else(|| emulator::is_named_so(path), |f| f == Format::Emulator) {
        return None;
    }
    let by_content = || {
        let mut input = log.content(None).ok()?;
        let start = input.fill_buf().ok()?;
        Some(sniff(path, &String::from_utf8_lossy(&start[..start.len().min(4096)])))
    };
    let format = options.format.or_else(by_content)?;
    let file = emulator::of_pair(path);
    let case = emulator::full_case_of(&file);
    (format == Format::Emulator).then(|| Pair { label: emulator::label_of(path), file, case })
}

/// The format by content, then by ending.
fn sniff(path: &Path, head: &str) -> Format {
    let start = head.trim_start_matches('\u{feff}').trim_start();
    let name = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
    let first = start.lines().next().unwrap_or_default();
    if start.starts_with('<') || name.ends_with(".xes") || name.ends_with(".xes.gz") {
        Format::Xes
    } else if start.starts_with('{') {
        Format::Lines
    } else if emulator::looks_like(first) {
        Format::Emulator
    } else {
        Format::Table
    }
}

/// A whole small log as text.
fn text_of(log: &Log) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    log.content(None)?.read_to_end(&mut bytes).map_err(|e| unreadable(log.path(), &e.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| not_utf8(log.path(), None, LATIN))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

fn unreadable(path: &Path, why: &str) -> Fault {
    whole(path, &format!("the log cannot be read: {why}"))
}

/// What a text that is not UTF-8 most often is.
const LATIN: &str = "latin1";

fn not_utf8(path: &Path, line: Option<u64>, but: &str) -> Fault {
    let help = Some(format!("convert it first: iconv -f {but} -t utf-8"));
    Fault { line, help, ..whole(path, "the text is not UTF-8") }
}

fn whole(path: &Path, message: &str) -> Fault {
    Fault { file: path.to_path_buf(), line: None, message: message.into(), help: None, case: None, cut: false }
}

/// A log whose cases are mixed breaks off.
fn breaks_off(fault: Fault) -> Fault {
    let message = format!("the log breaks off: {}", fault.message);
    let help = fault.help.unwrap_or_else(|| "cases that have not ended by then are told as incomplete".into());
    Fault { message, help: Some(help), cut: true, ..fault }
}

/// Usual names of the columns that every log has.
struct Usual;

impl Usual {
    const CASE: [&'static str; 6] = ["case", "case_id", "caseid", "case id", "case:concept:name", "trace"];
    const ACTIVITY: [&'static str; 5] = ["activity", "event", "concept:name", "event_name", "task"];
    const TIME: [&'static str; 5] = ["time", "timestamp", "time:timestamp", "date", "datetime"];
    const AGENT: [&'static str; 5] = ["agent", "resource", "org:resource", "user", "performer"];

    /// A name as usual ones are written: those are found whatever their case, where none was given instead.
    fn spelled(name: String, options: &Options) -> String {
        if !name.chars().any(char::is_uppercase) {
            return name;
        }
        let kinds = [
            (&options.case, &Usual::CASE[..]),
            (&options.activity, &Usual::ACTIVITY[..]),
            (&options.time, &Usual::TIME[..]),
            (&options.agent, &Usual::AGENT[..]),
        ];
        let small = name.to_lowercase();
        let is_usual = kinds.iter().any(|(given, usual)| given.is_none() && usual.contains(&small.as_str()));
        if is_usual { small } else { name }
    }

    /// The first of the names that a log has; the given one alone if there is one.
    fn find<'a>(given: Option<&'a String>, usual: &[&'static str], has: impl Fn(&str) -> bool) -> Option<&'a str> {
        match given {
            Some(name) => has(name).then_some(name.as_str()),
            None => usual.iter().copied().find(|n| has(n)),
        }
    }
}

/// An event from named values.
fn event(path: &Path, line: u64, mut values: BTreeMap<String, String>, options: &Options) -> Next {
    let mut take = |given: Option<&String>, usual: &[&'static str]| {
        let name = Usual::find(given, usual, |n| values.contains_key(n))?.to_string();
        values.remove(&name)
    };
    let case = take(options.case.as_ref(), &Usual::CASE);
    let activity = take(options.activity.as_ref(), &Usual::ACTIVITY);
    let time = take(options.time.as_ref(), &Usual::TIME);
    let agent = take(options.agent.as_ref(), &Usual::AGENT);
    let wrong = |message: String, case: Option<String>| Fault { line: Some(line), case, ..whole(path, &message) };
    let Some(case) = case else { return Err(wrong("this event names no case".into(), None)) };
    let Some(activity) = activity else { return Err(wrong("this event names no activity".into(), Some(case))) };
    let time = match time.map(|text| options.time_format.read(&text).ok_or(text)).transpose() {
        Ok(time) => time,
        Err(text) => {
            let fault = wrong(format!("'{text}' is not a time"), Some(case));
            return Err(Fault { help: Some("say how times are written with --time-format".into()), ..fault });
        }
    };
    Ok(Event { case, activity, time, agent, attributes: values, line, group: 0 })
}
