//! Predicates as the list in gsmc.toml takes them.

use super::linear::{Atom, Leaf, Linear, asked};
use super::predicate::variable;
use super::words::{date, local, said, text};
use super::{Predicate, System, buffers};
use crate::machine::{BOTTOM, Domain, Slot, VarId};
use num_traits::Zero;
use std::collections::BTreeSet;

/// `CustomerOrder: Parts < 3` or `x: A, y: B: x.n < y.m`. A buffer goes by the name of what it fills: what that is asked, the buffer is asked too.
/// `None` if it cannot be said there.
pub fn written(system: &System, predicate: &Predicate) -> Option<String> {
    let (atom, vars) = of_attributes(system, &predicate.atom)?;
    let slots: Vec<&Slot> = system.machine.slots.iter().filter(|s| vars.iter().any(|v| s.vars.contains(v))).collect();
    let of = |v: &VarId| slots.iter().position(|s| s.vars.contains(v));
    if !is_sayable(system, &atom, &vars) || vars.iter().any(|v| of(v).is_none()) {
        return None;
    }
    let letter = |at: usize| ["x", "y", "z"].get(at).map_or_else(|| format!("x{at}"), |l| l.to_string());
    let word = |v: &VarId| {
        let found = of(v).and_then(|at| Some((at, local(system, slots.get(at)?, *v)?)));
        found.map_or(String::new(), |(at, name)| if slots.len() > 1 { format!("{}.{name}", letter(at)) } else { name })
    };
    let kind = |s: &Slot| s.name.split('[').next().unwrap_or_default().to_string();
    let about = match slots.as_slice() {
        [only] => kind(only),
        all => {
            all.iter().enumerate().map(|(at, s)| format!("{}: {}", letter(at), kind(s))).collect::<Vec<_>>().join(", ")
        }
    };
    Some(format!("{about}: {}", said(system, &atom, &word)))
}

/// An atom with attributes in the place of the buffers that fill them, and what it is about.
fn of_attributes(system: &System, atom: &Atom) -> Option<(Atom, BTreeSet<VarId>)> {
    let filled: Vec<(VarId, VarId)> = buffers::fillings(system).into_iter().flatten().collect();
    let stands_for = |v: VarId| filled.iter().find(|(_, buffer)| *buffer == v).map_or(v, |(data, _)| *data);
    let (mut vars, mut plain) = (BTreeSet::new(), true);
    let sum = atom.difference().map(&mut |leaf| match leaf {
        Leaf::Var(v, _) => {
            vars.insert(stands_for(*v));
            variable(system, stands_for(*v))
        }
        other => {
            plain = false;
            Linear::leaf(other.clone())
        }
    });
    let [atom] = asked(atom.op(), &sum).try_into().ok().filter(|_| plain)?;
    Some((atom, vars))
}

/// Conditions neither name the text that is none, nor count the days between two dates.
fn is_sayable(system: &System, atom: &Atom, vars: &BTreeSet<VarId>) -> bool {
    let unset = text(system, atom).is_some_and(|(_, value)| value == BOTTOM);
    let is_date = |v: &VarId| matches!(system.machine.var(*v).domain, Domain::Date { .. });
    let counted = vars.iter().any(is_date) && date(system, atom).is_none() && !atom.bound.is_zero();
    !unset && !counted
}
