//! Actual runs behind abstract ones.
//!
//! The initial snapshot is a single one, so along an abstract run every number is a sum over the payloads sent so far, and the run is
//! possible exactly if some payloads satisfy the conditions on its way. The solver finds them, and the run is then replayed on exact
//! numbers, step by step: what does not replay is no run.

use super::claim::Claim;
use super::env::{Env, Snapshot};
use super::exact::{self, Values};
use super::graph::{Around, Lookout, all_paths};
use super::ground::{DETOUR, Guide};
use super::linear::{Atom, Leaf, Linear};
use super::paths::{Path, Post};
use super::way::in_range;
use super::{Asker, Predicates, Refused, Stopped, System};
use crate::logic::Formula;
use crate::machine::{BodyIx, ExprId, InputIx, VarId};
use crate::smt::{Ratio, Sat, Symbol, Term, Value};
use num_traits::{One, Zero};
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
    /// A run without end: the last snapshot is this one again, number by number.
    pub again: Option<usize>,
    /// Everything that the run must show was looked at on its own numbers; otherwise some of it is what the abstraction says.
    pub plain: bool,
}

/// So many times the solver is asked, or a snapshot looked at, for one run.
const MOST_QUESTIONS: usize = 150;

/// Loops are followed so many times at most, until all numbers are as before.
const MOST_TURNS: usize = 3;

/// A run that shows a claim, replayed on exact numbers and looked at there; `None` if none was found.
pub fn find(
    system: &System,
    predicates: &Predicates,
    guide: &Guide<'_>,
    claim: &Claim<ExprId>,
    asker: &mut Asker,
) -> Result<Option<Run>, Refused> {
    let start = super::concrete::initial(system, predicates);
    let mut search = Search::new(system, predicates, asker);
    let shows = |run: &Run| is_shown(system, predicates, guide, claim, run);
    let run = search.shortest(guide, &start)?.and_then(|steps| replayed(system, steps, None));
    if let Some(run) = run.filter(shows) {
        return Ok(Some(certified(system, claim, run)));
    }
    let Some(lasso) = claim.is_endless().then(|| (guide.lasso)()).transpose()?.flatten() else { return Ok(None) };
    for turns in 1..=MOST_TURNS {
        let turn = lasso.snapshots.get(lasso.again + 1..).unwrap_or_default();
        let more = std::iter::repeat_n(turn, turns - 1).flatten();
        let path: Vec<Snapshot> = lasso.snapshots.iter().chain(more).cloned().collect();
        let steps = search.along(path, lasso.again)?;
        if let Some(run) = steps.and_then(|steps| replayed(system, steps, Some(lasso.again))).filter(shows) {
            return Ok(Some(certified(system, claim, run)));
        }
    }
    Ok(None)
}

/// Does a run show a claim? Conditions on snapshots are looked at on the numbers themselves, anything else is what the abstraction says.
fn is_shown(system: &System, predicates: &Predicates, guide: &Guide<'_>, claim: &Claim<ExprId>, run: &Run) -> bool {
    let snapshots: Vec<&Values> = std::iter::once(&run.initial).chain(run.steps.iter().map(|s| &s.after)).collect();
    let abstracted: Vec<Option<Snapshot>> =
        snapshots.iter().map(|values| super::concrete::alpha(system, predicates, values)).collect();
    let truth = |atom: usize, value: bool, at: usize| {
        let (Some(f), Some(values)) = (claim.atoms.get(atom), snapshots.get(at)) else { return false };
        match plainly(system, f, values) {
            Some(holds) => holds == value,
            None => abstracted.get(at).and_then(Option::as_ref).is_some_and(|s| (guide.sure)(atom, value, s)),
        }
    };
    let closed = run.again.is_none_or(|at| snapshots.get(at) == snapshots.last() && at + 1 < snapshots.len());
    closed && claim.is_shown_by(snapshots.len(), run.again, &truth)
}

fn certified(system: &System, claim: &Claim<ExprId>, run: Run) -> Run {
    Run { plain: claim.atoms.iter().all(|f| plainly(system, f, &run.initial).is_some()), ..run }
}

