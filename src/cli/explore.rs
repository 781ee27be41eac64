//! `gsmc explore`.

use super::args::ModelArgs;
use super::failure::Failure;
use super::output::say;
use super::project::{self, Project, Walked};
use super::recorded::{Extent, LogArgs, Recorded, split};
use super::watch::Watch;
use super::{BAD_INPUT, DISAGREE, OK};
use crate::answer::Results;
use crate::any;
use crate::backend::drive::on_path;
use crate::check::Plan;
use crate::check::abstracted::Effort;
use crate::explore::{Edition, Explorer, Start, http};
use crate::interp::Interp;
use crate::project::check;
use crate::smt::{SolverKind, Which};
use crate::source::render_all;
use crate::trace::RawRun;
use crate::trace::file::{self, Found, Unloaded};
use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Time for each property that is checked beside the walk.
const PATIENCE: Duration = Duration::from_secs(60);
/// The port that is tried first.
const PORT: u16 = 4786;

/// What to explore and where to start.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Port on loopback; 0 picks a free one [default: 4786, or a free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Start at the end of this path, as the page copies it or 'a/b,field=3/idle'
    #[arg(long, value_name = "PATH", conflicts_with = "trace")]
    path: Option<String>,
    /// Recorded logs, with --case: start at the end of the run of that case
    #[arg(value_name = "LOG", requires = "case")]
    logs: Vec<PathBuf>,
    /// The recorded case to start with
    #[arg(long, value_name = "ID", conflicts_with_all = ["path", "trace"])]
    case: Option<String>,
    #[command(flatten)]
    log: LogArgs,
    /// Data has no bounds: steps on exact values, properties decided as by 'check --abstract'
    #[arg(long = "abstract")]
    unbounded: bool,
    /// Start with a trace: of 'check', of any engine, in the Informal Trace Format, or saved by 'simulate'
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

pub fn run(args: &Args) -> u8 {
    let (model, logs) = split(&args.model, &args.logs);
    let model = ModelArgs { unbounded: args.unbounded, ..model };
    let watch = Watch { folders: model.folders(), ours: Vec::new(), timeout: None, clear: false };
    let mut seen = watch.glance();
    let project = match project::open(&model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let (first, exactly) = match first(args, &project, &model, logs) {
        Ok(first) => first,
        Err(code) => return code,
    };
    let listener = match listen(args.port) {
        Ok(listener) => listener,
        Err(code) => return code,
    };
    let Ok(here) = listener.local_addr() else {
        say("error: the port has no address");
        return BAD_INPUT;
    };
    let ended = super::signals::flag();
    let address = format!("http://{here}/");
    say(&format!("Explore {} at {address} (Ctrl-C stops)", project.lens().name()));
    if args.open {
        open_browser(&address);
    }
    let how = if exactly { " --abstract" } else { "" };
    let command = format!("gsmc explore {}", model.words().join(" "));
    let command = format!("{}{how}", command.trim_end());
    let place = Place { listener: Arc::new(listener), command, exactly };
    let (mut files, mut edition) = (project::files(&project.sources), Edition::default());
    let mut running = place.serve(project, first, edition.clone());
    while watch.next_change(&mut seen, files.clone(), &ended).is_some() {
        match project::read(&model, false) {
            Ok(project) => {
                running.end(here);
                files = project::files(&project.sources);
                edition = edition.next();
                running = place.serve(project, Start::default(), edition.clone());
                say("Read again.");
            }
            Err(refused) => {
                files.extend(project::files(&refused.sources));
                edition.outdated(render_all(&refused.diagnostics, &refused.sources, false));
            }
        }
    }
    running.end(here);
    say("Stopped.");
    // A search in the background may go on for a while; nobody waits for it any more.
    std::process::exit(i32::from(OK));
}

/// Where the page is, whatever it shows.
struct Place {
    listener: Arc<TcpListener>,
    command: String,
    /// On exact values.
    exactly: bool,
}

/// One reading of the files, being served.
struct Running {
    stop: Arc<AtomicBool>,
    served: mpsc::Receiver<()>,
}

impl Place {
    /// Serves a model in a thread of its own, which goes on searching for a while when it is stopped.
    fn serve(&self, project: Project, start: Start, edition: Edition) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        let (done, served) = mpsc::channel();
        let (listener, command, stopped) = (self.listener.clone(), self.command.clone(), stop.clone());
        let exactly = self.exactly;
        std::thread::spawn(move || {
            let Ok(lens) = project::walked(&project, exactly) else { return };
            let interp = Interp::new(lens.machine());
            let explorer = Explorer::new(&*lens, &interp, &project.sources, start, command).of(edition);
            std::thread::scope(|scope| {
                scope.spawn(|| explorer.prepare(&stopped));
                scope.spawn(|| {
                    let plan = Plan { interrupt: stopped.clone(), timeout: Some(PATIENCE), ..Plan::default() };
                    match if exactly { without_bounds(&project, &plan) } else { Ok(check(&project, &plan)) } {
                        Ok(results) => explorer.learn(&results),
                        Err(why) => explorer.give_up(why),
                    }
                });
                http::serve(&listener, &stopped, &|request| explorer.answer(request));
                let _ = done.send(());
            });
        });
        Running { stop, served }
    }
}

