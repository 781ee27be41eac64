//! CMMN: case models as Flowable and Camunda users have them.
//!
//! [`read`] turns a file into a [`Case`](model::Case): items, criteria, conditions, data and instances, with everything
//! doubtful reported. CMMN has no single semantics, so a [`Profile`](model::Profile) chooses.

mod atoms;
pub mod condition;
mod draw;
mod excludes;
mod happened;
mod lens;
pub mod lower;
pub mod model;
pub mod open;
mod parts;
pub mod read;
mod terms;
mod why;

pub use atoms::properties;
pub use lens::Cmmn;

#[cfg(test)]
mod tests;
