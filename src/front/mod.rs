//! Readers: text in, resolved model out, all errors reported.

pub mod syntax;
