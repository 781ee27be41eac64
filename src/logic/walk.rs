//! Walking and rewriting formulas: the one place that knows which parts an operator has.

use super::{AgentIx, Bool, Formula, PathFormula, Temporal};
use std::convert::Infallible;

impl<F> Bool<F> {
    /// The parts, in order.
    pub fn parts(&self) -> Vec<&F> {
        match self {
            Bool::Not(a) | Bool::Quant { body: a, .. } => vec![a],
            Bool::And(xs) | Bool::Or(xs) => xs.iter().collect(),
            Bool::Implies(a, b) | Bool::Iff(a, b) => vec![a, b],
        }
    }

    /// The same connective over other parts.
    pub fn map<G>(&self, mut f: impl FnMut(&F) -> G) -> Bool<G> {
        match self.try_map(|part| Ok::<G, Infallible>(f(part))) {
            Ok(mapped) => mapped,
            Err(never) => match never {},
        }
    }

    /// The same connective over other parts, if all of them come about.
    pub fn try_map<G, E>(&self, mut f: impl FnMut(&F) -> Result<G, E>) -> Result<Bool<G>, E> {
        Ok(match self {
            Bool::Not(a) => Bool::Not(Box::new(f(a)?)),
            Bool::And(xs) => Bool::And(xs.iter().map(f).collect::<Result<_, E>>()?),
            Bool::Or(xs) => Bool::Or(xs.iter().map(f).collect::<Result<_, E>>()?),
            Bool::Implies(a, b) => Bool::Implies(Box::new(f(a)?), Box::new(f(b)?)),
            Bool::Iff(a, b) => Bool::Iff(Box::new(f(a)?), Box::new(f(b)?)),
            Bool::Quant { exists, var, ty, body } => {
                Bool::Quant { exists: *exists, var: *var, ty: *ty, body: Box::new(f(body)?) }
            }
        })
    }
}

impl Bool<bool> {
    /// The value. A quantifier has that of what it says of each.
    pub fn truth(&self) -> bool {
        match self {
            Bool::Not(a) => !**a,
            Bool::And(xs) => xs.iter().all(|x| *x),
            Bool::Or(xs) => xs.iter().any(|x| *x),
            Bool::Implies(a, b) => !**a || **b,
            Bool::Iff(a, b) => a == b,
            Bool::Quant { body, .. } => **body,
        }
    }
}

impl<F> Temporal<F> {
    /// The parts, in order.
    pub fn parts(&self) -> Vec<&F> {
        match self {
            Temporal::Next(a) | Temporal::Finally(a) | Temporal::Globally(a) => vec![a],
            Temporal::Until(a, b) => vec![a, b],
        }
    }

    /// The same operator over other parts.
    pub fn map<G>(&self, mut f: impl FnMut(&F) -> G) -> Temporal<G> {
        match self.try_map(|part| Ok::<G, Infallible>(f(part))) {
            Ok(mapped) => mapped,
            Err(never) => match never {},
        }
    }

    /// The same operator over other parts, if all of them come about.
    pub fn try_map<G, E>(&self, mut f: impl FnMut(&F) -> Result<G, E>) -> Result<Temporal<G>, E> {
        Ok(match self {
            Temporal::Next(a) => Temporal::next(f(a)?),
            Temporal::Finally(a) => Temporal::finally(f(a)?),
            Temporal::Globally(a) => Temporal::globally(f(a)?),
            Temporal::Until(a, b) => Temporal::until(f(a)?, f(b)?),
        })
    }
}

/// Turns formulas over `A` into formulas over `B`: says what becomes of atoms, and of whatever else does not stay as it is.
pub trait Rewrite<A, B> {
    /// What becomes of an atom.
    fn atom(&mut self, atom: &A) -> Formula<B>;

    /// What becomes of a formula: the same with its parts rewritten.
    fn formula(&mut self, f: &Formula<A>) -> Formula<B> {
        f.rewritten(self)
    }

    /// What becomes of a path formula: the same with its parts rewritten.
    fn path(&mut self, f: &PathFormula<A>) -> PathFormula<B> {
        f.rewritten(self)
    }
}

