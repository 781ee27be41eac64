//! CTL as linear-time claims, where that is exact.
//!
//! A checker that only knows runs can decide a branching formula when it says the same about the initial snapshot as a claim about
//! all runs, or as the denial of one. The universal side is the deterministic fragment of ACTL (Maidl 2000): `AG`, `AX`, `AF` and
//! `A(· U ·)` with a state formula at the end, conjunctions, and disjunctions with at most one temporal side. Its denials give `EF`,
//! `EG`, `E(· U ·)`, `EX`. A Boolean combination of such formulas is decided part by part.

use crate::logic::{Formula, Path, PathFormula, Property};
use crate::machine::{ExprId, Machine, Node};

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
pub struct Claims {
    /// What must be asked; fairness is part of each.
    pub claims: Vec<PathFormula<ExprId>>,
    /// What the answers mean.
    pub decision: Decision,
}

impl Claims {
    /// The claims of a property, or why there are none.
    pub fn of(m: &Machine, p: &Property<ExprId>) -> Result<Claims, String> {
        if let Some(why) = not_of_states(p) {
            return Err(why);
        }
        let fair: Vec<PathFormula<ExprId>> = p.fair.iter().map(again_and_again).collect();
        let mut build = Build { m, fair, claims: Vec::new() };
        let decision = match &p.formula {
            Formula::Ltl(path) => build.claim(path.as_ref().clone(), true),
            f => build.branching(f)?,
        };
        Ok(Claims { claims: build.claims, decision })
    }

    /// The verdict, when the claims have been decided (`true`: it holds on all runs).
    pub fn verdict(&self, holds: &[bool]) -> bool {
        self.decision.value(holds)
    }
}

impl Decision {
    fn value(&self, holds: &[bool]) -> bool {
        let claim = |i: &usize| holds.get(*i).copied().unwrap_or(false);
        match self {
            Decision::Known(b) => *b,
            Decision::Holds(i) => claim(i),
            Decision::Fails(i) => !claim(i),
            Decision::Not(d) => !d.value(holds),
            Decision::And(ds) => ds.iter().all(|d| d.value(holds)),
            Decision::Or(ds) => ds.iter().any(|d| d.value(holds)),
            Decision::Iff(a, b) => a.value(holds) == b.value(holds),
        }
    }
}

/// Knowledge or strategies inside, or fairness that is not about single snapshots.
fn not_of_states(p: &Property<ExprId>) -> Option<String> {
    let mut why = None;
    p.formula.walk(&mut |f| match f {
        Formula::Know(..) => why = Some("it has no knowledge operators"),
        Formula::CanNext(..) | Formula::CanFinally(..) | Formula::CanGlobally(..) | Formula::CanUntil(..) => {
            why = Some("it has no strategy operators");
        }
        _ => {}
    });
    if p.fair.iter().any(|f| !f.is_state()) {
        why = Some("fairness must speak of single snapshots");
    }
    why.map(str::to_string)
}

fn again_and_again(f: &Formula<ExprId>) -> PathFormula<ExprId> {
    PathFormula::Globally(Box::new(PathFormula::Finally(Box::new(PathFormula::State(f.clone())))))
}

struct Build<'a> {
    m: &'a Machine,
    fair: Vec<PathFormula<ExprId>>,
    claims: Vec<PathFormula<ExprId>>,
}

impl Build<'_> {
    fn claim(&mut self, path: PathFormula<ExprId>, positive: bool) -> Decision {
        let under_fairness = if self.fair.is_empty() {
            path
        } else {
            PathFormula::Implies(Box::new(PathFormula::And(self.fair.clone())), Box::new(path))
        };
        self.claims.push(under_fairness);
        let ix = self.claims.len() - 1;
        if positive { Decision::Holds(ix) } else { Decision::Fails(ix) }
    }

    /// With fairness a state formula at the top must not come under it: nothing is vacuous about the initial snapshot itself.
    fn branching(&mut self, f: &Formula<ExprId>) -> Result<Decision, String> {
        let whole = self.fair.is_empty() || is_temporal(f);
        if whole && let Some(path) = universal(f, true) {
            return Ok(self.claim(path, true));
        }
        if whole && let Some(path) = universal(f, false) {
            return Ok(self.claim(path, false));
        }
        if f.is_state() {
            return Ok(Decision::Known(initially(self.m, f)));
        }
        let all =
            |b: &mut Self, xs: &[Formula<ExprId>]| xs.iter().map(|x| b.branching(x)).collect::<Result<Vec<_>, _>>();
        Ok(match f {
            Formula::Not(a) => Decision::Not(Box::new(self.branching(a)?)),
            Formula::And(xs) => Decision::And(all(self, xs)?),
            Formula::Or(xs) => Decision::Or(all(self, xs)?),
            Formula::Implies(a, b) => {
                let not = Decision::Not(Box::new(self.branching(a)?));
                Decision::Or(vec![not, self.branching(b)?])
            }
            Formula::Iff(a, b) => Decision::Iff(Box::new(self.branching(a)?), Box::new(self.branching(b)?)),
            _ => return Err("the formula's branching has no equivalent claim about runs".into()),
        })
    }
}

