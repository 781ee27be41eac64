//! What to ask of which engine, within which limits: shared by the commands that check.

use super::args::{ALL, ModelArgs, ToolArgs, names_and_all};
use super::failure::Failure;
use super::progress;
use super::project::{self, Project, Refused};
use super::{BAD_INPUT, DISAGREE, INCONCLUSIVE};
use crate::answer::{Absent, Engine, Results};
use crate::any::{self, Data, Failed};
use crate::backend::{self, CHECKERS, Swarm};
use crate::check::abstracted::Effort;
use crate::check::cache::{self, Cache, Memory};
use crate::check::partition::Part;
use crate::check::{self, Plan};
use crate::lang::unbounded::Open;
use crate::smt::{Ready, SmtError, SolverKind, Which};
use crate::source::{Diagnostics, shell_word};
use crate::words;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use std::time::Duration;

/// What to check, and with what.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Who decides; several with commas
    #[arg(long, value_parser = backends(), default_value = "native", value_delimiter = ',')]
    backend: Vec<String>,
    /// Check only this property; may be repeated
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Add the standard properties: everything can happen, invariants hold, order and dead ends are harmless
    #[arg(long)]
    builtin: bool,
    /// Take one part of the properties, as 2/5; 'gsmc merge' puts the results of all parts together
    #[arg(long, value_name = "K/N", value_parser = part)]
    partition: Option<Part>,
    /// Look for runs with so many partial searches, each another one, where states do not fit into memory; with --backend spin
    #[arg(long, value_name = "N", conflicts_with_all = ["builtin", "on"], value_parser = clap::value_parser!(u32).range(1..=100_000))]
    swarm: Option<u32>,
    #[command(flatten)]
    abstraction: AbstractArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    tools: ToolArgs,
}

/// Unbounded data.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct AbstractArgs {
    /// Numbers have no bounds: decide with predicates instead of values; needs an SMT solver
    #[arg(long = "abstract", conflicts_with = "builtin")]
    on: bool,
    /// Rounds of automatic refinement, with --abstract (8, or as gsmc.toml says)
    #[arg(long, value_name = "N", requires = "on", value_parser = clap::value_parser!(u32).range(0..=1000))]
    refine: Option<u32>,
    /// Look for no actual runs, with --abstract
    #[arg(long, requires = "on")]
    no_runs: bool,
    /// The SMT solver, with --abstract
    #[arg(long, value_enum, default_value = "z3", requires = "on")]
    smt: Smt,
}

/// `--smt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Smt {
    /// Z3
    Z3,
    /// cvc5
    Cvc5,
    /// Both, compared
    Both,
}

/// Limits of engines.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Seconds for each property and engine
    #[arg(long, value_name = "S", value_parser = super::args::seconds)]
    timeout: Option<Duration>,
    /// Megabytes for each engine
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// External checkers at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
}

/// The choices of `--backend`.
fn backends() -> PossibleValuesParser {
    let native = (Engine::NATIVE.name(), "The built-in BDD checker".to_string());
    let external = CHECKERS.into_iter().map(|c| (c.engine.name(), c.title.to_string()));
    names_and_all(std::iter::once(native).chain(external).collect(), "All of them, compared")
}

impl Args {
    /// Reads the application and lets the engines decide. Findings go to stderr; on an error, the exit code is returned.
    pub fn results(&self) -> Result<(Project, Results), u8> {
        let solvers = self.solvers();
        let project = project::opened(self.read())?;
        let watcher = progress::Watcher::start(self.limits.timeout);
        let results = self.decide(&project, &watcher, None, solvers).map_err(|failure| failure.tell())?;
        Ok((project, results))
    }

    /// Reads the application, without a word.
    pub fn read(&self) -> Result<Project, Box<Refused>> {
        project::read_within(&self.model_args(), self.builtin, self.limits.timeout)
    }

    /// The solvers, which are started beside reading the application if they are needed.
    pub fn solvers(&self) -> Ready {
        let which = match self.abstraction.smt {
            Smt::Z3 => Which::Only(SolverKind::Z3),
            Smt::Cvc5 => Which::Only(SolverKind::Cvc5),
            Smt::Both => Which::Both,
        };
        match self.abstraction.on {
            true => Ready::soon(which, self.memory()),
            false => which.into(),
        }
    }

    /// The memory for each engine, in bytes.
    fn memory(&self) -> Option<u64> {
        self.limits.memory.map(|mb| mb.saturating_mul(1 << 20))
    }

    /// Is data taken without bounds?
    pub fn is_unbounded(&self) -> bool {
        self.abstraction.on
    }

    /// The model, with or without bounds.
    pub fn model_args(&self) -> ModelArgs {
        ModelArgs { unbounded: self.abstraction.on, ..self.model.clone() }
    }

    /// The same under another profile.
    pub fn read_as(&self, profile: &str) -> Result<Project, Box<Refused>> {
        let model = ModelArgs { profile: Some(profile.to_string()), ..self.model_args() };
        project::read_within(&model, self.builtin, self.limits.timeout)
    }