impl<A> Formula<A> {
    /// The direct parts that are formulas (an LTL formula's state parts included).
    pub fn parts(&self) -> Vec<&Formula<A>> {
        match self {
            Formula::Atom(_) => vec![],
            Formula::Bool(b) => b.parts(),
            Formula::Quantified(_, t) | Formula::Can(_, t) => t.parts(),
            Formula::Know(_, _, a) | Formula::Fix(_, _, a) => vec![a],
            Formula::Var(_) => vec![],
            Formula::Ltl(path) => path.states(),
        }
    }

    /// The same operator over rewritten parts.
    pub fn rewritten<B, R: Rewrite<A, B> + ?Sized>(&self, r: &mut R) -> Formula<B> {
        match self {
            Formula::Atom(a) => r.atom(a),
            Formula::Bool(b) => Formula::Bool(b.map(|f| r.formula(f))),
            Formula::Quantified(path, t) => Formula::Quantified(*path, t.map(|f| r.formula(f))),
            Formula::Can(group, t) => Formula::Can(group.clone(), t.map(|f| r.formula(f))),
            Formula::Know(kind, group, a) => Formula::know(*kind, group.clone(), r.formula(a)),
            Formula::Fix(kind, name, a) => Formula::fix(*kind, name, r.formula(a)),
            Formula::Var(name) => Formula::Var(name.clone()),
            Formula::Ltl(path) => Formula::ltl(r.path(path)),
        }
    }

    /// Calls `f` on this formula and everything inside, outside first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Formula<A>)) {
        f(self);
        for part in self.parts() {
            part.walk(f);
        }
    }

    /// Calls `f` on every atom.
    pub fn atoms<'a>(&'a self, f: &mut dyn FnMut(&'a A)) {
        self.walk(&mut |part| {
            if let Formula::Atom(a) = part {
                f(a);
            }
        });
    }

    /// No temporal, strategic or knowledge operator inside: a statement about one snapshot.
    pub fn is_state(&self) -> bool {
        match self {
            Formula::Atom(_) => true,
            Formula::Bool(b) => b.parts().into_iter().all(Formula::is_state),
            Formula::Quantified(..) | Formula::Can(..) | Formula::Know(..) => false,
            Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => false,
        }
    }

    /// The agents that knowledge operators name, each once, ascending.
    pub fn knowers(&self) -> Vec<AgentIx> {
        let mut all = Vec::new();
        self.walk(&mut |part| {
            if let Formula::Know(_, group, _) = part {
                all.extend(group);
            }
        });
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The outermost parts that one snapshot alone does not decide: below connectives, the formula itself if it is not one.
    pub fn operators(&self) -> Vec<&Formula<A>> {
        match self {
            Formula::Atom(_) => vec![],
            Formula::Bool(b) => b.parts().into_iter().flat_map(Formula::operators).collect(),
            Formula::Quantified(..) | Formula::Can(..) | Formula::Know(..) => vec![self],
            Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => vec![self],
        }
    }

    /// The direct parts that say something of a snapshot by themselves: not those of a path formula or under a fixpoint.
    pub fn own_parts(&self) -> Vec<&Formula<A>> {
        match self {
            Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => vec![],
            Formula::Atom(_) | Formula::Bool(_) | Formula::Quantified(..) | Formula::Can(..) | Formula::Know(..) => {
                self.parts()
            }
        }
    }
}

impl<A> PathFormula<A> {
    /// The direct parts that are path formulas.
    pub fn parts(&self) -> Vec<&PathFormula<A>> {
        match self {
            PathFormula::State(_) => vec![],
            PathFormula::Bool(b) => b.parts(),
            PathFormula::Temporal(t) => t.parts(),
        }
    }

    /// The same operator over rewritten parts.
    pub fn rewritten<B, R: Rewrite<A, B> + ?Sized>(&self, r: &mut R) -> PathFormula<B> {
        match self {
            PathFormula::State(f) => PathFormula::State(r.formula(f)),
            PathFormula::Bool(b) => PathFormula::Bool(b.map(|f| r.path(f))),
            PathFormula::Temporal(t) => PathFormula::Temporal(t.map(|f| r.path(f))),
        }
    }

    /// The state formulas inside.
    pub fn states(&self) -> Vec<&Formula<A>> {
        match self {
            PathFormula::State(f) => vec![f],
            PathFormula::Bool(_) | PathFormula::Temporal(_) => {
                self.parts().into_iter().flat_map(PathFormula::states).collect()
            }
        }
    }
}
