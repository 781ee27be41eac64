//! Running external checkers: found, asked for their version, kept within limits, and gone when we are done.

mod find;
mod folder;
pub mod guard;
mod process;

pub(crate) use find::{Known, find_known};
pub use find::{Tool, ToolError, find, how_to_get, on_path};
pub use folder::RunFolder;
pub use process::{Ended, Finished, Limits, run};
