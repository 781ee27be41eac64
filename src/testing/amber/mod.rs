//! AMBER for tests: its semantics executed word for word.

pub mod literal;
