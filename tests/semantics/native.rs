//! The native checker on random applications: verdicts and numbers must be those of the explicit search, all logics and the
//! standard questions included, and what it shows must replay.
//!
//! `GSMC_RANDOM` says how many applications (a few by default), `GSMC_SEED` where to begin. Thousands take a minute:
//! `GSMC_RANDOM=5000 cargo test --release --test semantics native -- --nocapture`.

use crate::common::{load_with, number, search};
use gsmc::answer::{Engine, PropertyResult, Results, Verdict};
use gsmc::backend;
use gsmc::check::{Plan, run};
use gsmc::interp::{Explicit, Interp, Limits};
use gsmc::lang::gsm::{EventIx, Gsm, Instance, Occurrence, Rules};
use gsmc::testing::random_app;
use std::collections::{BTreeMap, BTreeSet};

/// Larger applications than this are left out.
const MOST: usize = 3_000;

/// How many verdicts were compared: per logic, true and false.
type Tally = BTreeMap<String, [usize; 2]>;

fn plan() -> Plan {
    Plan { engines: vec![Engine::NATIVE], builtin: true, external: backend::Options::default(), ..Plan::default() }
}

/// Compares one application; `false` if it is too large.
fn compare(seed: u64, tally: &mut Tally) -> bool {
    let project = random_app(seed);
    let gsm = load_with(&project, false, true);
    let machine = &gsm.machine;
    let Ok(explicit) = Explicit::build(machine, Limits { states: MOST, ..Limits::default() }) else { return false };
    let results = run("model.xml", machine, &plan());
    let context = || format!("seed {seed}\n{project}");
    numbers(&results, &explicit, &context);
    let mut count = |kind: String, holds: bool| tally.entry(kind).or_default()[usize::from(!holds)] += 1;
    for property in &machine.properties {
        let answer = found(&results, &property.name);
        let Some(holds) = answer.verdict.holds() else {
            let refused = answer.verdict == Verdict::Unsupported && !property.fair.is_empty();
            assert!(refused, "{} is {}: {}", property.text, answer.verdict.name(), context());
            continue;
        };
        assert_eq!(holds, explicit.check(property), "{}, {}", property.text, context());
        let fair = if property.fair.is_empty() { "" } else { ", fair" };
        count(format!("{:?}{fair}", answer.logic), holds);
    }
    for (name, expected) in step_answers(&gsm, &explicit) {
        let answer = found(&results, &name);
        assert_eq!(answer.verdict, Verdict::of(expected), "{name}, {}", context());
        shows_its_step(answer, &context);
        count("steps".into(), expected);
    }
    for r in &results.results {
        assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{}: {:?}, {}", r.property, r.reason, context());
        let decided = r.verdict.holds().is_some();
        assert!(r.exact || !decided || explicit.overflow_reachable(), "{} is exact, {}", r.property, context());
    }
    true
}

fn found<'r>(results: &'r Results, name: &str) -> &'r PropertyResult {
    results.results.iter().find(|r| r.property == name).unwrap_or_else(|| panic!("no answer for {name}"))
}

fn numbers(results: &Results, explicit: &Explicit, context: &dyn Fn() -> String) {
    let n = &results.machine;
    assert_eq!(n.reachable_states, Some(explicit.states().to_string()), "snapshots, {}", context());
    assert_eq!(n.dead_ends, Some(explicit.terminal().to_string()), "dead ends, {}", context());
    assert_eq!(n.overflow_reachable, Some(explicit.overflow_reachable()), "overflow, {}", context());
    assert_eq!(n.order_dependent, Some(explicit.order_dependent()), "order, {}", context());
}

