//! Properties with their quantifiers expanded over slots.

use super::Lower;
use super::expr::Scope;
use crate::lang::gsm::ModelProperty;
use crate::lang::gsm::{Expr, TypeIx};
use crate::logic::{Formula, PathFormula, Property};
use crate::machine::{ExprId, SlotIx};

type Bound = Vec<(u32, SlotIx)>;

impl Lower<'_> {
    pub(super) fn make_properties(&mut self, properties: &[ModelProperty]) {
        for p in properties {
            let fair = p.fair.iter().map(|f| self.formula(f, &Vec::new())).collect();
            let formula = self.formula(&p.formula, &Vec::new());
            let (name, text) = (p.name.clone(), p.text.clone());
            self.m.properties.push(Property { name, text, span: p.span, expect: p.expect, fair, formula });
        }
    }

    fn atom(&mut self, e: &Expr, bound: &Bound) -> ExprId {
        self.boolean(e, &Scope { bound: bound.clone(), ..Scope::default() })
    }

    fn formula(&mut self, f: &Formula<Expr>, bound: &Bound) -> Formula<ExprId> {
        use Formula::*;
        let mut sub = |g: &Formula<Expr>| Box::new(self.formula(g, bound));
        match f {
            Atom(e) => Atom(self.atom(e, bound)),
            Not(a) => Not(sub(a)),
            And(xs) => And(xs.iter().map(|x| self.formula(x, bound)).collect()),
            Or(xs) => Or(xs.iter().map(|x| self.formula(x, bound)).collect()),
            Implies(a, b) => Implies(sub(a), sub(b)),
            Iff(a, b) => Iff(sub(a), sub(b)),
            Next(q, a) => Next(*q, sub(a)),
            Finally(q, a) => Finally(*q, sub(a)),
            Globally(q, a) => Globally(*q, sub(a)),
            Until(q, a, b) => Until(*q, sub(a), sub(b)),
            Know(k, g, a) => Know(*k, g.clone(), sub(a)),
            CanNext(g, a) => CanNext(g.clone(), sub(a)),
            CanFinally(g, a) => CanFinally(g.clone(), sub(a)),
            CanGlobally(g, a) => CanGlobally(g.clone(), sub(a)),
            CanUntil(g, a, b) => CanUntil(g.clone(), sub(a), sub(b)),
            Ltl(p) => Ltl(Box::new(self.path(p, bound))),
            Quant { exists, var, ty, body } => {
                let parts = self.instances(*var, *ty, bound).into_iter().map(|(created, inner)| {
                    let (there, holds) = (Atom(created), self.formula(body, &inner));
                    if *exists { And(vec![there, holds]) } else { Implies(Box::new(there), Box::new(holds)) }
                });
                if *exists { Or(parts.collect()) } else { And(parts.collect()) }
            }
        }
    }

    fn path(&mut self, f: &PathFormula<Expr>, bound: &Bound) -> PathFormula<ExprId> {
        use PathFormula::*;
        let mut sub = |g: &PathFormula<Expr>| Box::new(self.path(g, bound));
        match f {
            State(s) => State(self.formula(s, bound)),
            Not(a) => Not(sub(a)),
            And(xs) => And(xs.iter().map(|x| self.path(x, bound)).collect()),
            Or(xs) => Or(xs.iter().map(|x| self.path(x, bound)).collect()),
            Implies(a, b) => Implies(sub(a), sub(b)),
            Iff(a, b) => Iff(sub(a), sub(b)),
            Next(a) => Next(sub(a)),
            Finally(a) => Finally(sub(a)),
            Globally(a) => Globally(sub(a)),
            Until(a, b) => Until(sub(a), sub(b)),
            WeakUntil(a, b) => WeakUntil(sub(a), sub(b)),
            Release(a, b) => Release(sub(a), sub(b)),
            Quant { exists, var, ty, body } => {
                let parts = self.instances(*var, *ty, bound).into_iter().map(|(created, inner)| {
                    let (there, holds) = (State(Formula::Atom(created)), self.path(body, &inner));
                    if *exists { And(vec![there, holds]) } else { Implies(Box::new(there), Box::new(holds)) }
                });
                if *exists { Or(parts.collect()) } else { And(parts.collect()) }
            }
        }
    }

    /// For each slot of a type: whether it is created, and the variable bound to it.
    fn instances(&mut self, var: u32, ty: TypeIx, bound: &Bound) -> Vec<(ExprId, Bound)> {
        let each = |l: &mut Self, slot: SlotIx| {
            let created = l.m.exprs.cur(l.map.slots[slot].created);
            (created, bound.iter().copied().chain([(var, slot)]).collect())
        };
        self.slots(ty).into_iter().map(|slot| each(self, slot)).collect()
    }
}
