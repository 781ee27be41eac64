//! Properties in one snapshot, part by part.

use super::Explorer;
use super::known::{Known, Progress, temporal_parts};
use super::predicates::Abstracted;
use super::told::Told;
use crate::interp::Interp;
use crate::logic::{Bool, Formula, Property};
use crate::machine::show;
use crate::machine::{ExprId, Node, Snapshot};
use crate::source::Sources;
use serde::Serialize;

type Fml = Formula<ExprId>;

/// How deep and how wide formulas are taken apart.
const DEEPEST: usize = 8;
const WIDEST: usize = 24;

/// All properties in one snapshot.
#[derive(Debug, Serialize)]
pub struct Judgement {
    /// How far the search behind temporal formulas is.
    pub progress: Progress,
    /// A check of all properties is done.
    pub checked: bool,
    /// Why there will be none.
    pub trouble: Option<String>,
    /// What it tells apart, with data without bounds.
    pub abstracted: Option<Abstracted>,
    /// One entry per property, in file order.
    pub properties: Vec<Judged>,
}

/// A property in one snapshot.
#[derive(Debug, Serialize)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// The formula as written.
    pub text: String,
    /// What the author expects in the initial snapshot.
    pub expect: bool,
    /// What the author says about it.
    pub comment: String,
    /// What a check says about it; null until it is done.
    pub told: Option<Told>,
    /// `file:line:column`.
    pub place: String,
    /// One snapshot alone decides it.
    pub state: bool,
    /// The formula here, with its parts.
    pub here: Part,
}

/// A part of a formula in a snapshot; `value` is null where it is not computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it says.
    pub text: String,
    /// Whether it holds here.
    pub value: Option<bool>,
    /// Its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

impl Explorer<'_> {
    /// Every property in a snapshot.
    pub(super) fn judge(&self, snapshot: &Snapshot) -> Judgement {
        let interp = self.viewer.interp();
        let judge = Judge { interp, known: &self.known, sources: self.sources };
        let told = |name: &str| self.told.get().and_then(|all| all.iter().find(|t| t.property == name)).cloned();
        let judged = interp.machine().properties.iter().map(|p| judge.property(p, snapshot));
        let properties = judged.map(|j| Judged { told: told(&j.name), ..j }).collect();
        Judgement {
            progress: self.known.progress(),
            checked: self.told.get().is_some() || self.trouble.get().is_some(),
            trouble: self.trouble.get().cloned(),
            abstracted: self.abstracted(snapshot),
            properties,
        }
    }
}

/// Evaluates formulas in single snapshots, with what is known of the others.
pub(super) struct Judge<'j, 'm> {
    pub interp: &'j Interp<'m>,
    pub known: &'j Known<'m>,
    pub sources: &'j Sources,
}

impl Judge<'_, '_> {
    /// A property in a snapshot.
    pub fn property(&self, p: &Property<ExprId>, snapshot: &Snapshot) -> Judged {
        Judged {
            name: p.name.clone(),
            text: p.text.clone(),
            expect: p.expect,
            comment: p.comment.clone(),
            told: None,
            place: self.sources.place(p.span),
            state: temporal_parts(&p.formula).is_empty(),
            here: self.part(p, &p.formula, snapshot, 0),
        }
    }

    fn part(&self, p: &Property<ExprId>, f: &Fml, snapshot: &Snapshot, depth: usize) -> Part {
        let m = self.interp.machine();
        let of = |f: &Fml| self.part(p, f, snapshot, depth + 1);
        let (value, parts) = match f {
            Formula::Atom(e) => return self.expression(*e, snapshot, depth),
            Formula::Bool(Bool::And(xs) | Bool::Or(xs)) if xs.len() == 1 => {
                return self.part(p, &xs[0], snapshot, depth);
            }
            Formula::Bool(Bool::Quant { body, .. }) => return of(body),
            Formula::Bool(b) => {
                let parts = b.map(of);
                (value(&parts.map(|p| p.value)), parts.parts().into_iter().cloned().collect())
            }
            Formula::Quantified(..) | Formula::Can(..) | Formula::Know(..) | Formula::Fix(..) | Formula::Ltl(_) => {
                (self.known.holds(&p.fair, f, snapshot), f.own_parts().into_iter().map(of).collect())
            }
            Formula::Var(_) => (None, vec![]),
        };
        Part { text: show::formula(m, f), value, parts: limited(parts, depth) }
    }

    fn expression(&self, e: ExprId, snapshot: &Snapshot, depth: usize) -> Part {
        let m = self.interp.machine();
        let parts = match m.exprs.node(e) {
            Node::Not(a) if matches!(m.exprs.node(*a), Node::And(_) | Node::Or(_)) => vec![*a],
            Node::And(xs) | Node::Or(xs) => xs.to_vec(),
            _ => vec![],
        };
        let parts = parts.into_iter().map(|p| self.expression(p, snapshot, depth + 1)).collect();
        Part { text: show::expression(m, e), value: Some(self.interp.holds(e, snapshot)), parts: limited(parts, depth) }
    }
}

fn limited(parts: Vec<Part>, depth: usize) -> Vec<Part> {
    if depth >= DEEPEST || parts.len() > WIDEST { Vec::new() } else { parts }
}

/// The value of a connective where some values may not be known.
fn value(b: &Bool<Option<bool>>) -> Option<bool> {
    match b {
        Bool::Not(a) => a.map(|v| !v),
        Bool::And(xs) => all(xs, true),
        Bool::Or(xs) => all(xs, false),
        Bool::Implies(a, b) => all(&[a.map(|v| !v), **b], false),
        Bool::Iff(a, b) => a.zip(**b).map(|(a, b)| a == b),
        Bool::Quant { body, .. } => **body,
    }
}

/// All have this value; one that has not decides.
fn all(parts: &[Option<bool>], value: bool) -> Option<bool> {
    if parts.contains(&Some(!value)) {
        return Some(!value);
    }
    parts.iter().all(Option::is_some).then_some(value)
}
