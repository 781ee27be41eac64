//! Constants, values of records and arrays, and what actions do to the data.

use super::Build;
use super::expr::{NUMBER, Resolver};
use crate::lang::amber::model::{ConstantValue, Expr, Place, Right, Statement, Step};
use crate::lang::amber::raw::{RawRight, RawStatement, RawValue};
use crate::lang::amber::types::Type;
use crate::lang::syntax::{Ast, AstKind};
use crate::source::codes::{amber as codes, typing};
use crate::source::{Diagnostic, Span};

/// Most values that one `any` chooses from.
const MOST_CHOICES: i64 = 10_000;

impl Resolver<'_, '_> {
    /// The code of a constant of a scalar type.
    pub fn constant(&mut self, ast: &Ast, ty: &Type) -> Option<i64> {
        let typed = self.typed(ast, Some(ty))?;
        if !typed.ty.fits(ty) {
            let message = format!("this is {}, expected {}", typed.ty.describe(), ty.describe());
            return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, ast.span, message));
        }
        self.folded(&typed.expr, ast.span)
    }

    fn folded(&mut self, expr: &Expr, span: Span) -> Option<i64> {
        match fold(expr) {
            Some(value) => Some(value),
            None => {
                let d = Diagnostic::new(&codes::NOT_CONSTANT, span, "this depends on variables");
                self.fail(d.label("expected a constant"))
            }
        }
    }

    /// A constant whose type is not said: a number, a Boolean, or else the name of a value.
    pub fn constant_of_any_type(&mut self, ast: &Ast) -> Option<ConstantValue> {
        let word = match &ast.kind {
            AstKind::Text(text) => Some(text),
            AstKind::Path(steps) if steps.len() == 1 => steps.first().map(|s| &s.text),
            _ => None,
        };
        if let Some(word) = word {
            let known = self.model.constants.iter().find(|c| c.name == *word).map(|c| c.value.clone());
            return Some(known.unwrap_or(ConstantValue::Word(word.clone())));
        }
        let typed = self.typed(ast, None)?;
        let value = self.folded(&typed.expr, ast.span)?;
        Some(if typed.ty == Type::Bool { ConstantValue::Bool(value != 0) } else { ConstantValue::Int(value) })
    }

    /// The parts of `{ …, … }` with their types.
    pub fn parts<'v, 't>(&mut self, value: &'v RawValue, ty: &'t Type) -> Option<Vec<(&'v RawValue, &'t Type)>> {
        let types: Vec<&Type> = match ty {
            Type::Record(fields) => fields.iter().map(|(_, t)| t).collect(),
            Type::Array(of, n) => vec![of; *n],
            _ => {
                let message = format!("{{ … }} is a value of a record or array, expected {}", ty.describe());
                return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, value.span(), message));
            }
        };
        match value {
            RawValue::Parts(values, _) if values.len() == types.len() => Some(values.iter().zip(types).collect()),
            RawValue::Parts(values, span) => {
                let message = format!("{} values for {} places", values.len(), types.len());
                self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, *span, message))
            }
            RawValue::Expr(ast) => {
                let message = format!("expected {}, written as {{ …, … }}", ty.describe());
                self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, ast.span, message))
            }
        }
    }

    fn statements(&mut self, raw: &[RawStatement]) -> Option<Vec<Statement>> {
        let all: Vec<Option<Statement>> = raw.iter().map(|s| self.statement(s)).collect();
        all.into_iter().collect()
    }

    fn statement(&mut self, raw: &RawStatement) -> Option<Statement> {
        match raw {
            RawStatement::If(condition, then, other) => {
                let condition = self.condition(condition);
                let (then, other) = (self.statements(then), self.statements(other));
                Some(Statement::If(condition?, then?, other?))
            }
            RawStatement::Assign(to, right) => {
                let place = self.place(to)?;
                let mut all = Vec::new();
                self.assign(place, to.span, right, &mut all)?;
                Some(Statement::Assign(all))
            }
        }
    }

    fn assign(&mut self, to: Place, at: Span, right: &RawRight, out: &mut Vec<(Place, Right)>) -> Option<()> {
        if let RawRight::Value(value) = right {
            return self.assign_value(to, value, out);
        }
        if !to.ty.is_scalar() {
            let message = format!("'any' chooses one value, and this is {}", to.ty.describe());
            return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, at, message).help("name a field or an element"));
        }
        let (lo, hi) = to.ty.bounds();
        let (mut choices, span) = match right {
            RawRight::Any(span) => (self.between(lo, hi, *span)?, *span),
            RawRight::AnyBetween(lo, hi, span) => {
                let (lo, hi) = (self.constant(lo, &NUMBER), self.constant(hi, &NUMBER));
                if !matches!(to.ty, Type::Int { .. }) {
                    let message = format!("numbers do not fit here: expected {}", to.ty.describe());
                    return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, *span, message));
                }
                (self.between(lo?, hi?, *span)?, *span)
            }
            RawRight::AnyOf(values, span) => {
                let all: Vec<Option<i64>> = values.iter().map(|v| self.constant(v, &to.ty)).collect();
                (all.into_iter().collect::<Option<Vec<i64>>>()?, *span)
            }
            RawRight::Value(_) => (Vec::new(), at),
        };
        choices.sort_unstable();
        choices.dedup();
        if choices.is_empty() {
            return self.fail(Diagnostic::new(&codes::RANGE, span, "there is nothing to choose from"));
        }
        out.push((to, Right::Any(choices)));
        Some(())
    }

    fn between(&mut self, lo: i64, hi: i64, span: Span) -> Option<Vec<i64>> {
        if lo <= hi && hi.abs_diff(lo) < MOST_CHOICES as u64 {
            return Some((lo..=hi).collect());
        }
        let why = if lo > hi { "is empty".to_string() } else { format!("has more than {MOST_CHOICES} values") };
        self.fail(Diagnostic::new(&codes::RANGE, span, format!("the choice from {lo} to {hi} {why}")))
    }

    fn assign_value(&mut self, to: Place, value: &RawValue, out: &mut Vec<(Place, Right)>) -> Option<()> {
        match value {
            RawValue::Expr(ast) => {
                let typed = self.typed(ast, Some(&to.ty))?;
                if !typed.ty.fits(&to.ty) {
                    let message = format!("this is {}, expected {}", typed.ty.describe(), to.ty.describe());
                    return self.fail(Diagnostic::new(&typing::TYPE_MISMATCH, ast.span, message));
                }
                match typed.expr {
                    Expr::Read(from) if !to.ty.is_scalar() => copy(to, from, out),
                    expr => out.push((to, Right::Value(expr))),
                }
                Some(())
            }
            RawValue::Parts(..) => {
                let ty = to.ty.clone();
                let parts = self.parts(value, &ty)?;
                let mut whole = Some(());
                for (i, (value, _)) in parts.into_iter().enumerate() {
                    if let Some(part) = part(&to, i) {
                        whole = whole.and(self.assign_value(part, value, out));
                    }
                }
                whole
            }
        }
    }
}

