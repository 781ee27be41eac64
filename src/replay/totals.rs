//! All cases of a log together.

use super::{Case, Judged};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The whole answer, as `gsmc.replay/1`.
#[derive(Clone, Debug, Serialize)]
pub struct Replayed {
    /// Name of this schema.
    pub schema: &'static str,
    /// Which rules the model follows.
    pub profile: String,
    /// The model file.
    pub model: String,
    /// The logs.
    pub logs: Vec<String>,
    /// All cases together.
    pub totals: Totals,
    /// Each case, in order of first appearance.
    #[serde(serialize_with = "listed")]
    pub cases: Vec<Arc<Case>>,
    /// What is wrong with the logs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

fn listed<S: serde::Serializer>(cases: &[Arc<Case>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(cases.iter().map(|case| &**case))
}

fn none(n: &usize) -> bool {
    *n == 0
}

/// Numbers over all cases.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// Cases that were judged.
    pub cases: usize,
    /// Their events.
    pub events: usize,
    /// Cases without deviation.
    pub fit: usize,
    /// E-GSM: cases in which no stage turned.
    pub compliant: Option<usize>,
    /// Cases that came to their end.
    pub completed: usize,
    /// Cases of which not everything was followed.
    pub approximate: usize,
    /// Cases before whose end the log broke off.
    #[serde(skip_serializing_if = "none")]
    pub incomplete: usize,
    /// Accepted events among those that are not ignored.
    pub fitness: f64,
    /// Deviations by kind.
    pub deviations: BTreeMap<&'static str, usize>,
    /// E-GSM: per stage, in how many cases it turned.
    pub stages: BTreeMap<String, Turned>,
    /// Per property, how many cases it holds in.
    pub properties: BTreeMap<String, Counts>,
}

/// In how many cases a stage turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Turned {
    /// Out of order.
    pub out_of_order: usize,
    /// Skipped.
    pub skipped: usize,
    /// Faulty.
    pub faulty: usize,
}

/// In how many cases a property holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// It holds.
    #[serde(rename = "true")]
    pub yes: usize,
    /// It does not.
    #[serde(rename = "false")]
    pub no: usize,
}

impl Replayed {
    /// Puts cases together.
    pub fn new(profile: &str, model: &str, logs: Vec<String>, stages: &[String], judged: Judged) -> Replayed {
        let errors = judged.faults.iter().map(ToString::to_string).collect();
        let totals = Totals::of(&judged.cases, profile == "egsm", stages);
        let (profile, model) = (profile.to_string(), model.to_string());
        Replayed { schema: "gsmc.replay/1", profile, model, logs, totals, cases: judged.cases, errors }
    }

    /// 2 for input errors; 1 when some case is certainly not clean; 3 when some are approximate; else 0. With labels: 0 when every
    /// verdict is as labelled, else 1.
    pub fn exit_code(&self, labels: bool) -> u8 {
        if !self.errors.is_empty() {
            return 2;
        }
        if labels {
            return u8::from(self.cases.iter().any(|c| !c.is_as_labelled()));
        }
        match () {
            // What was not followed might have been clean.
            () if self.cases.iter().any(|c| !c.is_clean() && !c.approximate) => 1,
            () if self.cases.iter().any(|c| c.approximate) => 3,
            () => 0,
        }
    }
}

impl Case {
    /// Fit, compliant, and no property false.
    pub fn is_clean(&self) -> bool {
        self.fit && self.verdict != Some("uncompliant") && !self.properties.values().any(|v| v.starts_with("false"))
    }

    /// Is the verdict what the log says? Without a verdict, a case that fits is compliant.
    pub fn is_as_labelled(&self) -> bool {
        let mine = self.verdict.unwrap_or(if self.fit { "compliant" } else { "uncompliant" });
        self.label.as_deref() == Some(mine)
    }
}

impl Totals {
    fn of(cases: &[Arc<Case>], monitored: bool, stages: &[String]) -> Totals {
        let count = |test: &dyn Fn(&Case) -> bool| cases.iter().filter(|c| test(c)).count();
        let mut totals = Totals {
            cases: cases.len(),
            events: cases.iter().map(|c| c.events).sum(),
            fit: count(&|c| c.fit),
            compliant: monitored.then(|| count(&|c| c.verdict == Some("compliant"))),
            completed: count(&|c| c.completed),
            approximate: count(&|c| c.approximate),
            incomplete: count(&|c| c.incomplete),
            stages: stages.iter().map(|s| (s.clone(), Turned::default())).collect(),
            ..Totals::default()
        };
        let (mut refused, mut ignored) = (0, 0);
        for case in cases {
            refused += case.deviations.len() + case.unjudged;
            ignored += case.ignored.len();
            case.deviations.iter().for_each(|d| *totals.deviations.entry(d.kind.name()).or_default() += 1);
            for (stage, kind) in &case.turned {
                let turned = totals.stages.entry(stage.clone()).or_default();
                match *kind {
                    "outOfOrder" => turned.out_of_order += 1,
                    "skipped" => turned.skipped += 1,
                    _ => turned.faulty += 1,
                }
            }
            for (name, said) in case.properties.iter() {
                let counts = totals.properties.entry(name.clone()).or_default();
                counts.yes += usize::from(said.starts_with("true"));
                counts.no += usize::from(said.starts_with("false"));
            }
        }
        let all = totals.events - ignored;
        totals.fitness = if all == 0 { 1.0 } else { (all - refused) as f64 / all as f64 };
        totals
    }
}
