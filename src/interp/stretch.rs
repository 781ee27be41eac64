//! Stretches of rules that wait for one condition: where it is false, all of them are passed over at once.
//!
//! A body with all calls of a propagation written out is thousands of rules long, and nearly all of them stand in calls that are not made.
//! The condition of a call is put into a scratch variable by a rule that keeps the books: it always fires and is nothing to tell.

use super::compile::Op;
use crate::machine::{Body, Domain, ExprId, Exprs, Machine, Node, Rule, TRUE, VarId};
use rustc_hash::FxHashMap;

/// Where a stretch ends, and the conditions within it, which are false when it is passed over.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretch {
    pub end: u32,
    pub conditions: Vec<u32>,
}

/// Shorter ones are not worth a look at their condition.
const SHORTEST: usize = 3;

/// The stretches that go on at a point of a body; each lies within the one before it.
#[derive(Default)]
pub(super) struct Stretches {
    open: Vec<Open>,
    /// Variables that are false where the condition of so many open stretches is.
    depth: FxHashMap<VarId, usize>,
    /// Those that are finished; an operation names its own by position.
    pub done: Vec<Stretch>,
}

struct Open {
    condition: VarId,
    position: usize,
    begin: usize,
    inside: Vec<VarId>,
}

/// Does a rule always fire, without a word, to keep a condition?
pub(super) fn keeps_books(m: &Machine, body: &Body, rule: &Rule) -> bool {
    let target = m.var(rule.target);
    let always = rule.prerequisite == TRUE && rule.antecedent == TRUE;
    always
        && target.scratch
        && target.domain == Domain::Bool
        && rule.origin.label.is_empty()
        && body.components.is_empty()
}

impl Stretches {
    /// The next thing done does nothing, or makes a condition false, where this is false; else stretches end here.
    pub fn go_on(&mut self, exprs: &Exprs, when: ExprId, here: usize) {
        let depth = |e: &ExprId| match exprs.node(*e) {
            Node::Cur(v) => self.depth.get(v).copied().unwrap_or(0),
            _ => 0,
        };
        let deepest = match exprs.node(when) {
            Node::And(parts) => parts.iter().map(depth).max().unwrap_or(0),
            _ => depth(&when),
        };
        while self.open.len() > deepest {
            self.end(here);
        }
    }

    /// A condition was put aside: a stretch that waits for it begins. The operation that may pass over it.
    pub fn begin(&mut self, condition: VarId, here: usize) -> Op {
        let position = self.done.len();
        self.done.push(Stretch::default());
        self.open.push(Open { condition, position, begin: here + 1, inside: Vec::new() });
        self.depth.insert(condition, self.open.len());
        Op::Unless(condition.0, position as u32)
    }

    fn end(&mut self, here: usize) {
        let Some(mut open) = self.open.pop() else { return };
        let is_long = here >= open.begin + SHORTEST;
        self.done[open.position] = Stretch {
            end: if is_long { here } else { open.begin } as u32,
            conditions: open.inside.iter().filter(|_| is_long).map(|v| v.0).collect(),
        };
        // What was false with it is false with the one around it.
        open.inside.push(open.condition);
        let around = self.open.len();
        for v in open.inside {
            match self.open.last_mut() {
                None => _ = self.depth.remove(&v),
                Some(outer) => {
                    self.depth.insert(v, around);
                    if v != outer.condition && !outer.inside.contains(&v) {
                        outer.inside.push(v);
                    }
                }
            }
        }
    }
}
