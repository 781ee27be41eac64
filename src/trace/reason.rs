//! Why a run shows its verdict: the smallest parts of the formula that decide it, and the snapshots in which they do.
//!
//! `AG(a -> b)` fails where `a` is true and `b` is false; the reader wants those two, at that step, and not the whole formula.

use super::claim::{Claimed, Shown};
use super::{Reason, Values, to_json};
use crate::logic::{Bool, Formula, Path, PathFormula, Temporal};
use crate::machine::{CompareOp, ExprId, Machine, Node, VarId, show};

/// The reasons for "the formula has this value at the start", which the run must show.
pub fn reasons(claimed: &Claimed, f: &Formula<ExprId>, value: bool) -> Vec<Reason> {
    let mut found = Vec::new();
    Finder { claimed, found: &mut found }.explain(Claim::State(f, value), 0);
    found.sort_by_key(|r| r.at);
    without_created(found)
}

/// That a slot is created goes without saying where something else is said of it.
fn without_created(found: Vec<Reason>) -> Vec<Reason> {
    let slot = |r: &Reason| r.part.strip_suffix("created").filter(|_| r.holds).map(str::to_string);
    let said = |at: usize, slot: &str| {
        found.iter().any(|r| r.at == at && r.part.contains(slot) && !r.part.ends_with(".created"))
    };
    let keep: Vec<bool> = found.iter().map(|r| slot(r).is_none_or(|s| !said(r.at, &s))).collect();
    found.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(r, _)| r).collect()
}

/// A formula with the value it is claimed to have.
#[derive(Clone, Copy)]
enum Claim<'f> {
    State(&'f Formula<ExprId>, bool),
    Path(&'f PathFormula<ExprId>, bool),
}

/// How a claim comes from its parts.
enum Shape<'f> {
    Atom(ExprId, bool),
    /// One of these lists, each in full.
    Any(Vec<Vec<Claim<'f>>>),
    Next(Claim<'f>),
    /// At last.
    Until(Claim<'f>),
    /// The second for ever, or up to where the first holds too.
    Release(Option<Claim<'f>>, Claim<'f>),
    /// No single part decides.
    Whole,
}

impl<'f> Claim<'f> {
    fn shape(self) -> Shape<'f> {
        match self {
            Claim::State(f, value) => state_shape(f, value),
            Claim::Path(f, value) => path_shape(f, value),
        }
    }
}

/// All of them for `all`, one of them otherwise.
fn chain<'f>(all: bool, parts: impl Iterator<Item = Claim<'f>>) -> Shape<'f> {
    Shape::Any(if all { vec![parts.collect()] } else { parts.map(|p| vec![p]).collect() })
}

fn state_shape(f: &Formula<ExprId>, value: bool) -> Shape<'_> {
    match f {
        Formula::Atom(e) => Shape::Atom(*e, value),
        Formula::Bool(b) => connective(b, value, Claim::State),
        // Only an E that holds and an A that fails can be seen on one run.
        Formula::Quantified(path, t) if (*path == Path::E) == value => operator(t, value, Claim::State),
        Formula::Ltl(path) if !value => Shape::Any(vec![vec![Claim::Path(path, false)]]),
        Formula::Quantified(..) | Formula::Can(..) | Formula::Know(..) => Shape::Whole,
        Formula::Fix(..) | Formula::Var(_) | Formula::Ltl(_) => Shape::Whole,
    }
}

fn path_shape(f: &PathFormula<ExprId>, value: bool) -> Shape<'_> {
    match f {
        PathFormula::State(s) => Shape::Any(vec![vec![Claim::State(s, value)]]),
        PathFormula::Bool(b) => connective(b, value, Claim::Path),
        PathFormula::Temporal(t) => operator(t, value, Claim::Path),
    }
}

fn connective<'f, F>(b: &'f Bool<F>, value: bool, of: fn(&'f F, bool) -> Claim<'f>) -> Shape<'f> {
    match b {
        Bool::Not(a) => Shape::Any(vec![vec![of(a, !value)]]),
        Bool::And(xs) => chain(value, xs.iter().map(|x| of(x, value))),
        Bool::Or(xs) => chain(!value, xs.iter().map(|x| of(x, value))),
        Bool::Implies(a, b) => chain(!value, [of(a, !value), of(b, value)].into_iter()),
        Bool::Iff(a, b) => Shape::Any(vec![vec![of(a, true), of(b, value)], vec![of(a, false), of(b, !value)]]),
        Bool::Quant { body, .. } => Shape::Any(vec![vec![of(body, value)]]),
    }
}

