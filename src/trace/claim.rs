//! What one run shows of a formula.
//!
//! For every position of the run and a claimed value, a [`Shown`]: the run shows it, the run shows the opposite, the run ends before
//! it can tell, or it rests on something that no single run can show. A run shows an existential formula by being its
//! witness, and a universal one only as far as the present snapshot decides it.

use super::Replayed;
use crate::interp::Interp;
use crate::logic::{Bool, Formula, Know, Path, PathFormula, Temporal};
use crate::machine::{AgentIx, ExprId};

/// What a run shows about a claim at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The claim.
    Yes,
    /// Its opposite.
    No,
    /// Nothing: the run ends too early.
    End,
    /// The claim, if these hold.
    If(Vec<Rest>),
}

/// A part of a formula that the run does not show: its value at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    pub formula: Formula<ExprId>,
    pub value: bool,
    pub at: usize,
    /// The position is one of a run beside the main one.
    pub aside: bool,
}

impl Shown {
    fn of(value: bool) -> Shown {
        if value { Shown::Yes } else { Shown::No }
    }

    pub fn and(self, other: Shown) -> Shown {
        use Shown::*;
        match (self, other) {
            (No, _) | (_, No) => No,
            (End, _) | (_, End) => End,
            (Yes, x) | (x, Yes) => x,
            (If(mut a), If(b)) => {
                b.into_iter().for_each(|r| {
                    if !a.contains(&r) {
                        a.push(r)
                    }
                });
                If(a)
            }
        }
    }

    /// Where both would do, the second: it is the later one.
    fn or(self, other: Shown) -> Shown {
        use Shown::*;
        match (self, other) {
            (Yes, _) | (_, Yes) => Yes,
            (a @ If(_), No | End) => a,
            (_, b @ If(_)) => b,
            (End, _) | (_, End) => End,
            _ => No,
        }
    }
}

type Claims = Vec<Shown>;

/// A run under examination.
pub struct Claimed<'a> {
    pub interp: &'a Interp<'a>,
    pub run: &'a Replayed,
    /// The formula speaks of fair runs only.
    pub fair: bool,
}

