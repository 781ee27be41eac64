//! Expressions of the model as expressions of the machine, over `Cur`.

use super::Lower;
use crate::lang::amber::model::{Expr, Place, Step};
use crate::lang::amber::types::Type;
use crate::machine::{ArithOp, CompareOp, Domain, ExprId, FALSE, Input, Var, VarId, interval};

/// The cells that a place can mean, each with when it does. The conditions exclude each other, and one of them holds.
pub(super) type Choices = Vec<(usize, ExprId)>;

impl Lower<'_> {
    pub(super) fn expr(&mut self, e: &Expr) -> ExprId {
        match e {
            Expr::Bool(b) => self.m.exprs.bool(*b),
            Expr::Int(n) => self.m.exprs.int(*n),
            Expr::Read(place) => {
                let (choices, _) = self.cells(place);
                self.pick(&choices)
            }
            Expr::Not(a) => {
                let a = self.expr(a);
                self.m.exprs.not(a)
            }
            Expr::And(xs) => {
                let parts: Vec<ExprId> = xs.iter().map(|x| self.expr(x)).collect();
                self.m.exprs.and(parts)
            }
            Expr::Or(xs) => {
                let parts: Vec<ExprId> = xs.iter().map(|x| self.expr(x)).collect();
                self.m.exprs.or(parts)
            }
            Expr::Iff(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.m.exprs.iff(a, b)
            }
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.m.exprs.compare(*op, a, b)
            }
            Expr::Arith(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.m.exprs.arith(*op, a, b)
            }
            Expr::Control(c) => self.control(*c),
        }
    }

    /// The value of whichever cell is meant.
    fn pick(&mut self, choices: &Choices) -> ExprId {
        let mut value = None;
        for &(cell, when) in choices.iter().rev() {
            let Some(var) = self.map.cells[cell] else { continue };
            let read = self.m.exprs.cur(var);
            let read = self.cell_value(cell, read);
            value = Some(value.map_or(read, |other| self.m.exprs.ite(when, read, other)));
        }
        // What is left out is read only to find places that are left out, too: any value of the right kind will do.
        let number = choices.first().is_some_and(|&(cell, _)| self.model.cells[cell].ty.domain() != Domain::Bool);
        let none = if number { self.m.exprs.int(0) } else { FALSE };
        value.unwrap_or(none)
    }

    /// The cells of a scalar place, and when an index lies outside or is computed wrongly.
    pub(super) fn cells(&mut self, place: &Place) -> (Choices, ExprId) {
        let var = &self.model.vars[place.var];
        let (mut choices, mut outside) = (vec![(var.first, crate::machine::TRUE)], FALSE);
        let mut ty = &var.ty;
        for step in &place.steps {
            match (step, ty) {
                (Step::Field(i), Type::Record(fields)) => {
                    let skip: usize = fields[..*i].iter().map(|(_, t)| t.cells()).sum();
                    choices.iter_mut().for_each(|(at, _)| *at += skip);
                    ty = &fields[*i].1;
                }
                (Step::Index(e), Type::Array(of, n)) => {
                    let (index, wrong) = (self.expr(e), self.goes_wrong(e));
                    let beyond = self.beyond(index, 0, *n as i64 - 1);
                    outside = self.m.exprs.or([outside, wrong, beyond]);
                    let elements: Vec<ExprId> =
                        (0..*n as i64).map(|k| self.is_element(index, k, *n as i64 - 1)).collect();
                    let size = of.cells();
                    let mut next = Vec::new();
                    for (at, when) in choices {
                        for (k, &is) in elements.iter().enumerate().filter(|(_, is)| **is != FALSE) {
                            next.push((at + k * size, self.m.exprs.and([when, is])));
                        }
                    }
                    choices = next;
                    ty = of;
                }
                _ => {}
            }
        }
        (choices, outside)
    }

    /// Is element `k` the one nearest to an index?
    fn is_element(&mut self, index: ExprId, k: i64, last: i64) -> ExprId {
        let number = self.m.exprs.int(k);
        let op = match k {
            _ if last == 0 => return crate::machine::TRUE,
            0 => CompareOp::Le,
            _ if k == last => CompareOp::Ge,
            _ => CompareOp::Eq,
        };
        self.m.exprs.compare(op, index, number)
    }

    /// When a number lies outside `lo..hi`; false where it cannot.
    pub(super) fn beyond(&mut self, n: ExprId, lo: i64, hi: i64) -> ExprId {
        self.beyond_with(n, lo, hi, &[])
    }

    pub(super) fn beyond_with(&mut self, n: ExprId, lo: i64, hi: i64, inputs: &[Input]) -> ExprId {
        let all: Vec<Var> = self.m.vars.iter().chain(&self.scratch).cloned().collect();
        let (least, most) = interval(&all, &self.m.exprs, inputs, n);
        let (low, high) = (self.m.exprs.int(lo), self.m.exprs.int(hi));
        let below = if least < lo { self.m.exprs.compare(CompareOp::Lt, n, low) } else { FALSE };
        let above = if most > hi { self.m.exprs.compare(CompareOp::Gt, n, high) } else { FALSE };
        self.m.exprs.or([below, above])
    }

    /// When computing an expression divides by zero or picks an element that is not there.
    pub(super) fn goes_wrong(&mut self, e: &Expr) -> ExprId {
        match e {
            Expr::Read(place) => self.cells(place).1,
            _ => {
                let mut wrong: Vec<ExprId> = e.parts().into_iter().map(|p| self.goes_wrong(p)).collect();
                if let Expr::Arith(ArithOp::Div, _, by) = e {
                    let (by, zero) = (self.expr(by), self.m.exprs.int(0));
                    wrong.push(self.m.exprs.compare(CompareOp::Eq, by, zero));
                }
                self.m.exprs.or(wrong)
            }
        }
    }

    /// Does an expression read the current value of one of these?
    pub(super) fn reads_any(&self, e: ExprId, vars: &[VarId]) -> bool {
        let mut found = false;
        self.m.exprs.leaves(e, &mut |leaf| found |= matches!(leaf, crate::machine::Node::Cur(v) if vars.contains(v)));
        found
    }
}
