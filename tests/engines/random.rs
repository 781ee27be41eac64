//! Random applications with random properties, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_APPLICATIONS=300 cargo test --test engines random` takes more than the default few; `GSMC_RANDOM_START` sets the first
//! seed.
//! `GSMC_RANDOM_BAGS` does the same for applications with bags.

use super::*;
use gsmc::testing::bags::random_bags;
use gsmc::testing::{Project, random_app};

#[test]
fn applications() {
    compare_many("GSMC_RANDOM_APPLICATIONS", 4, |seed| one(seed, &random_app(seed)));
}

#[test]
fn bags() {
    compare_many("GSMC_RANDOM_BAGS", 2, |seed| one(seed, &random_bags(seed)));
}

fn one(seed: u64, project: &Project) -> Option<Tally> {
    let folder = tempfile::tempdir().unwrap();
    project.write_to(folder.path()).unwrap();
    against_search(&format!("seed {seed}\n{project}"), &read(folder.path()), 4000, seed.is_multiple_of(4))
}
