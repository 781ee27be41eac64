//! Agents files for the Order-to-Cash model.
#![no_main]

use gsmc::lang::gsm::agents;
use gsmc::lang::load::{Request, load};
use gsmc::lang::gsm::Application;
use gsmc::lang::syntax::Text;
use gsmc::source::{Diagnostics, Sources, render_all};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static APP: LazyLock<Application> = LazyLock::new(|| {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/order-to-cash/model.xml");
    load(&Request { model: Some(model.into()), ..Request::default() }).app.expect("the example loads")
});

fuzz_target!(|text: &str| {
    let (mut sources, mut diags) = (Sources::new(), Diagnostics::new());
    let file = sources.add("agents.gsma", text);
    let mut app = APP.clone();
    agents::read(&Text::of(file, &sources), &mut app, &mut diags);
    render_all(&diags, &sources, false);
});
