//! Unbounded data: predicates instead of values, two-sided steps, three-valued truth.
//!
//! A [`System`] is a machine some of whose variables are abstracted. [`Predicates`] take their place. Everything that can happen in an
//! abstract snapshot is found by executing the machine's own steps on sums of unknowns (`paths`) and asking a solver which truth
//! values can come out (`question`): for every concrete snapshot behind the abstract one, a set of outcomes. The union of these sets
//! is what may happen, and an outcome set that every concrete snapshot has is what must.
//!
//! The rules, and why they are sound, are in `docs/engines/abstraction.md`.

mod ahead;
mod buffers;
mod check;
mod claim;
mod concrete;
mod decide;
mod diagram;
mod doubt;
mod eliminate;
mod env;
mod graph;
mod ground;
mod know;
pub mod linear;
mod ltl;
mod machine;
mod paths;
mod predicate;
mod question;
mod refine;
mod run;
mod scout;
mod sides;
mod system;
#[cfg(test)]
mod tests;
mod truth;
mod view;
mod way;
mod words;
mod written;

use crate::interp::exact;

pub use check::{Checker, Refused};
pub use claim::Claim;
pub use concrete::initial;
pub use decide::{Decision, Options, Outcome, decide};
pub use doubt::{Doubt, Open};
pub use env::Snapshot;
pub use exact::holds as holds_exactly;
pub use graph::{Graph, Idling, Move, Stopped};
pub use linear::{Atom, Leaf};
pub use predicate::{Origin, Predicate, Predicates};
pub use question::Asker;
pub use run::{Run, RunStep};
pub use sides::Sides;
pub use system::{Pin, System, Texts, Wide};
pub use truth::Truth;
pub use words::{condition, name, sharing};
pub use written::written;
