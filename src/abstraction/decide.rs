//! From a system to verdicts: explore, decide, refine, and again.

use super::ahead::Ahead;
use super::diagram::Symbolic;
use super::graph::Graph;
use super::ground::{Drawn, Ground, Listed};
use super::know::seen;
use super::linear::Atom;
use super::machine::{Abstract, Failed, Unfit};
use super::{Asker, Checker, Claim, Doubt, Origin, Predicates, Refused, Run, Sides, Stopped, System};
use crate::logic::Formula;
use crate::machine::ExprId;
use crate::native::bdd::{self, with_big_stack};
use crate::smt::{Limits, Ready};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::time::Duration;

/// How to decide.
#[derive(Clone, Debug)]
pub struct Options {
    /// Rounds of refinement at most.
    pub refine: u32,
    /// Look for actual runs, too.
    pub runs: bool,
    /// Whom to ask.
    pub smt: Ready,
    /// Within which limits.
    pub limits: Limits,
    /// Questions to the solver at most.
    pub questions: u64,
    /// Abstract snapshots at most, where they are looked at one by one.
    pub states: usize,
    /// Look at them one by one even where diagrams would do.
    pub listed: bool,
    /// Hand out the may side and the must side over the predicates of the end.
    pub sides: bool,
    /// Conditions on a snapshot whose comparisons are predicates, too.
    pub given: Vec<(ExprId, Origin)>,
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
    /// What kept refinement from going on.
    pub stopped: Option<Stopped>,
    /// Where it is open, a step that the predicates of the end leave open and that it hangs on.
    pub doubt: Option<Doubt>,
}

/// What became of a system.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Property by property.
    pub decisions: Vec<Decision>,
    /// The predicates in the end, with the rounds that added them.
    pub predicates: Predicates,
    /// Snapshots that may be reached, at the beginning.
    pub may: BigUint,
    /// Snapshots that must be reachable, at the beginning.
    pub must: BigUint,
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
    /// The two sides; or why there are none.
    pub sides: Result<Box<Sides>, String>,
}

/// Decides properties of a system.
///
/// # Errors
/// When there is no solver, it fails, or there is too much to explore in the first round.
pub fn decide(system: &System, properties: &[usize], options: &Options) -> Result<Outcome, Stopped> {
    with_big_stack(|| {
        let asker = Asker::new(options.smt.oracle(&options.limits)?).at_most(options.questions);
        let mut predicates = Predicates::collect(system, properties);
        options.given.iter().for_each(|(e, from)| predicates.add_all(system, *e, *from));
        predicates.add_buffered(system);
        let out = Outcome::open(properties);
        Rounds { system, options, asker, predicates, size: BigUint::default(), out }.run()
    })
}

/// Atoms that would decide more, by rounds.
pub(super) type More = Vec<BTreeSet<Atom>>;

/// Explore, decide, refine, and again.
struct Rounds<'a> {
    system: &'a System<'a>,
    options: &'a Options,
    asker: Asker,
    predicates: Predicates,
    /// Snapshots that may be reached, in this round.
    size: BigUint,
    out: Outcome,
}

