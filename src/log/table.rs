//! CSV and TSV: a header, then an event a row.

use super::{Event, Fault, LATIN, Next, Options, Usual, breaks_off, event, not_utf8, whole};
use csv::{ByteRecord, ReaderBuilder};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Reads rows.
pub(super) struct Reader {
    path: PathBuf,
    rows: csv::Reader<Box<dyn BufRead>>,
    names: Vec<String>,
    options: Options,
    row: ByteRecord,
    /// The line behind it.
    behind: u64,
    /// The row after that, where one had to look.
    ahead: Option<(ByteRecord, u64)>,
    over: bool,
}

impl Reader {
    /// The header decides the separator; columns for case and activity must exist.
    pub fn new(path: &Path, input: Box<dyn BufRead>, head: &str, options: &Options) -> Result<Reader, Fault> {
        let first = head.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
        let mut rows = ReaderBuilder::new().delimiter(separator(first)).flexible(true).from_reader(input);
        let header = rows.byte_headers().map_err(|e| whole(path, &format!("the header cannot be read: {e}")))?;
        let mut names = Vec::new();
        for name in header {
            let name = std::str::from_utf8(name).map_err(|_| not_utf8(path, Some(1), LATIN))?;
            names.push(name.trim_start_matches('\u{feff}').trim().to_string());
        }
        names.iter_mut().for_each(|n| *n = Usual::spelled(std::mem::take(n), options));
        // Without times or agents a log can be judged, unless somebody says where they are.
        for (given, usual, what, needed) in [
            (&options.case, &Usual::CASE[..], "case", true),
            (&options.activity, &Usual::ACTIVITY[..], "activity", true),
            (&options.time, &Usual::TIME[..], "time", false),
            (&options.agent, &Usual::AGENT[..], "agent", false),
        ] {
            let wanted = needed || given.is_some();
            if wanted && Usual::find(given.as_ref(), usual, |n| names.iter().any(|m| m == n)).is_none() {
                let wanted = given.clone().unwrap_or_else(|| usual.join(", "));
                let fault = whole(path, &format!("no column for the {what}: looked for {wanted}"));
                let help = format!("write {what} = \"COLUMN\" under [replay]; the columns are {}", names.join(", "));
                return Err(Fault { line: Some(1), help: Some(help), ..fault });
            }
        }
        let (path, options) = (path.into(), options.clone());
        Ok(Reader { path, rows, names, options, row: ByteRecord::new(), behind: 1, ahead: None, over: false })
    }

    /// The case of a row that is damaged elsewhere: it is not judged, the others are.
    fn case(&self) -> Option<String> {
        let has = |n: &str| self.names.iter().any(|m| m == n);
        let name = Usual::find(self.options.case.as_ref(), &Usual::CASE, has)?;
        let at = self.names.iter().position(|n| n == name)?;
        // Where a row ends too early, its last value may be cut as well.
        let whole = self.row.len() >= self.names.len() || at + 1 < self.row.len();
        let value = self.row.get(at).filter(|_| whole)?;
        std::str::from_utf8(value).ok().filter(|text| !text.is_empty()).map(str::to_string)
    }

    fn one(&mut self) -> Result<Event, Fault> {
        let line = self.line();
        if self.row.len() != self.names.len() {
            let message = format!("{} columns where the header has {}", self.row.len(), self.names.len());
            return Err(Fault { line: Some(line), case: self.case(), ..whole(&self.path, &message) });
        }
        let mut values = BTreeMap::new();
        for (name, value) in self.names.iter().zip(&self.row) {
            let value = std::str::from_utf8(value);
            let value = value.map_err(|_| Fault { case: self.case(), ..not_utf8(&self.path, Some(line), LATIN) })?;
            if !value.is_empty() {
                values.insert(name.clone(), value.to_string());
            }
        }
        event(&self.path, line, values, &self.options)
    }
}

impl Iterator for Reader {
    type Item = Next;

    fn next(&mut self) -> Option<Next> {
        if self.over {
            return None;
        }
        match self.next_row() {
            Ok(true) => {
                let short = self.row.len() < self.names.len();
                Some(self.one().map_err(|fault| if short && self.is_last() { breaks_off(fault) } else { fault }))
            }
            Ok(false) => None,
            Err(e) => {
                self.over = true;
                let line = e.position().map(csv::Position::line);
                Some(Err(breaks_off(Fault { line, ..whole(&self.path, &e.to_string()) })))
            }
        }
    }
}

impl Reader {
    fn next_row(&mut self) -> csv::Result<bool> {
        match self.ahead.take() {
            Some((row, behind)) => (self.row, self.behind) = (row, behind),
            None => {
                let more = self.rows.read_byte_record(&mut self.row)?;
                self.behind = self.rows.position().line();
                return Ok(more);
            }
        }
        Ok(true)
    }

    /// Where the row starts: empty lines before it are counted to it, so one looks from its end.
    fn line(&self) -> u64 {
        let first = self.row.position().map_or(0, csv::Position::line);
        let ends = self.row.as_slice().iter().filter(|b| **b == b'\n').count() as u64;
        first.max(self.behind.saturating_sub(ends + 1))
    }

    /// Does no row follow?
    fn is_last(&mut self) -> bool {
        let mut row = ByteRecord::new();
        match self.rows.read_byte_record(&mut row) {
            Ok(true) => self.ahead = Some((row, self.rows.position().line())),
            Ok(false) | Err(_) => self.over = true,
        }
        self.over
    }
}

/// The one of `,` `;` tab that the header has most of outside quotes.
fn separator(header: &str) -> u8 {
    let bare: Vec<&str> = header.split('"').step_by(2).collect();
    let count = |c: u8| bare.iter().flat_map(|part| part.bytes()).filter(|b| *b == c).count();
    [b',', b';', b'\t'].into_iter().rev().max_by_key(|c| count(*c)).unwrap_or(b',')
}
