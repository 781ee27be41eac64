//! Where the bytes of a log come from: files, and what can be read only once.

use super::{Fault, unreadable};
use crate::source::{is_passed_on, open_file, open_input};
use flate2::bufread::MultiGzDecoder;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A log by its name. Standard input (`-`) and pipes are kept in a file of our own, because logs are read more than once: cases whose
/// times go back, and those that a page shows.
#[derive(Clone, Debug)]
pub struct Log {
    path: PathBuf,
    /// For what can be read only once: its copy, from the first reading on.
    copy: Option<Arc<Mutex<Option<File>>>>,
}

impl From<PathBuf> for Log {
    fn from(path: PathBuf) -> Log {
        let once = is_stdin(&path) || is_passed_on(&path);
        Log { copy: once.then(Arc::default), path }
    }
}

impl Log {
    /// What it is called in messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes there are to read, where that is known before.
    pub fn size(&self) -> Option<u64> {
        self.path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len())
    }

    /// Its content from the beginning, unpacked where it is gzip; `read` counts the bytes as they lie there.
    pub(super) fn content(&self, read: Option<&Arc<AtomicU64>>) -> Result<Box<dyn BufRead>, Fault> {
        let refused = |e: io::Error| unreadable(&self.path, &e.to_string());
        let file = self.file().map_err(refused)?;
        let (taken, told) = (Arc::<AtomicU64>::default(), read.cloned());
        let mut input = BufReader::with_capacity(1 << 16, Counted { file, read: [Some(taken.clone()), told] });
        let packed = input.fill_buf().map_err(refused)?.starts_with(&[0x1f, 0x8b]);
        Ok(match packed {
            true => lines(Unpacked { input: MultiGzDecoder::new(input), taken, given: 0 }),
            false => lines(input),
        })
    }

    fn file(&self) -> io::Result<File> {
        let Some(copy) = &self.copy else { return open_file(&self.path) };
        let mut copy = copy.lock().map_err(|_| io::Error::other("its copy is lost"))?;
        if copy.is_none() {
            *copy = Some(match is_stdin(&self.path) {
                true => copied(&mut io::stdin().lock())?,
                false => copied(&mut open_input(&self.path)?)?,
            });
        }
        let mut file = copy.as_ref().ok_or(io::ErrorKind::NotFound)?.try_clone()?;
        file.rewind()?;
        Ok(file)
    }
}

fn lines(input: impl Read + 'static) -> Box<dyn BufRead> {
    Box::new(BufReader::with_capacity(1 << 16, PlainLines { input, returned: false }))
}

/// Writes every line end `\n`, so that all formats count lines alike. (The reader of tables would count a line end of two characters
/// with the row behind it, which puts every row one line too high.)
struct PlainLines<R> {
    input: R,
    /// Was the last byte read a carriage return?
    returned: bool,
}

impl<R: Read> Read for PlainLines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.input.read(into)?;
            let read = into.get_mut(..n).unwrap_or_default();
            let kept = self.plain(read);
            if kept > 0 || n == 0 {
                return Ok(kept);
            }
        }
    }
}

impl<R> PlainLines<R> {
    /// Moves what is kept to the front, and says how much that is.
    fn plain(&mut self, bytes: &mut [u8]) -> usize {
        if !self.returned && !bytes.contains(&b'\r') {
            return bytes.len();
        }
        let mut kept = 0;
        for at in 0..bytes.len() {
            let byte = bytes[at];
            let second = byte == b'\n' && self.returned;
            self.returned = byte == b'\r';
            if !second {
                bytes[kept] = if self.returned { b'\n' } else { byte };
                kept += 1;
            }
        }
        kept
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// A file without a name that has the same content.
fn copied(input: &mut dyn Read) -> io::Result<File> {
    // What is no text is not copied to its end, which may never come.
    let mut start = Vec::new();
    input.take(4096).read_to_end(&mut start)?;
    let is_text = start.starts_with(&[0x1f, 0x8b]) || start.starts_with(&[0xff, 0xfe]) || !start.contains(&0);
    if !is_text {
        return Err(io::Error::other("it is not a text"));
    }
    for number in 0.. {
        let path = std::env::temp_dir().join(format!("gsmc-{}-log-{number}", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
            Ok(mut file) => {
                std::fs::remove_file(&path)?;
                file.write_all(&start)?;
                io::copy(input, &mut file)?;
                file.flush()?;
                return Ok(file);
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A log that has more than this is not packed a hundredfold: events differ.
const MOST_UNPACKED: u64 = 256 << 20;
const MOST_RATIO: u64 = 100;

/// What was packed; a few bytes that become gigabytes are refused.
struct Unpacked<R> {
    input: R,
    /// Bytes before.
    taken: Arc<AtomicU64>,
    /// Bytes after.
    given: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(into)?;
        self.given += n as u64;
        let most = self.taken.load(Ordering::Relaxed).saturating_mul(MOST_RATIO).max(MOST_UNPACKED);
        match self.given > most {
            true => Err(io::Error::other("a hundred times its size came out of it: this is no log")),
            false => Ok(n),
        }
    }
}

/// Counts what is read, for all who want to know.
struct Counted {
    file: File,
    read: [Option<Arc<AtomicU64>>; 2],
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(into)?;
        for read in self.read.iter().flatten() {
            read.fetch_add(n as u64, Ordering::Relaxed);
        }
        Ok(n)
    }
}
