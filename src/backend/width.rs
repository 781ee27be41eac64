//! What is too wide for a checker, told before anything is written or started.

use super::NotWritten;
use crate::machine::{Body, BodyIx, Ends, ExprId, Input, Machine, Node, intervals, show};
use std::collections::BTreeMap;

/// How wide numbers may be for a checker.
pub struct Width {
    /// Its name for people.
    pub checker: &'static str,
    /// Values that a variable may have.
    pub values: u64,
    /// Values that a payload field may have.
    pub payload: u64,
    /// Pairs of values that an operation on two numbers may meet.
    pub pairs: u64,
    /// Its smallest and largest number.
    pub ends: Ends,
}

/// What to do about it.
pub const SMALLER: &str = "give it a smaller range, in gsmc.toml or with --range";

/// Refuses a machine that is too wide, with what is to be made smaller.
pub fn fits(m: &Machine, width: &Width) -> Result<(), NotWritten> {
    let Width { checker, .. } = width;
    let refuse = |what: String| Err(NotWritten::Unsupported(what));
    for var in &m.vars {
        let (n, (lo, hi)) = (var.domain.size(), var.domain.bounds());
        if n > width.values || lo < width.ends.0 || hi > width.ends.1 {
            let most = if n > width.values { width.values.to_string() } else { span(width.ends) };
            return refuse(format!(
                "'{}' has the values {lo}..{hi}; {checker} takes {most} of them; {SMALLER}",
                var.name
            ));
        }
    }
    for body in &m.bodies {
        if let Some(input) = body.inputs.iter().find(|i| i.values.len() > width.payload) {
            let (n, most) = (input.values.len(), width.payload);
            let what = format!("the payload '{}' of {} has {n} values", input.name, body.event);
            return refuse(format!("{what}; {checker} takes {most} of them; {SMALLER}"));
        }
    }
    for (ix, body) in BodyIx::each(&m.bodies) {
        calculations(m, &expressions(m, ix, body), &body.inputs, &body.event, width)?;
    }
    let mut atoms = Vec::new();
    m.properties.iter().flat_map(|p| p.fair.iter().chain([&p.formula])).for_each(|f| f.atoms(&mut |e| atoms.push(*e)));
    calculations(m, &atoms, &[], "the properties", width)
}

/// Everything that is calculated in a body and by the actions that make it happen.
fn expressions(m: &Machine, ix: BodyIx, body: &Body) -> Vec<ExprId> {
    let rules = body.rules.iter().flat_map(|r| [r.prerequisite, r.antecedent, r.value]);
    let assigned = body.effect.iter().chain(&body.finish).map(|a| a.value);
    let by = m.actions.iter().filter(|a| a.body == ix);
    let acted = by.flat_map(|a| a.updates.iter().map(|u| u.value).chain([a.allowed]));
    rules.chain(assigned).chain(acted).chain([body.applicable]).collect()
}

/// Refuses calculations that go too far.
fn calculations(m: &Machine, roots: &[ExprId], inputs: &[Input], place: &str, width: &Width) -> Result<(), NotWritten> {
    let known = intervals(&m.vars, &m.exprs, inputs, roots);
    let of = |e: &ExprId| known.get(e).copied().unwrap_or((0, 1));
    let Width { checker, pairs, ends, .. } = width;
    let mut all: Vec<&ExprId> = known.keys().collect();
    all.sort_unstable();
    // Parts come before what they are parts of.
    let mut sizes: BTreeMap<ExprId, u64> = BTreeMap::new();
    for e in all {
        let (lo, hi) = of(e);
        let most = hi.abs_diff(lo).saturating_add(1);
        let size = |e: &ExprId| sizes.get(e).copied().unwrap_or(u64::MAX);
        // A choice between few values has few, however far apart they are.
        let few = match m.exprs.node(*e) {
            Node::Ite(_, a, b) => size(a).saturating_add(size(b)),
            Node::Arith(_, a, b) => size(a).saturating_mul(size(b)),
            _ => most,
        };
        let met = match m.exprs.node(*e) {
            Node::Arith(_, a, b) | Node::Compare(_, a, b) => size(a).saturating_mul(size(b)),
            _ => 0,
        };
        sizes.insert(*e, few.min(most));
        if lo < ends.0 || hi > ends.1 || met > *pairs {
            let what = show::expression(m, *e);
            let why = match met > *pairs {
                true => format!("meets {met} pairs of values; {checker} takes {pairs}"),
                false => format!("goes from {lo} to {hi}; {checker} takes {}", span(*ends)),
            };
            return Err(NotWritten::Unsupported(format!("in {place}, {what} {why}; {SMALLER}")));
        }
    }
    Ok(())
}

