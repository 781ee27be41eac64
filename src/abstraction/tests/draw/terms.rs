//! Random conditions and numbers.

use super::{Data, Draw, NAMED};
use crate::machine::*;

impl Draw<'_> {
    /// A condition over what was before the step.
    pub(super) fn before(&mut self, depth: usize, inputs: &[Data]) -> ExprId {
        let e = self.condition(depth, false, inputs);
        self.m.exprs.before(e)
    }

    pub(super) fn condition(&mut self, depth: usize, snapshot: bool, inputs: &[Data]) -> ExprId {
        if self.sparse && !snapshot && self.rng.u8(..4) > 0 {
            return TRUE;
        }
        if self.sparse {
            return self.usual();
        }
        if depth > 0 && self.rng.bool() {
            let (a, b) = (self.condition(depth - 1, snapshot, inputs), self.condition(depth - 1, snapshot, inputs));
            return match self.rng.u8(..4) {
                0 => self.m.exprs.and([a, b]),
                1 => self.m.exprs.or([a, b]),
                2 => self.m.exprs.iff(a, b),
                _ => self.m.exprs.not(a),
            };
        }
        if self.rng.u8(..3) == 0 {
            let all: Vec<VarId> = self.flags.iter().chain(self.set.values()).copied().collect();
            return self.m.exprs.cur(all[self.rng.usize(..all.len())]);
        }
        let data = self.kind();
        if self.rng.u8(..8) == 0 && self.of(data).len() > 1 {
            return self.chain(data);
        }
        let ops = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
        let op = ops[self.rng.usize(..if data == Data::Texts { 2 } else { 6 })];
        if data != Data::Whole {
            return self.comparison(data, op, snapshot, inputs);
        }
        let deep = usize::from(self.rng.u8(..4) == 0);
        let (a, b) = (self.number(data, 1, snapshot, inputs), self.number(data, deep, snapshot, inputs));
        let c = self.rng.i64(-1..4);
        let constant = self.m.exprs.int(c);
        let b = if self.rng.u8(..3) > 0 { constant } else { b };
        self.m.exprs.compare(op, a, b)
    }

    /// The same comparison again and again.
    fn usual(&mut self) -> ExprId {
        let data = self.kind();
        let named = match data {
            Data::Whole => 3,
            Data::Fractions => self.parts,
            Data::Texts => 1,
        };
        let (n, bound) = (self.m.exprs.cur(self.of(data)[0]), self.m.exprs.int(named));
        let less = self.rng.u8(..4) == 0 && data != Data::Texts;
        self.m.exprs.compare([CompareOp::Eq, CompareOp::Lt][usize::from(less)], n, bound)
    }

    /// All equal, one after the other, and the last to something with a name.
    fn chain(&mut self, data: Data) -> ExprId {
        let all: Vec<ExprId> = self.of(data).iter().map(|v| self.m.exprs.cur(*v)).collect();
        let named = self.named(data);
        let links = all.windows(2).map(|w| (w[0], w[1])).chain(all.last().map(|last| (*last, named)));
        let links: Vec<ExprId> = links.map(|(a, b)| self.m.exprs.compare(CompareOp::Eq, a, b)).collect();
        self.m.exprs.and(links)
    }

    /// A comparison that only asks for a difference.
    fn comparison(&mut self, data: Data, op: CompareOp, snapshot: bool, inputs: &[Data]) -> ExprId {
        let a = self.unit(data, snapshot, inputs);
        let b = if self.rng.bool() { self.unit(data, snapshot, inputs) } else { self.named(data) };
        let b = self.shifted(data, b);
        let plain = self.m.exprs.compare(op, a, b);
        // Of what is not set nothing is said, as with points of time.
        let first = self.of(data)[0];
        match self.set.get(&first) {
            Some(set) if self.rng.bool() => {
                let there = self.m.exprs.cur(*set);
                self.m.exprs.and([there, plain])
            }
            _ => plain,
        }
    }

    /// A text with a name, or a whole number.
    pub(super) fn named(&mut self, data: Data) -> ExprId {
        let c = match data {
            Data::Texts => self.rng.i64(..=NAMED),
            Data::Fractions => self.rng.i64(-1..4) * self.parts,
            Data::Whole => self.rng.i64(-1..4),
        };
        self.m.exprs.int(c)
    }

    /// A number with a whole number added, now and then.
    fn shifted(&mut self, data: Data, a: ExprId) -> ExprId {
        if data == Data::Texts || self.rng.u8(..3) > 0 {
            return a;
        }
        let c = self.rng.i64(-1..3) * self.parts;
        let by = match self.finite {
            Some(finite) if self.rng.bool() => {
                let (n, parts) = (self.m.exprs.cur(finite), self.m.exprs.int(self.parts));
                self.m.exprs.arith(ArithOp::Mul, n, parts)
            }
            _ => self.m.exprs.int(c),
        };
        self.m.exprs.arith(ArithOp::Add, a, by)
    }

    /// An input of some kind, if there is one.
    fn sent(&mut self, data: Data, inputs: &[Data]) -> Option<ExprId> {
        let own: Vec<usize> = (0..inputs.len()).filter(|i| inputs[*i] == data).collect();
        let at = (!own.is_empty()).then(|| own[self.rng.usize(..own.len())])?;
        Some(self.m.exprs.input(InputIx(at)))
    }

    /// An abstracted variable or an input.
    fn unit(&mut self, data: Data, snapshot: bool, inputs: &[Data]) -> ExprId {
        let wide = self.of(data);
        let n = wide[self.rng.usize(..wide.len())];
        let sent = self.sent(data, inputs);
        match (self.rng.u8(..4), sent) {
            (0 | 1, Some(sent)) => sent,
            (2, _) if !snapshot => self.m.exprs.prev(n),
            _ => self.m.exprs.cur(n),
        }
    }

    pub(super) fn number(&mut self, data: Data, depth: usize, snapshot: bool, inputs: &[Data]) -> ExprId {
        if data != Data::Whole {
            let a = if self.rng.u8(..4) == 0 { self.named(data) } else { self.unit(data, snapshot, inputs) };
            let a = self.shifted(data, a);
            if self.rng.u8(..4) > 0 {
                return a;
            }
            let (c, b) = (self.m.exprs.cur(self.flags[0]), self.unit(data, snapshot, inputs));
            return self.m.exprs.ite(c, a, b);
        }
        if depth > 0 && self.rng.bool() {
            let op = [ArithOp::Add, ArithOp::Sub, ArithOp::Add, ArithOp::Mul, ArithOp::Div][self.rng.usize(..5)];
            let a = self.number(data, depth - 1, snapshot, inputs);
            let b = match op {
                // Products of two unknowns are not linear; the solver may give up on them.
                ArithOp::Mul | ArithOp::Div => {
                    let c = self.rng.i64(-3..4);
                    self.m.exprs.int(c)
                }
                _ => self.number(data, depth - 1, snapshot, inputs),
            };
            return self.m.exprs.arith(op, a, b);
        }
        let all: Vec<VarId> = self.of(data).into_iter().chain(self.finite).collect();
        let n = all[self.rng.usize(..all.len())];
        let sent = self.sent(data, inputs);
        match (self.rng.u8(..8), sent) {
            (0, _) => self.named(data),
            (1 | 2, Some(sent)) => sent,
            (3, _) => {
                let c = self.m.exprs.cur(self.flags[0]);
                let (a, b) = (self.number(data, 0, snapshot, &[]), self.number(data, 0, snapshot, &[]));
                self.m.exprs.ite(c, a, b)
            }
            (4, _) if !snapshot => self.m.exprs.prev(n),
            _ => self.m.exprs.cur(n),
        }
    }
}
