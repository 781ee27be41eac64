//! Explicit-state search: breadth first from the initial snapshot, so paths through the tree of first visits are shortest.

use super::{Choice, Interp, Seen, StateSet, Work};
use crate::answer::RawRun;
use crate::machine::Snapshot;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Snapshots.
    pub states: usize,
    /// Bytes for snapshots and edges.
    pub memory: usize,
    /// Time.
    pub time: Option<Duration>,
    /// Values of payload that are tried for one action in one snapshot.
    pub payloads: u64,
    /// Work in all: steps, and assignments in them. Looked at after each snapshot.
    pub work: u64,
}

impl Limits {
    /// Values of payload where nothing else is said.
    pub const PAYLOADS: u64 = 10_000_000;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 5_000_000, memory: 2 << 30, time: None, payloads: Limits::PAYLOADS, work: u64::MAX }
    }
}

/// Why a search gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// Too many snapshots.
    States,
    /// Too much memory.
    Memory,
    /// Too much time.
    Time,
    /// Too many values of payload in one snapshot.
    Payload,
    /// Too much work.
    Work,
}

impl std::fmt::Display for GaveUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self {
            GaveUp::States => "snapshots",
            GaveUp::Memory => "memory",
            GaveUp::Time => "time",
            GaveUp::Payload => "values of payload",
            GaveUp::Work => "work",
        };
        write!(f, "the explicit search ran into its limit on {what}")
    }
}

impl std::error::Error for GaveUp {}

/// An edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Number of the snapshot it leads to.
    pub to: u32,
    /// Its label: index for [`Graph::choice`].
    pub label: u32,
    /// The step depends on the rule order.
    pub order: bool,
}

/// The snapshots that a search has reached, numbered from the initial one (0) in the order of first visits.
#[derive(Clone, Debug)]
pub struct Graph<'m> {
    interp: Interp<'m>,
    states: StateSet,
    /// Per snapshot but the first: predecessor and label of the first visit.
    parents: Vec<(u32, u32)>,
    /// Edges of snapshot `i` are `edges[starts[i]..starts[i + 1]]`; empty when edges are not kept.
    starts: Vec<usize>,
    edges: Vec<Edge>,
    labels: Labels,
    terminal: Vec<usize>,
    found: Option<usize>,
    steps: u64,
    /// Assignments in them.
    assigned: u64,
    order: u64,
}

/// Choices, each stored once.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    pub(super) choices: Vec<Choice>,
    acts: Vec<FxHashMap<Vec<i64>, u32>>,
    idle: Option<u32>,
}

impl Labels {
    pub(super) fn of(&mut self, seen: &Seen) -> u32 {
        let next = self.choices.len() as u32;
        let known = match seen.action {
            None => self.idle,
            Some(a) => self.acts.get(a).and_then(|map| map.get(seen.inputs)).copied(),
        };
        if let Some(label) = known {
            return label;
        }
        self.choices.push(seen.choice());
        match seen.action {
            None => self.idle = Some(next),
            Some(a) => {
                self.acts.resize_with(self.acts.len().max(a + 1), FxHashMap::default);
                self.acts[a].insert(seen.inputs.to_vec(), next);
            }
        }
        next
    }
}