/// The i-th part of a record or array.
fn part(place: &Place, i: usize) -> Option<Place> {
    let (step, ty) = match &place.ty {
        Type::Record(fields) => (Step::Field(i), fields.get(i)?.1.clone()),
        Type::Array(of, n) if i < *n => (Step::Index(Expr::Int(i as i64)), (**of).clone()),
        _ => return None,
    };
    let mut steps = place.steps.clone();
    steps.push(step);
    Some(Place { var: place.var, steps, ty })
}

/// Assigns a whole record or array, cell by cell.
fn copy(to: Place, from: Place, out: &mut Vec<(Place, Right)>) {
    if to.ty.is_scalar() {
        out.push((to, Right::Value(Expr::Read(from))));
        return;
    }
    let mut i = 0;
    while let (Some(to), Some(from)) = (part(&to, i), part(&from, i)) {
        copy(to, from, out);
        i += 1;
    }
}

/// The value of an expression without variables.
fn fold(expr: &Expr) -> Option<i64> {
    Some(match expr {
        Expr::Bool(b) => i64::from(*b),
        Expr::Int(n) => *n,
        Expr::Read(_) | Expr::Control(_) => return None,
        Expr::Not(a) => 1 - fold(a)?,
        Expr::And(xs) => xs.iter().map(fold).try_fold(1, |all, x| Some(all & x?))?,
        Expr::Or(xs) => xs.iter().map(fold).try_fold(0, |all, x| Some(all | x?))?,
        Expr::Iff(a, b) => i64::from(fold(a)? == fold(b)?),
        Expr::Compare(op, a, b) => i64::from(op.holds(fold(a)?, fold(b)?)),
        Expr::Arith(op, a, b) => op.apply(fold(a)?, fold(b)?),
    })
}

impl Build<'_, '_> {
    pub(super) fn fragments(&mut self) {
        for (node, raw) in std::mem::take(&mut self.declared.fragments) {
            let scope = self.model.nodes[node].block;
            let fragment = Resolver::model(&self.model, scope, self.diags).statements(raw);
            self.model.nodes[node].fragment = fragment.unwrap_or_default();
        }
    }
}
