//! AMBER: the hand-worked cases on every engine, and random models against each other.
//!
//! `GSMC_RANDOM_AMBER=300 cargo test --test amber random` takes more than the default few; `GSMC_RANDOM_START` sets the first seed.

use gsmc::answer::{Engine, Results, Verdict};
use gsmc::backend::drive::find;
use gsmc::backend::{Options, count_states};
use gsmc::check::{Plan, run};
use gsmc::interp::{Explicit, Limits as SearchLimits};
use gsmc::lang::amber::lower::{Lowered, lower};
use gsmc::lang::amber::properties::AmberAtoms;
use gsmc::lang::syntax::Text;
use gsmc::lang::{amber, properties};
use gsmc::machine::Valid;
use gsmc::source::{Diagnostics, Sources, render_all};
use gsmc::testing::amber::{Limits, seeded};
use std::collections::BTreeMap;
use std::path::Path;

fn cases() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/amber");
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|n| n != "ill-formed");
    names.sort();
    names
}

fn case(name: &str, file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/amber").join(name).join(file);
    std::fs::read_to_string(path).unwrap()
}

fn machine(model: &str, formulas: &str) -> Lowered {
    let mut sources = Sources::new();
    let (m, p) = (sources.add("model.amber", model), sources.add("p.gsmp", formulas));
    let mut diags = Diagnostics::new();
    let model = amber::read(m, &sources, &mut diags);
    let told = |d: &Diagnostics| format!("{}\n{model:?}", render_all(d, &sources, false));
    let model = model.as_ref().unwrap_or_else(|| panic!("{}", told(&diags)));
    let list = properties::read(&[Text::of(p, &sources)], &mut AmberAtoms { model }, &mut diags);
    assert!(!diags.has_errors(), "{}", told(&diags));
    lower(model, &list, false).unwrap_or_else(|d| panic!("{}", d.message))
}

/// The external engines on this machine.
fn external() -> Vec<Engine> {
    let there = |e: &Engine| *e != Engine::Native && find(*e, None).is_ok();
    Engine::ALL.into_iter().filter(there).collect()
}

fn by_all(machine: &Valid) -> Results {
    let engines: Vec<Engine> = std::iter::once(Engine::Native).chain(external()).collect();
    let plan = Plan { engines, external: Options { jobs: 2, ..Options::default() }, ..Plan::default() };
    run("model.amber", machine, &plan)
}

fn agree(what: &str, results: &Results) {
    assert!(results.disagreements.is_empty(), "{what}: {:?}", results.disagreements);
    for r in &results.results {
        let decided = r.verdict.holds().is_some() || r.verdict == Verdict::Unsupported;
        assert!(decided, "{what}: {} by {} is {:?}: {:?}", r.property, r.engine, r.verdict, r.reason);
        assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{what}: {} by {}", r.property, r.engine);
    }
}

#[test]
fn cases_have_the_verdicts_worked_out_by_hand() {
    for name in cases() {
        let expected: serde_json::Value = serde_json::from_str(&case(&name, "expected.json")).unwrap();
        if expected["refused"].as_bool() == Some(true) {
            continue;
        }
        let lowered = machine(&case(&name, "model.amber"), &case(&name, "p.gsmp"));
        let machine = &lowered.machine;
        let oracle = Explicit::build(machine, SearchLimits::default()).unwrap();
        assert_eq!(Some(oracle.states() as u64), expected["states"].as_u64(), "{name}");
        assert_eq!(Some(oracle.terminal() as u64), expected["dead_ends"].as_u64(), "{name}");
        assert_eq!(Some(oracle.overflow_reachable()), expected["overflow"].as_bool(), "{name}");
        let left_out = expected["left_out"].as_array().cloned().unwrap_or_default();
        assert_eq!(machine.left_out, left_out.iter().map(|v| v.as_str().unwrap()).collect::<Vec<_>>(), "{name}");
        let verdicts = expected["verdicts"].as_object().unwrap();
        assert_eq!(machine.properties.len(), verdicts.len(), "{name}");
        for p in &machine.properties {
            assert_eq!(oracle.check(p).to_string(), verdicts[&p.name].as_str().unwrap(), "{name}: {}", p.name);
        }
        let results = by_all(machine);
        agree(&name, &results);
        for r in &results.results {
            if let Some(holds) = r.verdict.holds() {
                let wanted = verdicts[&r.property].as_str().unwrap();
                assert_eq!(holds.to_string(), wanted, "{name}: {} by {}", r.property, r.engine);
            }
        }
        for engine in external() {
            let counted = count_states(engine, machine, &Options::default());
            assert_eq!(counted, Ok(oracle.states().to_string()), "{name} by {engine}");
        }
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn random_models_have_the_same_verdicts_by_all_engines() {
    let (mut compared, mut decided) = (0, BTreeMap::<Engine, usize>::new());
    for seed in number("GSMC_RANDOM_START", 0).. {
        if compared == number("GSMC_RANDOM_AMBER", 4) {
            break;
        }
        let project = seeded(seed, &Limits::default());
        let what = format!("seed {seed}\n{project}");
        let file = |name: &str| project.file(name).unwrap_or_default();
        let lowered = std::panic::catch_unwind(|| machine(file("model.amber"), file("p.gsmp")));
        let Ok(lowered) = lowered else { panic!("{what}") };
        let machine = &lowered.machine;
        let Ok(oracle) = Explicit::build(machine, SearchLimits { states: 3000, ..SearchLimits::default() }) else {
            continue;
        };
        compared += 1;
        let results = by_all(machine);
        agree(&what, &results);
        for r in &results.results {
            let property = machine.properties.iter().find(|p| p.name == r.property).unwrap();
            if let Some(holds) = r.verdict.holds() {
                assert_eq!(holds, oracle.check(property), "{} by {}, {what}", r.property, r.engine);
                *decided.entry(r.engine).or_insert(0) += 1;
            }
        }
        if seed.is_multiple_of(4) {
            for engine in external() {
                let counted = count_states(engine, machine, &Options::default());
                assert_eq!(counted, Ok(oracle.states().to_string()), "{what} by {engine}");
            }
        }
    }
    eprintln!("{compared} models compared; properties decided: {decided:?}");
    assert!(external().iter().all(|e| decided.get(e).is_some_and(|n| *n > 0)), "{decided:?}");
}
