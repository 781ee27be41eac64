//! Branches of a body: what is known where a condition holds, and after either.

use super::{Emit, Mask};
use crate::lang::cmmn::lower::Does;
use crate::machine::{CompareOp, ExprId, FALSE, Node, Rule, TRUE, VarId};

impl Emit<'_, '_> {
    /// Emits what `body` emits where the guard holds, also in the context around. `mark` is what the guard itself means.
    pub fn when(&mut self, does: Does, guard: ExprId, body: impl FnOnce(&mut Self)) {
        let around = self.context;
        let guard = self.and([around, guard]);
        if guard == FALSE {
            return;
        }
        let top = self.depth == 0 && self.in_rounds;
        if guard == around && does == Does::Nothing {
            if top {
                self.writes.clear();
                self.recall(guard);
                self.depth += 1;
            }
            body(self);
            if top {
                self.depth -= 1;
                self.end_event();
            }
            return;
        }
        let go = self.l.go(self.depth);
        self.fit();
        if top {
            self.writes.clear();
        }
        self.context = TRUE;
        self.assign(Does::Nothing, go, 0);
        if does != Does::Nothing {
            self.marks.push((does, self.rules.len()));
        }
        self.rule(does, guard, go, TRUE);
        let before = self.may.clone();
        if top {
            self.recall(guard);
        }
        self.assume(guard);
        self.may[go.0 as usize] = 2;
        self.context = self.l.m.exprs.cur(go);
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.context = around;
        self.fit();
        if top {
            self.end_block(&before, self.in_round, true);
        }
        if guard != around {
            // A scratch variable that came up inside has its first value outside.
            for (now, before) in self.may.iter_mut().zip(before.into_iter().chain(std::iter::repeat(1))) {
                *now |= before;
            }
        }
        self.may[go.0 as usize] = 3;
    }

    /// One of two things.
    pub fn branch(&mut self, test: ExprId, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        if test == TRUE {
            return yes(self);
        }
        if test == FALSE {
            return no(self);
        }
        let flag = self.l.flag(self.depth);
        self.fit();
        let context = self.context;
        self.rule(Does::Nothing, context, flag, test);
        self.may[flag.0 as usize] = 3;
        let (then, other) = (self.holds(flag), self.among(flag, 1));
        self.when(Does::Nothing, then, yes);
        // What the first branch did is no news to the second: they exclude each other.
        self.when(Does::Nothing, other, no);
    }

    /// A rule that only says that something happened.
    pub fn mark(&mut self, does: Does, when: ExprId) {
        let antecedent = self.and([self.context, when]);
        if antecedent == FALSE {
            return;
        }
        let target = self.l.marked();
        self.fit();
        self.marks.push((does, self.rules.len()));
        let origin = self.l.origin(does);
        self.rules.push(Rule { origin, prerequisite: TRUE, antecedent, target, value: TRUE });
    }

    /// Scratch variables may have been added.
    pub fn fit(&mut self) {
        self.may.resize(self.l.m.vars.len(), 1);
        self.last_write.resize(self.l.m.vars.len(), 0);
    }

    /// Narrows values by what holds.
    pub fn assume(&mut self, guard: ExprId) {
        let parts = match self.l.m.exprs.node(guard) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![guard],
        };
        for part in parts {
            if let Some((var, codes)) = self.says(part) {
                let may = &mut self.may[var.0 as usize];
                *may = if *may & codes == 0 { *may } else { *may & codes };
            }
        }
    }

    /// What a simple test says about its variable.
    fn says(&self, e: ExprId) -> Option<(VarId, Mask)> {
        let exprs = &self.l.m.exprs;
        match exprs.node(e) {
            Node::Cur(v) => Some((*v, 2)),
            Node::Not(a) => self.says(*a).map(|(v, codes)| (v, !codes)),
            Node::Compare(CompareOp::Eq, a, b) => match (exprs.node(*a), exprs.node(*b)) {
                (Node::Cur(v), Node::Int(code)) if (0..64).contains(code) => Some((*v, 1 << code)),
                _ => None,
            },
            Node::Or(parts) => {
                let all: Option<Vec<(VarId, Mask)>> = parts.iter().map(|p| self.says(*p)).collect();
                let all = all?;
                let (var, _) = *all.first()?;
                all.iter().all(|(v, _)| *v == var).then(|| (var, all.iter().fold(0, |m, (_, c)| m | c)))
            }
            _ => None,
        }
    }
}