/// The standard questions about steps with the answers that taking all steps gives.
fn step_answers(gsm: &Gsm, explicit: &Explicit) -> Vec<(String, bool)> {
    let (app, machine) = (&gsm.app, &gsm.machine);
    let interp = Interp::new(machine);
    let all = Rules::of(app);
    let (mut fired, mut events) = (BTreeSet::new(), BTreeSet::new());
    let (mut made, mut stuck) = (BTreeSet::new(), false);
    search(&interp, MOST, &mut |snapshot, steps| {
        for (action, step) in steps.iter().filter_map(|s| Some((s.action?, s))) {
            let body = machine.body(&machine.actions[action]);
            let rules = || step.fired.iter().map(|f| &body.rules[*f]);
            // Consumed: a rule fires that names the event, where it occurs, or any rule where none names it.
            let what = gsm.map.occurrence(machine.actions[action].body).expect("something happens");
            // A message is an event, too.
            let event = EventIx::each(&app.events).find(|(e, event)| event.creates.is_none() && what.includes(app, *e));
            let event = event.map(|(e, _)| e);
            let names =
                |e: EventIx, key: usize| all.list[key].sentry(app).is_some_and(|g| g.named_events().contains(&e));
            let consumed = event.is_none_or(|e| {
                let named = (0..all.list.len()).any(|key| names(e, key));
                rules().any(|r| !named || names(e, r.origin.key as usize) && r.origin.slot == body.target)
            });
            events.extend(matches!(what, Occurrence::TaskDone(..)).then(|| what.name(app)));
            events.extend(consumed.then(|| event.map_or(body.event.clone(), |e| app.events[e].id.clone())));
            fired.extend(step.fired.iter().map(|f| body.rules[*f].origin.key as usize));
        }
        let open = |slot: &Instance| {
            let ends: Vec<_> = gsmc::lang::gsm::top_milestones(&app.types[slot.ty]).collect();
            let is = |v: gsmc::machine::VarId| snapshot[v.0 as usize] != 0;
            is(slot.created) && !ends.is_empty() && !ends.iter().any(|m| is(slot.milestones[m.0]))
        };
        made.extend(gsm.map.slots.iter().filter(|s| snapshot[s.created.0 as usize] != 0).map(|s| s.ty));
        stuck |= steps.iter().all(|s| s.action.is_none()) && gsm.map.slots.iter().any(open);
    });
    let rules = Rules::of(app);
    let guards = rules.list.iter().enumerate().filter(|(_, r)| r.pac() == 1);
    let mut answers: Vec<(String, bool)> = guards
        .map(|(ix, r)| {
            let name = format!("{}.{}", app.types[r.ty].id, r.label(app).trim_start_matches("PAC-1 "));
            (format!("guard-fires({name})"), fired.contains(&ix))
        })
        .collect();
    for o in Occurrence::all(app) {
        if !matches!(o, Occurrence::Event(e) if app.events[e].outgoing) {
            // An event that creates what a task creates, too, has done its work when there is an instance.
            let created = match o {
                Occurrence::Event(e) => app.events[e].creates.filter(|ty| app.created_by_task(*ty)),
                Occurrence::TaskDone(..) => None,
            };
            let consumed = created.map_or_else(|| events.contains(&o.name(app)), |ty| made.contains(&ty));
            answers.push((format!("event-consumed({})", o.name(app)), consumed));
        }
    }
    answers.push(("order-independent".into(), !explicit.order_dependent()));
    answers.push(("no-early-dead-end".into(), !stuck));
    answers
}

