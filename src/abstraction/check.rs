//! Deciding properties on an abstract graph.

use super::env::Env;
use super::know::{Local, local, seen};
use super::truth::{Set, Steps, Truth, fixpoint};
use super::view::reachable_with;
use super::{Asker, Graph, Predicates, Stopped, System};
use crate::logic::automaton::Automaton;
use crate::logic::{Bool, Fixpoint, Formula, Know, Path, Temporal};
use crate::machine::{AgentIx, ExprId, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A formula this engine does not decide, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Not with abstraction.
    Unsupported(&'static str),
    /// Something went wrong on the way.
    Stopped(Stopped),
}

impl From<Stopped> for Refused {
    fn from(s: Stopped) -> Refused {
        Refused::Stopped(s)
    }
}

/// Decides formulas on one graph.
pub struct Checker<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    graph: &'a Graph,
    steps: Steps<'a>,
    /// Snapshots reachable with every value of the abstracted data in a view, by view.
    reached: BTreeMap<BTreeSet<VarId>, Set>,
    /// What groups see, by group.
    lenses: BTreeMap<Vec<AgentIx>, Rc<Lens>>,
    /// Fixpoint variables with what they stand for at the moment, innermost last.
    bound: Vec<(String, Truth)>,
}

impl<'a> Checker<'a> {
    /// Ready to decide.
    pub fn new(system: &'a System<'a>, predicates: &'a Predicates, graph: &'a Graph) -> Checker<'a> {
        let steps = Steps::new(graph, system.machine.idle);
        let (reached, lenses) = (BTreeMap::new(), BTreeMap::new());
        Checker { system, predicates, graph, steps, reached, lenses, bound: Vec::new() }
    }

    /// Where a formula is true and where it is false. LTL is decided for the initial snapshot only, the first.
    ///
    /// # Errors
    /// When the formula is of a kind that abstraction does not decide, or the solver fails.
    pub fn decide(&mut self, f: &Formula<ExprId>, asker: &mut Asker) -> Result<Truth, Refused> {
        Ok(match f {
            Formula::Atom(e) => self.atom(*e, asker)?,
            Formula::Bool(connective) => self.connective(connective, asker)?,
            Formula::Quantified(path, Temporal::Next(a)) => {
                let a = self.decide(a, asker)?;
                self.steps.next(*path == Path::A, &a)
            }
            Formula::Quantified(path, Temporal::Finally(a)) => {
                let a = self.decide(a, asker)?;
                self.steps.until(*path == Path::A, &self.constant(true), &a)
            }
            Formula::Quantified(path, Temporal::Globally(a)) => {
                let a = self.decide(a, asker)?;
                self.steps.globally(*path == Path::A, &a)
            }
            Formula::Quantified(path, Temporal::Until(a, b)) => {
                let (a, b) = (self.decide(a, asker)?, self.decide(b, asker)?);
                self.steps.until(*path == Path::A, &a, &b)
            }
            Formula::Know(kind, group, a) => {
                let a = self.decide(a, asker)?;
                self.know(*kind, group, a, asker)?
            }
            Formula::Fix(kind, name, body) => self.fixpoint(*kind, name, body, asker)?,
            Formula::Var(name) => match self.bound.iter().rev().find(|(n, _)| n == name) {
                Some((_, truth)) => truth.clone(),
                None => return Err(Refused::Unsupported("a fixpoint's variable outside of its fixpoint")),
            },
            Formula::Can(..) => return Err(Refused::Unsupported("strategies are not decided on abstract snapshots")),
            Formula::Ltl(path) => {
                let large = Refused::Unsupported("the automaton of the formula is too large");
                let automata = (Automaton::new(path, true), Automaton::new(path, false));
                let (Some(satisfies), Some(violates)) = automata else { return Err(large) };
                let (graph, states) = (self.graph, self.steps.len());
                let (yes, no) = super::ltl::decide(graph, &satisfies, &violates, |f| self.decide(f, asker))?;
                let first = |holds: bool| (0..states).map(|s| s == 0 && holds).collect();
                Truth { yes: first(yes), no: first(no) }
            }
        })
    }

    fn fixpoint(
        &mut self,
        kind: Fixpoint,
        name: &str,
        body: &Formula<ExprId>,
        asker: &mut Asker,
    ) -> Result<Truth, Refused> {
        let mut now = self.constant(kind == Fixpoint::Greatest);
        loop {
            self.bound.push((name.to_string(), now.clone()));
            let next = self.decide(body, asker);
            self.bound.pop();
            let next = next?;
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }

    fn constant(&self, value: bool) -> Truth {
        Truth::known(vec![value; self.steps.len()])
    }

    fn connective(&mut self, b: &Bool<Formula<ExprId>>, asker: &mut Asker) -> Result<Truth, Refused> {
        Ok(match b {
            Bool::Not(a) => self.decide(a, asker)?.negated(),
            Bool::And(xs) => {
                let mut whole = self.constant(true);
                for x in xs {
                    whole = whole.and(&self.decide(x, asker)?);
                }
                whole
            }
            Bool::Or(xs) => {
                let mut whole = self.constant(false);
                for x in xs {
                    whole = whole.or(&self.decide(x, asker)?);
                }
                whole
            }
            Bool::Implies(a, b) => self.decide(a, asker)?.negated().or(&self.decide(b, asker)?),
            Bool::Iff(a, b) => {
                let (a, b) = (self.decide(a, asker)?, self.decide(b, asker)?);
                a.clone().negated().or(&b).and(&b.negated().or(&a))
            }
            Bool::Quant { .. } => return Err(Refused::Unsupported("a quantifier that was not expanded")),
        })
    }

    /// Atoms are decided by the predicates; one that is not is unknown.
    fn atom(&self, e: ExprId, asker: &mut Asker) -> Result<Truth, Refused> {
        let mut values: Vec<Option<bool>> = Vec::with_capacity(self.graph.states.len());
        for s in &self.graph.states {
            asker.oracle().go_on().map_err(Stopped::Solver)?;
            values.push(Env::new(self.system, self.predicates, s).truth(e));
        }
        let is = |b: bool| values.iter().map(|v| *v == Some(b)).collect();
        Ok(Truth { yes: is(true), no: is(false) })
    }

    fn know(&mut self, kind: Know, group: &[AgentIx], a: Truth, asker: &mut Asker) -> Result<Truth, Refused> {
        if kind == Know::Distributed {
            return self.joint(group, a, asker);
        }
        let mut lenses = Vec::new();
        for member in group {
            lenses.push(self.lens(&[*member], asker)?);
        }
        let everybody = |a: &Truth| {
            let start = Truth::known(vec![true; self.steps.len()]);
            lenses.iter().flatten().fold(start, |all, lens| all.and(&lens.knows(a))).and(&self.by_all_seeing(group, a))
        };
        Ok(match kind {
            Know::Common => {
                let start = Truth { yes: vec![true; a.yes.len()], no: vec![false; a.no.len()] };
                fixpoint(start, |z| everybody(&a.clone().and(z)))
            }
            _ => everybody(&a),
        })
    }

    fn joint(&mut self, group: &[AgentIx], a: Truth, asker: &mut Asker) -> Result<Truth, Refused> {
        if group.iter().any(|m| self.sees_all(*m)) {
            return Ok(a);
        }
        Ok(match self.lens(group, asker)? {
            Some(lens) => lens.knows(&a),
            None => a,
        })
    }

    fn sees_all(&self, agent: AgentIx) -> bool {
        self.system.machine.agents.get(agent.0).is_some_and(|a| a.sees_all)
    }

    /// Whoever sees everything knows what is so.
    fn by_all_seeing(&self, group: &[AgentIx], a: &Truth) -> Truth {
        match group.iter().any(|m| self.sees_all(*m)) {
            true => a.clone(),
            false => Truth::known(vec![true; a.yes.len()]),
        }
    }

    /// What a group has before its eyes together; `None` for one that sees everything.
    fn lens(&mut self, group: &[AgentIx], asker: &mut Asker) -> Result<Option<Rc<Lens>>, Refused> {
        if group.iter().any(|m| self.sees_all(*m)) {
            return Ok(None);
        }
        if let Some(known) = self.lenses.get(group) {
            return Ok(Some(known.clone()));
        }
        let view = seen(self.system, group);
        if !self.reached.contains_key(&view) {
            let set = reachable_with(self.system, self.predicates, self.graph, &view, asker)?;
            self.reached.insert(view.clone(), set);
        }
        let reached = self.reached.get(&view).cloned().unwrap_or_default();
        let look = |s| local(self.system, self.predicates, s, group);
        let lens = Rc::new(Lens { local: self.graph.states.iter().map(look).collect(), reached });
        self.lenses.insert(group.to_vec(), lens.clone());
        Ok(Some(lens))
    }
}

/// Local states of a group, and which snapshots count as surely reachable for it.
struct Lens {
    local: Vec<Option<Local>>,
    reached: Set,
}

impl Lens {
    fn knows(&self, a: &Truth) -> Truth {
        let (mut doubt, mut denied) = (BTreeSet::new(), BTreeSet::new());
        let mut blind = false;
        for (s, local) in self.local.iter().enumerate() {
            match local {
                Some(local) => {
                    if a.yes.get(s) != Some(&true) {
                        doubt.insert(&local.may);
                    }
                    if a.no.get(s) == Some(&true) && self.reached.get(s) == Some(&true) {
                        denied.insert(&local.must);
                    }
                }
                None => blind |= a.yes.get(s) != Some(&true),
            }
        }
        let yes = self.local.iter().map(|l| !blind && l.as_ref().is_some_and(|l| !doubt.contains(&l.may)));
        let no =
            self.local.iter().zip(&a.no).map(|(l, no)| *no || l.as_ref().is_some_and(|l| denied.contains(&l.must)));
        Truth { yes: yes.collect(), no: no.collect() }
    }
}
