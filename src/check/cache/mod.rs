//! Answers kept in a folder, so that a question that was asked before is not asked again.
//!
//! The name of an entry is the digest of everything that the answer depends on (see [`digest`]), gsmc's own build included. An
//! entry is never believed for its own sake: it must parse, have its checksum, and its trace must certify on the machine
//! of today. What does not is as good as absent. Entries are written aside and renamed, so two gsmcs can share a folder.

pub mod digest;
mod recall;
mod store;

pub use recall::{Memory, run};
pub use store::{Cache, CacheTrouble, Entry};
