//! Running external checkers: found, asked for their version, kept within limits, and gone when we are done.

mod find;
mod folder;
pub mod guard;
mod process;

pub use find::{Known, Tool, ToolError, find_known, on_path};
pub use folder::RunFolder;
pub use process::{Ended, Finished, Limits, run};
