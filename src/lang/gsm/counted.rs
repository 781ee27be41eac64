//! Numbers of instances: what properties say of them, and the same application with other numbers.

use super::{Application, Creation, DataKind, Expr, ExprKind, Gsm, ModelProperty, Over, Subject, TypeIx};
use crate::lang::counted::{Counted, CountedType};
use crate::lang::lens::Lens;
use crate::logic::cutoff::Leaf;
use crate::logic::{Bool, Connected, Formula, Rewrite, TypeNo};
use crate::machine::CompareOp;
use crate::source::{Diagnostic, Sources, Span};

impl Counted for Gsm {
    fn types(&self) -> Vec<CountedType> {
        let one = |(ix, t): (TypeIx, &super::ArtifactType)| CountedType {
            name: t.id.clone(),
            bound: t.bound,
            any: self.any.contains(&ix),
            made_by_steps: self.app.created_by_task(ix),
            refused: self.refused(ix),
        };
        TypeIx::each(&self.app.types).map(one).collect()
    }

    fn overflows(&self) -> bool {
        self.app.options.creation == Creation::Overflow
    }

    fn quantified(&self, property: usize) -> Option<Formula<Leaf>> {
        let property = self.properties.get(property).filter(|p| p.fair.is_empty())?;
        Some(Open { memory: self.memory_offsets() }.formula(&property.formula))
    }

    fn resized(&self, bounds: &[u32], sources: &Sources) -> Result<Box<dyn Lens>, Diagnostic> {
        let gsm = Gsm::new(self.with_bounds(bounds), self.properties.clone(), sources)?;
        Ok(Box::new(Gsm { abstraction: self.abstraction.clone(), any: self.any.clone(), ..gsm }))
    }

    fn relaxed(&self, property: usize, bounds: &[u32], sources: &Sources) -> Result<Box<dyn Lens>, Diagnostic> {
        let mut properties: Vec<ModelProperty> = self.properties.get(property).cloned().into_iter().collect();
        for p in &mut properties {
            p.formula = Relax { bound: Vec::new() }.formula(&p.formula);
            p.doubts.clear();
        }
        Ok(Box::new(Gsm::new(self.with_bounds(bounds), properties, sources)?))
    }
}

impl Gsm {
    fn with_bounds(&self, bounds: &[u32]) -> Application {
        let mut app = self.app.clone();
        for (t, bound) in app.types.iter_mut().zip(bounds) {
            t.bound = *bound;
        }
        app
    }

    /// Why a type's number of instances cannot be left open.
    fn refused(&self, ty: TypeIx) -> Option<(String, Span)> {
        let t = &self.app.types[ty];
        if self.app.created_by_task(ty) {
            return Some((
                format!("a task creates instances of '{}': families are not studied for any number", t.id),
                t.span,
            ));
        }
        let refers = |to: TypeIx| {
            move |t: &super::ArtifactType| {
                t.attrs.iter().find(|a| a.kind == DataKind::Reference(to)).map(|a| (a.path.clone(), a.span))
            }
        };
        if let Some(a) = t.attrs.iter().find(|a| matches!(a.kind, DataKind::Reference(_))) {
            return Some((format!("'{}.{}' refers to other instances", t.id, a.path), a.span));
        }
        let (path, span) = self.app.types.iter().find_map(refers(ty))?;
        Some((format!("'{path}' refers to instances of '{}'", t.id), span))
    }

    /// Per agent: the number of its first private variable among all.
    fn memory_offsets(&self) -> Vec<usize> {
        let vars = self.app.agents.iter().flatten().map(|a| a.vars.len());
        vars.scan(0, |next, n| Some(std::mem::replace(next, *next + n))).collect()
    }
}

/// Opens atoms: connectives and quantifiers inside become those of formulas.
struct Open {
    memory: Vec<usize>,
}

