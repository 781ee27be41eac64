//! `gsmc replay`: recorded cases against a model.

use super::args::ModelArgs;
use super::output::{deliver, done, json, say};
use super::project::{self, Project, show};
use super::{BAD_INPUT, OK};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::lang::config::{self, GivenReplay};
use crate::lang::egsm::Egsm;
use crate::log::{self, Format as LogFormat, TimeFormat};
use crate::replay::egsm::{EgsmJudge, names};
use crate::replay::machine::{self, MachineJudge, Setting};
use crate::replay::mapping::{COMPLETE, Mapping};
use crate::replay::show::{self as text, Style};
use crate::replay::stream::{self, Plan};
use crate::replay::totals::Replayed;
use crate::source::codes::replay as codes;
use crate::source::{Diagnostic, Diagnostics, Sources};
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Which model, which logs, and how to tell.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Recorded logs: XES, CSV, TSV, JSON lines, the emulator's pairs, each plain or gzip; several are one log
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// A file with the [replay] section, instead of the project's
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Print a [replay] section for the activities of the log, and judge nothing
    #[arg(long)]
    suggest_map: bool,
    /// Exit with 0 when every verdict is what the log's labels say
    #[arg(long)]
    expect_labels: bool,
    /// Show only this case, with its run
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// List clean cases, too
    #[arg(long)]
    all: bool,
    /// Most snapshots that a case may be in (GSM)
    #[arg(long, value_name = "N", default_value_t = 1000)]
    frontier: usize,
    /// Threads that judge cases (all cores)
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How logs are read.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct ReadingArgs {
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

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
    /// A row per case
    Csv,
    /// JUnit XML for build servers: a test per case
    Junit,
}

pub fn run(args: &Args) -> u8 {
    let (model, logs) = args.split();
    if logs.is_empty() {
        say("error: no log is named: gsmc replay PROJECT LOG");
        return BAD_INPUT;
    }
    let mut project = match project::open(&model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let given = match args.given(&mut project) {
        Ok(given) => given,
        Err(code) => return code,
    };
    // When a case is completed is a formula about the model, so it is read with the model.
    if let Some(formula) = &given.complete {
        let mut request = model.request();
        request.formulas.push(format!("{COMPLETE}: {};", formula.text.trim().trim_end_matches(';')));
        project = match Project::read(&request) {
            Ok(project) => project,
            Err(refused) => return project::tell(&refused),
        };
    }
    match Replay::new(args, &project, given, logs) {
        Ok(replay) if args.suggest_map => replay.suggest(),
        Ok(replay) => replay.judge(),
        Err(diagnostics) => {
            show(&diagnostics, &project.sources);
            BAD_INPUT
        }
    }
}

impl Args {
    /// With `-m` the first name is a log, not a folder.
    fn split(&self) -> (ModelArgs, Vec<PathBuf>) {
        let (mut model, mut logs) = (self.model.clone(), self.logs.clone());
        if model.model.is_some()
            && let Some(first) = model.dir.take_if(|dir| !dir.join("gsmc.toml").exists() && !dir.ends_with("gsmc.toml"))
        {
            logs.insert(0, first);
        }
        (model, logs)
    }

    /// The project's `[replay]`, or that of `--map`.
    fn given(&self, project: &mut Project) -> Result<GivenReplay, u8> {
        let Some(path) = &self.map else { return Ok(project.replay.clone()) };
        let mut diags = Diagnostics::new();
        let file = crate::lang::files::read(path, None, &mut project.sources, &mut diags);
        let config = file.map(|f| config::read(f, &project.sources, &mut diags)).unwrap_or_default();
        show(&diags, &project.sources);
        if diags.has_errors() { Err(BAD_INPUT) } else { Ok(config.replay) }
    }
}

/// A model with its logs.
struct Replay<'a> {
    args: &'a Args,
    project: &'a Project,
    language: Language<'a>,
    mapping: Mapping,
    given: GivenReplay,
    plan: Plan,
}

