//! A trace for the terminal: one paragraph a step, changed values only (or all of them), and what decides the formula where it does.

use super::look::{Ink, Look};
use super::{Kind, Reason, Side, Trace, TraceStep, Values, plain};
use crate::source::printable;
use std::fmt::Write;

/// The trace as plain text. `full` lists every value after each step, not only what changed.
pub fn render(trace: &Trace, full: bool) -> String {
    let text = format!("{}\n{}", heading(trace), steps(trace, &Look { full, ..Look::default() }));
    printable(&text).into_owned()
}

/// `counterexample, 3 steps`.
pub fn heading(trace: &Trace) -> String {
    let kind = match trace.kind {
        Kind::Witness => "witness",
        Kind::Counterexample => "counterexample",
        Kind::Run => "run",
    };
    let certified = if trace.certified { "" } else { ", not certified" };
    let shortest = if trace.shortest == Some(false) { ", perhaps not the shortest" } else { "" };
    format!("{kind}, {}{shortest}{certified}", count(trace.steps.len(), "step"))
}

/// Step by step, with what stands beside the run.
pub fn steps(trace: &Trace, look: &Look) -> String {
    let mut out = String::new();
    let mut now = trace.initial.clone();
    if look.full || trace.because.iter().any(|r| r.at == 0) {
        let _ = writeln!(out, "  0. start");
    }
    if look.full {
        values(&mut out, &now);
    }
    reasons(&mut out, trace, 0, look);
    for (i, step) in trace.steps.iter().enumerate() {
        if trace.loop_start == Some(i) {
            let _ = writeln!(out, "  {}", look.paint(Ink::Open, "-- from here on again and again --"));
        }
        step_text(&mut out, i + 1, step, &mut now, look);
        reasons(&mut out, trace, i + 1, look);
    }
    if let Some(start) = trace.loop_start {
        let back = format!("-- back to the snapshot {} --", after(start));
        let _ = writeln!(out, "  {}", look.paint(Ink::Open, &back));
    }
    trace.sides.iter().for_each(|side| side_text(&mut out, side, &trace.initial));
    for rest in &trace.rests_on {
        look.wrapped(2, &format!("rests on: {rest}")).iter().for_each(|line| out += &format!("{line}\n"));
    }
    out
}

/// Which snapshot: `at the start`, `after step 3`.
pub fn after(snapshot: usize) -> String {
    if snapshot == 0 { "at the start".into() } else { format!("after step {snapshot}") }
}

/// `1 step`, `2 steps`.
pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn step_text(out: &mut String, number: usize, step: &TraceStep, now: &mut Values, look: &Look) {
    let _ = writeln!(out, "  {number}. {}", look.paint(Ink::Strong, &title(step)));
    if !step.rules.is_empty() {
        *out += &look.list("       fired    ", &step.rules, ", ", &|rule| look.paint(Ink::Faint, rule));
    }
    let changed = changes(now, &step.changes);
    now.extend(step.changes.clone());
    if look.full {
        values(out, now);
    } else if changed.is_empty() {
        let _ = writeln!(out, "       changed  nothing");
    } else {
        let ink = |change: &str| match change.as_bytes().first() {
            Some(b'+') => Ink::Good,
            Some(b'-') => Ink::Gone,
            _ => Ink::Open,
        };
        *out += &look.list("       changed  ", &changed, "  ", &|change| look.paint(ink(change), change));
    }
}

/// How many reasons are told at one step.
const REASONS: usize = 6;

/// What decides the formula in a snapshot.
fn reasons(out: &mut String, trace: &Trace, at: usize, look: &Look) {
    let here: Vec<&Reason> = trace.because.iter().filter(|r| r.at == at).collect();
    for (label, throughout) in [("       here     ", false), ("       from now ", true)] {
        let told: Vec<&&Reason> = here.iter().filter(|r| r.throughout == throughout).collect();
        let mut items: Vec<String> = told.iter().take(REASONS).map(|r| reason(r)).collect();
        if told.len() > REASONS {
            items.push(format!("and {} more", told.len() - REASONS));
        }
        if !items.is_empty() {
            *out += &look.list(label, &items, ", ", &|item| look.paint(Ink::Strong, item));
        }
    }
}

/// `` `Order[1].Paid` is false ``, for a comparison with the values in it.
pub fn reason(reason: &Reason) -> String {
    let values: Vec<String> = reason.values.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect();
    let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
    format!("`{}` is {}{values}", reason.part, reason.holds)
}

/// `Diogenes: OnPay at CustomerOrder[1] (Amount = 3)`.
pub fn title(step: &TraceStep) -> String {
    let Some(event) = &step.event else { return "nothing happens".into() };
    let who = step.agent.as_ref().map(|a| format!("{a}: ")).unwrap_or_default();
    let whom = step.target.as_ref().map(|t| format!(" at {t}")).unwrap_or_default();
    let payload: Vec<String> = step.payload.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect();
    let what = if payload.is_empty() { String::new() } else { format!(" ({})", payload.join(", ")) };
    format!("{who}{event}{whom}{what}")
}

/// `+T[1].S` for what became true, `-T[1].S` for what became false, `T[1].n 0 -> 1` for the rest.
pub fn changes(before: &Values, changes: &Values) -> Vec<String> {
    let show = |(name, value): (&String, &serde_json::Value)| match value {
        serde_json::Value::Bool(true) => format!("+{name}"),
        serde_json::Value::Bool(false) => format!("-{name}"),
        _ => format!("{name} {} -> {}", before.get(name).map_or("?".into(), plain), plain(value)),
    };
    changes.iter().map(show).collect()
}

fn values(out: &mut String, now: &Values) {
    for (name, value) in now {
        let _ = writeln!(out, "       {name} = {}", plain(value));
    }
}

fn side_text(out: &mut String, side: &Side, initial: &Values) {
    let _ = writeln!(out, "  cannot be told apart by {} from {}:", side.agents.join(", "), {
        format!("the snapshot {}", after(side.at))
    });
    let mut now = initial.clone();
    for (i, step) in side.steps.iter().enumerate() {
        let _ = writeln!(out, "    {}. {}", i + 1, title(step));
        now.extend(step.changes.clone());
    }
    let differs: Vec<String> = side.differs.iter().map(|(name, value)| format!("{name} = {}", plain(value))).collect();
    let _ =
        writeln!(out, "       there: {}", if differs.is_empty() { "no difference".into() } else { differs.join(", ") });
    side.sides.iter().for_each(|s| side_text(out, s, initial));
}
