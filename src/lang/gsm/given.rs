//! Predicates that the user gives: `Type: attr == 0`, or `x: A, y: B: x.n < y.m` about several instances.

use super::resolve::{Bound, names, property_atom, window};
use super::{Application, Expr, TypeIx};
use crate::lang::syntax::{Dialect, Name, Text, expression};
use crate::source::codes::options as codes;
use crate::source::{Diagnostic, Diagnostics, Span};

/// A condition on instances.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its variables and their types; one without a number is the instance that bare names are about.
    pub about: Vec<(Option<u32>, TypeIx)>,
    /// The condition.
    pub expr: Expr,
    /// Where it is given.
    pub span: Span,
}

/// Reads the predicates of `gsmc.toml`.
pub fn read(app: &Application, given: &[Name], diags: &mut Diagnostics) -> Vec<Given> {
    given.iter().filter_map(|name| one(app, name, diags)).collect()
}

fn one(app: &Application, name: &Name, diags: &mut Diagnostics) -> Option<Given> {
    // Texts in the condition may hold colons; what comes before it does not.
    let head = name.text.find(['\'', '"']).map_or(name.text.as_str(), |at| &name.text[..at]);
    let Some(colon) = head.rfind(':') else {
        let d =
            Diagnostic::new(&codes::WRONG_VALUE, name.span, format!("'{}' does not say what it is about", name.text));
        diags.push(d.help("write Type: condition, or x: Type, y: Other: condition"));
        return None;
    };
    let start = name.span.start as usize + usize::from(name.quoted) + colon + 1;
    let text = Text::plain(name.span.file, &name.text[colon + 1..], start);
    let ast = match expression(&text, Dialect::Property) {
        Ok(ast) => ast,
        Err(d) => {
            diags.push(d);
            return None;
        }
    };
    let word = |text: &str| Name { text: text.trim().to_string(), span: name.span, quoted: false };
    let about = &name.text[..colon];
    if !about.contains(':') {
        let ty = names::artifact_type(app, &word(about), diags)?;
        let expr = window(app, ty, &ast, &[], diags)?;
        return Some(Given { about: vec![(None, ty)], expr, span: name.span });
    }
    let (mut bound, mut all) = (Vec::new(), Vec::new());
    for part in about.split(',') {
        let (variable, ty) = part.split_once(':').unwrap_or((part, ""));
        let ty = names::artifact_type(app, &word(ty), diags)?;
        let var = bound.len() as u32;
        bound.push(Bound { name: Some(variable.trim().to_string()), var, ty });
        all.push((Some(var), ty));
    }
    let mut next = bound.len() as u32;
    let expr = property_atom(app, &bound, &mut next, &ast, diags)?;
    Some(Given { about: all, expr, span: name.span })
}
