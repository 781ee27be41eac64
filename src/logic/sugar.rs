//! What is said with the core: operators and patterns that no engine needs to know.

use super::{Bool, Connected, Formula, PathFormula, Temporal};

impl<A> PathFormula<A> {
    /// `a R b`: the second up to and including the point where the first holds, or for ever. It is `!(!a U !b)`.
    pub fn release(a: Self, b: Self) -> Self {
        PathFormula::until(a.not(), b.not()).not()
    }

    /// The two sides of a formula that [`PathFormula::release`] made.
    pub fn as_release(&self) -> Option<(&Self, &Self)> {
        use PathFormula as P;
        let P::Bool(Bool::Not(inner)) = self else { return None };
        let P::Temporal(Temporal::Until(a, b)) = inner.as_ref() else { return None };
        match (a.as_ref(), b.as_ref()) {
            (P::Bool(Bool::Not(a)), P::Bool(Bool::Not(b))) => Some((a, b)),
            _ => None,
        }
    }
}

impl<A: Clone> PathFormula<A> {
    /// `a W b`: until, or for ever. It is `b R (a or b)`.
    pub fn weak_until(a: Self, b: Self) -> Self {
        PathFormula::release(b.clone(), PathFormula::any(vec![a, b]))
    }
}

impl<A: PartialEq> PathFormula<A> {
    /// The two sides of a formula that [`PathFormula::weak_until`] made.
    pub fn as_weak_until(&self) -> Option<(&Self, &Self)> {
        match self.as_release()? {
            (b, PathFormula::Bool(Bool::Or(either))) => match either.as_slice() {
                [a, again] if again == b => Some((a, b)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Property patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `never(p)`
    Never,
    /// `always(p)`
    Always,
    /// `reachable(p)`
    Reachable,
    /// `response(p, q)`
    Response,
    /// `possible_response(p, q)`
    PossibleResponse,
    /// `precedence(p, q)`
    Precedence,
    /// `absence_after(p, q)`
    AbsenceAfter,
    /// `exclusion(p, q)`
    Exclusion,
    /// `sequence(p, q)`
    Sequence,
}

impl Pattern {
    /// All patterns with their names and numbers of arguments.
    pub const ALL: [(Pattern, &'static str, usize); 9] = [
        (Pattern::Never, "never", 1),
        (Pattern::Always, "always", 1),
        (Pattern::Reachable, "reachable", 1),
        (Pattern::Response, "response", 2),
        (Pattern::PossibleResponse, "possible_response", 2),
        (Pattern::Precedence, "precedence", 2),
        (Pattern::AbsenceAfter, "absence_after", 2),
        (Pattern::Exclusion, "exclusion", 2),
        (Pattern::Sequence, "sequence", 2),
    ];

    /// The pattern of a name; `consequence` is another one for `response`.
    pub fn named(name: &str) -> Option<Pattern> {
        let name = if name == "consequence" { "response" } else { name };
        Pattern::ALL.iter().find(|(_, n, _)| *n == name).map(|(p, ..)| *p)
    }

    /// What the pattern stands for. `arg(i)` gives its argument `i` afresh each time, so that variables bound in it keep numbers of
    /// their own.
    pub fn meaning<A>(self, arg: &mut dyn FnMut(usize) -> Option<Formula<A>>) -> Option<Formula<A>> {
        let (p, q) = (arg(0), if self.arity() > 1 { arg(1) } else { None });
        Some(match self {
            Pattern::Never => Formula::ag(p?.not()),
            Pattern::Always => Formula::ag(p?),
            Pattern::Reachable => Formula::ef(p?),
            Pattern::Response => Formula::ag(p?.implies(Formula::af(q?))),
            Pattern::PossibleResponse => Formula::ag(p?.implies(Formula::ef(q?))),
            Pattern::AbsenceAfter => Formula::ag(q?.implies(Formula::ag(p?.not()))),
            // !E(!p U (q && !p))
            Pattern::Precedence => {
                let early = Formula::all(vec![q?, arg(0)?.not()]);
                Formula::eu(p?.not(), early).not()
            }
            Pattern::Exclusion => Formula::ag(Formula::all(vec![p?, q?]).not()),
            Pattern::Sequence => {
                let order = Pattern::Precedence.meaning(arg)?;
                Formula::all(vec![order, Formula::af(p?), Formula::af(q?)])
            }
        })
    }

    /// The sign of an argument: whether the pattern can only become true, or only become false, when the argument becomes true;
    /// `None` where it can be either.
    pub fn sign(self, arg: usize) -> Option<bool> {
        match self {
            Pattern::Always | Pattern::Reachable => Some(true),
            Pattern::Never | Pattern::AbsenceAfter | Pattern::Exclusion => Some(false),
            Pattern::Response | Pattern::PossibleResponse => Some(arg == 1),
            Pattern::Precedence => Some(arg == 0),
            Pattern::Sequence => (arg == 0).then_some(true),
        }
    }

    /// Whether an argument is the left side of an implication.
    pub fn is_left_side(self, arg: usize) -> bool {
        match self {
            Pattern::Response | Pattern::PossibleResponse => arg == 0,
            Pattern::AbsenceAfter => arg == 1,
            Pattern::Never | Pattern::Always | Pattern::Reachable | Pattern::Precedence => false,
            Pattern::Exclusion | Pattern::Sequence => false,
        }
    }

    /// Number of arguments.
    pub fn arity(self) -> usize {
        Pattern::ALL.iter().find(|(p, ..)| *p == self).map_or(0, |(_, _, n)| *n)
    }
}
