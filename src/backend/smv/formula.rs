//! Properties as SMV specifications.

use crate::logic::{Formula, Path, PathFormula, Property};
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
    pub comment: String,
}

/// Kind and text of a property, `atom` printing its atoms. With `negated`, of its negation (to get a witness); the negation of an
/// LTL property is not one, so that gives nothing.
pub fn specification(
    p: &Property<ExprId>,
    negated: bool,
    atom: &dyn Fn(ExprId) -> String,
) -> Option<(SpecKind, String)> {
    match (&p.formula, negated) {
        (Formula::Ltl(path), false) => Some((SpecKind::Ltl, linear(path, atom)?)),
        (Formula::Ltl(_), true) => None,
        (Formula::Globally(Path::A, body), false) if body.is_state() && p.fair.is_empty() => {
            Some((SpecKind::Invariant, branching(body, atom)?))
        }
        (Formula::Finally(Path::E, body), true) if body.is_state() && p.fair.is_empty() => {
            Some((SpecKind::Invariant, format!("!{}", branching(body, atom)?)))
        }
        (f, false) => Some((SpecKind::Ctl, branching(f, atom)?)),
        (f, true) => Some((SpecKind::Ctl, format!("!{}", branching(f, atom)?))),
    }
}

/// A CTL formula; nothing for knowledge, strategies and LTL inside.
pub fn branching(f: &Formula<ExprId>, atom: &dyn Fn(ExprId) -> String) -> Option<String> {
    let of = |g: &Formula<ExprId>| branching(g, atom);
    let all = |xs: &[Formula<ExprId>]| xs.iter().map(of).collect::<Option<Vec<_>>>();
    let path = |p: &Path| if *p == Path::A { "A" } else { "E" };
    Some(match f {
        Formula::Atom(e) => atom(*e),
        Formula::Not(a) => format!("!{}", of(a)?),
        Formula::And(xs) => chain(all(xs)?, " & ", "TRUE"),
        Formula::Or(xs) => chain(all(xs)?, " | ", "FALSE"),
        Formula::Implies(a, b) => format!("({} -> {})", of(a)?, of(b)?),
        Formula::Iff(a, b) => format!("({} <-> {})", of(a)?, of(b)?),
        Formula::Next(p, a) => format!("({}X {})", path(p), of(a)?),
        Formula::Finally(p, a) => format!("({}F {})", path(p), of(a)?),
        Formula::Globally(p, a) => format!("({}G {})", path(p), of(a)?),
        Formula::Until(p, a, b) => format!("({}[{} U {}])", path(p), of(a)?, of(b)?),
        _ => return None,
    })
}

fn linear(f: &PathFormula<ExprId>, atom: &dyn Fn(ExprId) -> String) -> Option<String> {
    use PathFormula::*;
    let of = |g: &PathFormula<ExprId>| linear(g, atom);
    let all = |xs: &[PathFormula<ExprId>]| xs.iter().map(of).collect::<Option<Vec<_>>>();
    Some(match f {
        State(s) if s.is_state() => branching(s, atom)?,
        Not(a) => format!("!{}", of(a)?),
        And(xs) => chain(all(xs)?, " & ", "TRUE"),
        Or(xs) => chain(all(xs)?, " | ", "FALSE"),
        Implies(a, b) => format!("({} -> {})", of(a)?, of(b)?),
        Iff(a, b) => format!("({} <-> {})", of(a)?, of(b)?),
        Next(a) => format!("(X {})", of(a)?),
        Finally(a) => format!("(F {})", of(a)?),
        Globally(a) => format!("(G {})", of(a)?),
        Until(a, b) => format!("({} U {})", of(a)?, of(b)?),
        Release(a, b) => format!("({} V {})", of(a)?, of(b)?),
        WeakUntil(a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            format!("({b} V ({a} | {b}))")
        }
        State(_) | Quant { .. } => return None,
    })
}

fn chain(parts: Vec<String>, by: &str, empty: &str) -> String {
    if parts.is_empty() { empty.to_string() } else { format!("({})", parts.join(by)) }
}
