//! The machine against the semantics executed word for word.

use super::{case, model};
use crate::lang::amber::lower::lower;
use crate::source::Diagnostic;
use crate::testing::amber::{Limits, compare::compare, seeded};

fn same(text: &str, most: usize) -> Result<Option<usize>, String> {
    let m = model(text)?;
    match lower(&m, &[], true) {
        Ok(lowered) => compare(&m, &lowered, most),
        Err(d) => refused(&d).map(|()| None),
    }
}

/// Very many tokens in one step are refused.
fn refused(d: &Diagnostic) -> Result<(), String> {
    if d.code.id == "E228" { Ok(()) } else { Err(d.message.clone()) }
}

#[test]
fn data_that_nothing_reads_may_also_be_an_index() {
    let m = model("var list: 0..2[2]\naction a { list[list[0] + 1] := 1; if list[list[1]] > 0 { list[0] := any } }");
    let lowered = m.and_then(|m| lower(&m, &[], false).map_err(|d| d.message));
    assert_eq!(lowered.map(|l| l.machine.left_out.clone()), Ok(vec!["list".to_string()]));
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
        // The same without the data, since nothing asks about it.
        let small = model(text).and_then(|m| lower(&m, &[], false).map(|_| ()).or_else(|d| refused(&d)));
        assert_eq!(small, Ok(()), "seed {seed}\n{text}");
        match same(text, 3000) {
            Ok(n) => states += n.unwrap_or(0),
            Err(e) => panic!("seed {seed}: {e}\n{text}"),
        }
    }
    assert!(states as u64 > 5 * number, "{states} states are too few to tell anything");
}
