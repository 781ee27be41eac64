//! Writing results: to stdout, or to a file that appears whole or not at all.

use super::{BAD_INPUT, OK};
use crate::answer::Results;
use crate::machine::Valid;
use crate::report::sarif::Input;
use crate::source::{Diagnostics, Sources, write_whole};
use crate::trace::look::Look;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// May stderr be coloured? Only on a terminal, and not with `NO_COLOR`.
pub fn stderr_colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// May stdout be coloured?
pub fn stdout_colour() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// How results look on stdout: in colour and no wider than the window, if it is a terminal.
pub fn stdout_look() -> Look {
    let terminal = std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().map(|(w, _)| usize::from(w.0)).filter(|_| terminal);
    Look { colour: stdout_colour(), full: false, width: width.map(|w| w.max(40)) }
}

/// Something for the user beside the result.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Is there still somebody who reads stdout?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// As far as we know.
    Listens,
    /// It went away (`| head`): there is no point in going on, but nothing is wrong either.
    Gone,
}

/// The result, to stdout. When it cannot be written, that is said, and the exit code is returned.
pub fn print(text: &str) -> Result<Reader, u8> {
    print_now(text).and_then(|reader| if text.ends_with('\n') { Ok(reader) } else { print_now("\n") })
}

/// Something for stdout, at once and as it is.
pub fn print_now(bytes: impl AsRef<[u8]>) -> Result<Reader, u8> {
    let mut out = std::io::stdout().lock();
    told(out.write_all(bytes.as_ref()).and_then(|()| out.flush()), "the result")
}

/// What became of writing `what`: a reader that went away is no error, everything else is.
pub fn told(written: std::io::Result<()>, what: &str) -> Result<Reader, u8> {
    match written {
        Ok(()) => Ok(Reader::Listens),
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(e) => {
            say(&format!("error: cannot write {what}: {e}"));
            Err(BAD_INPUT)
        }
    }
}

/// Files that were read for a result, which no result may replace.
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Remembers what was read.
pub fn was_read<'p>(paths: impl IntoIterator<Item = &'p Path>) {
    if let Ok(mut read) = READ.lock() {
        read.extend(paths.into_iter().filter_map(|p| p.canonicalize().ok()).filter(|p| p.is_file()));
    }
}

fn refuse_to_replace(path: &Path) -> Result<(), u8> {
    let is_read = |path: &PathBuf| READ.lock().is_ok_and(|read| read.contains(path));
    if path.canonicalize().is_ok_and(|p| is_read(&p)) {
        say(&format!(
            "error: '{}' was read for this result and would be lost: write it somewhere else",
            path.display()
        ));
        return Err(BAD_INPUT);
    }
    Ok(())
}

/// A file, whole or not at all. When it cannot be written, that is said, and the exit code is returned.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<Reader, u8> {
    refuse_to_replace(path)?;
    told(write_whole(path, bytes.as_ref()), &format!("'{}'", path.display()))
}

/// The result to `-o FILE`, or to stdout, which is also `-` and `/dev/stdout`.
pub fn deliver(bytes: impl AsRef<[u8]>, file: Option<&Path>) -> Result<Reader, u8> {
    match file.filter(|f| *f != Path::new("-") && *f != Path::new("/dev/stdout")) {
        None => print_now(bytes),
        Some(path) => write_file(path, bytes),
    }
}

/// The exit code of a command that has nothing to do after its result.
pub fn done(written: Result<Reader, u8>) -> u8 {
    written.map_or_else(|code| code, |_| OK)
}

/// A value as JSON text.
pub fn json(value: &impl serde::Serialize) -> Result<String, u8> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|e| {
        say(&format!("error: the result cannot be written as JSON: {e}"));
        BAD_INPUT
    })
}

/// Findings and verdicts as SARIF, files named from the folder gsmc runs in.
pub fn sarif(sources: &Sources, diagnostics: &Diagnostics, checked: Option<(&Valid, &Results)>, exit: u8) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    crate::report::sarif::text(&Input { sources, diagnostics, checked, here: &here, exit })
}
