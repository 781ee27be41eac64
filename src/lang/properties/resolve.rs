//! From formulas as written to typed ones: logics kept apart, agents looked up, patterns expanded.
//!
//! A part without temporal operators becomes one atom, however large.

use super::RawProperty;
use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::resolve::names::artifact_type;
use crate::lang::gsm::resolve::{Bound, property_atom};
use crate::lang::gsm::{AUTO_AGENT, Application, Expr};
use crate::lang::syntax::{Ast, AstKind, Linear, Modal, Name, Pattern};
use crate::logic::{Formula, Know, Path, PathFormula};
use crate::source::codes::properties as codes;
use crate::source::{Diagnostic, Diagnostics};

type F = Formula<Expr>;
type P = PathFormula<Expr>;

/// A property with its formula resolved; `None` when something is wrong with it, which is reported.
pub fn property(raw: RawProperty, app: &Application, diags: &mut Diagnostics) -> Option<ModelProperty> {
    let mut r = Resolve { app, diags, bound: Vec::new(), next: 0 };
    let fair: Vec<Option<F>> = raw.fair.iter().map(|ast| r.fair(ast)).collect();
    let formula = r.outermost(raw.formula.as_ref()?);
    Some(ModelProperty {
        name: raw.name.unwrap_or_default(),
        text: raw.text,
        span: raw.span,
        expect: raw.expect,
        fair: fair.into_iter().collect::<Option<Vec<F>>>()?,
        formula: formula?,
    })
}

struct Resolve<'a> {
    app: &'a Application,
    diags: &'a mut Diagnostics,
    bound: Vec<Bound>,
    /// The next free variable number.
    next: u32,
}

/// No temporal, strategic or knowledge operator inside?
fn is_state(ast: &Ast) -> bool {
    !is_operator(ast) && ast.parts().into_iter().all(is_state)
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
            | Pattern(..)
    )
}

/// No temporal or strategic operator outside knowledge?
fn is_epistemic(ast: &Ast) -> bool {
    matches!(ast.kind, AstKind::Know(..)) || (!is_operator(ast) && ast.parts().into_iter().all(is_epistemic))
}

