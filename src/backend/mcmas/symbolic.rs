//! B-steps run on conditions: every variable's value after a step, as a function of the snapshot before it and the payload.

use super::build::TooLarge;
use super::diagram::{Dd, Diagrams, Level};
use crate::machine::Domain;
use crate::machine::walk::{self, Executor};
use crate::machine::{Action, BodyIx, ExprId, Machine, Node, Rule, VarId};
use rustc_hash::FxHashMap;

/// A value that depends on the snapshot: a condition, or for each number the condition under which it is the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A Boolean.
    Bool(Dd),
    /// A number; the conditions exclude each other and cover everything.
    Num(Vec<(i64, Dd)>),
}

/// Values of variables where they differ from the snapshot before.
pub type Now = FxHashMap<VarId, Value>;

/// Payload inputs come first in the diagrams, variables after this many of them.
const MOST_INPUTS: u32 = 1 << 16;

/// More nodes than this mean that the model is too hard to write down.
const MOST_NODES: usize = 4_000_000;

/// Runs steps of one machine.
pub struct Symbolic<'m> {
    /// The machine.
    pub m: &'m Machine,
    /// All conditions.
    pub dds: Diagrams,
    /// Something reads a payload that is not there: the model would not mean what it should.
    pub lost: bool,
    bodies: FxHashMap<BodyIx, (Dd, Now)>,
}

/// What an action does.
pub struct Stepped {
    /// It can be taken, over payload and snapshot.
    pub guard: Dd,
    /// What it leaves.
    pub after: Now,
}

