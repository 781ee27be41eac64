//! Actual runs behind abstract ones.
//!
//! The initial snapshot is a single one, so along an abstract run every number is a sum over the payloads sent so far, and the run is
//! possible exactly if some payloads satisfy the conditions on its way. The solver finds them, and the run is then replayed on exact
//! numbers, step by step: what does not replay is no run.

use super::env::{Env, Snapshot};
use super::exact::{self, Values};
use super::graph::{Graph, all_paths};
use super::linear::{Atom, Leaf, Linear};
use super::paths::{Path, Post};
use super::question::in_range;
use super::truth::Set;
use super::{Asker, Predicates, Stopped, System};
use crate::machine::{BodyIx, InputIx, VarId};
use crate::smt::{Ratio, Sat, Symbol, Term, Value};
use num_traits::Zero;
use std::collections::{BTreeMap, VecDeque};

/// A step of an actual run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The machine's action; `None` for doing nothing.
    pub action: Option<usize>,
    /// Payload, input by input.
    pub inputs: Vec<Ratio>,
    /// Positions of the rules that fired.
    pub fired: Vec<usize>,
    /// The snapshot after.
    pub after: Values,
}

/// A run that was replayed on exact numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The initial snapshot.
    pub initial: Values,
    /// The steps.
    pub steps: Vec<RunStep>,
}

/// So many times the solver is asked for one run.
const MOST_QUESTIONS: usize = 300;

/// A run to one of these snapshots, shortest first; `None` if none was found.
pub fn reach(
    system: &System,
    predicates: &Predicates,
    graph: &Graph,
    target: &Set,
    asker: &mut Asker,
) -> Result<Option<Run>, Stopped> {
    let distance = distances(graph, target);
    let mut search = Search { system, predicates, graph, distance: &distance, questions: 0, asker };
    let Some(least) = distance.first().copied().flatten() else { return Ok(None) };
    // Abstract runs that are a little longer than necessary may be possible where the shortest are not.
    for length in least..least + 8 {
        let sums = BTreeMap::new();
        if let Some(steps) = search.extend(0, length, &sums, &mut Vec::new())? {
            return Ok(replayed(system, steps).filter(|run| confirmed(system, predicates, graph, target, run)));
        }
        if search.questions >= MOST_QUESTIONS {
            break;
        }
    }
    Ok(None)
}

/// Steps to the target along may-edges.
fn distances(graph: &Graph, target: &Set) -> Vec<Option<usize>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.states.len()];
    for s in 0..graph.states.len() {
        for t in graph.may(s) {
            if let Some(list) = before.get_mut(t) {
                list.push(s);
            }
        }
    }
    let mut distance: Vec<Option<usize>> = target.iter().map(|t| t.then_some(0)).collect();
    let mut todo: VecDeque<usize> = (0..target.len()).filter(|s| target.get(*s) == Some(&true)).collect();
    while let Some(t) = todo.pop_front() {
        let next = distance.get(t).copied().flatten().unwrap_or(0) + 1;
        for &s in before.get(t).map(Vec::as_slice).unwrap_or_default() {
            if let Some(d @ None) = distance.get_mut(s) {
                *d = Some(next);
                todo.push_back(s);
            }
        }
    }
    distance
}

/// What was chosen so far: per step the path with its number of payload symbols.
type Chosen = Vec<(Path, usize)>;

/// Per step, its action and its payload.
type Payloads = Vec<(usize, Vec<Ratio>)>;

struct Search<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    graph: &'a Graph,
    distance: &'a [Option<usize>],
    questions: usize,
    asker: &'a mut Asker,
}

/// An input of a step, told apart from those of other steps.
fn at_step(i: InputIx, step: usize) -> InputIx {
    InputIx(i.0 + step * 1000)
}

fn symbol(leaf: &Leaf) -> Symbol {
    match leaf {
        Leaf::Input(i, sort) => Symbol { name: format!("u{}", i.0), sort: *sort },
        other => Symbol { name: "none".into(), sort: other.sort() },
    }
}