fn is_temporal(f: &Formula<ExprId>) -> bool {
    matches!(f, Formula::Next(..) | Formula::Finally(..) | Formula::Globally(..) | Formula::Until(..))
}

/// The claim about all runs that a formula (or, not `positive`, its negation) is equivalent to.
fn universal(f: &Formula<ExprId>, positive: bool) -> Option<PathFormula<ExprId>> {
    use PathFormula as P;
    let state = |g: &Formula<ExprId>| P::State(g.clone());
    let not = |p: P<ExprId>| P::Not(Box::new(p));
    if f.is_state() {
        return Some(if positive { state(f) } else { not(state(f)) });
    }
    Some(match (f, positive) {
        (Formula::Not(a), _) => universal(a, !positive)?,
        (Formula::And(xs), true) => P::And(each(xs, true)?),
        (Formula::Or(xs), false) => P::And(each(xs, false)?),
        (Formula::Or(xs), true) => P::Or(one_temporal(xs, true)?),
        (Formula::And(xs), false) => P::Or(one_temporal(xs, false)?),
        (Formula::Implies(a, b), true) if a.is_state() || b.is_state() => {
            P::Or(vec![universal(a, false)?, universal(b, true)?])
        }
        (Formula::Implies(a, b), false) => P::And(vec![universal(a, true)?, universal(b, false)?]),
        (Formula::Next(Path::A, a), true) | (Formula::Next(Path::E, a), false) => {
            P::Next(Box::new(universal(a, positive)?))
        }
        (Formula::Globally(Path::A, a), true) | (Formula::Finally(Path::E, a), false) => {
            P::Globally(Box::new(universal(a, positive)?))
        }
        (Formula::Finally(Path::A, a), true) | (Formula::Globally(Path::E, a), false) if a.is_state() => {
            P::Finally(Box::new(universal(a, positive)?))
        }
        (Formula::Until(Path::A, a, b), true) if b.is_state() => {
            P::Until(Box::new(universal(a, true)?), Box::new(state(b)))
        }
        (Formula::Until(Path::E, a, b), false) if a.is_state() => {
            let (yes, no, never) = (state(a), not(state(a)), universal(b, false)?);
            P::WeakUntil(Box::new(P::And(vec![yes, never.clone()])), Box::new(P::And(vec![no, never])))
        }
        _ => return None,
    })
}

fn each(xs: &[Formula<ExprId>], positive: bool) -> Option<Vec<PathFormula<ExprId>>> {
    xs.iter().map(|x| universal(x, positive)).collect()
}

fn one_temporal(xs: &[Formula<ExprId>], positive: bool) -> Option<Vec<PathFormula<ExprId>>> {
    if xs.iter().filter(|x| !x.is_state()).count() > 1 { None } else { each(xs, positive) }
}

/// Does a state formula hold in the initial snapshot?
pub fn initially(m: &Machine, f: &Formula<ExprId>) -> bool {
    without_runs(m, f)
}

/// The value of a formula in the initial snapshot when no (fair) run starts there: universal operators hold, existential ones do
/// not, state formulas are what they are.
pub fn without_runs(m: &Machine, f: &Formula<ExprId>) -> bool {
    let of = |g: &Formula<ExprId>| without_runs(m, g);
    match f {
        Formula::Atom(e) => {
            m.exprs.eval(*e, &|leaf| match leaf {
                Node::Prev(v) | Node::Cur(v) => m.var(*v).init,
                _ => 0,
            }) != 0
        }
        Formula::Not(a) => !of(a),
        Formula::And(xs) => xs.iter().all(of),
        Formula::Or(xs) => xs.iter().any(of),
        Formula::Implies(a, b) => !of(a) || of(b),
        Formula::Iff(a, b) => of(a) == of(b),
        Formula::Next(p, _) | Formula::Finally(p, _) | Formula::Globally(p, _) | Formula::Until(p, ..) => *p == Path::A,
        Formula::Ltl(_) => true,
        Formula::Quant { .. } | Formula::Know(..) => false,
        Formula::CanNext(..) | Formula::CanFinally(..) | Formula::CanGlobally(..) | Formula::CanUntil(..) => false,
    }
}
