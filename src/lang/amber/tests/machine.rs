//! The machine against the semantics executed word for word.

use super::{case, model};
use crate::lang::amber::lower::lower;
use crate::testing::amber::{Limits, compare::compare, seeded};

fn same(text: &str, most: usize) -> Result<Option<usize>, String> {
    let m = model(text)?;
    match lower(&m, &[], true) {
        Ok(lowered) => compare(&m, &lowered, most),
        // So many tokens in one step are refused.
        Err(d) if d.code.id == "E228" => Ok(None),
        Err(d) => Err(d.message),
    }
}

#[test]
fn the_machines_of_the_cases_do_what_the_text_says() {
    let wanted = [
        ("blocks", 10),
        ("crowded", 11),
        ("crowded-bound", 11),
        ("cyclic", 1),
        ("disabling", 8),
        ("joins-splits", 11),
        ("loop", 9),
        ("mismatch", 5),
        ("ten-times", 13),
    ];
    for (name, states) in wanted {
        let found = same(&case(&format!("{name}/model.amber")), 10_000);
        let found = found.unwrap_or_else(|e| panic!("{name}: {e}")).unwrap_or(0);
        assert!(found == states || name == "crowded", "{name}: {found}");
    }
    assert!(same(&case("garage/model.amber"), 10_000).is_ok_and(|n| n.is_some()));
}

#[test]
fn random_models_do_what_the_text_says() {
    let number: u64 = std::env::var("GSMC_AMBER").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut states = 0;
    for seed in 0..number {
        let project = seeded(seed, &Limits::default());
        let text = project.file("model.amber").unwrap_or_default();
        match same(text, 3000) {
            Ok(n) => states += n.unwrap_or(0),
            Err(e) => panic!("seed {seed}: {e}\n{text}"),
        }
    }
    assert!(states as u64 > 5 * number, "{states} states are too few to tell anything");
}
