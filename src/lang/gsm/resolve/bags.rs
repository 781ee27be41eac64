//! Questions about bags: `B.size()`, `B.exists(Age >= 30)`, `B->forAll(r | r.Age >= 30)`.

use super::Resolver;
use super::expr::{Ty, Typed};
use super::names::{self, Found};
use super::paths::{Hit, joined};
use crate::lang::gsm::{AttrIx, BagIx, ExprKind, Subject, TypeIx};
use crate::lang::syntax::{Ast, AstKind, Name};
use crate::source::codes::typing;
use crate::source::{Diagnostic, Span};

/// The element that a condition is about.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Its type and bag.
    pub bag: (TypeIx, BagIx),
    /// What it is called.
    pub name: Option<String>,
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

    /// The fields of an element as they are written.
    pub(super) fn fields_of(&self, (ty, bag): (TypeIx, BagIx)) -> Vec<String> {
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
