//! The model as GSM people speak of it: artifact types, stages, guards, milestones, sentries, events, roles, agents.
//!
//! Everything here is resolved and typed: names have become indices, domains are known. The readers in [`crate::front`]
//! build it; [`crate::machine`] lowers it.

mod agents;
mod expr;
mod model;
mod order;
mod rules;

pub use agents::*;
pub use expr::*;
pub use model::*;
pub use order::*;
pub use rules::*;
