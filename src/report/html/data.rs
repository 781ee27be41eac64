//! What the script steps through: the model once, every step once, and runs that refer to them.
//!
//! Traces of one model share most of their beginnings, and engines often find the same trace, so steps and what agents see are
//! listed once each and runs are lists of numbers.

use crate::answer::Results;
use crate::view::{Cards, PathView, SideView, Viewer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Steps times rules up to which it is worth trying to carry cards of rules that did not fire.
const MOST_CARDS: usize = 6000;
/// Bytes of steps up to which they are carried.
const MOST_BYTES: usize = 400_000;

/// Bytes of steps up to which recorded runs are added.
const MOST_RECORDED: usize = 4_000_000;

/// The data of a page.
pub struct Data {
    model: Value,
    initial: Value,
    steps: Table,
    sights: Table,
    runs: Vec<Run>,
    /// Per result: the number of its run.
    pub run_of: Vec<Option<usize>>,
}

struct Run {
    property: String,
    verdict: String,
    /// Who found it.
    by: Vec<&'static str>,
    about: Value,
    path: Value,
}

/// Values, each once.
#[derive(Default)]
struct Table {
    list: Vec<Value>,
    known: BTreeMap<String, usize>,
}

impl Table {
    fn number(&mut self, value: Value) -> usize {
        let next = self.list.len();
        let number = *self.known.entry(value.to_string()).or_insert(next);
        if number == next {
            self.list.push(value);
        }
        number
    }

    fn bytes(&self) -> usize {
        self.known.keys().map(String::len).sum()
    }
}

impl Data {
    /// Replays every certified trace of the results. Rules that could have fired and did not get cards too where that keeps the page
    /// small; those that fired always do.
    pub fn of(viewer: &Viewer, results: &Results) -> serde_json::Result<Data> {
        let traces = results.results.iter().filter_map(|r| r.trace.as_ref());
        let steps: usize = traces.map(|t| t.steps.len()).sum();
        if steps.saturating_mul(viewer.interp().machine().ground_rules()) <= MOST_CARDS {
            let data = Data::with(viewer, results, Cards::Candidates)?;
            if data.steps.bytes() <= MOST_BYTES {
                return Ok(data);
            }
        }
        Data::with(viewer, results, Cards::Fired)
    }

    fn with(viewer: &Viewer, results: &Results, cards: Cards) -> serde_json::Result<Data> {
        let mut data = Data {
            model: serde_json::to_value(viewer.model())?,
            initial: Value::Object(viewer.snapshot(&viewer.interp().initial())),
            steps: Table::default(),
            sights: Table::default(),
            runs: Vec::new(),
            run_of: Vec::new(),
        };
        for result in &results.results {
            let trace = result.trace.as_ref().filter(|t| t.certified);
            let Some(view) = trace.and_then(|t| viewer.trace(t, cards).ok()) else {
                data.run_of.push(None);
                continue;
            };
            let path = data.path(&view)?;
            let about = trace.map(
                |t| json!({ "kind": t.kind, "rests_on": t.rests_on, "because": t.because, "summary": result.summary }),
            );
            let about = about.unwrap_or_default();
            let same = |r: &Run| r.property == result.property && r.path == path && r.about == about;
            let number = data.runs.iter().position(same).unwrap_or(data.runs.len());
            if let Some(run) = data.runs.get_mut(number) {
                run.by.push(result.engine.name());
            } else {
                let (property, verdict) = (result.property.clone(), result.verdict.name().to_string());
                data.runs.push(Run { property, verdict, by: vec![result.engine.name()], about, path });
            }
            data.run_of.push(Some(number));
        }
        Ok(data)
    }

    /// Adds the run of a recorded case and gives its number, unless the page has enough.
    pub fn recorded(&mut self, case: &str, verdict: &str, summary: &str, view: &PathView) -> Option<usize> {
        if self.steps.bytes() > MOST_RECORDED {
            return None;
        }
        let path = self.path(view).ok()?;
        let about = json!({ "kind": "recorded case", "summary": summary });
        self.runs.push(Run { property: case.into(), verdict: verdict.into(), by: vec!["the log"], about, path });
        Some(self.runs.len() - 1)
    }

    fn path(&mut self, view: &PathView) -> serde_json::Result<Value> {
        let (mut steps, mut sights, mut sides) = (Vec::new(), Vec::new(), Vec::new());
        for step in &view.steps {
            steps.push(self.steps.number(serde_json::to_value(step)?));
        }
        for sight in &view.sights {
            sights.push(self.sights.number(serde_json::to_value(sight)?));
        }
        for side in &view.sides {
            sides.push(self.side(side)?);
        }
        let (path, loop_start) = (&view.path, view.loop_start);
        Ok(json!({ "path": path, "loop_start": loop_start, "steps": steps, "sights": sights, "sides": sides }))
    }

    fn side(&mut self, side: &SideView) -> serde_json::Result<Value> {
        let run = self.path(&side.run)?;
        Ok(json!({ "at": side.at, "agents": side.agents, "differs": side.differs, "run": run }))
    }

    /// The engines that found a run.
    pub fn engines(&self, run: usize) -> Vec<&'static str> {
        self.runs.get(run).map(|r| r.by.clone()).unwrap_or_default()
    }

    /// As JSON for a script element: nothing in it can end the element or begin a comment.
    pub fn script(&self) -> String {
        let run = |r: &Run| json!({ "property": r.property, "verdict": r.verdict, "engines": r.by, "about": r.about, "path": r.path });
        let runs: Vec<Value> = self.runs.iter().map(run).collect();
        let all = json!({
            "model": self.model,
            "initial": self.initial,
            "steps": self.steps.list,
            "sights": self.sights.list,
            "runs": runs,
        });
        all.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
    }
}
