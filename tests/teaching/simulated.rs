//! The steps once more, read from what `gsmc simulate` prints.
//!
//! The explicit graph only tells which numbers to type; what is compared comes from the transcript.

use super::prediction::step_line;
use super::shown::{canonical, real_edges};
use gsmc::interp::{Choice, Graph};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Everything that is true or has a value, as `--full` lists it.
type Values = BTreeMap<String, String>;

/// A step of the transcript.
#[derive(Default)]
struct Told {
    /// `wilma: Submit at Text[1]`
    what: String,
    /// `+Text[1].Editing`, … in order.
    fired: Vec<String>,
    race: bool,
    after: Values,
}

/// All B-steps: for each, a run is typed in that ends with it.
pub fn steps(dir: &Path, graph: &Graph) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (from, edge) in real_edges(graph) {
        let mut choices: Vec<Choice> = graph.path(from).steps.into_iter().filter_map(|s| s.choice).collect();
        choices.push(graph.choice(edge.label).clone());
        let (initial, told) = transcript(dir, &numbers(graph, &choices));
        let before = told.len().checked_sub(2).map_or(&initial, |i| &told[i].after);
        let last = told.last().expect("a step");
        assert!(all.insert(line(&initial, before, last)), "told twice: {}", last.what);
    }
    all
}

/// The numbers to type for a run.
fn numbers(graph: &Graph, choices: &[Choice]) -> Vec<usize> {
    let mut codes = graph.interp().initial();
    let mut numbers = Vec::new();
    for choice in choices {
        let at = graph.interp().choices(&codes).iter().position(|c| c == choice).expect("a choice");
        codes = graph.interp().step(&codes, choice).expect("a step").after;
        numbers.push(at + 1);
    }
    numbers
}

/// The initial values and the steps that `simulate` tells of.
fn transcript(dir: &Path, numbers: &[usize]) -> (Values, Vec<Told>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gsmc"))
        .args(["simulate", "--full"])
        .arg(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("gsmc runs");
    let typed: String = numbers.iter().map(|n| format!("{n}\n")).collect();
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("typed");
    let output = child.wait_with_output().expect("it ends");
    let mut told = vec![Told::default()];
    let mut choosing = false;
    for text in String::from_utf8_lossy(&output.stdout).lines() {
        let line = text.trim();
        let step = told.last_mut().expect("never empty");
        if let Some((number, what)) = line.split_once(". ").filter(|(n, _)| !text.starts_with(' ') && is_number(n)) {
            assert_eq!(number, told.len().to_string());
            told.push(Told { what: what.to_string(), ..Told::default() });
            choosing = false;
        } else if choosing || line == "What next?" {
            choosing = true;
        } else if let Some(fired) = line.strip_prefix("fired ") {
            step.fired.extend(fired.split_whitespace().find(|w| w.starts_with(['+', '-'])).map(str::to_string));
        } else if line.starts_with("depends on the order") {
            step.race = true;
        } else if let Some((name, value)) = line.split_once(" = ") {
            step.after.insert(name.to_string(), value.to_string());
        }
    }
    let initial = told.remove(0).after;
    (initial, told)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A step as the READMEs write it.
fn line(initial: &Values, before: &Values, told: &Told) -> String {
    let single = slots(initial).len() == 1;
    let (who, event) = told.what.split_once(": ").unwrap_or(("anyone", &told.what));
    let event = compact(event, single);
    let mut now = before.clone();
    let mut changes = Vec::new();
    for change in &told.fired {
        let (sign, name) = change.split_at(1);
        let value = (sign == "+").to_string();
        if now.insert(name.to_string(), value.clone()).is_none_or(|old| old != value) {
            changes.push(format!("{sign}{}", if single { local(name) } else { name }));
        }
    }
    let (from, to) = (snapshot(initial, before), snapshot(initial, &told.after));
    step_line(&from, who, &event, &changes.join(", "), &to, told.race)
}

/// `Create_Item at Item[1] (ParentOrder = 1)` as `Create_Item(ParentOrder=1) at Item[1]`.
fn compact(event: &str, single: bool) -> String {
    let (event, payload) = event.split_once(" (").unwrap_or((event, ""));
    let (event, target) = event.split_once(" at ").unwrap_or((event, ""));
    let payload = payload.trim_end_matches(')').replace(" = ", "=");
    let payload = if payload.is_empty() { payload } else { format!("({payload})") };
    let target = if single || target.is_empty() { String::new() } else { format!(" at {target}") };
    format!("{event}{payload}{target}")
}

/// `Text[1]`, … as far as values have such names.
fn slots(values: &Values) -> BTreeSet<&str> {
    values.keys().filter_map(|k| k.strip_suffix(".created")).collect()
}

fn local(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, local)| local)
}

/// A snapshot: what differs from the initial one.
fn snapshot(initial: &Values, values: &Values) -> String {
    let changed = |name: &str| initial.get(name) != values.get(name);
    let item = |name: &str, shown: &str| match values.get(name).map(String::as_str) {
        Some("true") if initial.get(name).is_some_and(|v| v == "false") => shown.to_string(),
        value => format!("{shown}={}", value.unwrap_or("")),
    };
    let slots = slots(initial);
    let mut parts = Vec::new();
    for slot in &slots {
        let prefix = format!("{slot}.");
        let inside = values.keys().filter(|n| n.starts_with(&prefix) && !n.ends_with(".created") && changed(n));
        let items: Vec<String> = inside.map(|n| item(n, local(n))).collect();
        if values.get(&format!("{slot}.created")).is_some_and(|v| v == "true") {
            parts.push(format!("{}{{{}}}", if slots.len() == 1 { "" } else { slot }, items.join(", ")));
        }
    }
    let outside = values.keys().filter(|n| !slots.iter().any(|s| n.starts_with(&format!("{s}."))) && changed(n));
    parts.extend(outside.map(|n| item(n, n)));
    if parts.is_empty() { "nothing".into() } else { canonical(&parts.join(" ")) }
}
