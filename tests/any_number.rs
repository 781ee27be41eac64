//! Verdicts for any number of instances: what is said about larger numbers is compared with checks of larger numbers.
//!
//! `GSMC_RANDOM_ANY` says how many random applications (a few by default), `GSMC_RANDOM_START` where to begin, `GSMC_ANY_MOST` up to
//! how many instances.

mod common;

use gsmc::answer::{By, Engine, Extent, Results, Scope};
use gsmc::any::{self, Data, Question};
use gsmc::check::{Plan, run};
use gsmc::lang::Lens;
use gsmc::lang::gsm::{Gsm, TypeIx};
use gsmc::source::Sources;
use gsmc::testing::{Limits, random_app_with};
use gsmc::{Options, Project};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Verdicts of properties by name.
type Verdicts = BTreeMap<String, Option<bool>>;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// The largest number of instances that is compared.
fn most() -> u32 {
    number("GSMC_ANY_MOST", 4) as u32
}

fn plan() -> Plan {
    Plan { engines: vec![Engine::NATIVE], timeout: Some(Duration::from_secs(60)), ..Plan::default() }
}

fn open(folder: &str, any: &str) -> Project {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut options = Options::default();
    options.overrides.instances.push(format!("{any}=any"));
    Project::open(path, &options).unwrap_or_else(|refused| panic!("{refused}"))
}

fn asked(project: &Project) -> Results {
    let question =
        Question { lens: project.lens(), sources: &project.sources, model: "model", data: Data::Bounded, open: None };
    any::run(&question, &plan()).unwrap_or_else(|why| panic!("{why}"))
}

/// The verdicts with a given number of instances of the types of which there may be any.
fn with(lens: &dyn Lens, sources: &Sources, n: u32) -> Verdicts {
    let counted = lens.counted().expect("instances");
    let bounds: Vec<u32> = counted.types().iter().map(|t| if t.any { n } else { t.bound }).collect();
    let resized = counted.resized(&bounds, sources).unwrap_or_else(|d| panic!("{}", d.message));
    let results = run("model", resized.machine(), &plan());
    results.results.into_iter().map(|r| (r.property, r.verdict.holds())).collect()
}

/// What is claimed about numbers of instances must be so, up to `most`. Gives how many claims there were of each kind.
fn compare(results: &Results, vectors: &[Verdicts], context: &dyn Fn() -> String) -> [usize; 3] {
    let mut claims = [0; 3];
    for r in &results.results {
        let (Some(scope), Some(holds)) = (&r.scope, r.verdict.holds()) else { continue };
        let least = scope.cutoff.values().copied().max().unwrap_or(1) as usize;
        let vector: Vec<Option<bool>> = vectors.iter().map(|v| v.get(&r.property).copied().flatten()).collect();
        let told = || format!("{}: {}\n{:?} {}", r.property, r.formula, vector, scope.text());
        let (from, to) = match scope.extent {
            Extent::AtMost => (least, least),
            Extent::Any if matches!(scope.by, Some(By::Sandwich | By::Views)) => (1, vectors.len()),
            _ => (least, vectors.len()),
        };
        for n in from..=to.min(vectors.len()) {
            let there = vector[n - 1].is_none_or(|v| v == holds);
            assert!(there, "{holds} is not so with {n}: {}\n{}", told(), context());
        }
        claims[match scope.extent {
            Extent::Any => 0,
            Extent::From => 1,
            Extent::AtMost => 2,
        }] += 1;
    }
    claims
}

fn case(folder: &str, any: &str, most: u32) -> (BTreeMap<String, Scope>, Vec<Verdicts>) {
    let project = open(folder, any);
    let results = asked(&project);
    let vectors: Vec<_> = (1..=most).map(|n| with(project.lens(), &project.sources, n)).collect();
    compare(&results, &vectors, &|| folder.to_string());
    let scopes = results.results.into_iter().filter_map(|r| Some((r.property, r.scope?))).collect();
    (scopes, vectors)
}

/// As T and F, for 1, 2, … instances.
fn vector(vectors: &[Verdicts], name: &str) -> String {
    let letter = |v: &Verdicts| match v.get(name).copied().flatten() {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '?',
    };
    vectors.iter().map(letter).collect()
}

