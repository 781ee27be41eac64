//! A process between us and a checker, so that the checker never outlives us.
//!
//! Limits and Ctrl-C are our own business, but nobody can act after a signal that cannot be caught. So `gsmc` starts itself once more
//! in the checker's process group. The guard's standard input is a pipe that we hold open and never write to: when it ends, we are
//! gone, and the guard ends its whole group.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};

/// The hidden word that makes `gsmc` a guard.
pub const WORD: &str = "__guard";

/// Runs a program until it ends or the one who asked for it does; the program's exit code, 128 and more for signals.
pub fn stand(mut words: impl Iterator<Item = OsString>) -> io::Result<u8> {
    let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(program).args(words).stdin(Stdio::null()).spawn()?;
    std::thread::spawn(|| {
        let _ = io::stdin().read(&mut [0]);
        end_own_group();
    });
    child.wait().map(code)
}

fn code(status: ExitStatus) -> u8 {
    match status.code() {
        Some(code) => u8::try_from(code & 0xff).unwrap_or(u8::MAX),
        None => 128 + signal(status),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    status.signal().and_then(|s| u8::try_from(s).ok()).unwrap_or(0) & 0x7f
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> u8 {
    0
}

#[cfg(unix)]
fn end_own_group() {
    use rustix::process::{Signal, getpgrp, getpid, kill_process_group};
    // Only in a group of our own: never end somebody else's processes.
    if getpgrp() == getpid() {
        let _ = kill_process_group(getpgrp(), Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_own_group() {
    std::process::exit(1);
}
