//! The native BDD checker: the reference of all verdicts.

pub mod bdd;
pub mod encode;
pub mod layout;
pub mod number;
pub mod symbolic;
