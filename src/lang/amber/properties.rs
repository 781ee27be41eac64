//! Properties of AMBER models: what their atoms mean, and the ones that every model should have.

use super::model::{Condition, Control, Expr, Model, NodeKind};
use super::resolve::Resolver;
use crate::lang::properties::Atoms;
use crate::lang::syntax::{Ast, Name};
use crate::logic::{Connected, Formula, Property, TypeNo};
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Diagnostics};

/// Reads atoms of properties.
pub struct AmberAtoms<'m> {
    /// The model they are about.
    pub model: &'m Model,
}

impl Atoms for AmberAtoms<'_> {
    type Atom = Expr;

    fn atom(&mut self, ast: &Ast, diags: &mut Diagnostics) -> Option<Expr> {
        Resolver::property(self.model, diags).condition(ast)
    }

    fn agents(&self) -> Vec<Option<String>> {
        let mut all: Vec<Option<String>> = self.model.actors.iter().map(|a| Some(a.name.clone())).collect();
        if self.model.has_nameless_agent() {
            all.push(None);
        }
        all
    }

    fn about_agents(&self) -> Option<&'static str> {
        let none = self.model.actors.is_empty();
        none.then_some("the model declares no actors: write actor A, and block X by A for what A performs")
    }

    fn bind(&mut self, var: &Name, _ty: &Name, diags: &mut Diagnostics) -> Option<(u32, TypeNo)> {
        let d = Diagnostic::new(&codes::NO_QUANTIFIER, var.span, "an AMBER model has no instances to quantify over");
        diags.push(d.help("name the elements one by one: file[0].status == Idle"));
        None
    }
}

/// The standard properties of a model; all are expected to hold.
pub fn builtin(model: &Model) -> Vec<Property<Expr>> {
    let mut list = Vec::new();
    let control = |c: Control| Formula::Atom(Expr::Control(c));
    for (n, node) in model.nodes.iter().enumerate() {
        if node.kind.happens() || node.kind == NodeKind::Exit {
            let happens = Formula::ef(control(Control::Executed(n)));
            list.push(Property::new(format!("happens({})", node.path), happens, node.span));
        }
    }
    for (n, node) in model.nodes.iter().enumerate() {
        let mut ways = model.outgoing(n).map(|a| &model.arrows[a].condition);
        if node.kind == NodeKind::OrSplit && ways.all(|c| matches!(c, Some(Condition::Holds(..)))) {
            let open = Formula::ag(control(Control::Blocked(n)).not());
            list.push(Property::new(format!("finds-a-way({})", node.path), open, node.span));
        }
    }
    let Some(span) = model.blocks.first().map(|b| b.span) else { return list };
    list.push(Property::new("no-deadlock", Formula::ag(control(Control::Stuck).not()), span));
    list.push(Property::new("can-end", Formula::ag(Formula::ef(control(Control::Ended))), span));
    list.push(Property::new("no-overflow", Formula::ag(control(Control::Overflow).not()), span));
    list
}
