//! Numbers of tokens in a step.

use super::Lower;
use crate::machine::{ArithOp, CompareOp, ExprId, FALSE, TRUE};

/// How many tokens pass: never (`most` 0), a Boolean (`most` 1), or a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens {
    /// The most there can be.
    pub most: i64,
    /// How many there are.
    pub count: ExprId,
}

impl Tokens {
    /// None, ever.
    pub const NONE: Tokens = Tokens { most: 0, count: FALSE };

    /// One where a condition holds.
    pub fn one_if(when: ExprId) -> Tokens {
        if when == FALSE { Tokens::NONE } else { Tokens { most: 1, count: when } }
    }
}

impl Lower<'_> {
    /// When there is at least one.
    pub(super) fn some(&mut self, t: Tokens) -> ExprId {
        self.at_least(t, 1)
    }

    /// When there are at least `n`.
    pub(super) fn at_least(&mut self, t: Tokens, n: i64) -> ExprId {
        match t.most {
            _ if n <= 0 => TRUE,
            most if most < n => FALSE,
            1 => t.count,
            _ => {
                let n = self.m.exprs.int(n);
                self.m.exprs.compare(CompareOp::Ge, t.count, n)
            }
        }
    }

    /// As a number.
    pub(super) fn number(&mut self, t: Tokens) -> ExprId {
        let (one, zero) = (self.m.exprs.int(1), self.m.exprs.int(0));
        match t.most {
            0 => zero,
            1 => self.m.exprs.ite(t.count, one, zero),
            _ => t.count,
        }
    }

    /// All together.
    pub(super) fn sum(&mut self, all: &[Tokens]) -> Tokens {
        let some: Vec<Tokens> = all.iter().copied().filter(|t| t.most > 0).collect();
        match some.as_slice() {
            [] => Tokens::NONE,
            [one] => *one,
            [first, rest @ ..] => {
                let (mut count, mut most) = (self.number(*first), first.most);
                for t in rest {
                    let n = self.number(*t);
                    count = self.m.exprs.arith(ArithOp::Add, count, n);
                    most = most.saturating_add(t.most);
                }
                Tokens { most, count }
            }
        }
    }

    /// The tokens where a condition holds, else none.
    pub(super) fn only_if(&mut self, when: ExprId, t: Tokens) -> Tokens {
        match (when, t.most) {
            (FALSE, _) | (_, 0) => Tokens::NONE,
            (_, 1) => Tokens::one_if(self.m.exprs.and([when, t.count])),
            _ => {
                let zero = self.m.exprs.int(0);
                Tokens { most: t.most, count: self.m.exprs.ite(when, t.count, zero) }
            }
        }
    }
}
