//! Numbers with fractions, without bounds: they are counted in parts so small that every constant is a whole number of them. Values in between
//! are numbers of parts as well, only not whole ones.

use super::flow::{declared, name};
use super::gather::{Gatherer, Key};
use crate::lang::gsm::{Application, AttrIx, Attribute, Decimal, Expr, ExprKind, Given, ModelProperty, TypeIx, Wide};
use crate::machine::Domain;
use crate::source::codes::{model, typing};
use crate::source::{Diagnostic, Diagnostics, Span};

/// How many parts make 1, so that all that is written is a whole number of them.
pub fn parts(app: &Application, properties: &[ModelProperty], given: &[Given]) -> i64 {
    let mut parts = 1;
    let mut meet = |d: Decimal| parts = parts.max(d.parts());
    let mut all = |e: &Expr| {
        e.walk(&mut |part| {
            if let ExprKind::Decimal(d) = &part.kind {
                meet(*d);
            }
        });
    };
    Gatherer::expressions(app, properties, &mut |e| all(e));
    given.iter().for_each(|g| all(&g.expr));
    let attrs = app.types.iter().flat_map(|t| &t.attrs);
    let wides = attrs.clone().map(|a| a.wide).chain(app.events.iter().flat_map(|e| &e.payload).map(|f| f.wide));
    for wide in wides.flatten() {
        if let Wide::Real { lo, hi, .. } = wide {
            lo.into_iter().chain(hi).for_each(&mut meet);
        }
    }
    let initial = attrs.filter(|a| is_real(a)).filter_map(|a| a.initial.as_deref());
    let assigned = app.constants.iter().filter(|c| is_real_key(app, c.target));
    initial.chain(assigned.map(|c| c.text.text.as_str())).filter_map(read).for_each(&mut meet);
    parts
}

/// Is it a number with fractions?
pub fn is_real(attr: &Attribute) -> bool {
    attr.wide.is_some_and(|w| w.is_real())
}

/// The same of an attribute or a field.
pub fn is_real_key(app: &Application, key: Key) -> bool {
    match key {
        Key::Attr(..) => key.attribute(app).is_some_and(is_real),
        Key::Field(event, at) => {
            let field = app.events.get(event.0).and_then(|e| e.payload.get(at));
            field.and_then(|f| f.wide).is_some_and(|w| w.is_real())
        }
    }
}

/// A constant as it is written.
pub fn read(text: &str) -> Option<Decimal> {
    Decimal::read(super::constants::unquoted(text).trim())
}

/// Gives numbers with fractions that are chosen their whole domains.
pub fn widen(app: &mut Application, chosen: &[Vec<bool>], diags: &mut Diagnostics) {
    let parts = app.parts;
    let is_chosen = |ty: TypeIx, a: AttrIx| chosen.get(ty.0).and_then(|c| c.get(a.0)) == Some(&true);
    for (ty, t) in app.types.iter_mut().enumerate() {
        for (_, attr) in
            t.attrs.iter_mut().enumerate().filter(|(at, a)| is_real(a) && is_chosen(TypeIx(ty), AttrIx(*at)))
        {
            let name = format!("{}.{}", t.id, attr.path);
            if matches!(attr.wide, Some(Wide::Real { open, .. }) if open != (false, false)) {
                let message = format!("'{name}' has an end that is no value of it, so that nothing is next to it");
                let d = Diagnostic::new(&model::BAD_FACET, attr.span, message);
                diags.push(d.help("use minInclusive and maxInclusive"));
            }
            let domain = attr.wide.and_then(|w| w.domain(parts, false));
            let Some(domain) = domain else {
                diags.push(too_long(&name, parts, attr.span));
                continue;
            };
            let (lo, hi) = domain.bounds();
            let initial = attr.initial.as_deref().and_then(read).map(|d| d.in_parts(parts));
            if initial == Some(None) {
                diags.push(too_long(&name, parts, attr.span));
            }
            attr.init = initial.flatten().unwrap_or(0).clamp(lo, hi);
            attr.domain = domain;
        }
    }
}

/// Gives constants that go into numbers with fractions their exact values.
pub fn constants(app: &mut Application, chosen: &[Vec<bool>], diags: &mut Diagnostics) {
    let parts = app.parts;
    for c in app.constants.clone() {
        let is_chosen = match c.target {
            Key::Attr(ty, a) => is_real_key(app, c.target) && chosen.get(ty.0).and_then(|c| c.get(a.0)) == Some(&true),
            Key::Field(..) => matches!(declared(app, c.target), Some(Domain::Real { .. })),
        };
        let Some(domain) = declared(app, c.target).filter(|_| is_chosen) else { continue };
        let ((lo, hi), name) = (domain.bounds(), name(app, c.target).to_string());
        match read(&c.text.text).and_then(|d| d.in_parts(parts)) {
            Some(code) if (lo..=hi).contains(&code) => c.put(app, code),
            Some(_) => {
                let message = format!("{} is outside the range of '{name}'", c.text.text);
                diags.push(Diagnostic::new(&typing::OUT_OF_RANGE, c.text.span, message));
            }
            None => diags.push(too_long(&name, parts, c.text.span)),
        }
    }
}

/// Counted in parts a number would be too large.
pub fn too_long(name: &str, parts: i64, span: Span) -> Diagnostic {
    let message = format!("a number of '{name}' has too many digits: numbers are counted in parts of 1/{parts}");
    Diagnostic::new(&typing::OUT_OF_RANGE, span, message)
}
