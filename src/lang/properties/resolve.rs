//! From formulas as written to typed ones: logics kept apart, agents looked up, patterns expanded.
//!
//! A part without temporal operators becomes one atom, however large.

use super::doubt::doubts;
use super::fixpoint::{Fixpoints, Sign};
use super::{Atoms, RawProperty};
use crate::lang::syntax::{Ast, AstKind, Linear, Modal, Name};
use crate::logic::{AgentIx, Connected, Formula, Know, PathFormula, Property, Temporal};
use crate::source::codes::properties as codes;
use crate::source::{Diagnostic, Diagnostics, Span};

pub(super) type F<L> = Formula<<L as Atoms>::Atom>;
type P<L> = PathFormula<<L as Atoms>::Atom>;

/// A property with its formula resolved; `None` when something is wrong with it, which is reported.
pub fn property<L: Atoms>(
    raw: RawProperty,
    atoms: &mut L,
    text: &dyn Fn(Span) -> String,
    diags: &mut Diagnostics,
) -> Option<Property<L::Atom>> {
    atoms.begin();
    let ast = raw.formula.as_ref()?;
    let mut r = Resolve::new(atoms, diags, ast);
    let fair: Vec<Option<F<L>>> = raw.fair.iter().map(|ast| r.fair(ast)).collect();
    let formula = if raw.fair.is_empty() || r.may_be_fair(ast) { r.outermost(ast) } else { None };
    let (fair, formula) = (fair.into_iter().collect::<Option<Vec<F<L>>>>()?, formula?.recognised());
    let doubts = doubts(ast, atoms, text);
    Some(Property {
        name: raw.name.unwrap_or_default(),
        text: raw.text,
        comment: raw.comment,
        span: raw.span,
        expect: raw.expect,
        fair,
        formula,
        doubts,
    })
}

pub(super) struct Resolve<'a, L> {
    atoms: &'a mut L,
    pub(super) diags: &'a mut Diagnostics,
    pub(super) fixpoints: Fixpoints,
    /// A part that is read as a constant.
    pub(super) replaced: Option<(Span, bool)>,
}

fn is_operator(ast: &Ast) -> bool {
    use AstKind::*;
    matches!(
        ast.kind,
        Ctl(..)
            | CtlUntil(..)
            | Ltl(..)
            | LtlBinary(..)
            | OnAllRuns(_)
            | Know(..)
            | Can(..)
            | CanUntil(..)
            | Fix(..)
            | Pattern(..)
    )
}

/// No temporal or strategic operator outside knowledge?
pub(super) fn is_epistemic(ast: &Ast) -> bool {
    matches!(ast.kind, AstKind::Know(..)) || (!is_operator(ast) && ast.parts().into_iter().all(is_epistemic))
}

