//! Where properties are decided: on diagrams, or snapshot by snapshot.
//!
//! Diagrams hold far more snapshots. What they cannot say is left to the list: numbers that depend on conditions inside predicates, and
//! that agents who see abstracted data do not know something, where it must be asked with which values a snapshot is reachable.

use super::check::Refused;
use super::claim::Claim;
use super::diagram::{Judge, Symbolic};
use super::env::Snapshot;
use super::graph::Graph;
use super::{Asker, Checker, System, Truth};
use crate::logic::Formula;
use crate::logic::automaton::Automaton;
use crate::machine::{BodyIx, ExprId, FALSE, Idle, Machine};
use crate::native::bdd::Bdd;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// From a state and a snapshot to a number of steps.
type Distance<'a> = dyn Fn(usize, &Snapshot) -> Option<usize> + 'a;
/// Of an atom, a value and a snapshot.
type Sure<'a> = dyn Fn(usize, bool, &Snapshot) -> bool + 'a;

/// The way to abstract runs that would show a verdict. A run is followed together with the states of an automaton, which say what is still to come.
pub struct Guide<'a> {
    /// What follows each state.
    pub edges: Vec<Vec<usize>>,
    /// The states a run can begin in.
    pub initial: Vec<usize>,
    /// May-steps to where nothing more is to come; nothing where there is no way, or the snapshot does not fit the state.
    pub distance: Box<Distance<'a>>,
    /// Has an atom of the claim surely this value in a snapshot?
    pub sure: Box<Sure<'a>>,
    /// A run without end.
    pub lasso: Box<dyn Fn() -> Result<Option<Lasso>, Refused> + 'a>,
}

/// A run without end: the last snapshot is an earlier one again.
pub struct Lasso {
    /// The snapshots.
    pub snapshots: Vec<Snapshot>,
    /// The position of the one that the last one is.
    pub again: usize,
}

/// Snapshots in which part of a formula is undecided.
pub struct Spots<'a> {
    /// Some from which a step may lead to where it is decided.
    pub edge: Vec<Snapshot>,
    /// Any.
    pub rest: Box<dyn Fn() -> Result<Vec<Snapshot>, Refused> + 'a>,
    /// Is it decided in a snapshot?
    pub decided: Box<dyn Fn(&Snapshot) -> bool + 'a>,
}

/// So many snapshots are looked at one by one.
const SOME: usize = 24;
/// Runs this much longer than necessary are looked at.
pub const DETOUR: usize = 8;

/// Something that decides properties, which are named by their positions in the machine.
pub trait Ground {
    /// The truth of a property in the initial snapshot; `None` if it is unknown.
    fn verdict(&mut self, property: usize, asker: &mut Asker) -> Result<Option<bool>, Refused>;

    /// The way to runs that show that a property has this value; `None` if no run does.
    fn guide(&mut self, property: usize, value: bool, asker: &mut Asker) -> Result<Option<Guide<'_>>, Refused>;

    /// Where a part of a property is undecided; `None` if it is decided everywhere. Parts are numbered from the outside.
    fn spots(&mut self, property: usize, part: usize, asker: &mut Asker) -> Result<Option<Spots<'_>>, Refused>;

    /// Some snapshots that may be reached.
    fn anywhere(&mut self, most: usize) -> Result<Vec<Snapshot>, Refused>;

    /// The snapshots of a shortest run that may lead to one, from the initial one on.
    fn way(&mut self, to: &Snapshot) -> Result<Vec<Snapshot>, Refused>;

    /// Can this happen at all, as far as is looked?
    fn knows(&self, body: BodyIx) -> bool;
}

/// The parts of a formula, outside first.
pub fn parts(f: &Formula<ExprId>) -> Vec<&Formula<ExprId>> {
    let mut all = Vec::new();
    f.walk(&mut |part| all.push(part));
    all
}

/// Is a beginning of a run enough to show a formula's value? Where nobody may idle, what is said of runs is said of those without end.
fn may_end(m: &Machine, f: &Formula<ExprId>) -> bool {
    m.idle != Idle::Never || !matches!(f, Formula::Ltl(_))
}

fn formula(m: &Machine, property: usize) -> Result<&Formula<ExprId>, Refused> {
    m.properties.get(property).map(|p| &p.formula).ok_or(Refused::Unsupported("a property that does not exist"))
}

/// Snapshot by snapshot.
pub struct Listed<'a> {
    system: &'a System<'a>,
    graph: &'a Graph,
    checker: Checker<'a>,
    index: FxHashMap<&'a Snapshot, usize>,
}

