//! CTL as linear-time claims, where that is exact.
//!
//! A checker that only knows runs can decide a branching formula when it says the same about the initial snapshot as a claim about
//! all runs, or as the denial of one. The universal side is the deterministic fragment of ACTL (Maidl 2000): `AG`, `AX`, `AF` and
//! `A(· U ·)` with a state formula at the end, conjunctions, and disjunctions with at most one temporal side. Its denials give `EF`,
//! `EG`, `E(· U ·)`, `EX`. A Boolean combination of such formulas is decided part by part.

use super::{Bool, Connected, Formula, Path, PathFormula, Property, Temporal};

/// How to decide a property through claims about all runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Known from the initial snapshot.
    Known(bool),
    /// The claim with this number holds.
    Holds(usize),
    /// The claim with this number fails.
    Fails(usize),
    /// Negation.
    Not(Box<Decision>),
    /// Conjunction.
    And(Vec<Decision>),
    /// Disjunction.
    Or(Vec<Decision>),
    /// Equivalence.
    Iff(Box<Decision>, Box<Decision>),
}

/// The claims that decide a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims<A> {
    /// What must be asked; fairness is part of each.
    pub claims: Vec<PathFormula<A>>,
    /// What the answers mean.
    pub decision: Decision,
}

impl<A: Clone> Claims<A> {
    /// The claims of a property, or why there are none. `initially` says which atoms hold in the initial snapshot.
    pub fn of(p: &Property<A>, initially: &dyn Fn(&A) -> bool) -> Result<Claims<A>, String> {
        if let Some(why) = not_of_states(p) {
            return Err(why.into());
        }
        let again_and_again =
            |f: &Formula<A>| PathFormula::globally(PathFormula::finally(PathFormula::State(f.clone())));
        let fair = p.fair.iter().map(again_and_again).collect();
        let mut build = Build { initially, fair, claims: Vec::new() };
        let decision = match &p.formula {
            Formula::Ltl(path) => build.claim(path.as_ref().clone(), true),
            f => build.branching(f)?,
        };
        Ok(Claims { claims: build.claims, decision })
    }

    /// The verdict, when the claims have been decided (`true`: it holds on all runs).
    pub fn verdict(&self, holds: &[bool]) -> bool {
        let known: Vec<Option<bool>> = holds.iter().copied().map(Some).collect();
        self.decision.value(&known) == Some(true)
    }

    /// The verdict, when only some of the claims have been decided; nothing where it depends on the others.
    pub fn verdict_so_far(&self, holds: &[Option<bool>]) -> Option<bool> {
        self.decision.value(holds)
    }
}

impl Decision {
    fn value(&self, holds: &[Option<bool>]) -> Option<bool> {
        let claim = |i: &usize| holds.get(*i).copied().flatten();
        // One part that decides is enough; else all must be known.
        let any = |ds: &[Decision], wanted: bool| {
            let values: Vec<Option<bool>> = ds.iter().map(|d| d.value(holds)).collect();
            if values.contains(&Some(wanted)) {
                return Some(wanted);
            }
            values.into_iter().all(|v| v.is_some()).then_some(!wanted)
        };
        match self {
            Decision::Known(b) => Some(*b),
            Decision::Holds(i) => claim(i),
            Decision::Fails(i) => claim(i).map(|holds| !holds),
            Decision::Not(d) => d.value(holds).map(|v| !v),
            Decision::And(ds) => any(ds, false),
            Decision::Or(ds) => any(ds, true),
            Decision::Iff(a, b) => Some(a.value(holds)? == b.value(holds)?),
        }
    }
}

/// Knowledge or strategies inside, or fairness that is not about single snapshots.
fn not_of_states<A>(p: &Property<A>) -> Option<&'static str> {
    let uses = p.formula.uses();
    if p.fair.iter().any(|f| !f.is_state()) {
        return Some("fairness must speak of single snapshots");
    }
    if uses.fixpoints {
        return Some("it has no fixpoint operators");
    }
    if uses.strategies {
        return Some("it has no strategy operators");
    }
    uses.knowledge.then_some("it has no knowledge operators")
}

struct Build<'a, A> {
    initially: &'a dyn Fn(&A) -> bool,
    fair: Vec<PathFormula<A>>,
    claims: Vec<PathFormula<A>>,
}

impl<A: Clone> Build<'_, A> {
    fn claim(&mut self, path: PathFormula<A>, positive: bool) -> Decision {
        let fair = || PathFormula::all(self.fair.clone());
        let under_fairness = if self.fair.is_empty() { path } else { fair().implies(path) };
        self.claims.push(under_fairness);
        let ix = self.claims.len() - 1;
        if positive { Decision::Holds(ix) } else { Decision::Fails(ix) }
    }

    /// With fairness a state formula at the top must not come under it: nothing is vacuous about the initial snapshot itself.
    fn branching(&mut self, f: &Formula<A>) -> Result<Decision, String> {
        let whole = self.fair.is_empty() || matches!(f, Formula::Quantified(..));
        if whole && let Some(path) = universal(f, true) {
            return Ok(self.claim(path, true));
        }
        if whole && let Some(path) = universal(f, false) {
            return Ok(self.claim(path, false));
        }
        if f.is_state() {
            return Ok(Decision::Known(f.without_runs(self.initially)));
        }
        let Formula::Bool(b) = f else {
            return Err("the formula's branching has no equivalent claim about runs".into());
        };
        Ok(match b.try_map(|part| self.branching(part))? {
            Bool::Not(a) => Decision::Not(a),
            Bool::And(xs) => Decision::And(xs),
            Bool::Or(xs) => Decision::Or(xs),
            Bool::Implies(a, b) => Decision::Or(vec![Decision::Not(a), *b]),
            Bool::Iff(a, b) => Decision::Iff(a, b),
            Bool::Quant { .. } => return Err("a quantifier was not expanded".into()),
        })
    }
}

