//! The interpreter: runs B-steps on values and searches small machines exhaustively.
//!
//! It is the oracle of every other engine, so it does exactly what [`crate::machine`] says and nothing clever beside it.
//!
//! | part | what it does |
//! |---|---|
//! | [`state`](Layout) | bit-packed snapshots and sets of them |
//! | [`program`](Program) | machine expressions as flat code |
//! | [`step`](Interp) | choices in a snapshot, one B-step |
//! | `order` | does the order of the rules matter in it |
//! | [`exact`] | one step on exact numbers of any size |
//! | `telling` | the values of a wide payload that are worth a try |
//! | `later` | what payload without bounds is compared with after it was sent |
//! | [`search`](Graph) | all reachable snapshots, shortest runs |
//! | [`scout`] | runs to many things at once, without a promise |
//! | [`check`](Explicit) | every logic on the explicit graph |

mod check;
mod compile;
pub mod exact;
mod later;
mod literal;
mod order;
mod program;
pub mod scout;
mod search;
mod state;
mod step;
mod stretch;
mod telling;

pub use crate::answer::Choice;
pub use check::{Explicit, LocalState, NotBuilt, Set};
pub use literal::Literal;
pub use order::Results;
pub use program::{Code, Env, Program};
pub use search::{Edge, GaveUp, Graph, Limits};
pub use state::{Layout, Packed, StateSet};
pub use step::{Interp, Seen, Step, Work};

#[cfg(test)]
pub(crate) mod testkit;
#[cfg(test)]
mod tests;
