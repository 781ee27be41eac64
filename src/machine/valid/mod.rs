//! Proof that a machine is well-formed.

mod reads;
#[cfg(test)]
mod tests;

use super::{
    Action, AgentIx, Ask, Assign, Body, BodyIx, Domain, ExprId, Input, InputIx, Machine, Node, Question, Rule, Slot,
    SlotIx, Steps, VarId, code,
};
use crate::logic::{Bool, Formula, Know, PathFormula};
use reads::{Arena, Reads, Sort};

/// A machine together with the proof that it is well-formed: sorts fit, nothing dangles, every expression reads only what
/// exists at its moment, constants lie in their domains. Only [`validate`] makes one.
#[derive(Clone, Debug)]
pub struct Valid {
    machine: Machine,
}

impl std::ops::Deref for Valid {
    type Target = Machine;
    fn deref(&self) -> &Machine {
        &self.machine
    }
}

/// What is wrong with a machine. Always a bug in whoever built it, never in the user's model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "machine is not well-formed: {}", self.0)
    }
}

impl std::error::Error for Fault {}

/// What expressions about one snapshot may read.
const SNAPSHOT: Reads = Reads { prev: false, cur: true, scratch: false, nothing: false, inputs: false };
/// What the conditions of an action may read.
const BEFORE: Reads = Reads { prev: true, cur: false, scratch: false, nothing: false, inputs: true };
/// What may be read while a step goes on.
const STEP: Reads = Reads { prev: true, cur: true, scratch: true, nothing: false, inputs: true };

/// Inputs that a body may have.
const MOST_INPUTS: usize = 1 << 12;

/// A machine some of whose numbers may have no bounds, with the proof that it is well-formed otherwise. Abstraction takes it, and
/// [`Unbounded::stepwise`] is for whoever takes steps; for the other engines [`validate`] refuses it.
#[derive(Clone, Debug)]
pub struct Unbounded {
    machine: Machine,
}

impl std::ops::Deref for Unbounded {
    type Target = Machine;
    fn deref(&self) -> &Machine {
        &self.machine
    }
}

impl Unbounded {
    /// The machine for whoever only takes steps: the interpreter does so on exact values. Nobody can enumerate its snapshots.
    pub fn stepwise(self) -> Valid {
        Valid { machine: self.machine }
    }

    /// Some variables and inputs are texts, of which the first have these words.
    pub fn with_texts(self, vars: &[VarId], inputs: &[(BodyIx, InputIx)], words: &[String]) -> Unbounded {
        let Unbounded { mut machine } = self;
        let text = Domain::Text { words: words.to_vec() };
        for var in vars {
            machine.vars[var.0 as usize].domain = text.clone();
        }
        for (body, input) in inputs {
            machine.bodies[*body].inputs[input.0].domain = text.clone();
        }
        Unbounded { machine }
    }
}

/// Checks a machine and, if it is well-formed, hands it back with the proof.
pub fn validate(machine: Machine) -> Result<Valid, Fault> {
    let wide = machine.vars.iter().find(|v| v.domain.is_unbounded()).map(|v| &v.name);
    let inputs = machine.bodies.iter().flat_map(|b| &b.inputs);
    let wide = wide.or_else(|| inputs.into_iter().find(|i| i.domain.is_unbounded()).map(|i| &i.name));
    if let Some(name) = wide {
        return Err(Fault(format!("'{name}' has no bounds")));
    }
    if machine.exprs.nodes().iter().any(|n| matches!(n, Node::Arith(super::ArithOp::Over, ..))) {
        return Err(Fault("numbers with fractions have no bounds".into()));
    }
    validate_unbounded(machine).map(|Unbounded { machine }| Valid { machine })
}

/// The same for a machine whose numbers may have no bounds.
pub fn validate_unbounded(machine: Machine) -> Result<Unbounded, Fault> {
    Checker { m: &machine, arena: Arena::of(&machine)? }.run()?;
    Ok(Unbounded { machine })
}

struct Checker<'a> {
    m: &'a Machine,
    arena: Arena<'a>,
}

