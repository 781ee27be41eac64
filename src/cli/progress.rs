//! What a waiting user sees, and Ctrl-C.

use crate::native::verdict::{Listener, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Listens to the work: one line on a terminal's stderr, and a flag that Ctrl-C sets. A second Ctrl-C ends gsmc at once.
pub struct Watcher {
    bar: ProgressBar,
    interrupt: Arc<AtomicBool>,
}

impl Watcher {
    /// Starts watching.
    pub fn start(timeout: Option<Duration>) -> Watcher {
        let interrupt = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, interrupt.clone());
            let _ = signal_hook::flag::register(signal, interrupt.clone());
        }
        Watcher::stopped_by(interrupt, timeout)
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
        let bar = self.bar.clone();
        Some(Arc::new(move |p: &Progress| {
            bar.set_message(match p {
                Progress::Encoding => "encoding the machine".to_string(),
                Progress::Exploring { rounds, nodes } => format!("reachable snapshots: round {rounds}, {nodes} nodes"),
                Progress::Property { index, of, name } => format!("property {} of {of}: {name}", index + 1),
            });
        }))
    }

    /// The work is over.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line on a terminal's stderr that counts.
pub fn counter(what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{spinner}} {{elapsed}}  {{human_pos}} {what}, {{per_sec}}"))
    {
        bar.set_style(style);
    }
    bar
}
