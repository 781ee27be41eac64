//! Questions about bags: `B.size()`, `B.exists(Age >= 30)`, `B->forAll(r | r.Age >= 30)`.

use super::Resolver;
use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::paths::{Hit, joined};
use crate::lang::gsm::{AttrIx, BagIx, Expr, ExprKind, Subject, TypeIx, odd_part};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::machine::CompareOp;
use crate::source::codes::typing;
use crate::source::{Diagnostic, Span};

/// The operations on bags, and whether they take a condition.
pub(super) const OPERATIONS: [(&str, bool); 6] =
    [("size", false), ("isEmpty", false), ("notEmpty", false), ("exists", true), ("forAll", true), ("count", true)];

/// The element that a condition is about.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Its type and bag.
    bag: (TypeIx, BagIx),
    /// What it is called.
    name: Option<String>,
}

impl Resolver<'_> {
    /// The bag that a set is, with its owner; `None` if it is none.
    pub(super) fn bag_of(&mut self, set: &Ast) -> Option<(Subject, TypeIx, BagIx)> {
        let AstKind::Path(steps) = &set.kind else { return None };
        let (first, rest) = steps.split_first()?;
        if let Some((var, ty)) = self.bound_variable(first) {
            return Some((Subject::Bound(var), ty, self.app.types.get(ty.0)?.bag(&joined(rest))?));
        }
        if let Some(ty) = self.own_type() {
            let bare = self.without_prefix(ty, steps);
            return Some((Subject::This, ty, self.app.types.get(ty.0)?.bag(&joined(bare))?));
        }
        // In a property: of some instance, if it is clear of which type.
        let whole = joined(steps);
        let named = match names::find_type(self.app, &first.text) {
            Found::One(ty) if !rest.is_empty() => Some((ty, joined(rest))),
            _ => None,
        };
        let mut having = TypeIx::each(&self.app.types).filter_map(|(ty, t)| Some((ty, t.bag(&whole)?)));
        let (ty, bag) = match named {
            Some((ty, path)) => (ty, self.app.types.get(ty.0)?.bag(&path)?),
            None => having.next().filter(|_| having.next().is_none())?,
        };
        Some((Subject::Bound(self.free_variable(ty)), ty, bag))
    }

    /// The operator of a question about a set, if it is one of a list and has a condition where it takes one.
    pub(super) fn operation(
        &mut self,
        list: &[(&'static str, bool)],
        arrow: &str,
        op: &Name,
        body: Option<&Ast>,
        span: Span,
    ) -> Option<&'static str> {
        let Some((name, wants_body)) = list.iter().find(|(n, _)| *n == op.text) else {
            let message = format!("unknown operator '{arrow}{}'", op.text);
            let d = Diagnostic::new(&typing::UNKNOWN_OPERATOR, op.span, message);
            self.report(d.nearest(&op.text, list.iter().map(|(n, _)| *n)));
            return None;
        };
        if *wants_body != body.is_some() {
            let (wanted, form) = match wants_body {
                true => ("takes a condition", format!("{arrow}{name}(x | x.Paid)")),
                false => ("takes no arguments", format!("{arrow}{name}()")),
            };
            let d = Diagnostic::new(&typing::ARGUMENTS, span, format!("'{arrow}{name}' {wanted}"));
            self.report(d.help(format!("write it as in {form}")));
            return None;
        }
        Some(name)
    }

    /// A question about a bag. `Some(None)`: it was one, and wrong.
    pub(super) fn about_bag(
        &mut self,
        set: &Ast,
        op: &Name,
        var: Option<&Name>,
        body: Option<&Ast>,
        span: Span,
    ) -> Option<Option<Typed>> {
        let (of, ty, bag) = self.bag_of(set)?;
        Some(self.bag_question((of, ty, bag), op, var, body, span))
    }

    fn bag_question(
        &mut self,
        (of, ty, bag): (Subject, TypeIx, BagIx),
        op: &Name,
        var: Option<&Name>,
        body: Option<&Ast>,
        span: Span,
    ) -> Option<Typed> {
        let name = self.operation(&OPERATIONS, "", op, body, span)?;
        let condition = match body {
            Some(body) => Some(self.of_elements((ty, bag), var, body)?),
            None => None,
        };
        let not = |e: Expr| Expr { span: e.span, kind: ExprKind::Not(Box::new(e)) };
        let which = if name == "forAll" { condition.map(not) } else { condition };
        let tally = Expr { kind: ExprKind::Tally { of, ty, bag, which: which.map(Box::new) }, span };
        let compared = |op: CompareOp, n: i64| {
            let number = Box::new(Expr { kind: ExprKind::Int(n), span });
            ExprKind::Compare(op, Box::new(tally.clone()), number)
        };
        let kind = match name {
            "size" | "count" => return Some(Typed { expr: tally, ty: Ty::Int }),
            "exists" | "notEmpty" => compared(CompareOp::Ge, 1),
            _ => compared(CompareOp::Eq, 0),
        };
        Some(Typed::new(kind, span, Ty::Bool))
    }

    /// A condition on the elements of a bag.
    fn of_elements(&mut self, bag: (TypeIx, BagIx), var: Option<&Name>, body: &Ast) -> Option<Expr> {
        let element = Element { bag, name: var.map(|v| v.text.clone()) };
        let outer = self.element.replace(element);
        let condition = self.boolean(body);
        self.element = outer;
        let condition = condition?;
        let Some(odd) = odd_part(&condition, &[]) else { return Some(condition) };
        let message = "only comparisons of a field of the element with a constant can stand here";
        let d = Diagnostic::new(&typing::NOT_HERE, odd.span, message);
        let field = self.fields_of(bag).into_iter().next().unwrap_or_default();
        self.report(d.help(format!("such as {field} == 'text' or {field} >= 3, joined with &&, || and !")));
        None
    }

    /// The fields of an element as they are written.
    fn fields_of(&self, (ty, bag): (TypeIx, BagIx)) -> Vec<String> {
        let t = &self.app.types[ty];
        let path = &t.bags[bag].path;
        let field = |a: &AttrIx| {
            let full = &t.attrs[*a].path;
            full.strip_prefix(path.as_str()).and_then(|f| f.strip_prefix('.')).unwrap_or("self").to_string()
        };
        t.bags[bag].fields.iter().map(field).collect()
    }

    /// A name inside a condition on elements: a field, bare or behind `self` or the element's own name.
    pub(super) fn element_path(&mut self, steps: &[Name], span: Span) -> Option<Hit> {
        let element = self.element.clone()?;
        let (ty, bag) = element.bag;
        let own = |n: &Name| n.text == "self" || element.name.as_deref() == Some(n.text.as_str());
        let names = self.fields_of(element.bag);
        let wanted = match steps {
            [only] if own(only) => "self".to_string(),
            [first, rest @ ..] if own(first) => joined(rest),
            _ => joined(steps),
        };
        let at = names.iter().position(|n| *n == wanted);
        let Some(attr) = at.and_then(|at| self.app.types[ty].bags[bag].fields.get(at).copied()) else {
            if steps.len() == 1 && !own(&steps[0]) && self.quiet {
                return Some(Hit::Nothing);
            }
            let message = format!("elements of '{}' have no field '{wanted}'", self.app.types[ty].bags[bag].path);
            let d = Diagnostic::new(&typing::UNKNOWN_NAME, span, message);
            self.report(d.nearest(&wanted, names.iter().map(String::as_str)));
            return Some(Hit::Wrong);
        };
        let kind = ExprKind::Attr { of: Subject::Element, ty, attr };
        Some(Hit::Value(Typed::new(kind, span, Ty::of(self.app.types[ty].attrs[attr].kind))))
    }
}