#[derive(Clone, Copy)]
enum Language<'a> {
    Egsm(&'a Egsm),
    Machine(&'a dyn Lens),
}

impl<'a> Replay<'a> {
    fn new(
        args: &'a Args,
        project: &'a Project,
        given: GivenReplay,
        logs: Vec<PathBuf>,
    ) -> Result<Replay<'a>, Diagnostics> {
        let mut diags = Diagnostics::new();
        let language = match (project.lens() as &dyn std::any::Any).downcast_ref::<Egsm>() {
            Some(egsm) => Language::Egsm(egsm),
            None => Language::Machine(project.lens()),
        };
        let formula = project.machine().properties.iter().find(|p| p.name == COMPLETE);
        if let Some(p) = formula.filter(|p| !p.formula.is_state()) {
            let message = "'complete' is not a statement about one snapshot";
            diags.push(Diagnostic::new(&codes::NOT_A_STATE_FORMULA, p.span, message));
        }
        let known = match language {
            Language::Egsm(egsm) => names(egsm),
            Language::Machine(lens) => machine::known(lens.machine()),
        };
        let item = args.reading.item.clone().or_else(|| match known.items.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        });
        let mapping = Mapping::new(&given, known, &mut diags);
        if diags.has_errors() {
            return Err(diags);
        }
        let plan = args.plan(&given, &mapping, item, logs);
        Ok(Replay { args, project, language, mapping, given, plan })
    }

    /// Prints a section for the activities of the log.
    fn suggest(&self) -> u8 {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for path in &self.plan.logs {
            match log::open(path, &self.plan.options) {
                Ok(events) => events.flatten().for_each(|e| *counts.entry(e.activity).or_default() += 1),
                Err(fault) => {
                    tell(&fault);
                    return BAD_INPUT;
                }
            }
        }
        let activities: Vec<(String, usize)> = counts.into_iter().collect();
        done(deliver(self.mapping.suggestion(&activities), self.args.output.as_deref()))
    }

    fn judge(&self) -> u8 {
        let bar = super::progress::counter("events");
        let mut heard = |events: u64| bar.set_position(events);
        let (judged, stages) = match self.language {
            Language::Egsm(egsm) => {
                let judge = || EgsmJudge::new(egsm, &self.mapping, self.plan.telling);
                let stages = egsm.model.stages.iter().map(|s| s.id.clone()).collect();
                (stream::run(&self.plan, &judge, &mut heard), stages)
            }
            Language::Machine(lens) => {
                let (of_type, telling) = (self.given.of_type.as_ref(), self.plan.telling);
                let sources = &self.project.sources;
                let setting = match Setting::new(lens, &self.mapping, sources, of_type, self.args.frontier, telling) {
                    Ok(setting) => setting,
                    Err(d) => {
                        bar.finish_and_clear();
                        return refuse(d, sources);
                    }
                };
                let interp = Interp::new(lens.machine());
                let judge = || MachineJudge::new(&setting, &interp);
                (stream::run(&self.plan, &judge, &mut heard), Vec::new())
            }
        };
        bar.finish_and_clear();
        judged.faults.iter().for_each(tell);
        if let Some(case) = self.args.case.as_ref().filter(|_| judged.cases.is_empty()) {
            say(&format!("error: the log has no case '{case}'"));
            return BAD_INPUT;
        }
        let mut unused = Diagnostics::new();
        self.mapping.unused().into_iter().filter(|_| self.args.case.is_none()).for_each(|d| unused.push(d));
        show(&unused, &self.project.sources);
        let logs = self.plan.logs.iter().map(|p| p.display().to_string()).collect();
        let profile = self.project.lens().profile().unwrap_or(self.project.lens().language());
        self.tell(&Replayed::new(profile, &self.project.model_name(), logs, &stages, judged))
    }

    fn tell(&self, replayed: &Replayed) -> u8 {
        let style = Style { all: self.args.all, labels: self.args.expect_labels };
        let text = match self.args.format {
            Format::Human => text::human(replayed, style),
            Format::Csv => text::csv(replayed),
            Format::Junit => text::junit(replayed),
            Format::Json => match json(replayed) {
                Ok(text) => text,
                Err(code) => return code,
            },
        };
        match done(deliver(text, self.args.output.as_deref())) {
            OK => replayed.exit_code(self.args.expect_labels),
            failed => failed,
        }
    }
}

impl Args {
    fn plan(&self, given: &GivenReplay, mapping: &Mapping, item: Option<String>, logs: Vec<PathBuf>) -> Plan {
        let text = |name: &Option<crate::lang::syntax::Name>| name.as_ref().map(|n| n.text.clone());
        let format = self.reading.log_format.as_ref();
        let pattern = self.reading.time_format.clone();
        Plan {
            logs,
            options: log::Options {
                format: format.and_then(|f| LogFormat::NAMES.iter().find(|(n, _)| n == f)).map(|(_, f)| *f),
                case: text(&given.case),
                activity: text(&given.activity),
                time: text(&given.time),
                agent: text(&given.agent),
                time_format: pattern.map_or(TimeFormat::Usual, TimeFormat::Pattern),
                item,
            },
            file_order: self.reading.order == Order::File,
            sorted: self.reading.sorted,
            close: self.reading.close,
            jobs: self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())),
            only: self.case.clone(),
            stop: mapping.stop,
            telling: self.case.is_some(),
        }
    }
}

fn refuse(d: Diagnostic, sources: &Sources) -> u8 {
    let mut diags = Diagnostics::new();
    diags.push(d);
    show(&diags, sources);
    BAD_INPUT
}

fn tell(fault: &log::Fault) {
    let help = fault.help.as_ref().map(|h| format!("\n  = help: {h}")).unwrap_or_default();
    say(&format!("error: {fault}{help}"));
}
