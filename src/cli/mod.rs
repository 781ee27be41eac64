//! Commands: the only room that prints or exits.
//!
//! stdout is the result, stderr the rest. Exit codes: 0 as expected, 1 not as expected, 2 usage or input error, 3 inconclusive, 4
//! engines disagree or a trace did not replay.

mod args;
mod asking;
mod both;
mod check;
mod convert;
mod diff;
mod doctor;
mod explain;
mod explore;
mod export;
mod failure;
mod fmt;
mod graph;
mod help;
mod merge;
mod more;
mod new;
mod output;
mod progress;
mod project;
mod prompt;
mod recorded;
mod replay;
mod report;
mod shell;
mod signals;
mod simulate;
mod traces;
mod validate;
mod watch;

use crate::backend::drive::guard;
use crate::source::is_quiet;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Everything matches its expectation.
pub const OK: u8 = 0;
/// Some property does not match its expectation.
pub const UNEXPECTED: u8 = 1;
/// Usage or input error.
pub const BAD_INPUT: u8 = 2;
/// Unknown, timeout, memory, checker missing or failed.
pub const INCONCLUSIVE: u8 = 3;
/// Two engines disagree, or a trace did not replay.
pub const DISAGREE: u8 = 4;

/// Examples and exit codes, at the end of the help.
const HELP: &str = "Examples:
  gsmc new loans                    a small project to start from
  gsmc check loans                  a verdict with its reason and a run for every property
  gsmc check loans --builtin        the standard questions, too
  gsmc check loans --backend all    by every engine that is there, compared
  gsmc simulate loans               walk through it; gsmc explore loans does it in the browser
  gsmc diff loans loans-2           what changed in the model, and whose verdicts
  gsmc explain can-still-finish     what a standard question asks; gsmc explain E012 a message

Exit codes: 0 as expected, 1 not as expected, 2 usage or input error, 3 inconclusive, 4 engines disagree or a run did not replay";

/// What a business process really does: validate, simulate and model-check GSM, E-GSM, AMBER and CMMN models.
#[derive(Debug, Parser)]
#[command(name = "gsmc", version, about, propagate_version = true, max_term_width = 110, after_help = HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check properties: a verdict with a trace for each
    #[command(after_help = help::CHECK)]
    Check(check::Args),
    /// Parse, resolve, type-check and order a model; print its numbers, order and warnings
    #[command(after_help = help::VALIDATE)]
    Validate(validate::Args),
    /// Walk through the model: ask for each step, take random ones, or replay a trace
    #[command(after_help = help::SIMULATE)]
    Simulate(simulate::Args),
    /// Judge recorded cases: did each follow the model, where did it leave it, did the properties hold
    #[command(after_help = help::REPLAY)]
    Replay(replay::Args),
    /// Write one HTML file: the model's picture, all verdicts, and every trace to step through
    #[command(after_help = help::REPORT)]
    Report(report::Args),
    /// Walk the model in a browser: step by step, rule by rule
    #[command(after_help = help::EXPLORE)]
    Explore(explore::Args),
    /// Draw the model, its rule graph or a trace as SVG, PNG or DOT
    #[command(after_help = help::GRAPH)]
    Graph(graph::Args),
    /// Write the model for MCMAS, NuSMV or SPIN, with a name map beside each file
    #[command(after_help = help::EXPORT)]
    Export(export::Args),
    /// Bring .gsm, .gsma, .gsmp and .amber files into the one style
    #[command(after_help = help::FMT)]
    Fmt(fmt::Args),
    /// Make a small commented project to start from
    #[command(after_help = help::NEW)]
    New(new::Args),
    /// Turn Barcelona XML into the notation (.gsm), or back
    #[command(after_help = help::CONVERT)]
    Convert(convert::Args),
    /// Compare two versions: what changed in the model, and whose verdicts did
    #[command(after_help = help::DIFF)]
    Diff(diff::Args),
    /// Put the results of a check together that several machines took parts of
    #[command(after_help = help::MERGE)]
    Merge(merge::Args),
    /// Say which external checkers are there and whether they work
    #[command(after_help = help::DOCTOR)]
    Doctor(doctor::Args),
    /// Print the long form of a diagnostic code, such as E012, or what a standard question asks
    #[command(after_help = help::EXPLAIN)]
    Explain(explain::Args),
    /// Print a completion script for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(shell::CompletionArgs),
    /// Print the manual page (roff), or write one page per command with -o DIR
    #[command(after_help = help::MAN)]
    Man(shell::ManArgs),
}