impl Running {
    /// Ends it: nobody answers any more. A connection wakes the listener.
    fn end(&self, here: SocketAddr) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(here);
        let _ = self.served.recv();
    }
}

/// Where to start, and whether on exact values: as asked, or because those of a recorded case lie beyond the model's ranges.
fn first(args: &Args, project: &Project, model: &ModelArgs, logs: Vec<PathBuf>) -> Result<(Start, bool), u8> {
    if let Some(case) = &args.case {
        return recorded(&args.log, model, logs, case);
    }
    let lens = project::walked(project, args.unbounded).map_err(|failure| failure.tell())?;
    Ok((start(args, &Interp::new(lens.machine()))?, args.unbounded))
}

/// What a check says about data without bounds; otherwise why it says nothing.
fn without_bounds(project: &Project, plan: &Plan) -> Result<Results, String> {
    let effort = Effort { refine: None, runs: true, smt: Which::Only(SolverKind::Z3).into() };
    let (lens, model) = (project.lens(), project.model_name());
    let (sources, data) = (&project.sources, any::Data::Unbounded(effort));
    let question = any::Question { lens, sources, model: &model, data, open: None };
    any::run(&question, plan).map_err(|why| why.to_string())
}

fn start(args: &Args, interp: &Interp) -> Result<Start, u8> {
    if let Some(file) = &args.trace {
        return open_trace(interp, file);
    }
    Start::path(interp, args.path.as_deref().unwrap_or_default()).map_err(|astray| {
        say(&format!("error: {astray}"));
        BAD_INPUT
    })
}

/// The run of a recorded case.
fn recorded(log: &LogArgs, model: &ModelArgs, logs: Vec<PathBuf>, case: &str) -> Result<(Start, bool), u8> {
    if logs.is_empty() {
        say("error: no log is named: gsmc explore PROJECT LOG --case ID");
        return Err(BAD_INPUT);
    }
    let told = |failure: Failure| failure.tell();
    let (project, given) = log.open(model).map_err(told)?;
    let walked = project::walked(&project, model.unbounded).map_err(told)?;
    let mut recorded = Recorded::new(log, &project, walked, given, logs).map_err(told)?;
    let only = Some(BTreeSet::from([case.to_string()]));
    let replayed = recorded.judge(&Extent { only, telling: true, ..Extent::default() }).map_err(told)?;
    let choices = replayed.cases.iter().find_map(|c| c.run.as_ref()).map(|run| run.choices.clone());
    let run = RawRun::of(choices.unwrap_or_default());
    let lens = recorded.walked();
    let start = Start::trace(&Interp::new(lens.machine()), &[Found { title: format!("recorded case {case}"), run }]);
    let start = start.map_err(|why| {
        say(&format!("error: the run of case '{case}' cannot be shown: {why}"));
        DISAGREE
    })?;
    Ok((start, matches!(lens, Walked::Exact(_))))
}

fn open_trace(interp: &Interp, file: &Path) -> Result<Start, u8> {
    let fault = |why: &dyn std::fmt::Display, code: u8| {
        say(&format!("error: '{}': {why}", file.display()));
        code
    };
    let text = crate::source::read_text(file).map_err(|e| fault(&e, BAD_INPUT))?;
    let found = file::read(interp, &text).map_err(|unloaded| match &unloaded {
        Unloaded::Unreadable(why) => fault(why, BAD_INPUT),
        Unloaded::DoesNotReplay(why) => fault(why, DISAGREE),
    })?;
    Start::trace(interp, &found).map_err(|why| fault(&why, DISAGREE))
}

/// The port asked for, or the usual one, or any.
fn listen(port: Option<u16>) -> Result<TcpListener, u8> {
    let listener = match port {
        Some(port) => http::listen(port),
        None => http::listen(PORT).or_else(|_| http::listen(0)),
    };
    listener.map_err(|e| {
        say(&format!("error: cannot listen on port {}: {e}", port.unwrap_or(PORT)));
        BAD_INPUT
    })
}

fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let silent = std::process::Stdio::null;
    let start = |path| std::process::Command::new(path).arg(address).stdout(silent()).stderr(silent()).spawn();
    if on_path(program).is_none_or(|path| start(path).is_err()) {
        say(&format!("'{program}' cannot be started: open {address} yourself"));
    }
}
