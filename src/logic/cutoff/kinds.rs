//! Kinds of formulas that prices are made of.

use super::price::Pricing;
use super::{Idling, Leaf, Setting};
use crate::logic::{Bool, Formula, Know, Path, Temporal};

/// Says a formula of every single instance what, true with one instance alone, is true with any number? Others' steps are stuttering
/// to the one it speaks of, and what agents know of it can only become more: that later ones are there.
pub fn inherited(f: &Formula<Leaf>, setting: &Setting) -> bool {
    let p = Pricing { setting, relaxed: false };
    match f {
        Formula::Quantified(Path::A, Temporal::Globally(a)) => match &**a {
            Formula::Bool(Bool::Quant { exists: false, ty, body, .. }) if *ty == setting.ty => {
                p.is_inherited(body, true)
            }
            _ => false,
        },
        Formula::Bool(Bool::And(parts)) => parts.iter().all(|part| inherited(part, setting)),
        _ => false,
    }
}

impl Pricing<'_> {
    /// Its truth depends on the instances it names only: other instances' steps change nothing about it.
    pub(super) fn tracked(&self, f: &Formula<Leaf>) -> bool {
        let all = |parts: Vec<&Formula<Leaf>>| parts.into_iter().all(|p| self.tracked(p));
        match f {
            Formula::Atom(leaf) => {
                leaf.odd.is_none() && !leaf.overflow && leaf.memory.iter().all(|m| !self.memory(*m).is_recorded())
            }
            Formula::Bool(Bool::Quant { ty, body, .. }) => *ty != self.setting.ty && self.tracked(body),
            Formula::Bool(b) => all(b.parts()),
            Formula::Quantified(path, t) => {
                let others_do_not_matter = match (path, t) {
                    (Path::E, Temporal::Finally(_) | Temporal::Until(..)) | (Path::A, Temporal::Globally(_)) => true,
                    (_, Temporal::Next(_)) => self.idle_always(),
                    _ => match self.setting.idling {
                        Idling::Always => true,
                        Idling::Terminal => self.setting.acyclic,
                        Idling::Never => false,
                    },
                };
                others_do_not_matter && all(t.parts())
            }
            _ => false,
        }
    }

    /// True of an instance alone, then true of it among others.
    fn is_inherited(&self, f: &Formula<Leaf>, positive: bool) -> bool {
        if self.tracked(f) {
            return true;
        }
        let all = |parts: Vec<&Formula<Leaf>>| parts.into_iter().all(|p| self.is_inherited(p, positive));
        match f {
            Formula::Bool(Bool::Not(a)) => self.is_inherited(a, !positive),
            Formula::Bool(Bool::Implies(a, b)) => self.is_inherited(a, !positive) && self.is_inherited(b, positive),
            Formula::Bool(Bool::And(xs) | Bool::Or(xs)) => all(xs.iter().collect()),
            Formula::Quantified(path, t) if positive => {
                let ends = match (path, t) {
                    (Path::E, Temporal::Finally(_) | Temporal::Until(..)) | (Path::A, Temporal::Globally(_)) => true,
                    (Path::A, Temporal::Finally(_) | Temporal::Until(..)) => match self.setting.idling {
                        Idling::Always => true,
                        Idling::Terminal => self.setting.acyclic,
                        Idling::Never => false,
                    },
                    _ => false,
                };
                ends && all(t.parts())
            }
            Formula::Know(Know::K | Know::Everybody | Know::Distributed, group, a) => {
                let apart = self.views_are_apart(group).is_ok() && self.recorded(group).is_empty();
                positive && apart && self.tracked(a)
            }
            _ => false,
        }
    }

    /// A conjunction of what is tracked and of what is said of every single instance. `Some(true)`: some of that is said of an
    /// instance together with those named outside.
    pub(super) fn pure(&self, f: &Formula<Leaf>, positive: bool, mixed: bool) -> Option<bool> {
        if self.tracked(f) {
            return Some(mixed);
        }
        let all = |parts: Vec<(&Formula<Leaf>, bool)>| {
            parts.into_iter().try_fold(mixed, |mixed, (f, positive)| self.pure(f, positive, mixed))
        };
        match f {
            Formula::Bool(Bool::Not(a)) => self.pure(a, !positive, mixed),
            Formula::Bool(Bool::And(xs)) if positive => all(xs.iter().map(|x| (x, true)).collect()),
            Formula::Bool(Bool::Or(xs)) if !positive => all(xs.iter().map(|x| (x, false)).collect()),
            Formula::Bool(Bool::Implies(a, b)) if !positive => all(vec![(a, true), (b, false)]),
            Formula::Bool(Bool::Quant { exists, var, ty, body }) if *exists != positive => {
                if *ty != self.setting.ty {
                    return self.pure(body, positive, mixed);
                }
                self.tracked(body).then(|| mixed || self.speaks_of_others(body, *var))
            }
            _ => None,
        }
    }

    /// Does a part speak of quantified instances other than one, that are bound outside of it?
    pub(super) fn speaks_of_others(&self, f: &Formula<Leaf>, var: u32) -> bool {
        fn free(f: &Formula<Leaf>, bound: &mut Vec<u32>) -> bool {
            match f {
                Formula::Atom(leaf) => leaf.vars.iter().any(|v| !bound.contains(v)),
                Formula::Bool(Bool::Quant { var, body, .. }) => {
                    bound.push(*var);
                    let found = free(body, bound);
                    bound.pop();
                    found
                }
                _ => f.parts().into_iter().any(|p| free(p, bound)),
            }
        }
        free(f, &mut vec![var])
    }
}
