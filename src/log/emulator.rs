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

const SHIPPER: &str = "-shipper.csv";
const UNCOMPLIANT: &str = "-uncompliant.csv";
const COMPLIANT: &str = "-compliant.csv";

/// The attribute that says which item a status is of.
pub(super) const ITEM: &str = "item";

/// The label in the name of a pair.
pub(super) fn label_of(path: &Path) -> Option<Label> {
    let labelled = pair(path).0;
    let name = name_of(labelled.as_deref().unwrap_or(path));
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

/// A file's name without the ending of packed files.
fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.strip_suffix(".gz").map(str::to_string).unwrap_or(name)
}

/// May this be one of a pair, by its name?
pub(super) fn is_named_so(path: &Path) -> bool {
    let name = name_of(path);
    [SHIPPER, UNCOMPLIANT, COMPLIANT].iter().any(|ending| name.ends_with(ending))
}

/// The file that stands for a pair: that of the states, where there is one.
pub(super) fn of_pair(path: &Path) -> PathBuf {
    pair(path).0.unwrap_or_else(|| path.into())
}

/// The file of states and the shipper's file; each may be packed.
fn pair(path: &Path) -> (Option<PathBuf>, Option<PathBuf>) {
    let name = name_of(path);
    let other = |from: &str, to: &str| {
        let stem = name.strip_suffix(from)?;
        let names = [format!("{stem}{to}"), format!("{stem}{to}.gz")];
        names.into_iter().map(|name| path.with_file_name(name)).find(|p| p.is_file())
    };
    if name.ends_with(SHIPPER) {
        let states = other(SHIPPER, UNCOMPLIANT).or_else(|| other(SHIPPER, COMPLIANT));
        return (states, Some(path.into()));
    }
    (Some(path.into()), other(UNCOMPLIANT, SHIPPER).or_else(|| other(COMPLIANT, SHIPPER)))
}

/// `folder/NN`, so that the pairs of several legs are told apart.
fn case_of(path: &Path) -> String {
    let stem = stem_of(path);
    within_folder(path, stem.split('-').next().unwrap_or(&stem))
}

/// The whole name of a pair, for cases whose numbers are the same.
pub(super) fn full_case_of(path: &Path) -> String {
    within_folder(path, &stem_of(path))
}

fn stem_of(path: &Path) -> String {
    let name = name_of(path);
    Path::new(&name).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

fn within_folder(path: &Path, number: &str) -> String {
    match path.parent().and_then(Path::file_name) {
        Some(folder) => format!("{}/{number}", folder.to_string_lossy()),
        None => number.to_string(),
    }
}
