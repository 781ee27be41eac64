//! Sorts of expressions and what they read, node by node: each node is looked at once, however often it is used.

use super::super::{Domain, ExprId, Input, InputIx, Machine, Node};
use super::{Fault, ensure};
use rustc_hash::FxHashMap;

/// How deep an expression may be nested.
const MOST_DEPTH: u32 = 3000;

/// Boolean or number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Bool,
    Num,
}

impl Sort {
    pub fn of(domain: &Domain) -> Sort {
        if *domain == Domain::Bool { Sort::Bool } else { Sort::Num }
    }
}

/// What is known of an expression.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Its sort; nothing where an input decides.
    sort: Option<Sort>,
    reads: Reads,
    depth: u32,
}

/// What an expression reads, or may read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Reads {
    /// State variables before the step.
    pub prev: bool,
    /// State variables now.
    pub cur: bool,
    /// Scratch variables now.
    pub scratch: bool,
    /// Scratch variables before the step: there are none.
    pub nothing: bool,
    /// Payload.
    pub inputs: bool,
}

impl Reads {
    fn or(self, other: Reads) -> Reads {
        Reads {
            prev: self.prev || other.prev,
            cur: self.cur || other.cur,
            scratch: self.scratch || other.scratch,
            nothing: self.nothing || other.nothing,
            inputs: self.inputs || other.inputs,
        }
    }
}

/// All expressions of a machine.
pub struct Arena<'a> {
    m: &'a Machine,
    known: Vec<Known>,
}

impl<'a> Arena<'a> {
    /// Looks at every node; parts must come before wholes.
    pub fn of(m: &'a Machine) -> Result<Arena<'a>, Fault> {
        let mut arena = Arena { m, known: Vec::with_capacity(m.exprs.len()) };
        for i in 0..m.exprs.len() {
            let known = arena.look(i)?;
            arena.known.push(known);
        }
        Ok(arena)
    }

    fn look(&self, i: usize) -> Result<Known, Fault> {
        let m = self.m;
        let id = ExprId(i as u32);
        let mut known = Known::default();
        for part in m.exprs.parts(id) {
            let part = self.known.get(part.0 as usize);
            let Some(part) = part else { return fault(i, "has a part that does not come before it") };
            known.reads = known.reads.or(part.reads);
            known.depth = known.depth.max(part.depth + 1);
        }
        ensure(known.depth <= MOST_DEPTH, || format!("expression {i} is nested too deeply"))?;
        match m.exprs.node(id) {
            Node::Prev(v) | Node::Cur(v) => {
                let Some(var) = m.vars.get(v.0 as usize) else {
                    return fault(i, "reads a variable that does not exist");
                };
                let now = matches!(m.exprs.node(id), Node::Cur(_));
                known.reads = Reads {
                    prev: !now && !var.scratch,
                    cur: now && !var.scratch,
                    scratch: now && var.scratch,
                    nothing: !now && var.scratch,
                    inputs: false,
                };
            }
            Node::Input(_) => known.reads.inputs = true,
            _ => {}
        }
        known.sort = self.sort(id, &|_| None, &|p| self.known.get(p.0 as usize).and_then(|k| k.sort))?;
        Ok(known)
    }

    /// The sort of a node from those of its parts; inputs and what hangs on them may have none.
    fn sort(
        &self,
        id: ExprId,
        input: &dyn Fn(InputIx) -> Option<Sort>,
        of: &dyn Fn(ExprId) -> Option<Sort>,
    ) -> Result<Option<Sort>, Fault> {
        let all = |parts: &[ExprId], s: Sort| parts.iter().all(|p| of(*p).is_none_or(|t| t == s));
        let (ok, sort) = match self.m.exprs.node(id) {
            Node::Bool(_) => (true, Some(Sort::Bool)),
            Node::Int(_) => (true, Some(Sort::Num)),
            Node::Prev(v) | Node::Cur(v) => (true, self.m.vars.get(v.0 as usize).map(|v| Sort::of(&v.domain))),
            Node::Input(i) => (true, input(*i)),
            Node::Not(a) => (all(&[*a], Sort::Bool), Some(Sort::Bool)),
            Node::And(xs) | Node::Or(xs) => (all(xs, Sort::Bool), Some(Sort::Bool)),
            Node::Iff(a, b) => (all(&[*a, *b], Sort::Bool), Some(Sort::Bool)),
            Node::Compare(_, a, b) => (all(&[*a, *b], Sort::Num), Some(Sort::Bool)),
            Node::Arith(_, a, b) => (all(&[*a, *b], Sort::Num), Some(Sort::Num)),
            Node::Ite(c, t, e) => {
                let (t, e) = (of(*t), of(*e));
                (all(&[*c], Sort::Bool) && (t.is_none() || e.is_none() || t == e), t.or(e))
            }
        };
        if ok { Ok(sort) } else { fault(id.0 as usize, "mixes Booleans and numbers") }
    }

    /// An expression exists, reads only what it may, and has this sort where the body has these inputs.
    pub fn fits(&self, e: ExprId, sort: Sort, may: Reads, inputs: &[Input], what: &str) -> Result<(), Fault> {
        let Some(known) = self.known.get(e.0 as usize) else {
            return Err(Fault(format!("{what}: no such expression")));
        };
        ensure(may.or(known.reads) == may, || format!("{what} reads what it must not"))?;
        let found = if known.reads.inputs { self.with_inputs(e, inputs, what)? } else { known.sort };
        ensure(found == Some(sort), || format!("{what} is not a {sort:?}"))
    }

    /// The sort of an expression with the sorts of its inputs known.
    fn with_inputs(&self, e: ExprId, inputs: &[Input], what: &str) -> Result<Option<Sort>, Fault> {
        let mut parts = vec![e];
        let (mut found, mut at) = (rustc_hash::FxHashSet::from_iter([e]), 0);
        while let Some(x) = parts.get(at).copied() {
            let reads_input = |p: &ExprId| self.known.get(p.0 as usize).is_some_and(|k| k.reads.inputs);
            parts.extend(self.m.exprs.parts(x).filter(|p| reads_input(p) && found.insert(*p)));
            at += 1;
        }
        parts.sort_unstable();
        let mut sorts: FxHashMap<ExprId, Option<Sort>> = FxHashMap::default();
        for x in parts {
            if let Node::Input(i) = self.m.exprs.node(x) {
                ensure(i.0 < inputs.len(), || format!("{what} reads an input that does not exist"))?;
            }
            let of = |p: ExprId| match sorts.get(&p) {
                Some(sort) => *sort,
                None => self.known.get(p.0 as usize).and_then(|k| k.sort),
            };
            let sort = self.sort(x, &|i| inputs.get(i.0).map(|i| Sort::of(&i.domain)), &of)?;
            sorts.insert(x, sort);
        }
        Ok(sorts.get(&e).copied().flatten())
    }
}

fn fault<T>(i: usize, what: &str) -> Result<T, Fault> {
    Err(Fault(format!("expression {i} {what}")))
}
