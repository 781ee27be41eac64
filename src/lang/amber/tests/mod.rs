//! Readers on texts; the semantics executed literally on the cases.

mod literal;
mod machine;
mod mutations;
mod reader;
mod why;

use super::{Model, read};
use crate::source::{Diagnostics, Sources, render_all};

/// The model of a text, or what is wrong with it as people see it.
fn model(text: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    let file = sources.add("model.amber", text);
    let mut diags = Diagnostics::new();
    read(file, &sources, &mut diags).ok_or_else(|| render_all(&diags, &sources, false))
}

/// A file of the cases under `tests/amber`.
fn case(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/amber").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
