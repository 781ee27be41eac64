//! AMBER: the hand-worked cases on every engine, and random models against each other.
//!
//! `GSMC_RANDOM_AMBER=300 cargo test --test amber random` takes more than the default few; `GSMC_RANDOM_START` sets the first seed.

use gsmc::answer::{Engine, Results, Verdict};
use gsmc::backend::find;
use gsmc::backend::{Options, count_states};
use gsmc::check::{Plan, run};
use gsmc::interp::{Explicit, Limits as SearchLimits};
use gsmc::lang::amber::lower::{Lowered, lower};
use gsmc::lang::amber::properties::AmberAtoms;
use gsmc::lang::syntax::Text;
use gsmc::lang::{amber, properties};
use gsmc::machine::Valid;
use gsmc::source::{Diagnostics, Sources, render_all};
use gsmc::testing::amber::literal::{Happened, Literal, State};
use gsmc::testing::amber::{Limits, seeded};
use std::collections::{BTreeMap, BTreeSet};
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
    let there = |e: &Engine| *e != Engine::NATIVE && find(*e, None).is_ok();
    gsmc::backend::engines().filter(there).collect()
}

fn by_all(machine: &Valid) -> Results {
    let engines: Vec<Engine> = std::iter::once(Engine::NATIVE).chain(external()).collect();
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

/// After `a` either `b` or `c` happens, and no more. On fair runs it is not `b`, so `b` is led to by no fair run, and every fair run does `c`.
#[test]
fn where_no_fair_run_starts_nothing_counts() {
    let wanted = [
        ("A(!executed(b) U executed(c))", true),
        ("A(!executed(a) U executed(c))", false),
        ("AG !A(executed(a) U executed(b))", true),
        ("EF executed(b)", false),
        ("EX EX executed(b)", false),
        ("EF (executed(a) && !executed(b))", true),
        ("AF executed(c)", true),
        ("AG (executed(a) -> AX executed(c))", true),
        ("E(!executed(c) U executed(b))", false),
        ("LTL F executed(c)", true),
        ("LTL G !executed(b)", true),
    ];
    let fair = "@fair !executed(b);\n";
    let formulas: Vec<String> = wanted.iter().enumerate().map(|(i, (f, _))| format!("{fair}q{i}: {f};\n")).collect();
    let lowered = machine("action a, b, c\na -> (b | c)", &formulas.concat());
    let oracle = Explicit::build(&lowered.machine, SearchLimits::default()).unwrap();
    let results = by_all(&lowered.machine);
    agree("fairness", &results);
    for (p, (formula, holds)) in lowered.machine.properties.iter().zip(wanted) {
        assert_eq!(oracle.check(p), holds, "{formula}");
        for r in results.results.iter().filter(|r| r.property == p.name) {
            assert!(r.verdict.holds().is_none_or(|v| v == holds), "{formula} by {}", r.engine);
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

/// The examples under `examples/amber`.
fn examples() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/amber");
    let mut all: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

/// A state as the READMEs write it: what has happened, what waits, the data.
fn shown(model: &amber::Model, s: &State) -> String {
    let named = |which: &dyn Fn(usize) -> Option<String>| {
        let nodes = (0..model.nodes.len()).filter(|&n| model.nodes[n].kind.happens());
        let mut names: Vec<String> = nodes.filter_map(which).collect();
        names.sort();
        names
    };
    let name = |n: usize| model.nodes[n].name.clone();
    let done = named(&|n| s.executed[n].then(|| name(n)));
    let mut waits = named(&|n| match s.triggered[n] {
        0 => None,
        1 => Some(name(n)),
        k => Some(format!("{}×{k}", name(n))),
    });
    waits.extend(s.overflow.then(|| "overflow".to_string()));
    let data: Vec<String> = model.cells.iter().zip(&s.data).map(|(c, v)| format!("; {} = {v}", c.name)).collect();
    let gap = if waits.is_empty() { "" } else { " " };
    format!("{{{}}}{gap}{}{}", done.join(", "), waits.join(", "), data.concat())
}

#[test]
fn every_step_of_the_figures_is_predicted() {
    let mut predicted = 0;
    for folder in examples() {
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        if !readme.contains("## What happens") {
            continue;
        }
        let rows = readme.lines().filter_map(|l| l.strip_prefix("| ")?.strip_suffix(" |"));
        let said: BTreeSet<String> = rows.filter(|r| r.starts_with('{')).map(str::to_string).collect();
        let mut sources = Sources::new();
        let file = sources.add("model.amber", std::fs::read_to_string(folder.join("model.amber")).unwrap());
        let model = amber::read(file, &sources, &mut Diagnostics::new()).unwrap();
        let graph = Literal::new(&model, false).graph(1000).unwrap();
        let mut found = BTreeSet::new();
        for (s, steps) in graph.states.iter().zip(&graph.steps) {
            for (what, to) in steps {
                if let Happened::Event(e) = what {
                    let event = model.events[*e].name.rsplit('.').next().unwrap();
                    found.insert(format!("{} | {event} | {}", shown(&model, s), shown(&model, &graph.states[*to])));
                }
            }
        }
        assert_eq!(said, found, "{}", folder.display());
        assert!(readme.contains(&format!("{} snapshot", graph.states.len())), "{}", folder.display());
        predicted += found.len();
    }
    assert!(predicted > 100);
}

/// The code of a value as the README writes it.
fn code(ty: &amber::types::Type, text: &str) -> i64 {
    match ty {
        amber::types::Type::Enum(values) => values.iter().position(|v| v == text).unwrap() as i64,
        amber::types::Type::Bool => i64::from(text == "true"),
        _ => text.parse().unwrap(),
    }
}

/// The README says what begins to wait and what data changes; the parties of the event wait no more. Exactly one step is like that.
#[test]
fn every_step_of_the_run_through_the_hospital_is_predicted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/amber/hospital");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut sources = Sources::new();
    let file = sources.add("model.amber", std::fs::read_to_string(folder.join("model.amber")).unwrap());
    let model = amber::read(file, &sources, &mut Diagnostics::new()).unwrap();
    let node = |name: &str| {
        let happens = |n: &&amber::model::Node| n.name == name && n.kind.happens();
        model.nodes.iter().position(|n| happens(&n)).unwrap_or_else(|| panic!("{name}"))
    };
    let literal = Literal::new(&model, false);
    let mut state = literal.initial();
    let (_, start) = readme.split_once("At the start ").unwrap();
    let start = start.split_once(" wait,").unwrap().0.split('`').skip(1).step_by(2).map(node);
    let waiting = |s: &State| (0..model.nodes.len()).filter(|&n| s.triggered[n] > 0).collect::<BTreeSet<usize>>();
    assert_eq!(start.collect::<BTreeSet<usize>>(), waiting(&state));
    let (_, run) = readme.split_once("## One run").unwrap();
    let rows = run.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| step"));
    for row in rows.clone() {
        let columns: Vec<&str> = row.split('|').map(str::trim).collect();
        let &[_, _, event, waits, data, _] = columns.as_slice() else { panic!("{row}") };
        let named = |e: &amber::model::Event| e.name.rsplit('.').next() == Some(event);
        let event = model.events.iter().position(named).unwrap_or_else(|| panic!("{row}"));
        let mut wanted = waiting(&state);
        model.events[event].parties.iter().for_each(|p| assert!(wanted.remove(p), "{row}"));
        for name in waits.split(", ").filter(|w| !w.is_empty()) {
            let changed = match name.strip_prefix("no longer ") {
                Some(name) => wanted.remove(&node(name)),
                None => wanted.insert(node(name)),
            };
            assert!(changed, "{row}");
        }
        let mut values = state.data.clone();
        for (name, value) in data.split(", ").filter_map(|d| d.split_once(" = ")) {
            let cell = model.cells.iter().position(|c| c.name == name).unwrap();
            values[cell] = code(&model.cells[cell].ty, value);
        }
        let mut found = literal.steps(&state);
        found.retain(|(what, to)| {
            *what == Happened::Event(event) && waiting(to) == wanted && to.data == values && !to.overflow
        });
        assert_eq!(found.len(), 1, "{row}");
        state = found.remove(0).1;
    }
    assert_eq!(rows.count(), 44);
    assert!(waiting(&state).is_empty() && !state.blocked.contains(&true));
    let actions = model.nodes.iter().filter(|n| n.kind == amber::model::NodeKind::Action).count();
    assert!(readme.contains(&format!("{actions} actions")) && actions >= 40);
}

#[test]
fn examples_have_the_verdicts_that_they_expect() {
    for folder in examples() {
        let file = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let lowered = machine(&file("model.amber"), &file("properties.gsmp"));
        let machine = &lowered.machine;
        let plan = Plan { engines: vec![Engine::NATIVE], ..Plan::default() };
        let results = run("model.amber", machine, &plan);
        agree(&folder.display().to_string(), &results);
        for r in &results.results {
            let property = machine.properties.iter().find(|p| p.name == r.property).unwrap();
            assert_eq!(r.verdict.holds(), Some(property.expect), "{}: {}", folder.display(), r.property);
        }
    }
}
