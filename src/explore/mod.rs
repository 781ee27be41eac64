//! The explorer: a page to walk a model by hand, and the small server behind it.
//!
//! The server keeps nothing between requests. A request carries the whole path (see [`crate::trace::path`]), the interpreter
//! replays it, and the answer is what [`crate::view`] says about the last step. So undo, fork and sharing are only addresses,
//! and two windows cannot disturb each other. What needs the reachable snapshots (temporal properties, snapshots that
//! look the same) is searched for once, in the background and within limits: the page asks and may hear "not yet" or "not
//! computed", but never waits.
//!
//! | part | what it does |
//! |---|---|
//! | [`http`] | the least of HTTP/1.1 that a browser on the same machine needs, and everything it must refuse |
//! | `api` | questions of the page and their answers |
//! | `choices` | what can happen next, and what cannot, and why |
//! | `known` | the search in the background |
//! | `judge` | properties in one snapshot, part by part |
//! | `told` | what a check says about each property, with the run that shows it |
//! | `predicates` | with data without bounds: what a check tells apart |
//! | `formula` | a formula that the reader typed |
//! | `edition` | which reading of the files this is |
//! | `assets` | the page itself |

mod api;
mod assets;
mod choices;
mod edition;
mod formula;
pub mod http;
mod judge;
mod known;
mod predicates;
#[cfg(test)]
mod tests;
mod told;

use crate::answer::{AbstractionNumbers, Results};
use crate::interp::Interp;
use crate::lang::Lens;
use crate::picture;
use crate::source::Sources;
use crate::trace::file::Found;
use crate::trace::{NotCertified, Replayed, path, replay};
use crate::view::Viewer;
pub use edition::Edition;
use http::{Request, Response};
use known::Known;
use serde::Serialize;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// Answers the questions of the page.
pub struct Explorer<'a> {
    lens: &'a dyn Lens,
    sources: &'a Sources,
    viewer: Viewer<'a>,
    known: Known<'a>,
    told: OnceLock<Vec<told::Told>>,
    abstracted: OnceLock<AbstractionNumbers>,
    /// Why no check says anything.
    trouble: OnceLock<String>,
    /// Where the page starts.
    start: Start,
    /// How the explorer was started, for copying: everything but the path.
    command: String,
    edition: Edition,
}

/// A run to begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Run {
    /// What it is.
    pub title: String,
    /// As `--path` takes it.
    pub path: String,
    /// Where it loops.
    pub loop_start: Option<usize>,
}

/// Where the page starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Start {
    /// The run it opens.
    pub run: Run,
    /// Every run of the trace file, and the runs beside them.
    pub runs: Vec<Run>,
}

impl Start {
    /// Starts with a path. It must be a legal one.
    pub fn path(interp: &Interp, text: &str) -> Result<Start, path::Astray> {
        let choices = path::read(interp, text)?;
        let run = Run { path: path::write(interp.machine(), &choices), ..Run::default() };
        Ok(Start { run, runs: Vec::new() })
    }

    /// Starts with the first run of a trace file and lists them all.
    pub fn trace(interp: &Interp, found: &[Found]) -> Result<Start, NotCertified> {
        let mut runs = Vec::new();
        for f in found {
            let title = if f.title.is_empty() { "the trace".to_string() } else { f.title.clone() };
            list(interp, &replay(interp, &f.run)?, &title, &mut runs);
        }
        Ok(Start { run: runs.first().cloned().unwrap_or_default(), runs })
    }
}

/// A run and, after it, the runs beside it.
fn list(interp: &Interp, run: &Replayed, title: &str, runs: &mut Vec<Run>) {
    let m = interp.machine();
    let path = path::write(m, run.steps.iter().map(|s| &s.choice));
    runs.push(Run { title: title.into(), path, loop_start: run.loop_start });
    for (at, agents, side) in &run.sides {
        let who: Vec<&str> = agents.iter().map(|a| m.agent_name(*a)).collect();
        let beside = format!("looks the same to {} as snapshot {at} of {title}", who.join(", "));
        list(interp, side, &beside, runs);
    }
}

impl<'a> Explorer<'a> {
    /// An explorer of an application and the machine it was lowered to, `command`: how to start it again, without a path.
    pub fn new(
        lens: &'a dyn Lens,
        interp: &'a Interp<'a>,
        sources: &'a Sources,
        start: Start,
        command: String,
    ) -> Explorer<'a> {
        let (viewer, known) = (Viewer::new(lens, interp, sources), Known::new(interp, known::LIMITS));
        Explorer {
            lens,
            sources,
            viewer,
            known,
            told: OnceLock::new(),
            abstracted: OnceLock::new(),
            trouble: OnceLock::new(),
            start,
            command,
            edition: Edition::default(),
        }
    }

    /// The same, of a later reading of the files.
    pub fn of(self, edition: Edition) -> Explorer<'a> {
        Explorer { edition, ..self }
    }

    /// Searches the reachable snapshots and evaluates the properties on them; for a thread of its own. Ends soon after `stop`.
    pub fn prepare(&self, stop: &AtomicBool) {
        self.known.search(&self.viewer.interp().machine().properties, stop);
    }

    /// Takes what a check says about the properties; the page shows it beside them.
    pub fn learn(&self, results: &Results) {
        if let Some(abstraction) = &results.machine.abstraction {
            let _ = self.abstracted.set(abstraction.clone());
        }
        let _ = self.told.set(told::from(self.viewer.interp(), results));
    }

    /// No check will say anything; the page says why.
    pub fn give_up(&self, why: String) {
        let _ = self.trouble.set(why);
    }

    /// Answers a request that was found harmless.
    pub fn answer(&self, request: &Request) -> Response {
        let style = || self.lens.drawing(self.sources, picture::SCREEN).style;
        assets::find(&request.path, style).unwrap_or_else(|| self.api(request))
    }
}
