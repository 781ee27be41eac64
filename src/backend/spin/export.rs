//! The file for people.

use super::{Wanted, emit};
use crate::backend::NotWritten;
use crate::backend::checker::{Exports, Written};
use crate::backend::common::initially;
use crate::logic::linear::Claims;
use crate::machine::{ExprId, Valid};

/// One file with all claims.
pub fn files(m: &Valid, wanted: &[usize]) -> Result<Exports, NotWritten> {
    let mut claims: Vec<(usize, Claims<ExprId>)> = Vec::new();
    let mut left_out: Vec<(usize, String)> = Vec::new();
    for &p in wanted {
        match Claims::of(&m.properties[p], &initially(m)) {
            Ok(c) => claims.push((p, c)),
            Err(why) => left_out.push((p, why.to_string())),
        }
    }
    let all: Vec<(usize, Wanted)> = claims
        .iter()
        .flat_map(|(p, c)| {
            let property = &m.properties[*p];
            c.claims.iter().map(|claim| (*p, Wanted { name: &property.name, text: &property.text, claim }))
        })
        .collect();
    let asked: Vec<Wanted> = all.iter().map(|(_, w)| *w).collect();
    let model = emit(m, &asked)?;
    let lost = all.iter().zip(&model.claims).filter(|(_, text)| text.is_none());
    left_out.extend(lost.map(|((p, _), _)| (*p, "the automaton of the formula gets too large".to_string())));
    let file = Written { name: "model.pml".into(), map: model.map.json()?, text: model.text };
    Ok(Exports { files: vec![file], left_out })
}
