//! The case studies: sizes, verdicts and stories are those that their READMEs tell, whoever is asked.

use gsmc::answer::{Engine, PropertyResult, Results, Verdict};
use gsmc::check::{Plan, run};
use gsmc::lang::config::Overrides;
use gsmc::lang::gsm::summary::Summary;
use gsmc::lang::gsm::{Gsm, lower};
use gsmc::lang::load::{Request, load};
use gsmc::source::render_all;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// An example, read and lowered.
fn project(request: &Request) -> Gsm {
    let loaded = load(request);
    let shown = render_all(&loaded.diagnostics, &loaded.sources, false);
    let app = loaded.app.unwrap_or_else(|| panic!("{:?}:\n{shown}", request.dir));
    match Gsm::new(app, loaded.properties, &loaded.sources) {
        Ok(gsm) => gsm,
        Err(d) => panic!("{:?}: {}", request.dir, d.message),
    }
}

fn folder(name: &str) -> Request {
    Request { dir: Some(example(name)), ..Request::default() }
}

fn ask(request: &Request, engines: &[Engine], only: &[&str]) -> Results {
    let gsm = project(request);
    let plan = Plan {
        engines: engines.to_vec(),
        only: Some(only.iter().map(|n| n.to_string()).collect()).filter(|names: &Vec<String>| !names.is_empty()),
        timeout: Some(Duration::from_secs(300)),
        ..Plan::default()
    };
    run("model.xml", &gsm.machine, &plan)
}

/// Every verdict is decided as its author expects, unless the engine cannot express the property; every trace replays.
fn as_expected(results: Results) -> Results {
    assert!(!results.results.is_empty());
    for r in results.results.iter().filter(|r| r.verdict != Verdict::Unsupported) {
        assert_eq!(r.verdict, Verdict::of(r.expect), "{} by {} ({:?})", r.property, r.engine, r.reason);
        assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{} by {}: no replay", r.property, r.engine);
    }
    results
}

fn natively(request: &Request, only: &[&str]) -> Results {
    let results = as_expected(ask(request, &[Engine::NATIVE], only));
    assert_eq!(results.exit_code(), 0);
    results
}

/// All engines that are here; `decided` says how many of the properties each can decide.
fn by_all(name: &str, decided: [usize; 4]) {
    for (engine, count) in gsmc::backend::engines().zip(decided) {
        if crate::tools::there(engine, &format!("examples: {name}")) {
            let results = as_expected(ask(&folder(name), &[engine], &[]));
            let known = results.results.iter().filter(|r| r.verdict.holds().is_some()).count();
            assert_eq!(known, count, "{name}: properties that {engine} decides");
        }
    }
}

fn of<'r>(results: &'r Results, property: &str) -> &'r PropertyResult {
    results.results.iter().find(|r| r.property == property).unwrap_or_else(|| panic!("no {property}"))
}

/// The steps of the trace for a property, as `agent: event field=value …`; idling is left out.
fn story(results: &Results, property: &str) -> Vec<String> {
    let trace = of(results, property).trace.as_ref().unwrap_or_else(|| panic!("{property} has no trace"));
    let line = |step: &gsmc::trace::TraceStep| {
        let agent = step.agent.as_ref().map_or(String::new(), |a| format!("{a}: "));
        let fields = step.payload.iter().map(|(name, value)| match value.as_str() {
            Some(text) => format!(" {name}={text}"),
            None => format!(" {name}={value}"),
        });
        Some(format!("{agent}{}{}", step.event.as_ref()?, fields.collect::<String>()))
    };
    trace.steps.iter().filter_map(line).collect()
}

/// The parts of a story stand in it in this order, with anything between them.
fn tells(story: &[String], parts: &[&str]) {
    let mut rest = story.iter();
    for part in parts {
        assert!(rest.any(|line| line == part), "'{part}' is not told, or not there: {story:#?}");
    }
}

/// Stages, milestones, declared events and data attributes, of all types together.
fn numbers(request: &Request) -> [usize; 4] {
    let s = Summary::of(&project(request));
    let total = |f: fn(&gsmc::lang::gsm::summary::TypeSummary) -> usize| s.types.iter().map(f).sum();
    [total(|t| t.stages), total(|t| t.milestones), s.events, total(|t| t.attributes.len())]
}