/// A witness about a step ends with that step; a step that is never taken, or always harmless, has nothing to show.
fn shows_its_step(answer: &PropertyResult, context: &dyn Fn() -> String) {
    let name = &answer.property;
    let inside = |head: &str| name.strip_prefix(head).and_then(|n| n.strip_suffix(')'));
    let (guard, event) = (inside("guard-fires("), inside("event-consumed("));
    let shown = (answer.verdict == Verdict::True) == (guard.is_some() || event.is_some());
    assert_eq!(answer.trace.is_some(), shown, "{name}, {}", context());
    let Some(last) = answer.trace.as_ref().filter(|_| shown).and_then(|t| t.steps.last()) else { return };
    if let Some(event) = event {
        let creates = last.changes.iter().any(|(what, value)| what.ends_with(".created") && *value == true);
        let by_a_task = event.starts_with("Create_") && creates;
        let sent = last.event.as_deref().unwrap_or_default();
        let message = sent.split_once(" from ").is_some_and(|(sent, from)| {
            sent == event || event.strip_prefix("done ").is_some_and(|task| from.ends_with(&format!("].{task}")))
        });
        assert!(sent == event || by_a_task || message, "{name}, {}", context());
    }
    if let Some(guard) = guard.and_then(|g| g.split_once('.')).map(|(_, label)| label) {
        assert!(last.rules.iter().any(|r| r.ends_with(&format!("PAC-1 {guard}"))), "{name}, {}", context());
    }
}

/// Applications on which something was wrong once: under fairness a look-alike from which no fair run starts makes `EF p` false
/// although `p` holds in it.
const FOUND: [u64; 1] = [21773];

#[test]
fn applications_that_found_something() {
    assert!(FOUND.iter().all(|&seed| compare(seed, &mut Tally::new())));
}

#[test]
fn random_applications() {
    let (count, first) = (number("GSMC_RANDOM", 60), number("GSMC_SEED", 0));
    println!("seeds {first} to {}", first + count - 1);
    let mut tally = Tally::new();
    let compared = (first..first + count).filter(|&seed| compare(seed, &mut tally)).count();
    println!("{compared} applications compared; verdicts (true, false): {tally:?}");
    assert!(compared as u64 * 2 > count, "most applications are small enough");
}

fn example(name: &str) -> Gsm {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    let loaded = gsmc::lang::load::load(&gsmc::lang::load::Request { dir: Some(dir), ..Default::default() });
    Gsm::new(loaded.app.expect("an application"), loaded.properties, &loaded.sources).expect("a machine")
}

#[test]
fn what_a_task_creates_counts_as_created() {
    let gsm = example("garage");
    let results = run("model.xml", &gsm.machine, &plan());
    let answer = found(&results, "event-consumed(Create_Claim)");
    assert_eq!(answer.verdict, Verdict::True);
    let last = answer.trace.as_ref().and_then(|t| t.steps.last()).expect("a run");
    assert_eq!(last.changes.get("Claim[1].created"), Some(&true.into()));
}

#[test]
fn every_question_has_an_answer_when_a_limit_is_reached() {
    let gsm = example("garage");
    let whole = run("model.xml", &gsm.machine, &plan());
    let names = |r: &Results| r.results.iter().map(|a| a.property.clone()).collect::<Vec<_>>();
    let asked = names(&whole);
    assert!(asked.len() > gsm.machine.properties.len());
    let at_once = Plan { timeout: Some(std::time::Duration::from_nanos(1)), ..plan() };
    let crammed = Plan { memory: Some(1), ..plan() };
    for (plan, verdict) in [(at_once, Verdict::Timeout), (crammed, Verdict::OutOfMemory)] {
        let results = run("model.xml", &gsm.machine, &plan);
        assert_eq!(names(&results), asked);
        // What a quick look finds is an answer all the same; no limit touches it.
        for (r, all) in results.results.iter().zip(&whole.results) {
            let shown = r.trace.as_ref().is_some_and(|t| t.certified) && r.verdict == all.verdict;
            assert!(r.verdict == verdict || shown, "{}: {} {:?}", verdict.name(), r.property, r.verdict);
        }
        assert!(results.results.iter().any(|r| r.verdict == verdict), "{}", verdict.name());
    }
    let stopped = Plan { engines: vec![Engine::NATIVE, backend::nusmv::ENGINE], ..plan() };
    stopped.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let results = run("model.xml", &gsm.machine, &stopped);
    let of = |engine: Engine| results.results.iter().filter(|r| r.engine == engine).count();
    assert_eq!((of(Engine::NATIVE), of(backend::nusmv::ENGINE)), (asked.len(), gsm.machine.properties.len()));
}