/// Documents that do not touch each other, with properties made to break a wrong criterion.
#[test]
fn documents() {
    // Where a condition of the criterion is left out, the number is smaller than the one here, and the verdict changes after it.
    let expected = [
        // The last instance that is seen: without it, 1.
        ("eve-pin", "FTTT", "any 2"),
        ("eve-pin-dual", "TFFF", "any 2"),
        ("eve-pin-toggle", "FTTT", "any 3"),
        ("eve-pin-toggle2", "FFTT", "any 4"),
        // Who wrote what is remembered: without them, 1.
        ("helper", "FTTT", "any 2"),
        ("helpers", "FFTT", "any 3"),
        ("helpers-3", "FFTT", "any 4"),
        ("memory-neg", "TFFF", "any 5"),
        ("memory-neg2", "TFFF", "any 5"),
        // Instances that starve others: without them, 1.
        ("starve2", "TFFF", "any 2"),
        ("starve-ltl", "TFFF", "any 2"),
        // Instances that are compared: the number of variables.
        ("several", "TFFF", "any 2"),
        ("several3", "FFTT", "any 3"),
        ("until", "FTTT", "any 2"),
        // One beside the one chosen, which must be as it is in all runs to come.
        ("mix-in", "TFFF", "any 2"),
        ("stays", "FTTT", "any 2"),
        // What is said about all runs of an instance together with the one chosen, of every instance that there be another, of the
        // next step, of what an agent knows that remembers: no number is claimed.
        ("mix", "TFFF", "at most 3"),
        ("some-under-all", "FFTT", "from 3"),
        ("steps", "FTTT", "at most 3"),
        ("memory-pos", "TTFF", "at most 3"),
        ("open", "TTTT", "at most 3"),
        ("eve-open", "TTTT", "at most 3"),
        // Knowledge that one alone never has.
        ("eve-never", "TFFF", "at most 3"),
    ];
    as_told("tests/any/docs", &expected);
}

/// Compares the verdicts for 1 to 4 instances and what is said about any number with what they should be, by property.
fn as_told(folder: &str, expected: &[(&str, &str, &str)]) {
    let (scopes, vectors) = case(folder, "Doc", most());
    let said = |name: &str| {
        let s = &scopes[name];
        let word = match s.extent {
            Extent::Any => "any",
            Extent::From => "from",
            Extent::AtMost => "at most",
        };
        format!("{word} {}", s.cutoff["Doc"])
    };
    for (name, verdicts, scope) in expected {
        assert_eq!((&vector(&vectors, name)[..4], said(name).as_str()), (*verdicts, *scope), "{name}");
    }
}

/// What is remembered can count instances, or be too much for the memory.
#[test]
fn counted_and_cut() {
    let expected = [
        ("counted", "FFTT", "from 3"),
        ("full", "FFFT", "at most 3"),
        ("two", "FTTT", "at most 3"),
        ("in-turn", "FTTT", "from 3"),
        ("one-alone", "TFFF", "at most 3"),
    ];
    as_told("tests/any/count/model.gsm", &expected);
    as_told("tests/any/cut/model.gsm", &[("cut", "FTTT", "any 2")]);
}

/// Every bound is not endless arrivals: what is so in the end may never be where new ones come for ever.
#[test]
fn arrivals() {
    let (scopes, vectors) = case("tests/any/arrive/model.gsm", "Doc", most());
    let said = |name: &str| {
        let told = scopes[name].why.iter().map(|w| w.text.as_str()).find(|t| t.contains("arriving"));
        (vector(&vectors, name)[..3].to_string(), scopes[name].extent, told.unwrap_or("").to_string())
    };
    let expected = [
        ("each", "TTT", "with new ones arriving for ever: false"),
        ("left-lying", "FFF", "with new ones arriving for ever: true"),
        ("answered-is-answered", "TTT", "also with new ones arriving for ever"),
        ("some", "TTT", "with new ones arriving for ever it may be otherwise"),
        ("never-lost", "TTT", ""),
    ];
    for (name, verdicts, told) in expected {
        assert_eq!(said(name), (verdicts.to_string(), Extent::Any, told.to_string()), "{name}");
    }
}

