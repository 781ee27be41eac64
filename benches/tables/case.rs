//! One measurement: one engine on one model, in a process of its own.

use gsmc::answer::{Engine, Extent, PropertyResult, Verdict};
use gsmc::any::{self, Data, Question};
use gsmc::backend::Options as External;
use gsmc::check::Plan;
use gsmc::lang::gsm::lower;
use gsmc::lang::load::{Request, load, open};
use gsmc::machine::Valid;
use gsmc::native::verdict::{Options, check};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::memory;

/// Bytes that an engine may use.
pub const MEMORY: u64 = 4 << 30;

/// What to measure.
#[derive(Clone, Debug)]
pub struct Case {
    pub engine: Engine,
    /// Folder below `examples/`.
    pub example: &'static str,
    /// Agents file in that folder, if not the one of its `gsmc.toml`.
    pub agents: Option<&'static str>,
    /// `Type=N`, if not as in its `gsmc.toml`.
    pub instances: Option<String>,
    /// Seconds, after which it is stopped.
    pub limit: u64,
    /// With as few instances as suffice, not all of them.
    pub fewest: bool,
}

impl Case {
    /// The command line that makes this program measure it.
    pub fn args(&self) -> Vec<String> {
        let or_dash = |text: Option<&str>| text.unwrap_or("-").to_string();
        let (agents, instances) = (or_dash(self.agents), or_dash(self.instances.as_deref()));
        let (engine, fewest) = (self.engine.name().to_string(), if self.fewest { "fewest" } else { "all" });
        vec!["--case".into(), engine, self.example.into(), agents, instances, self.limit.to_string(), fewest.into()]
    }

    pub fn title(&self) -> String {
        let part = |text: Option<&str>| text.map(|t| format!(" {t}")).unwrap_or_default();
        format!("{}{}{} by {}", self.example, part(self.agents), part(self.instances.as_deref()), self.engine)
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
    /// Seconds of the whole process, from its start to its end; filled in by the parent.
    #[serde(default)]
    pub total: f64,
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
    let [engine, example, agents, instances, limit, fewest] = args else {
        return Outcome::failed("--case engine example agents instances limit fewest");
    };
    let (Some(engine), Ok(limit)) = (gsmc::backend::engine(engine), limit.parse::<u64>()) else {
        return Outcome::failed("no such engine, or no such limit");
    };
    let given = |text: &String| Some(text.clone()).filter(|t| t != "-");
    let begin = Instant::now();
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
    let agents = given(agents).map(|a| dir.join(a));
    let mut request = Request { dir: Some(dir), agents, ..Request::default() };
    request.overrides.instances.extend(given(instances));
    if fewest == "fewest" {
        return any_number(&request, limit);
    }
    let loaded = load(&request);
    let Some(app) = loaded.app else { return Outcome::failed("the example does not load") };
    let machine = match lower(&app, &loaded.properties, &loaded.sources) {
        Ok(machine) => machine,
        Err(why) => return Outcome::failed(why.message),
    };
    let stop = watchdog(Duration::from_secs(limit));
    let load = begin.elapsed().as_secs_f64();
    let outcome = match engine {
        Engine::NATIVE => native(&machine, &stop),
        _ => external(engine, &machine, limit, &stop),
    };
    let stopped = stop.load(Ordering::Relaxed);
    Outcome { load, bits: machine.state_bits().into(), stopped, ..outcome }
}

/// The native engine with as many instances as suffice for any number.
fn any_number(request: &Request, limit: u64) -> Outcome {
    let opened = open(request);
    let Some(lens) = opened.lens else { return Outcome::failed("the example does not load") };
    let stop = watchdog(Duration::from_secs(limit));
    let plan = Plan { engines: vec![Engine::NATIVE], interrupt: stop.clone(), memory: Some(MEMORY), ..Plan::default() };
    let question = Question { lens: &*lens, sources: &opened.sources, model: "", data: Data::Bounded };
    let results = match any::run(&question, &plan) {
        Ok(results) => results.results,
        Err(why) => return Outcome::failed(why.to_string()),
    };
    let bounded = results.iter().find(|r| r.scope.as_ref().is_none_or(|s| s.extent != Extent::Any));
    let trouble = bounded.map(|r| format!("{} is not decided for any number", r.property));
    let stopped = stop.load(Ordering::Relaxed);
    let answers = given(results.into_iter());
    Outcome { answers, trouble, stopped, megabytes: memory::own_peak(), ..Outcome::default() }
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
        failure: r.reason.filter(|_| r.verdict == Verdict::Error),
        property: r.property,
    };
    results.map(one).collect()
}
