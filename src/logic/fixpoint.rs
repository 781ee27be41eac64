//! Fixpoints of the µ-calculus: which make sense, and which are operators of CTL or ATL in other words.

use super::{AgentIx, Bool, Connected, Fixpoint, Formula, Path, Rewrite, Temporal};
use std::collections::BTreeSet;

impl<A> Formula<A> {
    /// The fixpoint variables that are not bound inside.
    pub fn free(&self) -> BTreeSet<&str> {
        match self {
            Formula::Var(name) => BTreeSet::from([name.as_str()]),
            Formula::Fix(_, name, body) => {
                let mut free = body.free();
                free.remove(name.as_str());
                free
            }
            Formula::Atom(_)
            | Formula::Bool(_)
            | Formula::Quantified(..)
            | Formula::Can(..)
            | Formula::Know(..)
            | Formula::Ltl(_) => self.parts().into_iter().flat_map(Formula::free).collect(),
        }
    }

    /// What is wrong with the fixpoints inside: a variable that is not bound, bound inside itself, or under an odd number of
    /// negations, so that there may be no fixpoint.
    pub fn fixpoint_fault(&self) -> Option<String> {
        fault(self, Some(true), &mut Vec::new())
    }
}

/// Under an even number of negations, an odd one, or (`None`) both, as under an equivalence.
type Sign = Option<bool>;

/// `sign` is that of this place within the innermost fixpoint; `bound` are the fixpoints around, each with its sign within the next.
fn fault<'f, A>(f: &'f Formula<A>, sign: Sign, bound: &mut Vec<(&'f str, Sign)>) -> Option<String> {
    let flipped = sign.map(|even| !even);
    match f {
        Formula::Var(name) => {
            let Some(at) = bound.iter().rposition(|(b, _)| b == name) else {
                return Some(format!("the fixpoint variable {name} is not bound"));
            };
            let through = bound[at + 1..].iter().fold(sign, |all, (_, s)| all.zip(*s).map(|(a, b)| a == b));
            (through != Some(true)).then(|| format!("the fixpoint variable {name} stands under a negation"))
        }
        Formula::Fix(_, name, _) if bound.iter().any(|(b, _)| b == name) => {
            Some(format!("the fixpoint variable {name} is bound twice"))
        }
        Formula::Fix(_, name, body) => {
            bound.push((name, sign));
            let found = fault(body, Some(true), bound);
            bound.pop();
            found
        }
        Formula::Bool(Bool::Not(a)) => fault(a, flipped, bound),
        Formula::Bool(Bool::Implies(a, b)) => fault(a, flipped, bound).or_else(|| fault(b, sign, bound)),
        Formula::Bool(Bool::Iff(a, b)) => fault(a, None, bound).or_else(|| fault(b, None, bound)),
        Formula::Bool(Bool::And(_) | Bool::Or(_) | Bool::Quant { .. })
        | Formula::Atom(_)
        | Formula::Quantified(..)
        | Formula::Can(..)
        | Formula::Know(..)
        | Formula::Ltl(_) => f.parts().into_iter().find_map(|part| fault(part, sign, bound)),
    }
}

impl<A: Clone> Formula<A> {
    /// The same with every fixpoint that says what CTL or ATL says written in their operators.
    pub fn recognised(&self) -> Formula<A> {
        Recognise.formula(self)
    }
}

struct Recognise;

impl<A: Clone> Rewrite<A, A> for Recognise {
    fn atom(&mut self, atom: &A) -> Formula<A> {
        Formula::Atom(atom.clone())
    }

    fn formula(&mut self, f: &Formula<A>) -> Formula<A> {
        match f.rewritten(self) {
            Formula::Fix(kind, name, body) => {
                let known = Turn::of(&name, &body).and_then(|turn| turn.operator(kind));
                known.unwrap_or(Formula::Fix(kind, name, body))
            }
            other => other,
        }
    }
}

/// Who makes the step to the variable.
enum Mover {
    Runs(Path),
    Group(Vec<AgentIx>),
}

