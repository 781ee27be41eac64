//! `gsmc check`: verdicts by one engine or several, compared, with certified traces.

use super::failure::{Failure, Form};
use super::output::{Inputs, Reader, json, ready, sarif, say, stdout_look};
use super::progress::Watcher;
use super::project::{self, Project, show};
use super::watch::{Round, Watch};
use super::{INCONCLUSIVE, asking, both, more, traces};
use crate::answer::Results;
use crate::check::cache::Cache;
use crate::report::{human, junit};
use crate::source::printable;
use crate::trace::look::Look;
use clap::ValueEnum;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// What to check, with what, and how to show it.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    asking: asking::Args,
    /// How to print the result
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    traces: traces::Args,
    /// Check again whenever a file of the application changes; Ctrl-C ends
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    remembering: RememberArgs,
    /// Show whole snapshots in traces, not only what changed
    #[arg(long)]
    full: bool,
    /// Leave traces out of the text
    #[arg(long)]
    brief: bool,
    /// Show the traces of many properties that are as expected, too
    #[arg(long, conflicts_with = "brief")]
    all_traces: bool,
}

/// Where answers are kept.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct RememberArgs {
    /// Keep exact answers in this folder, and take them from there while nothing changes that matters
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Ask everything anew, with --watch, too (which otherwise keeps answers in the user's cache folder)
    #[arg(long)]
    no_cache: bool,
}

impl RememberArgs {
    /// The cache that is asked for. The user's own is only used if it can be had.
    fn cache(&self, watch: bool) -> Option<Cache> {
        if let Some(folder) = &self.cache {
            return Cache::open(folder).map_err(|e| note_cache(&folder.display(), &e)).ok();
        }
        let usual = Cache::usual_folder().filter(|_| watch && !self.no_cache);
        usual.and_then(|folder| Cache::open(&folder).ok())
    }
}

/// A cache that cannot be used only makes things slower.
fn note_cache(folder: &dyn std::fmt::Display, why: &dyn std::fmt::Display) {
    say(&format!("note: the cache '{folder}' cannot be used: {why}"));
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table and traces for people
    Human,
    /// JSON for programs
    Json,
    /// JUnit XML for build servers
    Junit,
    /// SARIF 2.1.0 for code hosts and editors: findings, and properties that are not as expected
    Sarif,
}

impl Args {
    /// In what form the result is asked for.
    fn form(&self) -> Form {
        match self.format {
            Format::Json => Form::Json,
            Format::Sarif => Form::Sarif,
            Format::Human | Format::Junit => Form::Text,
        }
    }
}

pub fn run(args: &Args) -> u8 {
    if let Err(code) = ready(args.output.as_deref()).and_then(|()| args.traces.ready()) {
        return code;
    }
    if args.asking.model().profile.as_deref() == Some(both::BOTH) {
        return both::run(&args.asking, args.format == Format::Json, args.output.as_deref());
    }
    let cache = args.remembering.cache(args.watch);
    if !args.watch {
        return round(args, &Watcher::start(args.asking.timeout()), cache.as_ref()).code;
    }
    let human = args.format == Format::Human && args.output.is_none();
    let watch = Watch {
        folders: args.asking.model().folders(),
        ours: args.output.iter().cloned().collect(),
        timeout: args.asking.timeout(),
        clear: human && std::io::stdout().is_terminal(),
    };
    watch.run(&mut |watcher| round(args, watcher, cache.as_ref()))
}

/// One check.
fn round(args: &Args, watcher: &Watcher, cache: Option<&Cache>) -> Round {
    let solvers = args.asking.solvers();
    let ((code, reader), sources) = match args.asking.read() {
        Err(refused) => {
            let sources = refused.sources.clone();
            (Failure::from(refused).report(args.form(), args.output.as_deref()), sources)
        }
        Ok(project) => {
            show(&project.diagnostics, &project.sources);
            let code = match args.asking.decide(&project, watcher, cache, solvers) {
                Err(failure) => failure.report(args.form(), args.output.as_deref()),
                // Stopped because files changed, or by Ctrl-C: what is there is of no use.
                Ok(_) if args.watch && watcher.interrupt().load(Ordering::Relaxed) => (INCONCLUSIVE, Reader::Listens),
                Ok(results) => tell(args, &project, &results),
            };
            if let Some(why) = cache.and_then(Cache::trouble) {
                note_cache(&why.folder.display(), &why.why);
            }
            (code, project.sources)
        }
    };
    watcher.finish();
    Round { code, reader, files: project::files(&sources) }
}

/// Results to where they are wanted; the exit code, and whether somebody still reads them.
fn tell(args: &Args, project: &Project, results: &Results) -> (u8, Reader) {
    let inputs = Inputs::of(&project.sources);
    let shown = render(args, project, results).and_then(|text| inputs.deliver(&text, args.output.as_deref()));
    let traces = args.traces.write(results, &inputs);
    match (shown, traces) {
        (Ok(reader), Ok(())) => (results.exit_code(), reader),
        (Err(failed), _) | (_, Err(failed)) => (failed, Reader::Listens),
    }
}

fn render(args: &Args, project: &Project, results: &Results) -> Result<String, u8> {
    Ok(match args.format {
        Format::Human => {
            let look = if args.output.is_none() { stdout_look() } else { Look::default() };
            let look = Look { full: args.full, ..look };
            let text = human::text(results, human::Style { look, brief: args.brief, all_traces: args.all_traces });
            if args.brief { text } else { text + &printable(&more::lines(&args.asking, project, results)) }
        }
        Format::Json => json(results)?,
        Format::Junit => junit::text(results),
        Format::Sarif => {
            let checked = Some((project.machine(), results));
            sarif(&project.sources, &project.diagnostics, checked, results.exit_code())
        }
    })
}