fn span((lo, hi): Ends) -> String {
    format!("{lo}..{hi}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::testkit::{act, body, empty, var};
    use crate::machine::{ArithOp, Assign, CompareOp, Domain, TRUE};

    const WIDTH: Width = Width { checker: "X", values: 1000, payload: 10, pairs: 500, ends: (-100, 1000) };

    /// What is said about a machine with two numbers and one body.
    fn said(hi: i64, payload: i64, change: impl Fn(&mut Machine, [ExprId; 2]) -> ExprId) -> Result<(), String> {
        let mut m = empty();
        let domain = |hi| Domain::Int { lo: 0, hi };
        let vars = [var(&mut m, "a", domain(hi)), var(&mut m, "b", domain(20))];
        let mut b = body("go");
        b.inputs = vec![Input {
            name: "x".into(),
            domain: domain(payload),
            values: crate::machine::Ranges::range(0, payload),
        }];
        let read = vars.map(|v| m.exprs.prev(v));
        let value = change(&mut m, read);
        b.effect.push(Assign { var: vars[1], value });
        act(&mut m, b, TRUE);
        fits(&m, &WIDTH).map_err(|why| why.to_string())
    }

    #[test]
    fn whatever_is_too_wide_is_named() {
        let first = |_: &mut Machine, [_, b]: [ExprId; 2]| b;
        assert_eq!(said(20, 5, first), Ok(()));
        let why = said(1001, 5, first).unwrap_err();
        assert_eq!(why, format!("'a' has the values 0..1001; X takes 1000 of them; {SMALLER}"));
        let why = said(20, 10, first).unwrap_err();
        assert_eq!(why, format!("the payload 'x' of go has 11 values; X takes 10 of them; {SMALLER}"));
        let add = |m: &mut Machine, [a, b]: [ExprId; 2]| m.exprs.arith(ArithOp::Add, a, b);
        let why = said(30, 5, add).unwrap_err();
        assert!(why.contains("meets 651 pairs of values; X takes 500"), "{why}");
        let product = |m: &mut Machine, [_, b]: [ExprId; 2]| {
            let hundred = m.exprs.int(100);
            m.exprs.arith(ArithOp::Mul, b, hundred)
        };
        let why = said(20, 5, product).unwrap_err();
        assert!(why.contains("goes from 0 to 2000; X takes -100..1000"), "{why}");
        // A choice between two numbers far apart has two values.
        let choice = |m: &mut Machine, [a, b]: [ExprId; 2]| {
            let (zero, far) = (m.exprs.int(0), m.exprs.int(900));
            let positive = m.exprs.compare(CompareOp::Gt, b, zero);
            let one = m.exprs.ite(positive, far, zero);
            let less = m.exprs.compare(CompareOp::Lt, a, one);
            m.exprs.ite(less, b, zero)
        };
        assert_eq!(said(100, 5, choice), Ok(()));
        // Conditions calculate, too.
        let inside = |m: &mut Machine, [_, b]: [ExprId; 2]| {
            let (hundred, zero) = (m.exprs.int(100), m.exprs.int(0));
            let product = m.exprs.arith(ArithOp::Mul, b, hundred);
            let positive = m.exprs.compare(CompareOp::Gt, product, zero);
            m.exprs.ite(positive, b, zero)
        };
        assert!(said(20, 5, inside).is_err());
    }
}
