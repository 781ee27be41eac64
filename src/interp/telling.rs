//! Of a wide payload, the values that tell something: next to what the model compares with.
//!
//! Conditions that only compare a field with constants and variables cannot tell the values between two of those apart, so that
//! trying the values at their sides shows whether anything can happen at all. Of data without bounds that is kept, the comparisons of
//! later steps count, too: nobody can go through its values.

use super::later::{Later, Points};
use crate::machine::{Action, ArithOp, Body, BodyIx, CompareOp, Domain, ExprId, Input, InputIx, Machine, Node, code};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A text that no model names.
const ANOTHER: &str = "another text";

/// What a body's payload may be compared with.
#[derive(Clone, Debug, Default)]
pub(super) struct Telling {
    constants: BTreeSet<i64>,
    /// Numbers of the snapshot.
    vars: BTreeSet<usize>,
    /// Per input: whether a step exists is a matter of such comparisons alone.
    plain: Vec<bool>,
    /// Per input without bounds: what meets the data that it fills.
    later: Vec<Points>,
}

impl Telling {
    /// Looks through a body and the actions that make it happen.
    pub(super) fn of(m: &Machine, ix: BodyIx, later: &Later) -> Telling {
        let body = &m.bodies[ix];
        let by = || m.actions.iter().filter(move |a| a.body == ix);
        let mut told = Telling::default();
        for node in nodes(m, everything(body, by())) {
            match m.exprs.node(node) {
                Node::Int(c) => drop(told.constants.insert(code::of_int(*c))),
                Node::Prev(v) | Node::Cur(v)
                    if !matches!(m.var(*v).domain, Domain::Bool | Domain::Enum { .. } | Domain::Points(_)) =>
                {
                    told.vars.insert(v.0 as usize);
                }
                _ => {}
            }
        }
        let conditions = nodes(m, by().map(|a| a.allowed).chain([body.applicable]).collect());
        let before = |e: &ExprId| !matches!(m.exprs.node(*e), Node::Cur(_));
        let early = conditions.iter().all(before);
        told.plain = InputIx::all(&body.inputs).map(|i| early && conditions.iter().all(|e| plain(m, *e, i))).collect();
        let met = |(i, input): (InputIx, &Input)| match input.domain.is_unbounded() {
            true => later.points(m, ix, i),
            false => Points::default(),
        };
        told.later = InputIx::each(&body.inputs).map(met).collect();
        told
    }

    /// Whether a step exists does not hang on other values of this input than those that [`Telling::values`] gives.
    pub(super) fn decides(&self, input: usize) -> bool {
        self.plain.get(input).copied().unwrap_or(false)
    }

    /// The values of an input to try, ascending; `chosen` are those of the inputs before it.
    pub(super) fn values(&self, of: &Input, snapshot: &[i64], chosen: &[i64]) -> Vec<i64> {
        let later = self.later.get(chosen.len());
        let vars = self.vars.iter().chain(later.iter().flat_map(|l| &l.vars)).filter_map(|v| snapshot.get(*v));
        let constants = self.constants.iter().chain(later.iter().flat_map(|l| &l.constants));
        let points = constants.chain(vars).chain(chosen).copied();
        if let Domain::Text { words } = &of.domain {
            let (held, other) = (points.filter(|c| code::text(*c).is_some()), of.domain.read(ANOTHER));
            let all: BTreeSet<i64> = (0..=words.len() as i64).chain(held).chain(other).collect();
            return all.into_iter().filter(|c| of.accepts(*c)).collect();
        }
        let ends = of.values.list().iter().flat_map(|(lo, hi)| [*lo, *hi]);
        let ends = ends.filter(|e| !of.domain.is_unbounded() || (*e != i64::MIN && *e != i64::MAX));
        let step = |p, by| ArithOp::Add.of_codes(p, by);
        let around = points.filter(|p| code::text(*p).is_none()).flat_map(|p| [step(p, -1), p, step(p, 1)]);
        // Where nothing is compared, any value tells as much as another.
        let any = of.domain.is_unbounded().then(|| of.domain.nearest(0));
        let found: BTreeSet<i64> = around.chain(ends).chain(any).filter(|v| of.accepts(*v)).collect();
        let mut found: Vec<i64> = found.into_iter().collect();
        let less = |a: &i64, b: &i64| if CompareOp::Lt.of_codes(*a, *b) { Ordering::Less } else { Ordering::Greater };
        found.sort_by(less);
        if matches!(of.domain, Domain::Real { .. }) {
            // Between two numbers there is another one.
            let sum = |w: &[i64]| ArithOp::Add.of_codes(w[0], w[1]);
            let between: Vec<i64> = found.windows(2).map(|w| ArithOp::Over.of_codes(sum(w), 2)).collect();
            found.extend(between);
            found.sort_by(less);
        }
        found
    }
}

/// Every expression of a body and of the actions that make it happen.
fn everything<'m>(body: &'m Body, by: impl Iterator<Item = &'m Action>) -> Vec<ExprId> {
    let rules = body.rules.iter().flat_map(|r| [r.prerequisite, r.antecedent, r.value]);
    let assigned = body.effect.iter().chain(&body.finish).map(|a| a.value);
    let acted = by.flat_map(|a| a.updates.iter().map(|u| u.value).chain([a.allowed]));
    rules.chain(assigned).chain(acted).chain([body.applicable]).collect()
}

/// Expressions with all their parts.
fn nodes(m: &Machine, mut todo: Vec<ExprId>) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    while let Some(e) = todo.pop() {
        if found.insert(e) {
            todo.extend(m.exprs.parts(e));
        }
    }
    found
}

/// Does an expression read an input directly only to compare it with a constant or a variable?
fn plain(m: &Machine, e: ExprId, input: InputIx) -> bool {
    let is = |p: &ExprId| *m.exprs.node(*p) == Node::Input(input);
    let known = |p: &ExprId| matches!(m.exprs.node(*p), Node::Int(_) | Node::Prev(_));
    match m.exprs.node(e) {
        Node::Compare(_, a, b) if is(a) => known(b),
        Node::Compare(_, a, b) if is(b) => known(a),
        _ => !m.exprs.parts(e).any(|p| is(&p)),
    }
}
