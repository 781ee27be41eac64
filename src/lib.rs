//! gsmc: what a process model really does.
//!
//! A language (GSM in Barcelona XML or gsmc's own notation, E-GSM, AMBER, CMMN) reads a model with its agents and properties and lowers
//! it to one state [`machine`]; several engines run that machine and must agree.
//!
//! ```
//! use gsmc::answer::Verdict;
//! use gsmc::{Options, Plan, Project, check};
//!
//! let project = Project::open("examples/teaching/lasso", &Options::default())?;
//! let results = check(&project, &Plan::default());
//! assert!(!results.results.is_empty());
//! assert!(results.results.iter().all(|r| r.verdict == Verdict::of(r.expect)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/open.rs`, `check.rs` and `walk.rs` show more.
//!
//! | room | what lives there |
//! |---|---|
//! | [`source`] | files, spans, diagnostics with stable codes |
//! | [`logic`] | formulas, their fragments and automata |
//! | [`machine`] | the IR; `validate` hands out the proof that engines ask for; one way to walk a step |
//! | [`answer`] | what engines answer: verdicts, runs, results |
//! | [`picture`] | what pictures are made of: measured text, packed boxes, colours |
//! | [`lang`] | languages: a folder each with readers, model, lowering and words; the lens through which the rest sees them |
//! | [`interp`] | runs single steps; explicit-state search, the oracle of the tests |
//! | [`native`] | the BDD checker, reference of all verdicts |
//! | [`backend`] | NuSMV, SPIN and MCMAS: generators, drivers, parsers |
//! | [`abstraction`] | machines with unbounded data: predicates, may and must, three-valued truth, runs, refinement |
//! | [`smt`] | questions to an SMT solver: SMT-LIB 2 over a pipe, models evaluated, solvers compared |
//! | [`trace`] | runs in the model's names, certification by replay |
//! | [`any`] | verdicts for any number of instances |
//! | [`words`] | answers in plain words: a sentence or two that name the cause |
//! | [`check`](mod@check) | asks engines, certifies and compares their answers |
//! | [`compare`] | two versions of a model: what changed, whose verdicts did |
//! | [`log`] | recorded event logs, read event by event |
//! | [`replay`] | recorded cases against a model: deviations, violations, properties of their runs |
//! | [`explain`] | one step explained; the simulator without a terminal |
//! | [`view`] | what pages show: model, snapshots, steps and runs as one serializable value |
//! | [`report`] | results as text, HTML, JUnit, SARIF |
//! | [`explore`] | the step explorer: its page and the server behind it |
//! | [`Project`] | the front door: a model opened |
//! | `cli` | commands; the only room that prints |
//!
//! Dependencies point one way, roughly down the table. An engine never sees a language: what it needs is in the machine.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod abstraction;
pub mod answer;
pub mod any;
pub mod backend;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod explain;
pub mod explore;
pub mod interp;
pub mod lang;
pub mod log;
pub mod logic;
pub mod machine;
pub mod native;
pub mod picture;
mod project;
pub mod replay;
pub mod report;
pub mod smt;
pub mod source;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
pub mod trace;
pub mod view;
pub mod words;

pub use check::Plan;
pub use lang::Lens;
pub use project::{Options, Project, Refused, check};
