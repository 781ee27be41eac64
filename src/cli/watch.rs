//! `--watch`: the same command again whenever a file of the application changes.
//!
//! Files are asked for their age a few times a second, which works on every file system and with every editor: one that writes
//! aside and renames, one that deletes first, one that saves all files at once.

use super::output::{Reader, print_raw, say};
use super::progress::Watcher;
use crate::check::cache::digest::Digest;
use crate::lang::files::MAX_BYTES;
use crate::source::open_file;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// Time between two looks at the files. Nothing is done before two looks see the same.
const LOOK: Duration = Duration::from_millis(150);
/// Endings of files that can belong to an application.
const ENDINGS: [&str; 9] = ["xml", "xsd", "toml", "gsm", "gsma", "gsmp", "amber", "cmmn", "txt"];
/// Files that are watched at most in folders; those that were read are always watched.
const MOST: usize = 2000;

/// One round: what gsmc would exit with, whether somebody reads what it says, and the files that were read.
pub struct Round {
    pub code: u8,
    pub reader: Reader,
    pub files: Vec<PathBuf>,
}

/// What to watch.
pub struct Watch {
    /// Folders in which files may appear.
    pub folders: Vec<PathBuf>,
    /// What gsmc itself writes.
    pub ours: Vec<PathBuf>,
    /// Time limit of a round's parts, for its progress line.
    pub timeout: Option<Duration>,
    /// Clear the screen before each round.
    pub clear: bool,
}

/// What files were like.
pub struct Seen {
    ages: Ages,
    known: BTreeMap<PathBuf, Option<Digest>>,
    read: BTreeSet<PathBuf>,
}

impl Watch {
    /// Runs rounds until Ctrl-C or until nobody reads them any more; gives the code of the last one. A round is stopped when files change under it.
    pub fn run(&self, round: &mut dyn FnMut(&Watcher) -> Round) -> u8 {
        let ended = super::signals::flag();
        // All files that were ever read: one that is not read any more may be read again.
        let mut read: BTreeSet<PathBuf> = BTreeSet::new();
        let mut seen = self.look(&read);
        loop {
            let mut known = contents(&seen);
            if self.clear
                && let Err(code) = print_raw("\x1b[H\x1b[2J\x1b[3J")
            {
                return code;
            }
            let (done, stopped) = self.guarded(round, &read, &seen, &ended);
            if ended.load(Ordering::Relaxed) || done.reader == Reader::Gone {
                return done.code;
            }
            read.extend(done.files.iter().map(|f| plain(f)));
            for (path, age) in self.look(&read) {
                // Files that were not known before count as they are now.
                known.entry(path.clone()).or_insert_with(|| content(&path));
                seen.entry(path).or_insert(age);
            }
            if !stopped {
                say(&format!("\nWatching {} files. Ctrl-C ends.", seen.len()));
            }
            let changed = loop {
                let Some(now) = self.changed(&read, &seen, &ended) else { return done.code };
                seen = now;
                let names = different(&known, &contents(&seen));
                // Touched, but the same: nothing to do, unless it was enough to stop a round.
                if stopped || !names.is_empty() {
                    break names;
                }
            };
            say(&format!("Changed: {}", changed.join(", ")));
        }
    }

    /// What the files are like before they are read.
    pub fn glance(&self) -> Seen {
        let ages = self.look(&BTreeSet::new());
        Seen { known: contents(&ages), ages, read: BTreeSet::new() }
    }

    /// Waits until the contents of files differ from what was seen; gives their names, or `None` when `ended` is set.
    pub fn next_change(&self, seen: &mut Seen, files: Vec<PathBuf>, ended: &AtomicBool) -> Option<Vec<String>> {
        seen.read.extend(files.iter().map(|f| plain(f)));
        for (path, age) in self.look(&seen.read) {
            seen.known.entry(path.clone()).or_insert_with(|| content(&path));
            seen.ages.entry(path).or_insert(age);
        }
        loop {
            seen.ages = self.changed(&seen.read, &seen.ages, ended)?;
            let now = contents(&seen.ages);
            let names = different(&seen.known, &now);
            seen.known = now;
            if !names.is_empty() {
                return Some(names);
            }
        }
    }

