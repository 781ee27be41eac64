//! The checker from the outside: a machine in, verdicts with evidence out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use num_bigint::BigUint;

pub use super::bdd::Patience;
use super::bdd::{Limits, Stop, with_big_stack};
use super::builtin;
use super::check::{Answer, Checker, Trouble};
use super::encode::System;
use super::reach::Reach;
use super::strategy::Strategy;
pub use super::vacuity::ALONE;
use super::vacuity::{self, Decided};
use super::witness::{Evidence, Trail};
use crate::answer::{Engine, PropertyResult, Verdict};
use crate::logic::Property;
use crate::machine::Idle;
use crate::machine::{ExprId, Question, Snapshot, Valid};

/// Bytes for diagrams where nothing is said.
pub const DEFAULT_MEMORY: u64 = Limits::DEFAULT_MEMORY;

/// What to do, and within which limits.
#[derive(Clone, Default)]
pub struct Options {
    /// Time for exploring, and again for each property.
    pub timeout: Option<Duration>,
    /// Bytes for diagrams.
    pub memory: Option<u64>,
    /// Set by somebody else to stop.
    pub interrupt: Arc<AtomicBool>,
    /// Names of the properties and questions to ask; all where there is no list.
    pub only: Option<Vec<String>>,
    /// Also answer the machine's questions about steps.
    pub builtin: bool,
    /// Called as the work goes on.
    pub progress: Option<Listener>,
    /// After how much work to ask whether to go on.
    pub patience: Option<Patience>,
    /// All reachable snapshots, where somebody knows them.
    pub known: Option<Vec<Snapshot>>,
}

impl Options {
    fn asks(&self, name: &String) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(name))
    }
}

/// Called as the work goes on.
pub type Listener = Arc<dyn Fn(&Progress) + Send + Sync>;

/// How far the work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Turning the machine into diagrams.
    Encoding,
    /// Looking for all reachable snapshots.
    Exploring {
        /// Rounds over all actions so far.
        rounds: usize,
        /// Nodes in use.
        nodes: usize,
    },
    /// Deciding a property.
    Property {
        /// Its position, from 0.
        index: usize,
        /// How many there are.
        of: usize,
        /// Its name.
        name: String,
    },
    /// A property is decided.
    Decided {
        /// Its name.
        name: String,
        /// Does it hold?
        holds: bool,
    },
}

/// Everything the checker found out.
#[derive(Clone, Debug)]
pub struct Report {
    /// The reachable snapshots, or why they were not all found.
    pub exploration: Result<Exploration, Trouble>,
    /// Answers in the order of the machine's properties, then to the standard questions.
    pub answers: Vec<NativeAnswer>,
    /// Steps of recursion that all that took, if the snapshots were found; the same for the same machine.
    pub work: u64,
}

/// Does some reachable step depend on the order of its rules?
#[derive(Clone, Debug)]
pub enum OrderMatters {
    /// None does.
    Never,
    /// One after this run does.
    After(Trail),
    /// There are too many orders to look at.
    Unknown(Stop),
}

impl OrderMatters {
    /// `None`: not known.
    pub fn is_possible(&self) -> Option<bool> {
        match self {
            OrderMatters::Never => Some(false),
            OrderMatters::After(_) => Some(true),
            OrderMatters::Unknown(_) => None,
        }
    }
}

/// The reachable snapshots in numbers.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// How many there are.
    pub states: BigUint,
    /// Can `overflow` become true?
    pub overflow: bool,
    /// How many are dead ends: nobody can act.
    pub dead_ends: BigUint,
    /// Does some step depend on the chosen rule order?
    pub order_dependent: OrderMatters,
    /// Time for encoding.
    pub build_seconds: f64,
    /// Time for exploring.
    pub reach_seconds: f64,
    /// Diagram nodes of the set of reachable snapshots.
    pub reach_nodes: usize,
    /// The most nodes in use.
    pub peak_nodes: usize,
}