/// The claim about all runs that a formula (or, not `positive`, its negation) is equivalent to.
fn universal<A: Clone>(f: &Formula<A>, positive: bool) -> Option<PathFormula<A>> {
    use PathFormula as P;
    if f.is_state() {
        let state = P::State(f.clone());
        return Some(if positive { state } else { state.not() });
    }
    match f {
        Formula::Bool(b) => universal_connective(b, positive),
        Formula::Quantified(path, t) => universal_operator(*path, t, positive),
        Formula::Atom(_) | Formula::Can(..) | Formula::Know(..) => None,
        Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => None,
    }
}

fn universal_connective<A: Clone>(b: &Bool<Formula<A>>, positive: bool) -> Option<PathFormula<A>> {
    use PathFormula as P;
    Some(match (b, positive) {
        (Bool::Not(a), _) => universal(a, !positive)?,
        (Bool::And(xs), true) | (Bool::Or(xs), false) => P::all(each(xs, positive)?),
        (Bool::Or(xs), true) | (Bool::And(xs), false) => P::any(one_temporal(xs, positive)?),
        (Bool::Implies(a, b), true) if a.is_state() || b.is_state() => {
            P::any(vec![universal(a, false)?, universal(b, true)?])
        }
        (Bool::Implies(a, b), false) => P::all(vec![universal(a, true)?, universal(b, false)?]),
        (Bool::Implies(..), true) | (Bool::Iff(..) | Bool::Quant { .. }, _) => return None,
    })
}

fn universal_operator<A: Clone>(path: Path, t: &Temporal<Formula<A>>, positive: bool) -> Option<PathFormula<A>> {
    use PathFormula as P;
    // An A that is claimed, or an E that is denied.
    if (path == Path::A) != positive {
        return None;
    }
    Some(match (t, positive) {
        (Temporal::Next(a), _) => P::next(universal(a, positive)?),
        (Temporal::Globally(a), true) | (Temporal::Finally(a), false) => P::globally(universal(a, positive)?),
        (Temporal::Finally(a), true) | (Temporal::Globally(a), false) if a.is_state() => {
            P::finally(universal(a, positive)?)
        }
        (Temporal::Until(a, b), true) if b.is_state() => P::until(universal(a, true)?, P::State(b.as_ref().clone())),
        (Temporal::Until(a, b), false) if a.is_state() => {
            let (yes, never) = (P::State(a.as_ref().clone()), universal(b, false)?);
            let no = yes.clone().not();
            P::weak_until(P::all(vec![yes, never.clone()]), P::all(vec![no, never]))
        }
        (Temporal::Finally(_) | Temporal::Globally(_) | Temporal::Until(..), _) => return None,
    })
}

fn each<A: Clone>(xs: &[Formula<A>], positive: bool) -> Option<Vec<PathFormula<A>>> {
    xs.iter().map(|x| universal(x, positive)).collect()
}

fn one_temporal<A: Clone>(xs: &[Formula<A>], positive: bool) -> Option<Vec<PathFormula<A>>> {
    if xs.iter().filter(|x| !x.is_state()).count() > 1 { None } else { each(xs, positive) }
}

impl<A> Formula<A> {
    /// The value where no (fair) run starts: universal operators hold, existential ones do not, state formulas are what their atoms
    /// make them.
    pub fn without_runs(&self, holds: &dyn Fn(&A) -> bool) -> bool {
        let of = |f: &Formula<A>| f.without_runs(holds);
        match self {
            Formula::Atom(a) => holds(a),
            Formula::Bool(b) => b.map(of).truth(),
            Formula::Quantified(path, _) => *path == Path::A,
            Formula::Ltl(_) => true,
            Formula::Know(..) | Formula::Can(..) | Formula::Fix(..) | Formula::Var(_) => false,
        }
    }

    /// Can a run show that the formula has this value? Then it is a witness, or a counterexample.
    pub fn shown_by_a_run(&self, value: bool) -> bool {
        match self {
            Formula::Quantified(path, _) => (*path == Path::E) == value,
            Formula::Ltl(_) | Formula::Know(..) => !value,
            Formula::Bool(Bool::Not(a)) => a.shown_by_a_run(!value),
            Formula::Bool(Bool::And(xs) | Bool::Or(xs)) => xs.iter().any(|x| x.shown_by_a_run(value)),
            Formula::Bool(Bool::Implies(a, b)) => a.shown_by_a_run(!value) || b.shown_by_a_run(value),
            Formula::Bool(Bool::Iff(..) | Bool::Quant { .. }) | Formula::Atom(_) | Formula::Can(..) => false,
            Formula::Fix(..) | Formula::Var(_) => false,
        }
    }
}
