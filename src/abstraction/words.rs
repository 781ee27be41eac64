//! Predicates in the model's words.

use super::linear::{Atom, Leaf, Linear};
use super::{Origin, Predicate, Predicates, System};
use crate::machine::calendar::WHEN;
use crate::machine::{BOTTOM, Domain, Slot, VarId, number};
use crate::smt::Ratio;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// `CustomerOrder[1]: Parts < 3`, or with whole names where several slots are involved.
pub fn name(system: &System, predicate: &Predicate) -> String {
    let m = system.machine;
    let slot = m.slots.iter().find(|s| predicate.vars.iter().all(|v| s.vars.contains(v)));
    let word = |v: &VarId| slot.and_then(|s| local(system, s, *v)).unwrap_or_else(|| plain(&m.var(*v).name).into());
    let text = said(system, &predicate.atom, &word);
    slot.map_or(text.clone(), |s| format!("{}: {text}", s.name))
}

/// An atom in words, where variables have words.
pub(super) fn said(system: &System, atom: &Atom, word: &dyn Fn(&VarId) -> String) -> String {
    match text(system, atom) {
        Some((var, value)) => format!("{} == {value}", word(&var)),
        None => match date(system, atom) {
            Some((var, op, value)) => format!("{} {op} '{value}'", word(&var)),
            None => comparison(&in_units(system, atom), word),
        },
    }
}

/// A variable's name within its slot.
pub(super) fn local(system: &System, slot: &Slot, var: VarId) -> Option<String> {
    let rest = system.machine.var(var).name.strip_prefix(&slot.name)?;
    rest.strip_prefix('.').map(|name| plain(name).to_string())
}

fn plain(name: &str) -> &str {
    name.strip_suffix(WHEN).unwrap_or(name)
}

/// A condition on data in the same words; `None` if payload has a part in it.
pub fn condition(system: &System, atom: &Atom) -> Option<String> {
    let (mut vars, mut payload) = (Vec::new(), false);
    atom.leaves(&mut |leaf| match leaf {
        Leaf::Var(v, _) => vars.push(*v),
        Leaf::Input(..) => payload = true,
        _ => {}
    });
    let predicate = Predicate { atom: atom.clone(), vars, origin: Origin::Refined, round: 0 };
    (!payload).then(|| name(system, &predicate))
}

/// The positions of the predicates that are about data of an atom.
pub fn sharing(predicates: &Predicates, atom: &Atom) -> Vec<usize> {
    let of = |p: &Predicate| {
        let mut shared = false;
        atom.leaves(&mut |leaf| shared |= matches!(leaf, Leaf::Var(v, _) if p.vars.contains(v)));
        shared
    };
    (0..).zip(&predicates.list).filter(|(_, p)| of(p)).map(|(i, _)| i).collect()
}

/// A text and the constant that it is compared with.
pub(super) fn text(system: &System, atom: &Atom) -> Option<(VarId, String)> {
    let mut terms = atom.sum.terms.keys();
    let (Some(Leaf::Var(var, _)), None) = (terms.next(), terms.next()) else { return None };
    let shown = system.texts.show(&atom.bound);
    let quoted = if shown == BOTTOM { shown } else { format!("'{shown}'") };
    system.texts.vars.contains(var).then_some((*var, quoted))
}

/// A date and the constant that it is compared with.
pub(super) fn date(system: &System, atom: &Atom) -> Option<(VarId, &'static str, String)> {
    let mut terms = atom.sum.terms.iter();
    let (Some((Leaf::Var(var, _), factor)), None) = (terms.next(), terms.next()) else { return None };
    let domain = &system.machine.var(*var).domain;
    let fits = factor.is_one() && matches!(domain, Domain::Date { .. }) && atom.bound.is_integer();
    let number = atom.bound.to_integer().to_i64().filter(|_| fits)?;
    Some((*var, if atom.less { "<" } else { "==" }, domain.show(number)))
}

/// Numbers with fractions are counted in parts; people count in ones.
fn in_units(system: &System, atom: &Atom) -> Atom {
    let mut real = false;
    let mut sum = atom.difference().map(&mut |leaf| match leaf {
        Leaf::Var(v, _) => match &system.machine.var(*v).domain {
            Domain::Real { parts, .. } => {
                real = true;
                Linear::leaf(leaf.clone()).times(&Ratio::from_integer((*parts).into()))
            }
            _ => Linear::leaf(leaf.clone()),
        },
        other => Linear::leaf(other.clone()),
    });
    if !real {
        return atom.clone();
    }
    let first = sum.terms.values().next().map_or_else(Ratio::one, Signed::abs);
    sum = sum.times(&first.recip());
    // What has no end as a decimal is counted in parts of one.
    let endless = |n: &Ratio| number::write(n).contains('/');
    if sum.terms.values().chain([&sum.constant]).any(endless) {
        let parts = sum.terms.values().chain([&sum.constant]).fold(BigInt::one(), |all, n| all.lcm(n.denom()));
        sum = sum.times(&Ratio::from_integer(parts));
    }
    let bound = -std::mem::replace(&mut sum.constant, Ratio::zero());
    Atom { less: atom.less, sum, bound }
}

fn comparison(atom: &Atom, word: &dyn Fn(&VarId) -> String) -> String {
    // `a - b < 0` reads better as `a < b`.
    let (left, right): (Vec<_>, Vec<_>) = atom.sum.terms.iter().partition(|(_, c)| c.is_positive());
    let side = |terms: Vec<(&Leaf, &Ratio)>, constant: Ratio| {
        let mut parts: Vec<String> = terms.into_iter().map(|(l, c)| product(l, &c.abs(), word)).collect();
        if !constant.is_zero() || parts.is_empty() {
            parts.push(number::write(&constant));
        }
        parts.join(" + ").replace("+ -", "- ")
    };
    let op = if atom.less { "<" } else { "==" };
    format!("{} {op} {}", side(left, Ratio::zero()), side(right, atom.bound.clone()))
}

fn product(leaf: &Leaf, factor: &Ratio, word: &dyn Fn(&VarId) -> String) -> String {
    let text = match leaf {
        Leaf::Var(v, _) => word(v),
        Leaf::Input(i, _) => format!("payload {}", i.0),
        Leaf::Quotient(a, b) | Leaf::Over(a, b) => format!("({}) / ({})", sum(a, word), sum(b, word)),
        Leaf::Product(a, b) => format!("({}) * ({})", sum(a, word), sum(b, word)),
        Leaf::Choice(..) => "(a number that depends on a condition)".into(),
    };
    if factor.is_one() { text } else { format!("{} * {text}", number::write(factor)) }
}

fn sum(s: &Linear, word: &dyn Fn(&VarId) -> String) -> String {
    let mut parts: Vec<String> = s.terms.iter().map(|(l, c)| product(l, c, word)).collect();
    if !s.constant.is_zero() || parts.is_empty() {
        parts.push(number::write(&s.constant));
    }
    parts.join(" + ").replace("+ -", "- ")
}
