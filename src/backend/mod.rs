//! External checkers: generators, drivers, parsers.

mod choice;
mod common;
pub mod names;
pub mod smv;
mod text;
