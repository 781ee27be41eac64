//! E-GSM: the dialect in which shipments are monitored, as its own engine runs it.
//!
//! Files look like Barcelona XML, but a move is not a B-step: it is propagated from sentry to stage to listener, depth first.
//! [`literal`] does exactly that.

mod acting;
pub mod agents;
pub mod atoms;
mod cards;
mod draw;
pub mod literal;
pub mod lower;
pub mod model;
mod nesting;
pub mod open;
pub mod questions;
mod read;
mod reasons;
mod said;
mod search;
mod sentry;
#[cfg(test)]
mod tests;
mod waits;
mod whole;
pub mod why;

pub use acting::Acting;
pub use model::Model;
pub use read::build;
pub use whole::{Egsm, NESTING, read_properties};

/// The agent that completes tasks; it has nothing to do here.
const AUTO_AGENT: &str = "AutoAgent";
