//! Case files: whatever they hold, reading and lowering answer with findings, never with a panic.
#![no_main]

use gsmc::lang::cmmn::model::{Choices, Profile};
use gsmc::lang::cmmn::{Cmmn, read};
use gsmc::source::{Diagnostics, Sources};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for profile in [Profile::Flowable, Profile::Spec] {
        let mut sources = Sources::new();
        let file = sources.add("case.cmmn", text);
        let mut diags = Diagnostics::new();
        let choices = Choices { profile, ..Choices::default() };
        if let Some(case) = read::read(file, &sources, &choices, &mut diags) {
            let _ = Cmmn::new(case, 4, &[], true, &mut diags);
        }
    }
});
