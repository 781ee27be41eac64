//! Writing results: to stdout, or to a file that appears whole or not at all.

use super::{BAD_INPUT, OK};
use crate::answer::Results;
use crate::machine::Valid;
use crate::report::sarif::Input;
use crate::source::{Diagnostics, Sources};
use crate::trace::look::Look;
use std::io::{IsTerminal, Write};
use std::path::Path;

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

/// The result. A reader that went away (`| head`) is no error.
pub fn print(text: &str) -> u8 {
    let mut out = std::io::stdout().lock();
    let _ =
        out.write_all(text.as_bytes()).and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") });
    let _ = out.flush();
    OK
}

/// Something for the terminal, at once and as it is.
pub fn print_now(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The result into a file: written aside, then renamed.
pub fn write_file(path: &Path, text: &str) -> std::io::Result<()> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let aside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = std::fs::write(&aside, text).and_then(|()| std::fs::rename(&aside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&aside);
    }
    written
}

/// The result to `-o FILE`, or to stdout.
pub fn deliver(text: &str, file: Option<&Path>) -> u8 {
    match file {
        None => print(text),
        Some(path) => match write_file(path, text) {
            Ok(()) => OK,
            Err(e) => {
                say(&format!("error: cannot write '{}': {e}", path.display()));
                BAD_INPUT
            }
        },
    }
}

/// Findings and verdicts as SARIF, files named from the folder gsmc runs in.
pub fn sarif(sources: &Sources, diagnostics: &Diagnostics, checked: Option<(&Valid, &Results)>, exit: u8) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    crate::report::sarif::text(&Input { sources, diagnostics, checked, here: &here, exit })
}