/// The commands; `--case` does for `--case-id` where it means nothing else.
fn commands() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        let takes = |id: &str| command.get_arguments().any(|a| a.get_id() == id);
        match takes("case_id") && !takes("case") {
            true => command.mut_arg("case_id", |a| a.alias("case")),
            false => command,
        }
    })
}

/// Runs the command line and says how to exit.
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> ExitCode {
    let args: Vec<std::ffi::OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|a| a == guard::WORD) {
        return ExitCode::from(guard::stand(args.into_iter().skip(2)).unwrap_or_else(|why| {
            output::say(&format!("error: {why}"));
            BAD_INPUT
        }));
    }
    signals::listen();
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_quiet() {
            told(panic)
        }
    }));
    let args = with_default_command(args);
    let command = args.get(1).map(|a| a.to_string_lossy().into_owned()).unwrap_or_default();
    let read = commands().try_get_matches_from(args).and_then(|found| Cli::from_arg_matches(&found));
    let read = read.map_err(|e| format_meant(e, &command));
    let cli = match read {
        Ok(cli) => cli,
        Err(e) => {
            let printed = e.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout()));
            return ExitCode::from(if e.use_stderr() {
                BAD_INPUT
            } else {
                output::done(output::told(printed, "the help"))
            });
        }
    };
    let code = match cli.command {
        Command::Check(a) => check::run(&a),
        Command::Validate(a) => validate::run(&a),
        Command::Simulate(a) => simulate::run(&a),
        Command::Replay(a) => replay::run(&a),
        Command::Report(a) => report::run(&a),
        Command::Explore(a) => explore::run(&a),
        Command::Graph(a) => graph::run(&a),
        Command::Export(a) => export::run(&a),
        Command::Convert(a) => convert::run(&a),
        Command::Fmt(a) => fmt::run(&a),
        Command::New(a) => new::run(&a),
        Command::Diff(a) => diff::run(&a),
        Command::Merge(a) => merge::run(&a),
        Command::Doctor(a) => doctor::run(&a),
        Command::Explain(a) => explain::run(&a),
        Command::Completions(a) => shell::completions(&a, Cli::command()),
        Command::Man(a) => shell::man(&a, Cli::command()),
    };
    ExitCode::from(code)
}

/// `--json` is no option, and `--format json` may be meant.
fn format_meant(mut e: clap::Error, command: &str) -> clap::Error {
    let Some(ContextValue::String(given)) = e.get(ContextKind::InvalidArg) else { return e };
    let word = given.trim_start_matches('-').to_string();
    let commands = Cli::command();
    let command = commands.find_subcommand(command);
    let format = command.and_then(|c| c.get_arguments().find(|a| a.get_long() == Some("format")));
    let known = format.is_some_and(|f| f.get_possible_values().iter().any(|v| v.get_name() == word));
    if e.kind() == ErrorKind::UnknownArgument && known {
        e.remove(ContextKind::SuggestedArg);
        e.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![format!("use --format {word}").into()]));
    }
    e
}

/// `gsmc -m model.xml -s formulas.txt` means `gsmc check …`, as the papers' tool had it.
fn with_default_command(mut args: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let first = args.get(1).map(|a| a.to_string_lossy().into_owned()).unwrap_or_default();
    let asks_about_gsmc = matches!(first.as_str(), "-h" | "--help" | "-V" | "--version");
    if first.starts_with('-') && !asks_about_gsmc {
        args.insert(1, "check".into());
    }
    args
}
