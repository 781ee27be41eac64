//! How far numbers can go.

use super::{ArithOp, ExprId, Exprs, Input, Node, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Smallest and largest value.
pub type Ends = (i64, i64);

/// Smallest and largest value an expression can have, Booleans as 0 and 1; conditions are not looked into.
pub fn interval(vars: &[Var], exprs: &Exprs, inputs: &[Input], e: ExprId) -> Ends {
    let mut known: FxHashMap<ExprId, Ends> = FxHashMap::default();
    for x in numeric_parts(exprs, e) {
        let ends = ends(vars, exprs, inputs, x, &known);
        known.insert(x, ends);
    }
    known.get(&e).copied().unwrap_or((0, 1))
}

/// Smallest and largest value of every number in some expressions, conditions included.
pub fn intervals(vars: &[Var], exprs: &Exprs, inputs: &[Input], roots: &[ExprId]) -> FxHashMap<ExprId, Ends> {
    let mut known: FxHashMap<ExprId, Ends> = FxHashMap::default();
    let (mut found, mut todo) = (FxHashSet::default(), roots.to_vec());
    while let Some(x) = todo.pop() {
        if found.insert(x) {
            todo.extend(exprs.parts(x));
        }
    }
    let mut found: Vec<ExprId> = found.into_iter().collect();
    found.sort_unstable();
    for x in found {
        let ends = ends(vars, exprs, inputs, x, &known);
        known.insert(x, ends);
    }
    known
}

/// The ends of an expression from those of its parts; of a condition 0 and 1.
fn ends(vars: &[Var], exprs: &Exprs, inputs: &[Input], e: ExprId, known: &FxHashMap<ExprId, Ends>) -> Ends {
    let of = |p: &ExprId| known.get(p).copied().unwrap_or((0, 1));
    match exprs.node(e) {
        Node::Int(i) => (*i, *i),
        Node::Prev(v) | Node::Cur(v) => vars.get(v.0 as usize).map_or((0, 0), |v| v.domain.bounds()),
        Node::Input(i) => inputs.get(i.0).and_then(|i| i.values.ends()).unwrap_or((0, 0)),
        Node::Ite(_, t, f) => {
            let ((a, b), (c, d)) = (of(t), of(f));
            (a.min(c), b.max(d))
        }
        Node::Arith(op, a, b) => arith(*op, of(a), of(b)),
        _ => (0, 1),
    }
}

/// The numbers that an expression is made of, parts before wholes.
fn numeric_parts(exprs: &Exprs, e: ExprId) -> Vec<ExprId> {
    let (mut found, mut todo) = (FxHashSet::default(), vec![e]);
    while let Some(x) = todo.pop() {
        if let Node::Ite(_, a, b) | Node::Arith(_, a, b) = exprs.node(x)
            && found.insert(x)
        {
            todo.extend([*a, *b]);
        }
        found.insert(x);
    }
    let mut found: Vec<ExprId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The ends of what is computed from numbers with ends.
pub fn arith(op: ArithOp, (a, b): Ends, (c, d): Ends) -> Ends {
    match op {
        ArithOp::Add => (a.saturating_add(c), b.saturating_add(d)),
        ArithOp::Sub => (a.saturating_sub(d), b.saturating_sub(c)),
        ArithOp::Mul => {
            let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.saturating_mul(y));
            (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0))
        }
        // A divisor may be as small as it likes.
        ArithOp::Over => (i64::MIN, i64::MAX),
        ArithOp::Div => {
            let far = a.saturating_abs().max(b.saturating_abs());
            (-far, far)
        }
    }
}
