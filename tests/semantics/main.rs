//! What models mean: engines and explanations against literal readings of the semantics, on random and hand-made models.

#[path = "../common/mod.rs"]
mod common;

mod bags;
mod convert;
mod decisions;
mod exact;
mod explain;
mod messages;
mod native;
mod orders;
mod puzzles;
mod reference;
mod references;
