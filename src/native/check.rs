//! Formulas as sets of reachable snapshots: CTL with fairness, knowledge and strategies.
//!
//! A formula's set is right on the reachable snapshots and may hold anything beyond them: what concerns one instance then
//! stays a small diagram instead of being multiplied with everything else. Successors of reachable snapshots are reachable,
//! so temporal operators never notice; only knowledge asks what is reachable. Sub-formulas that several properties share
//! are computed once (per set of fairness constraints).

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bdd::{Bdd, Relation, Stop};
use super::encode::System;
use super::fixpoint::Open;
use super::graph::Graph;
use super::reach::Reach;
use crate::logic::{Bool, Formula, Path, Temporal};
use crate::machine::{AgentIx, ExprId};

/// A formula as the machine's properties have it.
pub type Fml = Formula<ExprId>;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A limit was hit.
    Stop(Stop),
    /// The question makes no sense here; the reason in words.
    Unsupported(String),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble::Stop(stop)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Stop(stop) => stop.fmt(f),
            Trouble::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Trouble {}

/// Results that can run into trouble.
pub type Answer<T> = Result<T, Trouble>;

/// Evaluates formulas on a system.
pub struct Checker<'a, 'm> {
    /// The system.
    pub sys: &'a System<'m>,
    /// Its reachable snapshots.
    pub reach: &'a Reach,
    known: RefCell<FxHashMap<(Vec<Fml>, Fml), Bdd>>,
    fairness: RefCell<FxHashMap<Vec<Fml>, Fairness>>,
    /// Fixpoints under way.
    pub(super) open: RefCell<Open>,
    pub(super) alike: RefCell<FxHashMap<Vec<AgentIx>, Rc<Relation>>>,
}

/// Fairness constraints of a property.
#[derive(Clone, Debug)]
pub struct Fairness {
    /// The constraints as written.
    pub formulas: Vec<Fml>,
    /// The sets to be visited infinitely often.
    pub sets: Vec<Bdd>,
    /// The snapshots from which some fair run starts.
    pub states: Bdd,
}

impl<'a, 'm> Checker<'a, 'm> {
    /// A checker that knows nothing yet.
    pub fn new(sys: &'a System<'m>, reach: &'a Reach) -> Checker<'a, 'm> {
        Checker {
            sys,
            reach,
            known: RefCell::default(),
            fairness: RefCell::default(),
            open: RefCell::default(),
            alike: RefCell::default(),
        }
    }

    /// The fairness of a property. The constraints themselves are evaluated without fairness.
    pub fn fairness(&self, formulas: &[Fml]) -> Answer<Fairness> {
        if let Some(known) = self.fairness.borrow().get(formulas) {
            return Ok(known.clone());
        }
        let none = Fairness { formulas: Vec::new(), sets: Vec::new(), states: self.sys.space.yes() };
        let sets = formulas.iter().map(|f| self.sat(f, &none)).collect::<Answer<Vec<Bdd>>>()?;
        if sets.is_empty() {
            return Ok(none);
        }
        let states = self.infinite(&self.sys.space.yes(), &sets)?;
        let fairness = Fairness { formulas: formulas.to_vec(), sets, states };
        self.fairness.borrow_mut().insert(formulas.to_vec(), fairness.clone());
        Ok(fairness)
    }

    /// Whether a formula holds in the initial snapshot. What is asked of all reachable snapshots is asked of them at once,
    /// without going back from them to the initial one.
    pub fn holds(&self, f: &Fml, fair: &Fairness) -> Answer<bool> {
        let s = &self.sys.space;
        let everywhere = || s.and(&self.reach.set, &fair.states);
        Ok(match f {
            Formula::Bool(Bool::Not(a)) => !self.holds(a, fair)?,
            Formula::Bool(Bool::And(parts)) => {
                parts.iter().try_fold(true, |all, p| Answer::Ok(all && self.holds(p, fair)?))?
            }
            Formula::Bool(Bool::Or(parts)) => {
                parts.iter().try_fold(false, |any, p| Answer::Ok(any || self.holds(p, fair)?))?
            }
            Formula::Bool(Bool::Implies(a, b)) => !self.holds(a, fair)? || self.holds(b, fair)?,
            Formula::Bool(Bool::Iff(a, b)) => self.holds(a, fair)? == self.holds(b, fair)?,
            Formula::Quantified(Path::E, Temporal::Finally(a)) => self.somewhere(&everywhere()?, a, true, fair)?,
            Formula::Quantified(Path::A, Temporal::Globally(a)) => !self.somewhere(&everywhere()?, a, false, fair)?,
            _ => s.meets(&self.sys.init, &self.sat(f, fair)?)?,
        })
    }

