//! External checkers: generators, drivers, parsers.
//!
//! A folder per tool holds all about it: descriptor, emitter, driver, parser of its output; [`CHECKERS`] lists the descriptors.
//!
//! Each of NuSMV, SPIN and MCMAS gets the machine in its own language (one transition per B-step), is run within limits, and its
//! output is read strictly. What it cannot express is `unsupported` before anything runs. Runs that it shows come back in the
//! machine's terms; `check` certifies them by replay.

mod answer;
pub mod checker;
mod choice;
pub mod comment;
mod common;
pub mod drive;
mod export;
pub mod mcmas;
pub mod names;
pub mod nusmv;
pub mod spin;
mod text;
mod unreadable;
mod width;
mod written;

pub use answer::Answer;
pub use checker::{CHECKERS, Checker, Language, checker, column, engine, engines, find, languages, unsupported};
pub use export::{Exported, export, export_part};
pub use spin::Swarm;
pub use unreadable::Unreadable;
pub use written::NotWritten;

use crate::answer::{Engine, Verdict};
use crate::machine::{Machine, Valid};
use drive::{Limits, RunFolder, Tool};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// How external checkers are run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits of each run.
    pub limits: Limits,
    /// Runs at a time.
    pub jobs: usize,
    /// Keep all run folders.
    pub keep: bool,
    /// Where run folders are made; among the temporary files if not given.
    pub folder: Option<PathBuf>,
    /// Programs of engines, as far as they are given.
    pub programs: Vec<(Engine, PathBuf)>,
    /// Ask for runs that show the verdicts.
    pub traces: bool,
    /// Partial searches instead of a whole one, where the engine has them.
    pub swarm: Option<Swarm>,
    /// Can `overflow` become true? Engines are asked when this is not known.
    pub overflow: Option<bool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: Limits::default(),
            jobs: 1,
            keep: false,
            folder: None,
            programs: Vec::new(),
            traces: true,
            swarm: None,
            overflow: None,
        }
    }
}

/// Why a machine that must not idle gives no verdicts.
pub(crate) const DEAD_END: &str = "nobody can act in a reachable snapshot, and idling is switched off";

/// Why a verdict under fairness says nothing about runs.
/// Why there is no answer when somebody ended the work.
pub(crate) const INTERRUPTED: &str = "interrupted";

pub(crate) const NO_FAIR_RUN: &str = "no fair run starts in the initial snapshot";

impl Options {
    fn folder(&self, engine: &str, label: &str) -> std::io::Result<Arc<RunFolder>> {
        let folder = RunFolder::new(self.folder.as_deref(), &format!("{engine}-{label}"))?;
        if self.keep {
            folder.keep();
        }
        Ok(Arc::new(folder))
    }

    fn versions(&self, tool: &Tool) -> String {
        format!("gsmc {}\n{} ({})\n", env!("CARGO_PKG_VERSION"), tool.version, tool.path.display())
    }

    /// Must an engine be asked about `overflow`?
    fn ask_overflow(&self, m: &Machine) -> bool {
        self.overflow.is_none() && may_overflow(m)
    }

    /// The program given for an engine.
    pub(crate) fn program(&self, engine: Engine) -> Option<&std::path::Path> {
        self.programs.iter().find(|(e, _)| *e == engine).map(|(_, path)| path.as_path())
    }
}

/// Is there an assignment to `overflow` at all?
pub(crate) fn may_overflow(m: &Machine) -> bool {
    let bodies = m.bodies.iter().flat_map(|b| b.effect.iter().chain(&b.finish));
    let rules = m.bodies.iter().flat_map(|b| &b.rules).any(|r| r.target == m.overflow);
    rules || bodies.chain(m.actions.iter().flat_map(|a| &a.updates)).any(|a| a.var == m.overflow)
}

/// What an engine said of a property.
pub struct Given {
    /// Who.
    pub engine: Engine,
    /// Of the property at this position.
    pub property: usize,
    /// What; its evidence is not certified yet.
    pub answer: Answer,
}

