//! Three-valued truth on diagrams: the rules of [`crate::abstraction::truth`], with sets of snapshots as diagrams.

use super::Symbolic;
use crate::abstraction::check::Refused;
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
#[derive(Clone, PartialEq, Eq)]
pub struct Truth {
    /// True for every concrete snapshot there.
    pub yes: Bdd,
    /// False for every concrete snapshot there.
    pub no: Bdd,
}

type Answer = Result<Truth, Refused>;

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

/// Decides formulas of the machine over predicates.
pub struct Judge<'a, 'm> {
    /// What may and must happen.
    pub all: &'a Symbolic<'m>,
    may: Checker<'a, 'm>,
    bound: Vec<(String, Truth)>,
    /// What has been decided already, fixpoints under way aside.
    known: FxHashMap<Formula<ExprId>, Truth>,
    /// Who cannot tell snapshots apart: by group, as it may be, and as it surely is.
    looks: BTreeMap<Vec<AgentIx>, (Rc<Relation>, Rc<Relation>)>,
}

impl<'a, 'm> Judge<'a, 'm> {
    /// Ready to decide.
    pub fn new(all: &'a Symbolic<'m>) -> Judge<'a, 'm> {
        let (may, known) = (Checker::new(&all.sys, &all.reach), FxHashMap::default());
        Judge { all, may, bound: Vec::new(), known, looks: BTreeMap::new() }
    }

    /// Where a formula is true and where it is false. LTL is decided for the initial snapshot only.
    pub fn decide(&mut self, f: &Formula<ExprId>) -> Answer {
        if !self.bound.is_empty() && !f.free().is_empty() {
            return self.compute(f);
        }
        if let Some(known) = self.known.get(f) {
            return Ok(known.clone());
        }
        let truth = self.compute(f)?;
        self.known.insert(f.clone(), truth.clone());
        Ok(truth)
    }

    fn compute(&mut self, f: &Formula<ExprId>) -> Answer {
        match f {
            Formula::Atom(e) => Ok(self.known(self.all.sys.atom(*e)?)),
            Formula::Bool(b) => self.connective(b),
            Formula::Quantified(path, t) => {
                let parts = t.try_map(|a| self.decide(a))?;
                self.temporal(*path == Path::A, &parts)
            }
            Formula::Know(kind, group, a) => {
                let a = self.decide(a)?;
                self.know(*kind, group, a)
            }
            Formula::Fix(kind, name, body) => self.fixpoint(*kind, name, body),
            Formula::Var(name) => match self.bound.iter().rev().find(|(n, _)| n == name) {
                Some((_, truth)) => Ok(truth.clone()),
                None => Err(Refused::Unsupported("a fixpoint's variable outside of its fixpoint")),
            },
            Formula::Can(..) => Err(Refused::Unsupported("strategies are not decided on abstract snapshots")),
            Formula::Ltl(path) => self.ltl(path),
        }
    }

    fn known(&self, yes: Bdd) -> Truth {
        Truth { no: self.all.sys.space.not(&yes), yes }
    }

    pub(super) fn constant(&self, value: bool) -> Truth {
        self.known(self.all.sys.space.constant(value))
    }

    fn both(&self, a: &Truth, b: &Truth) -> Answer {
        let s = &self.all.sys.space;
        Ok(Truth { yes: s.and(&a.yes, &b.yes)?, no: s.or(&a.no, &b.no)? })
    }

    fn negated(a: Truth) -> Truth {
        Truth { yes: a.no, no: a.yes }
    }

    fn either(&self, a: Truth, b: Truth) -> Answer {
        Ok(Self::negated(self.both(&Self::negated(a), &Self::negated(b))?))
    }

    fn connective(&mut self, b: &Bool<Formula<ExprId>>) -> Answer {
        match b {
            Bool::Not(a) => Ok(Self::negated(self.decide(a)?)),
            Bool::And(xs) => xs.iter().try_fold(self.constant(true), |all, x| {
                let x = self.decide(x)?;
                self.both(&all, &x)
            }),
            Bool::Or(xs) => xs.iter().try_fold(self.constant(false), |all, x| {
                let x = self.decide(x)?;
                self.either(all, x)
            }),
            Bool::Implies(a, b) => {
                let (a, b) = (self.decide(a)?, self.decide(b)?);
                self.either(Self::negated(a), b)
            }
            Bool::Iff(a, b) => {
                let (a, b) = (self.decide(a)?, self.decide(b)?);
                let forth = self.either(Self::negated(a.clone()), b.clone())?;
                let back = self.either(Self::negated(b), a)?;
                self.both(&forth, &back)
            }
            Bool::Quant { .. } => Err(Refused::Unsupported("a quantifier that was not expanded")),
        }
    }

