//! The native BDD checker.