    /// The application.
    pub fn model(&self) -> &ModelArgs {
        &self.model
    }

    /// Are the standard properties asked, too?
    pub fn builtin(&self) -> bool {
        self.builtin
    }

    /// The arguments as a shell takes them; the limits are left to the next run.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.model.words();
        if self.backend != [Engine::NATIVE.name()] {
            words.extend(["--backend".to_string(), self.backend.join(",")]);
        }
        self.property.iter().for_each(|p| words.extend(["--property".to_string(), shell_word(p)]));
        words.extend(self.builtin.then(|| "--builtin".to_string()));
        words.extend(self.swarm.iter().flat_map(|n| ["--swarm".to_string(), n.to_string()]));
        let AbstractArgs { on, refine, no_runs, smt } = &self.abstraction;
        words.extend(on.then(|| "--abstract".to_string()));
        words.extend(refine.iter().flat_map(|n| ["--refine".to_string(), n.to_string()]));
        words.extend(no_runs.then(|| "--no-runs".to_string()));
        let other = smt.to_possible_value().filter(|_| *smt != Smt::Z3);
        words.extend(other.iter().flat_map(|v| ["--smt".to_string(), v.get_name().to_string()]));
        words
    }

    /// The time limit.
    pub fn timeout(&self) -> Option<Duration> {
        self.limits.timeout
    }

    /// Lets the engines decide what is not remembered.
    pub fn decide(
        &self,
        project: &Project,
        watcher: &progress::Watcher,
        cache: Option<&Cache>,
        solvers: Ready,
    ) -> Result<Results, Failure> {
        self.known_properties(project).and_then(|()| self.swarm_fits(project)).map_err(Failure::plain)?;
        let results = self.part(project, watcher, cache, solvers)?;
        Ok(Results { absent: self.engines().1, ..results })
    }

    /// The same for the part that is asked for.
    fn part(
        &self,
        project: &Project,
        watcher: &progress::Watcher,
        cache: Option<&Cache>,
        solvers: Ready,
    ) -> Result<Results, Failure> {
        let plan = self.plan(project, watcher);
        let Some(part) = self.partition else { return self.by(&plan, project, (watcher, cache), solvers) };
        let any = project.lens().counted().map(|c| c.types()).unwrap_or_default().into_iter().filter(|t| t.any);
        let any: Vec<String> = any.map(|t| t.name).collect();
        let options = format!("any {any:?}, abstract {}, swarm {:?}", self.abstraction.on, self.swarm);
        if self.swarm.is_some() {
            let share = part.of_swarm(project.machine(), &plan, &options);
            return Ok(Results { share: Some(share), ..self.by(&plan, project, (watcher, cache), solvers)? });
        }
        let (plan, share) = part.of_plan(project.machine(), &plan, &options);
        let results = self.by(&plan, project, (watcher, cache), solvers)?;
        Ok(Results { share: Some(share), ..results })
    }

    /// What to ask, whom, within which limits.
    fn plan(&self, project: &Project, watcher: &progress::Watcher) -> Plan {
        Plan {
            engines: self.engines().0,
            only: Some(self.property.clone()).filter(|names| !names.is_empty()),
            builtin: (self.builtin || project.lens().asks_standard()) && self.wants_standard(project),
            timeout: self.limits.timeout,
            memory: self.memory(),
            interrupt: watcher.interrupt(),
            progress: watcher.listener(),
            external: backend::Options { jobs: self.limits.jobs as usize, swarm: self.swarm(), ..self.tools.options() },
        }
    }

    /// The engines, and those that are not there.
    fn engines(&self) -> (Vec<Engine>, Vec<Absent>) {
        engines(&self.backend, &self.tools.options())
    }

    /// The partial searches that are asked for: this part's.
    fn swarm(&self) -> Option<Swarm> {
        let Part { number, of } = self.partition.unwrap_or(Part { number: 1, of: 1 });
        self.swarm.map(|searches| Swarm { searches, part: number, of })
    }

    /// A swarm is SPIN's, and looks at the instances that there are.
    fn swarm_fits(&self, project: &Project) -> Result<(), String> {
        if self.swarm.is_none() {
            return Ok(());
        }
        if self.backend != [backend::spin::ENGINE.name()] {
            return Err("--swarm is for SPIN alone; write --backend spin".into());
        }
        match any::is_asked(project.lens()) {
            true => Err("--swarm looks at a number of instances, not at any; write --instances TYPE=3, say".into()),
            false => Ok(()),
        }
    }

    /// Lets the engines of a plan decide.
    fn by(
        &self,
        plan: &Plan,
        project: &Project,
        (watcher, cache): (&progress::Watcher, Option<&Cache>),
        solvers: Ready,
    ) -> Result<Results, Failure> {
        let model = project.model_name();
        let many = cache.is_none() && self.swarm.is_none() && any::are_many(project.lens());
        if self.abstraction.on || any::is_asked(project.lens()) || many {
            let (data, open) = match self.abstraction.on {
                true => (Data::Unbounded(self.effort(solvers)), Some(self.open(project)?)),
                false => (Data::Bounded, None),
            };
            let (lens, sources, open) = (project.lens(), &project.sources, open.as_ref());
            let question = any::Question { lens, sources, model: &model, data, open };
            let results = any::run(&question, plan);
            watcher.finish();
            return results.map_err(|why| refused(why, project));
        }
        let lens = project.lens();
        let (mut results, smaller) = match cache {
            None => check::ask_with_enough(&model, lens, &project.sources, plan),
            Some(cache) => (check::told(cache::run(&model, lens, plan, &Memory { cache }), lens), None),
        };
        any::note_growth(lens, &mut results);
        watcher.finish();
        words::tell(smaller.as_deref().unwrap_or(lens), &mut results);
        Ok(results)
    }

    /// The application without bounds; doubts about that are told.
    fn open(&self, project: &Project) -> Result<Open, Failure> {
        if self.backend != [Engine::NATIVE.name()] && any::is_asked(project.lens()) {
            let why = "any number of instances with --abstract is not for external checkers; leave --backend out";
            return Err(Failure::plain(why));
        }
        without_bounds(project)
    }

    /// How far to go for an application without bounds.
    fn effort(&self, smt: Ready) -> Effort {
        Effort { refine: self.abstraction.refine, runs: !self.abstraction.no_runs, smt }
    }

    /// No `--property` is given, or one that is a standard question.
    fn wants_standard(&self, project: &Project) -> bool {
        let questions = &project.machine().questions;
        self.property.is_empty() || self.property.iter().any(|w| questions.iter().any(|q| q.name == *w))
    }

    /// Every `--property` must exist.
    fn known_properties(&self, project: &Project) -> Result<(), String> {
        let m = project.machine();
        let asked = m.questions.iter().filter(|_| self.builtin || project.lens().asks_standard()).map(|q| &q.name);
        let names: Vec<&str> = m.properties.iter().map(|p| &p.name).chain(asked).map(String::as_str).collect();
        let Some(wanted) = self.property.iter().find(|w| !names.contains(&w.as_str())) else { return Ok(()) };
        let near = crate::source::nearest(wanted, names.iter().copied());
        let hint = match (near.is_empty(), names.is_empty()) {
            (false, _) => format!("; did you mean {}?", near.join(" or ")),
            (_, true) => "; the model has none".into(),
            _ if names.len() > MOST_NAMES => {
                format!("; there are {}, … (gsmc check lists all)", names[..MOST_NAMES].join(", "))
            }
            _ => format!("; there are {}", names.join(", ")),
        };
        Err(format!("there is no property '{wanted}'{hint}"))
    }
}

