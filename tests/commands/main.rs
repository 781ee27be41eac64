//! The program on the examples, as people use it.

#[path = "../common/tools.rs"]
mod tools;

mod examples;
mod explore;
mod replay;
mod report;
mod simulate;
mod vacuity;
