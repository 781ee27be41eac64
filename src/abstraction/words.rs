//! Predicates in the model's words.

use super::linear::{Atom, Leaf, Linear};
use super::{Predicate, System};
use crate::machine::{BOTTOM, VarId};
use crate::smt::Ratio;
use num_traits::{One, Signed, Zero};

/// `CustomerOrder[1]: Parts < 3`, or with whole names where several slots are involved.
pub fn name(system: &System, predicate: &Predicate) -> String {
    let m = system.machine;
    let slot = m.slots.iter().find(|s| predicate.vars.iter().all(|v| s.vars.contains(v)));
    let word = |v: &VarId| {
        let whole = &m.var(*v).name;
        let local = slot.and_then(|s| whole.strip_prefix(&s.name)).and_then(|rest| rest.strip_prefix('.'));
        local.unwrap_or(whole).to_string()
    };
    let text = match text(system, &predicate.atom) {
        Some((var, value)) => format!("{} == {value}", word(&var)),
        None => comparison(&predicate.atom, &word),
    };
    slot.map_or(text.clone(), |s| format!("{}: {text}", s.name))
}

/// A text and the constant that it is compared with.
fn text(system: &System, atom: &Atom) -> Option<(VarId, String)> {
    let mut terms = atom.sum.terms.keys();
    let (Some(Leaf::Var(var, _)), None) = (terms.next(), terms.next()) else { return None };
    let shown = system.texts.show(&atom.bound);
    let quoted = if shown == BOTTOM { shown } else { format!("'{shown}'") };
    system.texts.vars.contains(var).then_some((*var, quoted))
}

fn comparison(atom: &Atom, word: &dyn Fn(&VarId) -> String) -> String {
    // `a - b < 0` reads better as `a < b`.
    let (left, right): (Vec<_>, Vec<_>) = atom.sum.terms.iter().partition(|(_, c)| c.is_positive());
    let side = |terms: Vec<(&Leaf, &Ratio)>, constant: Ratio| {
        let mut parts: Vec<String> = terms.into_iter().map(|(l, c)| product(l, &c.abs(), word)).collect();
        if !constant.is_zero() || parts.is_empty() {
            parts.push(constant.to_string());
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
        Leaf::Quotient(a, b) => format!("({}) / ({})", sum(a, word), sum(b, word)),
        Leaf::Product(a, b) => format!("({}) * ({})", sum(a, word), sum(b, word)),
        Leaf::Choice(..) => "(a number that depends on a condition)".into(),
    };
    if factor.is_one() { text } else { format!("{factor} * {text}") }
}

fn sum(s: &Linear, word: &dyn Fn(&VarId) -> String) -> String {
    let mut parts: Vec<String> = s.terms.iter().map(|(l, c)| product(l, c, word)).collect();
    if !s.constant.is_zero() || parts.is_empty() {
        parts.push(s.constant.to_string());
    }
    parts.join(" + ").replace("+ -", "- ")
}
