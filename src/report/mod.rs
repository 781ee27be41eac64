//! Results for people and programs.

pub mod diagnostics;
pub mod html;
pub mod human;
pub mod junit;
pub mod sarif;
mod scope;
