//! External checkers: generators, drivers, parsers.

mod choice;
mod common;
pub mod drive;
pub mod names;
pub mod parse;
pub mod smv;
mod text;
