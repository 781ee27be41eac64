//! GSM: Barcelona XML and XSD, gsmc's own notation, agents files, the resolved [`model`], and its lowering to the machine.

pub mod agents;
mod atoms;
mod cases;
pub mod convert;
mod counted;
pub mod domains;
pub mod draw;
mod explain;
pub mod given;
mod guessed;
pub mod load;
mod lower;
mod map;
pub mod model;
pub mod notation;
mod page;
pub mod resolve;
mod standard;
pub mod summary;
mod terms;
mod unbounded;
mod whole;
pub mod xml;
pub mod xsd;

pub use atoms::properties;
pub use given::Given;
pub use lower::{Conditions, Lowered, Relevant, lower, lowered, lowered_unbounded};
pub use map::{Buffer, Instance, Map, Observer, VarRole};
pub use model::*;
pub use standard::{builtin, top_milestones};
pub use whole::Gsm;

/// A property of the model.
pub type ModelProperty = crate::logic::Property<Expr>;
