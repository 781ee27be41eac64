//! The model as GSM people speak of it: artifact types, stages, guards, milestones, sentries, events, roles, agents.
//!
//! Everything here is resolved and typed: names have become indices, domains are known. The readers in [`crate::lang::gsm`]
//! build it; [`crate::machine`] lowers it.

mod agents;
mod application;
mod bag;
mod constant;
mod cycle;
mod decimal;
mod expr;
mod graph;
mod index;
mod message;
mod order;
mod reads;
mod receivers;
mod rules;
mod settled;
mod slice;
#[cfg(test)]
mod testing;
mod wide;

pub use crate::lang::config::{Creation, Events, Options};
pub use agents::*;
pub use application::*;
pub use bag::*;
pub use constant::{Constant, Wholly, wholly};
pub use cycle::*;
pub use decimal::Decimal;
pub use expr::*;
pub use index::*;
pub use message::Message;
pub use order::*;
pub use reads::*;
pub use rules::*;
pub use settled::settled;
pub use slice::{can_fire, can_hold_without_event};
pub use wide::Wide;
