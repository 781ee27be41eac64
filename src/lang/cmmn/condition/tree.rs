//! Conditions as parsed: tests on variables, whose meaning is known when all domains and items are.

use super::domain::Data;
use super::{Cond, Query, Select};
use crate::lang::cmmn::model::{DataIx, FreeIx, ItemIx, State};
use crate::machine::CompareOp;

/// A literal value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
}

/// A condition, items and values not looked up.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Const(bool),
    Not(Box<Tree>),
    All(Vec<Tree>),
    Any(Vec<Tree>),
    /// A variable used as a Boolean; absent, it counts as the literal.
    Truth(DataIx, Option<Literal>),
    Compare(DataIx, Option<Literal>, CompareOp, Literal),
    Null(DataIx),
    Empty(DataIx),
    Count(CompareOp, i64),
    Done(Select),
    Query(Select, CompareOp, i64),
    Completable,
    Free(FreeIx),
}

impl Tree {
    pub fn largest_count(&self) -> Option<i64> {
        match self {
            Tree::Not(a) => a.largest_count(),
            Tree::All(parts) | Tree::Any(parts) => parts.iter().filter_map(Tree::largest_count).max(),
            Tree::Count(_, value) => Some(*value),
            _ => None,
        }
    }

    /// The meaning, domains and items known.
    pub fn meaning(&self, data: &[Data], select: &dyn Fn(&Select) -> Vec<ItemIx>) -> Cond {
        let values = |var: DataIx, test: &dyn Fn(&super::Value) -> bool| {
            let all = data.get(var).map_or(&[][..], |d| &d.values);
            let codes: Vec<usize> = (0..all.len()).filter(|c| test(&all[*c])).collect();
            match codes.len() {
                0 => Cond::Const(false),
                n if n == all.len() => Cond::Const(true),
                _ => Cond::Data(var, codes),
            }
        };
        match self {
            Tree::Const(b) => Cond::Const(*b),
            Tree::Not(a) => match a.meaning(data, select) {
                Cond::Const(b) => Cond::Const(!b),
                a => Cond::Not(Box::new(a)),
            },
            Tree::All(parts) => Cond::All(parts.iter().map(|p| p.meaning(data, select)).collect()),
            Tree::Any(parts) => Cond::Any(parts.iter().map(|p| p.meaning(data, select)).collect()),
            Tree::Truth(v, default) => values(*v, &|x| x.truth(default.as_ref())),
            Tree::Compare(v, default, op, with) => values(*v, &|x| x.compares(default.as_ref(), *op, with)),
            Tree::Null(v) => values(*v, &|x| x.is_null()),
            Tree::Empty(v) => values(*v, &|x| x.is_empty()),
            Tree::Count(op, value) => Cond::Count(*op, *value),
            Tree::Done(s) => Cond::Done(select(s)),
            Tree::Query(s, op, value) => Cond::Query(Query {
                items: select(s),
                same_container: s.same_container,
                states: match s.states.is_empty() {
                    true => State::ALL.into_iter().filter(|s| *s != State::None).collect(),
                    false => s.states.clone(),
                },
                op: *op,
                value: *value,
            }),
            Tree::Completable => Cond::Completable,
            Tree::Free(f) => Cond::Free(*f),
        }
    }
}
