//! The native BDD checker: the reference of all verdicts.

pub mod bdd;
