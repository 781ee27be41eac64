//! Constants, types, variables, defines, and what actors see.

use super::order::{order, plain_names};
use super::{Build, Resolver};
use crate::lang::amber::model::{Cell, Constant, Define, Variable};
use crate::lang::amber::raw::{RawType, RawValue};
use crate::lang::amber::types::{MOST_CELLS, MOST_ELEMENTS, Type};
use crate::lang::syntax::{Ast, Name};
use crate::machine::code;
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Span};
use std::collections::BTreeMap;

/// Most values of a range.
const MOST_VALUES: u64 = 1 << 31;

impl<'a> Build<'a, '_> {
    pub(super) fn data(&mut self) {
        self.constants();
        let types = self.types();
        self.variables(&types);
        self.defines();
        self.views();
    }

    fn circular(&mut self, name: &Name) {
        let message = format!("'{}' is defined by itself", name.text);
        self.report(Diagnostic::new(&codes::CIRCULAR, name.span, message));
    }

    fn constants(&mut self) {
        let list = std::mem::take(&mut self.declared.consts);
        let at = |name: &str| list.iter().position(|(n, _)| n.text == name);
        let uses = |i: usize| plain_names(list[i].1).into_iter().filter_map(at).collect();
        let (sorted, circular) = order(list.len(), &uses);
        circular.iter().for_each(|&i| self.circular(list[i].0));
        for i in sorted.into_iter().filter(|i| !circular.contains(i)) {
            let (name, ast) = list[i];
            let mut resolver = Resolver::model(&self.model, 0, self.diags);
            if let Some(value) = resolver.constant_of_any_type(ast) {
                self.model.constants.push(Constant { name: name.text.clone(), value });
            }
        }
    }

    fn types(&mut self) -> BTreeMap<String, Type> {
        let list = std::mem::take(&mut self.declared.types);
        let mut seen = std::collections::BTreeSet::new();
        for (name, _) in &list {
            if !seen.insert(name.text.as_str()) {
                let message = format!("two types are called '{}'", name.text);
                self.report(Diagnostic::new(&codes::DUPLICATE, name.span, message).help("give one another name"));
            }
        }
        let at = |name: &str| list.iter().position(|(n, _)| n.text == name);
        let uses = |i: usize| named(list[i].1).into_iter().filter_map(at).collect();
        let (sorted, circular) = order(list.len(), &uses);
        circular.iter().for_each(|&i| self.circular(list[i].0));
        let mut types = BTreeMap::new();
        for i in sorted {
            let (name, raw) = list[i];
            // One that does not resolve has been told about; whatever uses it is then no second mistake.
            let ty = self.ty(raw, &types).unwrap_or(Type::Bool);
            types.insert(name.text.clone(), ty);
        }
        types
    }

    fn constant_number(&mut self, ast: &Ast) -> Option<i64> {
        Resolver::model(&self.model, 0, self.diags).constant(ast, &Type::Int { lo: 0, hi: 0 })
    }

    fn ty(&mut self, raw: &RawType, types: &BTreeMap<String, Type>) -> Option<Type> {
        match raw {
            RawType::Bool => Some(Type::Bool),
            RawType::Byte => Some(Type::Int { lo: 0, hi: 255 }),
            RawType::Int(span) => {
                let d = Diagnostic::new(&codes::INFINITE, *span, "an int has infinitely many values");
                self.report(d.label("expected a range").help("write the values that can occur: 0..100"));
                None
            }
            RawType::Range(lo, hi) => {
                let (l, h) = (self.constant_number(lo), self.constant_number(hi));
                let (l, h) = (l?, h?);
                let why = match (l <= h, h.abs_diff(l) < MOST_VALUES, code::is_plain(l)) {
                    (true, true, true) => return Some(Type::Int { lo: l, hi: h }),
                    (false, ..) => "is empty",
                    (_, false, _) => "has more than 2^31 values",
                    _ => "begins below -2^62",
                };
                self.report(Diagnostic::new(&codes::RANGE, lo.span.to(hi.span), format!("the range {l}..{h} {why}")));
                None
            }
            RawType::Values(names) => self.values(names),
            RawType::Record(fields) => {
                let mut all: Vec<(String, Type)> = Vec::new();
                for (name, raw) in fields {
                    if all.iter().any(|(n, _)| *n == name.text) {
                        let message = format!("the record has two fields '{}'", name.text);
                        self.report(Diagnostic::new(&codes::DUPLICATE, name.span, message));
                    }
                    all.push((name.text.clone(), self.ty(raw, types)?));
                }
                Some(Type::Record(all))
            }
            RawType::Array(of, size) => {
                let element = self.ty(of, types);
                let n = self.constant_number(size)?;
                if !(1..=MOST_ELEMENTS).contains(&n) {
                    let message = format!("an array cannot have {n} elements");
                    let d = Diagnostic::new(&codes::RANGE, size.span, message);
                    self.report(d.label(format!("expected 1 to {MOST_ELEMENTS}")));
                    return None;
                }
                let ty = Type::Array(Box::new(element?), n as usize);
                self.small_enough(&ty, size.span).then_some(ty)
            }
            RawType::Named(name) => {
                let found = types.get(&name.text).cloned();
                if found.is_none() {
                    let known = types.keys().map(String::as_str).chain(["bool", "byte", "record"]);
                    let d = Diagnostic::new(&codes::UNKNOWN_TYPE, name.span, format!("no type '{}'", name.text));
                    let d = d.help(format!("declare it: type {} = {{a, b}}", name.text)).nearest(&name.text, known);
                    self.report(d);
                }
                found
            }
        }
    }

    fn small_enough(&mut self, ty: &Type, span: Span) -> bool {
        let fits = self.model.cells.len().saturating_add(ty.cells()) <= MOST_CELLS;
        if !fits {
            let message = format!("more than {MOST_CELLS} cells of data");
            self.report(Diagnostic::new(&codes::RANGE, span, message));
        }
        fits
    }

    fn values(&mut self, names: &[Name]) -> Option<Type> {
        let mut all: Vec<String> = Vec::new();
        for name in names {
            if all.contains(&name.text) {
                let message = format!("the value '{}' is listed twice", name.text);
                self.report(Diagnostic::new(&codes::DUPLICATE, name.span, message));
                return None;
            }
            all.push(name.text.clone());
        }
        Some(Type::Enum(all))
    }

    fn variables(&mut self, types: &BTreeMap<String, Type>) {
        for (block, name, raw, init) in std::mem::take(&mut self.declared.vars) {
            let Some(ty) = self.ty(raw, types) else { continue };
            if !self.small_enough(&ty, name.span) {
                continue;
            }
            let leaves = ty.leaves();
            let mut values: Vec<i64> = leaves.iter().map(|(_, _, t)| t.default_code()).collect();
            if let Some(init) = init {
                let mut given = Vec::new();
                if self.initial(init, &ty, &mut given).is_some() && given.len() == values.len() {
                    values = given;
                }
            }
            let path = self.path_of(block, &name.text);
            let var = self.model.vars.len();
            let first = self.model.cells.len();
            let cells = leaves.into_iter().zip(values).map(|((suffix, unit, ty), init)| Cell {
                name: format!("{path}{suffix}"),
                unit: format!("{path}{unit}"),
                var,
                ty,
                init,
            });
            self.model.cells.extend(cells.collect::<Vec<_>>());
            let span = name.span;
            self.model.vars.push(Variable { path, name: name.text.clone(), block, ty, first, span });
        }
    }

    /// The codes of an initial value, cell by cell.
    fn initial(&mut self, value: &RawValue, ty: &Type, out: &mut Vec<i64>) -> Option<()> {
        match value {
            RawValue::Expr(ast) if ty.is_scalar() => {
                let code = Resolver::model(&self.model, 0, self.diags).constant(ast, ty)?;
                let (lo, hi) = ty.bounds();
                if !(lo..=hi).contains(&code) {
                    let message = format!("{code} is outside {lo}..{hi}");
                    self.report(Diagnostic::new(&codes::RANGE, ast.span, message));
                    return None;
                }
                out.push(code);
                Some(())
            }
            _ => {
                let parts = Resolver::model(&self.model, 0, self.diags).parts(value, ty)?;
                let mut whole = Some(());
                for (value, ty) in parts {
                    whole = whole.and(self.initial(value, ty, out));
                }
                whole
            }
        }
    }

    fn defines(&mut self) {
        let list = std::mem::take(&mut self.declared.defines);
        let at = |name: &str| list.iter().position(|(n, _)| n.text == name);
        let uses = |i: usize| plain_names(list[i].1).into_iter().filter_map(at).collect();
        let (sorted, circular) = order(list.len(), &uses);
        circular.iter().for_each(|&i| self.circular(list[i].0));
        for i in sorted.into_iter().filter(|i| !circular.contains(i)) {
            let (name, ast) = list[i];
            if let Some(expr) = Resolver::model(&self.model, 0, self.diags).condition(ast) {
                self.model.defines.push(Define { name: name.text.clone(), expr });
            }
        }
    }

    /// What actors see: variables, or fields of them (of all elements).
    fn views(&mut self) {
        for (actor, path) in std::mem::take(&mut self.declared.sees) {
            let names: Vec<&str> = path.names.iter().map(|n| n.text.as_str()).collect();
            let cells = self.model.variable(0, &names).and_then(|(var, taken)| {
                let mut unit = self.model.vars[var].path.clone();
                names[taken..].iter().for_each(|n| unit = format!("{unit}.{n}"));
                let within =
                    |u: &str| u.strip_prefix(&unit).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
                let of = self.model.cells.iter().enumerate().filter(|(_, c)| c.var == var && within(&c.unit));
                Some(of.map(|(i, _)| i).collect::<Vec<usize>>()).filter(|c| !c.is_empty())
            });
            match cells {
                Some(cells) => {
                    let sees = &mut self.model.actors[actor].sees;
                    sees.extend(cells);
                    sees.sort_unstable();
                    sees.dedup();
                }
                None => {
                    let mut known: Vec<&str> = self.model.cells.iter().map(|c| c.unit.as_str()).collect();
                    known.extend(self.model.vars.iter().map(|v| v.path.as_str()));
                    let text = path.text();
                    let d = Diagnostic::new(&codes::UNKNOWN_NAME, path.span, format!("no variable or field '{text}'"));
                    let d = d
                        .help("an actor sees variables, or fields of them: actor A sees file.status")
                        .nearest(&text, known);
                    self.report(d);
                }
            }
        }
    }
}

/// Names of types in a type.
fn named(raw: &RawType) -> Vec<&str> {
    match raw {
        RawType::Named(name) => vec![name.text.as_str()],
        RawType::Array(of, _) => named(of),
        RawType::Record(fields) => fields.iter().flat_map(|(_, t)| named(t)).collect(),
        _ => vec![],
    }
}
