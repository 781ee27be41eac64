//! `gsmc simulate`.

use super::args::ModelArgs;
use super::output::{Reader, done, print, print_now, say};
use super::project;
use super::prompt::Prompt;
use super::{BAD_INPUT, DISAGREE};
use crate::explain::session::{Effect, Reply, Session};
use crate::interp::Interp;
use crate::source::write_whole;
use crate::trace::file::Unloaded;
use std::io::{BufRead, IsTerminal};
use std::ops::ControlFlow;
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
    /// Data has no bounds: numbers of any size and fraction, texts and dates, given by value
    #[arg(long = "abstract")]
    unbounded: bool,
}

pub fn run(args: &Args) -> u8 {
    let model = ModelArgs { unbounded: args.unbounded, ..args.model.clone() };
    let project = match project::open(&model) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let lens = match project::walked(&project, args.unbounded) {
        Ok(lens) => lens,
        Err(failure) => return failure.tell(),
    };
    let interp = Interp::new(lens.machine());
    let mut session = Session::new(&*lens, &interp, &project.sources, args.full);
    match (args.random, &args.trace) {
        (Some(steps), _) => {
            let mut written = Ok(Reader::Listens);
            session.random(steps, args.seed, &mut |text| {
                written = print(&text);
                if written == Ok(Reader::Listens) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            done(written)
        }
        (None, Some(file)) => replay(&mut session, file),
        (None, None) => converse(&mut session),
    }
}

fn replay(session: &mut Session, file: &Path) -> u8 {
    let text = match crate::source::read_text(file) {
        Ok(text) => text,
        Err(e) => {
            say(&format!("error: cannot read '{}': {e}", file.display()));
            return BAD_INPUT;
        }
    };
    match session.loaded(&text) {
        Ok(told) => done(print(&told)),
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

/// Commands from stdin until it ends, or until nobody reads the replies. What comes from elsewhere than a terminal is repeated, so
/// that the output reads as a transcript.
fn converse(session: &mut Session) -> u8 {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return edit(session);
    }
    let mut written = print(&session.greeting());
    let mut lines = std::io::stdin().lock();
    let mut line = String::new();
    while written == Ok(Reader::Listens) {
        line.clear();
        match lines.read_line(&mut line) {
            Ok(0) => break,
            Err(e) => {
                say(&format!("error: cannot read commands: {e}"));
                return BAD_INPUT;
            }
            Ok(_) => {}
        }
        let echo = format!("> {}\n", line.trim_end());
        let Reply { text, effect } = session.command(&line);
        let (more, over) = effect.map_or_else(Default::default, |effect| carry_out(session, effect));
        written = written.and(print_now(format!("{echo}{}{more}", lined(text))));
        if over {
            break;
        }
    }
    done(written)
}

/// Commands typed at a terminal, with history (arrow keys) and completion (tab).
fn edit(session: &mut Session) -> u8 {
    let mut prompt = match Prompt::new() {
        Ok(prompt) => prompt,
        Err(e) => {
            say(&format!("error: cannot read commands: {e}"));
            return BAD_INPUT;
        }
    };
    let mut written = print(&session.greeting());
    while written == Ok(Reader::Listens) {
        let Some(line) = prompt.line(session.completions()) else { break };
        let Reply { text, effect } = session.command(&line);
        let (more, over) = effect.map_or_else(Default::default, |effect| carry_out(session, effect));
        written = print_now(format!("{}{more}", lined(text)));
        if over {
            break;
        }
    }
    done(written)
}

/// Does what a command asks for beside its reply: what to say about it, and whether it was the last.
fn carry_out(session: &mut Session, effect: Effect) -> (String, bool) {
    let told = match effect {
        Effect::Quit => return (String::new(), true),
        Effect::Save { file, text } => match write_whole(Path::new(&file), text.as_bytes()) {
            Ok(()) => format!("Saved to {file}."),
            Err(e) => format!("Cannot write '{file}': {e}"),
        },
        Effect::Load(file) => match crate::source::read_text(Path::new(&file)) {
            Ok(text) => match session.loaded(&text) {
                Ok(told) => told,
                Err(why) => format!("Cannot load '{file}': {why}"),
            },
            Err(e) => format!("Cannot read '{file}': {e}"),
        },
    };
    (lined(told), false)
}

/// A text that ends with its line, if there is one.
fn lined(text: String) -> String {
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}
