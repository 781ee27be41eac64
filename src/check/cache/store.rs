//! The folder.

use super::digest::Digest;
use crate::answer::{MachineNumbers, StrategyMove};
use crate::source::{open_file, write_own};
use crate::trace::Trace;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The ending of entries; nothing else in the folder is touched.
const ENDING: &str = "gsmc-answer";
/// With more entries than this, the oldest half goes.
const MOST: usize = 4096;
/// Larger files are no entries.
const LARGEST: u64 = 64 << 20;

/// A folder of answers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    trouble: Arc<OnceLock<String>>,
}

/// A cache that could not keep something.
#[derive(Clone, Debug)]
pub struct CacheTrouble {
    /// The cache's folder.
    pub folder: PathBuf,
    /// What happened first.
    pub why: String,
}

/// An exact verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Does the property hold?
    pub holds: bool,
    /// What is worth knowing about it.
    pub reason: Option<String>,
    /// In which way it says less than it seems.
    pub vacuous: Vec<String>,
    /// What a coalition does.
    pub strategy: Vec<StrategyMove>,
    /// A run that shows it.
    pub trace: Option<Trace>,
    /// What it means, in words.
    #[serde(default)]
    pub summary: String,
    /// The digest of the machine it was found on.
    pub machine: String,
}

/// An entry as it is in its file.
#[derive(Serialize, Deserialize)]
struct Sealed {
    schema: String,
    sum: String,
    entry: String,
}

const SCHEMA: &str = "gsmc.cache/1";

impl Cache {
    /// Opens a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> std::io::Result<Cache> {
        std::fs::create_dir_all(folder)?;
        let cache = Cache { folder: folder.to_path_buf(), trouble: Arc::default() };
        cache.tidy(MOST);
        Ok(cache)
    }

    /// Where the folder is if nobody says: `gsmc` in the user's cache folder.
    pub fn usual_folder() -> Option<PathBuf> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
        cache.map(|c| c.join("gsmc"))
    }

    /// The name of an entry about a question.
    pub fn key(&self, engine: &str, question: Digest) -> String {
        let mut digest = Digest::default();
        digest.part((SCHEMA, BUILD, engine, question.hex()));
        digest.hex()
    }

    /// An answer that was kept and is whole.
    pub fn get(&self, key: &str) -> Option<Entry> {
        self.read(key)
    }

    /// Keeps an answer. A cache that cannot be written is only slower; [`Cache::trouble`] says so.
    pub fn put(&self, key: &str, entry: &Entry) {
        self.write(key, entry);
    }

    /// Numbers of a machine that were kept.
    pub fn numbers(&self, key: &str) -> Option<MachineNumbers> {
        self.read(key)
    }

    /// Keeps numbers of a machine.
    pub fn put_numbers(&self, key: &str, numbers: &MachineNumbers) {
        self.write(key, numbers);
    }

    /// The first thing that could not be kept, if there is one.
    pub fn trouble(&self) -> Option<CacheTrouble> {
        self.trouble.get().map(|why| CacheTrouble { folder: self.folder.clone(), why: why.clone() })
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.{ENDING}"))
    }

    fn read<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let file = self.file(key);
        let mut bytes = Vec::new();
        open_file(&file).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
        let sealed: Sealed = serde_json::from_slice(&bytes).ok()?;
        let whole = sealed.schema == SCHEMA && sealed.sum == seal(key, &sealed.entry);
        if whole { serde_json::from_str(&sealed.entry).ok() } else { None }
    }

    fn write(&self, key: &str, entry: &impl Serialize) {
        if let Err(e) = sealed(key, entry).and_then(|text| write_own(&self.file(key), text.as_bytes())) {
            let _ = self.trouble.set(e.to_string());
        }
    }

    /// Removes the oldest half of the entries if there are more than `most`.
    fn tidy(&self, most: usize) {
        let Ok(list) = std::fs::read_dir(&self.folder) else { return };
        let ours = |p: &PathBuf| p.extension().is_some_and(|e| e == ENDING);
        let mut entries: Vec<PathBuf> = list.flatten().map(|e| e.path()).filter(ours).collect();
        if entries.len() > most {
            entries.sort_by_cached_key(|p| std::fs::metadata(p).and_then(|m| m.modified()).ok());
            entries.iter().take(entries.len() - most / 2).for_each(|p| {
                let _ = std::fs::remove_file(p);
            });
        }
    }
}

/// An entry as its file has it.
fn sealed(key: &str, entry: &impl Serialize) -> std::io::Result<String> {
    let entry = serde_json::to_string(entry)?;
    let sealed = Sealed { schema: SCHEMA.into(), sum: seal(key, &entry), entry };
    Ok(serde_json::to_string(&sealed)?)
}

/// The checksum of an entry under its name: an entry that was moved is not whole either.
fn seal(key: &str, entry: &str) -> String {
    let mut digest = Digest::default();
    digest.part((key, entry));
    digest.hex()
}

/// This very gsmc: its version and, since that stays while it is worked on, its sources. Where the program lies and when it was made does
/// not matter.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("GSMC_SOURCES"));

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(holds: bool) -> Entry {
        let (reason, machine) = (Some("because \u{1F980} \"so\"".into()), String::new());
        Entry { holds, reason, vacuous: vec![], strategy: vec![], trace: None, summary: String::new(), machine }
    }

    #[test]
    fn only_whole_entries_count() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(&dir.path().join("a/b")).unwrap();
        assert!(cache.get("k").is_none());
        cache.put("k", &entry(true));
        assert!(cache.get("k").unwrap().holds);
        let file = cache.file("k");
        let text = std::fs::read(&file).unwrap();
        for cut in 0..text.len() {
            std::fs::write(&file, &text[..cut]).unwrap();
            assert!(cache.get("k").is_none(), "the first {cut} bytes are taken for an entry");
        }
        for at in 0..text.len() {
            let mut bad = text.clone();
            bad[at] ^= 1;
            std::fs::write(&file, &bad).unwrap();
            assert!(cache.get("k").is_none(), "byte {at} may be anything");
        }
        std::fs::write(cache.file("other"), &text).unwrap();
        assert!(cache.get("other").is_none(), "an entry of another question is taken");
        std::fs::write(&file, &text).unwrap();
        assert!(cache.get("k").is_some());
    }

    #[test]
    fn old_entries_go_and_other_files_stay() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        std::fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        (0..10).for_each(|i| cache.put(&format!("k{i}"), &entry(true)));
        cache.tidy(10);
        assert!((0..10).all(|i| cache.get(&format!("k{i}")).is_some()));
        cache.put("k10", &entry(true));
        cache.tidy(10);
        let left = (0..=10).filter(|i| cache.get(&format!("k{i}")).is_some()).count();
        assert_eq!(left, 5);
        assert!(dir.path().join("notes.txt").is_file());
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        assert!(Cache::open(&dir.path().join("file/inside")).is_err());
    }
}
