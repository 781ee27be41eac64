//! Rules that no run fires, found without a look at runs.
//!
//! Per variable, everything between the smallest and the largest value that it may ever have is possible, from the initial value on, whatever
//! comes first. A condition that is false under all of that is never true.

use super::range::{Ends, arith};
use super::{Assign, Body, BodyIx, CompareOp, ExprId, FALSE, Input, Machine, Node, Valid, VarId, validate};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Rounds after which what still grows goes as far as its domain.
const PATIENT: usize = 4;
/// Machines with more rules are not looked at.
const MOST_RULES: usize = 20_000;

/// The same machine without the conditions of rules that never fire; `None` where there is nothing to leave out. Rules keep their positions.
pub fn without_silent(m: &Valid) -> Option<Valid> {
    let silent = silent(m);
    silent.iter().flatten().any(|s| *s).then_some(())?;
    let mut less: Machine = (**m).clone();
    for (body, silent) in less.bodies.iter_mut().zip(silent) {
        for (rule, _) in body.rules.iter_mut().zip(silent).filter(|(_, silent)| *silent) {
            rule.antecedent = FALSE;
        }
    }
    validate(less).ok()
}

/// The labels of rules that never fire, at no slot and with no event.
pub fn silent_labels(m: &Machine) -> Vec<String> {
    let mut all: BTreeMap<&str, bool> = BTreeMap::new();
    for (body, silent) in m.bodies.iter().zip(silent(m)) {
        for (rule, silent) in body.rules.iter().zip(silent) {
            *all.entry(rule.origin.label.as_str()).or_insert(true) &= silent;
        }
    }
    all.into_iter().filter(|(label, silent)| *silent && !label.is_empty()).map(|(label, _)| label.to_string()).collect()
}

/// Per body, per rule: does no run fire it?
fn silent(m: &Machine) -> Vec<Vec<bool>> {
    let rules: usize = m.bodies.iter().map(|b| b.rules.len()).sum();
    if !m.is_bounded() || rules > MOST_RULES {
        return m.bodies.iter().map(|b| vec![false; b.rules.len()]).collect();
    }
    let ends = m.vars.iter().map(|v| (v.init, v.init)).collect();
    let mut look = Look { m, ends, grew: true, rounds: 0 };
    let mut found = Vec::new();
    while std::mem::take(&mut look.grew) {
        found = BodyIx::each(&m.bodies).map(|(ix, body)| look.body(ix, body)).collect();
        look.rounds += 1;
    }
    found
}

struct Look<'m> {
    m: &'m Machine,
    /// Per variable.
    ends: Vec<Ends>,
    grew: bool,
    rounds: usize,
}

type Known = FxHashMap<ExprId, Ends>;

impl Look<'_> {
    /// What a body may do. Per rule: can it not fire, as far as is known?
    fn body(&mut self, ix: BodyIx, body: &Body) -> Vec<bool> {
        let (m, inputs, known) = (self.m, body.inputs.as_slice(), &mut Known::default());
        let actions: Vec<_> = m.actions.iter().filter(|a| a.body == ix && self.may(inputs, a.allowed, known)).collect();
        if actions.is_empty() {
            return vec![true; body.rules.len()];
        }
        self.assigned(inputs, &body.effect);
        if !self.may(inputs, body.applicable, &mut Known::default()) {
            return vec![true; body.rules.len()];
        }
        let mut silent = Vec::with_capacity(body.rules.len());
        let mut known = Known::default();
        for rule in &body.rules {
            let fires =
                self.may(inputs, rule.prerequisite, &mut known) && self.may(inputs, rule.antecedent, &mut known);
            if fires {
                let value = self.of(inputs, rule.value, &mut known);
                self.join(rule.target, value);
            }
            silent.push(!fires);
        }
        self.assigned(inputs, &body.finish);
        actions.into_iter().for_each(|a| self.assigned(inputs, &a.updates));
        silent
    }

    fn assigned(&mut self, inputs: &[Input], list: &[Assign]) {
        for a in list {
            let value = self.of(inputs, a.value, &mut Known::default());
            self.join(a.var, value);
        }
    }

    /// A variable may have such a value, too.
    fn join(&mut self, var: VarId, (lo, hi): Ends) {
        let domain = &self.m.var(var).domain;
        let (lo, hi) = (domain.nearest(lo), domain.nearest(hi));
        let (least, most) = domain.bounds();
        let far = self.rounds >= PATIENT;
        let Some(ends) = self.ends.get_mut(var.0 as usize) else { return };
        let grown = (
            if lo >= ends.0 {
                ends.0
            } else if far {
                least
            } else {
                lo
            },
            if hi <= ends.1 {
                ends.1
            } else if far {
                most
            } else {
                hi
            },
        );
        self.grew |= *ends != grown;
        *ends = grown;
    }

    fn may(&self, inputs: &[Input], e: ExprId, known: &mut Known) -> bool {
        self.of(inputs, e, known).1 != 0
    }

    /// The smallest and the largest value of an expression, Booleans as 0 and 1.
    fn of(&self, inputs: &[Input], e: ExprId, known: &mut Known) -> Ends {
        if let Some(ends) = known.get(&e) {
            return *ends;
        }
        let mut part = |e: &ExprId| self.of(inputs, *e, known);
        let ends = match self.m.exprs.node(e) {
            Node::Bool(b) => (i64::from(*b), i64::from(*b)),
            Node::Int(i) => (*i, *i),
            Node::Prev(v) | Node::Cur(v) => self.ends.get(v.0 as usize).copied().unwrap_or((0, 1)),
            Node::Input(i) => inputs.get(i.0).and_then(|i| i.values.ends()).unwrap_or((i64::MIN, i64::MAX)),
            Node::Not(a) => {
                let (lo, hi) = part(a);
                (1 - hi, 1 - lo)
            }
            Node::And(list) => list.iter().map(part).fold((1, 1), |a, b| (a.0.min(b.0), a.1.min(b.1))),
            Node::Or(list) => list.iter().map(part).fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1))),
            Node::Iff(a, b) => compared(CompareOp::Eq, part(a), part(b)),
            Node::Compare(op, a, b) => compared(*op, part(a), part(b)),
            Node::Ite(c, t, f) => match part(c) {
                (1, _) => part(t),
                (_, 0) => part(f),
                _ => {
                    let (t, f) = (part(t), part(f));
                    (t.0.min(f.0), t.1.max(f.1))
                }
            },
            Node::Arith(op, a, b) => arith(*op, part(a), part(b)),
        };
        known.insert(e, ends);
        ends
    }
}

/// Whether a comparison is always so, never, or sometimes.
fn compared(op: CompareOp, a: Ends, b: Ends) -> Ends {
    let (never, always) = match op {
        CompareOp::Eq => (a.1 < b.0 || b.1 < a.0, a.0 == a.1 && a == b),
        CompareOp::Ne => (a.0 == a.1 && a == b, a.1 < b.0 || b.1 < a.0),
        CompareOp::Lt => (a.0 >= b.1, a.1 < b.0),
        CompareOp::Le => (a.0 > b.1, a.1 <= b.0),
        CompareOp::Gt => (a.1 <= b.0, a.0 > b.1),
        CompareOp::Ge => (a.1 < b.0, a.0 >= b.1),
    };
    (i64::from(always), i64::from(!never))
}