/// The truth of a condition on one snapshot; `None` for anything else.
fn plainly(system: &System, f: &Formula<ExprId>, values: &Values) -> Option<bool> {
    match f {
        Formula::Atom(e) => Some(exact::holds(system.machine, values, *e)),
        Formula::Bool(b) => b.try_map(|part| plainly(system, part, values).ok_or(())).ok().map(|b| b.truth()),
        _ => None,
    }
}

/// Numbers as sums over payloads; at their initial values where not listed.
type Sums = BTreeMap<VarId, Linear>;

/// What was chosen so far: per step the path with its number of payload symbols, nothing for idling; and the numbers after it.
type Chosen = Vec<(Option<(Path, usize)>, Sums)>;

/// Per step, its action and its payload.
type Payloads = Vec<(Option<usize>, Vec<Ratio>)>;

/// What can be done in a snapshot, and whether everybody idles there.
type Known = Rc<(Vec<Around>, bool)>;

struct Search<'a> {
    system: &'a System<'a>,
    predicates: &'a Predicates,
    lookout: Lookout<'a>,
    known: FxHashMap<Snapshot, Known>,
    questions: usize,
    asker: &'a mut Asker,
}

/// Where a search goes: automaton states, and the distances that lead to the end.
struct Way<'g> {
    edges: &'g [Vec<usize>],
    distance: &'g dyn Fn(usize, &Snapshot) -> Option<usize>,
    /// The numbers of the last snapshot must be those at this position.
    again: Option<usize>,
}

/// An input of a step, told apart from those of other steps.
fn at_step(i: InputIx, step: usize) -> InputIx {
    InputIx(i.0 + step * 1000)
}

/// Named unlike payload in questions about one step, which are asked while a run is being looked for.
fn symbol(leaf: &Leaf) -> Symbol {
    match leaf {
        Leaf::Input(i, sort) => Symbol::numbered("run", i.0, *sort),
        other => Symbol::named("none", other.sort()),
    }
}

