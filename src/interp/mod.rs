//! The interpreter: runs B-steps on values, explains them, and searches small machines exhaustively.
//!
//! It is the oracle of every other engine, so it does exactly what [`crate::machine`] says and nothing clever beside it.
//!
//! | part | what it does |
//! |---|---|
//! | [`state`](Layout) | bit-packed snapshots and sets of them |
//! | [`program`](Program) | machine expressions as flat code |
//! | [`step`](Interp) | choices in a snapshot, one B-step |

mod program;
mod state;
mod step;

pub use program::{Code, Env, Program};
pub use state::{Layout, Snapshot, StateSet};
pub use step::{Choice, Interp, Seen, Step, Work};

#[cfg(test)]
mod tests;
