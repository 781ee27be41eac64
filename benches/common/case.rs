//! One measurement: one engine on one model, in a process of its own.

use gsmc::Project;
use gsmc::answer::{Engine, Extent, PropertyResult, Verdict};
use gsmc::any::{self, Data, Question};
use gsmc::backend::Options as External;
use gsmc::check::Plan;
use gsmc::check::abstracted::Effort;
use gsmc::lang::load::Request;
use gsmc::machine::Valid;
use gsmc::native::verdict::{Options, check};
use gsmc::smt::{Ready, SolverKind, Which};

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::memory;

/// Bytes that an engine may use.
pub const MEMORY: u64 = 4 << 30;

/// What to measure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    pub engine: Engine,
    /// A project folder or a model file.
    pub model: PathBuf,
    /// Agents file in that folder, if not the one of its `gsmc.toml`.
    pub agents: Option<String>,
    /// `Type=N`, if not as in its `gsmc.toml`.
    pub instances: Vec<String>,
    /// `Type.attribute=0..N`, if not as in its `gsmc.toml`.
    pub ranges: Vec<String>,
    /// Seconds, after which it is stopped.
    pub limit: u64,
    pub asked: Asked,
}

/// What the native engine is asked; external ones are asked for the properties, with all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    /// The properties, with all instances.
    Properties,
    /// The properties for any number, with as few instances as suffice.
    Fewest,
    /// As `gsmc check` does it.
    Check,
    /// As `gsmc check --builtin` does it.
    Builtin,
    /// As `gsmc check --abstract --refine 0 --no-runs` does it.
    Plain,
    /// As `gsmc check --abstract` does it.
    Refined,
}

impl Case {
    /// The properties of a model.
    pub fn of(engine: Engine, model: impl Into<PathBuf>, limit: u64) -> Case {
        let (instances, ranges) = (vec![], vec![]);
        Case { engine, model: model.into(), agents: None, instances, ranges, limit, asked: Asked::Properties }
    }

    /// The command line that makes this program measure it.
    pub fn args(&self) -> Vec<String> {
        vec!["--case".into(), serde_json::to_string(self).unwrap_or_default()]
    }

    pub fn title(&self) -> String {
        let name = self.model.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let more = self.agents.iter().chain(&self.instances).chain(&self.ranges);
        let words: Vec<String> = std::iter::once(&name).chain(more).cloned().collect();
        let how = match self.asked {
            Asked::Plain => ", abstracted",
            Asked::Refined => ", abstracted and refined",
            _ => "",
        };
        format!("{} by {}{how}", words.join(" "), self.engine)
    }

    fn request(&self) -> Request {
        let agents = self.agents.as_ref().map(|a| self.model.join(a));
        let mut request = Request { dir: Some(self.model.clone()), agents, ..Request::default() };
        request.overrides.instances.extend(self.instances.clone());
        request.overrides.ranges.extend(self.ranges.clone());
        request.standard = self.asked == Asked::Builtin;
        request
    }
}

/// What was measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Reachable snapshots, exactly; native only.
    pub snapshots: Option<String>,
    pub bits: u64,
    /// Seconds to read and lower the model.
    pub load: f64,
    /// Seconds to encode; native only.
    pub build: f64,
    /// Seconds to explore; native only.
    pub reach: f64,
    /// Seconds of the engine: of the tool's own processes for external ones, of the properties for native.
    pub engine: f64,
    pub answers: Vec<Given>,
    /// Peak resident megabytes of the engine's largest process.
    pub megabytes: f64,
    /// It was stopped by the time limit.
    pub stopped: bool,
    pub trouble: Option<String>,
    /// Without bounds on data.
    #[serde(default)]
    pub abstracted: Option<Abstracted>,
    /// Seconds of the whole process, from its start to its end; filled in by the parent.
    #[serde(default)]
    pub total: f64,
}

/// An abstraction in numbers: snapshots that may and must be reached at the beginning, and what it took.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Abstracted {
    pub may: String,
    pub must: String,
    pub calls: u64,
    pub rounds: u32,
}

