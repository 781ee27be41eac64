//! The E-GSM emulator's pairs: `NN-LEG-compliant.csv` with the states of an item, `NN-LEG-shipper.csv` with events.
//!
//! One pair is one case. Rows are `milliseconds;status;TEXT` and `milliseconds;eventid;EVENT`; at the same time the shipper comes first.

use super::{Event, Fault, Log, Moment, Next, Options, text_of, whole};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the name of a file says of its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It followed the model.
    Compliant,
    /// It did not.
    Uncompliant,
}

impl Label {
    /// As in results.
    pub const fn name(self) -> &'static str {
        match self {
            Label::Compliant => "compliant",
            Label::Uncompliant => "uncompliant",
        }
    }
}

/// The attribute that says which item a status is of.
pub(super) const ITEM: &str = "item";

/// The label in a file's name, or in that of the other file of its pair.
pub fn label_of(path: &Path) -> Option<Label> {
    let labelled = pair(path).0;
    let (name, _) = name_of(labelled.as_deref().unwrap_or(path));
    let stem = Path::new(&name).file_stem()?.to_string_lossy().to_lowercase();
    if stem.ends_with("uncompliant") {
        Some(Label::Uncompliant)
    } else if stem.ends_with("compliant") {
        Some(Label::Compliant)
    } else {
        None
    }
}

/// Is this a row of such a file?
pub(super) fn looks_like(row: &str) -> bool {
    let mut parts = row.split(';');
    let number = parts.next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    number && parts.next().is_some_and(|k| k == "status" || k == "eventid")
}

/// Reads both files of a pair, given either.
pub(super) fn read(log: &Log, options: &Options) -> Result<Vec<Next>, Fault> {
    let path = log.path();
    let (states, shipper) = pair(path);
    let case = case_of(path);
    let mut all: Vec<(i128, u8, usize, Next)> = Vec::new();
    for (rank, file) in [(0, shipper), (1, states)] {
        let Some(file) = file.filter(|f| f == path || f.is_file()) else { continue };
        let other = Log::from(file.clone());
        let text = text_of(if file == path { log } else { &other })?;
        if options.item.is_none() && text.contains(";status;") {
            let help = Some("name the item: --item ITEM".into());
            return Err(Fault { help, case: Some(case), ..whole(&file, "it does not say whose status this is") });
        }
        for (at, row) in text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
            let line = at as u64 + 1;
            let event = one(row, &case, line, options).ok_or_else(|| {
                let help = Some("a row is milliseconds;status;TEXT or milliseconds;eventid;EVENT".into());
                Fault {
                    line: Some(line),
                    help,
                    case: Some(case.clone()),
                    ..whole(&file, &format!("'{row}' is not a row"))
                }
            });
            let time = event.as_ref().ok().and_then(|e| e.time.as_ref()).map_or(i128::MAX, |t| t.at);
            all.push((time, rank, at, event));
        }
    }
    all.sort_by_key(|(time, rank, at, _)| (*time, *rank, *at));
    Ok(all.into_iter().map(|(.., event)| event).collect())
}

fn one(row: &str, case: &str, line: u64, options: &Options) -> Option<Event> {
    let mut parts = row.trim().split(';');
    let (ms, kind, text) = (parts.next()?, parts.next()?, parts.next()?);
    let time = Moment { at: i128::from(ms.parse::<i64>().ok()?) * 1_000_000, text: ms.into() };
    let mut attributes = BTreeMap::new();
    let activity = match kind {
        "status" => {
            attributes.insert("status".to_string(), text.to_string());
            let item = options.item.clone().unwrap_or_default();
            attributes.insert(ITEM.to_string(), item.clone());
            item
        }
        "eventid" => text.to_string(),
        _ => return None,
    };
    Some(Event { case: case.into(), activity, time: Some(time), agent: None, attributes, line, group: 1 })
}

/// A file's name without the ending of packed files, and that ending.
fn name_of(path: &Path) -> (String, &'static str) {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    match name.strip_suffix(".gz") {
        Some(plain) => (plain.to_string(), ".gz"),
        None => (name, ""),
    }
}

/// What both files of a pair have in common; `None` for other files.
pub fn pair_of(path: &Path) -> Option<PathBuf> {
    let (name, _) = name_of(path);
    let endings = ["-shipper.csv", "-uncompliant.csv", "-compliant.csv"];
    let stem = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
    Some(path.with_file_name(stem))
}

/// The file of states and the shipper's file, both packed or both not.
fn pair(path: &Path) -> (Option<PathBuf>, Option<PathBuf>) {
    let (name, packed) = name_of(path);
    let with = |from: &str, to: &str| {
        let stem = name.strip_suffix(from)?;
        Some(path.with_file_name(format!("{stem}{to}{packed}")))
    };
    if name.ends_with("-shipper.csv") {
        let candidates = ["-uncompliant.csv", "-compliant.csv"].into_iter().filter_map(|to| with("-shipper.csv", to));
        return (candidates.into_iter().find(|p| p.is_file()), Some(path.into()));
    }
    let shipper = with("-uncompliant.csv", "-shipper.csv").or_else(|| with("-compliant.csv", "-shipper.csv"));
    (Some(path.into()), shipper)
}

/// `folder/NN`, so that the pairs of several legs are told apart.
fn case_of(path: &Path) -> String {
    let (name, _) = name_of(path);
    let stem = Path::new(&name).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let number = stem.split('-').next().unwrap_or(&stem).to_string();
    match path.parent().and_then(Path::file_name) {
        Some(folder) => format!("{}/{number}", folder.to_string_lossy()),
        None => number,
    }
}
