//! Machine expressions and formulas for people.

use super::number::{self, Ratio};
use super::{AgentIx, ArithOp, BOTTOM, CompareOp, Domain, ExprId, Input, Machine, Node};
use crate::logic::{Formula, PathFormula, Words};

/// An expression over one snapshot or step, in the model's names.
pub fn expression(m: &Machine, id: ExprId) -> String {
    written(At { m, inputs: &[], timeless: false }, id)
}

/// The same for an expression of a body that takes these inputs: they have names.
pub fn expression_with(m: &Machine, inputs: &[Input], id: ExprId) -> String {
    written(At { m, inputs, timeless: false }, id)
}

/// The same, of a condition before anything has happened: what was before is what is.
pub fn condition(m: &Machine, inputs: &[Input], id: ExprId) -> String {
    written(At { m, inputs, timeless: true }, id)
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct At<'a> {
    m: &'a Machine,
    inputs: &'a [Input],
    timeless: bool,
}

fn written(at: At, id: ExprId) -> String {
    let m = at.m;
    let of = |e: &ExprId| written(at, *e);
    let chain = |parts: &[ExprId], op: &str| {
        let parts: Vec<String> = parts.iter().map(of).collect();
        format!("({})", parts.join(op))
    };
    match m.exprs.node(id) {
        Node::Bool(b) => b.to_string(),
        Node::Int(i) => i.to_string(),
        Node::Prev(v) if !at.timeless => format!("before({})", m.var(*v).name),
        Node::Prev(v) | Node::Cur(v) => m.var(*v).name.clone(),
        Node::Input(i) => at.inputs.get(i.0).map_or_else(|| format!("payload {}", i.0), |input| input.name.clone()),
        Node::Not(a) => match m.exprs.node(*a) {
            Node::Compare(CompareOp::Eq, x, y) => comparison(at, "!=", *x, *y),
            Node::Compare(..) => format!("!({})", of(a)),
            _ => format!("!{}", of(a)),
        },
        Node::And(parts) => chain(parts, " && "),
        Node::Or(parts) => chain(parts, " || "),
        Node::Iff(a, b) => format!("({} <-> {})", of(a), of(b)),
        Node::Ite(..) if point(at, id).is_some() => point(at, id).map_or(String::new(), |(leaf, _)| of(&leaf)),
        Node::Ite(c, t, e) => format!("(if {} then {} else {})", of(c), of(t), of(e)),
        Node::Compare(op, a, b) => comparison(at, op.symbol(), *a, *b),
        Node::Arith(op, a, b) => format!("({} {} {})", of(a), op.symbol(), of(b)),
    }
}

/// A comparison; a constant beside an enumerated variable, a date or a text is shown as that variable's value.
fn comparison(at: At, op: &str, a: ExprId, b: ExprId) -> String {
    let m = at.m;
    if let Some(parts) = counted(at, a).or_else(|| counted(at, b)) {
        return format!("{} {op} {}", in_ones(at, a, parts), in_ones(at, b, parts));
    }
    let side = |e: ExprId, other: ExprId| match (m.exprs.node(e), domain(at, m.exprs.node(other))) {
        (Node::Int(c), Some(d @ (Domain::Enum { .. } | Domain::Date { .. } | Domain::Text { .. }))) => match d.show(*c)
        {
            text if text == BOTTOM => text,
            text => format!("'{text}'"),
        },
        (Node::Int(c), Some(d @ Domain::Points(_))) => d.show(*c),
        _ => written(at, e),
    };
    format!("{} {op} {}", side(a, b), side(b, a))
}

/// The values of a variable or an input.
fn domain<'a>(at: At<'a>, node: &Node) -> Option<&'a Domain> {
    match node {
        Node::Prev(v) | Node::Cur(v) => Some(&at.m.var(*v).domain),
        Node::Input(i) => at.inputs.get(i.0).map(|input| &input.domain),
        _ => None,
    }
}

