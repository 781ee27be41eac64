//! AMBER models: read, lowered, drawn.
#![no_main]

use gsmc::lang::Lens;
use gsmc::lang::amber::{Amber, read};
use gsmc::source::{Diagnostics, Sources, render_all};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = sources.add("model.amber", text);
    if let Some(model) = read(file, &sources, &mut diags)
        && let Ok(amber) = Amber::new(model, Vec::new(), true)
    {
        amber.drawing(&sources, 800).file();
    }
    render_all(&diags, &sources, false);
});
