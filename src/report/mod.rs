//! Results for people and programs.

pub mod dot;
pub mod html;
pub mod human;
pub mod junit;
pub mod sarif;
pub mod summary;
