//! Readers: text in, resolved model out, all errors reported.

pub mod agents;
pub mod config;
pub mod domains;
pub mod files;
pub mod load;
pub mod properties;
pub mod resolve;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod xml;
pub mod xsd;
