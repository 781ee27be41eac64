//! AMBER: business processes as actions and what causes them, in a text form of the graphical language.
//!
//! [`read`] takes the text of a model and gives a [`Model`] with everything looked up and checked: [`parse`] reads lines,
//! [`resolve`] finds what names mean and turns groups into nodes, [`wellformed`] checks the shape of the graph.

pub mod draw;
mod expr;
pub mod lens;
pub mod lower;
pub mod model;
pub mod open;
pub mod parse;
pub mod properties;
pub mod raw;
pub mod resolve;
pub mod types;
pub mod wellformed;
pub mod why;

#[cfg(test)]
mod tests;

pub use lens::Amber;
pub use model::{
    Actor, Arrow, ArrowIx, Block, BlockIx, Cell, Condition, Constant, ConstantValue, Control, Define, Disable, Event,
    EventIx, Expr, Model, Node, NodeIx, NodeKind, Place, Relation, RelationIx, Right, Statement, Step, VarIx, Variable,
};
pub use types::Type;

use crate::lang::syntax::Text;
use crate::source::codes::amber as codes;
use crate::source::{Diagnostic, Diagnostics, FileId, Sources, Span};

/// Reads a model. `None` when something is wrong with it, which is reported; warnings are reported too.
pub fn read(file: FileId, sources: &Sources, diags: &mut Diagnostics) -> Option<Model> {
    let source = sources.file(file)?;
    let before = diags.errors();
    let items = parse::parse(&Text::plain(file, source.text.as_str(), 0), diags);
    let stem = std::path::Path::new(&source.name).file_stem().and_then(|s| s.to_str()).unwrap_or("model");
    let model = resolve::resolve(&items, stem, diags);
    if diags.errors() == before && model.nodes.is_empty() {
        diags.push(Diagnostic::new(&codes::NOTHING, Span::new(file, 0, 0), "the model has no action"));
    }
    // A line that could not be read may hold the very arrow that seems to be missing.
    if diags.errors() == before {
        wellformed::check(&model, diags);
    }
    (diags.errors() == before).then_some(model)
}
