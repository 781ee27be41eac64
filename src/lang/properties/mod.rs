//! Reader of property files.

mod raw;
mod resolve;
#[cfg(test)]
mod tests;

pub use raw::{RawProperty, read as parse};

use crate::lang::gsm::Application;
use crate::lang::gsm::ModelProperty;
use crate::lang::syntax::Text;
use crate::source::codes::properties as codes;
use crate::source::{Diagnostic, Diagnostics};

/// Reads properties. Positions, and so the names of unnamed properties, count through all texts.
pub fn read(texts: &[Text], app: &Application, diags: &mut Diagnostics) -> Vec<ModelProperty> {
    let mut raw = Vec::new();
    for text in texts {
        let before = raw.len();
        raw::read(text, &mut raw, diags);
        if raw.len() == before && !diags.iter().any(|d| d.span.is_some_and(|s| s.file == text.file())) {
            diags.push(Diagnostic::new(&codes::NO_PROPERTIES, text.span(0, 0), "no property in this file"));
        }
    }
    name_all(&mut raw, diags);
    let mut wrong = 0;
    let mut all = Vec::new();
    for property in raw {
        match resolve::property(property, app, diags) {
            Some(property) => all.push(property),
            None => wrong += 1,
        }
        if wrong >= raw::MOST_ERRORS {
            break;
        }
    }
    all
}

/// Names unnamed properties by position and reports names used twice.
fn name_all(raw: &mut [RawProperty], diags: &mut Diagnostics) {
    let mut seen = std::collections::BTreeSet::new();
    for (i, property) in raw.iter_mut().enumerate() {
        let given = property.name.is_some();
        let name = property.name.get_or_insert_with(|| format!("p{}", i + 1));
        if !seen.insert(name.clone()) {
            let d = Diagnostic::new(
                &codes::DUPLICATE_PROPERTY,
                property.name_span,
                format!("two properties are called '{name}'"),
            );
            diags.push(if given {
                d
            } else {
                d.help("this one has no name and is called by its position: give it a name")
            });
        }
    }
}
