//! Data without bounds: which attributes are abstracted, and the application with their whole domains.

use super::gather::Key;
use super::texts;
pub use crate::lang::config::Abstracted;
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::resolve::names;
use crate::lang::gsm::{Application, AttrIx, DataKind, ModelProperty};
use crate::source::codes::typing;
use crate::source::{Diagnostic, Diagnostics};

/// The application with the whole domains of what is abstracted, and per type and attribute whether it is.
pub fn abstracted(
    app: &Application,
    which: &Abstracted,
    properties: &[ModelProperty],
    diags: &mut Diagnostics,
) -> (Application, Vec<Vec<bool>>) {
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
    let mut words = texts::Texts::new();
    match which {
        Abstracted::Auto => words = texts::compared(app, properties),
        Abstracted::All => {
            let all = TypeIx::each(&app.types).flat_map(|(ty, t)| AttrIx::all(&t.attrs).map(move |a| Key::Attr(ty, a)));
            words.extend(all.filter(|k| texts::is_text(app, *k)));
        }
        Abstracted::Named(_) => {}
    }
    if let Abstracted::Named(list) = which {
        for name in list {
            if let Some((ty, bag)) = names::typed_bag(app, &name.text) {
                app.types[ty].bags[bag].regions.iter().for_each(|r| chosen[ty.0][r.counter.0] = true);
                continue;
            }
            let Some((ty, attr)) = names::typed_attribute(app, name, diags) else { continue };
            if texts::is_text(app, Key::Attr(ty, attr)) {
                words.insert(Key::Attr(ty, attr));
            } else if app.types[ty].attrs[attr].wide.is_none() {
                let message = format!("'{}' is not a whole number or a text, so it is not abstracted", name.text);
                let d = Diagnostic::new(&typing::TYPE_MISMATCH, name.span, message);
                diags.push(d.help("remove it, or name an attribute that is a whole number or a text"));
            } else {
                chosen[ty.0][attr.0] = true;
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
    let words = texts::closed(&app, words);
    texts::widen(&mut app, &words, properties);
    for key in &words {
        if let Key::Attr(ty, attr) = key {
            chosen[ty.0][attr.0] = true;
        }
    }
    (app, chosen)
}
