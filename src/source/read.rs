//! Opening files that a stranger may have left: one that is no regular file could keep its reader waiting for ever.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Longest text that is read whole.
const LONGEST: u64 = 1 << 30;

/// Opens a regular file. Pipes, devices, sockets and folders are refused.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Looked at before it is opened, since opening a device may do something, and after, since it may have been another file before.
    regular(std::fs::metadata(path)?.file_type())?;
    let file = not_waiting().open(path)?;
    regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// The same, or what the shell has opened for us: `/dev/stdin`, and `<(…)`, which is called `/dev/fd/63`.
pub fn open_input(path: &Path) -> io::Result<File> {
    match is_passed_on(path) {
        true => File::open(path),
        false => open_file(path),
    }
}

/// Is this the name of something that is open already?
pub fn is_passed_on(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

/// The whole text of what [`open_input`] opens.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_input(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    match text.len() as u64 > LONGEST {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 GiB")),
        false => Ok(text),
    }
}

fn regular(kind: FileType) -> io::Result<()> {
    match kind.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {}, not a file", word(kind)))),
    }
}

#[cfg(unix)]
fn word(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn word(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "something else" }
}

/// Opening a pipe would wait for a writer.
#[cfg(unix)]
fn not_waiting() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    options
}

#[cfg(not(unix))]
fn not_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (name, kind) in
            [("pipe", "a named pipe"), ("socket", "a socket"), ("", "a folder"), ("/dev/zero", "a device")]
        {
            std::os::unix::fs::symlink(at(name), at("link")).unwrap();
            for path in [at(name), at("link")] {
                let why = read_text(&path).unwrap_err().to_string();
                assert_eq!(why, format!("it is {kind}, not a file"));
            }
            std::fs::remove_file(at("link")).unwrap();
        }
        assert_eq!(read_text(&at("file")).unwrap(), "text");
        assert!(read_text(&at("nowhere")).is_err());
    }
}
