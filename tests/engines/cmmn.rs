//! Random cases with random properties under both profiles, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_CASES=300 cargo test --test engines cmmn` takes more than the default few; `GSMC_RANDOM_START` sets the first seed.

use super::random::number;
use super::*;
use gsmc::interp::{Explicit, Limits as SearchLimits};
use gsmc::lang::cmmn::model::{Case, Choices, Profile};
use gsmc::lang::cmmn::{Cmmn, read};
use gsmc::lang::syntax::Text;
use gsmc::source::{Diagnostics, Sources};
use gsmc::testing::Choices as Draws;
use gsmc::testing::cmmn::{random_case, random_choices};
use std::collections::BTreeMap;

/// Enough for what engines must agree on: they all run the same machine, however early its steps are cut off.
const ROUNDS: usize = 5;

/// A few properties of all kinds over states of the case's instances.
fn properties(seed: u64, case: &Case) -> String {
    let c = &mut Draws::seeded(seed);
    let names: Vec<&str> = case.instances.iter().map(|i| i.name.as_str()).collect();
    let mut atom = || {
        let name = c.pick(&names).copied().unwrap_or("case");
        format!("'{name}'.{}", c.one_of(["active", "completed", "terminated", "available", "enabled"]))
    };
    let shapes = ["EF #", "AG (# -> EF ~)", "AF (# or ~)", "LTL G (# -> F ~)", "E [# U ~]", "AG !(# and ~)"];
    let mut text = String::new();
    for (k, shape) in shapes.iter().enumerate() {
        text += &format!("p{k}: {};\n", shape.replace('#', &atom()).replace('~', &atom()));
    }
    text
}

fn machine(seed: u64, profile: Profile) -> Option<Valid> {
    let mut sources = Sources::new();
    let mut diags = Diagnostics::new();
    let file = sources.add("case.cmmn", random_case(seed));
    let case = read::read(file, &sources, &Choices { profile, ..random_choices(seed) }, &mut diags)?;
    let formulas = sources.add("p.gsmp", properties(seed, &case));
    let cmmn = Cmmn::new(case, ROUNDS, &[Text::of(formulas, &sources)], true, &mut diags);
    assert!(!diags.has_errors(), "seed {seed}: {}", render_all(&diags, &sources, false));
    cmmn.ok().map(|c| c.lowered.machine)
}

/// How many properties each engine decided; nothing for a case that is too large for the oracle.
fn compare(seed: u64, profile: Profile) -> Option<BTreeMap<Engine, usize>> {
    let machine = machine(seed, profile)?;
    if machine.ground_rules() > 600 {
        return None;
    }
    let oracle = Explicit::build(&machine, SearchLimits { states: 1000, ..SearchLimits::default() }).ok()?;
    let results = by_all(&machine);
    let what = format!("seed {seed} {}\n{}", profile.name(), random_case(seed));
    agree(&what, &results);
    let mut decided = BTreeMap::new();
    for r in &results.results {
        let Some(property) = machine.properties.iter().find(|p| p.name == r.property) else { continue };
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
fn cases() {
    let start = number("GSMC_RANDOM_START", 0);
    let wanted = number("GSMC_RANDOM_CASES", 2);
    let (mut compared, mut decided) = (0, BTreeMap::<Engine, usize>::new());
    for seed in start.. {
        if compared >= wanted {
            break;
        }
        let found = [Profile::Flowable, Profile::Spec].map(|profile| compare(seed, profile));
        compared += u64::from(found.iter().any(Option::is_some));
        let counts = found.into_iter().flatten().flatten();
        counts.for_each(|(e, n)| *decided.entry(e).or_insert(0) += n);
    }
    eprintln!("{compared} cases compared; properties decided: {decided:?}");
    assert!(external().iter().all(|e| decided.get(e).is_some_and(|n| *n > 0)), "{decided:?}");
}
