//! `gsmc simulate`.

use super::args::ModelArgs;
use super::output::{print, say, write_file};
use super::project::Project;
use super::{BAD_INPUT, DISAGREE, OK};
use crate::interp::Interp;
use crate::interp::session::{Effect, Reply, Session};
use crate::trace::file::Unloaded;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What to simulate and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Take this many random steps instead of asking
    #[arg(long, value_name = "N", conflicts_with = "trace")]
    random: Option<usize>,
    /// Seed of the random steps; the same seed gives the same run
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    seed: u64,
    /// Replay a trace file (gsmc or ITF) instead of asking
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Show every value after each step, not only what changed
    #[arg(long)]
    full: bool,
}

pub fn run(args: &Args) -> u8 {
    let project = match Project::open(&args.model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let interp = Interp::new(&project.machine);
    let mut session = Session::new(&project.app, &interp, &project.sources, args.full);
    match (args.random, &args.trace) {
        (Some(steps), _) => {
            session.random(steps, args.seed, &mut |text| {
                print(&text);
            });
            OK
        }
        (None, Some(file)) => replay(&mut session, file),
        (None, None) => converse(&mut session),
    }
}

fn replay(session: &mut Session, file: &Path) -> u8 {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) => {
            say(&format!("error: cannot read '{}': {e}", file.display()));
            return BAD_INPUT;
        }
    };
    match session.loaded(&text) {
        Ok(told) => print(&told),
        Err(Unloaded::Unreadable(why)) => {
            say(&format!("error: '{}': {why}", file.display()));
            BAD_INPUT
        }
        Err(Unloaded::DoesNotReplay(why)) => {
            say(&format!("error: '{}': {why}", file.display()));
            DISAGREE
        }
    }
}

/// Commands from stdin until it ends. What comes from elsewhere than a terminal is repeated, so that the output reads as a
/// transcript.
fn converse(session: &mut Session) -> u8 {
    let terminal = std::io::stdin().is_terminal();
    print(&session.greeting());
    let mut lines = std::io::stdin().lock();
    let mut line = String::new();
    loop {
        if terminal {
            let _ = write!(std::io::stdout(), "> ").and_then(|()| std::io::stdout().flush());
        }
        line.clear();
        match lines.read_line(&mut line) {
            Ok(0) => return OK,
            Err(e) => {
                say(&format!("error: cannot read commands: {e}"));
                return BAD_INPUT;
            }
            Ok(_) if !terminal => drop(print(&format!("> {}", line.trim_end()))),
            Ok(_) => {}
        }
        let Reply { text, effect } = session.command(&line);
        if !text.is_empty() {
            print(&text);
        }
        match effect {
            Some(Effect::Quit) => return OK,
            Some(Effect::Save { file, text }) => match write_file(Path::new(&file), &text) {
                Ok(()) => drop(print(&format!("Saved to {file}.\n"))),
                Err(e) => drop(print(&format!("Cannot write '{file}': {e}\n"))),
            },
            Some(Effect::Load(file)) => match std::fs::read_to_string(&file) {
                Ok(text) => match session.loaded(&text) {
                    Ok(told) => drop(print(&told)),
                    Err(why) => drop(print(&format!("Cannot load '{file}': {why}\n"))),
                },
                Err(e) => drop(print(&format!("Cannot read '{file}': {e}\n"))),
            },
            None => {}
        }
    }
}
