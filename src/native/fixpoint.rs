//! Fixpoints of the µ-calculus, after Emerson and Lei.
//!
//! An inner fixpoint of the same kind goes on from where it was when the outer one takes a step: it can only have grown, or
//! shrunk, with it. One of the other kind begins again.

use rustc_hash::FxHashMap;

use super::bdd::Bdd;
use super::check::{Answer, Checker, Fairness, Fml, Trouble};
use crate::logic::{Fixpoint, Formula};

/// The fixpoints under way.
#[derive(Default)]
pub(super) struct Open {
    /// Variables with the sets they stand for now, outermost first.
    vars: Vec<(String, Bdd)>,
    /// How far inner fixpoints have come.
    reached: FxHashMap<Fml, Bdd>,
}

impl Open {
    pub(super) fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }
}

impl Checker<'_, '_> {
    /// The set that a variable stands for.
    pub(super) fn variable(&self, name: &str) -> Answer<Bdd> {
        let found = self.open.borrow().vars.iter().rfind(|(v, _)| v == name).map(|(_, set)| set.clone());
        found.ok_or_else(|| Trouble::Unsupported(format!("the fixpoint variable {name} is not bound")))
    }

    /// A fixpoint by iteration within the reachable snapshots; `f` is the whole, `body` what is iterated.
    pub(super) fn fixpoint(&self, f: &Fml, kind: Fixpoint, name: &str, body: &Fml, fair: &Fairness) -> Answer<Bdd> {
        if !fair.formulas.is_empty() {
            return Err(Trouble::Unsupported("fairness constraints have no meaning for fixpoints".into()));
        }
        let s = &self.sys.space;
        let first = match kind {
            Fixpoint::Least => s.no(),
            Fixpoint::Greatest => self.reach.set.clone(),
        };
        let before = self.open.borrow_mut().reached.remove(f);
        if before.is_none() {
            self.forget(body, None);
        }
        let mut now = before.unwrap_or(first);
        loop {
            self.forget(body, Some(kind));
            self.open.borrow_mut().vars.push((name.to_string(), now.clone()));
            let next = self.sat(body, fair);
            self.open.borrow_mut().vars.pop();
            let next = s.and(&next?, &self.reach.set)?;
            if next == now {
                break;
            }
            now = next;
        }
        let mut open = self.open.borrow_mut();
        if open.is_empty() {
            open.reached.clear();
        } else {
            open.reached.insert(f.clone(), now.clone());
        }
        Ok(now)
    }

    /// Forgets how far the fixpoints inside have come; those of one kind are kept.
    fn forget(&self, body: &Fml, keep: Option<Fixpoint>) {
        let mut open = self.open.borrow_mut();
        if open.reached.is_empty() {
            return;
        }
        body.walk(&mut |part| {
            if matches!(part, Formula::Fix(kind, ..) if Some(*kind) != keep) {
                open.reached.remove(part);
            }
        });
    }
}
