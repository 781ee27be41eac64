//! With data without bounds: the predicates that a check tells snapshots apart by, in one snapshot.

use super::Explorer;
use crate::answer::Compared;
use crate::machine::number::{Ratio, read};
use crate::machine::{Machine, Snapshot, code};
use serde::Serialize;

/// A check of data without bounds, seen from one snapshot.
#[derive(Debug, Serialize)]
pub struct Abstracted {
    /// The attributes without bounds.
    pub attributes: Vec<String>,
    /// Abstract snapshots that may be reached, in decimal.
    pub may: String,
    /// Abstract snapshots that must be, in decimal.
    pub must: String,
    /// Rounds of refinement.
    pub rounds: u32,
    /// The predicates here: together with what is finite they are the abstract snapshot.
    pub predicates: Vec<Here>,
}

/// A predicate in one snapshot.
#[derive(Debug, Serialize)]
pub struct Here {
    /// In the model's words.
    pub name: String,
    /// Where it comes from.
    pub from: String,
    /// The round of refinement that added it.
    pub round: u32,
    /// Does it hold here? Null where that takes more than the snapshot.
    pub holds: Option<bool>,
}

impl Explorer<'_> {
    /// What a check says about data without bounds, in a snapshot.
    pub(super) fn abstracted(&self, snapshot: &Snapshot) -> Option<Abstracted> {
        let told = self.abstracted.get()?;
        let m = self.viewer.interp().machine();
        let here = |p: &crate::answer::AbstractPredicate| Here {
            name: p.name.clone(),
            from: p.from.clone(),
            round: p.round,
            holds: p.says.as_ref().and_then(|says| holds(m, says, snapshot)),
        };
        Some(Abstracted {
            attributes: told.attributes.clone(),
            may: told.may_states.clone(),
            must: told.must_states.clone(),
            rounds: told.rounds,
            predicates: told.predicates.iter().map(here).collect(),
        })
    }
}

/// Does a comparison hold in a snapshot?
fn holds(m: &Machine, says: &Compared, snapshot: &Snapshot) -> Option<bool> {
    let mut sum = Ratio::from_integer(0.into());
    for (var, factor) in &says.terms {
        sum += read(factor)? * code::number(snapshot[m.find(var)?]);
    }
    let bound = read(&says.bound)?;
    Some(if says.less { sum < bound } else { sum == bound })
}