/// The answer to a property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Given {
    pub property: String,
    pub verdict: String,
    pub seconds: f64,
    pub decided: bool,
    /// The engine has no way to express it.
    pub unsupported: bool,
    pub as_expected: bool,
    /// Why there is no verdict, if the engine failed.
    pub failure: Option<String>,
    /// Why there is no verdict, if the engine cannot express it.
    pub reason: Option<String>,
}

impl Outcome {
    pub fn failed(why: impl Into<String>) -> Outcome {
        Outcome { trouble: Some(why.into()), ..Outcome::default() }
    }

    /// How many properties were decided, of those that the engine can express.
    pub fn decided(&self) -> (usize, usize) {
        let asked = self.answers.iter().filter(|a| !a.unsupported);
        (self.answers.iter().filter(|a| a.decided).count(), asked.count())
    }

    /// Everything that could be asked was answered.
    pub fn complete(&self) -> bool {
        let (decided, asked) = self.decided();
        self.trouble.is_none() && decided == asked && asked > 0
    }

    /// Answers that are not what the author of the property expects.
    pub fn surprises(&self) -> impl Iterator<Item = &Given> {
        self.answers.iter().filter(|a| a.decided && !a.as_expected)
    }
}

/// Measures the case that a command line describes.
pub fn measure(args: &[String]) -> Outcome {
    let Some(case) = args.first().and_then(|text| serde_json::from_str::<Case>(text).ok()) else {
        return Outcome::failed("--case needs a case in JSON");
    };
    let begin = Instant::now();
    // As the command does it: solvers start while the model is read.
    let z3 = Which::Only(SolverKind::Z3);
    let smt =
        if matches!(case.asked, Asked::Plain | Asked::Refined) { Ready::soon(z3, Some(MEMORY)) } else { z3.into() };
    let project = match Project::read(&case.request()) {
        Ok(project) => project,
        Err(refused) => return Outcome::failed(refused.to_string()),
    };
    let stop = watchdog(Duration::from_secs(case.limit));
    let load = begin.elapsed().as_secs_f64();
    let machine = project.machine();
    let outcome = match (case.engine, case.asked) {
        (Engine::NATIVE, Asked::Properties) => native(machine, &stop),
        (Engine::NATIVE, Asked::Fewest) => any_number(&project, &stop),
        (Engine::NATIVE, Asked::Plain) => abstracted(&project, Some(0), smt, &stop),
        (Engine::NATIVE, Asked::Refined) => abstracted(&project, None, smt, &stop),
        (Engine::NATIVE, asked) => checked(&project, asked == Asked::Builtin, &stop),
        (engine, _) => external(engine, machine, case.limit, &stop),
    };
    let stopped = stop.load(Ordering::Relaxed);
    Outcome { load, bits: machine.state_bits().into(), stopped, ..outcome }
}

fn plan(stop: &Arc<AtomicBool>) -> Plan {
    Plan { engines: vec![Engine::NATIVE], interrupt: stop.clone(), memory: Some(MEMORY), ..Plan::default() }
}

/// The native engine with as many instances as suffice for any number.
fn any_number(project: &Project, stop: &Arc<AtomicBool>) -> Outcome {
    let (lens, sources) = (project.lens(), &project.sources);
    let results = match any::run(&Question { lens, sources, model: "", data: Data::Bounded, open: None }, &plan(stop)) {
        Ok(results) => results.results,
        Err(why) => return Outcome::failed(why.to_string()),
    };
    let bounded = results.iter().find(|r| r.scope.as_ref().is_none_or(|s| s.extent != Extent::Any));
    let trouble = bounded.map(|r| format!("{} is not decided for any number", r.property));
    Outcome { answers: given(results.into_iter()), trouble, megabytes: memory::own_peak(), ..Outcome::default() }
}

