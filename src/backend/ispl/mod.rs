//! ISPL for MCMAS.
//!
//! The whole snapshot lives in the Environment, and one joint step is one B-step. In the plain export the Environment also makes the
//! choice (agent, event, slot, payload), and agents only observe: what an agent sees is an Environment variable, the snapshot's own
//! where it sees that always, otherwise a copy masked by the agent's window. In the export for strategies agents own their events:
//! the Environment, as scheduler, picks who moves while every agent proposes a move; only the picked agent's proposal counts, so a
//! proposal made without knowing who is picked is as good as one made after.

mod agents;
mod build;
mod check;
mod condition;
mod diagram;
mod emit;
mod formula;
mod symbolic;
mod view;

pub use check::{check, count_states, groups};
pub use emit::{Ispl, Mode, emit, mode_of};
