//! A trace for the terminal: one paragraph a step, changed values only (or all of them).

use super::{Kind, Side, Trace, TraceStep, Values, plain};
use std::fmt::Write;

/// The trace as text. `full` lists every value after each step, not only what changed.
pub fn render(trace: &Trace, full: bool) -> String {
    let mut out = String::new();
    let kind = match trace.kind {
        Kind::Witness => "witness",
        Kind::Counterexample => "counterexample",
        Kind::Run => "run",
    };
    let steps = count(trace.steps.len(), "step");
    let certified = if trace.certified { "" } else { ", not certified" };
    let _ = writeln!(out, "{kind}, {steps}{certified}");
    let mut now = trace.initial.clone();
    if full {
        let _ = writeln!(out, "  0. start");
        values(&mut out, &now);
    }
    for (i, step) in trace.steps.iter().enumerate() {
        if trace.loop_start == Some(i) {
            let _ = writeln!(out, "  -- from here on again and again --");
        }
        step_text(&mut out, i + 1, step, &mut now, full);
    }
    if let Some(start) = trace.loop_start {
        let _ = writeln!(out, "  -- back to the snapshot {} --", after(start));
    }
    trace.sides.iter().for_each(|side| side_text(&mut out, side, &trace.initial));
    for rest in &trace.rests_on {
        let _ = writeln!(out, "  rests on: {rest}");
    }
    out
}

fn after(snapshot: usize) -> String {
    if snapshot == 0 { "at the start".into() } else { format!("after step {snapshot}") }
}

/// `1 step`, `2 steps`.
pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn step_text(out: &mut String, number: usize, step: &TraceStep, now: &mut Values, full: bool) {
    let _ = writeln!(out, "  {number}. {}", title(step));
    if !step.rules.is_empty() {
        let _ = writeln!(out, "       fired    {}", step.rules.join(", "));
    }
    let changed = changes(now, &step.changes);
    now.extend(step.changes.clone());
    if full {
        values(out, now);
    } else if changed.is_empty() {
        let _ = writeln!(out, "       changed  nothing");
    } else {
        let _ = writeln!(out, "       changed  {}", changed.join("  "));
    }
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
