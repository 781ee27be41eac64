//! Properties as SMV specifications.

use crate::backend::comment::Comment;
use crate::logic::{Bool, Formula, Path, PathFormula, Property, Temporal};
use crate::machine::ExprId;

/// Which kind of specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecKind {
    /// `CTLSPEC`.
    Ctl,
    /// `LTLSPEC`.
    Ltl,
    /// `INVARSPEC`: the `AG` of a state formula, without fairness.
    Invariant,
}

impl SpecKind {
    /// The keyword.
    pub const fn keyword(self) -> &'static str {
        match self {
            SpecKind::Ctl => "CTLSPEC",
            SpecKind::Ltl => "LTLSPEC",
            SpecKind::Invariant => "INVARSPEC",
        }
    }

    /// The command that checks one such specification.
    pub const fn command(self) -> &'static str {
        match self {
            SpecKind::Ctl => "check_ctlspec",
            SpecKind::Ltl => "check_ltlspec",
            SpecKind::Invariant => "check_invar",
        }
    }
}

/// A specification of an exported file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its name in the file.
    pub name: String,
    /// Its kind.
    pub kind: SpecKind,
    /// The formula.
    pub text: String,
    /// What it is, for the comment above it.
    pub comment: Comment,
}

/// Kind and text of a property, `atom` printing its atoms. With `negated`, of its negation (to get a witness); the negation of an
/// LTL property is not one, so that gives nothing.
pub fn specification(
    p: &Property<ExprId>,
    negated: bool,
    atom: &dyn Fn(ExprId) -> String,
) -> Option<(SpecKind, String)> {
    let text = |f: &Formula<ExprId>| branching(f, atom);
    match (&p.formula, negated) {
        (Formula::Ltl(path), false) => Some((SpecKind::Ltl, linear(path, atom)?)),
        (Formula::Ltl(_), true) => None,
        (Formula::Quantified(Path::A, Temporal::Globally(body)), false) if body.is_state() && p.fair.is_empty() => {
            Some((SpecKind::Invariant, text(body)?))
        }
        (Formula::Quantified(Path::E, Temporal::Finally(body)), true) if body.is_state() && p.fair.is_empty() => {
            Some((SpecKind::Invariant, format!("!{}", text(body)?)))
        }
        (f, false) => Some((SpecKind::Ctl, text(f)?)),
        (f, true) => Some((SpecKind::Ctl, format!("!{}", text(f)?))),
    }
}

/// A CTL formula; nothing for knowledge, strategies and LTL inside.
pub fn branching(f: &Formula<ExprId>, atom: &dyn Fn(ExprId) -> String) -> Option<String> {
    let of = |g: &Formula<ExprId>| branching(g, atom).ok_or(());
    Some(match f {
        Formula::Atom(e) => atom(*e),
        Formula::Bool(b) => connective(b.try_map(of).ok()?)?,
        Formula::Quantified(path, t) => match t.try_map(of).ok()? {
            Temporal::Until(a, b) => format!("({}[{a} U {b}])", path.letter()),
            t => format!("({}{})", path.letter(), operator(t)),
        },
        Formula::Can(..) | Formula::Know(..) | Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => return None,
    })
}

fn linear(f: &PathFormula<ExprId>, atom: &dyn Fn(ExprId) -> String) -> Option<String> {
    let of = |g: &PathFormula<ExprId>| linear(g, atom).ok_or(());
    match f {
        PathFormula::State(s) if s.is_state() => branching(s, atom),
        PathFormula::State(_) => None,
        PathFormula::Bool(b) => connective(b.try_map(of).ok()?),
        PathFormula::Temporal(t) => Some(format!("({})", operator(t.try_map(of).ok()?))),
    }
}

fn connective(b: Bool<String>) -> Option<String> {
    let chain = |parts: Vec<String>, by: &str, empty: &str| match parts.is_empty() {
        true => empty.to_string(),
        false => format!("({})", parts.join(by)),
    };
    Some(match b {
        Bool::Not(a) => format!("!{a}"),
        Bool::And(xs) => chain(xs, " & ", "TRUE"),
        Bool::Or(xs) => chain(xs, " | ", "FALSE"),
        Bool::Implies(a, b) => format!("({a} -> {b})"),
        Bool::Iff(a, b) => format!("({a} <-> {b})"),
        Bool::Quant { .. } => return None,
    })
}

fn operator(t: Temporal<String>) -> String {
    match t {
        Temporal::Next(a) => format!("X {a}"),
        Temporal::Finally(a) => format!("F {a}"),
        Temporal::Globally(a) => format!("G {a}"),
        Temporal::Until(a, b) => format!("{a} U {b}"),
    }
}