impl<'a> Listed<'a> {
    /// Decides on a graph.
    pub fn new(system: &'a System<'a>, graph: &'a Graph, checker: Checker<'a>) -> Listed<'a> {
        let index = graph.states.iter().enumerate().map(|(i, s)| (s, i)).collect();
        Listed { system, graph, checker, index }
    }

    /// Per automaton state and snapshot, how far it is to where the automaton ends.
    fn distances(
        &self,
        edges: &[Vec<usize>],
        fits: &dyn Fn(usize, usize) -> bool,
        ends: &dyn Fn(usize) -> bool,
    ) -> Vec<Vec<Option<usize>>> {
        let count = self.graph.states.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for s in 0..count {
            for t in self.graph.may(s) {
                if let Some(list) = before.get_mut(t) {
                    list.push(s);
                }
            }
        }
        let mut found: Vec<Vec<Option<usize>>> = vec![vec![None; count]; edges.len()];
        let goals = (0..edges.len()).filter(|q| ends(*q)).flat_map(|q| (0..count).map(move |s| (q, s, 0)));
        let mut todo: VecDeque<(usize, usize, usize)> = goals.filter(|(q, s, _)| fits(*q, *s)).collect();
        while let Some((q, s, far)) = todo.pop_front() {
            match found.get_mut(q).and_then(|list| list.get_mut(s)) {
                Some(place @ None) => *place = Some(far),
                _ => continue,
            }
            let sources = edges.iter().enumerate().filter(|(_, next)| next.contains(&q)).map(|(p, _)| p);
            for p in sources {
                let near = before.get(s).into_iter().flatten().copied();
                todo.extend(near.filter(|r| fits(p, *r)).map(|r| (p, r, far + 1)));
            }
        }
        found
    }

    fn pick(&self, mut wanted: impl FnMut(usize) -> bool) -> Vec<Snapshot> {
        let all = self.graph.states.iter().enumerate().filter(|(s, _)| wanted(*s));
        all.map(|(_, snapshot)| snapshot.clone()).collect()
    }
}

impl Ground for Listed<'_> {
    fn verdict(&mut self, property: usize, asker: &mut Asker) -> Result<Option<bool>, Refused> {
        let truth = self.checker.decide(formula(self.system.machine, property)?, asker)?;
        Ok(match (truth.yes.first(), truth.no.first()) {
            (Some(true), _) => Some(true),
            (_, Some(true)) => Some(false),
            _ => None,
        })
    }

    fn guide(&mut self, property: usize, value: bool, asker: &mut Asker) -> Result<Option<Guide<'_>>, Refused> {
        let f = formula(self.system.machine, property)?;
        let Some(claim) = Claim::of(f, value) else { return Ok(None) };
        let Some(automaton) = Automaton::new(&claim.path, true) else { return Ok(None) };
        let truths = claim.atoms.iter().map(|f| self.checker.decide(f, asker)).collect::<Result<Vec<Truth>, _>>()?;
        let sure = move |atom: usize, value: bool, s: usize| {
            let side = truths.get(atom).map(|t| if value { &t.yes } else { &t.no });
            side.and_then(|side| side.get(s)) == Some(&true)
        };
        let fits = |q: usize, s: usize| {
            let literals = automaton.labels.get(q).map(Vec::as_slice).unwrap_or_default();
            literals.iter().all(|(a, positive)| match automaton.atoms.get(*a) {
                Some(Formula::Atom(at)) => sure(*at, *positive, s),
                _ => false,
            })
        };
        let ends = |q: usize| may_end(self.system.machine, f) && automaton.ends(q);
        let distances = self.distances(&automaton.edges, &fits, &ends);
        let (edges, initial, index) = (automaton.edges.clone(), automaton.initial.clone(), &self.index);
        Ok(Some(Guide {
            edges,
            initial,
            distance: Box::new(move |q, s| distances.get(q)?.get(*index.get(s)?).copied().flatten()),
            sure: Box::new(move |atom, value, s| index.get(s).is_some_and(|s| sure(atom, value, *s))),
            // Loops are looked for on diagrams only.
            lasso: Box::new(|| Ok(None)),
        }))
    }

    fn spots(&mut self, property: usize, part: usize, asker: &mut Asker) -> Result<Option<Spots<'_>>, Refused> {
        let Some(f) = parts(formula(self.system.machine, property)?).get(part).copied() else { return Ok(None) };
        let truth = self.checker.decide(f, asker)?;
        let decided: Vec<bool> = truth.yes.iter().zip(&truth.no).map(|(y, n)| *y || *n).collect();
        if decided.iter().all(|d| *d) {
            return Ok(None);
        }
        let is = |s: &usize| decided.get(*s) == Some(&true);
        let near = |s: usize| self.graph.may(s).iter().any(is);
        let (edge, others) = (self.pick(|s| !is(&s) && near(s)), self.pick(|s| !is(&s) && !near(s)));
        let (index, rest) = (&self.index, Box::new(move || Ok(others.clone())));
        let known = move |s: &Snapshot| index.get(s).is_some_and(|i| decided.get(*i) == Some(&true));
        Ok(Some(Spots { edge, rest, decided: Box::new(known) }))
    }

    fn anywhere(&mut self, _: usize) -> Result<Vec<Snapshot>, Refused> {
        Ok(self.pick(|_| true))
    }

    fn way(&mut self, to: &Snapshot) -> Result<Vec<Snapshot>, Refused> {
        let Some(goal) = self.index.get(to).copied() else { return Ok(Vec::new()) };
        let mut before: FxHashMap<usize, usize> = FxHashMap::default();
        let mut todo = VecDeque::from([0]);
        while let Some(s) = todo.pop_front().filter(|s| *s != goal) {
            for t in self.graph.may(s).into_iter().filter(|t| *t != 0) {
                before.entry(t).or_insert_with(|| {
                    todo.push_back(t);
                    s
                });
            }
        }
        let mut way: Vec<usize> = std::iter::successors(Some(goal), |s| before.get(s).copied()).collect();
        way.reverse();
        Ok(way.into_iter().filter_map(|s| self.graph.states.get(s).cloned()).collect())
    }

    fn knows(&self, _: BodyIx) -> bool {
        true
    }
}