/// The answer to a property.
#[derive(Clone, Debug)]
pub struct NativeAnswer {
    /// As all engines give it; its trace comes from replaying the evidence.
    pub result: PropertyResult,
    /// A run that shows why.
    pub evidence: Option<Evidence>,
    /// For strategies that exist: what the coalition does.
    pub strategy: Option<Strategy>,
    /// The question about steps that this answers, if it is not a property of the machine.
    pub question: Option<Question>,
}

/// Checks the properties of a machine.
pub fn check(machine: &Valid, options: &Options) -> Report {
    check_and(machine, options, &|_, _| {})
}

/// Checks the properties of a machine and hands over each answer, while more can be asked about it.
pub fn check_and(machine: &Valid, options: &Options, then: &Then) -> Report {
    with_big_stack(|| Session { machine, options, then }.run())
}

/// What is done with an answer while the checker is there.
pub type Then<'t> = dyn Fn(&mut NativeAnswer, &Checker<'_, '_>) + Sync + 't;

struct Session<'a> {
    machine: &'a Valid,
    options: &'a Options,
    then: &'a Then<'a>,
}

impl Session<'_> {
    fn run(&self) -> Report {
        let properties: Vec<&Property<ExprId>> =
            self.machine.properties.iter().filter(|p| self.options.asks(&p.name)).collect();
        match self.explore() {
            Err(trouble) => {
                let open = properties.iter().map(|p| self.open(p, &trouble));
                let answers = open.chain(self.questions().map(|q| builtin::unanswered(q, &trouble))).collect();
                Report { answers, exploration: Err(trouble), work: 0 }
            }
            Ok((sys, reach, times)) => {
                let checker = Checker::new(&sys, &reach);
                // The numbers first: they stay, whatever happens to the properties.
                sys.space.set_deadline(self.deadline());
                let mut exploration = self.numbers(&checker, times);
                let mut answers = Vec::new();
                for (index, p) in properties.iter().enumerate() {
                    self.tell(&Progress::Property { index, of: properties.len(), name: p.name.clone() });
                    let answer = self.decide(&checker, p);
                    self.hand_over(&mut answers, answer, &checker);
                }
                for question in self.questions() {
                    sys.space.set_deadline(self.deadline());
                    let answer = builtin::answer(&checker, question);
                    self.hand_over(&mut answers, answer, &checker);
                }
                if let Ok(found) = &mut exploration {
                    found.peak_nodes = sys.space.peak_nodes();
                }
                Report { exploration, answers, work: sys.space.work() }
            }
        }
    }

    fn hand_over(&self, answers: &mut Vec<NativeAnswer>, mut answer: NativeAnswer, checker: &Checker<'_, '_>) {
        (self.then)(&mut answer, checker);
        if let Some(holds) = answer.result.verdict.holds() {
            self.tell(&Progress::Decided { name: answer.result.property.clone(), holds });
        }
        answers.push(answer);
    }

    /// The questions about steps, if they are asked.
    fn questions(&self) -> impl Iterator<Item = &Question> {
        self.machine.questions.iter().filter(|q| self.options.builtin && self.options.asks(&q.name))
    }

    fn tell(&self, progress: &Progress) {
        if let Some(listener) = &self.options.progress {
            listener(progress);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.options.timeout.and_then(|t| Instant::now().checked_add(t))
    }

    fn explore(&self) -> Answer<(System<'_>, Reach, [f64; 2])> {
        let interrupt = self.options.interrupt.clone();
        let patience = self.options.patience.clone();
        let limits = Limits { memory: self.options.memory, deadline: self.deadline(), interrupt, patience };
        self.tell(&Progress::Encoding);
        let begin = Instant::now();
        let sys = match &self.options.known {
            Some(known) => System::among(self.machine, known, &limits)?,
            None => System::new(self.machine, &limits)?,
        };
        let built = begin.elapsed().as_secs_f64();
        let reach = Reach::new(&sys, &|rounds, nodes| self.tell(&Progress::Exploring { rounds, nodes }))?;
        Ok((sys, reach, [built, begin.elapsed().as_secs_f64() - built]))
    }

    fn numbers(&self, c: &Checker<'_, '_>, [build_seconds, reach_seconds]: [f64; 2]) -> Answer<Exploration> {
        let (sys, reach) = (c.sys, c.reach);
        Ok(Exploration {
            states: reach.count.clone(),
            overflow: !reach.overflow.is_false(),
            dead_ends: sys.space.count(&reach.dead, &sys.layout.snapshot_bits())?,
            order_dependent: self.order_dependent(c)?,
            build_seconds,
            reach_seconds,
            reach_nodes: reach.nodes,
            peak_nodes: sys.space.peak_nodes(),
        })
    }

    fn order_dependent(&self, c: &Checker<'_, '_>) -> Answer<OrderMatters> {
        if !self.machine.cyclic {
            return Ok(OrderMatters::Never);
        }
        match c.sys.races() {
            Ok(races) => {
                let run = c.run_to(&c.sys.space.and(&c.reach.set, &races)?)?;
                Ok(run.map_or(OrderMatters::Never, OrderMatters::After))
            }
            Err(Stop::TooManySets) => Ok(OrderMatters::Unknown(Stop::TooManySets)),
            Err(stop) => Err(stop.into()),
        }
    }

    fn decide(&self, c: &Checker<'_, '_>, p: &Property<ExprId>) -> NativeAnswer {
        let begin = Instant::now();
        c.sys.space.set_deadline(self.deadline());
        let answer = self.answer(c, p).unwrap_or_else(|trouble| self.open(p, &trouble));
        let result = PropertyResult { seconds: begin.elapsed().as_secs_f64(), ..answer.result };
        NativeAnswer { result, ..answer }
    }

    fn answer(&self, c: &Checker<'_, '_>, p: &Property<ExprId>) -> Answer<NativeAnswer> {
        let open = PropertyResult::open(p, Engine::NATIVE);
        if c.sys.idle() == Idle::Never && !c.reach.dead.is_false() {
            let result = open.because(
                Verdict::Error,
                "a snapshot in which nobody can act is reachable, and idling is never allowed",
            );
            let evidence = c.run_to(&c.reach.dead)?.map(|trail| Evidence { trail, rests_on: Vec::new() });
            return Ok(NativeAnswer { result, evidence, strategy: None, question: None });
        }
        let begin = Instant::now();
        let fair = c.fairness(&p.fair)?;
        let holds = c.holds(&p.formula, &fair)?;
        let evidence = c.evidence(&p.formula, &fair, holds)?;
        let strategy = c.strategy(&p.formula, &fair, holds)?;
        let exact = c.reach.overflow.is_false() || self.conclusive(&evidence);
        let decided = Decided { property: p, fair: &fair, evidence: &evidence, holds, took: begin.elapsed() };
        // A limit that is hit here does not take the verdict back.
        let vacuous = vacuity::remarks(c, &decided).unwrap_or_default();
        let result = PropertyResult { vacuous, ..open.decided(holds, exact) };
        Ok(NativeAnswer { result, evidence: Some(evidence), strategy, question: None })
    }

    /// The evidence is complete and never overflows, so it exists whatever the bounds are.
    fn conclusive(&self, evidence: &Evidence) -> bool {
        evidence.rests_on.is_empty() && evidence.trail.never_overflows(self.machine)
    }

    fn open(&self, p: &Property<ExprId>, trouble: &Trouble) -> NativeAnswer {
        let result = troubled(PropertyResult::open(p, Engine::NATIVE), trouble);
        NativeAnswer { result, evidence: None, strategy: None, question: None }
    }
}

/// An answer that did not come.
pub(super) fn troubled(open: PropertyResult, trouble: &Trouble) -> PropertyResult {
    match trouble {
        Trouble::Stop(Stop::Timeout) => open.because(Verdict::Timeout, "the time limit was reached"),
        Trouble::Stop(Stop::OutOfMemory) => open.because(Verdict::OutOfMemory, "the memory limit was reached"),
        Trouble::Stop(stop @ Stop::TooManySets) => open.because(Verdict::Unknown, stop.to_string()),
        Trouble::Stop(Stop::Enough) => open.because(Verdict::Unknown, "left to somebody else"),
        Trouble::Stop(Stop::Interrupted) => open.because(Verdict::Unknown, "interrupted"),
        Trouble::Unsupported(why) => open.because(Verdict::Unsupported, why),
    }
}
