//! Everything that may happen, snapshot by snapshot.

use super::env::{Env, Snapshot};
use super::paths::{Path, Post, paths};
use super::question::{Asker, Question};
use super::system::Wide;
use super::way::Way;
use super::{Predicates, System};
use crate::machine::{AgentIx, BodyIx, Idle, VarId};
use crate::native::bdd::Stop;
use crate::smt::{SmtError, Sort};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What one agent can make happen in an abstract snapshot. Snapshots are positions in [`Graph::states`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The agent.
    pub agent: AgentIx,
    /// What happens.
    pub body: BodyIx,
    /// What may come out.
    pub may: Vec<usize>,
    /// Every concrete snapshot has all outcomes of one of these sets (at least); the empty set is there when some have none.
    pub family: Vec<Vec<usize>>,
}

impl Move {
    /// Does every concrete snapshot have an outcome in the set?
    pub fn meets(&self, set: &[bool]) -> bool {
        self.family.iter().all(|outcomes| outcomes.iter().any(|s| set.get(*s) == Some(&true)))
    }

    /// The outcomes that every concrete snapshot has.
    pub fn must(&self) -> Vec<usize> {
        let all = |s: &&usize| self.family.iter().all(|outcomes| outcomes.contains(s));
        self.may.iter().filter(all).copied().collect()
    }
}

/// Doing nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Idling {
    /// Some concrete snapshot may.
    pub may: bool,
    /// All may.
    pub must: bool,
}

/// The abstract snapshots that may be reached, and what happens there.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The snapshots; the first is the initial one.
    pub states: Vec<Snapshot>,
    /// Per snapshot what can be done.
    pub moves: Vec<Vec<Move>>,
    /// Per snapshot whether nothing can be done.
    pub idle: Vec<Idling>,
    /// The solver knew everything it was asked.
    pub sure: bool,
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The solver failed.
    Solver(SmtError),
    /// Diagrams ran into a limit.
    Diagrams(Stop),
    /// There are more snapshots, or more ways through a step, than can be held.
    TooLarge(String),
    /// Doing nothing is never allowed, and nobody can act in a snapshot that is reachable (surely), or it is not excluded that there is one.
    Stuck {
        /// There is one.
        surely: bool,
    },
}

impl Stopped {
    /// A solver that is wrong once may have been before: nothing it said can be used.
    pub fn is_alarm(&self) -> bool {
        matches!(self, Stopped::Solver(SmtError::Wrong(_)))
    }

    /// It was too much: for fewer properties it might not be.
    pub fn is_too_much(&self) -> bool {
        match self {
            Stopped::Solver(e) => matches!(e, SmtError::Late(_) | SmtError::TooMuch(_)),
            Stopped::Diagrams(stop) => matches!(stop, Stop::Timeout | Stop::OutOfMemory),
            Stopped::TooLarge(_) => true,
            Stopped::Stuck { .. } => false,
        }
    }
}

impl From<SmtError> for Stopped {
    fn from(e: SmtError) -> Stopped {
        Stopped::Solver(e)
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Solver(e) => e.fmt(f),
            Stopped::Diagrams(stop) => stop.fmt(f),
            Stopped::TooLarge(why) => f.write_str(why),
            Stopped::Stuck { surely: true } => {
                f.write_str("a snapshot in which nobody can act is reachable, and idling is never allowed")
            }
            Stopped::Stuck { surely: false } => f.write_str(
                "idling is never allowed, and the predicates do not exclude a snapshot in which nobody can act",
            ),
        }
    }
}

/// Bytes of a number.
const WORD: usize = 8;
/// So often the solver is asked before snapshots are too many to look at one by one.
const MOST_QUESTIONS: u64 = 100_000;

impl Graph {
    /// Explores from the initial snapshot; at most `most` snapshots.
    ///
    /// # Errors
    /// When the solver fails or there is too much to explore.
    pub fn explore(system: &System, predicates: &Predicates, asker: &mut Asker, most: usize) -> Result<Graph, Stopped> {
        let mut lookout = Lookout { system, predicates, sure: true };
        let mut graph = Graph::default();
        let mut index: FxHashMap<Snapshot, usize> = FxHashMap::default();
        let (asked, _) = asker.oracle().effort();
        let (most_bytes, mut bytes) = (asker.oracle().memory().unwrap_or(u64::MAX), 0);
        // Behind the initial abstract snapshot there is one concrete one.
        graph.number(&mut index, super::concrete::initial(system, predicates));
        while let Some(snapshot) = graph.states.get(graph.moves.len()).cloned() {
            if graph.states.len() > most {
                return Err(Stopped::TooLarge(format!("more than {most} abstract snapshots")));
            }
            if asker.oracle().effort().0 - asked > MOST_QUESTIONS {
                let far = graph.moves.len();
                return Err(Stopped::TooLarge(format!("{MOST_QUESTIONS} questions for {far} abstract snapshots")));
            }
            asker.oracle().go_on()?;
            bytes += snapshot.bytes();
            if bytes > most_bytes {
                return Err(Stopped::Diagrams(Stop::OutOfMemory));
            }
            let (around, idle) = lookout.around(&snapshot, asker)?;
            let mut moves = Vec::with_capacity(around.len());
            for Around { agent, body, may, family } in around {
                let may: Vec<usize> = may.into_iter().map(|s| graph.number(&mut index, s)).collect();
                let at = |i: &usize| may.get(*i).copied();
                let family: Vec<Vec<usize>> = family.iter().map(|set| set.iter().filter_map(at).collect()).collect();
                bytes += (WORD * (may.len() + family.iter().map(|set| set.len() + 3).sum::<usize>() + 8)) as u64;
                moves.push(Move { agent, body, may, family });
            }
            graph.moves.push(moves);
            graph.idle.push(idle);
        }
        graph.sure = lookout.sure;
        graph.stuck(system.machine.idle)?;
        Ok(graph)
    }

