//! Models that diagrams alone come to no end with: what is near is found, what is open is named, observers are decided one by one.

use gsmc::answer::{Engine, PropertyResult, Results, Verdict};
use gsmc::check::{Plan, ask};
use gsmc::interp::{Choice, Explicit, Interp, Limits};
use gsmc::logic::{Bool, Formula, Path as Quantifier, Temporal};
use gsmc::machine::{ExprId, Influence};
use gsmc::testing::blocks::{Size, block_model};
use gsmc::testing::{Choices, random_app};
use gsmc::{Options, Project};
use std::collections::BTreeMap;

fn open(model: &str, schema: &str, formulas: &[String], standard: bool) -> Project {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::write(place.path().join("model.xml"), model).expect("a model");
    std::fs::write(place.path().join("infoModel.xsd"), schema).expect("a schema");
    let mut options = Options {
        model: Some(place.path().join("model.xml")),
        formulas: formulas.to_vec(),
        standard,
        ..Options::default()
    };
    options.overrides.profile = Some("gsm".into());
    Project::read(&options).unwrap_or_else(|refused| panic!("{refused}"))
}

fn plan(memory: Option<u64>, builtin: bool) -> Plan {
    Plan { engines: vec![Engine::NATIVE], memory, builtin, ..Plan::default() }
}

fn holds(interp: &Interp, f: &Formula<ExprId>, snapshot: &[i64]) -> bool {
    match f {
        Formula::Atom(e) => interp.holds(*e, snapshot),
        Formula::Bool(Bool::And(parts)) => parts.iter().all(|p| holds(interp, p, snapshot)),
        Formula::Bool(Bool::Or(parts)) => parts.iter().any(|p| holds(interp, p, snapshot)),
        _ => panic!("not what a standard property asks for: {f:?}"),
    }
}

/// The standard properties of the form `EF …` that random runs of 100 steps reach.
fn simulated(project: &Project, runs: u64) -> Vec<String> {
    let (machine, interp) = (project.machine(), Interp::new(project.machine()));
    let mut goals: BTreeMap<&str, _> = BTreeMap::new();
    for p in &machine.properties {
        if let Formula::Quantified(Quantifier::E, Temporal::Finally(goal)) = &p.formula {
            goals.insert(&p.name, &**goal);
        }
    }
    let mut reached: Vec<String> = Vec::new();
    for seed in 0..runs {
        let (mut rng, mut now) = (fastrand::Rng::with_seed(seed), interp.initial());
        for _ in 0..100 {
            let here = goals.iter().filter(|(_, goal)| holds(&interp, goal, &now));
            reached.extend(here.map(|(name, _)| name.to_string()));
            goals.retain(|name, _| !reached.iter().any(|r| r == name));
            let choices: Vec<Choice> = interp.choices(&now).into_iter().filter(|c| *c != Choice::Idle).collect();
            let Some(step) = rng.choice(&choices).and_then(|c| interp.step(&now, c)) else { break };
            now = step.after;
        }
    }
    reached
}

/// Every answer is a replayed run or says why there is none; the same every time.
#[test]
fn what_a_simulation_reaches_is_answered() {
    let count: u64 = std::env::var("GSMC_RANDOM_LARGE").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for seed in 0..count {
        let texts = block_model(&mut Choices::seeded(seed), Size::LARGE);
        let project = open(&texts.model, &texts.schema, &[], true);
        let reached = simulated(&project, 20);
        assert!(reached.len() > 10, "seed {seed}: {reached:?}");
        // So little memory that diagrams decide nothing.
        let results = ask("model", project.lens(), &plan(Some(1 << 16), true));
        let answer = |name: &str| results.results.iter().find(|r| r.property == name).expect("an answer");
        for name in &reached {
            let r = answer(name);
            assert_eq!(r.verdict, Verdict::True, "seed {seed}: {name} {:?}", r.reason);
            assert!(r.trace.as_ref().is_some_and(|t| t.certified), "seed {seed}: {name}");
        }
        let open: Vec<&PropertyResult> = results.results.iter().filter(|r| r.verdict.holds().is_none()).collect();
        assert!(open.iter().all(|r| r.verdict == Verdict::OutOfMemory && r.reason.is_some()), "seed {seed}");
        assert!(!open.is_empty() && results.exit_code() != 0, "invariants are not for a quick look");
        let asked = project.machine().properties.len() + project.machine().questions.len();
        assert_eq!(results.results.len(), asked, "seed {seed}");
    }
}

