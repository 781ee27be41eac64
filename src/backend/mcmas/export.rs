//! The files for people.

use super::{Mode, emit, groups, mode_of};
use crate::backend::NotWritten;
use crate::backend::checker::{Exports, Written};
use crate::backend::export::{by_fairness, numbered};
use crate::machine::Valid;

/// One file per set of fairness constraints; strategies need a model of their own.
pub fn files(m: &Valid, wanted: &[usize]) -> Result<Exports, NotWritten> {
    let mut files = Vec::new();
    for mode in [Mode::Plain, Mode::Strategies] {
        let mine: Vec<usize> = wanted.iter().copied().filter(|p| mode_of(&m.properties[*p].formula) == mode).collect();
        if mode == Mode::Strategies && mine.is_empty() {
            continue;
        }
        let stem = if mode == Mode::Plain { "model" } else { "strategies" };
        for (i, group) in by_fairness(groups(m, &mine), m).iter().enumerate() {
            let name = numbered(stem, i, "ispl");
            let model = emit(m, group, mode, false, &name)?;
            files.push(Written { name, text: model.text, map: model.map.json()? });
        }
    }
    Ok(Exports { files, left_out: Vec::new() })
}
