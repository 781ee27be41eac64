//! How much work a formula is, roughly: enough to give several machines about the same.

use super::{Formula, Know};

/// A guess at the work that a formula takes, beside what all formulas of a model share. What is inside an operator is gone through
/// again and again.
pub fn cost<A>(f: &Formula<A>) -> u64 {
    let inside: u64 = f.parts().into_iter().map(cost).sum();
    let (own, times) = match f {
        Formula::Atom(_) | Formula::Var(_) => (1, 1),
        Formula::Bool(_) => (0, 1),
        Formula::Quantified(..) => (10, 2),
        Formula::Know(Know::Common, ..) => (40, 2),
        Formula::Know(..) => (20, 2),
        Formula::Fix(..) => (20, 3),
        Formula::Can(..) => (40, 3),
        Formula::Ltl(_) => (80, 4),
    };
    inside.saturating_mul(times).saturating_add(own)
}
