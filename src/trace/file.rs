//! Trace files: gsmc's own traces, results with traces in them, and the Informal Trace Format.

use super::{NotCertified, RawRun, Trace, itf};
use crate::interp::Interp;
use serde_json::Value;

/// A run found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is, for people; empty where the file does not say.
    pub title: String,
    /// The run.
    pub run: RawRun,
}

/// Why a trace file was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unloaded {
    /// It is not a trace of this machine.
    Unreadable(String),
    /// It is one, but the interpreter goes another way.
    DoesNotReplay(NotCertified),
}

impl std::fmt::Display for Unloaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unloaded::Unreadable(why) => f.write_str(why),
            Unloaded::DoesNotReplay(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Unloaded {}

/// Reads the runs of a file: one of a trace, at least one of results.
pub fn read(interp: &Interp, text: &str) -> Result<Vec<Found>, Unloaded> {
    let unreadable = |why: String| Unloaded::Unreadable(why);
    let json: Value = serde_json::from_str(text).map_err(|e| unreadable(format!("not JSON: {e}")))?;
    if json.get("states").is_some() {
        let run = itf::read(interp, &json).map_err(unreadable)?;
        let meta = |key: &str| json.get("#meta").and_then(|m| m.get(key)).and_then(Value::as_str).unwrap_or_default();
        return Ok(vec![Found { title: title(&[meta("property"), meta("backend")]), run }]);
    }
    if let Some(results) = json.get("results").and_then(Value::as_array) {
        let found = results.iter().filter_map(|r| r.get("trace").filter(|t| !t.is_null()).map(|t| (r, t)));
        let found = found.map(|(result, trace)| {
            let of = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or_default();
            Ok(Found { title: title(&[of("property"), of("verdict"), of("backend")]), run: one(interp, trace)? })
        });
        let found = found.collect::<Result<Vec<_>, Unloaded>>()?;
        return if found.is_empty() { Err(unreadable("none of its results has a trace".into())) } else { Ok(found) };
    }
    Ok(vec![Found { title: String::new(), run: one(interp, &json)? }])
}

fn one(interp: &Interp, json: &Value) -> Result<RawRun, Unloaded> {
    let trace: Trace = serde::Deserialize::deserialize(json)
        .map_err(|e: serde_json::Error| Unloaded::Unreadable(format!("not a trace: {e}")))?;
    trace.locate(interp).map_err(Unloaded::DoesNotReplay)
}

fn title(parts: &[&str]) -> String {
    parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(", ")
}