    /// A round, while somebody looks at the files; was it stopped?
    fn guarded(
        &self,
        round: &mut dyn FnMut(&Watcher) -> Round,
        read: &BTreeSet<PathBuf>,
        seen: &Ages,
        ended: &Arc<AtomicBool>,
    ) -> (Round, bool) {
        let stop = Arc::new(AtomicBool::new(false));
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let looker = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    if ended.load(Ordering::Relaxed) || self.look(read) != *seen {
                        stop.store(true, Ordering::Relaxed);
                    }
                    std::thread::park_timeout(LOOK);
                }
            });
            let done = round(&Watcher::stopped_by(stop.clone(), self.timeout));
            over.store(true, Ordering::Relaxed);
            looker.thread().unpark();
            (done, stop.load(Ordering::Relaxed))
        })
    }

    /// Waits until the files differ and stay so for a moment; `None` on Ctrl-C.
    fn changed(&self, read: &BTreeSet<PathBuf>, seen: &Ages, ended: &AtomicBool) -> Option<Ages> {
        let mut last = seen.clone();
        loop {
            std::thread::sleep(LOOK);
            if ended.load(Ordering::Relaxed) {
                return None;
            }
            let now = self.look(read);
            if now == last && now != *seen {
                return Some(now);
            }
            last = now;
        }
    }

    /// The files as they are: those that were read (also if they are gone), and those in the folders.
    fn look(&self, read: &BTreeSet<PathBuf>) -> Ages {
        let mut found = read.clone();
        let parents = read.iter().map(|f| parent(f));
        let folders: BTreeSet<PathBuf> = self.folders.iter().cloned().chain(parents).collect();
        folders.iter().for_each(|f| list(f, 2, read.len() + MOST, &mut found));
        self.ours.iter().for_each(|o| {
            found.remove(&plain(o));
        });
        found.into_iter().map(|path| (path.clone(), age(&path))).collect()
    }
}

/// The folder of a file.
pub fn parent(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty());
    folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The path without `.`, so that a file has one name.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|c| *c != Component::CurDir).collect()
}

/// Age, length and number of a file: an editor that renames changes the last, whatever it does to the others.
type Age = Option<(Option<SystemTime>, u64, u64)>;
type Ages = BTreeMap<PathBuf, Age>;

fn age(path: &Path) -> Age {
    let meta = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let number = 0;
    Some((meta.modified().ok(), meta.len(), number))
}

/// Files of a folder, and of the folders in it, that can belong to an application.
fn list(folder: &Path, depth: u32, most: usize, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if hidden || found.len() >= most {
            continue;
        }
        let path = plain(&entry.path());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 1 => list(&path, depth - 1, most, found),
            Ok(kind) if kind.is_dir() => {}
            _ if path.extension().is_some_and(|e| ENDINGS.iter().any(|known| e.eq_ignore_ascii_case(known))) => {
                found.insert(path);
            }
            _ => {}
        }
    }
}

/// What is in the files.
fn contents(files: &Ages) -> BTreeMap<PathBuf, Option<Digest>> {
    files.keys().map(|path| (path.clone(), content(path))).collect()
}

fn content(path: &Path) -> Option<Digest> {
    let mut bytes = Vec::new();
    open_file(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(Digest::of(&bytes))
}

/// Files whose contents differ; one that appeared or vanished counts.
fn different(before: &BTreeMap<PathBuf, Option<Digest>>, after: &BTreeMap<PathBuf, Option<Digest>>) -> Vec<String> {
    let all: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let of = |map: &BTreeMap<PathBuf, Option<Digest>>, path: &PathBuf| map.get(path).copied().flatten();
    let changed = all.into_iter().filter(|path| of(before, path) != of(after, path));
    changed.map(|path| path.display().to_string()).collect()
}