/// Large given numbers are decided with as few instances as suffice; the verdicts are those of all of them.
#[test]
fn many_instances_are_decided_with_few() {
    for folder in ["tests/any/arrive/model.gsm", "tests/any/cut/model.gsm", "tests/any/count/model.gsm"] {
        let mut options = Options::default();
        options.overrides.instances.push("Doc=13".into());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let project = Project::open(path, &options).unwrap_or_else(|refused| panic!("{refused}"));
        assert!(any::are_many(project.lens()));
        let few = asked(&project);
        let all: Verdicts = with(project.lens(), &project.sources, 13);
        for r in &few.results {
            assert_eq!(r.verdict.holds(), all[&r.property], "{folder}: {}", r.property);
            let any = r.scope.as_ref().is_some_and(|s| s.extent == Extent::Any);
            assert!(any || !folder.contains("arrive"), "{folder}: {}", r.property);
        }
        assert_eq!(few.machine.bounds["Doc"], 13);
    }
}

/// What is said of a check with fixed bounds about larger ones.
#[test]
fn growth() {
    for folder in ["tests/any/docs", "tests/any/count/model.gsm", "tests/any/wait/model.gsm"] {
        let type_name = if folder.contains("wait") { "Parcel" } else { "Doc" };
        let fixed = |n: u32| {
            let mut options = Options::default();
            options.overrides.instances.push(format!("{type_name}={n}"));
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            let project = Project::open(path, &options).unwrap_or_else(|refused| panic!("{refused}"));
            let mut results = run("model", project.lens().machine(), &plan());
            any::note_growth(project.lens(), &mut results);
            results
        };
        let all: Vec<Results> = (1..=3).map(fixed).collect();
        let verdicts = |r: &Results| r.results.iter().map(|r| (r.property.clone(), r.verdict.holds())).collect();
        let vectors: Vec<Verdicts> = all.iter().map(verdicts).collect();
        let claims: usize = all.iter().map(|r| compare(r, &vectors, &|| folder.to_string())[1]).sum();
        assert!(claims > 0, "{folder}");
    }
}

/// Documents that meet in private variables: no number suffices, but what always holds can be proved on every few of them.
#[test]
fn locks() {
    let (scopes, _) = case("tests/any/lock", "Doc", 4);
    let said: Vec<(&str, Option<By>, u32)> =
        scopes.iter().map(|(name, s)| (name.as_str(), s.by, s.cutoff["Doc"])).collect();
    let views = Some(By::Views);
    let expected = [
        ("busy", views, 2),
        ("desk-gets-free", None, 3),
        ("knows", views, 2),
        ("no-overflow", views, 3),
        ("one-desk", views, 2),
        ("shelf-count", views, 3),
        // There is more in views than can be, so that somebody works, or that somebody is unsure, is not proved by them.
        ("somebody-works", None, 3),
        ("two-shelves", views, 3),
        ("unsure", None, 3),
    ];
    assert_eq!(said, expected);
    let why = &scopes["one-desk"].why;
    assert!(why.iter().any(|w| w.text.contains("bob may send work depends on bob.busy")), "{why:?}");
}