/// Asks external engines about properties, given by their positions in the machine: engine after engine in the result, but as many
/// runs at a time as there are jobs.
pub fn ask(engines: &[Engine], m: &Valid, properties: &[usize], o: &Options) -> Vec<Given> {
    let properties: Vec<usize> = properties.iter().copied().filter(|p| *p < m.properties.len()).collect();
    let asked: Vec<Asked> = engines.iter().map(|&e| Asked::new(e, m, &properties, o)).collect();
    let work: Vec<(&Checker, &Tool, &[usize])> = asked.iter().flat_map(Asked::work).collect();
    let answers = in_parallel(&work, o.jobs, |(checker, tool, group)| (checker.check)(m, group, tool, o));
    let mut decided: FxHashMap<(Engine, usize), Answer> = FxHashMap::default();
    for ((checker, _, group), answers) in work.iter().zip(answers) {
        decided.extend(group.iter().map(|p| (checker.engine, *p)).zip(answers));
    }
    let lost = || Answer::because(Verdict::Error, "the engine gave no answer");
    let mut given = Vec::new();
    for a in &asked {
        for &property in &properties {
            let known = a.known.get(&property).cloned();
            let answer = known.or_else(|| decided.remove(&(a.engine, property))).unwrap_or_else(lost);
            given.push(Given { engine: a.engine, property, answer });
        }
    }
    given
}

/// The number of reachable snapshots as an external engine counts them, in its own digits.
pub fn count_states(engine: Engine, m: &Valid, o: &Options) -> Result<String, String> {
    let Some(checker) = checker(engine) else { return Err(format!("{engine} is no external checker")) };
    let tool = checker.find(o.program(engine)).map_err(|e| e.to_string())?;
    (checker.count)(m, &tool, o)
}

/// What one engine is asked.
struct Asked {
    engine: Engine,
    /// Who answers, unless all is known.
    by: Option<(&'static Checker, Tool)>,
    /// Answers known before anything runs: what the engine cannot express, or all when there is no engine.
    known: FxHashMap<usize, Answer>,
    groups: Vec<Vec<usize>>,
}

impl Asked {
    fn new(engine: Engine, m: &Valid, properties: &[usize], o: &Options) -> Asked {
        let cannot = |p: &usize| Some((*p, unsupported(engine, &m.properties[*p])?));
        let because = |(p, why)| (p, Answer::because(Verdict::Unsupported, why));
        let mut known: FxHashMap<usize, Answer> = properties.iter().filter_map(cannot).map(because).collect();
        let open: Vec<usize> = properties.iter().copied().filter(|p| !known.contains_key(p)).collect();
        if open.is_empty() {
            return Asked { engine, by: None, known, groups: vec![] };
        }
        match (checker(engine), find(engine, o.program(engine))) {
            (Some(checker), Ok(tool)) => {
                Asked { engine, by: Some((checker, tool)), known, groups: (checker.groups)(m, &open, o) }
            }
            (_, found) => {
                let why = found.err().map_or_else(|| format!("{engine} is no external checker"), |e| e.to_string());
                known.extend(open.iter().map(|p| (*p, Answer::because(Verdict::Error, why.clone()))));
                Asked { engine, by: None, known, groups: vec![] }
            }
        }
    }

    fn work(&self) -> impl Iterator<Item = (&'static Checker, &Tool, &[usize])> {
        self.by.iter().flat_map(move |(checker, tool)| self.groups.iter().map(move |g| (*checker, tool, g.as_slice())))
    }
}

/// Does some work for every item, several at a time; results in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((i, item)) = {
                    let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    items.get(i).map(|item| (i, item))
                } {
                    let result = work(item);
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((i, result));
                }
            });
        }
    });
    let mut all = done.into_inner().unwrap_or_else(|e| e.into_inner());
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, r)| r).collect()
}

#[cfg(all(test, unix))]
mod faults;
#[cfg(test)]
mod tests;