impl<'m> Graph<'m> {
    /// Every reachable snapshot with every edge.
    pub fn all(machine: &'m crate::machine::Valid, limits: Limits) -> Result<Graph<'m>, GaveUp> {
        Graph::search(Interp::new(machine), limits, true, &mut |_| false)
    }

    /// Every reachable snapshot, without edges (paths to snapshots are still known).
    pub fn reach(interp: Interp<'m>, limits: Limits) -> Result<Graph<'m>, GaveUp> {
        Graph::search(interp, limits, false, &mut |_| false)
    }

    /// Searches until a snapshot satisfies `goal`: [`Graph::found`] is then its number and [`Graph::path`] the shortest way.
    pub fn find(interp: Interp<'m>, limits: Limits, goal: &mut dyn FnMut(&[i64]) -> bool) -> Result<Graph<'m>, GaveUp> {
        Graph::search(interp, limits, false, goal)
    }

    /// As many snapshots as the limits allow, nearest first, and why there are no more. With all of them there are all edges.
    pub fn some(interp: Interp<'m>, limits: Limits) -> (Graph<'m>, Option<GaveUp>) {
        Graph::explore(interp, limits, true, &mut |_| false)
    }

    fn search(
        interp: Interp<'m>,
        limits: Limits,
        keep: bool,
        goal: &mut dyn FnMut(&[i64]) -> bool,
    ) -> Result<Graph<'m>, GaveUp> {
        match Graph::explore(interp, limits, keep, goal) {
            (graph, None) => Ok(graph),
            (_, Some(why)) => Err(why),
        }
    }

    fn explore(
        interp: Interp<'m>,
        limits: Limits,
        keep: bool,
        goal: &mut dyn FnMut(&[i64]) -> bool,
    ) -> (Graph<'m>, Option<GaveUp>) {
        let states = StateSet::new(interp.layout());
        let mut graph = Graph {
            interp,
            states,
            parents: vec![(0, 0)],
            starts: vec![0],
            edges: Vec::new(),
            labels: Labels::default(),
            terminal: Vec::new(),
            found: None,
            steps: 0,
            assigned: 0,
            order: 0,
        };
        let started = Instant::now();
        let (mut work, mut codes) = (Work::default(), graph.interp.initial().to_vec());
        let first = graph.interp.layout().pack(&codes);
        graph.states.insert(first.words());
        graph.found = goal(&codes).then_some(0);
        let mut next = 0;
        while next < graph.states.len() && graph.found.is_none() {
            graph.interp.layout().unpack_into(graph.states.at(next), &mut codes);
            if let Err(why) = graph.expand(next, &codes, &mut work, limits.payloads, keep, goal) {
                return (graph, Some(why));
            }
            next += 1;
            if graph.states.len() > limits.states {
                return (graph, Some(GaveUp::States));
            }
            if graph.steps + graph.assigned > limits.work {
                return (graph, Some(GaveUp::Work));
            }
            if next % 256 == 0 {
                if graph.bytes() > limits.memory {
                    return (graph, Some(GaveUp::Memory));
                }
                if limits.time.is_some_and(|t| started.elapsed() > t) {
                    return (graph, Some(GaveUp::Time));
                }
            }
        }
        (graph, None)
    }

    fn expand(
        &mut self,
        from: usize,
        codes: &[i64],
        work: &mut Work,
        payloads: u64,
        keep: bool,
        goal: &mut dyn FnMut(&[i64]) -> bool,
    ) -> Result<(), GaveUp> {
        let Graph { interp, states, parents, edges, labels, found, steps, assigned, order, .. } = self;
        let (mut words, mut acts, mut full) = (Vec::new(), false, false);
        let all = interp.some_steps(codes, work, payloads, &mut |seen| {
            *steps += 1;
            *assigned += seen.cost;
            acts |= seen.action.is_some();
            *order += u64::from(!seen.order.is_empty());
            interp.layout().pack_into(seen.after, &mut words);
            let Some((to, new)) = states.insert(&words) else {
                full = true;
                return;
            };
            let label = if keep || new { labels.of(&seen) } else { 0 };
            if new {
                parents.push((from as u32, label));
                if found.is_none() && goal(seen.after) {
                    *found = Some(to);
                }
            }
            if keep {
                edges.push(Edge { to: to as u32, label, order: !seen.order.is_empty() });
            }
        });
        if !acts {
            self.terminal.push(from);
        }
        self.starts.push(self.edges.len());
        match (full, all) {
            (true, _) => Err(GaveUp::States),
            (false, false) => Err(GaveUp::Payload),
            (false, true) => Ok(()),
        }
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.parents.capacity() * 8 + self.edges.capacity() * 12 + self.starts.capacity() * 8
    }

    /// The interpreter behind it.
    pub fn interp(&self) -> &Interp<'m> {
        &self.interp
    }

    /// Was every snapshot's every step taken?
    pub fn complete(&self) -> bool {
        self.found.is_none() && self.starts.len() == self.states.len() + 1
    }

    /// Number of snapshots.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never: the initial snapshot is always there.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// B-steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// B-steps that depend on the rule order.
    pub fn order_dependent(&self) -> u64 {
        self.order
    }

    /// Snapshots in which nobody can act.
    pub fn terminal(&self) -> &[usize] {
        &self.terminal
    }

    /// The snapshot that satisfied the goal.
    pub fn found(&self) -> Option<usize> {
        self.found
    }

    /// The codes of a snapshot.
    pub fn codes(&self, state: usize) -> Snapshot {
        let mut codes = Vec::new();
        self.interp.layout().unpack_into(self.states.at(state), &mut codes);
        codes.into()
    }

    /// The number of a snapshot, if it was reached.
    pub fn number(&self, codes: &[i64]) -> Option<usize> {
        self.states.find(self.interp.layout().pack(codes).words())
    }

    /// Edges out of a snapshot, in the order of the choices.
    pub fn edges(&self, state: usize) -> &[Edge] {
        &self.edges[self.starts[state]..self.starts[state + 1]]
    }

    /// The choice of a label.
    pub fn choice(&self, label: u32) -> &Choice {
        &self.labels.choices[label as usize]
    }

    /// A shortest run to a snapshot.
    pub fn path(&self, state: usize) -> RawRun {
        let mut choices = Vec::new();
        let mut at = state;
        while at != 0 {
            let (from, label) = self.parents[at];
            choices.push(self.choice(label).clone());
            at = from as usize;
        }
        choices.reverse();
        RawRun::of(choices)
    }
}
