//! What benchmarks that compare engines share: a case measured in a process of its own, the machine they ran on, tables of results.
#![allow(dead_code)] // each benchmark uses its part

pub mod case;
pub mod host;
mod memory;
pub mod spawn;
pub mod text;
