//! Runs in GSM names, replayed and certified.
//!
//! An engine that decides a property hands over a [`RawRun`]: what it chose, in the machine's terms. [`certify`] replays it on the
//! interpreter, step by step, asks whether the run really shows what is claimed, and gives the [`Trace`] that people and
//! programs see.

mod certify;
mod claim;
pub mod dot;
pub mod file;
pub mod itf;
pub mod look;
mod order;
pub mod path;
mod reason;
mod replay;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;

pub use crate::answer::{
    Kind, RawRun, RawStep, Reason, Side, SideRun, Trace, TraceStep, Values, exact_json, from_json, to_json,
};
pub use certify::certify;
pub use order::OrderDependence;
pub use reason::Seen;
pub use replay::{
    NotCertified, Replayed, describe, differences, name_choice, name_snapshot, plain, replay, rule_labels,
};
