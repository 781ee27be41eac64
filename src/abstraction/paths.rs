//! What an action does in an abstract snapshot: a list of paths.
//!
//! The machine's own step is executed on values that are codes or sums of unknowns. Where it depends on an atom that the predicates do
//! not decide, or on an input that is enumerated, it is executed once for each answer: first with the first answer everywhere, then
//! again from the beginning with the last answer changed, and so on.

use super::env::{Env, Ground, Snapshot, ground};
use super::linear::{Atom, Leaf, Linear, decide};
use super::predicate::arith;
use super::system::{InputSet, Wide};
use crate::machine::walk::{Executor, walk};
use crate::machine::{Action, ArithOp, BodyIx, CompareOp, ExprId, InputIx, Node, Rule, VarId};
use crate::smt::Ratio;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// A value during a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of something finite.
    Code(i64),
    /// Of something abstracted.
    Sum(Linear),
}

impl Value {
    /// The number it is.
    pub fn sum(&self) -> Linear {
        match self {
            Value::Code(c) => Linear::int(*c),
            Value::Sum(s) => s.clone(),
        }
    }
}

/// A predicate after the step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Post {
    /// Its truth is known.
    Known(bool),
    /// It holds exactly where the atom, over the unknowns before the step, has this truth value.
    Ask(Atom, bool),
}

impl Post {
    /// The atom that decides it.
    pub fn asked(&self) -> Option<&Atom> {
        match self {
            Post::Ask(atom, _) => Some(atom),
            Post::Known(_) => None,
        }
    }
}

/// One way through a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Which of the machine's actions.
    pub action: usize,
    /// Under these conditions on the unknowns.
    pub conditions: Vec<(Atom, bool)>,
    /// Inputs that are enumerated and were looked at.
    pub inputs: BTreeMap<InputIx, i64>,
    /// Codes of the variables after.
    pub codes: Vec<i64>,
    /// Abstracted variables after, where they changed.
    pub sums: BTreeMap<VarId, Linear>,
    /// All predicates after.
    pub posts: Vec<Post>,
}

impl Path {
    /// Can it come to this snapshot, as far as the unknowns allow?
    pub fn may_lead_to(&self, target: &Snapshot) -> bool {
        let fits = |(post, truth): (&Post, &bool)| !matches!(post, Post::Known(b) if b != truth);
        self.codes == target.codes && self.posts.iter().zip(&target.truths).all(fits)
    }
}

/// More paths than this in one step are not followed.
const MOST_PATHS: usize = 100_000;

/// All ways through an action; `None` if they are too many.
pub fn paths(env: &Env, action: usize) -> Option<Vec<Path>> {
    let Some(what) = env.system.machine.actions.get(action) else { return Some(Vec::new()) };
    let (mut script, mut found): (Vec<(usize, usize)>, Vec<Path>) = (Vec::new(), Vec::new());
    for _ in 0..MOST_PATHS {
        let mut run = Run::new(env, what, script);
        if walk(env.system.machine, what, &mut run) == Ok(true) {
            let path = run.finish(action);
            script = run.script;
            let same = |p: &Path| p.conditions == path.conditions && p.codes == path.codes && p.posts == path.posts;
            if !found.iter().any(same) {
                found.push(path);
            }
        } else {
            script = run.script;
        }
        while script.last().is_some_and(|(taken, of)| taken + 1 >= *of) {
            script.pop();
        }
        match script.last_mut() {
            Some((taken, _)) => *taken += 1,
            None => return Some(found),
        }
    }
    None
}

impl Executor for Run<'_> {
    type Value = Value;
    type Stop = Infallible;

    fn value(&mut self, e: ExprId, var: VarId) -> Result<Value, Infallible> {
        Ok(self.fitted(e, var))
    }

    fn set(&mut self, var: VarId, value: Value) -> Result<(), Infallible> {
        match value {
            Value::Code(c) if self.env.system.wide(var).is_none() => {
                if let Some(code) = self.codes.get_mut(var.0 as usize) {
                    *code = c;
                }
            }
            other => {
                self.sums.insert(var, other.sum());
            }
        }
        Ok(())
    }

    fn require(&mut self, condition: ExprId) -> Result<bool, Infallible> {
        Ok(self.truth(condition))
    }

    fn rule(&mut self, _: usize, rule: &Rule) -> Result<(), Infallible> {
        if self.truth(rule.prerequisite) && self.truth(rule.antecedent) {
            let value = self.fitted(rule.value, rule.target);
            self.set(rule.target, value)?;
        }
        Ok(())
    }
}

struct Run<'a> {
    env: &'a Env<'a>,
    body: BodyIx,
    codes: Vec<i64>,
    sums: BTreeMap<VarId, Linear>,
    inputs: BTreeMap<InputIx, i64>,
    /// The inputs among them that are told apart.
    looked_at: InputSet,
    conditions: Vec<(Atom, bool)>,
    /// Which answer was taken of how many, question by question.
    script: Vec<(usize, usize)>,
    next: usize,
    /// The step is over: "before" and "now" are the same snapshot.
    over: bool,
}

