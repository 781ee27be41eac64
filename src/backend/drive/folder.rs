//! A folder for one run of a checker: the model, the exact commands, the raw output.

use crate::source::shell_word;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often a folder is tried to be removed.
const FEW: u32 = 5;

/// A fresh folder, removed again when dropped unless it was asked to stay.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    keep: AtomicBool,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);
/// Folders that must not stay.
static PASSING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn passing() -> MutexGuard<'static, Vec<PathBuf>> {
    PASSING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunFolder {
    /// A new folder in `parent`, or among the system's temporary files.
    pub fn new(parent: Option<&Path>, label: &str) -> io::Result<RunFolder> {
        let parent = parent.map_or_else(std::env::temp_dir, Path::to_path_buf);
        std::fs::create_dir_all(&parent)?;
        let parent = parent.canonicalize()?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("gsmc-{}-{label}-{number}", std::process::id()));
            match private(&path) {
                Ok(()) => {
                    passing().push(path.clone());
                    return Ok(RunFolder { path, keep: AtomicBool::new(false) });
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        std::fs::write(self.file(name), text)
    }

    /// Lets it stay.
    pub fn keep(&self) -> &Path {
        self.keep.store(true, Ordering::Relaxed);
        passing().retain(|path| *path != self.path);
        &self.path
    }

    /// Removes all folders that nobody asked to stay: for a program that ends in the middle of its work.
    pub fn remove_all() {
        for path in std::mem::take(&mut *passing()) {
            // A checker that is still there may write another file meanwhile.
            let gone = || std::fs::remove_dir_all(&path).is_ok() || !path.exists();
            let _ = (0..FEW).any(|_| gone());
        }
    }

    /// Adds a command to `commands.txt`, quoted so that a shell could repeat it.
    pub fn note_command(&self, program: &Path, args: &[OsString]) -> io::Result<()> {
        let words = std::iter::once(program.as_os_str()).chain(args.iter().map(OsString::as_os_str));
        let line: Vec<String> = words.map(|w| shell_word(&w.to_string_lossy())).collect();
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(self.file("commands.txt"))?;
        writeln!(file, "{}", line.join(" "))
    }

    /// Bytes of the files in it.
    pub fn size(&self) -> u64 {
        size_of(&self.path)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        if !self.keep.load(Ordering::Relaxed) {
            let _ = std::fs::remove_dir_all(&self.path);
            passing().retain(|path| *path != self.path);
        }
    }
}

#[cfg(unix)]
fn private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|e| match e.metadata() {
        Ok(m) if m.is_dir() => size_of(&e.path()),
        Ok(m) => m.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_unless_kept() {
        let (gone, stays) = {
            let a = RunFolder::new(None, "a").unwrap();
            let b = RunFolder::new(None, "b").unwrap();
            a.write("x", "123").unwrap();
            assert_eq!(a.size(), 3);
            (a.path().to_path_buf(), b.keep().to_path_buf())
        };
        assert!(!gone.exists() && stays.exists());
        std::fs::remove_dir_all(stays).unwrap();
    }

    #[test]
    fn commands_are_quoted() {
        let folder = RunFolder::new(None, "quoted").unwrap();
        let words = ["a b", "$(x)'", "-DX=1", ""];
        folder.note_command(Path::new("/bin/it's"), &words.map(Into::into)).unwrap();
        let line = std::fs::read_to_string(folder.file("commands.txt")).unwrap();
        assert_eq!(line, r"'/bin/it'\''s' 'a b' '$(x)'\''' -DX=1 ''".to_string() + "\n");
    }
}
