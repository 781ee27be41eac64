//! From a system to verdicts: explore, decide, refine, and again.

use super::exact::Values;
use super::graph::Graph;
use super::{Asker, Checker, Origin, Predicates, Refused, Run, Stopped, System};
use crate::logic::{Formula, Path, Temporal};
use crate::machine::ExprId;
use crate::smt::{Limits, Oracle, Which};
use std::time::Duration;

/// How to decide.
#[derive(Clone, Debug)]
pub struct Options {
    /// Rounds of refinement at most.
    pub refine: u32,
    /// Look for actual runs, too.
    pub runs: bool,
    /// Whom to ask.
    pub smt: Which,
    /// Within which limits.
    pub limits: Limits,
    /// Abstract snapshots at most.
    pub states: usize,
}

/// What became of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its position in the machine.
    pub property: usize,
    /// The verdict with the predicates of the beginning.
    pub first: Option<bool>,
    /// The verdict in the end.
    pub verdict: Option<bool>,
    /// An actual run that shows the verdict, replayed on exact numbers.
    pub run: Option<Run>,
    /// The run decided it, not the abstraction.
    pub by_run: bool,
    /// Why it is not decided, where that is not for lack of predicates.
    pub refused: Option<String>,
}

/// What became of a system.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Property by property.
    pub decisions: Vec<Decision>,
    /// The predicates in the end, with the rounds that added them.
    pub predicates: Predicates,
    /// Snapshots that may be reached, at the beginning.
    pub may: usize,
    /// Snapshots that must be reachable, at the beginning.
    pub must: usize,
    /// Rounds of refinement that were needed.
    pub rounds: u32,
    /// Questions to the solver.
    pub calls: u64,
    /// Time it took to answer them.
    pub time: Duration,
    /// The solver knew everything it was asked.
    pub sure: bool,
    /// Some snapshot that may be reached has `overflow` set.
    pub overflow: bool,
}

/// Decides properties of a system.
///
/// # Errors
/// When there is no solver, it fails, or there is too much to explore in the first round.
pub fn decide(system: &System, properties: &[usize], options: &Options) -> Result<Outcome, Stopped> {
    let mut asker = Asker::new(Oracle::start(options.smt, &options.limits)?);
    let mut predicates = Predicates::collect(system, properties);
    let open =
        |p: &usize| Decision { property: *p, first: None, verdict: None, run: None, by_run: false, refused: None };
    let mut out = Outcome {
        decisions: properties.iter().map(open).collect(),
        predicates: predicates.clone(),
        may: 0,
        must: 0,
        rounds: 0,
        calls: 0,
        time: Duration::ZERO,
        sure: true,
        overflow: false,
    };
    for round in 0..=options.refine {
        let graph = match Graph::explore(system, &predicates, &mut asker, options.states) {
            Ok(graph) => graph,
            Err(stopped) if round == 0 => return Err(stopped),
            // What was decided before stays decided.
            Err(stopped) => {
                out.undecided().for_each(|d| d.refused = Some(stopped.to_string()));
                break;
            }
        };
        if round == 0 {
            out.may = graph.states.len();
            out.must = graph.must_reachable().iter().filter(|r| **r).count();
        }
        out.sure = graph.sure;
        out.rounds = round;
        out.predicates = predicates.clone();
        let flag = system.machine.overflow.0 as usize;
        out.overflow = graph.states.iter().any(|s| s.codes.get(flag).is_some_and(|c| *c != 0));
        let mut checker = Checker::new(system, &predicates, &graph);
        for decision in out.undecided() {
            one(&mut checker, system, decision, round, &mut asker)?;
            if options.runs && decision.refused.is_none() {
                show(&mut checker, system, &predicates, &graph, decision, &mut asker)?;
            }
        }
        let Some(open) = out.undecided().next().map(|d| d.property) else { break };
        if round == options.refine {
            break;
        }
        let Some(property) = system.machine.properties.get(open) else { break };
        let more = super::refine::atoms(system, &predicates, &graph, &property.formula, &mut asker);
        let more = match more {
            Ok(atoms) => atoms,
            Err(Refused::Stopped(s)) => return Err(s),
            Err(Refused::Unsupported(_)) => break,
        };
        let mut added = false;
        for atom in more {
            added |= predicates.add(system, atom, Origin::Refined, round + 1);
        }
        if !added {
            break;
        }
    }
    (out.calls, out.time) = asker.oracle().effort();
    Ok(out)
}

impl Outcome {
    fn undecided(&mut self) -> impl Iterator<Item = &mut Decision> {
        self.decisions.iter_mut().filter(|d| d.verdict.is_none() && d.refused.is_none())
    }
}

/// Looks for a run to where an `AG` fails or an `EF` holds: it decides what is open, and shows what is decided.
fn show(
    checker: &mut Checker,
    system: &System,
    predicates: &Predicates,
    graph: &Graph,
    decision: &mut Decision,
    asker: &mut Asker,
) -> Result<(), Stopped> {
    let Some(property) = system.machine.properties.get(decision.property) else { return Ok(()) };
    let (part, verdict) = match &property.formula {
        Formula::Quantified(Path::A, Temporal::Globally(a)) => (a, false),
        Formula::Quantified(Path::E, Temporal::Finally(a)) => (a, true),
        _ => return Ok(()),
    };
    if decision.verdict == Some(!verdict) {
        return Ok(());
    }
    let truth = match checker.decide(part, asker) {
        Ok(truth) => truth,
        Err(Refused::Stopped(stopped)) => return Err(stopped),
        Err(Refused::Unsupported(_)) => return Ok(()),
    };
    let target = if verdict { truth.yes } else { truth.no };
    let last = |run: &Run| run.steps.last().map_or(run.initial.clone(), |s| s.after.clone());
    // A condition on the last snapshot is looked at once more, on the numbers themselves.
    let shown = |run: &Run| plainly(system, part, &last(run)).is_none_or(|holds| holds == verdict);
    if let Some(run) = super::run::reach(system, predicates, graph, &target, asker)?.filter(shown) {
        decision.by_run = decision.verdict.is_none();
        decision.verdict = Some(verdict);
        decision.run = Some(run);
    }
    Ok(())
}

/// The truth of a condition on one snapshot; `None` for anything else.
fn plainly(system: &System, f: &Formula<ExprId>, values: &Values) -> Option<bool> {
    match f {
        Formula::Atom(e) => Some(super::exact::holds(system.machine, values, *e)),
        Formula::Bool(b) => b.try_map(|part| plainly(system, part, values).ok_or(())).ok().map(|b| b.truth()),
        _ => None,
    }
}

fn one(
    checker: &mut Checker,
    system: &System,
    decision: &mut Decision,
    round: u32,
    asker: &mut Asker,
) -> Result<(), Stopped> {
    let Some(property) = system.machine.properties.get(decision.property) else { return Ok(()) };
    if !property.fair.is_empty() {
        decision.refused = Some("fairness is not decided on abstract snapshots; say it in LTL: LTL (fair -> …)".into());
        return Ok(());
    }
    match checker.decide(&property.formula, asker) {
        Ok(truth) => {
            decision.verdict = match (truth.yes.first(), truth.no.first()) {
                (Some(true), _) => Some(true),
                (_, Some(true)) => Some(false),
                _ => None,
            };
            if round == 0 {
                decision.first = decision.verdict;
            }
        }
        Err(Refused::Unsupported(why)) => decision.refused = Some(why.into()),
        Err(Refused::Stopped(stopped)) => return Err(stopped),
    }
    Ok(())
}
