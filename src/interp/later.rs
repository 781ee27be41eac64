//! What data meets after it was sent: payload that is kept takes part in the comparisons of later steps, too.

use crate::machine::{BodyIx, Domain, ExprId, InputIx, Machine, Node, VarId, code};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many constants and variables are told for an input: payloads are tried in every combination.
const MOST: usize = 8;

/// What an input may be compared with.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    pub(super) constants: BTreeSet<i64>,
    /// Numbers of the snapshot.
    pub(super) vars: BTreeSet<usize>,
}

/// Where the values of variables go, and what they are compared with.
#[derive(Default)]
pub(super) struct Later {
    into: FxHashMap<VarId, Vec<VarId>>,
    compared: FxHashMap<VarId, Vec<ExprId>>,
}

impl Later {
    /// Looks through a whole machine.
    pub(super) fn of(m: &Machine) -> Later {
        let mut later = Later::default();
        for (target, value) in m.writes() {
            each_var(m, value, &mut |v| later.into.entry(v).or_default().push(target));
        }
        for (at, node) in (0..).zip(m.exprs.nodes()) {
            if matches!(node, Node::Compare(..)) {
                each_var(m, ExprId(at), &mut |v| later.compared.entry(v).or_default().push(ExprId(at)));
            }
        }
        later
    }

    /// What meets the data that an input of a body fills, nearest first, up to a small number.
    pub(super) fn points(&self, m: &Machine, body: BodyIx, input: InputIx) -> Points {
        let mut filled: Vec<VarId> =
            m.bodies[body].writes().filter(|(_, value)| reads(m, *value, input)).map(|(var, _)| var).collect();
        let (mut points, mut seen, mut next) = (Points::default(), FxHashSet::default(), 0);
        while let Some(var) = filled.get(next).copied() {
            next += 1;
            if seen.insert(var) {
                self.compared.get(&var).into_iter().flatten().for_each(|e| points.add(m, *e, var));
                filled.extend(self.into.get(&var).into_iter().flatten());
            }
        }
        points
    }
}

impl Points {
    /// Adds the constants and the other variables of a comparison.
    fn add(&mut self, m: &Machine, e: ExprId, var: VarId) {
        let is_number = |v: VarId| !matches!(m.var(v).domain, Domain::Bool | Domain::Enum { .. } | Domain::Points(_));
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(part) = todo.pop() {
            match m.exprs.node(part) {
                _ if !seen.insert(part) => {}
                Node::Int(c) if self.constants.len() < MOST => drop(self.constants.insert(code::of_int(*c))),
                Node::Prev(v) | Node::Cur(v) if *v != var && is_number(*v) && self.vars.len() < MOST => {
                    self.vars.insert(v.0 as usize);
                }
                _ => todo.extend(m.exprs.parts(part)),
            }
        }
    }
}

fn each_var(m: &Machine, e: ExprId, f: &mut impl FnMut(VarId)) {
    m.exprs.leaves(e, &mut |leaf| {
        if let Node::Prev(v) | Node::Cur(v) = leaf {
            f(*v);
        }
    });
}

fn reads(m: &Machine, e: ExprId, input: InputIx) -> bool {
    let mut found = false;
    m.exprs.leaves(e, &mut |leaf| found |= *leaf == Node::Input(input));
    found
}