fn operator<'f, F>(t: &'f Temporal<F>, value: bool, of: fn(&'f F, bool) -> Claim<'f>) -> Shape<'f> {
    match t {
        Temporal::Next(a) => Shape::Next(of(a, value)),
        Temporal::Finally(a) => eventually(value, of(a, value)),
        Temporal::Globally(a) => eventually(!value, of(a, value)),
        Temporal::Until(_, b) if value => Shape::Until(of(b, true)),
        Temporal::Until(a, b) => Shape::Release(Some(of(a, false)), of(b, false)),
    }
}

/// Once, or always.
fn eventually(least: bool, claim: Claim<'_>) -> Shape<'_> {
    if least { Shape::Until(claim) } else { Shape::Release(None, claim) }
}

struct Finder<'a> {
    claimed: &'a Claimed<'a>,
    found: &'a mut Vec<Reason>,
}

impl Finder<'_> {
    fn shown(&self, claim: Claim) -> Vec<Shown> {
        match claim {
            Claim::State(f, value) => self.claimed.formula(f, value),
            Claim::Path(f, value) => self.claimed.path(f, value),
        }
    }

    fn explain(&mut self, claim: Claim, at: usize) {
        match claim.shape() {
            Shape::Atom(e, value) => self.expression(e, value, at),
            Shape::Any(lists) => {
                let shown = |list: &[Claim]| {
                    let all = list.iter().map(|c| self.shown(*c)[at].clone());
                    all.fold(Shown::Yes, Shown::and)
                };
                let judged: Vec<(Shown, Vec<Claim>)> = lists.into_iter().map(|list| (shown(&list), list)).collect();
                let best = judged.iter().find(|(s, _)| *s == Shown::Yes);
                let best = best.or(judged.iter().find(|(s, _)| matches!(s, Shown::If(_))));
                if let Some((_, list)) = best {
                    list.iter().for_each(|c| self.explain(*c, at));
                }
            }
            Shape::Next(part) => match self.after(at) {
                Some(next) => self.explain(part, next),
                None => self.whole(claim, at, false),
            },
            Shape::Until(part) => match self.first(part, at) {
                Some(there) => self.explain(part, there),
                None => self.whole(claim, at, false),
            },
            Shape::Release(until, part) => {
                let end = until.and_then(|u| self.first(u, at).map(|there| (u, there)));
                match end {
                    Some((u, there)) => {
                        self.explain(part, there);
                        self.explain(u, there);
                    }
                    None if self.claimed.run.loop_start.is_some() => self.whole(part, at, true),
                    None => self.whole(claim, at, false),
                }
            }
            Shape::Whole => self.whole(claim, at, false),
        }
    }

    /// The position after this one.
    fn after(&self, at: usize) -> Option<usize> {
        if at + 1 < self.claimed.len() { Some(at + 1) } else { self.claimed.run.loop_start }
    }

    /// The first position from here on at which the run shows something; if nothing for sure, the last at which it may. A loop goes
    /// round once.
    fn first(&self, claim: Claim, at: usize) -> Option<usize> {
        let shown = self.shown(claim);
        let again = self.claimed.run.loop_start.map_or(0..0, |start| start..at.max(start));
        let all: Vec<usize> = (at..self.claimed.len()).chain(again).collect();
        let sure = all.iter().find(|i| shown[**i] == Shown::Yes);
        sure.or(all.iter().rfind(|i| matches!(shown[**i], Shown::If(_)))).copied()
    }

    fn whole(&mut self, claim: Claim, at: usize, throughout: bool) {
        let m = self.claimed.interp.machine();
        let (mut part, mut holds) = match claim {
            Claim::State(f, value) => (show::formula(m, f), value),
            Claim::Path(f, value) => (show::path_formula(m, f), value),
        };
        // `!x` is true says less plainly that `x` is false.
        if let Claim::State(Formula::Bool(Bool::Not(a)), _) = claim {
            (part, holds) = (show::formula(m, a), !holds);
        }
        push(self.found, Reason { at, part, holds, throughout, values: Default::default() });
    }

    /// The deciding parts of an expression about one snapshot.
    fn expression(&mut self, e: ExprId, value: bool, at: usize) {
        let (interp, snapshot) = (self.claimed.interp, &self.claimed.run.snapshots[at]);
        let m = interp.machine();
        let read = |v: VarId| to_json(&m.var(v).domain, snapshot[v]);
        Seen { m, at, holds: &|e| interp.holds(e, snapshot), read: &read }.expression(e, value, self.found);
    }
}