/// A row of stages, each with an event of its own, a flow guard and a fault logger.
fn row(stages: usize) -> String {
    let mut text = String::new();
    for n in 0..stages {
        let before = n.checked_sub(1).map_or("true".to_string(), |b| format!("GSM.isMilestoneAchieved(S{b}_m)"));
        text += &format!(
            "<ca:Stage id=\"S{n}\"><ca:DataFlowGuard id=\"g{n}\" expression=\"GSM.isEventOccurring(e{n})\"/>\
             <ca:ProcessFlowGuard id=\"p{n}\" expression=\"{before}\"/>\
             <ca:FaultLogger id=\"f{n}\" expression=\"GSM.isEventOccurring(e{})\"/>\
             <ca:Milestone id=\"S{n}_m\"><ca:Condition id=\"c{n}\" expression=\"GSM.isEventOccurring(d{n})\"/></ca:Milestone></ca:Stage>\n",
            (n + 1) % stages
        );
    }
    let events = (0..stages).flat_map(|n| [format!("e{n}"), format!("d{n}")]);
    let events: String = events.map(|e| format!("<ca:Event id=\"{e}\" name=\"{e}\"/>\n")).collect();
    format!(
        "<ca:CompositeApplicationType xmlns:ca=\"http://siena.ibm.com/model/CompositeApplication\" name=\"row\">\n<ca:EventModel id=\"em\">\n{events}</ca:EventModel>\n\
         <ca:Component id=\"C\"><ca:GuardedStageModel id=\"g\">\n{text}</ca:GuardedStageModel></ca:Component></ca:CompositeApplicationType>\n"
    )
}

fn verdicts(results: &Results) -> Vec<(String, Option<bool>)> {
    results.results.iter().map(|r| (r.property.clone(), r.verdict.holds())).collect()
}

/// With memory for one observer but not for all of them, each property is decided on what it needs, as it is with enough memory.
#[test]
fn properties_are_decided_on_what_they_need() {
    let stages = 7;
    let mut formulas = Vec::new();
    for n in 0..stages {
        formulas.push(format!("AG forall x : C (x.outOfOrder('S{n}') -> AG x.outOfOrder('S{n}'))"));
        formulas.push(format!("AG forall x : C (x.faulty('S{n}') -> EF !x.faulty('S{n}'))"));
        formulas.push(format!("AG EF exists x : C (x.skipped('S{n}'))"));
        formulas.push(format!("AF exists x : C (x.S{n} || x.faulty('S{n}'))"));
    }
    let project = open(&row(stages), "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"/>", &formulas, false);
    let all = ask("model", project.lens(), &plan(None, false));
    assert!(all.results.iter().all(|r| r.verdict.holds().is_some()));
    let mut split = 0;
    for kilobytes in [48, 64, 96, 128, 192, 256, 384, 512] {
        let few = ask("model", project.lens(), &plan(Some(kilobytes << 10), false));
        assert!(few.results.iter().all(|r| r.trace.as_ref().is_none_or(|t| t.certified)), "{kilobytes} KB");
        let decided = verdicts(&few).into_iter().zip(verdicts(&all)).filter(|(a, _)| a.1.is_some());
        decided.for_each(|(few, all)| assert_eq!(few, all, "{kilobytes} KB"));
        let complete = few.results.iter().all(|r| r.verdict.holds().is_some());
        // Without the numbers of the whole, it was decided in parts.
        split += u32::from(complete && few.machine.reachable_states.is_none());
    }
    assert!(split > 0, "no memory was enough for the parts and too little for the whole");
}

/// What a property needs of a random application decides it as the whole does; both by looking at all snapshots.
#[test]
fn slices_decide_as_the_whole() {
    let count: u64 = std::env::var("GSMC_RANDOM_APPLICATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let (mut less, mut compared) = (0, 0);
    for seed in 500..500 + count {
        let place = tempfile::tempdir().expect("a folder");
        random_app(seed).write_to(place.path()).expect("files");
        let project = Project::open(place.path(), &Options::default()).unwrap_or_else(|refused| panic!("{refused}"));
        let machine = project.machine();
        let limits = Limits { states: 20_000, ..Limits::default() };
        let Ok(whole) = Explicit::build(machine, limits) else { continue };
        let influence = Influence::of(machine);
        for p in &machine.properties {
            let kept = influence.on_property(p);
            less += u32::from(kept.bits(machine) < machine.state_bits());
            let slice = kept.of(machine, std::slice::from_ref(p), &[]).expect("a machine");
            let alone = Explicit::build(&slice, limits).expect("no larger than the whole");
            assert_eq!(alone.check(p), whole.check(p), "seed {seed}: {}", p.text);
            compared += 1;
        }
    }
    assert!(compared > count && less > 0, "{less} of {compared} need less than everything");
}
