//! What a waiting user sees, and Ctrl-C.

use crate::native::verdict::{Listener, Progress};
use crate::source::on_one_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Listens to the work: one line on a terminal's stderr, and a flag that [signals](super::signals) set.
pub struct Watcher {
    bar: ProgressBar,
    interrupt: Arc<AtomicBool>,
}

impl Watcher {
    /// Starts watching.
    pub fn start(timeout: Option<Duration>) -> Watcher {
        Watcher::stopped_by(super::signals::flag(), timeout)
    }

    /// The same, but it is somebody else who listens to Ctrl-C and sets the flag.
    pub fn stopped_by(interrupt: Arc<AtomicBool>, timeout: Option<Duration>) -> Watcher {
        let bar = ProgressBar::new_spinner();
        if !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let limit = timeout.map(|t| format!(" of {}s", t.as_secs_f64())).unwrap_or_default();
        if let Ok(style) = ProgressStyle::with_template(&format!("{{spinner}} {{elapsed}}{limit}  {{msg}}")) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Watcher { bar, interrupt }
    }

    /// The flag that Ctrl-C sets.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// Shows what the checker says of its progress.
    pub fn listener(&self) -> Option<Listener> {
        let (bar, news) = (self.bar.clone(), Mutex::new(News::default()));
        Some(Arc::new(move |p: &Progress| {
            if let Ok(mut news) = news.lock() {
                news.hear(p);
                if bar.elapsed() > SOON {
                    news.lines.drain(..).for_each(|line| bar.println(line));
                }
            }
            bar.set_message(match p {
                Progress::Decided { .. } => return,
                Progress::Encoding => "encoding the machine".to_string(),
                Progress::Exploring { rounds, nodes } => format!("reachable snapshots: round {rounds}, {nodes} nodes"),
                Progress::Property { index, of, name } => {
                    format!("property {} of {of}: {}", index + 1, on_one_line(name))
                }
            });
        }))
    }

    /// The work is over.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is decided before this is not told on its own: the results come at once.
const SOON: Duration = Duration::from_secs(3);

/// What was decided, each once.
#[derive(Default)]
struct News {
    names: BTreeSet<String>,
    /// Not told yet.
    lines: Vec<String>,
}

impl News {
    fn hear(&mut self, progress: &Progress) {
        if let Progress::Decided { name, holds } = progress
            && self.names.insert(name.clone())
        {
            self.lines.push(format!("{}: {holds}", on_one_line(name)));
        }
    }
}

/// A bar on a terminal's stderr that fills with the bytes read; a count where it is not known how many there are.
pub fn bytes(of: Option<u64>) -> ProgressBar {
    let bar = of.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let read = if of.is_some() { "{bar:24} {percent:>3} %" } else { "{bytes}" };
    if let Ok(style) = ProgressStyle::with_template(&format!("{{spinner}} {{elapsed}}  {read}  {{msg}}")) {
        bar.set_style(style);
    }
    bar
}
