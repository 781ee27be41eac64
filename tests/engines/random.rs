//! Random applications with random properties, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_APPLICATIONS=300 cargo test --test engines random` takes more than the default few; `GSMC_RANDOM_START` sets the first
//! seed.

use super::*;
use gsmc::interp::{Explicit, Limits as SearchLimits};
use gsmc::testing::{Project, random_app};
use std::collections::BTreeMap;

pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// How many properties each engine decided; nothing for an application that is too large for the oracle.
fn compare(seed: u64, project: &Project) -> Option<BTreeMap<Engine, usize>> {
    let folder = tempfile::tempdir().unwrap();
    project.write_to(folder.path()).unwrap();
    let machine = read(folder.path());
    let oracle = Explicit::build(&machine, SearchLimits { states: 4000, ..SearchLimits::default() }).ok()?;
    let results = by_all(&machine);
    let what = format!("seed {seed}\n{project}");
    agree(&what, &results);
    let mut decided = BTreeMap::new();
    for r in &results.results {
        let property = machine.properties.iter().find(|p| p.name == r.property).unwrap();
        if let Some(holds) = r.verdict.holds() {
            assert_eq!(holds, oracle.check(property), "{} by {}, {what}", r.property, r.engine);
            *decided.entry(r.engine).or_insert(0) += 1;
        }
    }
    if seed.is_multiple_of(4) {
        count_alike(&what, &machine, &oracle.states().to_string());
    }
    Some(decided)
}

#[test]
fn applications() {
    let start = number("GSMC_RANDOM_START", 0);
    let wanted = number("GSMC_RANDOM_APPLICATIONS", 4);
    let (mut compared, mut decided) = (0, BTreeMap::<Engine, usize>::new());
    for seed in start.. {
        if compared == wanted {
            break;
        }
        if let Some(counts) = compare(seed, &random_app(seed)) {
            compared += 1;
            counts.into_iter().for_each(|(e, n)| *decided.entry(e).or_insert(0) += n);
        }
    }
    eprintln!("{compared} applications compared; properties decided: {decided:?}");
    assert!(external().iter().all(|e| decided.get(e).is_some_and(|n| *n > 0)), "{decided:?}");
}
