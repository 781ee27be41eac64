//! The temporal engine on hand-built and random structures, against textbook answers and a naive evaluator.

mod kripke;
mod naive;
mod random;
mod textbook;
