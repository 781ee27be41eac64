//! Machine expressions and formulas for people.

use crate::logic::{Formula, Path, PathFormula};
use crate::machine::{BOTTOM, Domain};
use crate::machine::{ExprId, Machine, Node};

/// An expression over one snapshot or step, in GSM names.
pub fn expression(m: &Machine, id: ExprId) -> String {
    let of = |e: &ExprId| expression(m, *e);
    let chain = |parts: &[ExprId], op: &str| {
        let parts: Vec<String> = parts.iter().map(of).collect();
        format!("({})", parts.join(op))
    };
    match m.exprs.node(id) {
        Node::Bool(b) => b.to_string(),
        Node::Int(i) => i.to_string(),
        Node::Prev(v) => format!("before({})", m.var(*v).name),
        Node::Cur(v) => m.var(*v).name.clone(),
        Node::Input(i) => format!("payload {i}"),
        Node::Not(a) => match m.exprs.node(*a) {
            Node::Compare(crate::machine::CompareOp::Eq, x, y) => comparison(m, "!=", *x, *y),
            _ => format!("!{}", of(a)),
        },
        Node::And(parts) => chain(parts, " && "),
        Node::Or(parts) => chain(parts, " || "),
        Node::Iff(a, b) => format!("({} <-> {})", of(a), of(b)),
        Node::Ite(c, t, e) => format!("(if {} then {} else {})", of(c), of(t), of(e)),
        Node::Compare(op, a, b) => comparison(m, op.symbol(), *a, *b),
        Node::Arith(op, a, b) => format!("({} {} {})", of(a), op.symbol(), of(b)),
    }
}

/// A comparison; a constant beside an enumerated variable is shown as that variable's value.
fn comparison(m: &Machine, op: &str, a: ExprId, b: ExprId) -> String {
    let domain = |e: ExprId| match m.exprs.node(e) {
        Node::Prev(v) | Node::Cur(v) => Some(&m.var(*v).domain),
        _ => None,
    };
    let side = |e: ExprId, other: ExprId| match (m.exprs.node(e), domain(other)) {
        (Node::Int(c), Some(d @ Domain::Enum { .. })) => match d.show(*c) {
            text if text == BOTTOM => text,
            text => format!("'{text}'"),
        },
        _ => expression(m, e),
    };
    format!("{} {op} {}", side(a, b), side(b, a))
}

/// A formula in the spelling of property files.
pub fn formula(m: &Machine, f: &Formula<ExprId>) -> String {
    use Formula::*;
    let of = |g: &Formula<ExprId>| formula(m, g);
    let group = |agents: &[usize]| agents.iter().map(|a| m.agent_name(*a)).collect::<Vec<_>>().join(", ");
    match f {
        Atom(e) => expression(m, *e),
        Not(a) => format!("!{}", of(a)),
        And(xs) => chain(xs.iter().map(of), " && ", "true"),
        Or(xs) => chain(xs.iter().map(of), " || ", "false"),
        Implies(a, b) => format!("({} -> {})", of(a), of(b)),
        Iff(a, b) => format!("({} <-> {})", of(a), of(b)),
        Quant { body, .. } => of(body),
        Next(p, a) => format!("{}X {}", letter(*p), of(a)),
        Finally(p, a) => format!("{}F {}", letter(*p), of(a)),
        Globally(p, a) => format!("{}G {}", letter(*p), of(a)),
        Until(p, a, b) => format!("{}({} U {})", letter(*p), of(a), of(b)),
        Know(crate::logic::Know::K, g, a) => format!("K({}, {})", group(g), of(a)),
        Know(kind, g, a) => format!("{}({{{}}}, {})", kind.symbol(), group(g), of(a)),
        CanNext(g, a) => format!("<<{}>> X {}", group(g), of(a)),
        CanFinally(g, a) => format!("<<{}>> F {}", group(g), of(a)),
        CanGlobally(g, a) => format!("<<{}>> G {}", group(g), of(a)),
        CanUntil(g, a, b) => format!("<<{}>> ({} U {})", group(g), of(a), of(b)),
        Ltl(p) => format!("LTL {}", path_formula(m, p)),
    }
}

/// A path formula in the spelling of property files.
pub fn path_formula(m: &Machine, f: &PathFormula<ExprId>) -> String {
    use PathFormula::*;
    let of = |g: &PathFormula<ExprId>| path_formula(m, g);
    match f {
        State(s) => formula(m, s),
        Not(a) => format!("!{}", of(a)),
        And(xs) => chain(xs.iter().map(of), " && ", "true"),
        Or(xs) => chain(xs.iter().map(of), " || ", "false"),
        Implies(a, b) => format!("({} -> {})", of(a), of(b)),
        Iff(a, b) => format!("({} <-> {})", of(a), of(b)),
        Quant { body, .. } => of(body),
        Next(a) => format!("X {}", of(a)),
        Finally(a) => format!("F {}", of(a)),
        Globally(a) => format!("G {}", of(a)),
        Until(a, b) => format!("({} U {})", of(a), of(b)),
        WeakUntil(a, b) => format!("({} W {})", of(a), of(b)),
        Release(a, b) => format!("({} R {})", of(a), of(b)),
    }
}

fn chain(parts: impl Iterator<Item = String>, op: &str, empty: &str) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [] => empty.to_string(),
        [one] => one.clone(),
        _ => format!("({})", parts.join(op)),
    }
}

const fn letter(path: Path) -> char {
    match path {
        Path::A => 'A',
        Path::E => 'E',
    }
}