impl Resolve<'_> {
    fn outermost(&mut self, ast: &Ast) -> Option<F> {
        match &ast.kind {
            AstKind::OnAllRuns(inner) => self.path(inner).map(|p| Formula::Ltl(Box::new(p))),
            _ => self.formula(ast),
        }
    }

    fn fair(&mut self, ast: &Ast) -> Option<F> {
        if let AstKind::OnAllRuns(_) = ast.kind {
            let d = Diagnostic::new(&codes::FAIR_LTL, ast.span, "a fairness constraint cannot be an LTL formula");
            self.diags.push(d.help("name the snapshots that are to be visited again and again"));
            return None;
        }
        self.formula(ast)
    }

    fn error(&mut self, d: Diagnostic) -> Option<F> {
        self.diags.push(d);
        None
    }

    fn boxed(&mut self, ast: &Ast) -> Option<Box<F>> {
        self.formula(ast).map(Box::new)
    }

    /// Both, so that the mistakes of both are reported.
    fn both(&mut self, a: &Ast, b: &Ast) -> Option<(Box<F>, Box<F>)> {
        let (a, b) = (self.boxed(a), self.boxed(b));
        a.zip(b)
    }

    fn all(&mut self, parts: &[Ast]) -> Option<Vec<F>> {
        let all: Vec<Option<F>> = parts.iter().map(|p| self.formula(p)).collect();
        all.into_iter().collect()
    }

    fn formula(&mut self, ast: &Ast) -> Option<F> {
        if is_state(ast) {
            return property_atom(self.app, &self.bound, &mut self.next, ast, self.diags).map(Formula::Atom);
        }
        Some(match &ast.kind {
            AstKind::Not(a) => Formula::Not(self.boxed(a)?),
            AstKind::And(parts) => Formula::And(self.all(parts)?),
            AstKind::Or(parts) => Formula::Or(self.all(parts)?),
            AstKind::Implies(a, b) => self.both(a, b).map(|(a, b)| Formula::Implies(a, b))?,
            AstKind::Iff(a, b) => self.both(a, b).map(|(a, b)| Formula::Iff(a, b))?,
            AstKind::Xor(a, b) => self.both(a, b).map(|(a, b)| Formula::Not(Box::new(Formula::Iff(a, b))))?,
            AstKind::Ctl(path, Modal::Next, a) => Formula::Next(*path, self.boxed(a)?),
            AstKind::Ctl(path, Modal::Finally, a) => Formula::Finally(*path, self.boxed(a)?),
            AstKind::Ctl(path, Modal::Globally, a) => Formula::Globally(*path, self.boxed(a)?),
            AstKind::CtlUntil(path, a, b) => self.both(a, b).map(|(a, b)| Formula::Until(*path, a, b))?,
            AstKind::Know(know, group, a) => {
                let group = self.knowers(ast, *know, group);
                let inner = self.boxed(a);
                Formula::Know(*know, group?, inner?)
            }
            AstKind::Can(group, modal, a) => {
                let group = self.group(group);
                let inner = self.boxed(a);
                match modal {
                    Modal::Next => Formula::CanNext(group?, inner?),
                    Modal::Finally => Formula::CanFinally(group?, inner?),
                    Modal::Globally => Formula::CanGlobally(group?, inner?),
                }
            }
            AstKind::CanUntil(group, a, b) => {
                let group = self.group(group);
                let (a, b) = self.both(a, b)?;
                Formula::CanUntil(group?, a, b)
            }
            AstKind::Quant { exists, var, ty, body } => {
                let (exists, bound) = (*exists, self.bind(var, ty)?);
                let (var, ty) = (bound.var, bound.ty);
                self.bound.push(bound);
                let body = self.boxed(body);
                self.bound.pop();
                Formula::Quant { exists, var, ty, body: body? }
            }
            AstKind::Pattern(pattern, args) => self.pattern(*pattern, args)?,
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

    fn bind(&mut self, var: &Name, ty: &Name) -> Option<Bound> {
        let ty = artifact_type(self.app, ty, self.diags)?;
        self.next += 1;
        Some(Bound { name: Some(var.text.clone()), var: self.next - 1, ty })
    }

    fn pattern(&mut self, pattern: Pattern, args: &[Ast]) -> Option<F> {
        let globally = |f: F| Formula::Globally(Path::A, Box::new(f));
        let not = |f: F| Formula::Not(Box::new(f));
        let mut arg = |i: usize| args.get(i).and_then(|a| self.formula(a));
        let (p, q) = (arg(0), if args.len() > 1 { arg(1) } else { None });
        let implied = |p: F, q: F| globally(Formula::Implies(Box::new(p), Box::new(q)));
        Some(match pattern {
            Pattern::Never => globally(not(p?)),
            Pattern::Always => globally(p?),
            Pattern::Reachable => Formula::Finally(Path::E, Box::new(p?)),
            Pattern::Response => implied(p?, Formula::Finally(Path::A, Box::new(q?))),
            Pattern::PossibleResponse => implied(p?, Formula::Finally(Path::E, Box::new(q?))),
            Pattern::AbsenceAfter => implied(q?, globally(not(p?))),
            // !E(!p U (q && !p)); p is resolved twice, so that its variables keep numbers of their own.
            Pattern::Precedence => {
                let (early, again) = (Formula::And(vec![q?, not(arg(0)?)]), not(p?));
                not(Formula::Until(Path::E, Box::new(again), Box::new(early)))
            }
        })
    }

    fn knowers(&mut self, ast: &Ast, know: Know, names: &[Name]) -> Option<Vec<usize>> {
        if names.is_empty() {
            let message = format!("{} needs at least one agent", know.symbol());
            self.diags.push(Diagnostic::new(&codes::EMPTY_GROUP, ast.span, message));
            return None;
        }
        self.group(names)
    }

    fn group(&mut self, names: &[Name]) -> Option<Vec<usize>> {
        let found: Vec<Option<usize>> = names.iter().map(|name| self.agent(name)).collect();
        let mut group = found.into_iter().collect::<Option<Vec<usize>>>()?;
        group.sort_unstable();
        group.dedup();
        Some(group)
    }

    fn agent(&mut self, name: &Name) -> Option<usize> {
        let agents = self.app.agents.as_deref().unwrap_or_default();
        let found = match name.text.as_str() {
            AUTO_AGENT => Some(self.app.auto_agent()),
            text => agents.iter().position(|a| a.name == text),
        };
        if found.is_none() {
            let d = Diagnostic::new(&codes::UNKNOWN_AGENT, name.span, format!("unknown agent '{}'", name.text));
            let known = agents.iter().map(|a| a.name.as_str()).chain([AUTO_AGENT]);
            self.diags.push(match self.app.agents {
                None => d.help("there is no agents file, so only AutoAgent can be named"),
                Some(_) => d.nearest(&name.text, known),
            });
        }
        found
    }

    fn boxed_path(&mut self, ast: &Ast) -> Option<Box<P>> {
        self.path(ast).map(Box::new)
    }

    fn both_paths(&mut self, a: &Ast, b: &Ast) -> Option<(Box<P>, Box<P>)> {
        let (a, b) = (self.boxed_path(a), self.boxed_path(b));
        a.zip(b)
    }

    fn all_paths(&mut self, parts: &[Ast]) -> Option<Vec<P>> {
        let all: Vec<Option<P>> = parts.iter().map(|p| self.path(p)).collect();
        all.into_iter().collect()
    }

    /// A formula after `LTL`.
    fn path(&mut self, ast: &Ast) -> Option<P> {
        if is_epistemic(ast) {
            return self.formula(ast).map(PathFormula::State);
        }
        Some(match &ast.kind {
            AstKind::Not(a) => PathFormula::Not(self.boxed_path(a)?),
            AstKind::And(parts) => PathFormula::And(self.all_paths(parts)?),
            AstKind::Or(parts) => PathFormula::Or(self.all_paths(parts)?),
            AstKind::Implies(a, b) => self.both_paths(a, b).map(|(a, b)| PathFormula::Implies(a, b))?,
            AstKind::Iff(a, b) => self.both_paths(a, b).map(|(a, b)| PathFormula::Iff(a, b))?,
            AstKind::Xor(a, b) => {
                self.both_paths(a, b).map(|(a, b)| PathFormula::Not(Box::new(PathFormula::Iff(a, b))))?
            }
            AstKind::Ltl(Modal::Next, a) => PathFormula::Next(self.boxed_path(a)?),
            AstKind::Ltl(Modal::Finally, a) => PathFormula::Finally(self.boxed_path(a)?),
            AstKind::Ltl(Modal::Globally, a) => PathFormula::Globally(self.boxed_path(a)?),
            AstKind::LtlBinary(op, a, b) => {
                let (a, b) = self.both_paths(a, b)?;
                match op {
                    Linear::Until => PathFormula::Until(a, b),
                    Linear::WeakUntil => PathFormula::WeakUntil(a, b),
                    Linear::Release => PathFormula::Release(a, b),
                }
            }
            AstKind::Quant { exists, var, ty, body } => {
                let (exists, bound) = (*exists, self.bind(var, ty)?);
                let (var, ty) = (bound.var, bound.ty);
                self.bound.push(bound);
                let body = self.boxed_path(body);
                self.bound.pop();
                PathFormula::Quant { exists, var, ty, body: body? }
            }
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
