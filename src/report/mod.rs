//! Results for people and programs.

pub mod dot;
pub mod summary;
