//! Recorded logs beside a model, for every command that judges them.

use super::BAD_INPUT;
use super::args::ModelArgs;
use super::failure::Failure;
use super::output::say;
use super::project::{self, Project, Walked, show};
use super::signals::while_reading;
use crate::interp::Interp;
use crate::lang::Lens;
use crate::lang::config::{self, GivenReplay};
use crate::lang::egsm::Egsm;
use crate::log::{self, Format as LogFormat, TimeFormat};
use crate::replay::egsm::{EgsmJudge, names};
use crate::replay::machine::{self, MachineJudge, Setting};
use crate::replay::mapping::{COMPLETE, Known, Mapping};
use crate::replay::stream::{self, Plan};
use crate::replay::totals::Replayed;
use crate::replay::{Case, Deviation, Kind};
use crate::source::codes::replay as codes;
use crate::source::{Diagnostic, Diagnostics};
use clap::ValueEnum;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most snapshots that a case may be in, unless said otherwise.
pub const FRONTIER: usize = 1000;

/// So many mistakes in logs are told.
const MOST_FAULTS: usize = 20;

/// How logs are read.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct LogArgs {
    /// A file with the [replay] section, instead of the project's
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// How the logs are written, if it should not be found from their content
    #[arg(long, value_name = "FORMAT", value_parser = ["xes", "csv", "tsv", "jsonl", "emulator"])]
    log_format: Option<String>,
    /// How times are written, as in strptime: %d.%m.%Y %H:%M
    #[arg(long, value_name = "PATTERN")]
    time_format: Option<String>,
    /// The item whose status the emulator recorded
    #[arg(long, value_name = "ITEM")]
    item: Option<String>,
    /// What orders the events of a case
    #[arg(long, value_enum, default_value = "time")]
    order: Order,
    /// A case out of time order is an input error
    #[arg(long)]
    sorted: bool,
    /// Forget a case when it is completed: less memory, later events of it are not looked at
    #[arg(long)]
    close: bool,
}

/// `--order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Their times, then their places in the log
    Time,
    /// Their places in the log
    File,
}

/// Which cases to judge, and how much of them to keep.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Only these.
    pub only: Option<BTreeSet<String>>,
    /// Keep their runs.
    pub telling: bool,
    /// Most snapshots that a case may be in.
    pub frontier: usize,
    /// Threads; all cores where nothing is said.
    pub jobs: Option<usize>,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { only: None, telling: false, frontier: FRONTIER, jobs: None }
    }
}

/// Project and logs: with `-m` the first name is a log, not a folder.
pub fn split(model: &ModelArgs, logs: &[PathBuf]) -> (ModelArgs, Vec<PathBuf>) {
    let (mut model, mut logs) = (model.clone(), logs.to_vec());
    if model.model.is_some()
        && let Some(first) = model.dir.take_if(|dir| !dir.join("gsmc.toml").exists() && !dir.ends_with("gsmc.toml"))
    {
        logs.insert(0, first);
    }
    (model, logs)
}

impl LogArgs {
    /// Opens a project for logs. When a case is completed is a formula about the model, so it is read with the model.
    pub fn open(&self, model: &ModelArgs) -> Result<(Project, GivenReplay), Failure> {
        let mut project = project::read(model, false)?;
        show(&project.diagnostics, &project.sources);
        let given = self.given(&mut project)?;
        if let Some(formula) = &given.complete {
            let mut request = model.request();
            request.formulas.push(format!("{COMPLETE}: {};", formula.text.trim().trim_end_matches(';')));
            project = while_reading(None, || Project::read(&request))?;
        }
        Ok((project, given))
    }

    /// The project's `[replay]`, or that of `--map`.
    fn given(&self, project: &mut Project) -> Result<GivenReplay, Failure> {
        let Some(path) = &self.map else { return Ok(project.replay.clone()) };
        let mut diags = Diagnostics::new();
        let file = crate::lang::files::read(path, None, &mut project.sources, &mut diags);
        let config = file.map(|f| config::read(f, &project.sources, &mut diags)).unwrap_or_default();
        if diags.has_errors() {
            return Err(Failure::of(diags, &project.sources));
        }
        show(&diags, &project.sources);
        Ok(config.replay)
    }

