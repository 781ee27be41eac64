//! Exports to external checkers, their drivers and parsers.