impl<L: Atoms> Resolve<'_, L> {
    /// A reader of a formula, or of its parts.
    pub(super) fn new<'a>(atoms: &'a mut L, diags: &'a mut Diagnostics, ast: &Ast) -> Resolve<'a, L> {
        Resolve { atoms, diags, fixpoints: Fixpoints::of(ast), replaced: None }
    }

    /// No temporal, strategic or knowledge operator inside, and nothing that is not an expression of the language?
    fn is_state(&self, ast: &Ast) -> bool {
        let ours = is_operator(ast) || self.fixpoints.named(ast) || self.replacement(ast).is_some();
        !ours && ast.parts().into_iter().all(|part| self.is_state(part))
    }

    /// Is some part inside read as a constant?
    fn has_replacement(&self, ast: &Ast) -> bool {
        self.replaced.is_some()
            && (self.replacement(ast).is_some() || ast.parts().into_iter().any(|part| self.has_replacement(part)))
    }

    pub(super) fn outermost(&mut self, ast: &Ast) -> Option<F<L>> {
        self.fixpoints = Fixpoints::of(ast);
        match &ast.kind {
            AstKind::OnAllRuns(inner) => self.path(inner).map(Formula::ltl),
            _ => self.formula(ast),
        }
    }

    fn fair(&mut self, ast: &Ast) -> Option<F<L>> {
        if let AstKind::OnAllRuns(_) = ast.kind {
            let d = Diagnostic::new(&codes::FAIR_LTL, ast.span, "a fairness constraint cannot be an LTL formula");
            self.diags.push(d.help("name the snapshots that are to be visited again and again"));
            return None;
        }
        self.fixpoints = Fixpoints::of(ast);
        self.formula(ast)
    }

    pub(super) fn error(&mut self, d: Diagnostic) -> Option<F<L>> {
        self.diags.push(d);
        None
    }

    /// Both, so that the mistakes of both are reported.
    fn both(&mut self, a: &Ast, b: &Ast) -> Option<(F<L>, F<L>)> {
        let (a, b) = (self.formula(a), self.formula(b));
        a.zip(b)
    }

    fn all(&mut self, parts: &[Ast]) -> Option<Vec<F<L>>> {
        let all: Vec<Option<F<L>>> = parts.iter().map(|p| self.formula(p)).collect();
        all.into_iter().collect()
    }

    pub(super) fn formula(&mut self, ast: &Ast) -> Option<F<L>> {
        if self.is_state(ast) {
            return self.atoms.atom(ast, self.diags).map(Formula::Atom);
        }
        if let Some(value) = self.replacement(ast) {
            return Some(Formula::constant(value));
        }
        Some(match &ast.kind {
            AstKind::Not(a) => self.signed(Sign::Odd, |r| r.formula(a))?.not(),
            AstKind::And(parts) => Formula::all(self.all(parts)?),
            AstKind::Or(parts) => Formula::any(self.all(parts)?),
            AstKind::Implies(a, b) => {
                let (a, b) = (self.signed(Sign::Odd, |r| r.formula(a)), self.formula(b));
                a?.implies(b?)
            }
            AstKind::Iff(a, b) => self.signed(Sign::Both, |r| r.both(a, b)).map(|(a, b)| a.iff(b))?,
            AstKind::Xor(a, b) => self.signed(Sign::Both, |r| r.both(a, b)).map(|(a, b)| a.iff(b).not())?,
            AstKind::If(c, a, b) => {
                let c = self.signed(Sign::Both, |r| Some((r.formula(c)?, r.formula(c)?)));
                let ((yes, no), (a, b)) = (c?, self.both(a, b)?);
                Formula::any(vec![Formula::all(vec![yes, a]), Formula::all(vec![no.not(), b])])
            }
            AstKind::Let(..) => {
                let message = "let keeps no value along a run";
                let d = Diagnostic::new(&codes::COMPARED, ast.span, message);
                return self.error(d.help("put let inside of the temporal operator, or write #define name (…) above"));
            }
            AstKind::Fix(kind, name, body) => self.fixpoint(*kind, name, body)?,
            AstKind::Path(_) if self.fixpoints.named(ast) => self.fixpoint_variable(ast)?,
            AstKind::Ctl(path, op, a) => Formula::Quantified(*path, modal(*op, self.formula(a)?)),
            AstKind::CtlUntil(path, a, b) => {
                let (a, b) = self.both(a, b)?;
                Formula::Quantified(*path, Temporal::until(a, b))
            }
            AstKind::Know(know, group, a) => {
                let group = self.knowers(ast, *know, group);
                let inner = self.formula(a);
                Formula::know(*know, group?, inner?)
            }
            AstKind::Can(group, op, a) => {
                let group = self.group(group);
                let inner = self.formula(a);
                Formula::Can(group?, modal(*op, inner?))
            }
            AstKind::CanUntil(group, a, b) => {
                let group = self.group(group);
                let (a, b) = self.both(a, b)?;
                Formula::Can(group?, Temporal::until(a, b))
            }
            AstKind::Quant { exists, var, ty, body } => self.quantified(*exists, var, ty, |r| r.formula(body))?,
            AstKind::Pattern(pattern, args) => {
                let sign = |i| match pattern.sign(i) {
                    Some(true) => Sign::Even,
                    Some(false) => Sign::Odd,
                    None => Sign::Both,
                };
                pattern.meaning(&mut |i| args.get(i).and_then(|arg| self.signed(sign(i), |r| r.formula(arg))))?
            }
            AstKind::OnAllRuns(_) | AstKind::Ltl(..) | AstKind::LtlBinary(..) => {
                let d = Diagnostic::new(&codes::LTL_INSIDE, ast.span, "LTL can stand outermost only");
                return self.error(d);
            }
            _ => {
                let message = "a temporal formula is not a value that can be compared or computed with";
                return self
                    .error(Diagnostic::new(&codes::COMPARED, ast.span, message).help("compare formulas with '<->'"));
            }
        })
    }

    pub(super) fn quantified<T: Connected>(
        &mut self,
        exists: bool,
        var: &Name,
        ty: &Name,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let (number, ty) = self.atoms.bind(var, ty, self.diags)?;
        self.fixpoints.quantified.push(var.text.clone());
        let body = body(self);
        self.fixpoints.quantified.pop();
        self.atoms.unbind();
        Some(T::quant(exists, number, ty, body?))
    }

    fn knowers(&mut self, ast: &Ast, know: Know, names: &[Name]) -> Option<Vec<AgentIx>> {
        if names.is_empty() {
            let message = format!("{} needs at least one agent", know.symbol());
            self.diags.push(Diagnostic::new(&codes::EMPTY_GROUP, ast.span, message));
            return None;
        }
        self.group(names)
    }

    fn group(&mut self, names: &[Name]) -> Option<Vec<AgentIx>> {
        let found: Vec<Option<AgentIx>> = names.iter().map(|name| self.agent(name)).collect();
        let mut group = found.into_iter().collect::<Option<Vec<AgentIx>>>()?;
        group.sort_unstable();
        group.dedup();
        Some(group)
    }

    fn agent(&mut self, name: &Name) -> Option<AgentIx> {
        let agents = self.atoms.agents();
        let found = agents.iter().position(|a| a.as_ref() == Some(&name.text)).map(AgentIx);
        if found.is_none() {
            let d = Diagnostic::new(&codes::UNKNOWN_AGENT, name.span, format!("unknown agent '{}'", name.text));
            self.diags.push(match self.atoms.about_agents() {
                Some(why) => d.help(why),
                None => d.nearest(&name.text, agents.iter().flatten().map(String::as_str)),
            });
        }
        found
    }

    fn both_paths(&mut self, a: &Ast, b: &Ast) -> Option<(P<L>, P<L>)> {
        let (a, b) = (self.path(a), self.path(b));
        a.zip(b)
    }

    fn all_paths(&mut self, parts: &[Ast]) -> Option<Vec<P<L>>> {
        let all: Vec<Option<P<L>>> = parts.iter().map(|p| self.path(p)).collect();
        all.into_iter().collect()
    }

    /// A formula after `LTL`.
    fn path(&mut self, ast: &Ast) -> Option<P<L>> {
        if let Some(value) = self.replacement(ast) {
            return Some(PathFormula::constant(value));
        }
        if is_epistemic(ast) && !self.has_replacement(ast) {
            return self.formula(ast).map(PathFormula::State);
        }
        Some(match &ast.kind {
            AstKind::Not(a) => self.path(a)?.not(),
            AstKind::And(parts) => PathFormula::all(self.all_paths(parts)?),
            AstKind::Or(parts) => PathFormula::any(self.all_paths(parts)?),
            AstKind::Implies(a, b) => self.both_paths(a, b).map(|(a, b)| a.implies(b))?,
            AstKind::Iff(a, b) => self.both_paths(a, b).map(|(a, b)| a.iff(b))?,
            AstKind::Xor(a, b) => self.both_paths(a, b).map(|(a, b)| a.iff(b).not())?,
            AstKind::If(c, a, b) => {
                let (yes, no) = (self.path(c)?, self.path(c)?);
                let (a, b) = self.both_paths(a, b)?;
                PathFormula::any(vec![PathFormula::all(vec![yes, a]), PathFormula::all(vec![no.not(), b])])
            }
            AstKind::Ltl(op, a) => PathFormula::Temporal(modal(*op, self.path(a)?)),
            AstKind::LtlBinary(op, a, b) => {
                let (a, b) = self.both_paths(a, b)?;
                match op {
                    Linear::Until => PathFormula::until(a, b),
                    Linear::WeakUntil => PathFormula::weak_until(a, b),
                    Linear::Release => PathFormula::release(a, b),
                }
            }
            AstKind::Quant { exists, var, ty, body } => self.quantified(*exists, var, ty, |r| r.path(body))?,
            AstKind::OnAllRuns(_) => {
                self.diags.push(Diagnostic::new(&codes::LTL_INSIDE, ast.span, "LTL can stand outermost only"));
                return None;
            }
            AstKind::Compare(..) | AstKind::Arith(..) => {
                let message = "a temporal formula is not a value that can be compared or computed with";
                self.diags
                    .push(Diagnostic::new(&codes::COMPARED, ast.span, message).help("compare formulas with '<->'"));
                return None;
            }
            _ => {
                let message = "an operator of branching time cannot stand inside LTL";
                let d = Diagnostic::new(&codes::BRANCHING_IN_LTL, ast.span, message);
                self.diags.push(d.help("use G, F, X, U, W and R; inside K branching time is allowed"));
                return None;
            }
        })
    }
}

fn modal<T>(op: Modal, a: T) -> Temporal<T> {
    match op {
        Modal::Next => Temporal::next(a),
        Modal::Finally => Temporal::finally(a),
        Modal::Globally => Temporal::globally(a),
    }
}
