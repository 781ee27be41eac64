//! Three-valued truth on diagrams: the rules of [`crate::abstraction::truth`], with sets of snapshots as diagrams.

use super::Symbolic;
use crate::abstraction::check::Refused;
use crate::abstraction::env::Snapshot;
use crate::abstraction::graph::Stopped;
use crate::logic::{Bool, Fixpoint, Formula, Know, Path, Temporal};
use crate::machine::{AgentIx, ExprId, MachineAgent};
use crate::native::bdd::{Bdd, Relation, Stop};
use crate::native::check::{Checker, Trouble};
use crate::native::know::alike;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a formula is true and where it is false; right on the snapshots that may be reached.
#[derive(Clone)]
pub struct Truth {
    /// True for every concrete snapshot there.
    pub yes: Bdd,
    /// False for every concrete snapshot there.
    pub no: Bdd,
}

type Answer = Result<Bdd, Refused>;

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Refused {
        Refused::Stopped(Stopped::Diagrams(stop))
    }
}

impl From<Trouble> for Refused {
    fn from(trouble: Trouble) -> Refused {
        match trouble {
            Trouble::Stop(stop) => stop.into(),
            Trouble::Unsupported(_) => Refused::Unsupported("not decided on abstract snapshots"),
        }
    }
}

/// Decides formulas of the machine over predicates. Where a formula is true depends on where its parts are true or false, never on where they are
/// open, and likewise where it is false: each *side* is found by itself, when somebody asks.
pub struct Judge<'a, 'm> {
    /// What may and must happen.
    pub all: &'a Symbolic<'m>,
    may: Checker<'a, 'm>,
    /// Fixpoints under way: name, side and what it is so far.
    bound: Vec<(String, bool, Bdd)>,
    /// What has been decided already, fixpoints under way aside: false, and true.
    known: [FxHashMap<Formula<ExprId>, Bdd>; 2],
    /// Who cannot tell snapshots apart: by group, as it may be, and as it surely is.
    looks: BTreeMap<Vec<AgentIx>, (Rc<Relation>, Rc<Relation>)>,
}

impl<'a, 'm> Judge<'a, 'm> {
    /// Ready to decide.
    pub fn new(all: &'a Symbolic<'m>) -> Judge<'a, 'm> {
        let (may, known) = (Checker::new(&all.sys, &all.reach), Default::default());
        Judge { all, may, bound: Vec::new(), known, looks: BTreeMap::new() }
    }

    /// The snapshots of a shortest run that may lead to one.
    pub fn way(&self, to: &Snapshot) -> Result<Vec<Snapshot>, Refused> {
        let goal = self.all.sys.single(&self.all.made.codes(to).into())?;
        let trail = self.may.run_to(&goal)?.unwrap_or_default();
        Ok(trail.snapshots.iter().map(|codes| self.all.made.snapshot(codes)).collect())
    }

    /// Where a formula is true and where it is false. LTL is decided for the initial snapshot only.
    pub fn decide(&mut self, f: &Formula<ExprId>) -> Result<Truth, Refused> {
        Ok(Truth { yes: self.side(f, true)?, no: self.side(f, false)? })
    }

    /// Where a formula surely has a value.
    pub fn side(&mut self, f: &Formula<ExprId>, value: bool) -> Answer {
        if !self.bound.is_empty() && !f.free().is_empty() {
            return self.compute(f, value);
        }
        if let Some(known) = self.known[usize::from(value)].get(f) {
            return Ok(known.clone());
        }
        let side = self.compute(f, value)?;
        self.known[usize::from(value)].insert(f.clone(), side.clone());
        Ok(side)
    }

    fn compute(&mut self, f: &Formula<ExprId>, value: bool) -> Answer {
        match f {
            Formula::Atom(e) => {
                let yes = self.all.sys.atom(*e)?;
                Ok(if value { yes } else { self.all.sys.space.not(&yes) })
            }
            Formula::Bool(b) => self.connective(b, value),
            Formula::Quantified(path, t) => {
                let parts = t.try_map(|a| self.side(a, value))?;
                self.temporal(*path == Path::A, &parts, value)
            }
            Formula::Know(kind, group, a) => {
                let a = self.side(a, value)?;
                self.know(*kind, group, a, value)
            }
            Formula::Fix(kind, name, body) => self.fixpoint(*kind, name, body, value),
            Formula::Var(name) => match self.bound.iter().rev().find(|(n, v, _)| n == name && *v == value) {
                Some((_, _, set)) => Ok(set.clone()),
                None => Err(Refused::Unsupported("a fixpoint's variable outside of its fixpoint")),
            },
            Formula::Can(..) => Err(Refused::Unsupported("strategies are not decided on abstract snapshots")),
            Formula::Ltl(path) => {
                let holds = self.ltl(path, value)?;
                Ok(self.all.sys.space.constant(holds))
            }
        }
    }

    /// All of these have the value, or one of them has.
    fn several(&mut self, parts: &[(&Formula<ExprId>, bool)], all: bool) -> Answer {
        let s = &self.all.sys.space;
        parts.iter().try_fold(s.constant(all), |whole, (f, value)| {
            let part = self.side(f, *value)?;
            Ok(if all { s.and(&whole, &part)? } else { s.or(&whole, &part)? })
        })
    }