impl Search<'_> {
    /// Goes on from a snapshot for exactly `left` steps; numbers are `sums` over payloads, at their initial values where not listed.
    fn extend(
        &mut self,
        state: usize,
        left: usize,
        sums: &BTreeMap<VarId, Linear>,
        chosen: &mut Chosen,
    ) -> Result<Option<Payloads>, Stopped> {
        if left == 0 {
            let there = self.distance.get(state).copied().flatten() == Some(0);
            return if there { self.payloads(chosen) } else { Ok(None) };
        }
        let (Some(snapshot), Some(moves)) = (self.graph.states.get(state), self.graph.moves.get(state)) else {
            return Ok(None);
        };
        let env = Env::new(self.system, self.predicates, snapshot);
        for m in moves {
            let mut paths: Option<Vec<Path>> = None;
            for &t in m.may.iter().filter(|t| self.distance.get(**t).copied().flatten().is_some_and(|d| d < left)) {
                let Some(target) = self.graph.states.get(t) else { continue };
                if paths.is_none() {
                    paths = Some(all_paths(&env, m.agent, m.body)?);
                }
                for path in paths.iter().flatten().filter(|p| leads_to(p, target)) {
                    if self.questions >= MOST_QUESTIONS {
                        return Ok(None);
                    }
                    let found = self.through(path, m.body, (target, t), left, sums, chosen)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(None)
    }

    fn through(
        &mut self,
        path: &Path,
        body: BodyIx,
        (target, t): (&Snapshot, usize),
        left: usize,
        sums: &BTreeMap<VarId, Linear>,
        chosen: &mut Chosen,
    ) -> Result<Option<Payloads>, Stopped> {
        let at = chosen.len();
        let init = |v: &VarId| Linear::int(self.system.machine.var(*v).init);
        let mut now = |leaf: &Leaf| match leaf {
            Leaf::Var(v, _) => sums.get(v).cloned().unwrap_or_else(|| init(v)),
            Leaf::Input(i, sort) => Linear::leaf(Leaf::Input(at_step(*i, at), *sort)),
            other => Linear::leaf(other.clone()),
        };
        let mut literals: Vec<(Linear, bool, bool)> = Vec::new();
        let mut add = |a: &Atom, b: bool| literals.push((a.difference().map(&mut now), a.less, b));
        path.conditions.iter().for_each(|(a, b)| add(a, *b));
        for (post, truth) in path.posts.iter().zip(&target.truths) {
            if let Post::Ask(a, holds) = post {
                add(a, truth == holds);
            }
        }
        let mut after = sums.clone();
        for (v, sum) in &path.sums {
            after.insert(*v, sum.map(&mut now));
        }
        let count = self.system.machine.bodies.get(body.0).map_or(0, |b| b.inputs.len());
        let oracle = self.asker.oracle();
        oracle.push();
        for i in (0..count).map(InputIx) {
            if let Some(wide) = self.system.wide_input(body, i) {
                let symbol = symbol(&Leaf::Input(at_step(i, at), wide.sort));
                oracle.declare(&symbol);
                in_range(&symbol, &wide).into_iter().for_each(|t| oracle.assert(t));
            }
        }
        let zero = || Term::int(0);
        for (sum, less, holds) in &literals {
            let term = sum.term(&symbol);
            let term = if *less { Term::less(term, zero()) } else { Term::equal(term, zero()) };
            oracle.assert(if *holds { term } else { term.negated() });
        }
        self.questions += 1;
        let possible = literals.is_empty() || oracle.check()? == Sat::Yes;
        let mut found = None;
        if possible {
            chosen.push((path.clone(), count));
            found = self.extend(t, left - 1, &after, chosen)?;
            chosen.pop();
        }
        self.asker.oracle().pop();
        Ok(found)
    }

    /// The payloads of a run whose conditions have been said to the solver.
    fn payloads(&mut self, chosen: &Chosen) -> Result<Option<Payloads>, Stopped> {
        let oracle = self.asker.oracle();
        if oracle.check()? != Sat::Yes {
            return Ok(None);
        }
        let m = self.system.machine;
        let mut steps = Vec::new();
        for (k, (path, count)) in chosen.iter().enumerate() {
            let body = m.actions.get(path.action).map_or(BodyIx(0), |a| a.body);
            let value = |i: InputIx| match self.system.wide_input(body, i) {
                Some(wide) => match oracle.value(&symbol(&Leaf::Input(at_step(i, k), wide.sort))) {
                    Some(Value::Number(n)) => n.clone(),
                    _ => Ratio::zero(),
                },
                None => {
                    let values =
                        m.bodies.get(body.0).and_then(|b| b.inputs.get(i.0)).and_then(|i| i.values.ends()).map(|e| e.0);
                    let code = path.inputs.get(&i).copied().or(values).unwrap_or_default();
                    Ratio::from_integer(code.into())
                }
            };
            steps.push((path.action, (0..*count).map(InputIx).map(value).collect()));
        }
        Ok(Some(steps))
    }
}

fn leads_to(path: &Path, target: &Snapshot) -> bool {
    let fits = |(post, truth): (&Post, &bool)| !matches!(post, Post::Known(b) if b != truth);
    path.codes == target.codes && path.posts.iter().zip(&target.truths).all(fits)
}

/// The run on exact numbers; `None` if some step does not exist.
fn replayed(system: &System, steps: Vec<(usize, Vec<Ratio>)>) -> Option<Run> {
    let initial = exact::initial(system.machine);
    let mut run = Run { initial: initial.clone(), steps: Vec::new() };
    let mut now = initial;
    for (action, inputs) in steps {
        let exact::Step { after, fired } = exact::step(system.machine, &now, action, &inputs)?;
        now = after.clone();
        run.steps.push(RunStep { action: Some(action), inputs, fired, after });
    }
    Some(run)
}

/// Does the run end in a snapshot of the target?
fn confirmed(system: &System, predicates: &Predicates, graph: &Graph, target: &Set, run: &Run) -> bool {
    let last = run.steps.last().map_or(&run.initial, |s| &s.after);
    let snapshot = super::concrete::alpha(system, predicates, last);
    graph.states.iter().zip(target).any(|(s, t)| *t && snapshot.as_ref() == Some(s))
}
