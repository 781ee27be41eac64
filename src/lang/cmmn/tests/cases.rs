//! The cases worked out by hand, on the literal semantics.

use super::{PROFILES, case};
use crate::lang::cmmn::model::{Case, Kind, NEVER, State};
use crate::testing::cmmn::{Explored, Snapshot, explore};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Folders of cases.
pub fn folders() -> Vec<std::path::PathBuf> {
    let all = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmmn/cases")).expect("cases");
    let mut all: Vec<_> = all.map(|e| e.expect("entry").path()).collect();
    all.sort();
    all
}

/// The case and its items that exist, as text.
pub fn projection(case: &Case, states: &[State]) -> String {
    let live = case.instances.iter().zip(states).filter(|(i, s)| i.place.is_none() || **s != State::None);
    let map: std::collections::BTreeMap<&str, &str> = live.map(|(i, s)| (i.name.as_str(), s.name())).collect();
    format!("{map:?}")
}

#[test]
fn stable_snapshots_and_verdicts() {
    for folder in folders() {
        let text = std::fs::read_to_string(folder.join("case.cmmn")).expect("case");
        for profile in PROFILES {
            let path = folder.join(format!("expected.{}.json", profile.name()));
            let wanted: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("expected")).expect("json");
            let case = case(&text, profile);
            let found = explore(&case, 100_000);
            let name = format!("{} {}", folder.display(), profile.name());
            assert_eq!(json!(found.snapshots.len()), wanted["snapshots"], "{name}");
            let stable: BTreeSet<String> = found.snapshots.iter().map(|s| projection(&case, &s.states)).collect();
            let expected: BTreeSet<String> = wanted["stable"].as_array().expect("list").iter().map(as_map).collect();
            assert_eq!(stable, expected, "{name}");
            assert_eq!(Value::Object(verdicts(&case, &found)), wanted["verdicts"], "{name}");
            assert_eq!(json!(!found.snapshots.iter().any(|s| s.overflow)), wanted["exact"], "{name}");
            let domains: Map<String, Value> = case.data.iter().map(|d| (d.name.clone(), values(d))).collect();
            assert_eq!(Value::Object(domains), wanted["variables"], "{name}");
        }
    }
}

fn as_map(value: &Value) -> String {
    let map = value.as_object().expect("object");
    let map: std::collections::BTreeMap<&str, &str> =
        map.iter().map(|(k, v)| (k.as_str(), v.as_str().expect("state"))).collect();
    format!("{map:?}")
}

fn values(data: &crate::lang::cmmn::condition::Data) -> Value {
    use crate::lang::cmmn::condition::Value as V;
    let value = |v: &V| match v {
        V::Bool(b) => json!(b),
        other => json!(other.to_string()),
    };
    data.values.iter().map(value).collect()
}

/// The built-in verdicts, from the explored graph.
fn verdicts(case: &Case, found: &Explored) -> Map<String, Value> {
    let mut all = Map::new();
    let is = |s: &Snapshot, state| s.states[0] == state;
    let over = |s: &Snapshot| is(s, State::Completed) || is(s, State::Terminated);
    let mut say = |name: String, holds: bool| all.insert(name, json!(holds));
    say("can-complete".into(), found.can_reach(&|s| is(s, State::Completed))[0]);
    say("never-stuck".into(), found.can_reach(&over).iter().all(|c| *c));
    let dead = |(s, after): (&Snapshot, &BTreeSet<usize>)| !over(s) && after.is_empty();
    say("no-dead-end".into(), !found.snapshots.iter().zip(&found.after).any(dead));
    say("settles".into(), !found.snapshots.iter().any(|s| s.endless));
    say("no-overflow".into(), !found.snapshots.iter().any(|s| s.overflow));
    for (ix, item) in case.items.iter().enumerate().skip(1) {
        let word = match item.kind {
            Kind::Milestone(_) => "milestone-reachable",
            Kind::Listener { .. } => "can-occur",
            _ => "can-start",
        };
        say(format!("{word}({})", item.name), found.started.contains(&ix));
        if item.required != NEVER {
            let holds = case.instances_of(ix).all(|i| {
                let can = found.can_reach(&|s| s.states[i] == State::Completed);
                let waits = |s: &Snapshot| matches!(s.states[i], State::Available | State::Enabled | State::Active);
                found.snapshots.iter().zip(can).all(|(s, can)| can || !waits(s))
            });
            say(format!("required-can-complete({})", item.name), holds);
        }
    }
    for (ix, criterion) in case.criteria.iter().enumerate() {
        say(format!("criterion-can-fire({})", criterion.name), found.fired.contains(&ix));
    }
    for (ix, item) in case.items.iter().enumerate().filter(|(_, i)| i.is_container() && i.auto_complete != NEVER) {
        say(format!("no-surprise-completion({})", item.name), !found.surprised.contains(&ix));
    }
    all
}

/// The native checker gives the verdicts too, and finds as many snapshots.
#[test]
fn native_verdicts() {
    for folder in folders() {
        let text = std::fs::read_to_string(folder.join("case.cmmn")).expect("case");
        for profile in PROFILES {
            let path = folder.join(format!("expected.{}.json", profile.name()));
            let wanted: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("expected")).expect("json");
            let case = case(&text, profile);
            let lowered = crate::lang::cmmn::lower::lower(&case, 40, true, &mut |_, _, _| Vec::new()).expect("machine");
            let options = crate::native::verdict::Options { builtin: true, ..Default::default() };
            let report = crate::native::verdict::check(&lowered.machine, &options);
            let told: Map<String, Value> =
                report.answers.iter().map(|a| (a.result.property.clone(), json!(a.result.verdict.holds()))).collect();
            let name = format!("{} {}", folder.display(), profile.name());
            assert_eq!(Value::Object(told), wanted["verdicts"], "{name}");
            let states = report.exploration.map(|e| e.states.to_string()).unwrap_or_default();
            assert_eq!(states, wanted["snapshots"].to_string(), "{name}");
        }
    }
}