impl Open {
    fn open(&self, e: &Expr) -> Formula<Leaf> {
        let all = |xs: &[Expr]| xs.iter().map(|x| self.open(x)).collect();
        match &e.kind {
            ExprKind::Bool(value) => Formula::constant(*value),
            ExprKind::Not(a) => self.open(a).not(),
            ExprKind::And(xs) => Formula::all(all(xs)),
            ExprKind::Or(xs) => Formula::any(all(xs)),
            ExprKind::Implies(a, b) => self.open(a).implies(self.open(b)),
            ExprKind::Iff(a, b) => self.open(a).iff(self.open(b)),
            ExprKind::Quant { exists, var, ty, over: Over::Created, body } => {
                Formula::quant(*exists, *var, TypeNo(ty.0), self.open(body))
            }
            _ => {
                let mut found = Leaf::default();
                self.note(e, &mut found);
                Formula::Atom(found)
            }
        }
    }

    /// What an expression without connectives reads.
    fn note(&self, e: &Expr, leaf: &mut Leaf) {
        let mut var = |of: &Subject| match of {
            Subject::Bound(v) => leaf.vars.extend((!leaf.vars.contains(v)).then_some(*v)),
            Subject::Element => {}
            Subject::This => leaf.odd = Some("it speaks of an instance that is not named"),
        };
        match &e.kind {
            // Whether two instances are the same does not depend on their numbers.
            ExprKind::Compare(CompareOp::Eq | CompareOp::Ne, a, b) if is_instance(a) && is_instance(b) => {
                [a, b].into_iter().filter_map(|e| subject(e)).for_each(var);
                return;
            }
            ExprKind::Attr { of, .. }
            | ExprKind::Created { of, .. }
            | ExprKind::Tally { of, .. }
            | ExprKind::Stage { of, .. }
            | ExprKind::Milestone { of, .. } => var(of),
            ExprKind::Id { of } => {
                var(of);
                leaf.odd = Some("it speaks of the numbers of instances");
            }
            ExprKind::Private { agent, var } => {
                leaf.memory.extend(self.memory.get(*agent).map(|first| first + var));
            }
            ExprKind::Overflow => leaf.overflow = true,
            ExprKind::Count { .. } => leaf.odd = Some("it counts instances"),
            ExprKind::Quant { .. } => leaf.odd = Some("it follows references"),
            ExprKind::Occurring(_) | ExprKind::TaskCompleted(_) | ExprKind::Field(_) => {
                leaf.odd = Some("it speaks of a step");
            }
            _ => {}
        }
        e.parts().into_iter().for_each(|part| self.note(part, leaf));
    }
}

impl Rewrite<Expr, Leaf> for Open {
    fn atom(&mut self, e: &Expr) -> Formula<Leaf> {
        self.open(e)
    }
}

/// The instance that an expression stands for as a whole.
fn subject(e: &Expr) -> Option<&Subject> {
    match &e.kind {
        ExprKind::Id { of } => Some(of),
        _ => None,
    }
}

fn is_instance(e: &Expr) -> bool {
    subject(e).is_some()
}

/// Lets agents know that the instances they think about are there.
struct Relax {
    /// Variables bound on the way here, with their types.
    bound: Vec<(u32, TypeIx)>,
}

impl Rewrite<Expr, Expr> for Relax {
    fn atom(&mut self, e: &Expr) -> Formula<Expr> {
        Formula::Atom(e.clone())
    }

    fn formula(&mut self, f: &Formula<Expr>) -> Formula<Expr> {
        match f {
            Formula::Bool(Bool::Quant { var, ty, .. }) => {
                self.bound.push((*var, TypeIx(ty.0)));
                let done = f.rewritten(self);
                self.bound.pop();
                done
            }
            Formula::Know(kind, group, a) => {
                let there = |(var, ty): &(u32, TypeIx)| {
                    let kind = ExprKind::Created { of: Subject::Bound(*var), ty: *ty };
                    Formula::Atom(Expr { kind, span: Span::NOWHERE })
                };
                let there = Formula::all(self.bound.iter().map(there).collect());
                Formula::know(*kind, group.clone(), there.implies(self.formula(a)))
            }
            _ => f.rewritten(self),
        }
    }
}
