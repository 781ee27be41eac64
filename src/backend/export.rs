//! Exported files for people: every property that the target can express, in as few files as its language allows.

use super::common::initially;
use super::names::Target;
use super::{fragment, ispl, promela, smv};
use crate::answer::Engine;
use crate::logic::linear::Claims;
use crate::machine::{ExprId, Valid};
use crate::source::write_whole;
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

/// A file to be written: name, text, name map.
struct Written {
    name: String,
    text: String,
    map: String,
}

/// Exports a machine into a folder, which is made if need be. Nothing is left half-written.
pub fn export(target: Target, m: &Valid, folder: &Path) -> io::Result<Exported> {
    let engine = match target {
        Target::Smv => Engine::Nusmv,
        Target::Promela => Engine::Spin,
        Target::Ispl => Engine::Mcmas,
    };
    let mut exported = Exported::default();
    let mut wanted = Vec::new();
    for (i, p) in m.properties.iter().enumerate() {
        match fragment::unsupported(engine, p) {
            None => wanted.push(i),
            Some(why) => exported.left_out.push((p.name.clone(), why)),
        }
    }
    let files = match target {
        Target::Smv => smv_files(m, &wanted),
        Target::Promela => promela_files(m, &wanted),
        Target::Ispl => ispl_files(m, &wanted),
    };
    std::fs::create_dir_all(folder)?;
    for file in files.map_err(io::Error::other)? {
        exported.files.push(put(folder, &file.name, &file.text)?);
        exported.files.push(put(folder, &format!("{}.names.json", file.name), &file.map)?);
    }
    Ok(exported)
}

/// The model alone where no property asks for more; one file per set of fairness constraints, the one without first.
fn by_fairness(groups: Vec<Vec<usize>>, m: &Valid) -> Vec<Vec<usize>> {
    let (mut plain, fair): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| m.properties[g[0]].fair.is_empty());
    if plain.is_empty() {
        plain.push(vec![]);
    }
    plain.into_iter().chain(fair).collect()
}

fn numbered(stem: &str, i: usize, extension: &str) -> String {
    if i == 0 { format!("{stem}.{extension}") } else { format!("{stem}-fair{i}.{extension}") }
}

fn smv_files(m: &Valid, wanted: &[usize]) -> Result<Vec<Written>, String> {
    let mut files = Vec::new();
    for (i, group) in by_fairness(smv::groups(m, wanted), m).iter().enumerate() {
        let asks: Vec<smv::Ask> = group.iter().map(|&property| smv::Ask { property, negated: false }).collect();
        let name = numbered("model", i, "smv");
        let model = smv::emit(m, &asks, false, &name).map_err(|e| e.to_string())?;
        files.push(Written { name, text: model.text, map: model.map.json() });
    }
    Ok(files)
}

fn promela_files(m: &Valid, wanted: &[usize]) -> Result<Vec<Written>, String> {
    let claims: Vec<(usize, Claims<ExprId>)> =
        wanted.iter().filter_map(|p| Some((*p, Claims::of(&m.properties[*p], &initially(m)).ok()?))).collect();
    let mut all = Vec::new();
    for (p, c) in &claims {
        let p = &m.properties[*p];
        all.extend(c.claims.iter().map(|claim| promela::Wanted { name: &p.name, text: &p.text, claim }));
    }
    let model = promela::emit(m, &all).map_err(|e| e.to_string())?;
    Ok(vec![Written { name: "model.pml".into(), text: model.text, map: model.map.json() }])
}

fn ispl_files(m: &Valid, wanted: &[usize]) -> Result<Vec<Written>, String> {
    let mut files = Vec::new();
    for mode in [ispl::Mode::Plain, ispl::Mode::Strategies] {
        let mine: Vec<usize> =
            wanted.iter().copied().filter(|p| ispl::mode_of(&m.properties[*p].formula) == mode).collect();
        if mode == ispl::Mode::Strategies && mine.is_empty() {
            continue;
        }
        let stem = if mode == ispl::Mode::Plain { "model" } else { "strategies" };
        for (i, group) in by_fairness(ispl::groups(m, &mine), m).iter().enumerate() {
            let name = numbered(stem, i, "ispl");
            let model = ispl::emit(m, group, mode, false, &name).map_err(|e| e.to_string())?;
            files.push(Written { name, text: model.text, map: model.map.json() });
        }
    }
    Ok(files)
}

fn put(folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
    let path = folder.join(name);
    write_whole(&path, text.as_bytes())?;
    Ok(path)
}
