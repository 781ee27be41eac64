//! Results for people and programs.

pub mod dot;
pub mod results;
pub mod summary;