    fn plan(&self, given: &GivenReplay, mapping: &Mapping, item: Option<String>, logs: Vec<PathBuf>) -> Plan {
        let text = |name: &Option<crate::lang::syntax::Name>| name.as_ref().map(|n| n.text.clone());
        let format = self.log_format.as_ref();
        let pattern = self.time_format.clone();
        Plan {
            logs: logs.into_iter().map(log::Log::from).collect(),
            options: log::Options {
                format: format.and_then(|f| LogFormat::NAMES.iter().find(|(n, _)| n == f)).map(|(_, f)| *f),
                case: text(&given.case),
                activity: text(&given.activity),
                time: text(&given.time),
                agent: text(&given.agent),
                time_format: pattern.map_or(TimeFormat::Usual, TimeFormat::Pattern),
                item,
                read: None,
            },
            file_order: self.order == Order::File,
            sorted: self.sorted,
            close: self.close,
            stop: mapping.stop,
            ..Plan::default()
        }
    }
}

/// A model with its logs.
pub struct Recorded<'a> {
    project: &'a Project,
    walked: Walked<'a>,
    mapping: Mapping,
    given: GivenReplay,
    plan: Plan,
}

/// A model that has an own way to follow cases.
fn egsm(lens: &dyn Lens) -> Option<&Egsm> {
    (lens as &dyn std::any::Any).downcast_ref()
}

fn known(lens: &dyn Lens) -> Known {
    egsm(lens).map_or_else(|| machine::known(lens), names)
}

