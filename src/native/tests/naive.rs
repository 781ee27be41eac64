//! Formulas on explicit structures, as directly from the definitions as possible.

use std::collections::BTreeSet;

use super::kripke::Kripke;
use crate::logic::{Fixpoint, Formula, Know, Path, PathFormula, Temporal};
use crate::machine::Idle;
use crate::machine::{AgentIx, ExprId};
use crate::native::check::Fml;

type Set = BTreeSet<i64>;

/// An explicit structure restricted to what state 0 reaches.
pub struct Naive<'k> {
    k: &'k Kripke,
    props: &'k [ExprId],
    reach: Set,
}

impl<'k> Naive<'k> {
    pub fn new(k: &'k Kripke, props: &'k [ExprId]) -> Naive<'k> {
        let mut n = Naive { k, props, reach: Set::from([0]) };
        loop {
            let more: Set = n.reach.iter().flat_map(|&s| n.moves(s)).map(|(t, _)| t).collect();
            if more.is_subset(&n.reach) {
                return n;
            }
            n.reach.extend(more);
        }
    }

    fn moves(&self, s: i64) -> Vec<(i64, usize)> {
        self.k.edges.iter().filter(|e| e.0 == s).map(|e| (e.1, e.2)).collect()
    }

    fn idles(&self, s: i64) -> bool {
        match self.k.idle {
            Idle::Always => true,
            Idle::Terminal => self.moves(s).is_empty(),
            Idle::Never => false,
        }
    }

    pub fn next(&self, s: i64) -> Vec<i64> {
        let mut all: Vec<i64> = self.moves(s).iter().map(|m| m.0).collect();
        all.extend(self.idles(s).then_some(s));
        all
    }

    fn filter(&self, f: impl Fn(i64) -> bool) -> Set {
        self.reach.iter().copied().filter(|&s| f(s)).collect()
    }

    /// Whether `to` can be reached from `from` by one step or more inside `set` (ends included).
    fn path(&self, from: i64, to: i64, set: &Set) -> bool {
        let mut seen = Set::new();
        let mut todo = vec![from];
        while let Some(s) = todo.pop() {
            for t in self.next(s).into_iter().filter(|t| set.contains(t)) {
                if t == to {
                    return true;
                }
                if seen.insert(t) {
                    todo.push(t);
                }
            }
        }
        false
    }

    /// States of `set` with a run inside it that visits all fair sets again and again: they reach a state `c` of `set` on
    /// a cycle whose strongly connected component meets every fair set.
    pub fn infinite(&self, set: &Set, fair: &[Set]) -> Set {
        let on_fair_cycle = |c: i64| {
            let mutual: Set = set.iter().copied().filter(|&d| self.path(c, d, set) && self.path(d, c, set)).collect();
            self.path(c, c, set) && fair.iter().all(|f| mutual.iter().any(|d| f.contains(d)))
        };
        let good: Set = set.iter().copied().filter(|&c| on_fair_cycle(c)).collect();
        set.iter().copied().filter(|&s| good.iter().any(|&c| s == c || self.path(s, c, set))).collect()
    }

    fn alike(&self, group: &[AgentIx], s: i64, t: i64) -> bool {
        group.iter().all(|&a| self.k.colours[a.0][s as usize] == self.k.colours[a.0][t as usize])
    }

    pub fn sat(&self, f: &Fml, fair: &[Set]) -> Set {
        self.sat_where(f, fair, &[])
    }

    fn sat_where(&self, f: &Fml, fair: &[Set], vars: &[(&str, Set)]) -> Set {
        let sat = |f: &Fml| self.sat_where(f, fair, vars);
        let fair_states = self.infinite(&self.reach, fair);
        let minus = |a: &Set| self.filter(|s| !a.contains(&s));
        let until = |a: &Set, b: &Set| {
            let mut all: Set = b.intersection(&fair_states).copied().collect();
            loop {
                let more = self.filter(|s| a.contains(&s) && self.next(s).iter().any(|t| all.contains(t)));
                if more.is_subset(&all) {
                    return all;
                }
                all.extend(more);
            }
        };
        match f {
            Formula::Atom(e) => {
                let p = self.props.iter().position(|p| p == e).unwrap();
                self.filter(|s| self.k.labels[p].contains(&s))
            }
            Formula::Bool(b) => {
                let parts = b.map(sat);
                self.filter(|s| parts.map(|p| p.contains(&s)).truth())
            }
            Formula::Quantified(path, t) => match (path, t.map(sat)) {
                (Path::E, Temporal::Next(a)) => {
                    self.filter(|s| self.next(s).iter().any(|t| a.contains(t) && fair_states.contains(t)))
                }
                (Path::A, Temporal::Next(a)) => {
                    self.filter(|s| self.next(s).iter().all(|t| a.contains(t) || !fair_states.contains(t)))
                }
                (Path::E, Temporal::Finally(a)) => until(&self.reach, &a),
                (Path::A, Temporal::Finally(a)) => minus(&self.infinite(&minus(&a), fair)),
                (Path::E, Temporal::Globally(a)) => self.infinite(&a, fair),
                (Path::A, Temporal::Globally(a)) => minus(&until(&self.reach, &minus(&a))),
                (Path::E, Temporal::Until(a, b)) => until(&a, &b),
                (Path::A, Temporal::Until(a, b)) => {
                    let neither = self.filter(|s| !a.contains(&s) && !b.contains(&s));
                    let broken = until(&minus(&b), &neither);
                    let never = self.infinite(&minus(&b), fair);
                    self.filter(|s| !broken.contains(&s) && !never.contains(&s))
                }
            },
            Formula::Know(Know::K | Know::Everybody, group, a) => {
                let a = sat(a);
                let one = |s: i64, i: AgentIx| self.reach.iter().all(|&t| !self.alike(&[i], s, t) || a.contains(&t));
                self.filter(|s| group.iter().all(|&i| one(s, i)))
            }
            Formula::Know(Know::Distributed, group, a) => {
                let a = sat(a);
                self.filter(|s| self.reach.iter().all(|&t| !self.alike(group, s, t) || a.contains(&t)))
            }
            Formula::Know(Know::Common, group, a) => {
                let a = sat(a);
                let connected = |s: i64| {
                    let mut all = Set::from([s]);
                    loop {
                        let near = |t: i64| all.iter().any(|&u| group.iter().any(|&i| self.alike(&[i], u, t)));
                        let more = self.filter(near);
                        if more.is_subset(&all) {
                            return all;
                        }
                        all.extend(more);
                    }
                };
                self.filter(|s| connected(s).is_subset(&a))
            }
            Formula::Can(g, t) => match t.map(sat) {
                Temporal::Next(a) => self.can(g, &a),
                Temporal::Finally(a) => self.can_until(g, &self.reach, &a),
                Temporal::Until(a, b) => self.can_until(g, &a, &b),
                Temporal::Globally(a) => {
                    let mut safe = *a;
                    loop {
                        let next: Set = self.can(g, &safe).intersection(&safe).copied().collect();
                        if next == safe {
                            return safe;
                        }
                        safe = next;
                    }
                }
            },
            // The union of all sets inside their image, or the intersection of all that hold theirs: Knaster and Tarski.
            Formula::Fix(kind, name, body) => {
                let image = |set: Set| {
                    let inner: Vec<_> = vars.iter().cloned().chain([(name.as_str(), set)]).collect();
                    self.sat_where(body, fair, &inner)
                };
                let sets = self.subsets();
                match kind {
                    Fixpoint::Greatest => {
                        let good = sets.into_iter().filter(|set| set.is_subset(&image(set.clone())));
                        good.fold(Set::new(), |all, set| &all | &set)
                    }
                    Fixpoint::Least => {
                        let good = sets.into_iter().filter(|set| image(set.clone()).is_subset(set));
                        good.fold(self.reach.clone(), |all, set| &all & &set)
                    }
                }
            }
            Formula::Var(name) => vars.iter().find(|(v, _)| v == name).unwrap().1.clone(),
            Formula::Ltl(_) => unreachable!("not generated"),
        }
    }

    fn subsets(&self) -> Vec<Set> {
        let grow = |sets: Vec<Set>, s: &i64| {
            let with = sets.iter().map(|set| set.iter().copied().chain([*s]).collect()).collect();
            [sets.clone(), with].concat()
        };
        self.reach.iter().fold(vec![Set::new()], grow)
    }

    fn can(&self, group: &[AgentIx], goal: &Set) -> Set {
        self.filter(|s| {
            let moves = self.moves(s);
            let agents: BTreeSet<AgentIx> = moves.iter().map(|m| AgentIx(m.1)).collect();
            let fine = |agent: AgentIx| {
                let mut own = moves.iter().filter(|m| AgentIx(m.1) == agent);
                if group.contains(&agent) { own.any(|m| goal.contains(&m.0)) } else { own.all(|m| goal.contains(&m.0)) }
            };
            agents.into_iter().all(fine) && (!self.idles(s) || goal.contains(&s))
        })
    }

    fn can_until(&self, group: &[AgentIx], hold: &Set, goal: &Set) -> Set {
        let mut won = goal.clone();
        loop {
            let more: Set = self.can(group, &won).intersection(hold).copied().collect();
            if more.is_subset(&won) {
                return won;
            }
            won.extend(more);
        }
    }

    /// Whether a path formula holds at position `i` of the word `stem · loop^ω`.
    pub fn holds_on(&self, f: &PathFormula<ExprId>, word: &[i64], loop_start: usize, i: usize) -> bool {
        let at = |f: &PathFormula<ExprId>, i: usize| self.holds_on(f, word, loop_start, i);
        let step = |i: usize| if i + 1 < word.len() { i + 1 } else { loop_start };
        // Every position reachable from i is met within twice the word.
        let ahead = || std::iter::successors(Some(i), |&j| Some(step(j))).take(2 * word.len() + 1);
        let until = |a: &dyn Fn(usize) -> bool, b: &dyn Fn(usize) -> bool| {
            for j in ahead() {
                if b(j) {
                    return true;
                }
                if !a(j) {
                    return false;
                }
            }
            false
        };
        // Spelled as defined, not as they are expanded.
        if let Some((a, b)) = f.as_weak_until() {
            return until(&|j| at(a, j), &|j| at(b, j)) || ahead().all(|j| at(a, j));
        }
        if let Some((a, b)) = f.as_release() {
            return !until(&|j| !at(a, j), &|j| !at(b, j));
        }
        match f {
            PathFormula::State(f) => self.sat(f, &[]).contains(&word[i]),
            PathFormula::Bool(b) => b.map(|g| at(g, i)).truth(),
            PathFormula::Temporal(t) => match t {
                Temporal::Next(a) => at(a, step(i)),
                Temporal::Finally(a) => ahead().any(|j| at(a, j)),
                Temporal::Globally(a) => ahead().all(|j| at(a, j)),
                Temporal::Until(a, b) => until(&|j| at(a, j), &|j| at(b, j)),
            },
        }
    }

    /// All words `stem · loop^ω` from state 0 with at most `length` positions, with their loop starts.
    pub fn lassos(&self, length: usize) -> Vec<(Vec<i64>, usize)> {
        let mut found = Vec::new();
        let mut todo = vec![vec![0i64]];
        while let Some(word) = todo.pop() {
            let last = word[word.len() - 1];
            for t in self.next(last) {
                found.extend((0..word.len()).filter(|&i| word[i] == t).map(|i| (word.clone(), i)));
                if word.len() < length {
                    let mut longer = word.clone();
                    longer.push(t);
                    todo.push(longer);
                }
            }
        }
        found
    }
}
