//! From actual values to predicates.

use super::exact::{self, Values};
use super::linear::{Leaf, Linear};
use super::{Predicate, Predicates, Snapshot, System};
use crate::machine::VarId;
use crate::smt::Ratio;
use num_traits::{ToPrimitive, Zero};

/// Does a predicate hold in a snapshot of actual values?
pub fn holds(system: &System, predicate: &Predicate, values: &Values) -> bool {
    let value = |v: &VarId| values.get(v.0 as usize).cloned().unwrap_or_else(Ratio::zero);
    let sum = predicate.atom.difference().map(&mut |leaf| match leaf {
        Leaf::Var(v, _) => Linear::constant(value(v)),
        Leaf::Choice(e, _) => Linear::constant(exact::number(system.machine, values, *e)),
        other => Linear::leaf(other.clone()),
    });
    let zero = Ratio::zero();
    sum.known().is_some_and(|n| if predicate.atom.less { *n < zero } else { *n == zero })
}

/// The abstract snapshot of actual values; `None` if something finite has a value that is no code.
pub fn alpha(system: &System, predicates: &Predicates, values: &Values) -> Option<Snapshot> {
    let code = |v: VarId| match system.wide(v) {
        Some(_) => Some(0),
        None => values.get(v.0 as usize)?.to_integer().to_i64(),
    };
    let codes = system.machine.state_ids().map(code).collect::<Option<Vec<i64>>>()?;
    Some(Snapshot { codes, truths: predicates.list.iter().map(|p| holds(system, p, values)).collect() })
}

/// The abstract snapshot that everything begins with.
pub fn initial(system: &System, predicates: &Predicates) -> Snapshot {
    alpha(system, predicates, &exact::initial(system.machine)).unwrap_or_default()
}
