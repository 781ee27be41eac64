//! Random E-GSM models with random properties, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_EGSM=200 cargo test --test engines egsm` takes more than the default few; `GSMC_RANDOM_START` sets the first seed.

use super::*;
use gsmc::Project;
use gsmc::lang::egsm::Egsm;
use gsmc::testing::Choices;
use gsmc::testing::egsm::random_model;

/// A few properties of all kinds over stages, milestones, and what the last move did.
fn properties(c: &mut Choices, egsm: &Egsm) -> String {
    let stages: Vec<&str> = egsm.model.stages.iter().map(|s| s.id.as_str()).collect();
    let about = [
        "opened",
        "closed",
        "outOfOrder",
        "skipped",
        "faulty",
        "opens",
        "completes",
        "turns_outOfOrder",
        "turns_skipped",
        "turns_faulty",
    ];
    let mut atom = || match c.below(12) {
        0 => "violation".to_string(),
        _ => format!("{}('{}')", c.one_of(about), c.pick(&stages).copied().unwrap_or("S0")),
    };
    let shapes =
        ["EF #", "AG (# -> EF ~)", "AF (# || ~)", "LTL G (# -> F ~)", "E(# U ~)", "AG !(# && ~)", "EX (# -> AX ~)"];
    let mut text = String::new();
    for (k, shape) in shapes.iter().enumerate() {
        text += &format!("p{k}: {};\n", shape.replace('#', &atom()).replace('~', &atom()));
    }
    text
}

/// The machine of a random model with its properties; nothing where its rules do not settle at the start.
fn machine(seed: u64) -> Option<(String, Valid)> {
    let c = &mut Choices::seeded(seed);
    let texts = random_model(c, 3);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.xml"), &texts.model).unwrap();
    std::fs::write(folder.path().join("infoModel.xsd"), &texts.schema).unwrap();
    std::fs::write(folder.path().join("gsmc.toml"), "model = \"model.xml\"\n").unwrap();
    let options = Request::default();
    let bare = Project::open(folder.path(), &options).ok()?;
    let egsm = (bare.lens() as &dyn std::any::Any).downcast_ref::<Egsm>().expect("an E-GSM model");
    let formulas = properties(c, egsm);
    let file = folder.path().join("p.gsmp");
    std::fs::write(&file, &formulas).unwrap();
    let options = Request { properties: vec![file], ..options };
    let project = Project::open(folder.path(), &options).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    Some((format!("seed {seed}\n{}\n{formulas}", texts.model), project.machine().clone()))
}

#[test]
fn models() {
    compare_many("GSMC_RANDOM_EGSM", 3, |seed| {
        let (what, machine) = machine(seed).filter(|(_, m)| m.ground_rules() <= MOST_RULES)?;
        against_search(&what, &machine, 1000, seed.is_multiple_of(4))
    });
}
