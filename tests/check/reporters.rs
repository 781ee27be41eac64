//! Agents of an E-GSM model: who reports what, who knows what.

use super::folder;
use gsmc::check::Plan;
use gsmc::interp::{Choice, Explicit, Interp, Limits};
use gsmc::lang::load::Request;
use gsmc::machine::Idle;
use gsmc::{Project, check};
use std::path::PathBuf;

fn request(agents: PathBuf) -> Request {
    let properties = vec![folder("examples/shipment/knowledge.gsmp")];
    Request { agents: Some(agents), properties, ..Request::default() }
}

fn shipment() -> Project {
    Project::open(folder("examples/shipment"), &request(folder("examples/shipment/agents.gsma"))).expect("a model")
}

/// Answers worked out by hand, and again by explicit search.
#[test]
fn what_they_know_of_a_shipment() {
    let project = shipment();
    let wanted = [
        ("driver-knows-the-load", true),
        ("driver-knows-it-is-empty", false),
        ("customer-knows-the-fault", false),
        ("customer-sees-the-end", true),
        ("only-with-a-signature", true),
    ];
    let results = check(&project, &Plan::default()).results;
    let oracle = Explicit::build(project.machine(), Limits::default()).expect("a small model");
    for (name, holds) in wanted {
        let r = results.iter().find(|r| r.property == name).expect(name);
        assert_eq!(r.verdict.holds(), Some(holds), "{name}: {:?}", r.reason);
        assert!(r.trace.as_ref().is_none_or(|t| t.certified), "{name}");
        let property = project.machine().properties.iter().find(|p| p.name == name).expect(name);
        assert_eq!(oracle.check(property), holds, "{name} by explicit search");
    }
}

/// Moves by name of who can make them after some others were made.
fn possible(project: &Project, path: &[&str]) -> Vec<String> {
    let interp = Interp::new(project.machine());
    let mut here = interp.initial();
    let named = |c: &Choice| gsmc::trace::describe(project.machine(), c);
    for wanted in path {
        let choices = interp.choices(&here);
        let choice = choices.iter().find(|c| named(c) == *wanted).unwrap_or_else(|| panic!("{wanted} is not possible"));
        here = interp.step(&here, choice).expect("a step").after;
    }
    interp.choices(&here).iter().map(named).collect()
}

#[test]
fn a_protocol_says_who_reports_what_and_when() {
    let project = shipment();
    assert_eq!(project.machine().idle, Idle::Terminal);
    let first = possible(&project, &[]);
    for (line, there) in
        [("Freia: loading", true), ("Hermes: loading", false), ("Hermes: handover", true), ("idle", false)]
    {
        assert_eq!(first.iter().any(|c| c == line), there, "{line}: {first:?}");
    }
    // On the road nothing is loaded.
    let driving = possible(&project, &["Freia: booked", "Hermes: Truck (status = OnRoad)"]);
    assert!(!driving.contains(&"Freia: loading".to_string()), "{driving:?}");
    // A change to the present status is none; from the customer nobody drives off at once.
    let there = possible(&project, &["Freia: booked", "Hermes: Truck (status = AtCustomer)"]);
    assert!(!there.iter().any(|c| c.contains("= AtCustomer") || c.contains("= OnRoad")), "{there:?}");
    // What is remembered: once is enough.
    let warned = possible(&project, &["Hermes: overheated"]);
    assert!(!warned.contains(&"Hermes: overheated".to_string()), "{warned:?}");
}

#[test]
fn mistakes_are_told_where_they_are() {
    let scratch = tempfile::tempdir().expect("a folder");
    let told = |text: &str| {
        let file = scratch.path().join("agents.gsma");
        std::fs::write(&file, text).expect("a file");
        let refused = Project::open(folder("examples/shipment"), &request(file)).err().expect("a refusal");
        refused.to_string()
    };
    let role = "role R { view: Truck; };";
    for (text, words) in [
        ("agent A { role: R; protocol: laoding: true -> ; };", "did you mean 'loading'"),
        ("agent A { role: R; protocol: loading: opened('Laod') -> ; };", "unknown stage 'Laod'"),
        ("agent A { role: R; protocol: loading: true -> seen = true; };", "unknown private variable 'seen'"),
        ("agent A { role: R; vars: 0..3 n; protocol: loading: true -> n = 7; };", "'n' cannot get this value"),
        ("role Q { instantiation: Shipment; }; agent A { role: Q; };", "one instance, from the start"),
        ("role Q { transformation: eliminate_stage(Drvie); }; agent A { role: Q; };", "'Drvie'"),
        ("role Q { view: Trukc; }; agent A { role: Q; };", "no item is called 'Trukc'"),
    ] {
        let all = told(&format!("{role}\n{text}\n"));
        assert!(all.contains(words), "{text}\n{all}");
    }
}
