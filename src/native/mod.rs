//! The native BDD checker: the reference of all verdicts.

pub mod atl;
pub mod automaton;
pub mod bdd;
pub mod check;
pub mod encode;
pub mod graph;
pub mod know;
pub mod layout;
pub mod ltl;
pub mod number;
pub mod reach;
pub mod symbolic;

#[cfg(test)]
mod tests;
