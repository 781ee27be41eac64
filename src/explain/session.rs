//! The simulator without a terminal: one line in, text out. Files are somebody else's business.

mod choices;

use super::typed::{COMMANDS, HELP, as_path};
use super::{Explainer, Explanation, render};
use crate::interp::{Choice, Interp};
use crate::lang::Lens;
use crate::machine::{Snapshot, VarId};
use crate::source::Sources;
use crate::trace::file::{self, Unloaded};
use crate::trace::path;
use crate::trace::{Kind, NotCertified, RawRun, Replayed, Trace, describe, name_snapshot, plain, replay};
use std::fmt::Write;
use std::ops::ControlFlow;

/// Choices shown before the list is cut.
const SHOWN: usize = 20;

/// What a command asks for beside its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Write a file.
    Save {
        /// Its name.
        file: String,
        /// Its text.
        text: String,
    },
    /// Read a file and hand its text to [`Session::loaded`].
    Load(String),
    /// The end.
    Quit,
}

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// For the user.
    pub text: String,
    /// What else to do.
    pub effect: Option<Effect>,
}

impl Reply {
    fn say(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), effect: None }
    }
}

/// One run: snapshots 0 to n and the choices between them, and where we stand.
#[derive(Clone, Debug)]
struct Run {
    snapshots: Vec<Snapshot>,
    choices: Vec<Choice>,
    at: usize,
}

/// A simulation.
pub struct Session<'a> {
    interp: &'a Interp<'a>,
    explainer: Explainer<'a>,
    runs: Vec<Run>,
    current: usize,
    full: bool,
}

