//! Every example application: all verdicts are as its author expects, and every trace replays.

use gsmc::check::{Plan, run};
use gsmc::front::load::{Request, load};
use gsmc::machine::lower;
use gsmc::report::results::{Engine, Results, Verdict};
use gsmc::source::render_all;
use std::path::{Path, PathBuf};

/// Checks an example natively.
fn check(dir: &Path) -> Results {
    let loaded = load(&Request { dir: Some(dir.to_path_buf()), ..Request::default() });
    let shown = render_all(&loaded.diagnostics, &loaded.sources, false);
    let app = loaded.app.unwrap_or_else(|| panic!("{}:\n{shown}", dir.display()));
    let machine = match lower(&app, &loaded.properties, &loaded.sources) {
        Ok(machine) => machine,
        Err(d) => panic!("{}: {}", dir.display(), d.message),
    };
    run("model.xml", &app, &machine, &Plan { engines: vec![Engine::Native], ..Plan::default() })
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

fn as_expected(name: &str) -> Results {
    let results = check(&example(name));
    assert!(!results.results.is_empty(), "{name} has no properties");
    for r in &results.results {
        assert_eq!(r.verdict, Verdict::of(r.expect), "{name}: {} ({:?})", r.property, r.reason);
        assert!(
            r.trace.as_ref().is_none_or(|t| t.certified),
            "{name}: {} has a trace that does not replay",
            r.property
        );
    }
    assert_eq!(results.exit_code(), 0, "{name}");
    results
}

#[test]
fn order_to_cash() {
    as_expected("order-to-cash");
}

#[test]
fn research_proposal() {
    as_expected("research-proposal");
}

#[test]
fn garage() {
    as_expected("garage");
}

/// The papers' story: the request is reviewed and rejected, then reworked.
#[test]
fn fixed_price() {
    let results = as_expected("fixed-price");
    let story = |property: &str| {
        let found = results.results.iter().find(|r| r.property == property).and_then(|r| r.trace.as_ref());
        let trace = found.unwrap_or_else(|| panic!("{property} has no trace"));
        trace.steps.iter().filter_map(|s| s.event.clone()).collect::<Vec<String>>()
    };
    assert!(story("order-consistent").iter().any(|e| e.contains("Rework")), "{:?}", story("order-consistent"));
    let closing = story("winner-assignment-consistent");
    assert!(closing.iter().any(|e| e == "MCT"), "{closing:?}");
}

#[test]
fn fixed_price_repaired() {
    as_expected("fixed-price-repaired");
}
