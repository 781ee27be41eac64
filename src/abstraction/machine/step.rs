//! A body over predicates instead of numbers.
//!
//! The machine's own step is executed once, for all snapshots: a number is a list of *cases*, sums of unknowns under conditions on what is
//! finite. Where the step compares such a number, or leaves a predicate behind, the comparison is an atom over the unknowns before
//! the step. An atom that is a predicate is known; every other one becomes a Boolean input of the body, and which inputs go together is
//! said by [`super::table`].

use super::Frame;
use crate::abstraction::env::{Ground, ground};
use crate::abstraction::linear::{Atom, Linear};
use crate::abstraction::predicate::variable;
use crate::machine::walk::Executor;
use crate::machine::{
    Assign, Body, BodyIx, CompareOp, Domain, ExprId, FALSE, InputIx, Node, Origin, Rule, TRUE, Var, VarId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A number that depends on what is finite: exactly one of the conditions holds.
pub type Cases = Vec<(ExprId, Linear)>;

/// Why a step cannot be said over predicates alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit(pub &'static str);

/// Stands for no body at all: a condition on one snapshot.
pub const SNAPSHOT: BodyIx = BodyIx(usize::MAX);

/// What an expression is worth.
#[derive(Clone)]
pub enum Worth {
    /// An expression of the new machine, and the old one it stands for.
    Finite(ExprId, ExprId),
    /// A number from abstracted data.
    Wide(Cases),
}

/// Where in a step we are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Effect,
    Rules,
    Finish,
}

/// A body on its way into the new machine.
pub struct Turn<'f, 'a> {
    pub frame: &'f mut Frame<'a>,
    pub(super) body: BodyIx,
    /// Old inputs that are kept, with their new positions.
    pub(super) inputs: BTreeMap<InputIx, InputIx>,
    /// Atoms that are inputs of the new body, after those that are kept.
    pub atoms: Vec<Atom>,
    /// Abstracted variables that the step has set.
    pub(super) now: BTreeMap<VarId, Cases>,
    /// Finite variables that it may have set.
    assigned: BTreeSet<VarId>,
    phase: Phase,
    /// The step is over: "before" and "now" are the same snapshot.
    pub(super) over: bool,
    /// The new body so far.
    pub made: Body,
    /// Expressions without abstracted data.
    pub(super) plain: FxHashMap<ExprId, ExprId>,
    pub(super) wide: FxHashMap<ExprId, bool>,
}

impl<'f, 'a> Turn<'f, 'a> {
    /// Ready to execute a body.
    pub fn new(frame: &'f mut Frame<'a>, body: BodyIx) -> Turn<'f, 'a> {
        let old = frame.system.machine.bodies.get(body.0).cloned();
        let mut made = old.unwrap_or_else(empty_body);
        let (mut inputs, mut kept) = (BTreeMap::new(), Vec::new());
        for (i, input) in std::mem::take(&mut made.inputs).into_iter().enumerate() {
            if frame.system.wide_input(body, InputIx(i)).is_none() {
                inputs.insert(InputIx(i), InputIx(kept.len()));
                kept.push(input);
            }
        }
        let made = Body { inputs: kept, event: made.event, target: made.target, ..empty_body() };
        Turn {
            frame,
            body,
            inputs,
            atoms: Vec::new(),
            now: BTreeMap::new(),
            assigned: BTreeSet::new(),
            phase: Phase::Effect,
            over: false,
            made,
            plain: FxHashMap::default(),
            wide: FxHashMap::default(),
        }
    }

    /// Is this about one snapshot, not about a step?
    pub(super) fn is_snapshot(&self) -> bool {
        self.body == SNAPSHOT
    }

    /// The input that stands for an atom.
    pub fn position(&self, atom: usize) -> InputIx {
        InputIx(self.inputs.len() + atom)
    }

    /// Predicates as the step leaves them, as the last assignments of the body.
    pub fn predicates(&mut self) -> Result<(), Unfit> {
        self.over = true;
        self.plain.clear();
        let predicates = self.frame.predicates;
        for (p, predicate) in predicates.list.iter().enumerate() {
            if !predicate.vars.iter().any(|v| self.now.contains_key(v) || self.assigned.contains(v)) {
                continue;
            }
            let cases = self.spread(&predicate.atom.difference())?;
            let mut parts = Vec::new();
            for (guard, sum) in cases {
                let holds = match ground(predicate.atom.less, &sum) {
                    Ground::Known(b) => self.frame.exprs.bool(b),
                    Ground::Atom(atom, holds) => {
                        let e = self.atom(atom)?;
                        if holds { e } else { self.frame.exprs.not(e) }
                    }
                };
                parts.push(self.frame.exprs.and([guard, holds]));
            }
            let value = self.frame.exprs.or(parts);
            let var = self.frame.truths.get(p).copied().ok_or(Unfit("a predicate without a variable"))?;
            let mut moves = false;
            self.frame.exprs.leaves(value, &mut |l| moves |= matches!(l, Node::Cur(_)));
            // Nothing reads a predicate's new truth within the step, so it may as well come first.
            if moves { &mut self.made.finish } else { &mut self.made.effect }.push(Assign { var, value });
        }
        Ok(())
    }

    /// Variables that a finished body may change, among those that predicates mention.
    pub fn mentions(&self, var: VarId) -> bool {
        self.frame.predicates.list.iter().any(|p| p.vars.contains(&var))
    }