impl<'a> Recorded<'a> {
    /// Finds out what the words of the logs mean.
    pub fn new(
        args: &LogArgs,
        project: &'a Project,
        walked: Walked<'a>,
        given: GivenReplay,
        logs: Vec<PathBuf>,
    ) -> Result<Recorded<'a>, Failure> {
        let mut diags = Diagnostics::new();
        let formula = project.machine().properties.iter().find(|p| p.name == COMPLETE);
        if let Some(p) = formula.filter(|p| !p.formula.is_state()) {
            let message = "'complete' is not a statement about one snapshot";
            diags.push(Diagnostic::new(&codes::NOT_A_STATE_FORMULA, p.span, message));
        }
        let known = known(&*walked);
        let item = args.item.clone().or_else(|| match known.items.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        });
        let mapping = Mapping::new(&given, known, &mut diags);
        if diags.has_errors() {
            return Err(Failure::of(diags, &project.sources));
        }
        let plan = args.plan(&given, &mapping, item, logs);
        Ok(Recorded { project, walked, mapping, given, plan })
    }

    /// The model in which the cases were followed: on exact values, if the log has some that lie beyond the ranges of the model.
    pub fn walked(self) -> Walked<'a> {
        self.walked
    }

    /// Goes on with exact values where some of the log lie outside ranges that nobody gave; whether it does.
    fn widen(&mut self, replayed: &Replayed) -> bool {
        let wrong = |d: &&Deviation| d.kind == Kind::WrongValue;
        let wrong: Vec<&Deviation> = replayed.cases.iter().flat_map(|c| &c.deviations).filter(wrong).collect();
        if wrong.is_empty() || matches!(self.walked, Walked::Exact(_)) {
            return false;
        }
        let exact = self.project.lens().exactly(&self.project.sources, &mut Diagnostics::new());
        let Some(Ok(exact)) = exact else { return false };
        let open = |event: &str| {
            let bodies = exact.machine().bodies.iter().filter(|b| b.event == event);
            bodies.flat_map(|b| &b.inputs).any(|i| i.domain.is_unbounded())
        };
        let Some(event) = wrong.iter().map(|d| d.event.as_str()).find(|e| open(e)) else { return false };
        say(&format!(
            "note: {event} carries values beyond the ranges of the model; cases are followed with exact values"
        ));
        self.mapping = Mapping::new(&self.given, known(&*exact), &mut Diagnostics::new());
        self.walked = Walked::Exact(exact);
        true
    }

    /// A section for the activities of the log.
    pub fn suggestion(&self) -> Result<String, Failure> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for log in &self.plan.logs {
            let refused = |fault: log::Fault| Failure::Plain(fault.to_string(), fault.help, BAD_INPUT);
            for event in log::open(log, &self.plan.options).map_err(refused)? {
                *counts.entry(event.map_err(refused)?.activity).or_default() += 1;
            }
        }
        let activities: Vec<(String, usize)> = counts.into_iter().collect();
        Ok(self.mapping.suggestion(&activities))
    }

    /// Judges the cases. What is wrong with the log goes to stderr.
    pub fn judge(&mut self, extent: &Extent) -> Result<Replayed, Failure> {
        let (mut replayed, mut faults) = self.run(extent)?;
        if self.widen(&replayed) {
            (replayed, faults) = self.run(extent)?;
        }
        faults.iter().take(MOST_FAULTS).for_each(tell);
        if faults.len() > MOST_FAULTS {
            say(&format!("error: {} more mistakes in the logs", faults.len() - MOST_FAULTS));
        }
        if let Some(case) = extent.only.iter().flatten().next().filter(|_| replayed.cases.is_empty()) {
            return Err(Failure::plain(format!("the log has no case '{case}'")));
        }
        if faults.is_empty() && extent.only.is_none() {
            // Only of what was read whole can it be said what it does not have.
            let mut unused = Diagnostics::new();
            self.mapping.unused().into_iter().for_each(|d| unused.push(d));
            show(&unused, &self.project.sources);
        }
        Ok(replayed)
    }

    fn run(&self, extent: &Extent) -> Result<(Replayed, Vec<log::Fault>), Failure> {
        let read = Arc::new(AtomicU64::new(0));
        let bar = super::progress::bytes(self.plan.logs.iter().map(log::Log::size).sum());
        let mut heard = |events: u64| {
            bar.set_position(read.load(Ordering::Relaxed));
            bar.set_message(format!("{events} events"));
        };
        let jobs = extent.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
        let (only, telling) = (extent.only.clone(), extent.telling);
        let options = log::Options { read: Some(read.clone()), ..self.plan.options.clone() };
        let plan = Plan { jobs, only, telling, options, ..self.plan.clone() };
        let lens: &dyn Lens = &*self.walked;
        let (judged, stages) = match egsm(lens) {
            Some(egsm) => {
                let judge = || EgsmJudge::new(egsm, &self.mapping, telling);
                let stages = egsm.model.stages.iter().map(|s| s.id.clone()).collect();
                (stream::run(&plan, &judge, &mut heard), stages)
            }
            None => {
                let sources = &self.project.sources;
                let of_type = self.given.of_type.as_ref();
                let setting = match Setting::new(lens, &self.mapping, sources, of_type, extent.frontier, telling) {
                    Ok(setting) => setting,
                    Err(d) => {
                        bar.finish_and_clear();
                        return Err(Failure::one(d, sources));
                    }
                };
                let interp = Interp::new(lens.machine());
                let judge = || MachineJudge::new(&setting, &interp);
                (stream::run(&plan, &judge, &mut heard), Vec::new())
            }
        };
        bar.finish_and_clear();
        let faults = judged.faults.clone();
        let logs = self.plan.logs.iter().map(|l| l.path().display().to_string()).collect();
        let profile = self.project.lens().profile().unwrap_or(self.project.lens().language());
        Ok((Replayed::new(profile, &self.project.model_name(), logs, &stages, judged), faults))
    }

    /// All cases, and again some of them with their runs: those that are not clean first.
    pub fn with_runs(&mut self, most: usize) -> Result<Replayed, Failure> {
        let mut all = self.judge(&Extent::default())?;
        let (bad, clean): (Vec<_>, Vec<_>) = all.cases.iter().partition(|c| !c.is_clean());
        let only: BTreeSet<String> = bad.into_iter().chain(clean).take(most).map(|c| c.case.clone()).collect();
        let extent = Extent { only: Some(only), telling: true, ..Extent::default() };
        // What is wrong with the log has been told.
        let shown: BTreeMap<String, Arc<Case>> =
            self.run(&extent)?.0.cases.into_iter().map(|c| (c.case.clone(), c)).collect();
        for case in &mut all.cases {
            if let Some(told) = shown.get(&case.case) {
                case.clone_from(told);
            }
        }
        Ok(all)
    }
}

fn tell(fault: &log::Fault) {
    let help = fault.help.as_ref().map(|h| format!("\n  = help: {h}")).unwrap_or_default();
    say(&format!("error: {fault}{help}"));
}
