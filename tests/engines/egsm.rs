//! Random E-GSM models with random properties, all engines against the explicit oracle.
//!
//! `GSMC_RANDOM_EGSM=200 cargo test --test engines egsm` takes more than the default few, `GSMC_RANDOM_AGENTS` more with agents;
//! `GSMC_RANDOM_START` sets the first seed.

use super::*;
use gsmc::Project;
use gsmc::lang::egsm::Egsm;
use gsmc::testing::Choices;
use gsmc::testing::egsm::{NAMES, random_agents, random_model};

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

/// What some of the agents know and can do.
fn about_agents(c: &mut Choices, egsm: &Egsm, agents: usize) -> String {
    let stages: Vec<&str> = egsm.model.stages.iter().map(|s| s.id.as_str()).collect();
    let atom = |c: &mut Choices| {
        format!("{}('{}')", c.one_of(["opened", "closed", "skipped"]), c.pick(&stages).copied().unwrap_or("S0"))
    };
    let (a, b) = (NAMES[c.below(agents)], NAMES[c.below(agents)]);
    let (some, other) = (atom(c), atom(c));
    format!("k0: AG ({some} -> K({a}, {some}));\nk1: EF K({a}, !{other});\nk2: <<{a}, {b}>> F {some};\n")
}

/// The machine of a random model with its properties; nothing where its rules do not settle at the start.
fn machine(seed: u64, with_agents: bool) -> Option<(String, Valid)> {
    let c = &mut Choices::seeded(seed);
    let texts = random_model(c, 3);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.xml"), &texts.model).unwrap();
    std::fs::write(folder.path().join("infoModel.xsd"), &texts.schema).unwrap();
    std::fs::write(folder.path().join("gsmc.toml"), "model = \"model.xml\"\n").unwrap();
    let options = Request::default();
    let bare = Project::open(folder.path(), &options).ok()?;
    let egsm = (bare.lens() as &dyn std::any::Any).downcast_ref::<Egsm>().expect("an E-GSM model");
    let mut formulas = properties(c, egsm);
    let file = folder.path().join("p.gsmp");
    let mut options = Request { properties: vec![file.clone()], ..options };
    let mut agents = String::new();
    if with_agents {
        let number;
        (agents, number) = random_agents(c, &egsm.model);
        formulas += &about_agents(c, egsm, number);
        let file = folder.path().join("a.gsma");
        std::fs::write(&file, &agents).unwrap();
        options.agents = Some(file);
    }
    std::fs::write(&file, &formulas).unwrap();
    let what = format!("seed {seed}\n{}\n{agents}\n{formulas}", texts.model);
    let project = Project::open(folder.path(), &options).unwrap_or_else(|e| panic!("{what}: {e}"));
    Some((what, project.machine().clone()))
}

#[test]
fn models() {
    compare_many("GSMC_RANDOM_EGSM", 3, |seed| {
        let (what, machine) = machine(seed, false).filter(|(_, m)| small_enough(m))?;
        against_search(&what, &machine, 1000, seed.is_multiple_of(4))
    });
}

#[test]
fn models_with_agents() {
    compare_many("GSMC_RANDOM_AGENTS", 2, |seed| {
        let (what, machine) = machine(seed, true).filter(|(_, m)| small_enough(m))?;
        against_search(&what, &machine, 1000, seed.is_multiple_of(4))
    });
}
