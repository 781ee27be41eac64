//! One solver process.
//!
//! Two threads stand between us and the pipes, so that a solver that neither reads nor writes cannot hold us up. The process leads a
//! group of its own and is ended with it when the [`Solver`] goes. Should gsmc itself be killed, the solver finds its input ended
//! after the question at hand, and that one it has been given a time limit for.

use super::sexpr::{Balance, Sexpr};
use super::{Sat, SmtError, SolverKind, Symbol, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Limits on a solver.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Work for one question in the solver's own measure; it then says `unknown`, on a busy machine as on an idle one.
    pub effort: u64,
    /// Time for one question, far beyond what `effort` takes: for what solvers do without counting it.
    pub question: Duration,
    /// Its memory, where it can be told.
    pub memory: Option<u64>,
    /// When everything must be over.
    pub deadline: Option<Instant>,
    /// Set from outside (Ctrl-C) to end everything.
    pub cancel: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Limits {
        let question = Duration::from_secs(60);
        Limits { effort: 3_000_000, question, memory: None, deadline: None, cancel: Arc::default() }
    }
}

impl Limits {
    /// Whether there is still time, and nobody wants to stop.
    ///
    /// # Errors
    /// Otherwise what a solver says then.
    pub fn go_on(&self) -> Result<(), SmtError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(SmtError::Cancelled);
        }
        match self.deadline.is_some_and(|d| d < Instant::now()) {
            true => Err(SmtError::Late("there was no time left".into())),
            false => Ok(()),
        }
    }
}

/// How long after the time for a question a solver may take to say so.
const GRACE: Duration = Duration::from_secs(2);
/// How often somebody's wish to stop is looked at.
const WATCH: Duration = Duration::from_millis(50);
/// A longer answer than this is none.
const MOST_ANSWER: usize = 16 << 20;

/// A running solver.
#[derive(Debug)]
pub struct Solver {
    kind: SolverKind,
    program: PathBuf,
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<String>,
    limits: Limits,
    /// What has not been sent yet.
    unsent: String,
}