impl Rounds<'_> {
    fn run(mut self) -> Result<Outcome, Stopped> {
        let mut round = 0;
        loop {
            self.out.rounds = round;
            self.out.predicates = self.predicates.clone();
            let more = match self.round(round) {
                Ok(more) => more,
                Err(stopped) if stopped.is_alarm() => return Err(stopped),
                Err(stopped) if self.out.decisions.iter().all(|d| d.verdict.is_none()) && round == 0 => {
                    return Err(stopped);
                }
                // What was decided before stays decided.
                Err(stopped) => {
                    self.out.undecided().for_each(|d| d.stopped = Some(stopped.clone()));
                    break;
                }
            };
            if self.out.undecided().next().is_none() {
                break;
            }
            let mut added = false;
            for atoms in more {
                let mut new = false;
                for atom in atoms {
                    new |= self.predicates.add(self.system, atom, Origin::Refined, round + 1);
                }
                round += u32::from(new);
                added |= new;
            }
            if !added {
                break;
            }
        }
        if self.options.sides {
            self.out.sides = self.sides();
        }
        (self.out.calls, self.out.time) = self.asker.oracle().effort();
        Ok(self.out)
    }

    fn sides(&mut self) -> Result<Box<Sides>, String> {
        let all: Vec<usize> = self.out.decisions.iter().map(|d| d.property).collect();
        match Sides::new(self.system, &self.out.predicates, &all, &mut self.asker) {
            Ok(Some(sides)) => Ok(Box::new(sides)),
            Ok(None) => Err("the machines over predicates are not well-formed".into()),
            Err(Failed::Unfit(Unfit(why))) => Err(format!("it cannot be said over predicates: {why}")),
            Err(Failed::Stopped(stopped)) => Err(stopped.to_string()),
        }
    }

    /// Decides what the predicates decide; what else would help, one round after the other.
    fn round(&mut self, round: u32) -> Result<More, Stopped> {
        let open: Vec<usize> = self.out.undecided().map(|d| d.property).collect();
        self.out.sure = true;
        if self.options.listed {
            return self.listed(&open, round);
        }
        let mut more = match self.drawn(&open, round)? {
            Ok(atoms) => atoms,
            Err(Unfit(why)) => {
                return self.listed(&open, round).map_err(|stopped| match stopped {
                    Stopped::TooLarge(much) => Stopped::TooLarge(format!("{much}, looked at one by one for {why}")),
                    other => other,
                });
            }
        };
        // The list knows more of those who see abstracted data; it is too slow for many snapshots.
        let left: Vec<usize> = self.out.undecided().map(|d| d.property).filter(|p| open.contains(p)).collect();
        let left: Vec<usize> = left.into_iter().filter(|p| self.gains_by_list(*p)).collect();
        match self.size <= BigUint::from(self.options.states) {
            _ if left.is_empty() => {}
            true => more.extend(self.listed(&left, round)?),
            false => {
                let why = format!(
                    "{} abstract snapshots are too many to look at one by one, as it takes to deny knowledge to somebody who sees \
                     abstracted data",
                    self.size
                );
                let open = self.out.undecided().filter(|d| left.contains(&d.property));
                open.for_each(|d| d.stopped = Some(Stopped::TooLarge(why.clone())));
            }
        }
        Ok(more)
    }

    /// Does a property ask for the knowledge of agents who see abstracted data?
    fn gains_by_list(&self, property: usize) -> bool {
        let mut found = false;
        if let Some(p) = self.system.machine.properties.get(property) {
            p.formula.walk(&mut |f| found |= matches!(f, Formula::Know(_, g, _) if !seen(self.system, g).is_empty()));
        }
        found
    }

    /// On diagrams, unless the steps cannot be said over predicates alone.
    fn drawn(&mut self, properties: &[usize], round: u32) -> Result<Result<More, Unfit>, Stopped> {
        if properties.is_empty() {
            return Ok(Ok(More::new()));
        }
        let predicates = self.predicates.clone();
        let made = match Abstract::new(self.system, &predicates, properties, &mut self.asker) {
            Ok(made) => made,
            Err(Failed::Unfit(why)) => return Ok(Err(why)),
            Err(Failed::Stopped(stopped)) => return Err(stopped),
        };
        self.out.sure &= made.sure;
        std::thread::scope(|scope| {
            let left = if round == 0 { self.options.refine } else { 0 };
            let ahead = Ahead::send(scope, self.system, &predicates, self.options, (properties, left), &self.asker);
            let all = Symbolic::new(&made, &self.options.diagrams()).map_err(Stopped::Diagrams)?;
            if let Some(surely) = all.stuck().map_err(Stopped::Diagrams)? {
                return Err(Stopped::Stuck { surely });
            }
            self.size = all.reach.count.clone();
            if round == 0 {
                self.out.may = all.reach.count.clone();
                self.out.must = all.reached().and_then(|set| all.count(set)).map_err(Stopped::Diagrams)?;
            }
            self.out.overflow = !all.reach.overflow.is_false();
            self.judged(&mut Drawn::new(&all, properties), properties, &predicates, round, ahead).map(Ok)
        })
    }

    /// Snapshot by snapshot.
    fn listed(&mut self, properties: &[usize], round: u32) -> Result<More, Stopped> {
        let (system, predicates) = (self.system, self.predicates.clone());
        let graph = Graph::explore(system, &predicates, &mut self.asker, self.options.states)?;
        if round == 0 {
            self.out.may = graph.states.len().into();
            self.out.must = graph.must_reachable().iter().filter(|r| **r).count().into();
        }
        self.out.sure &= graph.sure;
        let flag = system.machine.overflow.0 as usize;
        self.out.overflow = graph.states.iter().any(|s| s.codes.get(flag).is_some_and(|c| *c != 0));
        let checker = Checker::new(system, &predicates, &graph);
        self.judged(&mut Listed::new(system, &graph, checker), properties, &predicates, round, None)
    }

    fn judged(
        &mut self,
        ground: &mut dyn Ground,
        properties: &[usize],
        predicates: &Predicates,
        round: u32,
        ahead: Option<Ahead>,
    ) -> Result<More, Stopped> {
        let (system, options) = (self.system, self.options);
        for decision in self.out.undecided().filter(|d| properties.contains(&d.property)) {
            one(ground, system, decision, round, &mut self.asker)?;
            if options.runs && decision.refused.is_none() {
                show(ground, system, predicates, decision, &mut self.asker)?;
            }
        }
        let open: Vec<usize> = self.out.undecided().map(|d| d.property).filter(|p| properties.contains(p)).collect();
        let more = self.more(ground, &open, predicates, options.refine.saturating_sub(round), ahead)?;
        if more.iter().all(BTreeSet::is_empty) {
            self.doubts(ground, &open, predicates)?;
        }
        Ok(more)
    }

    /// What would decide more of what is open, where so many rounds are left.
    fn more(
        &mut self,
        ground: &mut dyn Ground,
        open: &[usize],
        predicates: &Predicates,
        left: u32,
        ahead: Option<Ahead>,
    ) -> Result<More, Stopped> {
        let (system, options) = (self.system, self.options);
        if open.is_empty() || left == 0 {
            return Ok(More::new());
        }
        let found = ahead.map(|a| a.found(open, options, &mut self.asker)).transpose()?.flatten();
        let scouted = match found {
            Some(more) => more,
            None => super::scout::atoms(system, predicates, options, (open, left), &mut self.asker)?,
        };
        if !scouted.is_empty() {
            return Ok(scouted);
        }
        // Where nothing helps one of them, something may help the next.
        for property in open {
            match super::refine::atoms(system, predicates, ground, *property, &mut self.asker) {
                Ok(atoms) => {
                    let mut with = predicates.clone();
                    if atoms.iter().any(|a| with.add(system, a.clone(), Origin::Refined, 0)) {
                        return Ok(vec![atoms]);
                    }
                }
                Err(Refused::Stopped(stopped)) => return Err(stopped),
                Err(Refused::Unsupported(_)) => {}
            }
        }
        Ok(More::new())
    }

    /// Names what stays open hangs on. A limit that is reached here takes nothing away.
    fn doubts(&mut self, ground: &mut dyn Ground, open: &[usize], predicates: &Predicates) -> Result<(), Stopped> {
        let (system, options, asker) = (self.system, self.options, &mut self.asker);
        for decision in self.out.decisions.iter_mut().filter(|d| open.contains(&d.property)) {
            let property = decision.property;
            // With several instances of a kind, one of each shows it; all of them together would take long.
            let found = match options.listed || system.machine.slots.iter().all(|s| s.number == 1) {
                true => super::refine::doubt(system, predicates, ground, property, asker),
                false => super::scout::doubt(system, predicates, options, property, asker).map_err(Refused::from),
            };
            match found {
                Ok(doubt) => decision.doubt = doubt,
                Err(Refused::Stopped(stopped)) if stopped.is_alarm() => return Err(stopped),
                Err(_) => break,
            }
        }
        Ok(())
    }
}