/// Where an expression is the number of a point, spelled out code by code: whose point it is, and in how many parts of 1 the number is counted.
fn point(at: At, e: ExprId) -> Option<(ExprId, i64)> {
    let Node::Ite(first, mut number, mut rest) = *at.m.exprs.node(e) else { return None };
    let Node::Compare(CompareOp::Eq, leaf, _) = *at.m.exprs.node(first) else { return None };
    let Some(Domain::Points(points)) = domain(at, at.m.exprs.node(leaf)) else { return None };
    for p in points.list() {
        if *at.m.exprs.node(number) != Node::Int(p.value) {
            return None;
        }
        match *at.m.exprs.node(rest) {
            Node::Ite(_, next, others) => (number, rest) = (next, others),
            _ => number = rest,
        }
    }
    Some((leaf, points.parts()))
}

/// How many parts make 1, where a number counts parts.
fn counted(at: At, e: ExprId) -> Option<i64> {
    if let Some((_, parts)) = point(at, e) {
        return Some(parts);
    }
    if let Node::Arith(_, a, b) = at.m.exprs.node(e) {
        return counted(at, *a).or_else(|| counted(at, *b));
    }
    let mut found = None;
    at.m.exprs.leaves(e, &mut |leaf| {
        if let Some(Domain::Real { parts, .. }) = domain(at, leaf) {
            found = Some(*parts);
        }
    });
    found
}

/// A number that counts parts, as one that counts ones.
fn in_ones(at: At, e: ExprId, parts: i64) -> String {
    let m = at.m;
    let pair = |a: &ExprId, op: &str, b: &ExprId| {
        let of = |e: &ExprId| if counted(at, *e).is_some() { in_ones(at, *e, parts) } else { written(at, *e) };
        format!("({} {op} {})", of(a), of(b))
    };
    let is_one = |e: &ExprId| *m.exprs.node(*e) == Node::Int(parts);
    match m.exprs.node(e) {
        Node::Int(i) => number::write(&Ratio::new((*i).into(), parts.max(1).into())),
        Node::Arith(ArithOp::Mul, a, one) if is_one(one) && counted(at, *a).is_none() => written(at, *a),
        Node::Arith(op @ (ArithOp::Add | ArithOp::Sub), a, b) => {
            format!("({} {} {})", in_ones(at, *a, parts), op.symbol(), in_ones(at, *b, parts))
        }
        // Of two numbers of parts, one counts parts of parts.
        Node::Arith(ArithOp::Over, a, b) => match m.exprs.node(*a) {
            Node::Arith(ArithOp::Mul, x, y) if is_one(b) => pair(x, "*", y),
            Node::Arith(ArithOp::Mul, x, one) if is_one(one) => {
                format!("({} / {})", in_ones(at, *x, parts), in_ones(at, *b, parts))
            }
            _ => pair(a, "/", b),
        },
        Node::Arith(op, a, b) => pair(a, op.symbol(), b),
        _ => written(at, e),
    }
}

/// The words of a machine.
struct Of<'m>(&'m Machine);

impl Words<ExprId> for Of<'_> {
    fn atom(&self, atom: &ExprId) -> String {
        expression(self.0, *atom)
    }

    fn agent(&self, agent: AgentIx) -> String {
        self.0.agent_name(agent).to_string()
    }
}

/// A formula in the spelling of property files.
pub fn formula(m: &Machine, f: &Formula<ExprId>) -> String {
    f.text(&Of(m))
}

/// A path formula in the spelling of property files.
pub fn path_formula(m: &Machine, f: &PathFormula<ExprId>) -> String {
    f.text(&Of(m))
}

/// The values of a domain in words.
pub fn values(domain: &Domain) -> String {
    match domain {
        Domain::Bool => "false or true".into(),
        Domain::Date { .. } => "any date".into(),
        Domain::Int { .. } | Domain::Real { .. } => {
            let (lo, hi) = domain.bounds();
            let end = |code: i64| (code != i64::MIN && code != i64::MAX).then(|| domain.show(code));
            match (end(lo), end(hi)) {
                (Some(lo), Some(hi)) => format!("{lo} to {hi}"),
                (Some(lo), None) => format!("from {lo} on"),
                (None, Some(hi)) => format!("up to {hi}"),
                (None, None) => "any number".into(),
            }
        }
        Domain::Text { .. } => "any text".into(),
        Domain::Enum { .. } | Domain::Points(_) => {
            let (lo, hi) = domain.bounds();
            (lo..=hi).map(|code| domain.show(code)).collect::<Vec<_>>().join(", ")
        }
    }
}