/// A body that asks for one step: `goal ∨ (hold ∧ step Z)` or, `goal_last`, `hold ∧ (goal ∨ step Z)`.
struct Turn<A> {
    goal: Vec<Formula<A>>,
    hold: Vec<Formula<A>>,
    goal_last: bool,
    mover: Mover,
}

impl<A: Clone> Turn<A> {
    fn of(name: &str, body: &Formula<A>) -> Option<Turn<A>> {
        let (goal, asks) = one_with(name, alternatives(body))?;
        let (hold, step) = one_with(name, demands(&asks))?;
        if let Some(mover) = mover(name, &step) {
            return Some(Turn { goal, hold, goal_last: false, mover });
        }
        if !goal.is_empty() {
            return None;
        }
        let (goal, step) = one_with(name, alternatives(&step))?;
        Some(Turn { goal, hold, goal_last: true, mover: mover(name, &step)? })
    }

    fn operator(self, kind: Fixpoint) -> Option<Formula<A>> {
        let (hold, goal) = (joined(&self.hold, Formula::all), joined(&self.goal, Formula::any));
        let both = || Formula::all(vec![hold.clone(), goal.clone()]);
        let said = match (kind, self.goal_last) {
            (Fixpoint::Least, false) if self.hold.is_empty() => Temporal::finally(goal),
            (Fixpoint::Least, false) => Temporal::until(hold, goal),
            (Fixpoint::Least, true) => Temporal::until(hold.clone(), both()),
            (Fixpoint::Greatest, false) if self.goal.is_empty() => Temporal::globally(hold),
            // Until or for ever, and release: their negations are untils of the other quantifier.
            (Fixpoint::Greatest, last) => {
                let Mover::Runs(path) = self.mover else { return None };
                let end = if last { hold.not() } else { Formula::all(vec![hold.not(), goal.clone().not()]) };
                let denied = Temporal::until(goal.not(), end);
                return Some(Formula::Quantified(path.other(), denied).not());
            }
        };
        Some(match self.mover {
            Mover::Runs(path) => Formula::Quantified(path, said),
            Mover::Group(group) => Formula::Can(group, said),
        })
    }
}

/// One part stays as it is.
fn joined<A: Clone>(parts: &[Formula<A>], join: fn(Vec<Formula<A>>) -> Formula<A>) -> Formula<A> {
    match parts {
        [one] => one.clone(),
        many => join(many.to_vec()),
    }
}

/// `EX Z`, `AX Z` or `<<A>> X Z`.
fn mover<A>(name: &str, f: &Formula<A>) -> Option<Mover> {
    let (mover, t) = match f {
        Formula::Quantified(path, t) => (Mover::Runs(*path), t),
        Formula::Can(group, t) => (Mover::Group(group.clone()), t),
        _ => return None,
    };
    match t {
        Temporal::Next(a) if matches!(a.as_ref(), Formula::Var(v) if v == name) => Some(mover),
        _ => None,
    }
}

/// The parts without the variable, and the one that has it.
fn one_with<A>(name: &str, parts: Vec<Formula<A>>) -> Option<(Vec<Formula<A>>, Formula<A>)> {
    let (mut with, without): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| p.free().contains(name));
    let one = with.pop()?;
    with.is_empty().then_some((without, one))
}

/// The formulas one of which must hold.
fn alternatives<A: Clone>(f: &Formula<A>) -> Vec<Formula<A>> {
    match f {
        Formula::Bool(Bool::Or(parts)) => parts.iter().flat_map(alternatives).collect(),
        Formula::Bool(Bool::Implies(a, b)) => {
            std::iter::once(a.as_ref().clone().not()).chain(alternatives(b)).collect()
        }
        other => vec![other.clone()],
    }
}

/// The formulas all of which must hold.
fn demands<A: Clone>(f: &Formula<A>) -> Vec<Formula<A>> {
    match f {
        Formula::Bool(Bool::And(parts)) => parts.iter().flat_map(demands).collect(),
        other => vec![other.clone()],
    }
}
