//! What the parties of an event do to the data.

use super::Lower;
use super::body::Step;
use crate::lang::amber::model::{Place, Right, Statement, Step as Into};
use crate::lang::amber::types::Type;
use crate::lang::amber::{Expr, NodeIx};
use crate::machine::{Assign, CompareOp, Domain, ExprId, FALSE, Input, InputIx, Node, TRUE, VarId};

impl Lower<'_> {
    pub(super) fn make_data(&mut self, parties: &[NodeIx], step: &mut Step) {
        for &p in parties {
            let model = self.model;
            self.statements(&model.nodes[p].fragment, TRUE, step);
        }
    }

    /// Statements that are executed where `guard` holds; nothing they assign changes the guard.
    fn statements(&mut self, list: &[Statement], guard: ExprId, step: &mut Step) {
        for statement in list {
            match statement {
                Statement::Assign(list) => self.assign(list, guard, step),
                Statement::If(c, then, other) => {
                    let written = self.written([then, other]);
                    if written.is_empty() {
                        continue;
                    }
                    let mut holds = self.expr(c);
                    // A choice inside is pinned at the end of the step, when the condition may have changed.
                    if self.reads_any(holds, &written) || chooses(then) || chooses(other) {
                        holds = self.captured(holds, "if", Domain::Bool, &mut step.effect);
                    }
                    let fails = self.m.exprs.not(holds);
                    let (yes, no) = (self.m.exprs.and([guard, holds]), self.m.exprs.and([guard, fails]));
                    self.statements(then, yes, step);
                    self.statements(other, no, step);
                }
            }
        }
    }

    /// Kept cells that statements can write.
    fn written(&mut self, lists: [&[Statement]; 2]) -> Vec<VarId> {
        let mut out = Vec::new();
        for statement in lists.into_iter().flatten() {
            match statement {
                Statement::If(_, then, other) => out.extend(self.written([then, other])),
                Statement::Assign(list) => {
                    for (place, _) in list {
                        let cells = self.cells(place).0;
                        out.extend(cells.into_iter().filter_map(|(c, _)| self.map.cells[c]));
                    }
                }
            }
        }
        out
    }

    /// Scalars that get their values at once.
    fn assign(&mut self, list: &[(Place, Right)], guard: ExprId, step: &mut Step) {
        let (mut writes, mut wrong) = (Vec::new(), Vec::new());
        for (place, right) in list {
            let (choices, outside) = self.cells(place);
            if choices.iter().all(|(c, _)| self.map.cells[*c].is_none()) {
                continue;
            }
            let (value, bad) = match right {
                Right::Any(values) => (self.any(place, values, guard, step), FALSE),
                Right::Value(e) => (self.expr(e), self.goes_wrong(e)),
            };
            let (lo, hi) = place.ty.bounds();
            let number = matches!(place.ty, Type::Int { .. });
            let cut = if number { self.beyond_with(value, lo, hi, &step.inputs) } else { FALSE };
            let value = match self.m.exprs.node(value) {
                Node::Int(n) if number => {
                    let nearest = (*n).clamp(lo, hi);
                    self.m.exprs.int(nearest)
                }
                _ => value,
            };
            wrong.extend([outside, bad, cut]);
            for (cell, when) in choices {
                let Some(var) = self.map.cells[cell] else { continue };
                let when = self.m.exprs.and([guard, when]);
                let old = self.m.exprs.cur(var);
                let code = self.cell_code(cell, value);
                writes.push(Assign { var, value: self.m.exprs.ite(when, code, old) });
            }
        }
        let any_wrong = self.m.exprs.or(wrong);
        let when = self.m.exprs.and([guard, any_wrong]);
        let overflow = self.m.overflow;
        self.set_if(&mut step.effect, when, overflow, TRUE);
        self.at_once(writes, step);
    }

    /// Assignments none of which sees another.
    fn at_once(&mut self, mut writes: Vec<Assign>, step: &mut Step) {
        let targets: Vec<VarId> = writes.iter().map(|w| w.var).collect();
        for (i, write) in writes.iter_mut().enumerate() {
            if self.reads_any(write.value, &targets[..i]) {
                let domain = self.domain(write.var).clone();
                write.value = self.captured(write.value, "value", domain, &mut step.effect);
            }
        }
        step.effect.extend(writes);
    }

    /// A free choice, pinned to its first value where it is not made.
    fn any(&mut self, place: &Place, values: &[i64], guard: ExprId, step: &mut Step) -> ExprId {
        let domain = match (&place.ty, values) {
            (Type::Int { .. }, [first, .., last]) => Domain::Int { lo: *first, hi: *last },
            (Type::Int { .. }, [one]) => Domain::Int { lo: *one, hi: *one },
            (ty, _) => ty.domain(),
        };
        let first = values.first().copied().unwrap_or_default();
        let input = step.input(self.place_name(place), domain.clone(), values.to_vec());
        let value = self.m.exprs.input(input);
        let is_first = self.is_code(value, &domain, first);
        let pinned = self.m.exprs.or([guard, is_first]);
        step.pins.push(pinned);
        value
    }

    /// Has an input this value?
    pub(super) fn is_code(&mut self, input: ExprId, domain: &Domain, code: i64) -> ExprId {
        if *domain == Domain::Bool {
            return if code == 0 { self.m.exprs.not(input) } else { input };
        }
        let code = self.m.exprs.int(code);
        self.m.exprs.compare(CompareOp::Eq, input, code)
    }

    /// A place as people write it.
    fn place_name(&self, place: &Place) -> String {
        let var = &self.model.vars[place.var];
        let (mut name, mut ty) = (var.path.clone(), &var.ty);
        for step in &place.steps {
            match (step, ty) {
                (Into::Field(i), Type::Record(fields)) => {
                    name = format!("{name}.{}", fields[*i].0);
                    ty = &fields[*i].1;
                }
                (Into::Index(e), Type::Array(of, _)) => {
                    name = match e {
                        Expr::Int(n) => format!("{name}[{n}]"),
                        Expr::Read(inner) => format!("{name}[{}]", self.place_name(inner)),
                        _ => format!("{name}[…]"),
                    };
                    ty = of;
                }
                _ => {}
            }
        }
        name
    }
}

/// Is there a free choice in these statements?
fn chooses(list: &[Statement]) -> bool {
    list.iter().any(|s| match s {
        Statement::If(_, then, other) => chooses(then) || chooses(other),
        Statement::Assign(list) => list.iter().any(|(_, r)| matches!(r, Right::Any(_))),
    })
}

/// An input, to be added to a step.
impl Step {
    pub(super) fn input(&mut self, name: String, domain: Domain, values: Vec<i64>) -> InputIx {
        let same = |n: &str| self.inputs.iter().any(|i| i.name == n);
        let mut unique = name.clone();
        let mut number = 2;
        while same(&unique) {
            unique = format!("{name} {number}");
            number += 1;
        }
        let ix = InputIx::next(&self.inputs);
        self.inputs.push(Input { name: unique, domain, values: values.into() });
        ix
    }
}