impl Claimed<'_> {
    /// Positions: a lasso's last snapshot is its loop's first one.
    pub fn len(&self) -> usize {
        self.run.snapshots.len() - usize::from(self.run.loop_start.is_some())
    }

    /// What the run shows of "the formula has this value", position by position.
    pub fn formula(&self, f: &Formula<ExprId>, value: bool) -> Claims {
        let of = |g: &Formula<ExprId>, v: bool| self.formula(g, v);
        match f {
            Formula::Atom(e) => {
                (0..self.len()).map(|i| Shown::of(self.interp.holds(*e, &self.run.snapshots[i]) == value)).collect()
            }
            Formula::Bool(b) => self.connective(b, value, of),
            Formula::Quantified(path, t) => self.quantified(f, *path, value, &self.operator(t, value, of)),
            Formula::Know(kind, group, a) => (0..self.len()).map(|i| self.know(f, *kind, group, a, value, i)).collect(),
            Formula::Can(..) | Formula::Fix(..) | Formula::Var(_) => {
                (0..self.len()).map(|i| self.rest(f, value, i)).collect()
            }
            Formula::Ltl(path) if value => {
                let along = self.path(path, true);
                let universal = |(i, s): (usize, Shown)| if s == Shown::No { s } else { self.rest(f, true, i) };
                along.into_iter().enumerate().map(universal).collect()
            }
            Formula::Ltl(path) => self.witnessed(f, false, self.path(path, false)),
        }
    }

    /// The same for a path formula on this very run.
    pub fn path(&self, f: &PathFormula<ExprId>, value: bool) -> Claims {
        let of = |g: &PathFormula<ExprId>, v: bool| self.path(g, v);
        match f {
            PathFormula::State(s) => self.formula(s, value),
            PathFormula::Bool(b) => self.connective(b, value, of),
            PathFormula::Temporal(t) => self.along(&self.operator(t, value, of)),
        }
    }

    fn connective<F>(&self, b: &Bool<F>, value: bool, of: impl Fn(&F, bool) -> Claims) -> Claims {
        match b {
            Bool::Not(a) => of(a, !value),
            Bool::And(xs) => self.chain(xs.iter().map(|x| of(x, value)), value),
            Bool::Or(xs) => self.chain(xs.iter().map(|x| of(x, value)), !value),
            Bool::Implies(a, b) => self.chain([of(a, !value), of(b, value)].into_iter(), !value),
            Bool::Iff(a, b) => pairs(and(&of(a, true), &of(b, value)), and(&of(a, false), &of(b, !value)), Shown::or),
            Bool::Quant { body, .. } => of(body, value),
        }
    }

    fn operator<F>(&self, t: &Temporal<F>, value: bool, of: impl Fn(&F, bool) -> Claims) -> Step {
        match t.map(|f| of(f, value)) {
            Temporal::Next(a) => Step::Next(*a),
            Temporal::Finally(a) => self.until(self.all(Shown::of(value)), *a, value),
            Temporal::Globally(a) => self.until(self.all(Shown::of(!value)), *a, !value),
            Temporal::Until(a, b) => self.until(*a, *b, value),
        }
    }

    fn all(&self, shown: Shown) -> Claims {
        vec![shown; self.len()]
    }

    fn rest(&self, f: &Formula<ExprId>, value: bool, at: usize) -> Shown {
        Shown::If(vec![Rest { formula: f.clone(), value, at, aside: false }])
    }

    fn chain(&self, parts: impl Iterator<Item = Claims>, all: bool) -> Claims {
        let join = if all { Shown::and } else { Shown::or };
        parts.fold(self.all(Shown::of(all)), |so_far, part| pairs(so_far, part, join))
    }

    fn until(&self, a: Claims, b: Claims, least: bool) -> Step {
        if least { Step::Until(a, b) } else { Step::Release(a, b) }
    }

    /// A formula with a path quantifier. The present snapshot may decide it for all runs; otherwise this run can be a witness
    /// (an E that holds, an A that fails) or refute the claim.
    fn quantified(&self, f: &Formula<ExprId>, path: Path, value: bool, step: &Step) -> Claims {
        let along = self.along(step);
        let exists = (path == Path::E) == value;
        let along = if exists {
            self.witnessed(f, value, along)
        } else {
            let universal = |(i, s): (usize, Shown)| if s == Shown::No { s } else { self.rest(f, value, i) };
            along.into_iter().enumerate().map(universal).collect()
        };
        // What a run does that may not go on fairly says nothing about all fair runs.
        let open = self.fair && !exists && self.run.loop_start.is_none();
        let decide = |(i, later): (usize, Shown)| match (step.at(i, Shown::End), later) {
            (Shown::Yes, _) => Shown::Yes,
            (Shown::No, _) | (_, Shown::No) if open => self.rest(f, value, i),
            (Shown::No, _) => Shown::No,
            (_, later) => later,
        };
        along.into_iter().enumerate().map(decide).collect()
    }

    /// Where this run is not the witness, another may be.
    fn witnessed(&self, f: &Formula<ExprId>, value: bool, along: Claims) -> Claims {
        let judge = |(i, s): (usize, Shown)| match s {
            Shown::No | Shown::End => self.rest(f, value, i),
            shown => shown,
        };
        along.into_iter().enumerate().map(judge).collect()
    }

    /// The value of a temporal operator along this run, backwards; twice, so that a loop's start knows its end.
    fn along(&self, step: &Step) -> Claims {
        let n = self.len();
        let mut result = self.all(Shown::End);
        let mut beyond = match (self.run.loop_start, step) {
            (None, _) => Shown::End,
            (Some(_), Step::Until(..)) => Shown::No,
            (Some(_), Step::Release(..)) => Shown::Yes,
            (Some(start), Step::Next(a)) => a[start].clone(),
        };
        for _ in 0..2 {
            for i in (0..n).rev() {
                let after = match step {
                    Step::Next(a) if i + 1 < n => a[i + 1].clone(),
                    _ if i + 1 < n => result[i + 1].clone(),
                    _ => beyond.clone(),
                };
                result[i] = step.at(i, after);
            }
            if let (Some(start), Step::Until(..) | Step::Release(..)) = (self.run.loop_start, step) {
                beyond = result[start].clone();
            }
        }
        result
    }

    fn know(
        &self,
        f: &Formula<ExprId>,
        kind: Know,
        group: &[AgentIx],
        a: &Formula<ExprId>,
        value: bool,
        i: usize,
    ) -> Shown {
        let here = self.formula(a, value)[i].clone();
        if value {
            // What is known is true.
            return if here == Shown::No { here } else { self.rest(f, true, i) };
        }
        let doubts = self.run.sides.iter().filter(|(at, ..)| *at == i).map(|(_, _, other)| {
            let there = &other.snapshots[other.steps.len()];
            let same = |agent: &AgentIx| {
                self.interp.local_state(*agent, &self.run.snapshots[i]) == self.interp.local_state(*agent, there)
            };
            let confused = if kind == Know::Distributed { group.iter().all(same) } else { group.iter().any(same) };
            if !confused {
                return Shown::No;
            }
            let aside = Claimed { interp: self.interp, run: other, fair: self.fair };
            let asked = if kind == Know::Common { f } else { a };
            match aside.formula(asked, false).pop().unwrap_or(Shown::No) {
                Shown::If(rests) => Shown::If(rests.into_iter().map(|r| Rest { aside: true, ..r }).collect()),
                shown => shown,
            }
        });
        match doubts.fold(here, |so_far, doubt| doubt.or(so_far)) {
            Shown::No | Shown::End => self.rest(f, false, i),
            shown => shown,
        }
    }
}

/// A temporal operator with what is shown of its parts.
enum Step {
    Next(Claims),
    /// Least: the second, or the first and later again.
    Until(Claims, Claims),
    /// Greatest: the second, and the first or later again.
    Release(Claims, Claims),
}

impl Step {
    /// The value at a position when the operator's value (for `Next`: the part's value) right after it is known.
    fn at(&self, i: usize, after: Shown) -> Shown {
        match self {
            Step::Next(_) => after,
            Step::Until(a, b) => b[i].clone().or(a[i].clone().and(after)),
            Step::Release(a, b) => b[i].clone().and(a[i].clone().or(after)),
        }
    }
}

fn pairs(a: Claims, b: Claims, f: fn(Shown, Shown) -> Shown) -> Claims {
    a.into_iter().zip(b).map(|(x, y)| f(x, y)).collect()
}

fn and(a: &Claims, b: &Claims) -> Claims {
    pairs(a.clone(), b.clone(), Shown::and)
}
