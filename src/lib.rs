//! gsmc: what a Guard-Stage-Milestone (GSM) process really does.
//!
//! One front end reads a GSM application (Barcelona XML, XSD data, agents, properties) and lowers it to one state
//! [`machine`]; several engines run that machine and must agree.
//!
//! | room | what lives there |
//! |---|---|
//! | [`source`] | files, spans, diagnostics with stable codes |
//! | [`lang`] | languages: a folder each with readers, model, lowering and words; all errors, not the first |
//! | [`logic`] | formulas and their fragments |
//! | [`machine`] | the IR and lowering; `validate` hands out the proof that engines ask for |
//! | [`answer`] | what engines answer: verdicts, runs, results |
//! | [`interp`] | runs and explains single B-steps; explicit-state search, the oracle of the tests |
//! | [`native`] | the BDD checker, reference of all verdicts |
//! | [`backend`] | NuSMV, SPIN and MCMAS: generators, drivers, parsers |
//! | [`abstraction`] | machines with unbounded data: predicates, may and must, three-valued truth, runs, refinement |
//! | [`smt`] | questions to an SMT solver: SMT-LIB 2 over a pipe, models evaluated, solvers compared |
//! | [`trace`] | runs in GSM names, certification by replay |
//! | [`check`] | asks engines, certifies and compares their answers |
//! | [`picture`] | the lifecycle, rule graphs and runs drawn, without Graphviz |
//! | [`report`] | results as text, JSON, DOT |
//! | [`view`] | what pages show: model, snapshots, steps and runs as one serializable value |
//! | [`explore`] | the B-step explorer: its page and the server behind it |
//! | [`cli`] | commands; the only room that prints |
//!
//! Dependencies point one way, roughly down the table. An engine never looks at the XML side: what it needs is in the machine.
#![warn(missing_docs)]

pub mod abstraction;
pub mod answer;
pub mod backend;
pub mod check;
pub mod cli;
pub mod explain;
pub mod explore;
pub mod interp;
pub mod lang;
pub mod logic;
pub mod machine;
pub mod native;
pub mod picture;
pub mod report;
pub mod smt;
pub mod source;
#[doc(hidden)]
pub mod testing;
pub mod trace;
pub mod view;
