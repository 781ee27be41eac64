//! Models: any text is read, resolved and given domains, or refused with messages that can be shown.
#![no_main]

use gsmc::lang::gsm::resolve::{ModelOptions, build};
use gsmc::lang::gsm::{domains, xml};
use gsmc::source::{Diagnostics, Sources, render_all};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = sources.add("model.xml", text);
    // No schema is ever found: the folder does not exist.
    let options = ModelOptions { folder: "no-such-folder".into(), ..ModelOptions::default() };
    let raw = xml::read(file, &sources, &mut diags);
    if let Some(draft) = raw.and_then(|raw| build(&raw, &options, &mut sources, &mut diags)) {
        domains::infer(draft, &[], &[], &mut diags);
    }
    render_all(&diags, &sources, false);
});