/// What the machine says about instances that touch each other, for machines made of one in which they do not.
#[test]
fn every_touch_is_seen() {
    use gsmc::any::couple::couple;
    use gsmc::machine::{Assign, Machine, TRUE};
    let project = open("tests/any/arrive/model.gsm", "Doc");
    let apart: &Machine = project.machine();
    let named = |name: &str| apart.var_ids().find(|v| apart.var(*v).name == name).expect("a variable");
    let (own, other) = (named("Doc[1].Answered"), named("Doc[2].Answered"));
    let body = apart.bodies.iter().position(|b| b.event == "Answer" && b.target.is_some_and(|t| t.0 == 0));
    let body = body.expect("a step of the first slot");
    let action = apart.actions.iter().position(|a| a.body.0 == body).expect("somebody may take it");
    let rule = apart.bodies[body].rules.iter().position(|r| r.origin.slot == apart.bodies[body].target);
    let rule = rule.expect("a rule of its own");
    assert!(couple(apart, 0).obstacles.is_empty());
    assert_eq!((couple(apart, 0).sees_apart.first(), couple(apart, 0).always_created), (Some(&true), true));

    let coupled = |change: &dyn Fn(&mut Machine)| -> Vec<String> {
        let mut machine = apart.clone();
        change(&mut machine);
        couple(&machine, 0).obstacles.into_iter().map(|o| o.text).collect()
    };
    let looks = "Answer at Doc[1] looks at Doc[2].Answered";
    let changes = "Answer at Doc[1] changes Doc[2].Answered";
    let assign = Assign { var: other, value: TRUE };
    assert_eq!(coupled(&|m| m.bodies[body].applicable = m.exprs.prev(other)), [looks]);
    assert_eq!(coupled(&|m| m.bodies[body].rules[rule].prerequisite = m.exprs.prev(other)), [looks]);
    assert_eq!(coupled(&|m| m.bodies[body].rules[rule].antecedent = m.exprs.cur(other)), [looks]);
    assert_eq!(coupled(&|m| m.bodies[body].rules[rule].value = m.exprs.cur(other)), [looks]);
    assert_eq!(coupled(&|m| m.bodies[body].rules[rule].target = other), [changes]);
    assert_eq!(coupled(&|m| m.bodies[body].effect.push(assign)), [changes]);
    let read = coupled(&|m| {
        let value = m.exprs.cur(other);
        m.bodies[body].effect.push(Assign { var: own, value });
    });
    assert_eq!(read, [looks]);
    let may = coupled(&|m| m.actions[action].allowed = m.exprs.prev(other));
    assert_eq!(may, ["whether carl may send Answer depends on Doc[2].Answered"]);

    let mut machine = apart.clone();
    let both = [machine.exprs.cur(other), machine.agents[0].views[0].visible];
    machine.agents[0].views[0].visible = machine.exprs.and(both);
    assert_eq!(couple(&machine, 0).sees_apart.first(), Some(&false), "it sees the first by what the second is");

    let mut machine = apart.clone();
    let seldom = machine.exprs.prev(own);
    machine.actions.iter_mut().for_each(|a| a.allowed = seldom);
    assert!(!couple(&machine, 0).always_created, "nobody may create before something has happened");
}

/// Statements that hold of every few documents, and what one document alone does not tell an agent that remembers the last.
#[test]
fn rings_and_doors() {
    let views = [("top", "TTTF", "at most 3"), ("sorted", "TTTT", "at most 3")];
    as_told("tests/any/ring/model.gsm", &views);
    as_told("tests/any/order/model.gsm", &[("knows-the-order", "FTTT", "at most 3")]);
}

/// A run that lost something for want of room is not one of larger systems.
#[test]
fn growth_ends_with_overflow() {
    let fixed = |n: u32| {
        let mut options = Options::default();
        options.overrides.instances.push(format!("Child={n}"));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/any/children/model.gsm");
        let project = Project::open(path, &options).unwrap_or_else(|refused| panic!("{refused}"));
        let mut results = run("model", project.lens().machine(), &plan());
        any::note_growth(project.lens(), &mut results);
        let told = |r: &gsmc::answer::PropertyResult| (r.verdict.holds() == Some(true), r.scope.is_some());
        let found = |name: &str| results.results.iter().find(|r| r.property == name).map(told).expect("asked");
        ["alone", "both"].map(found)
    };
    assert_eq!(fixed(1), [(true, false), (true, false)]);
    assert_eq!(fixed(2), [(false, false), (true, true)]);
    assert_eq!(fixed(3), [(false, false), (true, true)]);

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/any/children/model.gsm");
    let mut options = Options::default();
    options.overrides.instances.extend(["Parent=2".to_string(), "Child=any".to_string()]);
    let project = Project::open(path, &options).unwrap_or_else(|refused| panic!("{refused}"));
    let (results, four) = (asked(&project), with(project.lens(), &project.sources, 4));
    let few = results.results.iter().find(|r| r.property == "few").expect("asked");
    assert_eq!((few.verdict.holds(), four["few"]), (Some(true), Some(false)));
    assert_eq!(few.scope.as_ref().map(|s| s.extent), Some(Extent::AtMost));
}

/// A rule without event that is left ready makes every event happen, also its own instance's.
#[test]
fn instances_that_wait() {
    let (scopes, vectors) = case("tests/any/wait/model.gsm", "Parcel", 4);
    assert_eq!((vector(&vectors, "never-printed").as_str(), vector(&vectors, "printed").as_str()), ("FFFF", "TTTT"));
    for scope in scopes.values() {
        assert_eq!(scope.extent, Extent::From, "a run shows it, and nothing is claimed for one");
        let why = &scope.why;
        let place =
            why.iter().find(|w| w.text.contains("wait for each other's steps")).and_then(|w| w.place.as_deref());
        assert_eq!(place, Some("model.gsm:12"), "{why:?}");
    }
}

