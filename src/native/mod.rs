//! The native BDD checker: the reference of all verdicts.

pub mod atl;
pub mod bdd;
pub mod bmc;
mod builtin;
pub mod check;
pub mod closure;
pub mod encode;
mod execute;
mod fixpoint;
pub mod gates;
pub mod graph;
pub mod know;
pub mod layout;
pub mod ltl;
mod narrow;
mod never;
pub mod number;
mod order;
pub mod path;
pub mod reach;
pub mod strategy;
pub mod symbolic;
mod vacuity;
pub mod verdict;
pub mod views;
mod weave;
pub mod witness;

#[cfg(test)]
mod tests;
