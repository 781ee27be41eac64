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
mod model;
pub mod path;
mod raw;
mod reason;
mod replay;
pub mod show;
#[cfg(test)]
mod tests;
pub mod text;

pub use certify::certify;
pub use model::{Kind, Reason, Side, Trace, TraceStep, Values, from_json, to_json};
pub use raw::{RawRun, RawStep, SideRun};
pub use replay::{
    NotCertified, Replayed, describe, differences, name_choice, name_snapshot, plain, replay, rule_labels,
};
