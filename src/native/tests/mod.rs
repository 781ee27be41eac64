//! The temporal engine on hand-built and random structures, against textbook answers and a naive evaluator.

mod evidence;
mod kripke;
mod naive;
mod oracle;
mod random;
mod textbook;