/// The papers' properties, for any number of orders and of proposals.
#[test]
fn case_studies() {
    let all = |folder: &str, any: &str, agents: &str| -> Vec<(String, Option<By>, u32)> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut options = Options::default();
        options.overrides.instances.push(format!("{any}=any"));
        options.agents = Some(path.join(agents));
        let project = Project::open(&path, &options).unwrap_or_else(|refused| panic!("{refused}"));
        let results = asked(&project).results;
        let told = results.into_iter().filter_map(|r| {
            assert_eq!(r.verdict.holds(), Some(r.expect), "{}", r.property);
            let scope = r.scope.filter(|s| s.extent == Extent::Any)?;
            Some((r.property, scope.by, scope.cutoff[any]))
        });
        told.collect()
    };
    let (cutoff, sandwich) = (Some(By::Cutoff), Some(By::Sandwich));
    for agents in ["agents-3.gsma", "agents-15.gsma"] {
        let expected = [
            ("can-be-received", cutoff, 3),
            ("learns-about-others", sandwich, 1),
            ("knows-the-parts", cutoff, 3),
            ("cancelled-by-another", cutoff, 2),
        ];
        let found = all("examples/order-to-cash", "CustomerOrder", agents);
        assert_eq!(found, expected.map(|(name, by, n)| (name.to_string(), by, n)), "{agents}");
    }
    let expected = [
        ("can-be-approved", cutoff, 1),
        ("everybody-will-know", sandwich, 1),
        ("reviews-are-confidential", cutoff, 2),
        ("public-knows-at-once", cutoff, 1),
        ("public-can-trust-the-portal", cutoff, 1),
    ];
    let found = all("examples/research-proposal", "RPE", "agents.gsma");
    assert_eq!(found, expected.map(|(name, by, n)| (name.to_string(), by, n)));
}

#[test]
fn random_applications() {
    let (count, start) = (number("GSMC_RANDOM_ANY", 4), number("GSMC_RANDOM_START", 0));
    let mut claims = [0; 3];
    let mut by: BTreeMap<String, usize> = BTreeMap::new();
    for seed in start..start + count {
        // Every other one without what couples instances, so that there are independent types, too.
        let loose = seed % 4 != 0;
        let limits = Limits {
            stages: 4,
            properties: 8,
            related: !loose,
            tasks: !loose || seed % 8 == 1,
            fixpoints: false,
            strategies: false,
            fairness: false,
            ..Limits::default()
        };
        let drawn = random_app_with(seed, &limits);
        let mut gsm: Gsm = common::load_with(&drawn, false, false);
        gsm.any = vec![TypeIx((seed / 4) as usize % gsm.app.types.len())];
        let sources = Sources::new();
        let question = Question { lens: &gsm, sources: &sources, model: "model", data: Data::Bounded, open: None };
        let results = any::run(&question, &plan()).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let vectors: Vec<_> = (1..=most().min(3 + u32::from(count > 4))).map(|n| with(&gsm, &sources, n)).collect();
        let found = compare(&results, &vectors, &|| format!("seed {seed}, any {:?}\n{drawn}", gsm.any));
        (0..3).for_each(|i| claims[i] += found[i]);
        for b in results.results.iter().filter_map(|r| r.scope.as_ref()?.by) {
            *by.entry(format!("{b:?}")).or_default() += 1;
        }
    }
    println!("{count} applications: {} any, {} from, {} at most; {by:?}", claims[0], claims[1], claims[2]);
    assert!(claims[0] > 0, "{claims:?}");
}

#[test]
fn every_answer_for_any_number_has_its_sentence() {
    let project = open("tests/any/docs", "Doc");
    let question =
        Question { lens: project.lens(), sources: &project.sources, model: "model", data: Data::Bounded, open: None };
    let only = Some(["helper", "starve", "response3", "eve-knows"].map(String::from).to_vec());
    let results = any::run(&question, &Plan { only, ..plan() }).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(results.results.len(), 4);
    for r in &results.results {
        assert!(!r.summary.is_empty(), "{}: {:?}", r.property, r.verdict);
        // What holds for any number rests on no bound.
        let any = r.scope.as_ref().is_some_and(|s| s.extent == Extent::Any);
        assert!(!(any && r.summary.contains("with at most")), "{}: {}", r.property, r.summary);
    }
}
