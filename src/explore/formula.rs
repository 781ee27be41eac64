//! A formula that the reader typed, in the last snapshot of a path.
//!
//! It is read like a property of the project and lowered together with the project's own, so that the machine has the same
//! variables and the path means the same there.

use super::Explorer;
use super::judge::{Judge, Judged};
use super::known::{Known, Progress, temporal_parts};
use crate::interp::{Interp, Limits};
use crate::trace::{RawRun, path, replay};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Somebody waits for the answer.
const LIMITS: Limits = Limits {
    states: 20_000,
    memory: 128 << 20,
    time: Some(Duration::from_secs(4)),
    payloads: Limits::PAYLOADS,
    work: u64::MAX,
};
/// Characters of a formula.
const LONGEST: usize = 4000;

/// A typed formula in a snapshot.
#[derive(Debug, Serialize)]
pub struct Typed {
    /// How far the search behind temporal formulas went.
    pub progress: Progress,
    /// The formula.
    pub property: Judged,
}

impl Explorer<'_> {
    /// Evaluates a formula at the end of a path; otherwise says for people what is wrong with it.
    pub(super) fn formula(&self, text: &str, way: &str) -> Result<Typed, String> {
        if text.len() > LONGEST {
            return Err(format!("a formula has at most {LONGEST} characters here"));
        }
        let mut sources = self.sources.clone();
        let machine = self.lens.with_property(text, &mut sources)?;
        let interp = Interp::new(&machine);
        let gone = path::read(&interp, way).map_err(|e| e.to_string());
        let run = gone.and_then(|choices| replay(&interp, &RawRun::of(choices)).map_err(|e| e.to_string()));
        let left_out = &self.viewer.interp().machine().left_out;
        let needs: Vec<&str> = left_out.iter().filter(|a| !machine.left_out.contains(a)).map(String::as_str).collect();
        if !needs.is_empty() {
            let needs = needs.join(", ");
            return Err(format!(
                "it reads {needs}, which nothing else does, so the explorer left it out: start it with --keep-all"
            ));
        }
        let (Some(snapshot), Some(property)) = (run?.snapshots.pop(), machine.properties.last()) else {
            return Err("nothing to evaluate".into());
        };
        let known = Known::new(&interp, LIMITS);
        if !temporal_parts(&property.formula).is_empty() {
            known.search(std::slice::from_ref(property), &AtomicBool::new(false));
        }
        let judge = Judge { interp: &interp, known: &known, sources: &sources };
        Ok(Typed { progress: known.progress(), property: judge.property(property, &snapshot) })
    }
}
