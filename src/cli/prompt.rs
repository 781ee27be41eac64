//! A line typed at a terminal: arrow keys bring back earlier ones, tab completes names.

use crate::source::on_one_line;
use rustyline::completion::{Completer, Pair};
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper, Highlighter, Hinter, Validator};

/// Names that tab completes.
#[derive(Helper, Hinter, Highlighter, Validator)]
struct Names(Vec<String>);

impl Completer for Names {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..at).unwrap_or(line);
        let start = typed.rfind(|c: char| c.is_whitespace() || c == ',').map_or(0, |i| i + 1);
        let begun = typed.get(start..).unwrap_or("");
        // As typed, if anything begins so; capitals do not matter otherwise.
        let (exact, loose): (Vec<&String>, Vec<&String>) = self.0.iter().partition(|n| n.starts_with(begun));
        let lower = begun.to_lowercase();
        let fits = match exact.is_empty() {
            false => exact,
            true => loose.into_iter().filter(|n| n.to_lowercase().starts_with(&lower)).collect(),
        };
        Ok((start, fits.into_iter().map(|n| Pair { display: n.clone(), replacement: n.clone() }).collect()))
    }
}

/// The prompt with what was typed before.
pub struct Prompt(Editor<Names, DefaultHistory>);

impl Prompt {
    /// A prompt without history yet.
    pub fn new() -> rustyline::Result<Prompt> {
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        Editor::with_config(config).map(Prompt)
    }

    /// The next line; `None` at the end (Ctrl-D, Ctrl-C).
    pub fn line(&mut self, names: Vec<String>) -> Option<String> {
        // What cannot be shown is not offered.
        let names = names.into_iter().filter(|n| *on_one_line(n) == **n).collect();
        self.0.set_helper(Some(Names(names)));
        self.0.readline("> ").ok()
    }
}