impl<'a> Search<'a> {
    fn new(system: &'a System<'a>, predicates: &'a Predicates, asker: &'a mut Asker) -> Search<'a> {
        let lookout = Lookout { system, predicates, sure: true };
        Search { system, predicates, lookout, known: FxHashMap::default(), questions: 0, asker }
    }

    /// A run to where the distance is 0, shortest first.
    fn shortest(&mut self, guide: &Guide<'_>, start: &Snapshot) -> Result<Option<Payloads>, Stopped> {
        self.questions = 0;
        let way = Way { edges: &guide.edges, distance: &guide.distance, again: None };
        let first: Vec<(usize, usize)> =
            guide.initial.iter().filter_map(|q| Some((*q, (guide.distance)(*q, start)?))).collect();
        let Some(least) = first.iter().map(|(_, far)| *far).min() else { return Ok(None) };
        // Abstract runs that are a little longer than necessary may be possible where the shortest are not.
        for length in least..least + DETOUR {
            for (q, _) in first.iter().filter(|(_, far)| *far <= length) {
                let found = self.extend(&way, (*q, start), length, &Sums::new(), &mut Vec::new())?;
                if found.is_some() || self.questions >= MOST_QUESTIONS {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// A run through these snapshots whose last numbers are those at an earlier position.
    fn along(&mut self, path: Vec<Snapshot>, again: usize) -> Result<Option<Payloads>, Stopped> {
        self.questions = 0;
        let last = path.len().saturating_sub(1);
        let edges: Vec<Vec<usize>> = (0..=last).map(|q| if q < last { vec![q + 1] } else { vec![] }).collect();
        let distance = |q: usize, s: &Snapshot| (path.get(q) == Some(s)).then(|| last - q.min(last));
        let way = Way { edges: &edges, distance: &distance, again: Some(again) };
        match path.first() {
            Some(start) => self.extend(&way, (0, start), last, &Sums::new(), &mut Vec::new()),
            None => Ok(None),
        }
    }

    fn around(&mut self, snapshot: &Snapshot) -> Result<Known, Stopped> {
        if let Some(known) = self.known.get(snapshot) {
            return Ok(known.clone());
        }
        self.questions += 1;
        let (moves, idling) = self.lookout.around(snapshot, self.asker)?;
        let found = Rc::new((moves, idling.must));
        self.known.insert(snapshot.clone(), found.clone());
        Ok(found)
    }

    /// Goes on from a snapshot for exactly `left` steps.
    fn extend(
        &mut self,
        way: &Way<'_>,
        (q, snapshot): (usize, &Snapshot),
        left: usize,
        sums: &Sums,
        chosen: &mut Chosen,
    ) -> Result<Option<Payloads>, Stopped> {
        if left == 0 {
            let there = (way.distance)(q, snapshot) == Some(0);
            return if there { self.finished(way, sums, chosen) } else { Ok(None) };
        }
        let edges = way.edges.get(q).map(Vec::as_slice).unwrap_or_default();
        let near = |t: &Snapshot| -> Vec<usize> {
            edges.iter().copied().filter(|q| (way.distance)(*q, t).is_some_and(|d| d < left)).collect()
        };
        let (system, predicates) = (self.system, self.predicates);
        let env = Env::new(system, predicates, snapshot);
        let known = self.around(snapshot)?;
        for m in &known.0 {
            let mut paths: Option<Vec<Path>> = None;
            for (target, next) in m.may.iter().flat_map(|t| near(t).into_iter().map(move |q| (t, q))) {
                if paths.is_none() {
                    paths = Some(all_paths(&env, m.agent, m.body)?);
                }
                for path in paths.iter().flatten().filter(|p| p.may_lead_to(target)) {
                    if self.questions >= MOST_QUESTIONS {
                        return Ok(None);
                    }
                    let found = self.through(way, (path, m.body), (next, target), left, sums, chosen)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        for next in near(snapshot).into_iter().filter(|_| known.1) {
            chosen.push((None, sums.clone()));
            let found = self.extend(way, (next, snapshot), left - 1, sums, chosen)?;
            chosen.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The payloads of a run that is long enough, closed where it must be.
    fn finished(&mut self, way: &Way<'_>, sums: &Sums, chosen: &Chosen) -> Result<Option<Payloads>, Stopped> {
        let Some(again) = way.again else { return self.payloads(chosen) };
        let first = Sums::new();
        let before = again.checked_sub(1).and_then(|at| chosen.get(at)).map_or(&first, |(_, sums)| sums);
        let at = |sums: &Sums, v: VarId| {
            sums.get(&v).cloned().unwrap_or_else(|| Linear::int(self.system.machine.var(v).init))
        };
        let same = self.system.abstracted().map(|v| at(sums, v).plus(&at(before, v), &-Ratio::one()));
        let same: Vec<Term> = same.map(|sum| Term::equal(sum.term(&symbol), Term::int(0))).collect();
        self.asker.oracle().push();
        same.into_iter().for_each(|t| self.asker.oracle().assert(t));
        let found = self.payloads(chosen);
        self.asker.oracle().pop();
        found
    }

    fn through(
        &mut self,
        way: &Way<'_>,
        (path, body): (&Path, BodyIx),
        (next, target): (usize, &Snapshot),
        left: usize,
        sums: &Sums,
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
            chosen.push((Some((path.clone(), count)), after.clone()));
            found = self.extend(way, (next, target), left - 1, &after, chosen)?;
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
        for (k, (step, _)) in chosen.iter().enumerate() {
            let Some((path, count)) = step else {
                steps.push((None, Vec::new()));
                continue;
            };
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
            steps.push((Some(path.action), (0..*count).map(InputIx).map(value).collect()));
        }
        Ok(Some(steps))
    }
}

/// The run on exact numbers; `None` if some step does not exist.
fn replayed(system: &System, steps: Payloads, again: Option<usize>) -> Option<Run> {
    let initial = exact::initial(system.machine);
    let mut run = Run { initial: initial.clone(), steps: Vec::new(), again, plain: false };
    let mut now = initial;
    for (action, inputs) in steps {
        let fired = match action {
            Some(action) => {
                let exact::Step { after, fired } = exact::step(system.machine, &now, action, &inputs)?;
                now = after;
                fired
            }
            // Everybody idles, whatever the numbers are: that is how the step was found.
            None => Vec::new(),
        };
        run.steps.push(RunStep { action, inputs, fired, after: now.clone() });
    }
    Some(run)
}