/// Names of properties that are told where one is misspelt.
const MOST_NAMES: usize = 8;

/// Why there are no results.
pub(super) fn refused(why: Failed, project: &Project) -> Failure {
    let code = match why {
        Failed::Model(d) => return Failure::one(d, &project.sources),
        Failed::Solver(SmtError::Missing(_)) => INCONCLUSIVE,
        Failed::Solver(_) => DISAGREE,
        _ => BAD_INPUT,
    };
    Failure::Plain(why.to_string(), None, code)
}

/// An application without bounds; doubts about that are told.
pub(super) fn without_bounds(project: &Project) -> Result<Open, Failure> {
    let mut found = Diagnostics::new();
    let open = match project.lens().without_bounds(&project.sources, &mut found) {
        None => return Err(refused(Failed::Language(project.lens().language()), project)),
        Some(open) => open.map_err(|d| found.push(d)),
    };
    match open.ok().filter(|_| !found.has_errors()) {
        Some(open) => {
            super::project::show(&found, &project.sources);
            Ok(open)
        }
        None => Err(Failure::of(found, &project.sources)),
    }
}

/// `K/N`
pub(super) fn part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((number, of)) if 1 <= number && number <= of && of <= MOST_PARTS => Ok(Part { number, of }),
        _ => Err(format!("write it as 1/4, 2/4, … up to 4/4; at most {MOST_PARTS} parts")),
    }
}

/// Parts that a check can have.
const MOST_PARTS: u32 = 10_000;

/// The engines of `--backend`, in the order of columns, and those that `all` stands for but are not there.
fn engines(wanted: &[String], o: &backend::Options) -> (Vec<Engine>, Vec<Absent>) {
    let named = |e: Engine| wanted.iter().any(|w| w == e.name());
    let meant = |e: &Engine| named(*e) || wanted.iter().any(|w| w == ALL);
    let (mut there, mut absent) = (Vec::new(), Vec::new());
    for engine in backend::engines().filter(meant) {
        let checker = backend::checker(engine).filter(|_| !named(engine));
        match checker.and_then(|c| c.absent(o.program(engine))) {
            None => there.push(engine),
            Some(reason) => absent.push(Absent { engine, reason }),
        }
    }
    (there, absent)
}
