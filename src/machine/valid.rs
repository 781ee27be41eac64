//! Proof that a machine is well-formed.

use super::{Ask, Assign, Body, ExprId, Exprs, Machine, Node, Question, Steps, VarId};
use crate::logic::{Bool, Formula, PathFormula};
use crate::machine::Domain;

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Bool,
    Num,
}

/// What an expression may read.
#[derive(Clone, Copy)]
struct Scope {
    prev: bool,
    cur: bool,
    inputs: usize,
}

const SNAPSHOT: Scope = Scope { prev: false, cur: true, inputs: 0 };

/// A machine some of whose numbers may have no bounds, with the proof that it is well-formed otherwise. Only abstraction takes it;
/// for the other engines [`validate`] refuses it.
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

/// Checks a machine and, if it is well-formed, hands it back with the proof.
pub fn validate(machine: Machine) -> Result<Valid, Fault> {
    let wide = machine.vars.iter().find(|v| v.domain.is_unbounded()).map(|v| &v.name);
    let inputs = machine.bodies.iter().flat_map(|b| &b.inputs);
    let wide = wide.or_else(|| inputs.into_iter().find(|i| i.domain.is_unbounded()).map(|i| &i.name));
    if let Some(name) = wide {
        return Err(Fault(format!("'{name}' has no bounds")));
    }
    validate_unbounded(machine).map(|Unbounded { machine }| Valid { machine })
}

/// The same for a machine whose numbers may have no bounds.
pub fn validate_unbounded(machine: Machine) -> Result<Unbounded, Fault> {
    Checker { m: &machine, sorts: sorts(&machine)? }.run()?;
    Ok(Unbounded { machine })
}

/// The sort of every expression; parts must come before wholes. Inputs are numbers or Booleans by their bodies, so they are
/// checked where they are used; here they may be either.
fn sorts(m: &Machine) -> Result<Vec<Option<Sort>>, Fault> {
    let mut sorts: Vec<Option<Sort>> = Vec::with_capacity(m.exprs.len());
    for (i, node) in m.exprs.nodes().iter().enumerate() {
        let parts = m.exprs.parts(ExprId(i as u32));
        if parts.iter().any(|p| p.0 as usize >= i) {
            return Err(Fault(format!("expression {i} has a part that does not come before it")));
        }
        let fits = |e: &ExprId, s: Sort| sorts[e.0 as usize].is_none_or(|t| t == s);
        let (ok, sort) = match node {
            Node::Bool(_) => (true, Some(Sort::Bool)),
            Node::Int(_) => (true, Some(Sort::Num)),
            Node::Prev(v) | Node::Cur(v) => match m.vars.get(v.0 as usize) {
                Some(var) => (true, Some(sort_of(&var.domain))),
                None => return Err(Fault(format!("expression {i} reads a variable that does not exist"))),
            },
            Node::Input(_) => (true, None),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Iff(..) => {
                (parts.iter().all(|p| fits(p, Sort::Bool)), Some(Sort::Bool))
            }
            Node::Compare(..) => (parts.iter().all(|p| fits(p, Sort::Num)), Some(Sort::Bool)),
            Node::Arith(..) => (parts.iter().all(|p| fits(p, Sort::Num)), Some(Sort::Num)),
            Node::Ite(c, t, e) => {
                let (t, e) = (sorts[t.0 as usize], sorts[e.0 as usize]);
                (fits(c, Sort::Bool) && (t.is_none() || e.is_none() || t == e), t.or(e))
            }
        };
        if !ok {
            return Err(Fault(format!("expression {i} mixes Booleans and numbers")));
        }
        sorts.push(sort);
    }
    Ok(sorts)
}

fn sort_of(domain: &Domain) -> Sort {
    if *domain == Domain::Bool { Sort::Bool } else { Sort::Num }
}

struct Checker<'a> {
    m: &'a Machine,
    sorts: Vec<Option<Sort>>,
}

