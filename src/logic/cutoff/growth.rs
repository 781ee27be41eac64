//! What stays true when there may be more instances.

use super::{Idling, Leaf};
use crate::logic::{Bool, Formula, Path, Temporal};

/// Does a formula (or, not `positive`, its negation) stay true with larger bounds, as long as runs set no overflow flag?
///
/// A run with N slots is a run with N + 1 of which the last stays free, and snapshots look the same to everybody. What says that
/// there is such a run or such a snapshot stays true. An idle step does not last: where the system idles only when nobody can act,
/// a new instance can be created in the larger system instead.
pub fn grows(f: &Formula<Leaf>, positive: bool, idling: Idling) -> bool {
    let all = |parts: &[&Formula<Leaf>], positive| parts.iter().all(|p| grows(p, positive, idling));
    match f {
        Formula::Atom(leaf) => !leaf.overflow,
        Formula::Bool(Bool::Not(a)) => grows(a, !positive, idling),
        Formula::Bool(Bool::Implies(a, b)) => all(&[a], !positive) && all(&[b], positive),
        Formula::Bool(Bool::Iff(a, b)) => all(&[a, b], true) && all(&[a, b], false),
        Formula::Bool(b) => all(&b.parts(), positive),
        Formula::Quantified(path, t) => {
            let runs = (*path == Path::E) == positive;
            let lasts = match t {
                Temporal::Finally(_) => *path == Path::E || idling == Idling::Always,
                Temporal::Until(..) => *path == Path::E || idling == Idling::Always,
                Temporal::Next(_) => idling == Idling::Always,
                Temporal::Globally(_) => *path == Path::A || idling == Idling::Always,
            };
            runs && lasts && all(&t.parts(), positive)
        }
        Formula::Know(_, _, a) => !positive && grows(a, false, idling),
        // A run that refutes it lasts if it need not end; its state parts must mean the same.
        Formula::Ltl(path) => {
            !positive && idling == Idling::Always && path.states().iter().all(|s| all(&[s], true) && all(&[s], false))
        }
        Formula::Can(..) | Formula::Fix(..) | Formula::Var(_) => false,
    }
}
