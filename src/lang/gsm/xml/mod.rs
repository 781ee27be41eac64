//! Reader of the Barcelona XML: both dialects, every element with its place, unknown things with one warning per kind.
//!
//! This half knows the shape of the format only. What the names mean is settled in [`crate::lang::gsm::resolve`].

mod lifecycle;
mod raw;
mod read;

pub(crate) use crate::lang::xml::{parse, span_of};
pub use raw::*;
pub use read::{NAMESPACE, read};