#[test]
fn fixed_price() {
    let request = folder("fixed-price");
    assert_eq!(numbers(&request)[..2], [28, 37]);
    let results = natively(&request, &[]);
    assert!((100..=130).contains(&results.machine.state_bits), "{} bits", results.machine.state_bits);
    assert_eq!(results.machine.reachable_states.as_deref(), Some("63019"));

    let reach: Vec<&PropertyResult> = results.results.iter().filter(|r| r.property.starts_with("reach-")).collect();
    assert_eq!(reach.len(), 37);
    let never: Vec<&str> = reach.iter().filter(|r| !r.expect).map(|r| r.property.as_str()).collect();
    assert_eq!(never, ["reach-ImplicitlyRejected"]);
    for (name, verdict) in [
        ("p1", Verdict::True),
        ("p2", Verdict::True),
        ("p3", Verdict::True),
        ("winner-can-be-assigned", Verdict::True),
        ("winner-assignment-consistent", Verdict::False),
        ("order-consistent", Verdict::False),
    ] {
        assert_eq!(of(&results, name).verdict, verdict, "{name}");
    }
    tells(&story(&results, "winner-assignment-consistent"), &["BlessSubmit", "MCT", "AssignWinner"]);
    let rework = ["SubmitReview ReviewOutcome=Reject", "ConcludeReview", "ReworkFPR", "BlessSubmit", "ReworkFPR"];
    tells(&story(&results, "order-consistent"), &rework);
    tells(&story(&results, "p3"), &[&rework[..], &["DraftReady"]].concat());
}

#[test]
fn fixed_price_with_two_suppliers() {
    let only = ["reach-ImplicitlyRejected", "rejected-for-a-winner", "winner-assignment-consistent"];
    let results = natively(&folder("fixed-price-two"), &only);
    assert_eq!(of(&results, "reach-ImplicitlyRejected").verdict, Verdict::True);
    assert_eq!(results.machine.reachable_states.as_deref(), Some("29059711"));
}

#[test]
fn fixed_price_repaired() {
    let results = natively(&folder("fixed-price-repaired"), &[]);
    for name in ["winner-can-be-assigned", "winner-assignment-consistent", "order-consistent"] {
        assert_eq!(of(&results, name).verdict, Verdict::True, "{name}");
    }
    let lost = results.results.iter().filter(|r| r.property.starts_with("reach-") && !r.expect);
    assert_eq!(lost.map(|r| r.property.as_str()).collect::<Vec<_>>(), ["reach-ImplicitlyRejected"]);
    assert_eq!(results.machine.reachable_states.as_deref(), Some("19607"));
}

/// Order-to-Cash with some agents and some orders.
fn orders(agents: &str, count: u32) -> Request {
    let overrides = Overrides { instances: vec![format!("CustomerOrder={count}")], ..Overrides::default() };
    Request { agents: Some(example("order-to-cash").join(agents)), overrides, ..folder("order-to-cash") }
}

#[test]
fn order_to_cash_has_the_published_shape() {
    assert_eq!(numbers(&folder("order-to-cash")), [9, 11, 12, 10]);
    for (file, sizes) in [("agents-3.gsma", [1, 1, 1]), ("agents-15.gsma", [6, 5, 4])] {
        let app = project(&orders(file, 1)).app;
        let agents = app.agents.expect("agents");
        let of_role = |r| app.roles.get(r).map_or(0, |_| agents.iter().filter(|a| a.role == r).count());
        assert_eq!([of_role(0), of_role(1), of_role(2)], sizes, "{file}");
    }
}

/// Orders do not influence each other: with L states of one order, n orders have 1 + L + … + Lⁿ snapshots.
#[test]
fn order_to_cash_for_one_to_eight_orders() {
    for (file, states, counts) in [("agents-3.gsma", 33u128, &[1, 2, 3, 8][..]), ("agents-15.gsma", 1710, &[1, 3])] {
        for &n in counts {
            let results = natively(&orders(file, n), &[]);
            let snapshots: u128 = (0..=n).map(|k| states.pow(k)).sum();
            assert_eq!(results.machine.reachable_states, Some(snapshots.to_string()), "{file}, {n} orders");
            let verdicts: Vec<Verdict> = results.results.iter().map(|r| r.verdict).collect();
            assert_eq!(verdicts, [true, false, true, false].map(Verdict::of), "{file}, {n} orders");
        }
    }
}

#[test]
fn order_to_cash_without_a_window() {
    let results = ask(&orders("agents-careless.gsma", 1), &[Engine::NATIVE], &[]);
    assert_eq!(results.exit_code(), 1);
    let leak = story(&results, "learns-about-others");
    tells(&leak, &["Plato: Create_CustomerOrder CustomerId=Plato ManufacturerId=Hephaestus", "Hermes: OnDeliver"]);
    let created = "Diogenes: Create_CustomerOrder CustomerId=Diogenes ManufacturerId=Hephaestus";
    assert_eq!(story(&results, "cancelled-by-another"), [created, "Plato: OnCancel"]);
}

#[test]
fn order_to_cash_by_all_engines() {
    by_all("order-to-cash", [4, 1, 1, 4]);
}