/// On diagrams.
pub struct Drawn<'a, 'm> {
    judge: Judge<'a, 'm>,
    /// The properties that the machine over predicates has.
    properties: &'a [usize],
}

impl<'a, 'm> Drawn<'a, 'm> {
    /// Decides on diagrams of a machine that has these properties.
    pub fn new(all: &'a Symbolic<'m>, properties: &'a [usize]) -> Drawn<'a, 'm> {
        Drawn { judge: Judge::new(all), properties }
    }

    fn formula(&self, property: usize) -> Result<&'a Formula<ExprId>, Refused> {
        let all: &'a Symbolic<'m> = self.judge.all;
        formula(&all.made.machine, self.properties.iter().position(|p| *p == property).unwrap_or(usize::MAX))
    }
}

impl Ground for Drawn<'_, '_> {
    fn verdict(&mut self, property: usize, _: &mut Asker) -> Result<Option<bool>, Refused> {
        self.judge.verdict(self.formula(property)?)
    }

    fn guide(&mut self, property: usize, value: bool, _: &mut Asker) -> Result<Option<Guide<'_>>, Refused> {
        let f = self.formula(property)?;
        let ends = may_end(&self.judge.all.made.machine, f);
        match Claim::of(f, value) {
            Some(claim) => self.judge.guide(&claim, ends),
            None => Ok(None),
        }
    }

    fn spots(&mut self, property: usize, part: usize, _: &mut Asker) -> Result<Option<Spots<'_>>, Refused> {
        let Some(f) = parts(self.formula(property)?).get(part).copied() else { return Ok(None) };
        let truth = self.judge.decide(f)?;
        let (all, s) = (self.judge.all, &self.judge.all.sys.space);
        // What follows a snapshot that may be reached may be reached, so that this need not be said: the set stays small.
        let known: Bdd = s.or(&truth.yes, &truth.no)?;
        let undecided = s.diff(&all.reach.set, &known)?;
        if undecided.is_false() {
            return Ok(None);
        }
        let edge = all.edge(&undecided, &known, SOME)?;
        let rest = Box::new(move || Ok(all.sample(&undecided, SOME)?));
        Ok(Some(Spots { edge, rest, decided: Box::new(move |snapshot| all.contains(&known, snapshot)) }))
    }

    fn anywhere(&mut self, most: usize) -> Result<Vec<Snapshot>, Refused> {
        Ok(self.judge.all.sample(&self.judge.all.reach.set, most)?)
    }

    fn way(&mut self, to: &Snapshot) -> Result<Vec<Snapshot>, Refused> {
        self.judge.way(to)
    }

    fn knows(&self, body: BodyIx) -> bool {
        self.judge.all.made.machine.bodies.get(body.0).is_some_and(|b| b.applicable != FALSE)
    }
}
