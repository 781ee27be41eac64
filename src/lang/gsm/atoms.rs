//! What properties of a GSM application speak of.

use super::resolve::names::artifact_type;
use super::resolve::{Bound, property_atom};
use super::{AUTO_AGENT, Application, Expr, ModelProperty};
use crate::lang::properties::{self, Atoms};
use crate::lang::syntax::{Ast, Name, Text};
use crate::logic::TypeNo;
use crate::source::Diagnostics;

/// Reads properties.
pub fn properties(texts: &[Text], app: &Application, diags: &mut Diagnostics) -> Vec<ModelProperty> {
    properties::read(texts, &mut Resolve { app, bound: Vec::new(), next: 0 }, diags)
}

struct Resolve<'a> {
    app: &'a Application,
    bound: Vec<Bound>,
    /// The next free variable number.
    next: u32,
}

impl Atoms for Resolve<'_> {
    type Atom = Expr;

    fn atom(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<Expr> {
        property_atom(self.app, &self.bound, &mut self.next, ast, diags)
    }

    fn agents(&self) -> Vec<Option<String>> {
        let named = |list: &[super::Agent]| list.iter().map(|a| Some(a.name.clone())).collect();
        let mut all: Vec<Option<String>> = self.app.agents.as_deref().map_or_else(|| vec![None], named);
        all.push(Some(AUTO_AGENT.into()));
        all
    }

    fn about_agents(&self) -> Option<&'static str> {
        self.app.agents.is_none().then_some("there is no agents file, so only AutoAgent can be named")
    }

    fn begin(&mut self) {
        self.bound.clear();
        self.next = 0;
    }

    fn bind(&mut self, var: &Name, ty: &Name, diags: &mut Diagnostics) -> Option<(u32, TypeNo)> {
        let ty = artifact_type(self.app, ty, diags)?;
        self.next += 1;
        self.bound.push(Bound { name: Some(var.text.clone()), var: self.next - 1, ty });
        Some((self.next - 1, TypeNo(ty.0)))
    }

    fn unbind(&mut self) {
        self.bound.pop();
    }
}