impl Checker<'_> {
    fn run(&self) -> Result<(), Fault> {
        for var in &self.m.vars {
            let (lo, hi) = var.domain.bounds();
            ensure(lo <= hi && (lo..=hi).contains(&var.init), || format!("'{}' starts outside its domain", var.name))?;
        }
        let mut names: Vec<&str> = self.m.vars.iter().map(|v| v.name.as_str()).collect();
        names.sort_unstable();
        ensure(names.windows(2).all(|w| w[0] != w[1]), || "two variables share a name".into())?;
        ensure(self.m.vars.is_sorted_by_key(|v| v.scratch), || {
            "a scratch variable comes before a state variable".into()
        })?;
        ensure((self.m.overflow.0 as usize) < self.m.state_vars().len(), || "overflow flag is missing".into())?;
        for slot in &self.m.slots {
            slot.vars.iter().chain(&slot.exists).try_for_each(|v| self.var(*v))?;
        }
        for agent in &self.m.agents {
            agent.private.iter().try_for_each(|v| self.var(*v))?;
            for view in &agent.views {
                self.boolean(view.visible, SNAPSHOT, "a window")?;
                view.seen.iter().try_for_each(|v| self.var(*v))?;
            }
        }
        self.m.bodies.iter().try_for_each(|b| self.body(b))?;
        for action in &self.m.actions {
            let body = self.m.bodies.get(action.body).ok_or_else(|| Fault("an action has no body".into()))?;
            ensure(action.agent < self.m.agents.len(), || "an action has no agent".into())?;
            let scope = Scope { prev: true, cur: false, inputs: body.inputs.len() };
            self.boolean(action.allowed, scope, "an action's condition")?;
            self.assigns(&action.updates, Scope { cur: true, ..scope })?;
            let mut written: Vec<VarId> = action.updates.iter().map(|u| u.var).collect();
            written.sort_unstable();
            ensure(written.windows(2).all(|w| w[0] != w[1]), || "two updates write one variable".into())?;
        }
        for p in &self.m.properties {
            self.formula(&p.formula)?;
            p.fair.iter().try_for_each(|f| self.formula(f))?;
        }
        self.m.questions.iter().try_for_each(|q| self.question(q))
    }

    fn question(&self, q: &Question) -> Result<(), Fault> {
        match &q.ask {
            Ask::Some(steps) | Ask::None(steps) => {
                let exists = |s: &Steps| {
                    let body = self.m.bodies.get(s.body);
                    body.is_some_and(|b| s.rule.is_none_or(|r| r < b.rules.len()))
                };
                ensure(steps.iter().all(exists), || format!("'{}' asks for steps that do not exist", q.name))
            }
            Ask::Reach(e) | Ask::NoDeadEnd(e) => self.boolean(*e, SNAPSHOT, &q.name),
            Ask::OrderIndependent => Ok(()),
        }
    }

    fn body(&self, b: &Body) -> Result<(), Fault> {
        let scope = Scope { prev: true, cur: true, inputs: b.inputs.len() };
        ensure(b.target.is_none_or(|t| t < self.m.slots.len()), || format!("'{}' has no target", b.event))?;
        for input in &b.inputs {
            let (lo, hi) = input.domain.bounds();
            let inside = input.values.iter().all(|v| (lo..=hi).contains(v));
            ensure((!input.values.is_empty() || input.domain.is_unbounded()) && inside, || {
                format!("input '{}' has values outside its domain", input.name)
            })?;
        }
        self.boolean(b.applicable, scope, "applicability")?;
        self.assigns(&b.effect, scope)?;
        self.assigns(&b.finish, scope)?;
        for rule in &b.rules {
            self.boolean(rule.prerequisite, scope, &rule.origin.label)?;
            self.boolean(rule.antecedent, scope, &rule.origin.label)?;
            self.assigns(&[Assign { var: rule.target, value: rule.value }], scope)?;
        }
        for w in &b.watches {
            let inside = w.rule < b.rules.len() && w.sources.iter().all(|s| *s < b.rules.len());
            ensure(inside, || format!("a watch of '{}' names no rule", b.event))?;
            w.vars.iter().try_for_each(|v| self.var(*v))?;
        }
        Ok(())
    }

    fn assigns(&self, list: &[Assign], scope: Scope) -> Result<(), Fault> {
        for a in list {
            self.var(a.var)?;
            let var = self.m.var(a.var);
            self.scoped(a.value, scope, &var.name)?;
            let sort = self.sorts[a.value.0 as usize];
            ensure(sort.is_none_or(|s| s == sort_of(&var.domain)), || {
                format!("'{}' gets a value of another sort", var.name)
            })?;
            if let Node::Int(c) = self.m.exprs.node(a.value) {
                let (lo, hi) = var.domain.bounds();
                ensure((lo..=hi).contains(c), || format!("'{}' gets a value outside its domain", var.name))?;
            }
        }
        Ok(())
    }

    fn formula(&self, f: &Formula<ExprId>) -> Result<(), Fault> {
        let mut result = f.fixpoint_fault().map_or(Ok(()), |why| Err(Fault(why)));
        f.walk(&mut |part| {
            let found = match part {
                Formula::Atom(e) => self.boolean(*e, SNAPSHOT, "an atom"),
                Formula::Bool(Bool::Quant { .. }) => Err(Fault("a quantifier was not expanded".into())),
                Formula::Know(_, g, _) | Formula::Can(g, _) => self.group(g),
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
            PathFormula::State(_) | PathFormula::Bool(_) | PathFormula::Temporal(_) => {
                f.parts().into_iter().try_for_each(|part| self.path(part))
            }
        }
    }

    fn group(&self, group: &[usize]) -> Result<(), Fault> {
        ensure(group.iter().all(|a| *a < self.m.agents.len()), || "a formula names no agent".into())
    }

    fn var(&self, v: VarId) -> Result<(), Fault> {
        ensure((v.0 as usize) < self.m.vars.len(), || "a variable does not exist".into())
    }

    fn boolean(&self, e: ExprId, scope: Scope, what: &str) -> Result<(), Fault> {
        self.scoped(e, scope, what)?;
        ensure(self.sorts[e.0 as usize].is_none_or(|s| s == Sort::Bool), || format!("{what} is not Boolean"))
    }

    fn scoped(&self, e: ExprId, scope: Scope, what: &str) -> Result<(), Fault> {
        ensure((e.0 as usize) < self.m.exprs.len(), || format!("{what}: no such expression"))?;
        let exprs: &Exprs = &self.m.exprs;
        let mut bad = None;
        exprs.leaves(e, &mut |leaf| {
            let ok = match leaf {
                Node::Prev(v) => scope.prev && !self.m.var(*v).scratch,
                Node::Cur(v) => scope.cur && (scope.prev || !self.m.var(*v).scratch),
                Node::Input(i) => *i < scope.inputs,
                _ => true,
            };
            if !ok {
                bad = Some(format!("{what} reads {leaf:?} out of its scope"));
            }
        });
        bad.map_or(Ok(()), |b| Err(Fault(b)))
    }
}

fn ensure(ok: bool, fault: impl FnOnce() -> String) -> Result<(), Fault> {
    if ok { Ok(()) } else { Err(Fault(fault())) }
}