fn push(found: &mut Vec<Reason>, reason: Reason) {
    if !found.contains(&reason) {
        found.push(reason);
    }
}

/// One snapshot of a run, however it is kept.
pub struct Seen<'a> {
    /// Whose snapshot.
    pub m: &'a Machine,
    /// Its number in the run.
    pub at: usize,
    /// Does a condition hold in it?
    pub holds: &'a dyn Fn(ExprId) -> bool,
    /// The value of a variable in it.
    pub read: &'a dyn Fn(VarId) -> serde_json::Value,
}

impl Seen<'_> {
    /// The reasons for "the formula has this value here". What no single snapshot shows is named as a whole.
    pub fn reasons(&self, f: &Formula<ExprId>, value: bool) -> Vec<Reason> {
        let mut found = Vec::new();
        self.formula(f, value, &mut found);
        without_created(found)
    }

    fn formula(&self, f: &Formula<ExprId>, value: bool, found: &mut Vec<Reason>) {
        match state_shape(f, value) {
            Shape::Atom(e, value) => self.expression(e, value, found),
            Shape::Any(lists) => {
                let judged: Vec<(Option<bool>, &Vec<Claim>)> = lists.iter().map(|l| (self.all(l), l)).collect();
                let best = judged.iter().find(|(shown, _)| *shown == Some(true));
                if let Some((_, list)) = best.or(judged.iter().find(|(shown, _)| shown.is_none())) {
                    for claim in list.iter() {
                        if let Claim::State(f, value) = claim {
                            self.formula(f, *value, found);
                        }
                    }
                }
            }
            _ => {
                let (part, at) = (show::formula(self.m, f), self.at);
                push(found, Reason { at, part, holds: value, throughout: false, values: Values::new() });
            }
        }
    }

    /// Does the snapshot show all of these claims? `None`: not by itself.
    fn all(&self, claims: &[Claim]) -> Option<bool> {
        let mut open = false;
        for claim in claims {
            match self.shows(*claim) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => open = true,
            }
        }
        (!open).then_some(true)
    }

    fn shows(&self, claim: Claim) -> Option<bool> {
        match claim.shape() {
            Shape::Atom(e, value) => Some((self.holds)(e) == value),
            Shape::Any(lists) => {
                let judged: Vec<Option<bool>> = lists.iter().map(|l| self.all(l)).collect();
                let open = !judged.contains(&Some(true)) && judged.contains(&None);
                (!open).then(|| judged.contains(&Some(true)))
            }
            _ => None,
        }
    }

    /// The deciding parts of an expression.
    fn expression(&self, e: ExprId, value: bool, found: &mut Vec<Reason>) {
        let m = self.m;
        match m.exprs.node(e) {
            Node::Bool(_) => {}
            Node::Not(a) if !matches!(m.exprs.node(*a), Node::Compare(..)) => self.expression(*a, !value, found),
            node @ (Node::And(parts) | Node::Or(parts)) => {
                if value == matches!(node, Node::And(_)) {
                    parts.iter().for_each(|p| self.expression(*p, value, found));
                } else if let Some(decides) = parts.iter().find(|p| (self.holds)(**p) == value) {
                    self.expression(*decides, value, found);
                }
            }
            Node::Iff(a, b) => {
                self.expression(*a, (self.holds)(*a), found);
                self.expression(*b, (self.holds)(*b), found);
            }
            _ => {
                let obvious = match m.exprs.node(e) {
                    Node::Cur(_) | Node::Prev(_) => true,
                    Node::Compare(CompareOp::Eq, ..) => value,
                    _ => false,
                };
                let values = if obvious { Values::new() } else { self.values(e) };
                let (part, at) = (show::expression(m, e), self.at);
                push(found, Reason { at, part, holds: value, throughout: false, values });
            }
        }
    }

    /// The values of what an expression reads.
    fn values(&self, e: ExprId) -> Values {
        let mut values = Values::new();
        self.m.exprs.leaves(e, &mut |leaf| {
            if let Node::Prev(v) | Node::Cur(v) = leaf {
                values.insert(self.m.var(*v).name.clone(), (self.read)(*v));
            }
        });
        values
    }
}
