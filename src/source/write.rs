//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Links that are followed one after the other, as the system does.
const MOST_LINKS: usize = 40;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Writes a file: aside, then renamed, so that nobody ever sees half of it and a full disk leaves what was there. Links are
/// followed. What is no regular file (a pipe, a device) is not replaced but written to.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = follow(path)?;
    match fs::metadata(&target) {
        Ok(there) if !there.is_file() || is_of_the_system(&target) => write_through(&target, bytes),
        Ok(there) => replace(&target, bytes, Some(there.permissions())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => replace(&target, bytes, None),
        Err(e) => Err(e),
    }
}

/// Where a chain of links leads, whether something is there or not. Links below `/dev` and `/proc` are the system's own: they stand
/// for open files and are left to it.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if is_of_the_system(&path) || !path.is_symlink() {
            return Ok(path);
        }
        let to = fs::read_link(&path)?;
        path = path.parent().map_or(to.clone(), |folder| folder.join(&to));
    }
    Err(io::Error::other("too many links"))
}

/// The same for a name that nobody typed. A link of that name is replaced, not followed: somebody else may have left it there.
pub fn write_own(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match path.is_symlink() {
        true => replace(path, bytes, None),
        false => write_whole(path, bytes),
    }
}

fn is_of_the_system(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
}

fn replace(path: &Path, bytes: &[u8], like: Option<fs::Permissions>) -> io::Result<()> {
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it does not name a file"));
    }
    let (mut file, aside) = aside(path)?;
    let write = || {
        file.write_all(bytes)?;
        if let Some(permissions) = like {
            file.set_permissions(permissions)?;
        }
        // Some file systems notice only now that there is no room.
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}

/// A new file beside another one. What somebody left there under such a name is not touched.
fn aside(path: &Path) -> io::Result<(File, PathBuf)> {
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let aside = path.with_file_name(format!(".gsmc-{}-{number}.part", std::process::id()));
        match File::create_new(&aside) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((made?, aside)),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_lead_to_what_is_written_and_stay() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("deep/old"), "old").unwrap();
        fs::set_permissions(at("deep/old"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("deep/old", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        symlink("deep/new", at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        write_whole(&at("two"), b"changed").unwrap();
        write_whole(&at("dangling"), b"fresh").unwrap();
        assert_eq!(fs::read_to_string(at("deep/old")).unwrap(), "changed");
        assert_eq!(fs::metadata(at("deep/old")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_to_string(at("deep/new")).unwrap(), "fresh");
        assert!(["one", "two", "dangling"].iter().all(|l| at(l).is_symlink()));
        assert!(write_whole(&at("loop"), b"x").is_err() && at("loop").is_symlink());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 5, "nothing is left aside");
    }

    #[test]
    fn links_of_names_that_nobody_typed_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("precious"), "mine").unwrap();
        for to in ["precious", "new", "."] {
            symlink(to, at("link")).unwrap();
            write_own(&at("link"), b"result").unwrap();
            assert!(!at("link").is_symlink() && fs::read_to_string(at("link")).unwrap() == "result", "{to}");
            fs::remove_file(at("link")).unwrap();
        }
        assert!(fs::read_to_string(at("precious")).unwrap() == "mine" && !at("new").exists());
        write_own(&at("plain"), b"result").unwrap();
        assert_eq!(fs::read_to_string(at("plain")).unwrap(), "result");
    }

    #[test]
    fn folders_and_nowhere_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        assert!(write_whole(dir.path(), b"x").is_err() && dir.path().is_dir());
        assert!(write_whole(&dir.path().join("no/where"), b"x").is_err());
        assert!(write_whole(Path::new(""), b"x").is_err() && write_whole(Path::new("/"), b"x").is_err());
        assert!(write_whole(&dir.path().join("x".repeat(200)), b"x").is_ok(), "long names are no trouble");
    }

    #[test]
    fn devices_are_written_to() {
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        if Path::new("/dev/full").exists() {
            assert!(write_whole(Path::new("/dev/full"), b"x").is_err());
        }
    }
}