    /// One side of every operator is what the may-steps say, the other what each concrete snapshot can see to.
    fn temporal(&self, all: bool, t: &Temporal<Truth>) -> Answer {
        let (s, sym) = (&self.all.sys.space, self.all);
        let fair = self.may.fairness(&[])?;
        let never = t.map(|a| s.not(&a.no));
        let surely = t.map(|a| a.yes.clone());
        if !all {
            let no = s.not(&self.may.on_some_run(&never, &fair)?);
            let yes = match t {
                Temporal::Next(a) => sym.each_can(&a.yes)?,
                Temporal::Finally(a) => sym.each_gets_to(&a.yes, &s.yes())?,
                Temporal::Until(a, b) => sym.each_gets_to(&b.yes, &a.yes)?,
                Temporal::Globally(a) => self.shrinking(|z| s.and(&a.yes, &sym.each_can(z)?))?,
            };
            return Ok(Truth { yes, no });
        }
        let yes = self.may.on_all_runs(&surely, &fair)?;
        let no = match t {
            Temporal::Next(a) => sym.each_can(&a.no)?,
            Temporal::Globally(a) => sym.each_gets_to(&a.no, &s.yes())?,
            Temporal::Finally(a) => self.shrinking(|z| s.and(&a.no, &sym.each_can(z)?))?,
            Temporal::Until(a, b) => self.shrinking(|z| s.and(&b.no, &s.or(&a.no, &sym.each_can(z)?)?))?,
        };
        Ok(Truth { yes, no })
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

    fn within(&self, a: &Truth) -> Answer {
        let (s, set) = (&self.all.sys.space, &self.all.reach.set);
        Ok(Truth { yes: s.and(&a.yes, set)?, no: s.and(&a.no, set)? })
    }

    fn fixpoint(&mut self, kind: Fixpoint, name: &str, body: &Formula<ExprId>) -> Answer {
        let mut now = self.within(&self.constant(kind == Fixpoint::Greatest))?;
        loop {
            self.bound.push((name.to_string(), now.clone()));
            let next = self.decide(body);
            self.bound.pop();
            let next = self.within(&next?)?;
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }

    fn know(&mut self, kind: Know, group: &[AgentIx], a: Truth) -> Answer {
        match kind {
            Know::Distributed => self.knows(group, &a),
            Know::K | Know::Everybody => self.everybody(group, &a),
            Know::Common => {
                let s = &self.all.sys.space;
                let mut now = Truth { yes: self.all.reach.set.clone(), no: s.no() };
                loop {
                    let next = self.everybody(group, &self.both(&a, &now)?)?;
                    let next = self.within(&next)?;
                    if next == now {
                        return Ok(now);
                    }
                    now = next;
                }
            }
        }
    }

    fn everybody(&mut self, group: &[AgentIx], a: &Truth) -> Answer {
        let mut all = self.constant(true);
        for member in group {
            let knows = self.knows(&[*member], a)?;
            all = self.both(&all, &knows)?;
        }
        Ok(all)
    }

    /// What a group knows together: no snapshot that may look the same leaves it in doubt; some reachable one that surely does denies it.
    fn knows(&mut self, group: &[AgentIx], a: &Truth) -> Answer {
        let machine = &self.all.made.machine;
        if group.iter().any(|m| machine.agents.get(m.0).is_some_and(|a| a.sees_all)) {
            return Ok(a.clone());
        }
        let (may, sure) = self.looks(group)?;
        let s = &self.all.sys.space;
        let doubt = s.diff(&self.all.reach.set, &a.yes)?;
        let yes = s.not(&s.preimage(&doubt, &may)?);
        if group.iter().any(|m| self.all.made.seeing.get(m.0) == Some(&true)) {
            // Whether a snapshot is reachable with what they see is only asked of snapshots in a list.
            return Ok(Truth { yes, no: a.no.clone() });
        }
        let denied = s.and(&self.all.reached, &a.no)?;
        let no = s.or(&a.no, &s.preimage(&denied, &sure)?)?;
        Ok(Truth { yes, no })
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