impl Solver {
    /// Starts a solver.
    ///
    /// # Errors
    /// When the program does not start.
    pub fn start(kind: SolverKind, program: &Path, limits: &Limits) -> Result<Solver, SmtError> {
        let broken = |why: String| SmtError::Broken(format!("{} {why}", program.display()));
        let mut command = Command::new(program);
        command.args(kind.arguments(limits)).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        own_group(&mut command);
        let mut child = command.spawn().map_err(|e| broken(format!("does not start: {e}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(broken("has no pipes".into()));
        };
        let (input, unwritten) = channel::<String>();
        std::thread::spawn(move || {
            let mut stdin = stdin;
            for text in unwritten {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (read, output) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while std::io::Read::take(&mut stdout, MOST_ANSWER as u64).read_until(b'\n', &mut line).is_ok_and(|n| n > 0)
            {
                if read.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
                line.clear();
            }
        });
        let mut solver = Solver {
            kind,
            program: program.into(),
            child,
            input: Some(input),
            output,
            limits: limits.clone(),
            unsent: String::new(),
        };
        solver.say("(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)");
        Ok(solver)
    }

    /// Begins anew, with nothing said. A solver whose budget ran out may not have taken in what was said since, not even that a level
    /// begins or ends.
    ///
    /// # Errors
    /// When the program does not start.
    pub fn restart(&mut self) -> Result<(), SmtError> {
        *self = Solver::start(self.kind, &self.program, &self.limits)?;
        Ok(())
    }

    /// From now on within these limits.
    pub(super) fn limit(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    /// Within which limits it works.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What it is, and where.
    pub(super) fn program(&self) -> (SolverKind, PathBuf) {
        (self.kind, self.program.clone())
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Says something that is not answered.
    pub fn say(&mut self, command: &str) {
        self.unsent.push_str(command);
        self.unsent.push('\n');
    }

    /// Is there a model of what has been said? `quantified`: linear, with quantifiers.
    ///
    /// # Errors
    /// When the solver does not answer as solvers do.
    pub fn check(&mut self, quantified: bool) -> Result<Sat, SmtError> {
        let answer = self.ask(self.kind.question(quantified))?;
        match answer.word() {
            Some("sat") => Ok(Sat::Yes),
            Some("unsat") => Ok(Sat::No),
            Some("unknown" | "timeout") => Ok(Sat::Unknown),
            _ if is_exhausted(&answer) => self.recovered(),
            _ => Err(self.nonsense(&answer)),
        }
    }

    /// After a complaint about its budget, which may stand in the place of an answer or before one: goes on behind whatever it says.
    fn recovered(&mut self) -> Result<Sat, SmtError> {
        const MARK: &str = "gsmc";
        const MOST_COMPLAINTS: usize = 10_000;
        let mut answer = self.ask(&format!("(echo \"{MARK}\")"))?;
        for _ in 0..MOST_COMPLAINTS {
            if answer.word().is_some_and(|w| w.trim_matches('"') == MARK) {
                return Ok(Sat::Unknown);
            }
            answer = self.receive()?;
        }
        Err(self.nonsense(&answer))
    }

    /// The values of symbols in the model just found; `None` for one that the solver does not write as a value.
    ///
    /// # Errors
    /// When the solver does not answer as solvers do.
    pub fn values(&mut self, symbols: &[Symbol]) -> Result<Vec<Option<Value>>, SmtError> {
        if symbols.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = symbols.iter().map(|s| s.name.as_str()).collect();
        let answer = self.ask(&format!("(get-value ({}))", names.join(" ")))?;
        let pairs = answer.list().filter(|l| l.len() == symbols.len());
        let read = |(pair, symbol): (&Sexpr, &Symbol)| match pair.list()? {
            [name, value] if name.word() == Some(&symbol.name) => match Value::read(value) {
                // A formula, or a root of a polynomial, which cannot be written down: there is a value, and that is all.
                None if value.list().is_some() => Some(None),
                None => None,
                known => Some(known),
            },
            _ => None,
        };
        let values = pairs.and_then(|l| l.iter().zip(symbols).map(read).collect::<Option<Vec<Option<Value>>>>());
        values.ok_or_else(|| self.nonsense(&answer))
    }

    fn nonsense(&self, answer: &Sexpr) -> SmtError {
        let text: String = answer.to_string().chars().take(300).collect();
        SmtError::Broken(format!("the answer of {} was not understood: {text}", self.name()))
    }

    fn ask(&mut self, question: &str) -> Result<Sexpr, SmtError> {
        self.say(question);
        let text = std::mem::take(&mut self.unsent);
        let gone = || SmtError::Broken(format!("{} ended without an answer", self.name()));
        self.input.as_ref().ok_or_else(gone)?.send(text).map_err(|_| gone())?;
        self.receive()
    }

    fn receive(&mut self) -> Result<Sexpr, SmtError> {
        let gone = || SmtError::Broken(format!("{} ended without an answer", self.name()));
        let own = Instant::now() + self.limits.question + GRACE;
        let end = self.limits.deadline.map_or(own, |d| d.min(own));
        let (mut answer, mut balance) = (String::new(), Balance::default());
        loop {
            match self.output.recv_timeout(WATCH.min(end.saturating_duration_since(Instant::now()))) {
                Ok(line) => {
                    balance.add(&line);
                    answer.push_str(&line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if self.limits.cancel.load(Ordering::Relaxed) => {
                    return Err(SmtError::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= end => {
                    return Err(SmtError::Late(format!("{} did not answer in time", self.name())));
                }
                Err(RecvTimeoutError::Timeout) => continue,
            }
            let complaint =
                |why: String| SmtError::Broken(format!("{} answered with something else: {why}", self.name()));
            if answer.len() > MOST_ANSWER {
                return Err(complaint("far too much".into()));
            }
            // An answer of many lines is read once, when it can be complete.
            if !balance.is_open()
                && let Some(whole) = Sexpr::read(&answer).map_err(complaint)?
            {
                return Ok(whole);
            }
        }
    }
}

/// Does a solver say that its budget for a question is used up?
fn is_exhausted(answer: &Sexpr) -> bool {
    let words = answer.list().unwrap_or_default();
    let complaint = |s: &Sexpr| s.word().is_some_and(|w| w.contains("resource limit") || w.contains("canceled"));
    words.first().and_then(Sexpr::word) == Some("error") && words.iter().any(complaint)
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.input = None;
        end_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: &Child) {}
