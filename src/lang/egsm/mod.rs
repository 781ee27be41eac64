//! E-GSM: the dialect in which shipments are monitored, as its own engine runs it.
//!
//! Files look like Barcelona XML, but a move is not a B-step: it is propagated from sentry to stage to listener, depth first.
//! [`literal`] does exactly that.

pub mod literal;
pub mod lower;
pub mod model;
mod read;
mod sentry;
#[cfg(test)]
mod tests;

pub use model::Model;
pub use read::build;
