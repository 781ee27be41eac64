//! What can be proved on every few instances: that always something holds of all of them.

use super::{Leaf, Setting};
use crate::logic::{AgentIx, Bool, Formula, Know, Path, Temporal};

/// Of how many instances at a time a formula "always …" speaks, if it says the same of all of them and can be proved so.
pub fn universal(f: &Formula<Leaf>, setting: &Setting) -> Option<u32> {
    match f {
        Formula::Quantified(Path::A, Temporal::Globally(a)) => of_each(a, true, setting),
        Formula::Bool(Bool::Not(not)) => match &**not {
            Formula::Quantified(Path::E, Temporal::Finally(a)) => of_each(a, false, setting),
            _ => None,
        },
        Formula::Bool(Bool::And(parts)) => most(parts.iter().map(|p| universal(p, setting))),
        _ => None,
    }
}

fn most(parts: impl Iterator<Item = Option<u32>>) -> Option<u32> {
    parts.into_iter().try_fold(0, |most, part| Some(most.max(part?)))
}

/// The number of instances that one snapshot's formula (or its negation) speaks of at a time.
fn of_each(f: &Formula<Leaf>, positive: bool, setting: &Setting) -> Option<u32> {
    match f {
        Formula::Atom(leaf) => leaf.odd.is_none().then_some(0),
        Formula::Bool(Bool::Not(a)) => of_each(a, !positive, setting),
        Formula::Bool(Bool::Implies(a, b)) => {
            most([of_each(a, !positive, setting), of_each(b, positive, setting)].into_iter())
        }
        Formula::Bool(Bool::Iff(a, b)) => {
            let both = [a, b].into_iter().flat_map(|x| [of_each(x, true, setting), of_each(x, false, setting)]);
            most(both)
        }
        Formula::Bool(Bool::Quant { exists, ty, body, .. }) if *ty == setting.ty => {
            (*exists != positive).then(|| of_each(body, positive, setting))?.map(|n| n + 1)
        }
        Formula::Bool(b) => most(b.parts().into_iter().map(|p| of_each(p, positive, setting))),
        // More snapshots than there are make less known, so what is known with them is known.
        Formula::Know(Know::K | Know::Everybody | Know::Distributed, group, a) => {
            let sees = |agent: &AgentIx| setting.sees_apart.get(agent.0).copied().unwrap_or(false);
            let plain = of_each(a, true, setting) == Some(0) && of_each(a, false, setting) == Some(0);
            (positive && plain && group.iter().all(sees)).then_some(0)
        }
        _ => None,
    }
}
