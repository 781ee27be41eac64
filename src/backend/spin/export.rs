//! The file for people.

use super::{Wanted, emit};
use crate::backend::checker::Written;
use crate::backend::common::initially;
use crate::logic::linear::Claims;
use crate::machine::{ExprId, Valid};

/// One file with all claims.
pub fn files(m: &Valid, wanted: &[usize]) -> Result<Vec<Written>, String> {
    let mut claims: Vec<(usize, Claims<ExprId>)> = Vec::new();
    for &p in wanted {
        let property = &m.properties[p];
        claims.push((p, Claims::of(property, &initially(m)).map_err(|why| format!("{}: {why}", property.name))?));
    }
    let mut all = Vec::new();
    for (p, c) in &claims {
        let p = &m.properties[*p];
        all.extend(c.claims.iter().map(|claim| Wanted { name: &p.name, text: &p.text, claim }));
    }
    let model = emit(m, &all).map_err(|e| e.to_string())?;
    Ok(vec![Written { name: "model.pml".into(), text: model.text, map: model.map.json() }])
}