    /// Whether a formula has this value in some snapshot of a set. What is said of each instance is asked instance by instance:
    /// sets that are each about one stay small, their intersection need not.
    fn somewhere(&self, within: &Bdd, f: &Fml, value: bool, fair: &Fairness) -> Answer<bool> {
        let s = &self.sys.space;
        match (f, value) {
            (Formula::Bool(Bool::Not(a)), _) => self.somewhere(within, a, !value, fair),
            (Formula::Bool(Bool::Or(parts)), true) | (Formula::Bool(Bool::And(parts)), false) => {
                parts.iter().try_fold(false, |any, p| Answer::Ok(any || self.somewhere(within, p, value, fair)?))
            }
            (Formula::Bool(Bool::Implies(a, b)), true) => {
                Ok(self.somewhere(within, a, false, fair)? || self.somewhere(within, b, true, fair)?)
            }
            (Formula::Bool(Bool::Implies(a, b)), false) => {
                let left = s.and(within, &self.sat(a, fair)?)?;
                Ok(!left.is_false() && self.somewhere(&left, b, false, fair)?)
            }
            (_, true) => Ok(s.meets(within, &self.sat(f, fair)?)?),
            (_, false) => Ok(!s.is_subset(within, &self.sat(f, fair)?)?),
        }
    }

    /// The snapshots that satisfy a formula; right on the reachable ones.
    pub fn sat(&self, f: &Fml, fair: &Fairness) -> Answer<Bdd> {
        if !self.open.borrow().is_empty() && !f.free().is_empty() {
            return self.compute(f, fair);
        }
        let key = (fair.formulas.clone(), f.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let set = self.compute(f, fair)?;
        self.known.borrow_mut().insert(key, set.clone());
        Ok(set)
    }

    fn compute(&self, f: &Fml, fair: &Fairness) -> Answer<Bdd> {
        let sat = |f: &Fml| self.sat(f, fair);
        match f {
            Formula::Atom(e) => Ok(self.sys.atom(*e)?),
            Formula::Bool(b) => self.connective(&b.try_map(sat)?),
            Formula::Quantified(Path::E, t) => Ok(self.on_some_run(&t.try_map(sat)?, fair)?),
            Formula::Quantified(Path::A, t) => Ok(self.on_all_runs(&t.try_map(sat)?, fair)?),
            Formula::Can(group, t) => self.can(group, &t.try_map(sat)?, fair),
            Formula::Know(kind, group, a) => self.know(*kind, group, &sat(a)?),
            Formula::Fix(kind, name, body) => self.fixpoint(f, *kind, name, body, fair),
            Formula::Var(name) => self.variable(name),
            Formula::Ltl(path) => self.ltl(path, fair),
        }
    }

    fn connective(&self, b: &Bool<Bdd>) -> Answer<Bdd> {
        let s = &self.sys.space;
        Ok(match b {
            Bool::Not(a) => s.not(a),
            Bool::And(parts) => parts.iter().try_fold(s.yes(), |all, p| s.and(&all, p))?,
            Bool::Or(parts) => parts.iter().try_fold(s.no(), |all, p| s.or(&all, p))?,
            Bool::Implies(a, b) => s.or(&s.not(a), b)?,
            Bool::Iff(a, b) => s.not(&s.xor(a, b)?),
            Bool::Quant { .. } => return Err(Trouble::Unsupported("a quantifier was not expanded".into())),
        })
    }

    /// Where a statement holds on some run.
    pub fn on_some_run(&self, t: &Temporal<Bdd>, fair: &Fairness) -> Result<Bdd, Stop> {
        match t {
            Temporal::Next(a) => self.ex(a, fair),
            Temporal::Finally(a) => self.eu(&self.sys.space.yes(), a, fair),
            Temporal::Globally(a) => self.eg(a, fair),
            Temporal::Until(a, b) => self.eu(a, b, fair),
        }
    }

    /// Where it holds on all runs: there is none on which it fails.
    pub fn on_all_runs(&self, t: &Temporal<Bdd>, fair: &Fairness) -> Result<Bdd, Stop> {
        let s = &self.sys.space;
        let failing = match t {
            Temporal::Next(a) => self.ex(&s.not(a), fair)?,
            Temporal::Finally(a) => self.eg(&s.not(a), fair)?,
            Temporal::Globally(a) => self.eu(&s.yes(), &s.not(a), fair)?,
            Temporal::Until(a, b) => {
                let (not_a, not_b) = (s.not(a), s.not(b));
                let broken = self.eu(&not_b, &s.and(&not_a, &not_b)?, fair)?;
                s.or(&broken, &self.eg(&not_b, fair)?)?
            }
        };
        Ok(s.not(&failing))
    }

    fn ex(&self, a: &Bdd, fair: &Fairness) -> Result<Bdd, Stop> {
        Graph::before(self.sys, self.reach, &self.sys.space.and(a, &fair.states)?)
    }

    fn eu(&self, a: &Bdd, b: &Bdd, fair: &Fairness) -> Result<Bdd, Stop> {
        let goal = self.sys.space.and(b, &fair.states)?;
        self.sys.before(&goal, a, self.reach)
    }

    fn eg(&self, a: &Bdd, fair: &Fairness) -> Result<Bdd, Stop> {
        self.infinite(a, &fair.sets)
    }

    /// The snapshots from which a run stays in `a` for ever and visits each of the sets again and again.
    fn infinite(&self, a: &Bdd, sets: &[Bdd]) -> Result<Bdd, Stop> {
        let graph = Graph::plain(self.sys, self.reach, a.clone());
        let fair: Vec<Vec<Bdd>> = sets.iter().map(|set| vec![set.clone()]).collect();
        let mut found = graph.fair(&fair)?;
        Ok(found.pop().unwrap_or_else(|| self.sys.space.no()))
    }
}
