//! Which run would show a verdict.
//!
//! A universal formula is shown false, and an existential one true, by a single run: `AG`, `AX`, `AU` that fail and `EF`, `EX`, `EU`
//! that hold by its beginning, `AF` that fails and `EG` that holds by a lasso. What such a run must satisfy is a formula of linear time
//! whose atoms are statements about snapshots; what no run shows is one of these atoms.

use crate::logic::{Bool, Connected, Formula, Path, PathFormula, Temporal};

/// What a run must satisfy.
#[derive(Clone, Debug)]
pub struct Claim<A> {
    /// Over the numbers of the atoms.
    pub path: PathFormula<usize>,
    /// What is said of single snapshots, in the order in which it is said.
    pub atoms: Vec<Formula<A>>,
}

impl<A: Clone> Claim<A> {
    /// The runs that show that a formula has this value; `None` if no run does.
    pub fn of(f: &Formula<A>, value: bool) -> Option<Claim<A>> {
        let shown = match f {
            Formula::Ltl(path) if !value => path.as_ref().clone().not(),
            _ => shown(f, value),
        };
        let mut atoms = Vec::new();
        let path = numbered(&shown, &mut atoms);
        // Linear time is decided for the initial snapshot only.
        let linear = |f: &Formula<A>| {
            let mut found = false;
            f.walk(&mut |part| found |= matches!(part, Formula::Ltl(_)));
            found
        };
        // What is said of all runs may be said of how they begin: the initial snapshot is then the run.
        let along = is_temporal(&path) || matches!(f, Formula::Ltl(_)) && !value;
        (along && !atoms.iter().any(linear)).then_some(Claim { path, atoms })
    }

    /// Might only a lasso show it?
    pub fn is_endless(&self) -> bool {
        endless(&self.path, true)
    }

    /// Does a run with so many snapshots show it? `again`: after the last snapshot it goes on as after this one, which is the same. Otherwise it is a
    /// beginning, and whatever follows must not matter. `truth` says whether an atom surely has a value at a position.
    pub fn is_shown_by(&self, length: usize, again: Option<usize>, truth: &dyn Fn(usize, bool, usize) -> bool) -> bool {
        Shown { length, again, truth }.holds(&self.path, true, 0)
    }
}

fn state<A: Clone>(f: &Formula<A>, value: bool) -> PathFormula<A> {
    let state = PathFormula::State(f.clone());
    if value { state } else { state.not() }
}

fn shown<A: Clone>(f: &Formula<A>, value: bool) -> PathFormula<A> {
    let whole = || state(f, value);
    match f {
        Formula::Bool(Bool::Not(a)) => shown(a, !value),
        Formula::Bool(Bool::And(xs)) => together(xs.iter().map(|x| (x, value)).collect(), value, whole),
        Formula::Bool(Bool::Or(xs)) => together(xs.iter().map(|x| (x, value)).collect(), !value, whole),
        Formula::Bool(Bool::Implies(a, b)) => together(vec![(a, !value), (b, value)], !value, whole),
        Formula::Quantified(path, t) if (*path == Path::E) == value => along(t, value),
        _ => whole(),
    }
}

fn along<A: Clone>(t: &Temporal<Formula<A>>, value: bool) -> PathFormula<A> {
    match (t, value) {
        (Temporal::Next(a), _) => PathFormula::next(shown(a, value)),
        (Temporal::Finally(a), true) | (Temporal::Globally(a), false) => PathFormula::finally(shown(a, value)),
        (Temporal::Finally(a), false) | (Temporal::Globally(a), true) => PathFormula::globally(state(a, value)),
        (Temporal::Until(a, b), true) => PathFormula::until(state(a, true), shown(b, true)),
        (Temporal::Until(a, b), false) => PathFormula::until(state(a, true), state(b, true)).not(),
    }
}

/// Several parts, `all` of them or one. A run can show one part of a conjunction; the others are then statements about its snapshots.
fn together<A: Clone>(
    parts: Vec<(&Formula<A>, bool)>,
    all: bool,
    whole: impl Fn() -> PathFormula<A>,
) -> PathFormula<A> {
    let mut told: Vec<PathFormula<A>> = parts.iter().map(|(f, value)| shown(f, *value)).collect();
    if !told.iter().any(is_temporal) {
        return whole();
    }
    if !all {
        return PathFormula::any(told);
    }
    let mut first = true;
    for (part, (f, value)) in told.iter_mut().zip(&parts) {
        if is_temporal(part) && !std::mem::replace(&mut first, false) {
            *part = state(f, *value);
        }
    }
    PathFormula::all(told)
}

fn is_temporal<A>(f: &PathFormula<A>) -> bool {
    match f {
        PathFormula::State(_) => false,
        PathFormula::Bool(b) => b.parts().into_iter().any(is_temporal),
        PathFormula::Temporal(_) => true,
    }
}

