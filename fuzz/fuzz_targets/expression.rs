//! Expressions in all three languages, as plain text and as an XML attribute.
#![no_main]

use gsmc::lang::syntax::{Dialect, MAX_DEPTH, Text, expression};
use gsmc::source::{Sources, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    let mut sources = Sources::new();
    let file = sources.add("expression", source);
    for text in [Text::plain(file, source, 0), Text::attribute(file, source, 0)] {
        for dialect in [Dialect::Sentry, Dialect::Agents, Dialect::Property] {
            match expression(&text, dialect) {
                Ok(ast) => assert!(ast.depth() <= MAX_DEPTH),
                Err(d) => assert!(!render(&d, &sources, false).is_empty()),
            }
        }
    }
});