    fn connective(&mut self, b: &Bool<Formula<ExprId>>, value: bool) -> Answer {
        let s = &self.all.sys.space;
        match b {
            Bool::Not(a) => self.side(a, !value),
            Bool::And(xs) => self.several(&xs.iter().map(|x| (x, value)).collect::<Vec<_>>(), value),
            Bool::Or(xs) => self.several(&xs.iter().map(|x| (x, value)).collect::<Vec<_>>(), !value),
            Bool::Implies(a, b) => self.several(&[(a, !value), (b, value)], !value),
            Bool::Iff(a, b) => {
                let both = self.several(&[(a, true), (b, value)], true)?;
                let neither = self.several(&[(a, false), (b, !value)], true)?;
                Ok(s.or(&both, &neither)?)
            }
            Bool::Quant { .. } => Err(Refused::Unsupported("a quantifier that was not expanded")),
        }
    }

    /// One side of every operator is what the may-steps say, the other what each concrete snapshot can see to.
    fn temporal(&self, all: bool, t: &Temporal<Bdd>, value: bool) -> Answer {
        let (s, sym) = (&self.all.sys.space, self.all);
        let fair = self.may.fairness(&[])?;
        Ok(match (all, value) {
            (false, true) if sym.is_sharp()? => self.may.on_some_run(t, &fair)?,
            (true, false) if sym.is_sharp()? => s.not(&self.may.on_all_runs(&t.map(|no| s.not(no)), &fair)?),
            (false, false) => s.not(&self.may.on_some_run(&t.map(|no| s.not(no)), &fair)?),
            (true, true) => self.may.on_all_runs(t, &fair)?,
            (false, true) => match t {
                Temporal::Next(a) => sym.each_can(a)?,
                Temporal::Finally(a) => sym.each_gets_to(a, &s.yes())?,
                Temporal::Until(a, b) => sym.each_gets_to(b, a)?,
                Temporal::Globally(a) => self.shrinking(|z| s.and(a, &sym.each_can(z)?))?,
            },
            (true, false) => match t {
                Temporal::Next(a) => sym.each_can(a)?,
                Temporal::Globally(a) => sym.each_gets_to(a, &s.yes())?,
                Temporal::Finally(a) => self.shrinking(|z| s.and(a, &sym.each_can(z)?))?,
                Temporal::Until(a, b) => self.shrinking(|z| s.and(b, &s.or(a, &sym.each_can(z)?)?))?,
            },
        })
    }

    /// The largest set that a step does not change.
    fn shrinking(&self, step: impl Fn(&Bdd) -> Result<Bdd, Stop>) -> Result<Bdd, Stop> {
        let (s, set) = (&self.all.sys.space, &self.all.reach.set);
        let mut now = set.clone();
        loop {
            let next = s.and(&step(&now)?, set)?;
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }

    /// From nothing, or from everything that may be reached, until a step changes nothing.
    fn settled(&mut self, full: bool, mut step: impl FnMut(&mut Self, &Bdd) -> Answer) -> Answer {
        let (s, set) = (&self.all.sys.space, &self.all.reach.set);
        let mut now = if full { set.clone() } else { s.no() };
        loop {
            let next = s.and(&step(self, &now)?, set)?;
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }

    fn fixpoint(&mut self, kind: Fixpoint, name: &str, body: &Formula<ExprId>, value: bool) -> Answer {
        self.settled((kind == Fixpoint::Greatest) == value, |judge, now| {
            judge.bound.push((name.to_string(), value, now.clone()));
            let next = judge.side(body, value);
            judge.bound.pop();
            next
        })
    }

    fn know(&mut self, kind: Know, group: &[AgentIx], a: Bdd, value: bool) -> Answer {
        match kind {
            Know::Distributed => self.knows(group, &a, value),
            Know::K | Know::Everybody => self.everybody(group, &a, value),
            Know::Common => self.settled(value, |judge, now| {
                let s = &judge.all.sys.space;
                let a = if value { s.and(&a, now)? } else { s.or(&a, now)? };
                judge.everybody(group, &a, value)
            }),
        }
    }

    fn everybody(&mut self, group: &[AgentIx], a: &Bdd, value: bool) -> Answer {
        let s = &self.all.sys.space;
        group.iter().try_fold(s.constant(value), |whole, member| {
            let knows = self.knows(&[*member], a, value)?;
            Ok(if value { s.and(&whole, &knows)? } else { s.or(&whole, &knows)? })
        })
    }

    /// What a group knows together: no snapshot that may look the same leaves it in doubt; some reachable one that surely does denies it.
    fn knows(&mut self, group: &[AgentIx], a: &Bdd, value: bool) -> Answer {
        let machine = &self.all.made.machine;
        if group.iter().any(|m| machine.agents.get(m.0).is_some_and(|a| a.sees_all)) {
            return Ok(a.clone());
        }
        let (may, sure) = self.looks(group)?;
        let s = &self.all.sys.space;
        if value {
            let doubt = s.diff(&self.all.reach.set, a)?;
            return Ok(s.not(&s.preimage(&doubt, &may)?));
        }
        if group.iter().any(|m| self.all.made.seeing.get(m.0) == Some(&true)) {
            // Whether a snapshot is reachable with what they see is only asked of snapshots in a list.
            return Ok(a.clone());
        }
        let denied = s.and(self.all.reached()?, a)?;
        Ok(s.or(a, &s.preimage(&denied, &sure)?)?)
    }

    fn looks(&mut self, group: &[AgentIx]) -> Result<(Rc<Relation>, Rc<Relation>), Refused> {
        if let Some(known) = self.looks.get(group) {
            return Ok(known.clone());
        }
        let of = |agents: &[MachineAgent]| {
            let members = group.iter().filter_map(|a| agents.get(a.0));
            alike(&self.all.sys, members).map(Rc::new)
        };
        let both = (of(&self.all.made.machine.agents)?, of(&self.all.made.keen)?);
        self.looks.insert(group.to_vec(), both.clone());
        Ok(both)
    }
}
