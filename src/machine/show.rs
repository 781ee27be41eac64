//! Machine expressions and formulas for people.

use super::{AgentIx, BOTTOM, CompareOp, Domain, ExprId, Machine, Node};
use crate::logic::{Formula, PathFormula, Words};

/// An expression over one snapshot or step, in the model's names.
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
        Node::Input(i) => format!("payload {}", i.0),
        Node::Not(a) => match m.exprs.node(*a) {
            Node::Compare(CompareOp::Eq, x, y) => comparison(m, "!=", *x, *y),
            Node::Compare(..) => format!("!({})", of(a)),
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
