//! What only the reachable snapshots can tell, searched for in the background.

use crate::interp::{Explicit, Graph, Interp, Limits};
use crate::logic::{Formula, Property};
use crate::machine::{AgentIx, ExprId, Snapshot};
use crate::trace::path;
use crate::view::Viewer;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{OnceLock, RwLock};
use std::time::Duration;

/// Limits of the search: what a laptop does in some seconds.
pub const LIMITS: Limits = Limits {
    states: 100_000,
    memory: 512 << 20,
    time: Some(Duration::from_secs(30)),
    payloads: Limits::PAYLOADS,
    work: u64::MAX,
};
/// Snapshots shown of those that look the same.
const SHOWN: usize = 8;
/// Why nothing is searched.
const ENDLESS: &str = "data has no bounds, so there is no end of snapshots";

type Fml = Formula<ExprId>;

/// By fairness constraints and formula: one Boolean per snapshot.
type Sets = FxHashMap<(Vec<Fml>, Fml), Vec<bool>>;

/// What the search found.
enum Found<'m> {
    /// Everything.
    All(Box<Explicit<'m>>),
    /// The nearest snapshots, and why temporal formulas are not computed.
    Some(Box<Graph<'m>>, String),
    /// Nothing: there is no end of snapshots.
    Endless,
}

/// The search and what follows from it.
pub struct Known<'m> {
    interp: &'m Interp<'m>,
    limits: Limits,
    found: OnceLock<Found<'m>>,
    /// Temporal and knowledge formulas: where they hold.
    sets: RwLock<Sets>,
    done: AtomicBool,
}

/// How far the search is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Snapshots found; null while searching.
    pub snapshots: Option<usize>,
    /// These are all.
    pub complete: bool,
    /// Nothing more will come.
    pub done: bool,
    /// Why temporal formulas are not computed.
    pub why_not: Option<String>,
}

/// Snapshots that look the same to an agent.
#[derive(Debug, Serialize)]
pub struct Alike {
    /// The agent.
    pub agent: String,
    /// How many others were found.
    pub count: usize,
    /// The nearest of them.
    pub shown: Vec<Other>,
}

/// A snapshot that looks the same.
#[derive(Debug, Serialize)]
pub struct Other {
    /// A shortest way to it.
    pub path: String,
    /// Its number of steps.
    pub steps: usize,
    /// What is different there: `old` here, `new` there.
    pub differs: Vec<crate::explain::Change>,
}

impl<'m> Known<'m> {
    pub fn new(interp: &'m Interp<'m>, limits: Limits) -> Known<'m> {
        Known { interp, limits, found: OnceLock::new(), sets: RwLock::default(), done: AtomicBool::new(false) }
    }

    /// Searches, then evaluates every temporal part of the properties.
    pub fn search(&self, properties: &[Property<ExprId>], stop: &AtomicBool) {
        if !self.interp.machine().is_bounded() {
            let _ = self.found.set(Found::Endless);
            self.done.store(true, Ordering::Relaxed);
            return;
        }
        let (graph, why) = Graph::some(self.interp.clone(), self.limits);
        let found = match why {
            Some(why) => Found::Some(Box::new(graph), format!("the model is too large for that here: {why}")),
            None => match Explicit::of(graph.clone()) {
                Ok(explicit) => Found::All(Box::new(explicit)),
                Err(why) => Found::Some(Box::new(graph), why.to_string()),
            },
        };
        if let Found::All(explicit) = self.found.get_or_init(|| found) {
            for property in properties {
                for part in temporal_parts(&property.formula) {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    self.evaluate(explicit, property, part);
                }
            }
        }
        self.done.store(true, Ordering::Relaxed);
    }

    fn evaluate(&self, explicit: &Explicit, property: &Property<ExprId>, part: &Fml) {
        let key = (property.fair.clone(), part.clone());
        if self.sets.read().is_ok_and(|sets| sets.contains_key(&key)) {
            return;
        }
        let set = explicit.satisfying(&Property { formula: part.clone(), ..property.clone() });
        if let Ok(mut sets) = self.sets.write() {
            sets.insert(key, set);
        }
    }

    pub fn progress(&self) -> Progress {
        let done = self.done.load(Ordering::Relaxed);
        match self.found.get() {
            None => Progress { snapshots: None, complete: false, done: false, why_not: None },
            Some(Found::All(e)) => Progress { snapshots: Some(e.states()), complete: true, done, why_not: None },
            Some(Found::Endless) => Progress { snapshots: None, complete: false, done, why_not: Some(ENDLESS.into()) },
            Some(Found::Some(g, why)) => {
                Progress { snapshots: Some(g.len()), complete: g.complete(), done, why_not: Some(why.clone()) }
            }
        }
    }

    fn graph(&self) -> Option<&Graph<'m>> {
        Some(match self.found.get()? {
            Found::All(explicit) => explicit.graph(),
            Found::Some(graph, _) => graph,
            Found::Endless => return None,
        })
    }

    /// Does a temporal or knowledge formula hold in a snapshot? `None` where that is not known (yet).
    pub fn holds(&self, fair: &[Fml], formula: &Fml, snapshot: &Snapshot) -> Option<bool> {
        let state = self.graph()?.number(snapshot)?;
        let sets = self.sets.read().ok()?;
        sets.get(&(fair.to_vec(), formula.clone()))?.get(state).copied()
    }

    /// Snapshots that an agent cannot tell from this one, among those found; `None` while searching.
    pub fn alike(&self, viewer: &Viewer, agent: AgentIx, snapshot: &Snapshot) -> Option<Alike> {
        let graph = self.graph()?;
        let m = self.interp.machine();
        let look = self.interp.local_state(agent, snapshot);
        let same = |s: &usize| {
            let codes = graph.codes(*s);
            codes != *snapshot && self.interp.local_state(agent, &codes) == look
        };
        let others: Vec<usize> = (0..graph.len()).filter(same).collect();
        let other = |s: &usize| {
            let run = graph.path(*s);
            let choices: Vec<_> = run.steps.iter().filter_map(|step| step.choice.as_ref()).collect();
            Other {
                path: path::write(m, choices.iter().copied()),
                steps: choices.len(),
                differs: viewer.differences(snapshot, &graph.codes(*s)),
            }
        };
        Some(Alike {
            agent: m.agent_name(agent).to_string(),
            count: others.len(),
            shown: others.iter().take(SHOWN).map(other).collect(),
        })
    }
}

/// Every part of a formula that one snapshot alone cannot decide, the whole first.
pub fn temporal_parts(formula: &Fml) -> Vec<&Fml> {
    let mut found = Vec::new();
    let mut todo: Vec<&Fml> = formula.operators();
    todo.reverse();
    while let Some(next) = todo.pop() {
        found.push(next);
        let inside: Vec<&Fml> = next.own_parts().into_iter().flat_map(Formula::operators).collect();
        todo.extend(inside.into_iter().rev());
    }
    found
}
