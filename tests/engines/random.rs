//! Random applications with random properties, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_APPLICATIONS=300 cargo test --test engines random` takes more than the default few; `GSMC_RANDOM_START` sets the first
//! seed.

use super::*;
use gsmc::testing::random_app;

#[test]
fn applications() {
    compare_many("GSMC_RANDOM_APPLICATIONS", 4, |seed| {
        let project = random_app(seed);
        let folder = tempfile::tempdir().unwrap();
        project.write_to(folder.path()).unwrap();
        against_search(&format!("seed {seed}\n{project}"), &read(folder.path()), 4000, seed.is_multiple_of(4))
    });
}
