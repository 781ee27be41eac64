//! Arguments that several commands share.

use super::watch::parent;
use crate::answer::Engine;
use crate::backend::{self, CHECKERS, Checker, drive::Limits};
use crate::lang::config::Overrides;
use crate::project::Options as Request;
use crate::source::shell_word;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::path::PathBuf;
use std::time::Duration;

/// Which application, and how to read it. Everything of `gsmc.toml` can be given or overridden here.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ModelArgs {
    /// Project folder with a gsmc.toml, or a model file: .gsm, .xml, .amber, .cmmn
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Model file, instead of the folder's
    #[arg(short, long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Agents file; for a CMMN case the word 'roles': an agent for each role or assignee
    #[arg(short, long, value_name = "FILE")]
    pub agents: Option<PathBuf>,
    /// Property file; may be repeated
    #[arg(short = 's', long = "properties", value_name = "FILE")]
    pub properties: Vec<PathBuf>,
    /// Number of instances of a type, as Type=3; may be repeated
    #[arg(long, value_name = "TYPE=N")]
    pub instances: Vec<String>,
    /// Range of an integer attribute, as Type.attr=0..7; may be repeated
    #[arg(long, value_name = "TYPE.ATTR=LO..HI")]
    pub range: Vec<String>,
    /// A reference attribute, as Type.attr=OtherType; may be repeated
    #[arg(long, value_name = "TYPE.ATTR=TYPE")]
    pub relation: Vec<String>,
    /// When the system may do nothing: always, terminal (only where nobody can act) or never
    #[arg(long, value_name = "WHEN")]
    pub idle: Option<String>,
    /// What creating does when no slot is free: block (nobody can create) or overflow
    #[arg(long, value_name = "WHAT")]
    pub creation: Option<String>,
    /// Which events can happen: consumed (those that open a stage or change a milestone) or any
    #[arg(long, value_name = "WHICH")]
    pub events: Option<String>,
    /// How many occurrences of one action may wait (AMBER models)
    #[arg(long, value_name = "N")]
    pub bound: Option<String>,
    /// Which meaning a model has: gsm or egsm; for a CMMN case flowable or spec ('check' also takes both, and compares)
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// How often an element may stand on a way of nested calls (E-GSM models; 2)
    #[arg(long, value_name = "N")]
    pub nesting: Option<String>,
    /// Which case of a CMMN file with several, by its id
    #[arg(long, value_name = "ID")]
    pub case_id: Option<String>,
    /// What may be done by hand in a CMMN case: complete, terminate, fault, disable, reenable, or terminate=ITEM; may be repeated
    #[arg(long, value_name = "WHAT")]
    pub manual: Vec<String>,
    /// When data of a CMMN case may change beside completions: any (at any time)
    #[arg(long, value_name = "WHEN")]
    pub data: Option<String>,
    /// Cut steps of a CMMN case off after so many rounds (40)
    #[arg(long, value_name = "N")]
    pub rounds: Option<String>,
    /// Leave out the questions that are asked of every CMMN case
    #[arg(long)]
    pub no_builtin: bool,
    /// XSD file to look in first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub schema: Vec<String>,
    /// Refuse a model whose rule graph is cyclic
    #[arg(long)]
    pub strict_order: bool,
    /// Keep attributes that nothing reads
    #[arg(long)]
    pub keep_all: bool,
    /// Data is taken without bounds; commands that can say so themselves.
    #[arg(skip)]
    pub unbounded: bool,
}

/// External checkers: where they are, and what to keep of their runs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ToolArgs {
    #[command(flatten)]
    pub programs: Programs,
    /// Keep the folders of external runs: generated model, command, raw output
    #[arg(long)]
    pub keep: bool,
    /// Where the folders of external runs are made
    #[arg(long, value_name = "DIR")]
    pub run_dir: Option<PathBuf>,
}

/// `--nusmv PATH` and the like: an option for every checker of the table.
#[derive(Clone, Debug, Default)]
pub struct Programs(Vec<(Engine, PathBuf)>);

impl clap::Args for Programs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let program = |c: &Checker| {
            let arg = clap::Arg::new(c.engine.name()).long(c.engine.name()).value_name("PATH");
            arg.value_parser(clap::value_parser!(PathBuf)).help(format!("{}'s program", c.title))
        };
        command.args(CHECKERS.map(program))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Programs::augment_args(command)
    }
}

