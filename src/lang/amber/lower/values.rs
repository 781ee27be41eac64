//! Numbers of which only a few values ever occur, such as a damage of 1000, 5000 or 6000 in 0..6000, are kept as positions in the
//! list of those values. Nothing is lost, and engines need not carry thousands of values that cannot be.

use super::Lower;
use crate::lang::amber::model::{Expr, Model, Place, Right, Statement};
use crate::lang::amber::types::Type;
use crate::machine::{CompareOp, ExprId};
use std::collections::{BTreeMap, BTreeSet};

/// More values than this are no longer few.
const FEW: usize = 64;
/// Ranges up to this size are kept as they are.
const SMALL_RANGE: u64 = 32;

/// Per unit: the values that can occur; `None` for too many.
type Sets = BTreeMap<String, Option<BTreeSet<i64>>>;

/// Per cell: the values that can occur, ascending, if they are few in a large range.
pub(super) fn few_values(model: &Model) -> Vec<Option<Vec<i64>>> {
    let mut sets: Sets = BTreeMap::new();
    for cell in model.cells.iter().filter(|c| matches!(c.ty, Type::Int { .. })) {
        let set = sets.entry(cell.unit.clone()).or_insert_with(|| Some(BTreeSet::new()));
        add(set, Some([cell.init].into()));
    }
    loop {
        let before = sets.clone();
        model.nodes.iter().for_each(|n| statements(model, &n.fragment, &mut sets));
        if sets == before {
            break;
        }
    }
    let few = |cell: &crate::lang::amber::Cell| {
        let values = sets.get(&cell.unit)?.as_ref()?;
        let size = cell.ty.domain().size();
        let worth = size > SMALL_RANGE && values.len() as u64 * 4 <= size;
        worth.then(|| values.iter().copied().collect())
    };
    model.cells.iter().map(few).collect()
}

/// Takes more values in, while they are few.
fn add(set: &mut Option<BTreeSet<i64>>, more: Option<BTreeSet<i64>>) {
    *set = match (set.take(), more) {
        (Some(mut all), Some(more)) => {
            all.extend(more);
            Some(all).filter(|all| all.len() <= FEW)
        }
        _ => None,
    };
}

fn statements(model: &Model, list: &[Statement], sets: &mut Sets) {
    for statement in list {
        match statement {
            Statement::If(_, then, other) => {
                statements(model, then, sets);
                statements(model, other, sets);
            }
            Statement::Assign(list) => {
                for (place, right) in list.iter().filter(|(p, _)| matches!(p.ty, Type::Int { .. })) {
                    let (lo, hi) = place.ty.bounds();
                    let values = match right {
                        Right::Any(values) => {
                            Some(values.iter().copied().collect()).filter(|v: &BTreeSet<i64>| v.len() <= FEW)
                        }
                        Right::Value(e) => values(model, e, sets),
                    };
                    let nearest = values.map(|v| v.into_iter().map(|v| v.clamp(lo, hi)).collect());
                    if let Some(set) = sets.get_mut(&model.unit(place)) {
                        add(set, nearest);
                    }
                }
            }
        }
    }
}

/// The values that an expression can have.
fn values(model: &Model, e: &Expr, sets: &Sets) -> Option<BTreeSet<i64>> {
    match e {
        Expr::Int(n) => Some([*n].into()),
        Expr::Read(place) => read(model, place, sets),
        Expr::Arith(op, a, b) => {
            let (a, b) = (values(model, a, sets)?, values(model, b, sets)?);
            let all: BTreeSet<i64> = a.iter().flat_map(|x| b.iter().map(|y| op.apply(*x, *y))).collect();
            Some(all).filter(|all| all.len() <= FEW)
        }
        _ => None,
    }
}

fn read(model: &Model, place: &Place, sets: &Sets) -> Option<BTreeSet<i64>> {
    let known = sets.get(&model.unit(place)).cloned().flatten();
    let (lo, hi) = place.ty.bounds();
    known.or_else(|| (hi.abs_diff(lo) < FEW as u64).then(|| (lo..=hi).collect()))
}

impl Lower<'_> {
    /// The value of a cell now.
    pub(super) fn cell_value(&mut self, cell: usize, read: ExprId) -> ExprId {
        let Some(values) = self.map.values.get(cell).cloned().flatten() else { return read };
        let mut out = None;
        for (code, value) in values.iter().enumerate().rev() {
            let (code, value) = (self.m.exprs.int(code as i64), self.m.exprs.int(*value));
            let is = self.m.exprs.compare(CompareOp::Eq, read, code);
            out = Some(out.map_or(value, |other| self.m.exprs.ite(is, value, other)));
        }
        out.unwrap_or(read)
    }

    /// What a cell holds for a value.
    pub(super) fn cell_code(&mut self, cell: usize, value: ExprId) -> ExprId {
        let Some(values) = self.map.values.get(cell).cloned().flatten() else { return value };
        // What leaves the range becomes its nearest end first.
        let (lo, hi) = self.model.cells[cell].ty.bounds();
        let (lo, hi) = (self.m.exprs.int(lo), self.m.exprs.int(hi));
        let (below, above) =
            (self.m.exprs.compare(CompareOp::Lt, value, lo), self.m.exprs.compare(CompareOp::Gt, value, hi));
        let value = self.m.exprs.ite(above, hi, value);
        let value = self.m.exprs.ite(below, lo, value);
        let mut out = None;
        for (code, v) in values.iter().enumerate().rev() {
            let (code, v) = (self.m.exprs.int(code as i64), self.m.exprs.int(*v));
            let is = self.m.exprs.compare(CompareOp::Eq, value, v);
            out = Some(out.map_or(code, |other| self.m.exprs.ite(is, code, other)));
        }
        out.unwrap_or(value)
    }
}