impl Options {
    /// The limits for diagrams.
    pub(super) fn diagrams(&self) -> bdd::Limits {
        bdd::Limits {
            memory: self.limits.memory,
            deadline: self.limits.deadline,
            interrupt: self.limits.cancel.clone(),
            patience: None,
        }
    }
}

impl Outcome {
    fn open(properties: &[usize]) -> Outcome {
        let open = |p: &usize| {
            let (first, verdict, run, refused, stopped, doubt) = (None, None, None, None, None, None);
            Decision { property: *p, first, verdict, run, by_run: false, refused, stopped, doubt }
        };
        Outcome {
            decisions: properties.iter().map(open).collect(),
            predicates: Predicates::default(),
            may: BigUint::default(),
            must: BigUint::default(),
            rounds: 0,
            calls: 0,
            time: Duration::ZERO,
            sure: true,
            overflow: false,
            sides: Err("nobody asked for them".into()),
        }
    }

    fn undecided(&mut self) -> impl Iterator<Item = &mut Decision> {
        self.decisions.iter_mut().filter(|d| d.verdict.is_none() && d.refused.is_none())
    }
}

/// Looks for a run that decides what is open, or shows what is decided.
fn show(
    ground: &mut dyn Ground,
    system: &System,
    predicates: &Predicates,
    decision: &mut Decision,
    asker: &mut Asker,
) -> Result<(), Stopped> {
    let Some(property) = system.machine.properties.get(decision.property) else { return Ok(()) };
    let open = [false, true].into_iter().filter(|value| decision.verdict.is_none_or(|v| v == *value));
    for value in open.collect::<Vec<bool>>() {
        let Some(claim) = Claim::of(&property.formula, value) else { continue };
        let found = match ground.guide(decision.property, value, asker) {
            Ok(Some(guide)) => super::run::find(system, predicates, &guide, &claim, asker),
            Ok(None) => continue,
            Err(refused) => Err(refused),
        };
        match found {
            Ok(Some(run)) => {
                decision.by_run = decision.verdict.is_none();
                decision.verdict = Some(value);
                decision.run = Some(run);
                return Ok(());
            }
            Ok(None) | Err(Refused::Unsupported(_)) => {}
            Err(Refused::Stopped(stopped)) => return Err(stopped),
        }
    }
    Ok(())
}

fn one(
    ground: &mut dyn Ground,
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
    match ground.verdict(decision.property, asker) {
        Ok(verdict) => {
            decision.verdict = verdict;
            if round == 0 {
                decision.first = verdict;
            }
        }
        Err(Refused::Unsupported(why)) => decision.refused = Some(why.into()),
        Err(Refused::Stopped(stopped)) => return Err(stopped),
    }
    Ok(())
}
