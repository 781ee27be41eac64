//! Languages: text in, resolved model out, all errors reported; and what languages share.
//!
//! A language is one folder here: its readers, its model, well-formedness, lowering to the [`crate::machine`], its words.

pub mod amber;
pub mod cards;
pub mod cases;
pub mod cmmn;
pub mod config;
pub mod counted;
pub mod egsm;
pub mod files;
pub mod fmt;
pub mod gsm;
pub mod lens;
pub mod load;
pub mod page;
pub(crate) mod plain;
pub mod project;
pub mod properties;
pub mod standard;
pub mod summary;
pub mod syntax;
pub mod terms;
#[cfg(test)]
mod testing;
pub mod unbounded;
pub mod xml;

pub use lens::{Lens, Slices};
