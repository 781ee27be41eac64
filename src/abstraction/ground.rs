//! Where properties are decided: on diagrams, or snapshot by snapshot.
//!
//! Diagrams hold far more snapshots. What they cannot say is left to the list: numbers that depend on conditions inside predicates, and
//! that agents who see abstracted data do not know something, where it must be asked with which values a snapshot is reachable.

use super::check::Refused;
use super::diagram::{Judge, Symbolic};
use super::env::Snapshot;
use super::graph::Graph;
use super::{Asker, Checker, System};
use crate::logic::{Formula, Temporal};
use crate::machine::{ExprId, Machine};
use crate::native::bdd::Bdd;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Steps to a goal along may-steps; nothing where there is no way.
pub type Distances<'a> = Box<dyn Fn(&Snapshot) -> Option<usize> + 'a>;

/// Snapshots in which part of a formula is undecided.
pub struct Spots<'a> {
    /// Some from which a step may lead to where it is decided.
    pub edge: Vec<Snapshot>,
    /// Others.
    pub rest: Vec<Snapshot>,
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

    /// How far it is to where the operand of a property's outermost operator surely has this truth value.
    fn distances(&mut self, property: usize, value: bool, asker: &mut Asker) -> Result<Distances<'_>, Refused>;

    /// Where a part of a property is undecided; `None` if it is decided everywhere. Parts are numbered from the outside.
    fn spots(&mut self, property: usize, part: usize, asker: &mut Asker) -> Result<Option<Spots<'_>>, Refused>;

    /// Some snapshots that may be reached.
    fn anywhere(&mut self) -> Result<Vec<Snapshot>, Refused>;
}

/// The parts of a formula, outside first.
pub fn parts(f: &Formula<ExprId>) -> Vec<&Formula<ExprId>> {
    let mut all = Vec::new();
    f.walk(&mut |part| all.push(part));
    all
}

/// The operand of a formula's outermost operator, if it is an `AG` or `EF`.
pub fn operand(f: &Formula<ExprId>) -> Option<&Formula<ExprId>> {
    match f {
        Formula::Quantified(_, Temporal::Globally(a) | Temporal::Finally(a)) => Some(a),
        _ => None,
    }
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

    fn distances(&mut self, property: usize, value: bool, asker: &mut Asker) -> Result<Distances<'_>, Refused> {
        let f = operand(formula(self.system.machine, property)?).ok_or(Refused::Unsupported("no run shows it"))?;
        let truth = self.checker.decide(f, asker)?;
        let target = if value { truth.yes } else { truth.no };
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.graph.states.len()];
        for s in 0..self.graph.states.len() {
            for t in self.graph.may(s) {
                if let Some(list) = before.get_mut(t) {
                    list.push(s);
                }
            }
        }
        let mut distance: Vec<Option<usize>> = target.iter().map(|t| t.then_some(0)).collect();
        let mut todo: VecDeque<usize> = (0..target.len()).filter(|s| target.get(*s) == Some(&true)).collect();
        while let Some(t) = todo.pop_front() {
            let next = distance.get(t).copied().flatten().unwrap_or(0) + 1;
            for &s in before.get(t).map(Vec::as_slice).unwrap_or_default() {
                if let Some(d @ None) = distance.get_mut(s) {
                    *d = Some(next);
                    todo.push_back(s);
                }
            }
        }
        Ok(Box::new(move |s| self.index.get(s).and_then(|i| distance.get(*i).copied().flatten())))
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
        let (edge, rest) = (self.pick(|s| !is(&s) && near(s)), self.pick(|s| !is(&s) && !near(s)));
        let index = &self.index;
        let known = move |s: &Snapshot| index.get(s).is_some_and(|i| decided.get(*i) == Some(&true));
        Ok(Some(Spots { edge, rest, decided: Box::new(known) }))
    }

    fn anywhere(&mut self) -> Result<Vec<Snapshot>, Refused> {
        Ok(self.pick(|_| true))
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

    fn distances(&mut self, property: usize, value: bool, _: &mut Asker) -> Result<Distances<'_>, Refused> {
        let f = operand(self.formula(property)?).ok_or(Refused::Unsupported("no run shows it"))?;
        let truth = self.judge.decide(f)?;
        let (all, s) = (self.judge.all, &self.judge.all.sys.space);
        let mut seen = s.and(&all.reach.set, if value { &truth.yes } else { &truth.no })?;
        let (mut rings, mut detour) = (vec![seen.clone()], None);
        while detour != Some(0) {
            if detour.is_none() && s.meets(&all.sys.init, &seen)? {
                detour = Some(DETOUR);
            }
            let next = s.diff(&s.and(&all.may_before(&seen)?, &all.reach.set)?, &seen)?;
            if next.is_false() {
                break;
            }
            seen = s.or(&seen, &next)?;
            rings.push(next);
            detour = detour.map(|d| d - 1);
        }
        Ok(Box::new(move |snapshot| rings.iter().position(|ring| all.contains(ring, snapshot))))
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
        let near = s.and(&undecided, &all.may_before(&known)?)?;
        let (edge, rest) = (all.sample(&near, SOME)?, all.sample(&s.diff(&undecided, &near)?, SOME)?);
        Ok(Some(Spots { edge, rest, decided: Box::new(move |snapshot| all.contains(&known, snapshot)) }))
    }

    fn anywhere(&mut self) -> Result<Vec<Snapshot>, Refused> {
        Ok(self.judge.all.sample(&self.judge.all.reach.set, SOME)?)
    }
}