impl<'m> Symbolic<'m> {
    /// Nothing run yet.
    pub fn new(m: &'m Machine) -> Symbolic<'m> {
        Symbolic { m, dds: Diagrams::new(), lost: false, bodies: FxHashMap::default() }
    }

    /// The conditions have outgrown what can be written down.
    pub fn too_hard(&self) -> bool {
        self.dds.size() > MOST_NODES
    }

    /// The level of a payload input.
    pub fn input_level(input: usize) -> Level {
        input as Level
    }

    /// The level of a variable.
    pub fn level(var: VarId) -> Level {
        MOST_INPUTS + var.0
    }

    /// The variable of a level.
    pub fn var_of(level: Level) -> VarId {
        VarId(level.saturating_sub(MOST_INPUTS))
    }

    /// A variable's value in the snapshot before.
    pub fn before(&mut self, var: VarId) -> Value {
        let domain = &self.m.var(var).domain;
        self.leaf(Self::level(var), domain)
    }

    fn leaf(&mut self, level: Level, domain: &Domain) -> Value {
        let (lo, hi) = domain.bounds();
        let size = domain.size() as usize;
        match domain {
            Domain::Bool => Value::Bool(self.dds.is(level, 1, 2)),
            _ => Value::Num((lo..=hi).map(|v| (v, self.dds.is(level, (v - lo) as usize, size))).collect()),
        }
    }

    /// The value of an expression when variables are `now` what they are; `Prev` and inputs stay variables.
    pub fn value(&mut self, e: ExprId, now: &Now, body: Option<BodyIx>) -> Value {
        self.eval(e, now, body, &mut FxHashMap::default())
    }

    /// The same for a condition.
    pub fn condition(&mut self, e: ExprId, now: &Now, body: Option<BodyIx>) -> Dd {
        let value = self.value(e, now, body);
        self.truth(&value)
    }

    fn eval(&mut self, e: ExprId, now: &Now, body: Option<BodyIx>, memo: &mut FxHashMap<ExprId, Value>) -> Value {
        if let Some(v) = memo.get(&e) {
            return v.clone();
        }
        let m = self.m;
        let mut of = |s: &mut Self, x: &ExprId| s.eval(*x, now, body, memo);
        let value = match m.exprs.node(e) {
            Node::Bool(b) => Value::Bool(if *b { Dd::TRUE } else { Dd::FALSE }),
            Node::Int(i) => Value::Num(vec![(*i, Dd::TRUE)]),
            Node::Prev(v) => self.before(*v),
            Node::Cur(v) => match now.get(v) {
                Some(value) => value.clone(),
                None => self.before(*v),
            },
            Node::Input(i) => match body.and_then(|b| m.bodies.get(b.0)).and_then(|b| b.inputs.get(i.0)) {
                Some(input) => self.leaf(Self::input_level(i.0), &input.domain),
                None => {
                    self.lost = true;
                    Value::Bool(Dd::FALSE)
                }
            },
            Node::Not(a) => {
                let a = of(self, a);
                let a = self.truth(&a);
                Value::Bool(self.dds.not(a))
            }
            Node::And(xs) => {
                let mut all = Dd::TRUE;
                for x in xs.iter() {
                    let x = of(self, x);
                    let x = self.truth(&x);
                    all = self.dds.and(all, x);
                }
                Value::Bool(all)
            }
            Node::Or(xs) => {
                let mut any = Dd::FALSE;
                for x in xs.iter() {
                    let x = of(self, x);
                    let x = self.truth(&x);
                    any = self.dds.or(any, x);
                }
                Value::Bool(any)
            }
            Node::Iff(a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let (a, b) = (self.truth(&a), self.truth(&b));
                let nb = self.dds.not(b);
                Value::Bool(self.dds.ite(a, b, nb))
            }
            Node::Ite(c, t, f) => {
                let (c, t, f) = (of(self, c), of(self, t), of(self, f));
                let c = self.truth(&c);
                self.choose(c, t, f)
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let (a, b) = (self.numbers(a), self.numbers(b));
                let mut any = Dd::FALSE;
                for (x, when_x) in &a {
                    for (y, when_y) in &b {
                        if op.holds(*x, *y) {
                            let both = self.dds.and(*when_x, *when_y);
                            any = self.dds.or(any, both);
                        }
                    }
                }
                Value::Bool(any)
            }
            Node::Arith(op, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let (a, b) = (self.numbers(a), self.numbers(b));
                let mut cases = Vec::new();
                for (x, when_x) in &a {
                    for (y, when_y) in &b {
                        cases.push((op.apply(*x, *y), self.dds.and(*when_x, *when_y)));
                    }
                }
                Value::Num(self.merge(cases))
            }
        };
        memo.insert(e, value.clone());
        value
    }

    /// If-then-else on values.
    pub fn choose(&mut self, c: Dd, t: Value, f: Value) -> Value {
        match (t, f) {
            (Value::Bool(t), Value::Bool(f)) => Value::Bool(self.dds.ite(c, t, f)),
            (t, f) => {
                let nc = self.dds.not(c);
                let mut cases: Vec<(i64, Dd)> = Vec::new();
                for (side, list) in [(c, self.numbers(t)), (nc, self.numbers(f))] {
                    for (x, when) in list {
                        cases.push((x, self.dds.and(side, when)));
                    }
                }
                Value::Num(self.merge(cases))
            }
        }
    }

    /// A value as a condition; a number is true when it is not 0.
    pub fn truth(&mut self, v: &Value) -> Dd {
        match v {
            Value::Bool(d) => *d,
            Value::Num(cases) => {
                let cases = cases.iter().filter(|(x, _)| *x != 0);
                cases.fold(Dd::FALSE, |any, (_, when)| self.dds.or(any, *when))
            }
        }
    }

    /// A value as a number; truth values are 0 and 1.
    fn numbers(&mut self, v: Value) -> Vec<(i64, Dd)> {
        match v {
            Value::Num(cases) => cases,
            Value::Bool(d) => vec![(0, self.dds.not(d)), (1, d)],
        }
    }

    fn merge(&mut self, cases: Vec<(i64, Dd)>) -> Vec<(i64, Dd)> {
        let mut by_value: std::collections::BTreeMap<i64, Dd> = Default::default();
        for (x, when) in cases.into_iter().filter(|(_, when)| *when != Dd::FALSE) {
            let so_far = by_value.get(&x).copied().unwrap_or(Dd::FALSE);
            let any = self.dds.or(so_far, when);
            by_value.insert(x, any);
        }
        by_value.into_iter().collect()
    }

    /// The value kept in a domain: beyond it, its nearest end.
    fn within(&mut self, value: Value, domain: &Domain) -> Value {
        let (lo, hi) = domain.bounds();
        match value {
            Value::Num(cases) if *domain != Domain::Bool => {
                let kept = cases.into_iter().map(|(x, when)| (x.clamp(lo, hi), when)).collect();
                Value::Num(self.merge(kept))
            }
            other => Value::Bool(self.truth(&other)),
        }
    }

    /// Scratch variables with what they start with.
    fn beginning(&self) -> Now {
        let start = |v: VarId| {
            let var = self.m.var(v);
            match var.domain {
                Domain::Bool => (v, Value::Bool(if var.init != 0 { Dd::TRUE } else { Dd::FALSE })),
                _ => (v, Value::Num(vec![(var.init, Dd::TRUE)])),
            }
        };
        self.m.var_ids().skip(self.m.state_vars().len()).map(start).collect()
    }

    /// Runs an action, unless its conditions outgrow what can be written down.
    pub fn run(&mut self, action: &Action) -> Result<Stepped, TooLarge> {
        let (m, ix) = (self.m, action.body);
        if !self.bodies.contains_key(&ix) {
            let now = self.beginning();
            let mut turn = Turn { sym: self, body: ix, now, guard: Dd::TRUE };
            walk::body(m.body(action), &mut turn)?;
            let Turn { now, guard, .. } = turn;
            self.bodies.insert(ix, (guard, now));
        }
        let (guard, now) = self.bodies.get(&ix).cloned().unwrap_or((Dd::FALSE, Now::default()));
        let mut turn = Turn { sym: self, body: ix, now, guard };
        turn.require(action.allowed)?;
        walk::updates(&m.exprs, action, &mut turn)?;
        let Turn { guard, now: mut after, .. } = turn;
        after.retain(|v, _| !m.var(*v).scratch);
        Ok(Stepped { guard, after })
    }
}

/// A step under way on conditions.
struct Turn<'s, 'm> {
    sym: &'s mut Symbolic<'m>,
    body: BodyIx,
    now: Now,
    guard: Dd,
}

impl Executor for Turn<'_, '_> {
    type Value = Value;
    type Stop = TooLarge;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<Value, TooLarge> {
        let value = self.sym.value(e, &self.now, Some(self.body));
        Ok(self.sym.within(value, &self.sym.m.var(var).domain))
    }

    fn set(&mut self, var: VarId, value: Value) -> Result<(), TooLarge> {
        self.now.insert(var, value);
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, TooLarge> {
        let holds = self.sym.condition(condition, &self.now, Some(self.body));
        self.guard = self.sym.dds.and(self.guard, holds);
        Ok(true)
    }

    fn rule(&mut self, _: usize, r: &Rule) -> Result<(), TooLarge> {
        if self.sym.too_hard() {
            return Err(TooLarge("its conditions"));
        }
        let p = self.sym.condition(r.prerequisite, &self.now, Some(self.body));
        let a = self.sym.condition(r.antecedent, &self.now, Some(self.body));
        let fires = self.sym.dds.and(p, a);
        let value = self.value(r.value, r.target)?;
        let old = match self.now.get(&r.target) {
            Some(v) => v.clone(),
            None => self.sym.before(r.target),
        };
        let new = self.sym.choose(fires, value, old);
        self.set(r.target, new)
    }
}