impl Checker<'_> {
    fn run(&self) -> Result<(), Fault> {
        self.variables()?;
        self.slots()?;
        self.agents()?;
        self.m.bodies.iter().try_for_each(|b| self.body(b))?;
        self.m.actions.iter().try_for_each(|a| self.action(a))?;
        for p in &self.m.properties {
            self.formula(&p.formula)?;
            let linear = |f: &Formula<ExprId>| matches!(f, Formula::Ltl(_));
            ensure(!p.fair.iter().any(linear), || format!("'{}' has a fairness constraint about runs", p.name))?;
            p.fair.iter().chain(p.doubts.iter().map(|d| &d.formula)).try_for_each(|f| self.formula(f))?;
        }
        self.m.questions.iter().try_for_each(|q| self.question(q))
    }

    fn variables(&self) -> Result<(), Fault> {
        for var in &self.m.vars {
            let (lo, hi) = var.domain.bounds();
            ensure(lo <= hi && (lo..=hi).contains(&var.init), || format!("'{}' starts outside its domain", var.name))?;
            let fits = lo == i64::MIN || code::is_plain(lo);
            ensure(fits, || format!("the range of '{}' begins below {}", var.name, code::FIRST))?;
        }
        unique(self.m.vars.iter().map(|v| v.name.as_str()), "two variables share a name")?;
        ensure(self.m.vars.is_sorted_by_key(|v| v.scratch), || {
            "a scratch variable comes before a state variable".into()
        })?;
        self.flag(self.m.overflow, "overflow")
    }

    fn slots(&self) -> Result<(), Fault> {
        unique(self.m.slots.iter().map(|s| s.name.as_str()), "two slots share a name")?;
        let mut first: std::collections::BTreeMap<usize, &Slot> = Default::default();
        for (ix, slot) in SlotIx::each(&self.m.slots) {
            slot.vars.iter().try_for_each(|v| self.state(*v))?;
            slot.exists.iter().try_for_each(|v| self.flag(*v, &slot.name))?;
            unique(slot.vars.iter(), "a slot has a variable twice")?;
            let mine = |v: &VarId| self.m.var(*v).slot.is_none_or(|s| s == ix);
            ensure(slot.vars.iter().all(mine), || format!("'{}' has a variable of another slot", slot.name))?;
            let alike = first.entry(slot.family).or_insert(slot);
            let domains = |s: &Slot| s.vars.iter().map(|v| self.m.var(*v).domain.clone()).collect::<Vec<_>>();
            ensure(domains(alike) == domains(slot), || format!("'{}' is not like its family", slot.name))?;
        }
        for var in &self.m.vars {
            ensure(var.slot.is_none_or(|s| s.0 < self.m.slots.len()), || format!("'{}' is in no slot", var.name))?;
        }
        Ok(())
    }

    fn agents(&self) -> Result<(), Fault> {
        unique(self.m.agents.iter().flat_map(|a| &a.private), "a private variable has two owners")?;
        for agent in &self.m.agents {
            agent.private.iter().try_for_each(|v| self.state(*v))?;
            for view in &agent.views {
                self.boolean(view.visible, SNAPSHOT, &[], &view.name)?;
                view.seen.iter().try_for_each(|v| self.state(*v))?;
            }
        }
        Ok(())
    }

    fn action(&self, action: &Action) -> Result<(), Fault> {
        let body = self.m.bodies.get(action.body.0).ok_or_else(|| Fault("an action has no body".into()))?;
        let agent = self.m.agents.get(action.agent.0).ok_or_else(|| Fault("an action has no agent".into()))?;
        self.boolean(action.allowed, BEFORE, &body.inputs, "an action's condition")?;
        self.assigns(&action.updates, &body.inputs)?;
        unique(action.updates.iter().map(|u| u.var), "two updates write one variable")?;
        let own = |u: &Assign| u.var == self.m.overflow || agent.private.contains(&u.var);
        ensure(action.updates.iter().all(own), || "an update writes what is not the agent's".into())
    }

    fn question(&self, q: &Question) -> Result<(), Fault> {
        match &q.ask {
            Ask::Some(steps) | Ask::None(steps) => {
                let exists = |s: &Steps| {
                    let body = self.m.bodies.get(s.body.0);
                    body.is_some_and(|b| s.rule.is_none_or(|r| r < b.rules.len()))
                };
                ensure(steps.iter().all(exists), || format!("'{}' asks for steps that do not exist", q.name))
            }
            Ask::Reach(e) | Ask::Never(e) | Ask::NoDeadEnd(e) => self.boolean(*e, SNAPSHOT, &[], &q.name),
            Ask::OrderIndependent => Ok(()),
        }
    }

    fn body(&self, b: &Body) -> Result<(), Fault> {
        let exists = |s: Option<SlotIx>| s.is_none_or(|s| s.0 < self.m.slots.len());
        ensure(exists(b.target), || format!("'{}' has no target", b.event))?;
        ensure(b.inputs.len() <= MOST_INPUTS, || format!("'{}' has too many inputs", b.event))?;
        for input in &b.inputs {
            let (lo, hi) = input.domain.bounds();
            let inside = input.values.ends().is_some_and(|(first, last)| lo <= first && last <= hi);
            ensure(inside, || format!("input '{}' has values outside its domain", input.name))?;
        }
        self.boolean(b.applicable, STEP, &b.inputs, "applicability")?;
        self.assigns(&b.effect, &b.inputs)?;
        self.assigns(&b.finish, &b.inputs)?;
        for rule in &b.rules {
            self.boolean(rule.prerequisite, STEP, &b.inputs, &rule.origin.label)?;
            self.boolean(rule.antecedent, STEP, &b.inputs, &rule.origin.label)?;
            self.assign(rule.target, rule.value, &b.inputs)?;
            ensure(exists(rule.origin.slot), || format!("{} belongs to no slot", rule.origin.label))?;
        }
        for c in &b.components {
            let inside = c.rules.iter().all(|r| *r < b.rules.len())
                && c.rules.is_sorted_by(|a, b| a < b)
                && c.unseen.iter().all(|(reader, writer)| c.rules.contains(reader) && c.rules.contains(writer));
            ensure(inside, || format!("a component of '{}' names no rule", b.event))?;
            let targets = c.targets(&b.rules);
            let constant = |r: &Rule| matches!(self.m.exprs.node(r.value), Node::Bool(_) | Node::Int(_));
            let mut same = b.rules.iter().filter(|r| targets.contains(&r.target));
            ensure(same.all(constant), || format!("a rule of a component of '{}' sets no constant", b.event))?;
        }
        Ok(())
    }

    fn assigns(&self, list: &[Assign], inputs: &[Input]) -> Result<(), Fault> {
        list.iter().try_for_each(|a| self.assign(a.var, a.value, inputs))
    }

    fn assign(&self, var: VarId, value: ExprId, inputs: &[Input]) -> Result<(), Fault> {
        self.var(var)?;
        let var = self.m.var(var);
        self.arena.fits(value, Sort::of(&var.domain), STEP, inputs, &var.name)?;
        if let Node::Int(c) = self.m.exprs.node(value) {
            let (lo, hi) = var.domain.bounds();
            ensure((lo..=hi).contains(c), || format!("'{}' gets a value outside its domain", var.name))?;
        }
        Ok(())
    }

    fn formula(&self, f: &Formula<ExprId>) -> Result<(), Fault> {
        let mut result = f.fixpoint_fault().map_or(Ok(()), |why| Err(Fault(why)));
        f.walk(&mut |part| {
            let found = match part {
                Formula::Atom(e) => self.boolean(*e, SNAPSHOT, &[], "an atom"),
                Formula::Bool(Bool::Quant { .. }) => Err(Fault("a quantifier was not expanded".into())),
                Formula::Know(kind, g, _) => self.group(g).and_then(|()| {
                    let fits = if *kind == Know::K { g.len() == 1 } else { !g.is_empty() };
                    ensure(fits, || "knowledge of nobody, or of too many".into())
                }),
                Formula::Can(g, _) => self.group(g),
                Formula::Ltl(_) if !std::ptr::eq(part, f) => Err(Fault("LTL stands inside a formula".into())),
                Formula::Ltl(path) => self.path(path),
                Formula::Bool(_) | Formula::Quantified(..) | Formula::Fix(..) | Formula::Var(_) => Ok(()),
            };
            if result.is_ok() {
                result = found;
            }
        });
        result
    }

    /// The state parts are looked at with the formula around it.
    fn path(&self, f: &PathFormula<ExprId>) -> Result<(), Fault> {
        match f {
            PathFormula::Bool(Bool::Quant { .. }) => Err(Fault("a quantifier was not expanded".into())),
            PathFormula::State(state) => ensure(timeless(state), || "time stands inside LTL".into()),
            PathFormula::Bool(_) | PathFormula::Temporal(_) => {
                f.parts().into_iter().try_for_each(|part| self.path(part))
            }
        }
    }

    fn group(&self, group: &[AgentIx]) -> Result<(), Fault> {
        ensure(group.iter().all(|a| a.0 < self.m.agents.len()), || "a formula names no agent".into())
    }

    fn var(&self, v: VarId) -> Result<(), Fault> {
        ensure((v.0 as usize) < self.m.vars.len(), || "a variable does not exist".into())
    }

    /// A variable that snapshots have a value of.
    fn state(&self, v: VarId) -> Result<(), Fault> {
        ensure((v.0 as usize) < self.m.state_vars().len(), || "a state variable does not exist".into())
    }

    fn flag(&self, v: VarId, what: &str) -> Result<(), Fault> {
        self.state(v)?;
        ensure(self.m.var(v).domain == Domain::Bool, || format!("the flag of '{what}' is no Boolean"))
    }

    fn boolean(&self, e: ExprId, may: Reads, inputs: &[Input], what: &str) -> Result<(), Fault> {
        self.arena.fits(e, Sort::Bool, may, inputs, what)
    }
}

/// Without a temporal operator outside knowledge.
fn timeless(f: &Formula<ExprId>) -> bool {
    match f {
        Formula::Quantified(..) | Formula::Can(..) | Formula::Ltl(_) | Formula::Fix(..) | Formula::Var(_) => false,
        Formula::Know(..) | Formula::Atom(_) => true,
        Formula::Bool(_) => f.parts().into_iter().all(timeless),
    }
}

fn unique<T: Ord>(all: impl Iterator<Item = T>, fault: &str) -> Result<(), Fault> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    ensure(all.windows(2).all(|w| w[0] != w[1]), || fault.to_string())
}

fn ensure(ok: bool, fault: impl FnOnce() -> String) -> Result<(), Fault> {
    if ok { Ok(()) } else { Err(Fault(fault())) }
}
