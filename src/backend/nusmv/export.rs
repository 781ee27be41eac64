//! The files for people.

use super::{Ask, emit, groups};
use crate::backend::NotWritten;
use crate::backend::checker::{Exports, Written};
use crate::backend::export::{by_fairness, numbered};
use crate::machine::Valid;

/// One file per set of fairness constraints.
pub fn files(m: &Valid, wanted: &[usize]) -> Result<Exports, NotWritten> {
    let mut files = Vec::new();
    for (i, group) in by_fairness(groups(m, wanted), m).iter().enumerate() {
        let asks: Vec<Ask> = group.iter().map(|&property| Ask { property, negated: false }).collect();
        let name = numbered("model", i, "smv");
        let model = emit(m, &asks, false, &name)?;
        files.push(Written { name, text: model.text, map: model.map.json()? });
    }
    Ok(Exports { files, left_out: Vec::new() })
}
