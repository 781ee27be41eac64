//! Random cases with random properties under both profiles, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_CASES=300 cargo test --test engines cmmn` takes more than the default few; `GSMC_RANDOM_START` sets the first seed.

use super::*;
use gsmc::lang::cmmn::model::{Case, Choices, Profile};
use gsmc::lang::cmmn::{Cmmn, read};
use gsmc::lang::syntax::Text;
use gsmc::source::{Diagnostics, Sources};
use gsmc::testing::Choices as Draws;
use gsmc::testing::cmmn::{random_case, random_choices};

/// Enough for what engines must agree on: they all run the same machine, however early its steps are cut off.
const ROUNDS: usize = 5;

/// A few properties of all kinds over states of the case's instances.
fn properties(seed: u64, case: &Case) -> String {
    let c = &mut Draws::seeded(seed);
    let names: Vec<&str> = case.instances.iter().map(|i| i.name.as_str()).collect();
    let mut atom = || {
        let name = c.pick(&names).copied().unwrap_or("case").replace('\'', "\\'");
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

#[test]
fn cases() {
    compare_many("GSMC_RANDOM_CASES", 2, |seed| {
        let one = |profile: Profile| {
            let machine = machine(seed, profile).filter(small_enough)?;
            let what = format!("seed {seed} {}\n{}", profile.name(), random_case(seed));
            against_search(&what, &machine, 1000, seed.is_multiple_of(4))
        };
        // A case counts when it could be compared under both profiles.
        let (mut all, other) = (one(Profile::Flowable)?, one(Profile::Spec)?);
        all.add(other);
        Some(all)
    });
}
