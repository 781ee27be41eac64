//! Actual runs behind abstract ones.
//!
//! The initial snapshot is a single one, so along an abstract run every number is a sum over the payloads sent so far, and the run is
//! possible exactly if some payloads satisfy the conditions on its way. The solver finds them, and the run is then replayed on exact
//! numbers, step by step: what does not replay is no run.

use super::env::{Env, Snapshot};
use super::exact::{self, Values};
use super::graph::{Around, Lookout, all_paths};
use super::ground::{DETOUR, Distances};
use super::linear::{Atom, Leaf, Linear};
use super::paths::{Path, Post};
use super::question::in_range;
use super::{Asker, Predicates, Stopped, System};
use crate::machine::{BodyIx, InputIx, VarId};
use crate::smt::{Ratio, Sat, Symbol, Term, Value};
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

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

/// So many times the solver is asked, or a snapshot looked at, for one run.
const MOST_QUESTIONS: usize = 150;

/// A run to where the distance is 0, shortest first; `None` if none was found.
pub fn reach(
    system: &System,
    predicates: &Predicates,
    distance: &Distances<'_>,
    asker: &mut Asker,
) -> Result<Option<Run>, Stopped> {
    let start = super::concrete::alpha(system, predicates, &exact::initial(system.machine)).unwrap_or_default();
    let Some(least) = distance(&start) else { return Ok(None) };
    let lookout = Lookout { system, predicates, sure: true };
    let known = FxHashMap::default();
    let mut search = Search { system, predicates, lookout, known, distance, questions: 0, asker };
    // Abstract runs that are a little longer than necessary may be possible where the shortest are not.
    for length in least..least + DETOUR {
        let sums = BTreeMap::new();
        if let Some(steps) = search.extend(&start, length, &sums, &mut Vec::new())? {
            let there = |run: &Run| {
                let last = run.steps.last().map_or(&run.initial, |s| &s.after);
                super::concrete::alpha(system, predicates, last).is_some_and(|s| distance(&s) == Some(0))
            };
            return Ok(replayed(system, steps).filter(there));
        }
        if search.questions >= MOST_QUESTIONS {
            break;
        }
    }
    Ok(None)
}

/// What was chosen so far: per step the path with its number of payload symbols.
type Chosen = Vec<(Path, usize)>;

/// Per step, its action and its payload.
type Payloads = Vec<(usize, Vec<Ratio>)>;

struct Search<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    lookout: Lookout<'a>,
    /// What can be done, by snapshot.
    known: FxHashMap<Snapshot, Rc<Vec<Around>>>,
    distance: &'a Distances<'a>,
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
    fn around(&mut self, snapshot: &Snapshot) -> Result<Rc<Vec<Around>>, Stopped> {
        if let Some(known) = self.known.get(snapshot) {
            return Ok(known.clone());
        }
        self.questions += 1;
        let found = Rc::new(self.lookout.around(snapshot, self.asker)?.0);
        self.known.insert(snapshot.clone(), found.clone());
        Ok(found)
    }

    /// Goes on from a snapshot for exactly `left` steps; numbers are `sums` over payloads, at their initial values where not listed.
    fn extend(
        &mut self,
        snapshot: &Snapshot,
        left: usize,
        sums: &BTreeMap<VarId, Linear>,
        chosen: &mut Chosen,
    ) -> Result<Option<Payloads>, Stopped> {
        if left == 0 {
            let there = (self.distance)(snapshot) == Some(0);
            return if there { self.payloads(chosen) } else { Ok(None) };
        }
        let (system, predicates) = (self.system, self.predicates);
        let env = Env::new(system, predicates, snapshot);
        for m in self.around(snapshot)?.iter() {
            let mut paths: Option<Vec<Path>> = None;
            for target in m.may.iter().filter(|t| (self.distance)(t).is_some_and(|d| d < left)) {
                if paths.is_none() {
                    paths = Some(all_paths(&env, m.agent, m.body)?);
                }
                for path in paths.iter().flatten().filter(|p| leads_to(p, target)) {
                    if self.questions >= MOST_QUESTIONS {
                        return Ok(None);
                    }
                    let found = self.through(path, m.body, target, left, sums, chosen)?;
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
        target: &Snapshot,
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
            found = self.extend(target, left - 1, &after, chosen)?;
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
