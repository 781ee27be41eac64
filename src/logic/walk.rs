//! Walking formulas: parts, atoms, classification.

use super::{Formula, Know, Logic, PathFormula, Property};

impl<A> Formula<A> {
    /// The direct parts that are formulas (an LTL formula's state parts included).
    pub fn parts(&self) -> Vec<&Formula<A>> {
        use Formula::*;
        match self {
            Atom(_) => vec![],
            Not(a) | Next(_, a) | Finally(_, a) | Globally(_, a) | Know(_, _, a) => vec![a],
            CanNext(_, a) | CanFinally(_, a) | CanGlobally(_, a) => vec![a],
            Quant { body, .. } => vec![body],
            And(xs) | Or(xs) => xs.iter().collect(),
            Implies(a, b) | Iff(a, b) | Until(_, a, b) | CanUntil(_, a, b) => vec![a, b],
            Ltl(path) => path.states(),
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
        use Formula::*;
        match self {
            Atom(_) => true,
            Not(_) | And(_) | Or(_) | Implies(..) | Iff(..) | Quant { .. } => self.parts().iter().all(|p| p.is_state()),
            _ => false,
        }
    }

    /// The smallest logic that holds the formula.
    pub fn logic(&self) -> Logic {
        let (mut know, mut can, mut ltl) = (false, false, false);
        self.walk(&mut |part| match part {
            Formula::Know(..) => know = true,
            Formula::CanNext(..) | Formula::CanFinally(..) | Formula::CanGlobally(..) | Formula::CanUntil(..) => {
                can = true
            }
            Formula::Ltl(_) => ltl = true,
            _ => {}
        });
        match (ltl, can, know) {
            (true, _, false) => Logic::Ltl,
            (true, _, true) => Logic::Ltlk,
            (_, true, false) => Logic::Atl,
            (_, true, true) => Logic::Atlk,
            (_, _, true) => Logic::Ctlk,
            _ => Logic::Ctl,
        }
    }

    /// The agents that knowledge operators name, each once, ascending.
    pub fn knowers(&self) -> Vec<usize> {
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
}

impl<A> PathFormula<A> {
    /// The direct parts that are path formulas.
    pub fn parts(&self) -> Vec<&PathFormula<A>> {
        use PathFormula::*;
        match self {
            State(_) => vec![],
            Not(a) | Next(a) | Finally(a) | Globally(a) => vec![a],
            Quant { body, .. } => vec![body],
            And(xs) | Or(xs) => xs.iter().collect(),
            Implies(a, b) | Iff(a, b) | Until(a, b) | WeakUntil(a, b) | Release(a, b) => vec![a, b],
        }
    }

    /// The state formulas inside.
    pub fn states(&self) -> Vec<&Formula<A>> {
        match self {
            PathFormula::State(f) => vec![f],
            _ => self.parts().into_iter().flat_map(|p| p.states()).collect(),
        }
    }
}

impl<A> Property<A> {
    /// The logic of formula and fairness together.
    pub fn logic(&self) -> Logic {
        self.formula.logic()
    }
}

impl Know {
    /// Its spelling in property files.
    pub const fn symbol(self) -> &'static str {
        match self {
            Know::K => "K",
            Know::Everybody => "EK",
            Know::Common => "CK",
            Know::Distributed => "DK",
        }
    }
}
