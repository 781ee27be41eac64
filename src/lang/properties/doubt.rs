//! Which questions tell whether a property's verdict says less than it seems to.

use super::Atoms;
use super::fixpoint::Sign;
use super::resolve::{F, Resolve, is_epistemic};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::logic::{Doubt, DoubtKind};
use crate::machine::CompareOp;
use crate::source::{Diagnostics, Span};

/// Parts of one property that are tried; more are not worth the time.
const MOST: usize = 16;

/// A part of a property and the quantifiers around it, outermost first.
struct Found<'a> {
    kind: DoubtKind,
    ast: &'a Ast,
    /// The formula that must hold somewhere; for a part to be replaced, unused.
    asked: Ast,
    around: Vec<(&'a Name, &'a Name)>,
}

/// The doubts about a property that has been read without a mistake; `text` gives the words at a place.
pub(super) fn doubts<L: Atoms>(ast: &Ast, atoms: &mut L, text: &dyn Fn(Span) -> String) -> Vec<Doubt<L::Atom>> {
    let mut found = Vec::new();
    let linear = matches!(ast.kind, AstKind::OnAllRuns(_));
    collect(ast, linear, Sign::Even, &mut Vec::new(), &mut found);
    let mut unheard = Diagnostics::default();
    let mut all: Vec<Doubt<L::Atom>> = Vec::new();
    for f in found.into_iter().take(MOST) {
        atoms.begin();
        let mut r = Resolve::new(atoms, &mut unheard, ast);
        if let Some(formula) = r.somewhere(&f.around, &f.asked) {
            all.push(Doubt { kind: f.kind, part: text(f.ast.span), formula });
        }
    }
    let mut leaves = Vec::new();
    replaceable(ast, Sign::Even, &mut leaves);
    // What a definition says stands in several places at once.
    let once = |part: &Ast| {
        let mut times = 0;
        ast.walk(&mut |p| times += usize::from(p.span == part.span));
        times == 1
    };
    for (part, by) in leaves.into_iter().filter(|(part, _)| part.span != ast.span && once(part)).take(MOST) {
        atoms.begin();
        let mut r = Resolve::new(atoms, &mut unheard, ast);
        r.replaced = Some((part.span, by));
        if let Some(formula) = r.outermost(ast) {
            all.push(Doubt { kind: DoubtKind::Part, part: text(part.span), formula });
        }
    }
    all
}

/// Left sides of implications that are folded into an atom or stand in linear time, and comparisons with constants. (Other
/// implications are still there after lowering.)
fn collect<'a>(
    ast: &'a Ast,
    linear: bool,
    sign: Sign,
    around: &mut Vec<(&'a Name, &'a Name)>,
    found: &mut Vec<Found<'a>>,
) {
    match &ast.kind {
        AstKind::Quant { var, ty, body, .. } => {
            around.push((var, ty));
            collect(body, linear, sign, around, found);
            around.pop();
            return;
        }
        // Variables of their own, or sets of snapshots: not taken apart.
        AstKind::Arrow { .. } | AstKind::Fix(..) | AstKind::Let(..) => return,
        AstKind::Implies(a, b) => {
            let folded = is_plain(a) && is_plain(b);
            if folded || linear && is_epistemic(a) {
                found.push(Found { kind: DoubtKind::LeftSide, ast, asked: (**a).clone(), around: around.clone() });
            }
        }
        AstKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b) => {
            let constant = |x: &Ast| matches!(x.kind, AstKind::Int(_) | AstKind::Text(_) | AstKind::Bool(_));
            let named = |x: &Ast| matches!(x.kind, AstKind::Path(_));
            if named(a) && constant(b) || constant(a) && named(b) {
                let asked = Ast::new(AstKind::Compare(CompareOp::Eq, a.clone(), b.clone()), ast.span);
                let wanted = sign == if *op == CompareOp::Ne { Sign::Even } else { Sign::Odd };
                found.push(Found { kind: DoubtKind::Constant { wanted }, ast, asked, around: around.clone() });
            }
        }
        _ => {}
    }
    let inside = linear && !matches!(ast.kind, AstKind::Know(..));
    for (i, part) in ast.parts().into_iter().enumerate() {
        collect(part, inside, sign.of(sign_of(ast, i)), around, found);
    }
}

/// The sign of a part within the whole.
fn sign_of(ast: &Ast, part: usize) -> Sign {
    match &ast.kind {
        AstKind::If(..) if part == 0 => Sign::Both,
        AstKind::Not(_) => Sign::Odd,
        AstKind::Implies(..) if part == 0 => Sign::Odd,
        AstKind::Pattern(pattern, _) => match pattern.sign(part) {
            Some(true) => Sign::Even,
            Some(false) => Sign::Odd,
            None => Sign::Both,
        },
        AstKind::Iff(..) | AstKind::Xor(..) => Sign::Both,
        _ => Sign::Even,
    }
}

/// No temporal, strategic or knowledge operator inside.
fn is_plain(ast: &Ast) -> bool {
    !matches!(ast.kind, AstKind::Know(..)) && is_epistemic(ast) && ast.parts().into_iter().all(is_plain)
}

/// The smallest parts that have a sign, each with the constant that makes the whole hardest to hold. Not those of left sides: that
/// less would have to be assumed is no reason to doubt.
fn replaceable<'a>(ast: &'a Ast, sign: Sign, found: &mut Vec<(&'a Ast, bool)>) {
    match &ast.kind {
        _ if sign == Sign::Both => {}
        AstKind::Bool(_) | AstKind::Fix(..) | AstKind::Iff(..) | AstKind::Xor(..) | AstKind::If(..) => {}
        AstKind::Not(_)
        | AstKind::Implies(..)
        | AstKind::Pattern(..)
        | AstKind::And(_)
        | AstKind::Or(_)
        | AstKind::Ctl(..)
        | AstKind::CtlUntil(..)
        | AstKind::Ltl(..)
        | AstKind::LtlBinary(..)
        | AstKind::OnAllRuns(_)
        | AstKind::Know(..)
        | AstKind::Can(..)
        | AstKind::CanUntil(..)
        | AstKind::Quant { .. } => {
            let assumed = |i: usize| match &ast.kind {
                AstKind::Implies(..) => i == 0,
                AstKind::Pattern(pattern, _) => pattern.is_left_side(i),
                _ => false,
            };
            for (i, part) in ast.parts().into_iter().enumerate().filter(|(i, _)| !assumed(*i)) {
                replaceable(part, sign.of(sign_of(ast, i)), found);
            }
        }
        _ => found.push((ast, sign == Sign::Odd)),
    }
}

impl<L: Atoms> Resolve<'_, L> {
    /// Some instances make a formula true.
    fn somewhere(&mut self, around: &[(&Name, &Name)], ast: &Ast) -> Option<F<L>> {
        match around {
            [] => self.formula(ast),
            [(var, ty), inner @ ..] => self.quantified(true, var, ty, |r| r.somewhere(inner, ast)),
        }
    }

    /// The constant that stands for a part in this reading.
    pub(super) fn replacement(&self, ast: &Ast) -> Option<bool> {
        self.replaced.filter(|(span, _)| *span == ast.span).map(|(_, by)| by)
    }
}
