//! Writing results: to stdout, or to a file that appears whole or not at all.
//!
//! Texts of a model or a log may hold anything, also what steers a terminal. Whatever is written for people passes [`say`], [`print`] or
//! [`print_now`], which show such characters by their codes; text with gsmc's own colours is made printable where it is made
//! ([`crate::report::human`], [`crate::compare`], [`crate::source::render`]).

use super::{BAD_INPUT, OK};
use crate::answer::Results;
use crate::machine::Valid;
use crate::report::sarif::Input;
use crate::source::{Diagnostics, Sources, printable, printable_json, render_all, shell_word, write_own, write_whole};
use crate::trace::look::Look;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

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
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// Findings, with their own colours.
pub fn say_findings(diagnostics: &Diagnostics, sources: &Sources) {
    let text = render_all(diagnostics, sources, stderr_colour());
    if !text.is_empty() {
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// Is there still somebody who reads stdout?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// As far as we know.
    Listens,
    /// It went away (`| head`): there is no point in going on, but nothing is wrong either.
    Gone,
}

/// The result for people, to stdout. When it cannot be written, that is said, and the exit code is returned.
pub fn print(text: &str) -> Result<Reader, u8> {
    print_now(text).and_then(|reader| if text.ends_with('\n') { Ok(reader) } else { print_now("\n") })
}

/// Something for people on stdout, at once.
pub fn print_now(text: impl AsRef<str>) -> Result<Reader, u8> {
    print_raw(printable(text.as_ref()).as_bytes())
}

/// Something for stdout, at once and as it is: a format of its own, or text that was made printable with its colours.
pub fn print_raw(bytes: impl AsRef<[u8]>) -> Result<Reader, u8> {
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

/// Files that a result is made from, which it may not replace.
#[derive(Debug, Default)]
pub struct Inputs(BTreeSet<PathBuf>);

impl Inputs {
    /// The files of a model.
    pub fn of(sources: &Sources) -> Inputs {
        Inputs::default().and(sources.files().map(|f| Path::new(&f.name)))
    }

    /// Others beside them.
    pub fn and<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Inputs {
        self.0.extend(paths.into_iter().filter_map(|p| p.as_ref().canonicalize().ok()).filter(|p| p.is_file()));
        self
    }

    /// Is one of them in this folder?
    pub fn lie_in(&self, folder: &Path) -> bool {
        folder.canonicalize().is_ok_and(|folder| self.0.iter().any(|file| file.parent() == Some(&folder)))
    }

    /// A file, whole or not at all. When it cannot be written, that is said, and the exit code is returned.
    pub fn write_file(&self, path: &Path, bytes: impl AsRef<[u8]>) -> Result<Reader, u8> {
        self.spared(path)?;
        write_file(path, bytes)
    }

    /// The same under a name that nobody typed: a link that lies there is replaced.
    pub fn write_own(&self, path: &Path, bytes: impl AsRef<[u8]>) -> Result<Reader, u8> {
        if !path.is_symlink() {
            self.spared(path)?;
        }
        told(write_own(path, bytes.as_ref()), &format!("'{}'", path.display()))
    }

    fn spared(&self, path: &Path) -> Result<(), u8> {
        if path.canonicalize().is_ok_and(|p| self.0.contains(&p)) {
            let path = path.display();
            say(&format!("error: '{path}' was read for this result and would be lost: write it somewhere else"));
            return Err(BAD_INPUT);
        }
        Ok(())
    }

    /// The result to `-o FILE`, or to stdout, which is also `-` and `/dev/stdout`.
    pub fn deliver(&self, bytes: impl AsRef<[u8]>, file: Option<&Path>) -> Result<Reader, u8> {
        match file.filter(|f| !is_stdout(f)) {
            None => print_raw(bytes),
            Some(path) => self.write_file(path, bytes),
        }
    }
}

fn is_stdout(file: &Path) -> bool {
    file == Path::new("-") || file == Path::new("/dev/stdout")
}

/// Can there be such a file? What would only come out when everything is done is said before it begins.
pub fn ready(file: Option<&Path>) -> Result<(), u8> {
    let Some(path) = file.filter(|f| !is_stdout(f)) else { return Ok(()) };
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let why = if path.is_dir() {
        format!("it is a folder; name a file in it, as {}", path.join("FILE").display())
    } else if !folder.exists() {
        let there = folder.display();
        format!("there is no folder '{there}'; make it: mkdir -p {}", shell_word(&folder.to_string_lossy()))
    } else if !folder.is_dir() {
        format!("'{}' is no folder", folder.display())
    } else {
        return Ok(());
    };
    say(&format!("error: cannot write '{}': {why}", path.display()));
    Err(BAD_INPUT)
}

/// A file that nothing was read from but itself, whole or not at all.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<Reader, u8> {
    told(write_whole(path, bytes.as_ref()), &format!("'{}'", path.display()))
}

/// The exit code of a command that has nothing to do after its result.
pub fn done(written: Result<Reader, u8>) -> u8 {
    written.map_or_else(|code| code, |_| OK)
}

/// A value as JSON text, with escapes for what should not reach a terminal.
pub fn json(value: &impl serde::Serialize) -> Result<String, u8> {
    serde_json::to_string_pretty(value).map(|text| printable_json(&text).into_owned() + "\n").map_err(|e| {
        say(&format!("error: the result cannot be written as JSON: {e}"));
        BAD_INPUT
    })
}

/// Findings and verdicts as SARIF, files named from the folder gsmc runs in.
pub fn sarif(sources: &Sources, diagnostics: &Diagnostics, checked: Option<(&Valid, &Results)>, exit: u8) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    printable_json(&crate::report::sarif::text(&Input { sources, diagnostics, checked, here: &here, exit }))
        .into_owned()
}
