//! What engines answer, in one shape for all of them.
//!
//! An engine has a name, gives a [`Verdict`] and may hand over a [`RawRun`]: what it chose, in the machine's terms. Replayed and
//! certified, that becomes the [`Trace`] that people and programs see. Every answer is a [`PropertyResult`]; [`Results`] puts them
//! side by side.

mod coverage;
mod engine;
pub mod glossary;
mod never;
mod result;
mod results;
mod run;
mod scope;
mod share;
mod trace;

pub use coverage::Coverage;
pub use engine::Engine;
pub use never::{Blocked, Fact, Never, Obstacle, Writer};
pub use result::{Abstracted, Cause, PropertyResult, StrategyMove, Verdict};
pub use results::{
    Absent, AbstractPredicate, AbstractionNumbers, Compared, Disagreement, MachineNumbers, Results, SCHEMA,
    by_property, disagreements,
};
pub use run::{Choice, RawRun, RawStep, SideRun};
pub use scope::{By, Extent, Scope, Why};
pub use share::{EVERY, Mismatch, Share, Taken, merge};
pub use trace::{Kind, Reason, Side, Trace, TraceStep, Values, exact_json, from_json, to_json};
