//! Formulas and conditions taken apart, as far as reasons need it.

use super::{Fml, Literal};
use crate::logic::{Bool, Connected, Formula, Path, Temporal};
use crate::machine::{CompareOp, ExprId, Machine, Node, VarId};

/// What makes up a formula about one snapshot: all of these, or any of them.
#[derive(Default)]
pub(super) struct Parts {
    /// All of these.
    pub all: Option<Vec<Fml>>,
    /// Any of these.
    pub any: Option<Vec<Fml>>,
}

pub(super) fn parts(m: &Machine, f: &Fml) -> Parts {
    let atoms = |list: &[ExprId], value: bool| list.iter().map(|e| formula((*e, value))).collect::<Vec<Fml>>();
    let flat = |list: Vec<Fml>| -> Vec<Fml> {
        list.into_iter().flat_map(|p| parts(m, &p).all.unwrap_or_else(|| vec![p.clone()])).collect()
    };
    let negated = |f: &Fml| match f {
        Formula::Atom(e) => Some(*e),
        _ => None,
    };
    match f {
        Formula::Bool(Bool::And(list)) => Parts { all: Some(flat(list.clone())), any: None },
        Formula::Bool(Bool::Or(list)) => Parts { all: None, any: Some(list.clone()) },
        Formula::Bool(Bool::Not(a)) => match negated(a).map(|e| m.exprs.node(e)) {
            Some(Node::Not(inner)) => parts(m, &Formula::Atom(*inner)),
            Some(Node::Or(list)) => Parts { all: Some(flat(atoms(list, false))), any: None },
            Some(Node::And(list)) => Parts { all: None, any: Some(atoms(list, false)) },
            _ => Parts::default(),
        },
        Formula::Atom(e) => match m.exprs.node(*e) {
            Node::And(list) => Parts { all: Some(flat(atoms(list, true))), any: None },
            Node::Or(list) => Parts { all: None, any: Some(atoms(list, true)) },
            Node::Not(a) if matches!(m.exprs.node(*a), Node::And(_) | Node::Or(_)) => parts(m, &formula((*a, false))),
            _ => Parts::default(),
        },
        _ => Parts::default(),
    }
}

pub(super) fn formula((e, value): Literal) -> Fml {
    if value { Formula::Atom(e) } else { Formula::Atom(e).not() }
}

/// The variable and the value that a formula asks for, if it is as simple as that.
pub(super) fn assignment(m: &Machine, f: &Fml) -> Option<(VarId, i64)> {
    let (e, value) = match f {
        Formula::Atom(e) => (*e, true),
        Formula::Bool(Bool::Not(a)) => match a.as_ref() {
            Formula::Atom(e) => (*e, false),
            _ => return None,
        },
        _ => return None,
    };
    match m.exprs.node(e) {
        Node::Cur(v) | Node::Prev(v) => Some((*v, i64::from(value))),
        Node::Not(a) => assignment(m, &formula((*a, !value))),
        Node::Compare(CompareOp::Eq, a, b) if value => match (m.exprs.node(*a), m.exprs.node(*b)) {
            (Node::Cur(v) | Node::Prev(v), Node::Int(i)) | (Node::Int(i), Node::Cur(v) | Node::Prev(v)) => {
                Some((*v, *i))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What an `EX` asks of the next snapshot.
pub(super) fn next_goal(f: &Fml) -> Option<&Fml> {
    match f {
        Formula::Quantified(Path::E, Temporal::Next(a)) => Some(a),
        _ => None,
    }
}

pub(super) fn is_existence(m: &Machine, f: &Fml) -> bool {
    assignment(m, f).is_some_and(|(v, _)| m.is_existence(v))
}

pub(super) fn reads_input(m: &Machine, e: ExprId) -> bool {
    let mut found = false;
    m.exprs.leaves(e, &mut |leaf| found |= matches!(leaf, Node::Input(_)));
    found
}

pub(super) fn reads_scratch(m: &Machine, e: ExprId) -> bool {
    let mut found = false;
    m.exprs.leaves(e, &mut |leaf| found |= matches!(leaf, Node::Cur(v) if m.var(*v).scratch));
    found
}

/// A part as it reads, whichever moment it is about.
pub(super) fn spelled(m: &Machine, (e, value): Literal) -> String {
    let text = crate::machine::show::expression(m, e).replace("before(", "").replace(['(', ')'], "");
    format!("{value} {text}")
}

/// Are these the same for different slots?
pub(super) fn same_slots(m: &Machine, parts: &[Fml]) -> bool {
    let shape = |f: &Fml| {
        let mut text = crate::machine::show::formula(m, f);
        m.slots.iter().for_each(|s| text = text.replace(&s.name, &format!("#{}", s.family)));
        text
    };
    parts.windows(2).all(|w| shape(&w[0]) == shape(&w[1]))
}
