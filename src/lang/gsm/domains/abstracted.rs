//! Data without bounds: which attributes are abstracted, and the application with their whole domains.

pub use crate::lang::config::Abstracted;
use crate::lang::gsm::resolve::names;
use crate::lang::gsm::{Application, DataKind};
use crate::source::codes::typing;
use crate::source::{Diagnostic, Diagnostics};

/// The application with the whole domains of what is abstracted, and per type and attribute whether it is.
pub fn abstracted(app: &Application, which: &Abstracted, diags: &mut Diagnostics) -> (Application, Vec<Vec<bool>>) {
    let mut chosen: Vec<Vec<bool>> = app
        .types
        .iter()
        .map(|t| {
            let is = |a: &crate::lang::gsm::Attribute| match which {
                Abstracted::Auto => !a.ranged,
                Abstracted::All => true,
                Abstracted::Named(_) => false,
            };
            t.attrs.iter().map(|a| a.wide.is_some() && is(a)).collect()
        })
        .collect();
    if let Abstracted::Named(list) = which {
        for name in list {
            if let Some((ty, bag)) = names::typed_bag(app, &name.text) {
                app.types[ty].bags[bag].regions.iter().for_each(|r| chosen[ty][r.counter.0] = true);
                continue;
            }
            let Some((ty, attr)) = names::typed_attribute(app, name, diags) else { continue };
            if app.types[ty].attrs[attr].wide.is_none() {
                let message = format!("'{}' is not a whole number, so it is not abstracted", name.text);
                let d = Diagnostic::new(&typing::TYPE_MISMATCH, name.span, message);
                diags.push(d.help("remove it, or name an attribute that is a whole number"));
            } else {
                chosen[ty][attr.0] = true;
            }
        }
    }
    // What elements of a bag have in a field is not kept, so that it needs no bounds.
    for (t, chosen) in app.types.iter().zip(&mut chosen) {
        t.bags.iter().flat_map(|b| &b.fields).for_each(|f| chosen[f.0] = t.attrs[*f].wide.is_some());
    }
    let mut app = app.clone();
    for (t, chosen) in app.types.iter_mut().zip(&chosen) {
        for (attr, _) in t.attrs.iter_mut().zip(chosen).filter(|(_, c)| **c) {
            if let Some(wide) = &attr.wide {
                attr.domain = wide.clone();
            }
        }
    }
    for field in app.events.iter_mut().flat_map(|e| &mut e.payload).filter(|f| f.kind == DataKind::Integer) {
        if let Some(wide) = &field.wide {
            field.domain = wide.clone();
        }
    }
    (app, chosen)
}
