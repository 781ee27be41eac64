//! `gsmc.toml`.
#![no_main]

use gsmc::lang::config;
use gsmc::source::{Diagnostics, Sources, render_all};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = sources.add("gsmc.toml", text);
    config::read(file, &sources, &mut diags);
    render_all(&diags, &sources, false);
});