/// What `gsmc check` does.
fn checked(project: &Project, builtin: bool, stop: &Arc<AtomicBool>) -> Outcome {
    let plan = Plan { builtin, ..plan(stop) };
    let (lens, sources) = (project.lens(), &project.sources);
    let results = match any::are_many(lens) {
        true => any::run(&Question { lens, sources, model: "", data: Data::Bounded, open: None }, &plan),
        false => Ok(gsmc::check(project, &plan)),
    };
    let results = match results {
        Ok(results) => results,
        Err(why) => return Outcome::failed(why.to_string()),
    };
    let snapshots = results.machine.reachable_states.clone();
    let mut answers = given(results.results.into_iter());
    // What a standard question should be answered depends on the model; nobody wrote it down.
    let written = |name: &str| project.machine().properties.iter().any(|p| p.name == name);
    answers.iter_mut().filter(|a| !written(&a.property)).for_each(|a| a.as_expected = true);
    Outcome { answers, snapshots, megabytes: memory::own_peak(), ..Outcome::default() }
}

/// What `gsmc check --abstract` does: as it comes, or with so many rounds of refinement and without runs.
fn abstracted(project: &Project, refine: Option<u32>, smt: Ready, stop: &Arc<AtomicBool>) -> Outcome {
    let effort = Effort { refine, runs: refine.is_none(), smt };
    let (lens, sources, data) = (project.lens(), &project.sources, Data::Unbounded(effort));
    let sampler = memory::Sampler::start();
    let results = any::run(&Question { lens, sources, model: "", data, open: None }, &plan(stop));
    let megabytes = sampler.peak().max(memory::own_peak());
    let results = match results {
        Ok(results) => results,
        Err(why) => return Outcome::failed(why.to_string()),
    };
    let numbers = results.machine.abstraction.as_ref().map(|a| Abstracted {
        may: a.may_states.clone(),
        must: a.must_states.clone(),
        calls: a.smt_calls,
        rounds: a.rounds,
    });
    Outcome { answers: given(results.results.into_iter()), abstracted: numbers, megabytes, ..Outcome::default() }
}

/// A flag that is set when time is up.
fn watchdog(limit: Duration) -> Arc<AtomicBool> {
    let stop: Arc<AtomicBool> = Arc::default();
    let flag = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        flag.store(true, Ordering::Relaxed);
    });
    stop
}

fn native(machine: &Valid, stop: &Arc<AtomicBool>) -> Outcome {
    let options = Options { interrupt: stop.clone(), memory: Some(MEMORY), ..Options::default() };
    let report = check(machine, &options);
    let answers = given(report.answers.into_iter().map(|a| a.result));
    let mut outcome = Outcome { engine: answers.iter().map(|a| a.seconds).sum(), answers, ..Outcome::default() };
    outcome.megabytes = memory::own_peak();
    match report.exploration {
        Ok(found) => {
            outcome.snapshots = Some(found.states.to_string());
            (outcome.build, outcome.reach) = (found.build_seconds, found.reach_seconds);
        }
        Err(why) => outcome.trouble = Some(why.to_string()),
    }
    outcome
}

fn external(engine: Engine, machine: &Valid, limit: u64, stop: &Arc<AtomicBool>) -> Outcome {
    let mut options = External { traces: false, overflow: Some(false), ..External::default() };
    options.limits.time = Some(Duration::from_secs(limit));
    options.limits.memory = Some(MEMORY);
    options.limits.cancel = stop.clone();
    let sampler = memory::Sampler::start();
    let all: Vec<usize> = (0..machine.properties.len()).collect();
    let answers = given(gsmc::check::by_checkers(&[engine], machine, &all, &options).into_iter());
    let engine = answers.iter().map(|a| a.seconds).sum();
    Outcome { engine, answers, megabytes: sampler.peak(), ..Outcome::default() }
}

fn given(results: impl Iterator<Item = PropertyResult>) -> Vec<Given> {
    let one = |r: PropertyResult| Given {
        verdict: r.verdict.name().into(),
        seconds: r.seconds,
        decided: r.verdict.holds().is_some(),
        unsupported: r.verdict == Verdict::Unsupported,
        as_expected: r.verdict.holds() == Some(r.expect),
        reason: r.reason.clone().filter(|_| r.verdict == Verdict::Unsupported),
        failure: r.reason.filter(|_| r.verdict == Verdict::Error),
        property: r.property,
    };
    results.map(one).collect()
}