fn numbered<A: Clone>(f: &PathFormula<A>, atoms: &mut Vec<Formula<A>>) -> PathFormula<usize> {
    match f {
        PathFormula::State(a) => {
            atoms.push(a.clone());
            PathFormula::State(Formula::Atom(atoms.len() - 1))
        }
        PathFormula::Bool(b) => PathFormula::Bool(b.map(|part| numbered(part, atoms))),
        PathFormula::Temporal(t) => PathFormula::Temporal(t.map(|part| numbered(part, atoms))),
    }
}

fn endless(f: &PathFormula<usize>, positive: bool) -> bool {
    match f {
        PathFormula::State(_) => false,
        PathFormula::Bool(Bool::Not(a)) => endless(a, !positive),
        PathFormula::Bool(Bool::Implies(a, b)) => endless(a, !positive) || endless(b, positive),
        PathFormula::Bool(Bool::Iff(..)) => is_temporal(f),
        PathFormula::Bool(b) => b.parts().into_iter().any(|part| endless(part, positive)),
        PathFormula::Temporal(Temporal::Globally(a)) => positive || endless(a, positive),
        PathFormula::Temporal(Temporal::Finally(a)) => !positive || endless(a, positive),
        PathFormula::Temporal(Temporal::Until(a, b)) => !positive || endless(a, positive) || endless(b, positive),
        PathFormula::Temporal(Temporal::Next(a)) => endless(a, positive),
    }
}

/// A run on which a formula is evaluated, literally.
struct Shown<'t> {
    length: usize,
    again: Option<usize>,
    truth: &'t dyn Fn(usize, bool, usize) -> bool,
}

impl Shown<'_> {
    fn after(&self, at: usize) -> Option<usize> {
        let next = at + 1;
        // The last snapshot of a lasso is an earlier one again.
        match self.again {
            Some(again) if next + 1 == self.length => Some(again),
            _ => (next < self.length).then_some(next),
        }
    }

    fn holds(&self, f: &PathFormula<usize>, positive: bool, at: usize) -> bool {
        match f {
            PathFormula::State(Formula::Atom(atom)) => (self.truth)(*atom, positive, at),
            PathFormula::State(_) => false,
            PathFormula::Bool(b) => self.connective(b, positive, at),
            PathFormula::Temporal(t) => self.operator(t, positive, at),
        }
    }

    fn connective(&self, b: &Bool<PathFormula<usize>>, positive: bool, at: usize) -> bool {
        let part = |f: &PathFormula<usize>, value: bool| self.holds(f, value, at);
        match (b, positive) {
            (Bool::Not(a), _) => part(a, !positive),
            (Bool::And(xs), true) | (Bool::Or(xs), false) => xs.iter().all(|x| part(x, positive)),
            (Bool::And(xs), false) | (Bool::Or(xs), true) => xs.iter().any(|x| part(x, positive)),
            (Bool::Implies(a, b), true) => part(a, false) || part(b, true),
            (Bool::Implies(a, b), false) => part(a, true) && part(b, false),
            (Bool::Iff(a, b), _) => (part(a, true) && part(b, positive)) || (part(a, false) && part(b, !positive)),
            (Bool::Quant { body, .. }, _) => part(body, positive),
        }
    }

    fn operator(&self, t: &Temporal<PathFormula<usize>>, positive: bool, at: usize) -> bool {
        let constant = PathFormula::constant(true);
        match (t, positive) {
            (Temporal::Next(a), _) => self.after(at).is_some_and(|next| self.holds(a, positive, next)),
            (Temporal::Finally(a), true) => self.until(&constant, a, true, at),
            (Temporal::Until(a, b), true) => self.until(a, b, true, at),
            (Temporal::Globally(a), false) => self.until(&constant, a, false, at),
            (Temporal::Globally(a), true) => self.release(None, a, true, at),
            (Temporal::Finally(a), false) => self.release(None, a, false, at),
            (Temporal::Until(a, b), false) => self.release(Some(a), b, false, at),
        }
    }

    /// `a` holds until `b` has the value.
    fn until(&self, a: &PathFormula<usize>, b: &PathFormula<usize>, value: bool, mut at: usize) -> bool {
        for _ in 0..=2 * self.length {
            if self.holds(b, value, at) {
                return true;
            }
            match self.after(at) {
                Some(next) if self.holds(a, true, at) => at = next,
                _ => return false,
            }
        }
        false
    }

    /// `b` has the value for ever, or until `a` is false as well.
    fn release(&self, a: Option<&PathFormula<usize>>, b: &PathFormula<usize>, value: bool, mut at: usize) -> bool {
        for _ in 0..=2 * self.length {
            if !self.holds(b, value, at) {
                return false;
            }
            if a.is_some_and(|a| self.holds(a, false, at)) {
                return true;
            }
            match self.after(at) {
                Some(next) => at = next,
                None => return false,
            }
        }
        self.again.is_some()
    }
}
