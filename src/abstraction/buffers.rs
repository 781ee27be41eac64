//! Values on their way: what a task keeps until it is done.
//!
//! A buffered value is asked what the data is asked that it will fill: the same predicates, with the buffer in the place of what it fills.

use super::linear::{Leaf, Linear, asked};
use super::predicate::variable;
use super::{Predicates, System};
use crate::machine::{ExprId, Exprs, Node, VarId};
use std::collections::BTreeSet;

/// More data of one predicate than this is not filled at once.
const MOST: usize = 6;

/// What is filled from buffers: per step, pairs of data and buffers. Each step's list is there once.
pub fn fillings(system: &System) -> BTreeSet<Vec<(VarId, VarId)>> {
    let m = system.machine;
    let mut all = BTreeSet::new();
    for body in m.bodies.iter().filter(|_| !system.buffers.is_empty()) {
        let assigned = body.effect.iter().chain(&body.finish).map(|a| (a.var, a.value));
        let mut found = BTreeSet::new();
        for (var, value) in assigned.filter(|(v, _)| system.wide(*v).is_some() && !system.buffers.contains(v)) {
            sources(&m.exprs, value, &mut |v| {
                if system.buffers.contains(&v) {
                    found.insert((var, v));
                }
            });
        }
        all.insert(found.into_iter().collect());
    }
    all
}

/// Calls `f` on the variables whose values an expression can be.
fn sources(exprs: &Exprs, e: ExprId, f: &mut impl FnMut(VarId)) {
    match exprs.node(e) {
        Node::Prev(v) | Node::Cur(v) => f(*v),
        Node::Ite(_, a, b) => {
            sources(exprs, *a, f);
            sources(exprs, *b, f);
        }
        _ => {}
    }
}

impl Predicates {
    /// Adds what buffers are asked: every predicate about data that they fill, with buffers in the place of some of it.
    pub fn add_buffered(&mut self, system: &System) {
        for filling in fillings(system) {
            for p in self.list.clone() {
                let near: Vec<(VarId, VarId)> =
                    filling.iter().filter(|(data, _)| p.vars.contains(data)).copied().take(MOST).collect();
                for chosen in 1..1usize << near.len() {
                    let chosen =
                        || near.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, pair)| *pair);
                    let sum = p.atom.difference().map(&mut |leaf| match leaf {
                        Leaf::Var(v, _) => {
                            variable(system, chosen().find(|(data, _)| data == v).map_or(*v, |(_, b)| b))
                        }
                        other => Linear::leaf(other.clone()),
                    });
                    for atom in asked(p.atom.op(), &sum) {
                        self.add(system, atom, p.origin, p.round);
                    }
                }
            }
        }
    }
}