impl clap::FromArgMatches for Programs {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Programs, clap::Error> {
        let given = |c: &Checker| Some((c.engine, matches.get_one::<PathBuf>(c.engine.name())?.clone()));
        Ok(Programs(CHECKERS.into_iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Programs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A choice of names with what they stand for, and `all` at the end.
pub fn names_and_all(names: Vec<(&'static str, String)>, all: &'static str) -> PossibleValuesParser {
    let value = |(name, help)| PossibleValue::new(name).help(help);
    let all = (ALL, all.to_string());
    PossibleValuesParser::new(names.into_iter().chain([all]).map(value))
}

/// The word for every choice.
pub const ALL: &str = "all";

impl ToolArgs {
    /// As the drivers take it.
    pub fn options(&self) -> backend::Options {
        backend::Options {
            programs: self.programs.0.clone(),
            keep: self.keep,
            folder: self.run_dir.clone(),
            limits: Limits { guard: std::env::current_exe().ok(), ..Limits::default() },
            ..backend::Options::default()
        }
    }
}

/// Output formats of commands that print a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Human,
    /// JSON for programs
    Json,
}

impl ModelArgs {
    /// The arguments as a shell takes them.
    pub fn words(&self) -> Vec<String> {
        let file = |p: &PathBuf| p.to_string_lossy().into_owned();
        let mut words: Vec<String> = self.dir.iter().map(file).collect();
        let mut option = |name: &str, value: String| words.extend([name.to_string(), value]);
        self.model.iter().for_each(|p| option("-m", file(p)));
        self.agents.iter().for_each(|p| option("-a", file(p)));
        self.properties.iter().for_each(|p| option("-s", file(p)));
        self.instances.iter().for_each(|v| option("--instances", v.clone()));
        self.range.iter().for_each(|v| option("--range", v.clone()));
        self.relation.iter().for_each(|v| option("--relation", v.clone()));
        self.idle.iter().for_each(|v| option("--idle", v.clone()));
        self.creation.iter().for_each(|v| option("--creation", v.clone()));
        self.events.iter().for_each(|v| option("--events", v.clone()));
        self.bound.iter().for_each(|v| option("--bound", v.clone()));
        self.profile.iter().for_each(|v| option("--profile", v.clone()));
        self.nesting.iter().for_each(|v| option("--nesting", v.clone()));
        self.case_id.iter().for_each(|v| option("--case-id", v.clone()));
        self.manual.iter().for_each(|v| option("--manual", v.clone()));
        self.data.iter().for_each(|v| option("--data", v.clone()));
        self.rounds.iter().for_each(|v| option("--rounds", v.clone()));
        self.schema.iter().for_each(|v| option("--schema", v.clone()));
        let flags =
            [(self.no_builtin, "--no-builtin"), (self.strict_order, "--strict-order"), (self.keep_all, "--keep-all")];
        words.extend(flags.into_iter().filter(|(on, _)| *on).map(|(_, name)| name.to_string()));
        words.iter().map(|w| shell_word(w)).collect()
    }

    /// The folders in which files of the application lie or may appear.
    pub fn folders(&self) -> Vec<PathBuf> {
        let dir =
            self.dir.as_ref().map(|d| if d.extension().is_some_and(|e| e == "toml") { parent(d) } else { d.clone() });
        let here = self.request().dir.filter(|_| self.dir.is_none()).map(|f| parent(&f));
        let files = self.model.iter().chain(&self.agents).chain(&self.properties).map(|f| parent(f));
        let schemas = self.schema.iter().map(|f| parent(f.as_ref()));
        dir.into_iter().chain(here).chain(files).chain(schemas).collect()
    }

    /// As the reader takes it.
    pub fn request(&self) -> Request {
        // Without anything named: the folder one is in, if it is a project.
        let here = || Some(PathBuf::from("gsmc.toml")).filter(|f| self.model.is_none() && f.is_file());
        Request {
            dir: self.dir.clone().or_else(here),
            standard: false,
            formulas: Vec::new(),
            model: self.model.clone(),
            agents: self.agents.clone(),
            properties: self.properties.clone(),
            overrides: Overrides {
                instances: self.instances.clone(),
                ranges: self.range.clone(),
                relations: self.relation.clone(),
                schemas: self.schema.clone(),
                idle: self.idle.clone(),
                creation: self.creation.clone(),
                events: self.events.clone(),
                bound: self.bound.clone(),
                profile: self.profile.clone(),
                nesting: self.nesting.clone(),
                case: self.case_id.clone(),
                manual: self.manual.clone(),
                data: self.data.clone(),
                rounds: self.rounds.clone(),
                no_builtin: self.no_builtin,
                strict_order: self.strict_order,
                keep_all: self.keep_all,
                unbounded: self.unbounded,
            },
        }
    }
}

/// `--timeout`: a positive number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    let duration =
        Duration::try_from_secs_f64(number).map_err(|_| "expected a positive number of seconds".to_string())?;
    if duration.is_zero() { Err("expected a positive number of seconds".into()) } else { Ok(duration) }
}
