//! The native checker: the machine encoded as binary decision diagrams.

pub mod bdd;
