//! From one way of writing a model to the other: a resolved model as a `.gsm` file, or as Barcelona XML with its schemas.
//!
//! Both sides lower to the same machine. What a side cannot say is listed, never dropped without a word.

mod data;
mod expr;
pub(super) mod names;
mod notation;
mod open;
mod tasks;
mod toml;
mod xml;
mod xsd;

pub use notation::write as to_notation;
pub use open::{Whole, open};
pub use toml::Block;
pub use xml::write as to_barcelona;
