//! Exported files for people: every property that the target can express, in as few files as its language allows.

use super::checker::{CHECKERS, Language};
use crate::machine::Valid;
use crate::source::write_own;
use std::io;
use std::path::{Path, PathBuf};

/// What an export wrote.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The files, models before their name maps.
    pub files: Vec<PathBuf>,
    /// Properties that are in none of them, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Exports a machine into a folder, which is made if need be. Nothing is left half-written.
pub fn export(language: &Language, m: &Valid, folder: &Path) -> io::Result<Exported> {
    export_part(language, m, &<[usize]>::to_vec, folder)
}

/// The same with some of the properties that the language can express, given by their positions.
pub fn export_part(
    language: &Language,
    m: &Valid,
    choose: &dyn Fn(&[usize]) -> Vec<usize>,
    folder: &Path,
) -> io::Result<Exported> {
    let reader = CHECKERS.into_iter().find(|c| c.language == language);
    let checker = reader.ok_or_else(|| io::Error::other(format!("nobody reads {}", language.name)))?;
    let mut exported = Exported::default();
    let mut wanted = Vec::new();
    for (i, p) in m.properties.iter().enumerate() {
        match checker.fragment.refuses(p) {
            None => wanted.push(i),
            Some(why) => exported.left_out.push((p.name.clone(), why)),
        }
    }
    let made = (checker.export)(m, &choose(&wanted)).map_err(io::Error::other)?;
    exported.left_out.extend(made.left_out.into_iter().map(|(p, why)| (m.properties[p].name.clone(), why)));
    std::fs::create_dir_all(folder)?;
    for file in made.files {
        exported.files.push(put(folder, &file.name, &file.text)?);
        exported.files.push(put(folder, &format!("{}.names.json", file.name), &file.map)?);
    }
    Ok(exported)
}

/// The model alone where no property asks for more; one file per set of fairness constraints, the one without first.
pub(super) fn by_fairness(groups: Vec<Vec<usize>>, m: &Valid) -> Vec<Vec<usize>> {
    let (mut plain, fair): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| m.properties[g[0]].fair.is_empty());
    if plain.is_empty() {
        plain.push(vec![]);
    }
    plain.into_iter().chain(fair).collect()
}

/// The name of the `i`th file of a kind.
pub(super) fn numbered(stem: &str, i: usize, extension: &str) -> String {
    if i == 0 { format!("{stem}.{extension}") } else { format!("{stem}-fair{i}.{extension}") }
}

fn put(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let path = folder.join(name);
    write_own(&path, text.as_bytes())?;
    Ok(path)
}