#[test]
fn research_proposal() {
    by_all("research-proposal", [9, 1, 1, 9]);
    let results = natively(&folder("research-proposal"), &[]);
    assert_eq!(results.machine.reachable_states.as_deref(), Some("85"));
    assert_eq!(story(&results, "can-agree").last().map(|s| s.ends_with("onRefuse")), Some(true));
}

#[test]
fn garage() {
    by_all("garage", [5, 5, 5, 5]);
    let results = natively(&folder("garage"), &[]);
    assert_eq!(results.machine.reachable_states.as_deref(), Some("123"));
}

/// Also the stories, by every engine: a damage of 5 (or 6) of customer 4 is rejected; a car is delivered that nobody touched.
#[test]
fn garage_stories() {
    for engine in gsmc::backend::engines() {
        if !crate::tools::there(engine, "examples: garage stories") {
            continue;
        }
        let results = ask(&folder("garage"), &[engine], &["customer-4-gets-6000", "delivered-means-repaired"]);
        let rejected = story(&results, "customer-4-gets-6000");
        let damage = if rejected.iter().any(|s| s.ends_with("Damage=6")) { 6 } else { 5 };
        let (assessed, sent) = (
            format!("Mechanic: AssessDamage Damage={damage}"),
            format!("Mechanic: SendAssessment ClientId=4 ClaimedDamage={damage}"),
        );
        let steps = ["Fate: Create_Repair CustomerId=4", &assessed, &sent, "ProFit: Evaluate Decision=Rejected"];
        tells(&rejected, &steps);
        let delivered = story(&results, "delivered-means-repaired");
        tells(&delivered, &["ProFit: Evaluate Decision=Rejected", "ProFit: NotifyDecision", "Mechanic: DeliverCar"]);
        assert!(!delivered.iter().any(|s| s.contains("RepairDamage")), "{engine}: {delivered:#?}");
    }
}

/// A copy of an example with one file changed, as its README proposes.
fn changed(name: &str, file: &str, changes: &[(&str, &str)]) -> (tempfile::TempDir, Request) {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(example(name)).expect("an example").flatten().filter(|e| e.path().is_file()) {
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("a copy");
    }
    let mut text = std::fs::read_to_string(copy.path().join(file)).expect("the file");
    for (old, new) in changes {
        assert_eq!(text.matches(old).count(), 1, "{name}/{file}: {old}");
        text = text.replace(old, new);
    }
    std::fs::write(copy.path().join(file), text).expect("the changed file");
    let request = Request { dir: Some(copy.path().to_path_buf()), ..Request::default() };
    (copy, request)
}

fn unexpected(results: &Results) -> Vec<&str> {
    let wrong = results.results.iter().filter(|r| r.verdict != Verdict::of(r.expect));
    wrong.map(|r| r.property.as_str()).collect()
}

#[test]
fn changes_that_the_readmes_propose() {
    let again = [("\n              expression=\"GSM.stageActivatedOnEvent('Preparing')\"/>", "/>")];
    let (_copy, request) = changed("order-to-cash", "model.xml", &again);
    let results = ask(&request, &[Engine::NATIVE], &[]);
    assert_eq!(unexpected(&results), [""; 0]);

    let limits =
        [("Damage < CustomerGroup", "Damage <= CustomerGroup"), ("Damage >= CustomerGroup", "Damage > CustomerGroup")];
    let (_copy, request) = changed("garage", "agents.gsma", &limits);
    let results = natively(&request, &[]);
    tells(&story(&results, "customer-4-gets-6000"), &["Mechanic: AssessDamage Damage=6"]);

    let (_copy, request) =
        changed("research-proposal", "agents.gsma", &[("onRefuse: !InvestigatorAgrees", "onRefuse: true")]);
    assert_eq!(unexpected(&ask(&request, &[Engine::NATIVE], &[])), ["can-agree-while-negotiating"]);
}

/// A cyclic rule graph: refused with `--strict-order`, harmless without.
#[test]
fn fixed_price_with_a_cycle() {
    let achieved = "id=\"STS_C1\" expression=\"GSM.milestoneAchievedOnEvent";
    let state = "id=\"STS_C1\" expression=\"GSM.isMilestoneAchieved";
    let (copy, mut request) = changed("fixed-price", "model.xml", &[(achieved, state)]);
    std::fs::create_dir(copy.path().join("messages")).expect("a folder");
    for entry in std::fs::read_dir(example("fixed-price/messages")).expect("messages").flatten() {
        std::fs::copy(entry.path(), copy.path().join("messages").join(entry.file_name())).expect("a copy");
    }
    assert_eq!(natively(&request, &["p1"]).machine.order_dependent, Some(false));
    request.overrides.strict_order = true;
    let loaded = load(&request);
    let refused = lower(&loaded.app.expect("it reads"), &loaded.properties, &loaded.sources);
    assert_eq!(refused.err().map(|d| d.code.id), Some("E110"));
}