impl<'a> Run<'a> {
    fn new(env: &'a Env<'a>, action: &Action, script: Vec<(usize, usize)>) -> Run<'a> {
        let scratch = env.system.machine.scratch_vars().iter().map(|v| v.init);
        Run {
            env,
            body: action.body,
            codes: env.snapshot.codes.iter().copied().chain(scratch).collect(),
            sums: BTreeMap::new(),
            inputs: BTreeMap::new(),
            looked_at: InputSet::default(),
            conditions: Vec::new(),
            script,
            next: 0,
            over: false,
        }
    }

    /// The path when everything has been done, with the predicates as they are then.
    fn finish(&mut self, action: usize) -> Path {
        self.codes.truncate(self.env.snapshot.codes.len());
        self.over = true;
        let all = &self.env.predicates.list;
        let changed = |v: &VarId| {
            let code = self.codes.get(v.0 as usize).copied();
            self.sums.contains_key(v) || code.is_some_and(|c| c != self.env.code(*v))
        };
        let touched: Vec<bool> = all.iter().map(|p| p.vars.iter().any(changed)).collect();
        let mut posts = Vec::with_capacity(all.len());
        for ((predicate, touched), before) in all.iter().zip(touched).zip(&self.env.snapshot.truths) {
            posts.push(if touched { self.after(&predicate.atom) } else { Post::Known(*before) });
        }
        self.sums.retain(|v, sum| *sum != self.env.variable(*v));
        Path {
            action,
            conditions: self.conditions.clone(),
            inputs: self.inputs.clone(),
            codes: self.codes.clone(),
            sums: self.sums.clone(),
            posts,
        }
    }

    fn after(&mut self, atom: &Atom) -> Post {
        let sum = atom.difference().map(&mut |leaf| match leaf {
            Leaf::Var(v, _) => self.now(*v).sum(),
            Leaf::Choice(e, _) => self.eval(*e).sum(),
            other => Linear::leaf(other.clone()),
        });
        match ground(atom.less, &sum) {
            Ground::Known(b) => Post::Known(b),
            Ground::Atom(atom, holds) => match self.known(&atom) {
                Some(b) => Post::Known(b == holds),
                None => Post::Ask(atom, holds),
            },
        }
    }

    fn choose(&mut self, of: usize) -> usize {
        if self.next == self.script.len() {
            self.script.push((0, of));
        }
        self.next += 1;
        self.script.get(self.next - 1).map_or(0, |(taken, _)| *taken)
    }

    fn now(&self, var: VarId) -> Value {
        match self.env.system.wide(var) {
            None => Value::Code(self.codes.get(var.0 as usize).copied().unwrap_or_default()),
            Some(_) => Value::Sum(self.sums.get(&var).cloned().unwrap_or_else(|| self.env.variable(var))),
        }
    }

    fn input(&mut self, input: InputIx) -> Value {
        let system = self.env.system;
        if let Some(wide) = system.wide_input(self.body, input) {
            return Value::Sum(Linear::leaf(Leaf::Input(input, wide.sort)));
        }
        if let Some(code) = self.inputs.get(&input) {
            return Value::Code(*code);
        }
        let values = system.machine.bodies.get(self.body.0).and_then(|b| b.inputs.get(input.0)).map(|i| &i.values);
        let many = values.map_or(0, |v| usize::try_from(v.len()).unwrap_or(usize::MAX));
        let at = self.choose(many);
        let code = values.and_then(|v| v.iter().nth(at)).unwrap_or_default();
        self.inputs.insert(input, code);
        self.looked_at.insert(input);
        Value::Code(code)
    }

    /// A value made to fit a variable: numbers beyond its domain become the nearest end.
    fn fitted(&mut self, e: ExprId, var: VarId) -> Value {
        let system = self.env.system;
        let value = self.eval(e);
        let ends = match (system.wide(var), &value) {
            (Some(wide), _) => (wide.lo, wide.hi),
            (None, Value::Code(c)) => {
                let (lo, hi) = system.machine.var(var).domain.bounds();
                return Value::Code((*c).clamp(lo, hi));
            }
            (None, Value::Sum(_)) => {
                let (lo, hi) = system.machine.var(var).domain.bounds();
                (Some(lo), Some(hi))
            }
        };
        let sum = value.sum();
        let beyond = |run: &mut Self, end: Option<i64>, op| match end {
            Some(end) => run.compare(op, &sum.plus(&Linear::int(-end), &Ratio::one())).then(|| Linear::int(end)),
            None => None,
        };
        let cut = beyond(self, ends.0, CompareOp::Lt).or_else(|| beyond(self, ends.1, CompareOp::Gt)).unwrap_or(sum);
        match (system.wide(var), ends) {
            (None, (Some(lo), Some(hi))) => Value::Code(self.settled(&cut, lo, hi)),
            _ => Value::Sum(cut),
        }
    }

    /// A sum that goes into something finite: which value is it?
    fn settled(&mut self, sum: &Linear, lo: i64, hi: i64) -> i64 {
        let is = |run: &mut Self, c: &i64| run.compare(CompareOp::Eq, &sum.plus(&Linear::int(-c), &Ratio::one()));
        (lo..hi).find(|c| is(self, c)).unwrap_or(hi)
    }

    fn truth(&mut self, e: ExprId) -> bool {
        match self.eval(e) {
            Value::Code(c) => c != 0,
            Value::Sum(s) => s.known().is_some_and(|n| !n.is_zero()),
        }
    }

    fn eval(&mut self, e: ExprId) -> Value {
        let bool = |b: bool| Value::Code(i64::from(b));
        let exprs = &self.env.system.machine.exprs;
        match exprs.node(e) {
            Node::Bool(b) => bool(*b),
            Node::Int(i) => Value::Code(*i),
            Node::Prev(v) if self.over => self.now(*v),
            Node::Prev(v) if self.env.system.wide(*v).is_none() => Value::Code(self.env.code(*v)),
            Node::Prev(v) => Value::Sum(self.env.variable(*v)),
            Node::Cur(v) => self.now(*v),
            Node::Input(i) => self.input(*i),
            Node::Not(a) => bool(!self.truth(*a)),
            node @ (Node::And(xs) | Node::Or(xs)) => {
                let unit = matches!(node, Node::And(_));
                // What is decided without a question comes first: it may make the question superfluous.
                let (system, looked_at) = (self.env.system, self.looked_at);
                let open = |x: &&ExprId| system.reads_wide(**x) || system.inputs_of(**x).exceeds(looked_at);
                let mut stops = |x: &ExprId| self.truth(*x) != unit;
                let any = xs.iter().filter(|x| !open(x)).any(&mut stops) || xs.iter().filter(open).any(stops);
                bool(any != unit)
            }
            Node::Iff(a, b) => bool(self.truth(*a) == self.truth(*b)),
            Node::Ite(c, t, f) => {
                let branch = if self.truth(*c) { *t } else { *f };
                self.eval(branch)
            }
            Node::Arith(op, a, b) => match (self.eval(*a), self.eval(*b)) {
                (Value::Code(a), Value::Code(b)) if *op != ArithOp::Over => Value::Code(op.apply(a, b)),
                (a, b) => Value::Sum(arith(*op, &a.sum(), &b.sum())),
            },
            Node::Compare(op, a, b) => match (self.eval(*a), self.eval(*b)) {
                (Value::Code(a), Value::Code(b)) => bool(op.holds(a, b)),
                (a, b) => bool(self.compare(*op, &a.sum().plus(&b.sum(), &-Ratio::one()))),
            },
        }
    }

    /// `sum op 0`.
    fn compare(&mut self, op: CompareOp, sum: &Linear) -> bool {
        let answer = decide(op, sum, &mut |atom| {
            Ok::<bool, ()>(self.known(&atom).unwrap_or_else(|| {
                let holds = self.choose(2) == 1;
                self.conditions.push((atom, holds));
                holds
            }))
        });
        answer == Ok(true)
    }

    fn known(&self, atom: &Atom) -> Option<bool> {
        let asked = self.conditions.iter().find(|(a, _)| a == atom).map(|(_, b)| *b);
        asked.or_else(|| self.env.known(atom)).or_else(|| {
            by_range(atom, &|leaf| match leaf {
                Leaf::Var(v, _) => self.env.system.wide(*v),
                Leaf::Input(i, _) => self.env.system.wide_input(self.body, *i),
                _ => None,
            })
        })
    }
}

/// The truth of an atom that follows from the ranges of its unknowns.
pub fn by_range(atom: &Atom, range: &impl Fn(&Leaf) -> Option<Wide>) -> Option<bool> {
    let (mut least, mut most) = (Some(Ratio::zero()), Some(Ratio::zero()));
    for (leaf, c) in &atom.sum.terms {
        let (lo, hi) = range(leaf).map_or((None, None), |w| (w.lo, w.hi));
        let (low, high) = if c.is_negative() { (hi, lo) } else { (lo, hi) };
        let end = |sum: Option<Ratio>, end: Option<i64>| Some(sum? + c * Ratio::from_integer(end?.into()));
        (least, most) = (end(least, low), end(most, high));
    }
    let (above, below) = (least.is_some_and(|l| l >= atom.bound), most.is_some_and(|m| m < atom.bound));
    match atom.less {
        true if below => Some(true),
        true if above => Some(false),
        false if below => Some(false),
        _ => None,
    }
}
