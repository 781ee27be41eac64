//! The program on the examples, as people use it.

#[path = "../common/tools.rs"]
mod tools;

mod blind;
mod cmmn;
mod diff;
mod examples;
mod explore;
mod logs;
mod messages;
mod new;
mod planted;
mod propagation;
mod reasons;
mod recorded;
mod replay;
mod report;
mod schema;
mod schemas;
#[cfg(unix)]
mod security;
mod simulate;
mod vacuity;
mod words;
