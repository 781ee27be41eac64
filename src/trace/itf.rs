//! Traces in the Informal Trace Format, as Apalache, Quint and their viewers read it.
//!
//! One state per B-step, one variable per machine variable. Integers are `#bigint` objects. Readers want `#meta` at the top and
//! in every state, `varTypes` for every variable, and nothing but strings in `#meta` beside `index` and `varTypes`. A loop
//! goes from the last state back to the state `loop`, so the repeated last snapshot of a lasso is not written; its step stands in
//! the last state's `#meta` as `loop-event`. What was chosen stands in `#meta` as a text, `step` and `loop-step`: where payload has no
//! bounds, nobody can find it by trying.

use super::replay::choices_named;
use super::{Kind, RawRun, RawStep, Trace, TraceStep, Values, from_json, text};
use crate::interp::Interp;
use crate::machine::{Machine, Snapshot};
use serde_json::{Map, Value, json};

/// Where the format is described.
pub const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// What a trace is about, for its `#meta`.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// The model's file.
    pub source: &'a str,
    /// The property's name.
    pub property: &'a str,
    /// Who found it.
    pub backend: &'a str,
}

/// Writes a trace.
pub fn write(trace: &Trace, about: About) -> Value {
    let names: Vec<&String> = trace.initial.keys().collect();
    let types: Map<String, Value> = trace.initial.iter().map(|(n, v)| (n.clone(), type_of(v).into())).collect();
    let last = trace.steps.len();
    let mut now = trace.initial.clone();
    let mut states = vec![state(json!({ "index": 0 }), &now)];
    for (i, step) in trace.steps.iter().enumerate() {
        if trace.loop_start.is_some() && i + 1 == last {
            if let Some(meta) = states.last_mut().and_then(|s| s.get_mut("#meta")).and_then(Value::as_object_mut) {
                meta.insert("loop-event".into(), text::title(step).into());
                meta.insert("loop-step".into(), chosen(step).into());
            }
            break;
        }
        now.extend(step.changes.clone());
        states.push(state(step_meta(i + 1, step), &now));
    }
    let status = match trace.kind {
        Kind::Counterexample => "violation",
        Kind::Witness | Kind::Run => "ok",
    };
    let mut meta = json!({
        "format": "ITF",
        "format-description": DESCRIPTION,
        "source": about.source,
        "description": format!("gsmc {}", env!("CARGO_PKG_VERSION")),
        "property": about.property,
        "backend": about.backend,
        "status": status,
        "certified": trace.certified.to_string(),
    });
    meta["varTypes"] = Value::Object(types);
    let mut out = json!({ "#meta": meta, "vars": names, "states": states });
    if let Some(start) = trace.loop_start {
        out["loop"] = start.into();
    }
    out
}

fn step_meta(index: usize, step: &TraceStep) -> Value {
    let agent = step.agent.clone().unwrap_or_default();
    let rules = serde_json::to_string(&step.rules).unwrap_or_default();
    json!({ "index": index, "agent": agent, "event": text::title(step), "microsteps": rules, "step": chosen(step) })
}

/// What is needed to take a step again, as a text.
fn chosen(step: &TraceStep) -> String {
    let choice = TraceStep { rules: Vec::new(), changes: Values::new(), ..step.clone() };
    serde_json::to_string(&choice).unwrap_or_default()
}

fn state(meta: Value, values: &Values) -> Value {
    let mut out = Map::new();
    out.insert("#meta".into(), meta);
    out.extend(values.iter().map(|(name, value)| (name.clone(), to_itf(value))));
    Value::Object(out)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "Bool",
        Value::Number(_) => "Int",
        _ => "Str",
    }
}

fn to_itf(value: &Value) -> Value {
    match value {
        Value::Number(n) => json!({ "#bigint": n.to_string() }),
        other => other.clone(),
    }
}

/// Reads a trace back as snapshots of a machine; steps that the file does not tell are found by replay.
pub fn read(interp: &Interp, itf: &Value) -> Result<RawRun, String> {
    let states = itf.get("states").and_then(Value::as_array).ok_or("an ITF trace has a list 'states'")?;
    let snapshots = snapshots(interp.machine(), states)?;
    if snapshots.first() != Some(&interp.initial()) {
        return Err("its first state is not the initial snapshot".into());
    }
    let told = |state: &Value, key: &str| state.get("#meta").and_then(|m| m.get(key)).and_then(told);
    let pairs = snapshots.windows(2).zip(states.iter().skip(1));
    let mut steps: Vec<RawStep> =
        pairs.map(|(pair, state)| step(interp, &pair[0], &pair[1], told(state, "step"))).collect();
    let loop_start = match itf.get("loop") {
        None | Some(Value::Null) => None,
        Some(n) => {
            let start = n.as_u64().and_then(|n| usize::try_from(n).ok());
            let start = start.filter(|s| *s < snapshots.len()).ok_or("its loop starts outside its states")?;
            if let (Some(last), Some(state)) = (snapshots.last(), states.last()) {
                steps.push(step(interp, last, &snapshots[start], told(state, "loop-step")));
            }
            Some(start)
        }
    };
    Ok(RawRun { steps, loop_start, sides: Vec::new() })
}

fn snapshots(m: &Machine, states: &[Value]) -> Result<Vec<Snapshot>, String> {
    let mut snapshots = Vec::new();
    for (i, state) in states.iter().enumerate() {
        let value = |name: &str| state.get(name).ok_or_else(|| format!("state {i} lacks '{name}'"));
        let mut codes = Vec::new();
        for var in m.state_vars() {
            let plain = from_itf(value(&var.name)?);
            let code = from_json(&var.domain, &plain);
            codes.push(code.ok_or_else(|| format!("state {i}: '{}' cannot be {plain}", var.name))?);
        }
        snapshots.push(Snapshot::from(codes));
    }
    Ok(snapshots)
}

/// What [`chosen`] wrote.
fn told(text: &Value) -> Option<TraceStep> {
    serde_json::from_str(text.as_str()?).ok()
}

/// A step between two snapshots; what the file tells about it counts if it leads there.
fn step(interp: &Interp, before: &Snapshot, after: &Snapshot, told: Option<TraceStep>) -> RawStep {
    let choices = told.and_then(|step| choices_named(interp.machine(), &step).ok()).unwrap_or_default();
    let leads = |choice: &_| interp.step(before, choice).is_some_and(|step| step.after == *after);
    RawStep { choice: choices.into_iter().find(leads), ..RawStep::to(after) }
}

fn from_itf(value: &Value) -> Value {
    let digits = value.get("#bigint").and_then(Value::as_str);
    match digits.and_then(|d| d.parse::<i64>().ok()) {
        Some(number) => number.into(),
        None => value.clone(),
    }
}