    fn number(&mut self, index: &mut FxHashMap<Snapshot, usize>, snapshot: Snapshot) -> usize {
        *index.entry(snapshot).or_insert_with_key(|snapshot| {
            self.states.push(snapshot.clone());
            self.states.len() - 1
        })
    }

    /// What may follow a snapshot.
    pub fn may(&self, state: usize) -> BTreeSet<usize> {
        let moves = self.moves.get(state).map(Vec::as_slice).unwrap_or_default();
        let idle = self.idle.get(state).is_some_and(|i| i.may).then_some(state);
        moves.iter().flat_map(|m| m.may.iter().copied()).chain(idle).collect()
    }

    /// What must be able to follow a snapshot.
    pub fn must(&self, state: usize) -> BTreeSet<usize> {
        let moves = self.moves.get(state).map(Vec::as_slice).unwrap_or_default();
        let idle = self.idle.get(state).is_some_and(|i| i.must).then_some(state);
        moves.iter().flat_map(Move::must).chain(idle).collect()
    }

    /// Is there a snapshot in which nobody can act, surely or perhaps, though somebody always has to?
    fn stuck(&self, idle: Idle) -> Result<(), Stopped> {
        let acts = |moves: &Vec<Move>| moves.iter().any(|m| m.family.iter().all(|set| !set.is_empty()));
        if idle != Idle::Never || self.moves.iter().all(acts) {
            return Ok(());
        }
        let mut reached = self.must_reachable().into_iter().zip(&self.moves);
        Err(Stopped::Stuck { surely: reached.any(|(reached, moves)| reached && moves.is_empty()) })
    }

    /// The snapshots that must be reachable.
    pub fn must_reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        let mut todo: Vec<usize> = if reached.is_empty() { vec![] } else { vec![0] };
        while let Some(s) = todo.pop() {
            if let Some(r) = reached.get_mut(s)
                && !std::mem::replace(r, true)
            {
                todo.extend(self.must(s));
            }
        }
        reached
    }
}

/// All ways in which an agent can make something happen: its protocol entries together.
pub fn all_paths(env: &Env, agent: AgentIx, body: BodyIx) -> Result<Vec<Path>, Stopped> {
    let m = env.system.machine;
    let event = || m.bodies.get(body.0).map_or("", |b| &b.event);
    let too_many = || Stopped::TooLarge(format!("too many ways through one step of {}", event()));
    let mut all = Vec::new();
    for &a in env.system.actions_of(body) {
        if m.actions.get(a).is_some_and(|action| action.agent == agent) {
            all.extend(paths(env, a).ok_or_else(too_many)?);
        }
    }
    Ok(all)
}

/// What one agent can make happen in an abstract snapshot, with the snapshots themselves.
pub struct Around {
    /// The agent.
    pub agent: AgentIx,
    /// What happens.
    pub body: BodyIx,
    /// What may come out.
    pub may: Vec<Snapshot>,
    /// Every concrete snapshot has all outcomes of one of these sets, which are positions in `may`.
    pub family: Vec<Vec<usize>>,
}

impl Around {
    /// The outcomes that only some concrete snapshots have.
    pub fn unsure(&self) -> impl Iterator<Item = &Snapshot> {
        let some = |at: usize| self.family.iter().any(|set| !set.contains(&at));
        self.may.iter().enumerate().filter(move |(at, _)| some(*at)).map(|(_, s)| s)
    }

    /// Do the predicates leave open what comes out?
    pub fn is_open(&self) -> bool {
        self.family.len() > 1 || self.family.first().is_none_or(|set| set.len() < self.may.len())
    }
}

/// Looks at single snapshots.
pub struct Lookout<'a> {
    /// The system.
    pub system: &'a System<'a>,
    /// Its predicates.
    pub predicates: &'a Predicates,
    /// The solver knew everything so far.
    pub sure: bool,
}

