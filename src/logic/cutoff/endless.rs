//! Instances that keep arriving for ever, where every bound ends at some time.

use super::price::Pricing;
use super::{Cutoff, Idling, Leaf, Setting, cutoff};
use crate::logic::{Formula, Path, Temporal};

/// How many instances decide what is so where new ones may arrive for ever, with a system that may also do nothing: an arrival is
/// nothing to those a formula speaks of. `None` where a formula speaks of all instances in what is to come, for a new one may be
/// among them.
pub fn endless(f: &Formula<Leaf>, setting: &Setting) -> Option<Cutoff> {
    let setting = Setting { idling: Idling::Always, ..setting.clone() };
    let found = cutoff(f, &setting).ok()?;
    let apart = Pricing { setting: &setting, relaxed: false }.somewhere(f);
    apart.then_some(found)
}

impl Pricing<'_> {
    /// Is it about one snapshot that can be reached? Each of them has a bound.
    fn somewhere(&self, f: &Formula<Leaf>) -> bool {
        match f {
            Formula::Quantified(Path::A, Temporal::Globally(a))
            | Formula::Quantified(Path::E, Temporal::Finally(a)) => self.here(a),
            Formula::Bool(b) if !self.here(f) => b.parts().into_iter().all(|part| self.somewhere(part)),
            _ => self.here(f),
        }
    }

    /// Is it about a snapshot, and about what is to come only for instances it names?
    fn here(&self, f: &Formula<Leaf>) -> bool {
        match f {
            Formula::Atom(_) => true,
            Formula::Bool(b) => b.parts().into_iter().all(|part| self.here(part)),
            _ => self.tracked(f),
        }
    }
}
