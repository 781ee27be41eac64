//! gsmc
#![forbid(unsafe_code)]

pub mod native;
