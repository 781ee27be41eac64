//! Random applications whose numbers and bags are abstracted although they have ranges: that changes no verdict, so explicit search on the
//! ranges says what is right.
//!
//! `GSMC_RANDOM_ABSTRACT=500 cargo test --release --test abstraction random` takes more than the default few; `GSMC_RANDOM_START` sets the first
//! seed.

use gsmc::Project;
use gsmc::any::{self, Data, Question};
use gsmc::check::Plan;
use gsmc::check::abstracted::Effort;
use gsmc::interp::{Explicit, Limits};
use gsmc::lang::load::Request;
use gsmc::smt::{SolverKind, Which};
use gsmc::testing::bags::random_bags;
use gsmc::testing::{self, random_app_with};
use std::time::Duration;

/// Larger applications than this are left out.
const MOST: usize = 2_000;
/// Time for one application; what is open then stays open.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Default)]
struct Tally {
    compared: u64,
    decided: u64,
    open: u64,
    by_run: u64,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// The names of what has a range in a project file.
fn ranged(toml: &str) -> Vec<String> {
    let (_, ranges) = toml.split_once("[ranges]").unwrap_or_default();
    let lines = ranges.lines().skip(1).take_while(|l| !l.starts_with('['));
    lines.filter_map(|l| Some(l.split_once(" =")?.0.to_string())).collect()
}

/// Abstracts these attributes and compares; nothing if there is none, or the application is too large.
fn compare(what: &str, project: &testing::Project, attributes: &[String], tally: &mut Tally) -> Option<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut project = project.clone();
    project.files[0].1 += &format!("[abstraction]\nattributes = [{}]\nrefine = 2\n", attributes.join(", "));
    project.write_to(folder.path()).expect("files");
    let mut request = Request { dir: Some(folder.path().to_path_buf()), ..Request::default() };
    let bounded = Project::read(&request).unwrap_or_else(|refused| panic!("{refused}\n{what}"));
    let explicit = Explicit::build(bounded.machine(), Limits { states: MOST, ..Limits::default() }).ok()?;
    request.overrides.unbounded = true;
    let open = Project::read(&request).unwrap_or_else(|refused| panic!("{refused}\n{what}"));
    let data = Data::Unbounded(Effort { refine: None, runs: true, smt: Which::Only(SolverKind::Z3).into() });
    let question = Question { lens: open.lens(), sources: &open.sources, model: "", data, open: None };
    let plan = Plan { timeout: Some(PATIENCE), ..Plan::default() };
    let results = any::run(&question, &plan).unwrap_or_else(|why| panic!("{why}\n{what}\n{project}"));
    for r in &results.results {
        let Some(p) = bounded.machine().properties.iter().find(|p| p.name == r.property) else { continue };
        match r.verdict.holds() {
            Some(holds) => {
                let by = r.abstracted.as_ref().and_then(|a| a.decided_by.as_deref());
                assert_eq!(holds, explicit.check(p), "{} by {by:?}, {what}\n{project}", p.text);
                assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{}, {what}\n{project}", p.text);
                tally.decided += 1;
                tally.by_run += u64::from(by == Some("run"));
            }
            None => tally.open += 1,
        }
    }
    tally.compared += 1;
    Some(())
}

fn compare_many(few: u64, draw: impl Fn(u64) -> (testing::Project, Vec<String>)) {
    if super::tools::without_solver() {
        return;
    }
    let (start, wanted, mut tally) =
        (number("GSMC_RANDOM_START", 0), number("GSMC_RANDOM_ABSTRACT", few), Tally::default());
    for seed in start.. {
        if tally.compared >= wanted {
            break;
        }
        let (project, attributes) = draw(seed);
        if !attributes.is_empty() {
            compare(&format!("seed {seed}"), &project, &attributes, &mut tally);
        }
    }
    // How much is decided in time is not for a test to say.
    println!("{tally:?}");
}

#[test]
fn applications_with_numbers() {
    let limits = testing::Limits { strategies: false, fairness: false, ..testing::Limits::default() };
    compare_many(4, |seed| {
        let project = random_app_with(seed, &limits);
        let attributes = ranged(&project.files[0].1);
        (project, attributes)
    });
}

#[test]
fn applications_with_bags() {
    compare_many(2, |seed| {
        // The other bag has so many regions that little of it is decided soon.
        (random_bags(seed), vec!["\"T.S\"".into(), "\"T.k\"".into()])
    });
}
