//! Properties with their quantifiers expanded over slots.

use super::Lower;
use super::expr::Scope;
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::{Expr, Given, ModelProperty};
use crate::logic::{Bool, Connected, Formula, PathFormula, Rewrite, TypeNo};
use crate::machine::{ExprId, SlotIx};

type Bound = Vec<(u32, SlotIx)>;

impl Lower<'_> {
    pub(super) fn make_properties(&mut self, properties: &[ModelProperty]) {
        for p in properties {
            let ground = p.rewritten(&mut Ground { lower: self, bound: Bound::new() });
            self.m.properties.push(ground);
        }
    }

    /// A given condition, of all instances that it can be about.
    pub(super) fn given(&mut self, given: &Given) -> Vec<ExprId> {
        let mut scopes = vec![Scope::default()];
        for (var, ty) in &given.about {
            let mut more = Vec::new();
            for scope in &scopes {
                for slot in self.slots(*ty) {
                    more.push(match var {
                        Some(var) => scope.with(*var, slot),
                        None => Scope { this: Some(slot), ..scope.clone() },
                    });
                }
            }
            scopes = more;
        }
        scopes.iter().map(|scope| self.boolean(&given.expr, scope)).collect()
    }

    /// For each slot of a type: whether it is created, and the variable bound to it.
    fn instances(&mut self, var: u32, ty: TypeNo, bound: &Bound) -> Vec<(ExprId, Bound)> {
        let each = |l: &mut Self, slot: SlotIx| {
            let created = l.m.exprs.cur(l.map.slots[slot].created);
            (created, bound.iter().copied().chain([(var, slot)]).collect())
        };
        self.slots(TypeIx(ty.0)).into_iter().map(|slot| each(self, slot)).collect()
    }
}

/// Rewrites formulas of the model where some variables are bound to slots.
struct Ground<'l, 'a> {
    lower: &'l mut Lower<'a>,
    bound: Bound,
}

impl Ground<'_, '_> {
    /// What is said of each slot of a type, with whether it is created.
    fn each<F>(&mut self, var: u32, ty: TypeNo, of: impl Fn(&mut Self) -> F) -> Vec<(ExprId, F)> {
        let instances = self.lower.instances(var, ty, &self.bound);
        let outside = std::mem::take(&mut self.bound);
        let mut said = Vec::new();
        for (created, bound) in instances {
            self.bound = bound;
            said.push((created, of(self)));
        }
        self.bound = outside;
        said
    }
}

impl Rewrite<Expr, ExprId> for Ground<'_, '_> {
    fn atom(&mut self, e: &Expr) -> Formula<ExprId> {
        Formula::Atom(self.lower.boolean(e, &Scope { bound: self.bound.clone(), ..Scope::default() }))
    }

    fn formula(&mut self, f: &Formula<Expr>) -> Formula<ExprId> {
        match f {
            Formula::Bool(Bool::Quant { exists, var, ty, body }) => {
                let slots = self.each(*var, *ty, |g| g.formula(body));
                Formula::spelled_out(*exists, slots.into_iter().map(|(c, f)| (Formula::Atom(c), f)).collect())
            }
            _ => f.rewritten(self),
        }
    }

    fn path(&mut self, f: &PathFormula<Expr>) -> PathFormula<ExprId> {
        match f {
            PathFormula::Bool(Bool::Quant { exists, var, ty, body }) => {
                let slots = self.each(*var, *ty, |g| g.path(body));
                let there = |c| PathFormula::State(Formula::Atom(c));
                PathFormula::spelled_out(*exists, slots.into_iter().map(|(c, f)| (there(c), f)).collect())
            }
            _ => f.rewritten(self),
        }
    }
}
