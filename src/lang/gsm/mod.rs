//! GSM: Barcelona XML and XSD, agents files, the resolved [`model`], and its lowering to the machine.

pub mod agents;
pub mod domains;
mod lower;
pub mod model;
pub mod resolve;
pub mod xml;
pub mod xsd;

pub use lower::{Relevant, lower};
pub use model::*;
