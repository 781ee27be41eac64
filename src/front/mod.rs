//! Readers: text in, resolved model out, all errors reported.

pub mod domains;
pub mod files;
pub mod resolve;
pub mod syntax;
pub mod xml;
pub mod xsd;
