//! Property files for the Order-to-Cash model and its agents.
#![no_main]

use gsmc::lang::gsm::{Application, properties};
use gsmc::lang::load::{Request, load};
use gsmc::lang::syntax::Text;
use gsmc::source::{Diagnostics, Sources, render_all};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static APP: LazyLock<Application> = LazyLock::new(|| {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/order-to-cash");
    load(&Request { dir: Some(dir.into()), ..Request::default() }).app.expect("the example loads")
});

fuzz_target!(|text: &str| {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = sources.add("properties.gsmp", text);
    properties(&[Text::of(file, &sources)], &APP, &mut diags);
    render_all(&diags, &sources, false);
});