impl Lookout<'_> {
    /// What can be done in a snapshot, and whether nothing can.
    ///
    /// # Errors
    /// When the solver fails or there are too many ways through a step.
    pub fn around(&mut self, snapshot: &Snapshot, asker: &mut Asker) -> Result<(Vec<Around>, Idling), Stopped> {
        let (moves, partial, certain) = self.moves(snapshot, &|_| true, asker)?;
        let idle = self.idling(&Env::new(self.system, self.predicates, snapshot), certain, partial, asker)?;
        Ok((moves, idle))
    }

    /// What can be done by some bodies; ways of what is possible for some only; and whether something is possible for all.
    ///
    /// # Errors
    /// When the solver fails or there are too many ways through a step.
    pub fn moves(
        &mut self,
        snapshot: &Snapshot,
        wanted: &dyn Fn(BodyIx) -> bool,
        asker: &mut Asker,
    ) -> Result<(Vec<Around>, Vec<Way>, bool), Stopped> {
        let env = Env::new(self.system, self.predicates, snapshot);
        let actions = self.system.machine.actions.iter().filter(|a| wanted(a.body));
        let groups: BTreeSet<(AgentIx, BodyIx)> = actions.map(|a| (a.agent, a.body)).collect();
        let (mut moves, mut partial, mut certain) = (Vec::new(), Vec::new(), false);
        for (agent, body) in groups {
            asker.oracle().go_on()?;
            let all = all_paths(&env, agent, body)?;
            if all.is_empty() {
                continue;
            }
            let (ways, classes) = self.ways(body, &all);
            let question = Question::new(ways.clone(), &env.given, &|v| self.range(v));
            let answer = asker.ask(question)?;
            self.sure &= answer.sure;
            let outcome = |(class, truths): &(usize, Vec<bool>)| Some(classes.get(*class)?.with(truths));
            let may: Vec<Snapshot> = answer.outcomes.iter().filter_map(outcome).collect();
            if may.is_empty() {
                continue;
            }
            match answer.family.iter().any(Vec::is_empty) {
                true => partial.extend(ways.into_iter().map(|w| Way { class: 0, posts: vec![], ..w })),
                false => certain = true,
            }
            moves.push(Around { agent, body, may, family: answer.family });
        }
        Ok((moves, partial, certain))
    }

    /// May somebody, and must everybody, do nothing? `certain`: some action is possible for all; `partial`: ways of those that are
    /// possible for some.
    fn idling(&mut self, env: &Env, certain: bool, partial: Vec<Way>, asker: &mut Asker) -> Result<Idling, Stopped> {
        Ok(match self.system.machine.idle {
            Idle::Always => Idling { may: true, must: true },
            Idle::Never => Idling::default(),
            Idle::Terminal if certain => Idling::default(),
            Idle::Terminal if partial.is_empty() => Idling { may: true, must: true },
            Idle::Terminal => {
                let question = Question::new(partial, &env.given, &|v| self.range(v));
                let answer = asker.ask(question)?;
                self.sure &= answer.sure;
                Idling { may: answer.family.iter().any(Vec::is_empty), must: false }
            }
        })
    }

    fn range(&self, var: VarId) -> Wide {
        self.system.wide(var).unwrap_or(Wide { sort: Sort::Int, lo: None, hi: None })
    }

    /// The ways of a question, and the finite parts they lead to. Predicates that no path leaves open are finite too.
    fn ways(&self, body: BodyIx, all: &[Path]) -> (Vec<Way>, Vec<Class>) {
        let open = |i: &usize| all.iter().any(|p| matches!(p.posts.get(*i), Some(Post::Ask(..))));
        let open: Vec<usize> = (0..self.predicates.list.len()).filter(open).collect();
        let (mut classes, mut ways): (Vec<Class>, Vec<Way>) = (Vec::new(), Vec::new());
        for path in all {
            let truths = path.posts.iter().enumerate().map(|(i, p)| match p {
                Post::Known(b) if !open.contains(&i) => *b,
                _ => false,
            });
            let class = Class { codes: path.codes.clone(), truths: truths.collect(), open: open.clone() };
            let class = classes.iter().position(|c| *c == class).unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            });
            let posts: Vec<Post> = open.iter().filter_map(|i| path.posts.get(*i).cloned()).collect();
            ways.push(Way::new(self.system, body, path.conditions.clone(), class, posts));
        }
        (ways, classes)
    }
}

/// A finite part after a step, with the predicates that it leaves open.
#[derive(PartialEq, Eq)]
struct Class {
    codes: Vec<i64>,
    truths: Vec<bool>,
    open: Vec<usize>,
}

impl Class {
    fn with(&self, truths: &[bool]) -> Snapshot {
        let mut all = self.truths.clone();
        for (at, truth) in self.open.iter().zip(truths) {
            if let Some(t) = all.get_mut(*at) {
                *t = *truth;
            }
        }
        Snapshot { codes: self.codes.clone(), truths: all }
    }
}