    /// Conditions that later assignments cannot change any more.
    fn frozen(&mut self, cases: Cases, origin: Option<&Origin>) -> Cases {
        let mut kept = Vec::new();
        for (guard, sum) in cases {
            let mut moves = false;
            let first = self.frame.first_case;
            self.frame.exprs.leaves(guard, &mut |l| moves |= matches!(l, Node::Cur(v) if v.0 < first));
            let guard = if moves { self.noted(TRUE, guard, origin) } else { guard };
            kept.push((guard, sum));
        }
        kept
    }

    /// A condition at this moment, noted in a variable of its own.
    fn noted(&mut self, condition: ExprId, value: ExprId, origin: Option<&Origin>) -> ExprId {
        let var = self.frame.case();
        let both = self.frame.exprs.and([condition, value]);
        match (self.phase, origin) {
            (Phase::Rules, Some(origin)) => self.made.rules.push(Rule {
                origin: origin.clone(),
                prerequisite: TRUE,
                antecedent: both,
                target: var,
                value: TRUE,
            }),
            (Phase::Finish, _) => self.made.finish.push(Assign { var, value: both }),
            _ => self.made.effect.push(Assign { var, value: both }),
        }
        self.frame.exprs.cur(var)
    }

    /// What an action's update assigns: the last thing in a step.
    pub fn update(&mut self, update: &Assign) -> Result<Assign, Unfit> {
        if self.mentions(update.var) {
            return Err(Unfit("a predicate about a private variable that is updated"));
        }
        match (self.fitted(update.value, update.var)?, self.frame.var(update.var)?) {
            (Worth::Finite(value, _), var) => Ok(Assign { var, value }),
            (Worth::Wide(_), _) => Err(Unfit("an unbounded private variable")),
        }
    }
}

impl Executor for Turn<'_, '_> {
    type Value = Worth;
    type Stop = Unfit;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<Worth, Unfit> {
        self.fitted(e, var)
    }

    fn set(&mut self, var: VarId, value: Worth) -> Result<(), Unfit> {
        match value {
            Worth::Finite(value, _) => {
                self.assigned.insert(var);
                let assign = Assign { var: self.frame.var(var)?, value };
                if self.phase == Phase::Effect { &mut self.made.effect } else { &mut self.made.finish }.push(assign);
            }
            Worth::Wide(cases) => {
                let cases = self.frozen(cases, None);
                self.now.insert(var, cases);
            }
        }
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Unfit> {
        self.made.applicable = self.truth(condition)?;
        self.phase = Phase::Rules;
        Ok(true)
    }

    fn rule(&mut self, _: usize, rule: &Rule) -> Result<(), Unfit> {
        let (prerequisite, antecedent) = (self.truth(rule.prerequisite)?, self.truth(rule.antecedent)?);
        match self.fitted(rule.value, rule.target)? {
            Worth::Finite(value, _) => {
                self.assigned.insert(rule.target);
                let (origin, target) = (rule.origin.clone(), self.frame.var(rule.target)?);
                self.made.rules.push(Rule { origin, prerequisite, antecedent, target, value });
            }
            Worth::Wide(cases) => {
                let cases = self.frozen(cases, Some(&rule.origin));
                let fires = self.noted(prerequisite, antecedent, Some(&rule.origin));
                let other = self.current(rule.target);
                let cases = self.either(fires, cases, other);
                self.now.insert(rule.target, cases);
            }
        }
        Ok(())
    }

    fn ruled(&mut self, _: &Body) -> Result<(), Unfit> {
        self.phase = Phase::Finish;
        Ok(())
    }
}

fn empty_body() -> Body {
    Body {
        event: String::new(),
        target: None,
        inputs: Vec::new(),
        effect: Vec::new(),
        applicable: TRUE,
        rules: Vec::new(),
        finish: Vec::new(),
        components: Vec::new(),
    }
}

impl Frame<'_> {
    /// An abstracted variable as an unknown: at its initial value while it is pinned.
    pub fn unknown(&mut self, var: VarId, before: bool) -> Cases {
        let (system, mut pinned) = (self.system, Vec::new());
        for pin in system.pins.iter().filter(|p| p.var == var) {
            let Ok(when) = self.var(pin.when) else { continue };
            pinned.push(self.is(when, &system.machine.var(pin.when).domain, pin.code, before));
        }
        let free = variable(system, var);
        let pinned = self.exprs.or(pinned);
        let open = self.exprs.not(pinned);
        let cases = vec![(pinned, Linear::int(system.machine.var(var).init)), (open, free)];
        cases.into_iter().filter(|(g, _)| *g != FALSE).collect()
    }

    /// "This variable has this value."
    pub fn is(&mut self, var: VarId, domain: &Domain, code: i64, before: bool) -> ExprId {
        let e = if before { self.exprs.prev(var) } else { self.exprs.cur(var) };
        match domain {
            Domain::Bool if code == 0 => self.exprs.not(e),
            Domain::Bool => e,
            _ => {
                let value = self.exprs.int(code);
                self.exprs.compare(CompareOp::Eq, e, value)
            }
        }
    }

    /// A variable for a condition within a step.
    fn case(&mut self) -> VarId {
        let id = VarId(self.first_case + self.cases.len() as u32);
        let name = format!("case {}", self.cases.len() + 1);
        self.cases.push(Var { name, domain: Domain::Bool, init: 0, scratch: true, slot: None });
        id
    }
}