impl<'a> Session<'a> {
    /// Starts in the initial snapshot. `full`: every value after each step, not only changes.
    pub fn new(lens: &'a dyn Lens, interp: &'a Interp<'a>, sources: &'a Sources, full: bool) -> Session<'a> {
        let run = Run { snapshots: vec![interp.initial()], choices: Vec::new(), at: 0 };
        Session { interp, explainer: Explainer::new(lens, interp, sources), runs: vec![run], current: 0, full }
    }

    fn run(&self) -> &Run {
        &self.runs[self.current]
    }

    fn here(&self) -> &Snapshot {
        &self.run().snapshots[self.run().at]
    }

    /// What to say first.
    pub fn greeting(&self) -> String {
        let full = if self.full { self.snapshot() } else { String::new() };
        format!("{full}{}", self.choices(SHOWN))
    }

    /// Obeys one line.
    pub fn command(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        if let Ok(number) = word.parse::<usize>() {
            return Reply::say(self.choose(number));
        }
        let text = match (word, rest) {
            ("", _) => self.choices(SHOWN),
            ("choices", _) => self.choices(usize::MAX),
            ("undo", n) => self.undo(n),
            ("jump", n) => self.jump(n),
            ("fork", _) => self.fork(),
            ("runs", _) => self.list_runs(),
            ("run", n) => self.switch(n),
            ("why", name) if !name.is_empty() => self.why(name),
            ("whynot", name) if !name.is_empty() => self.why_not(name),
            ("rules", _) => self.last().map_or(NO_STEP.into(), |e| render(&e, true)),
            ("full", _) => self.snapshot(),
            ("trace", _) => crate::trace::text::render(&self.trace(), self.full),
            ("save", file) if !file.is_empty() => {
                let text = serde_json::to_string_pretty(&self.trace()).unwrap_or_default() + "\n";
                return Reply { text: String::new(), effect: Some(Effect::Save { file: file.into(), text }) };
            }
            ("load", file) if !file.is_empty() => {
                return Reply { text: String::new(), effect: Some(Effect::Load(file.into())) };
            }
            ("help" | "?", _) => self.help(),
            ("quit" | "exit" | "q", _) => return Reply { text: String::new(), effect: Some(Effect::Quit) },
            ("why" | "whynot", _) => {
                format!("{word} needs a name: {} or event.\n", self.explainer.things().join(", "))
            }
            ("save" | "load", _) => format!("{word} needs a file name.\n"),
            _ => self.named(line),
        };
        Reply::say(text)
    }

    /// Takes the step that a line names: `Pay`, `Ann: Pay at Order[1], Amount = 3`, as choices are shown, or as paths write it.
    fn named(&mut self, line: &str) -> String {
        let step = as_path(line);
        match path::read_step(self.interp, self.here(), &step) {
            Ok(choice) => format!("{}{}", self.take(&choice), self.choices(SHOWN)),
            Err(why) => {
                let word = line.split_whitespace().next().unwrap_or(line);
                let known = COMMANDS.iter().any(|c| strsim::damerau_levenshtein(c, word) <= 1);
                let hint = if known || why.starts_with("nothing called") { " Type help for what I know." } else { "" };
                let refused = match why == path::NOT_POSSIBLE {
                    true => self.explainer.event_refused(self.here(), word),
                    false => Vec::new(),
                };
                let refused: String = refused.iter().take(3).map(|l| format!("  {l}\n")).collect();
                format!("{line}: {why}.{hint}\n{refused}").replace("..", ".").replace("?.", "?")
            }
        }
    }

    /// What a line may begin with or name here: commands, events, and what one can ask about.
    pub fn completions(&self) -> Vec<String> {
        let m = self.interp.machine();
        let mut all: Vec<String> = COMMANDS.iter().map(|c| c.to_string()).collect();
        all.extend(m.bodies.iter().map(|b| b.event.clone()));
        all.extend(m.agents.iter().filter_map(|a| a.name.as_ref().map(|n| format!("{n}:"))));
        all.extend(m.slots.iter().map(|s| s.name.clone()));
        let asked = m.state_ids().filter(|v| !self.explainer.is_internal(*v)).map(|v| m.var(v).name.clone());
        all.extend(asked.map(|n| n.split_once('.').map_or(n.clone(), |(_, rest)| rest.to_string())));
        all.extend(m.bodies.iter().flat_map(|b| b.inputs.iter().map(|i| format!("{}=", i.name))));
        all.extend(self.explainer.names());
        all.sort();
        all.dedup();
        all
    }

    fn help(&self) -> String {
        let things = match self.explainer.things() {
            [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
            one => one.concat(),
        };
        let article = if things.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        HELP.replace("THING", &format!("{article} {things}"))
    }

    /// Takes the step of a numbered choice.
    fn choose(&mut self, number: usize) -> String {
        let choices = self.interp.choices(self.here());
        match number.checked_sub(1).and_then(|i| choices.get(i)) {
            Some(choice) => format!("{}{}", self.take(choice), self.choices(SHOWN)),
            None if choices.is_empty() => "Nothing can happen here.\n".into(),
            None => format!("There is no choice {number}; there are {}.\n", choices.len()),
        }
    }

    /// Takes a possible step and tells about it.
    fn take(&mut self, choice: &Choice) -> String {
        let Some(told) = self.explainer.explain(self.here(), choice) else {
            return "That is not possible here.\n".into();
        };
        let Some(step) = self.interp.step(self.here(), choice) else { return "That is not possible here.\n".into() };
        let run = &mut self.runs[self.current];
        run.snapshots.truncate(run.at + 1);
        run.choices.truncate(run.at);
        run.snapshots.push(step.after);
        run.choices.push(choice.clone());
        run.at += 1;
        let number = run.at;
        self.tell(number, choice, &told)
    }

    fn tell(&self, number: usize, choice: &Choice, told: &Explanation) -> String {
        let full = if self.full { self.snapshot() } else { String::new() };
        format!("{number}. {}\n{}{full}", describe(self.interp.machine(), choice), render(told, false))
    }

    fn snapshot(&self) -> String {
        let values = name_snapshot(self.interp.machine(), self.here());
        values.iter().map(|(name, value)| format!("  {name} = {}\n", plain(value))).collect()
    }

    fn undo(&mut self, count: &str) -> String {
        let Some(n) = number_or(count, 1) else { return format!("undo takes a number of steps, not '{count}'.\n") };
        let at = self.run().at;
        if n > at {
            return format!("Only {} to undo.\n", crate::trace::text::count(at, "step"));
        }
        self.jump(&(at - n).to_string())
    }

    fn jump(&mut self, to: &str) -> String {
        let last = self.run().choices.len();
        match to.parse::<usize>() {
            Ok(n) if n <= last => {
                self.runs[self.current].at = n;
                format!("At snapshot {n} of {last}.\n{}", self.choices(SHOWN))
            }
            _ => format!("jump takes a number from 0 to {last}.\n"),
        }
    }

    fn fork(&mut self) -> String {
        let mut copy = self.run().clone();
        copy.snapshots.truncate(copy.at + 1);
        copy.choices.truncate(copy.at);
        let (kept, at) = (self.current + 1, copy.at);
        self.runs.push(copy);
        self.current = self.runs.len() - 1;
        format!("Run {kept} is kept; this is run {}, the same up to snapshot {at}.\n", self.current + 1)
    }

    fn list_runs(&self) -> String {
        let line = |(i, run): (usize, &Run)| {
            let mark = if i == self.current { '*' } else { ' ' };
            format!(
                "{mark} run {}: {}, at snapshot {}\n",
                i + 1,
                crate::trace::text::count(run.choices.len(), "step"),
                run.at
            )
        };
        self.runs.iter().enumerate().map(line).collect()
    }

    fn switch(&mut self, to: &str) -> String {
        match to.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < self.runs.len()) {
            Some(n) => {
                self.current = n;
                format!("This is run {}, at snapshot {}.\n{}", n + 1, self.run().at, self.choices(SHOWN))
            }
            None => format!("run takes a number from 1 to {}.\n", self.runs.len()),
        }
    }

    /// The explanation of the step that led to snapshot `n`.
    fn explained(&self, n: usize) -> Option<Explanation> {
        let before = n.checked_sub(1)?;
        self.explainer.explain(self.run().snapshots.get(before)?, self.run().choices.get(before)?)
    }

    fn last(&self) -> Option<Explanation> {
        self.explained(self.run().at)
    }

    /// Explains the last change of a variable, however long ago.
    fn why(&self, query: &str) -> String {
        let m = self.interp.machine();
        let Run { snapshots, choices, at } = self.run();
        if let Some(told) = self.explainer.account(query, &snapshots[..=*at], choices) {
            return format!("{told}\n");
        }
        let vars = match self.explainer.variables(query) {
            Ok(vars) => vars,
            Err(near) if self.is_event(query) => {
                let others: Vec<String> = near.into_iter().filter(|n| n.trim_matches('\'') != query).collect();
                return self.why_not(query) + &hint(&others, "");
            }
            Err(near) => return unknown(query, &near),
        };
        let mut out = String::new();
        for var in vars {
            let value = |n: usize| self.run().snapshots[n][var];
            let at = self.run().at;
            let Some(changed) = (1..=at).rev().find(|n| value(*n) != value(*n - 1)) else {
                let now = m.var(var).domain.show(value(at));
                let _ = writeln!(out, "{} has been {now} from the start.", m.var(var).name);
                continue;
            };
            if let Some(told) = self.explained(changed) {
                let _ = write!(out, "Step {changed}: {}", told.why(&m.var(var).name).why_text());
            }
        }
        out
    }

    fn is_event(&self, name: &str) -> bool {
        self.interp.machine().bodies.iter().any(|b| b.event == name)
    }

    /// Explains why the last step did not change a status, or why an event cannot be sent now.
    fn why_not(&self, query: &str) -> String {
        let m = self.interp.machine();
        if let Some(stands) = self.explainer.stands(query, self.here()) {
            return format!("{stands}\n");
        }
        if self.is_event(query) {
            return self.explainer.event_refused(self.here(), query).iter().map(|l| format!("{l}\n")).collect();
        }
        let vars = match self.explainer.variables(query) {
            Ok(vars) => vars,
            Err(near) => return unknown(query, &near),
        };
        let so = |v: &VarId| self.explainer.why_so(*v, self.here()).map(|why| format!("{why}\n"));
        if let Some(all) = vars.iter().map(so).collect::<Option<String>>() {
            return all;
        }
        let Some(told) = self.last() else { return NO_STEP.into() };
        vars.iter().map(|v| told.why_not(&m.var(*v).name).why_not_text()).collect()
    }

    /// The run so far, up to the snapshot we stand at.
    pub fn trace(&self) -> Trace {
        let run = self.run();
        let steps = run.choices[..run.at].iter().zip(&run.snapshots).filter_map(|(c, s)| self.interp.step(s, c));
        let replayed = Replayed {
            snapshots: run.snapshots[..=run.at].to_vec(),
            steps: steps.collect(),
            loop_start: None,
            sides: Vec::new(),
        };
        replayed.named(self.interp.machine(), Kind::Run)
    }

    /// Takes the place of the current run with the first one of a trace file (see [`file::read`]).
    pub fn loaded(&mut self, text: &str) -> Result<String, Unloaded> {
        let found = file::read(self.interp, text)?;
        let Some(first) = found.first() else { return Err(Unloaded::Unreadable("it holds no run".into())) };
        self.play(&first.run).map_err(Unloaded::DoesNotReplay)
    }

    /// Replays a run from the initial snapshot, telling every step.
    pub fn play(&mut self, raw: &RawRun) -> Result<String, NotCertified> {
        let replayed = replay(self.interp, raw)?;
        self.runs[self.current] = Run { snapshots: vec![self.interp.initial()], choices: Vec::new(), at: 0 };
        let mut out = if self.full { self.snapshot() } else { String::new() };
        for (i, step) in replayed.steps.iter().enumerate() {
            if replayed.loop_start == Some(i) {
                out += "-- from here on again and again --\n";
            }
            out += &self.take(&step.choice);
        }
        Ok(out)
    }

    /// Takes random steps; the same for the same seed. Stops early where nothing can happen.
    pub fn random(&mut self, steps: usize, seed: u64, tell: &mut dyn FnMut(String) -> ControlFlow<()>) {
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..steps {
            let choices = self.interp.choices(self.here());
            if choices.is_empty() {
                let _ = tell("Nothing can happen here.\n".into());
                return;
            }
            let text = self.take(&choices[rng.usize(..choices.len())]);
            if tell(text).is_break() {
                return;
            }
        }
    }
}

fn number_or(text: &str, default: usize) -> Option<usize> {
    if text.is_empty() { Some(default) } else { text.parse().ok() }
}

fn unknown(name: &str, near: &[String]) -> String {
    format!("Nothing here is called '{name}'.{}\n", hint(near, " "))
}

fn hint(near: &[String], before: &str) -> String {
    if near.is_empty() { String::new() } else { format!("{before}Did you mean {}?", near.join(" or ")) }
}

const NO_STEP: &str = "No step has been taken yet.\n";
