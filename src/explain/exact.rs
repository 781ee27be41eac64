//! The simulator of a model whose data has no bounds: exact numbers of any size, texts and points of time, given by value.
//!
//! What can happen in a snapshot cannot be listed with all payloads. A step is offered if some payload that was tried makes it happen; any other can be
//! typed.

use super::Simulator;
use super::session::{Effect, Reply};
use crate::interp::Choice;
use crate::interp::exact::{self, Values};
use crate::lang::page;
use crate::lang::unbounded::Open;
use crate::machine::calendar::WHEN;
use crate::machine::number::Ratio;
use crate::machine::{Body, BodyIx, Domain, Idle, Input, InputIx, Machine, Node, VarId};
use crate::trace::file::Unloaded;
use crate::trace::{Kind, NotCertified, Trace, TraceStep, exact_json, name_choice, plain, rule_labels, text};
use num_traits::One;
use serde_json::Value;
use std::fmt::Write;

/// Payloads tried for one step, and values for one field.
const TRIED: usize = 400;
const EACH: usize = 60;

/// A step that was taken; without an action nothing happened.
#[derive(Clone, Debug)]
struct Taken {
    action: Option<usize>,
    inputs: Vec<Ratio>,
    fired: Vec<usize>,
    after: Values,
}

/// A simulation on exact values.
pub struct Exact<'a> {
    open: &'a Open,
    /// Texts that have been named: in the model, or by the user.
    words: Vec<String>,
    initial: Values,
    steps: Vec<Taken>,
    full: bool,
}

impl<'a> Exact<'a> {
    /// Starts in the initial snapshot. `full`: every value after each step, not only changes.
    pub fn new(open: &'a Open, full: bool) -> Exact<'a> {
        let (words, initial) = (open.texts.words.clone(), exact::initial(&open.machine));
        Exact { open, words, initial, steps: Vec::new(), full }
    }

    fn machine(&self) -> &'a Machine {
        &self.open.machine
    }

    fn here(&self) -> &Values {
        self.steps.last().map_or(&self.initial, |s| &s.after)
    }

    fn body(&self, action: usize) -> Option<(BodyIx, &'a Body)> {
        let ix = self.machine().actions.get(action)?.body;
        Some((ix, self.machine().bodies.get(ix.0)?))
    }

    /// The actions for which some payload was found.
    fn offers(&self) -> Vec<usize> {
        (0..self.machine().actions.len()).filter(|a| self.can(*a)).collect()
    }

    fn can(&self, action: usize) -> bool {
        let Some((_, body)) = self.body(action) else { return false };
        let mut payloads: Vec<Vec<Ratio>> = vec![Vec::new()];
        for input in &body.inputs {
            let values = self.worth_trying(input);
            let longer =
                |p: &Vec<Ratio>| values.iter().map(|v| [p.as_slice(), std::slice::from_ref(v)].concat()).collect();
            payloads = payloads.iter().flat_map(|p| -> Vec<Vec<Ratio>> { longer(p) }).take(TRIED).collect();
        }
        payloads.iter().any(|p| exact::step(self.machine(), self.here(), action, p).is_some())
    }

    /// Values of a field: all of a few, else those next to constants and to what the snapshot holds.
    fn worth_trying(&self, input: &Input) -> Vec<Ratio> {
        if !input.domain.is_unbounded() && input.values.len() <= EACH as u64 {
            return input.values.iter().map(whole).collect();
        }
        let (lo, hi) = input.domain.bounds();
        let ends = [lo, hi].into_iter().filter(|e| *e != i64::MIN && *e != i64::MAX).map(whole);
        let held = self.open.abstracted.iter().filter_map(|v| self.here().get(v.0 as usize).cloned());
        let constants = self.machine().exprs.nodes().iter().filter_map(|n| match n {
            Node::Int(i) => Some(whole(*i)),
            _ => None,
        });
        let mut found: Vec<Ratio> = Vec::new();
        for n in ends.chain(held).chain(constants).flat_map(|n| [n.clone(), &n + Ratio::one(), n - Ratio::one()]) {
            if input.domain.admits(&n) && found.len() < EACH && !found.contains(&n) {
                found.push(n);
            }
        }
        found
    }

    /// May nothing happen? Where it may only if nobody can act, nothing that was tried may be possible.
    fn may_idle(&self) -> bool {
        match self.machine().idle {
            Idle::Always => true,
            Idle::Never => false,
            Idle::Terminal => self.offers().is_empty(),
        }
    }

    fn choices(&self) -> String {
        let mut out = String::new();
        for (at, action) in self.offers().into_iter().enumerate() {
            let step = name_choice(self.machine(), &Choice::Act { action, inputs: Vec::new() });
            let Some((ix, body)) = self.body(action) else { continue };
            let asked: Vec<String> = InputIx::each(&body.inputs)
                .filter(|(i, input)| !self.is_plain(ix, *i, input))
                .map(|(i, input)| format!("{} = {}", field(&input.name), self.kind(ix, i, input)))
                .collect();
            let payload = if asked.is_empty() { String::new() } else { format!(", {}", asked.join(", ")) };
            let _ = writeln!(out, "  {}. {}{payload}", at + 1, text::title(&step));
        }
        if self.may_idle() {
            out += "  idle: nothing happens\n";
        }
        if out.is_empty() { "Nothing that was tried can happen here.\n".into() } else { out }
    }

    /// Has a field one value only?
    fn is_plain(&self, body: BodyIx, at: InputIx, input: &Input) -> bool {
        !self.is_text(body, at) && !input.domain.is_unbounded() && input.values.len() == 1
    }

    fn is_text(&self, body: BodyIx, input: InputIx) -> bool {
        self.open.texts.inputs.contains(&(body, input))
    }

    /// The values of a field in words.
    fn kind(&self, body: BodyIx, at: InputIx, input: &Input) -> String {
        match &input.domain {
            _ if self.is_text(body, at) => "a text".into(),
            Domain::Date { .. } => "a date".into(),
            domain => page::values(domain),
        }
    }

    /// Takes a step: which one, and its payload as `field = value, …`.
    fn take(&mut self, action: usize, payload: &str) -> Result<String, String> {
        let Some((ix, body)) = self.body(action) else { return Err("there is no such step".into()) };
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in payload.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                return Err(format!("'{part}' is not field = value"));
            };
            given.push((name.trim(), value.trim()));
        }
        let known = |name: &str| body.inputs.iter().any(|i| i.name == name || field(&i.name) == name);
        if let Some((name, _)) = given.iter().find(|(n, _)| !known(n)) {
            return Err(format!("{} carries no '{name}'", body.event));
        }
        let mut inputs = Vec::new();
        for (i, input) in InputIx::each(&body.inputs) {
            let called = |n: &str| self.asks(body, input) && (n == input.name || n == field(&input.name));
            let value = given.iter().find(|(n, _)| called(n));
            inputs.push(match value {
                Some((_, text)) => self.read(ix, i, input, text)?,
                None if self.is_plain(ix, i, input) => whole(input.values.iter().next().unwrap_or_default()),
                None => return Err(format!("{} is missing: {}", field(&input.name), self.kind(ix, i, input))),
            });
        }
        self.make(action, inputs).ok_or("that cannot happen here, with this payload".to_string())?;
        Ok(self.told())
    }

    /// Is it what a name without more means? Of a date that is when it is; that it is set goes without saying.
    fn asks(&self, body: &Body, input: &Input) -> bool {
        !body.inputs.iter().any(|other| other.name == format!("{}{WHEN}", input.name))
    }

    fn make(&mut self, action: usize, inputs: Vec<Ratio>) -> Option<()> {
        let exact::Step { after, fired } = exact::step(self.machine(), self.here(), action, &inputs)?;
        self.steps.push(Taken { action: Some(action), inputs, fired, after });
        Some(())
    }

    fn read(&mut self, body: BodyIx, at: InputIx, input: &Input, text: &str) -> Result<Ratio, String> {
        let text = text.trim_matches(['\'', '"']);
        if self.is_text(body, at) {
            return Ok(self.number_of(text));
        }
        let sendable = |n: &Ratio| input.domain.is_unbounded() || input.values.iter().any(|c| whole(c) == *n);
        let read = input.domain.exact(text).filter(sendable);
        read.ok_or_else(|| format!("'{text}' is no value of {}: {}", field(&input.name), self.kind(body, at, input)))
    }

    /// The number of a text; one that nobody has named yet gets a new one.
    fn number_of(&mut self, text: &str) -> Ratio {
        if text == crate::machine::BOTTOM {
            return whole(0);
        }
        let at = self.words.iter().position(|w| w == text).unwrap_or_else(|| {
            self.words.push(text.to_string());
            self.words.len() - 1
        });
        whole(at as i64 + 1)
    }

    fn shown(&self, text: bool, domain: &Domain, n: &Ratio) -> Value {
        if !text {
            return exact_json(domain, n);
        }
        let at = num_traits::ToPrimitive::to_usize(&n.to_integer()).unwrap_or_default();
        at.checked_sub(1)
            .map_or(crate::machine::BOTTOM.into(), |i| self.words.get(i).cloned().unwrap_or_default().into())
    }

    fn named(&self, now: &Values, before: Option<&Values>) -> crate::trace::Values {
        let all = self.machine().state_ids().zip(self.machine().state_vars()).zip(now);
        let changed = all.filter(|((id, _), n)| before.is_none_or(|b| b.get(id.0 as usize) != Some(*n)));
        let value = |id: VarId, domain: &Domain, n: &Ratio| self.shown(self.open.texts.vars.contains(&id), domain, n);
        changed.map(|((id, var), n)| (var.name.clone(), value(id, &var.domain, n))).collect()
    }

    fn step(&self, at: usize) -> TraceStep {
        let before = if at == 0 { &self.initial } else { &self.steps[at - 1].after };
        let taken = &self.steps[at];
        let changes = self.named(&taken.after, Some(before));
        let Some((action, (ix, body))) = taken.action.and_then(|a| Some((a, self.body(a)?))) else {
            return TraceStep { changes, ..TraceStep::default() };
        };
        let chosen = Choice::Act { action, inputs: Vec::new() };
        let payload = InputIx::each(&body.inputs).zip(&taken.inputs);
        let payload =
            payload.map(|((i, input), n)| (input.name.clone(), self.shown(self.is_text(ix, i), &input.domain, n)));
        let rules = rule_labels(self.machine(), &chosen, &taken.fired);
        TraceStep { payload: payload.collect(), rules, changes, ..name_choice(self.machine(), &chosen) }
    }

    /// The last step.
    fn told(&self) -> String {
        let Some(at) = self.steps.len().checked_sub(1) else { return String::new() };
        let (step, before) = (self.step(at), if at == 0 { &self.initial } else { &self.steps[at - 1].after });
        let mut out = format!("  {}. {}\n", at + 1, text::title(&step));
        if !step.rules.is_empty() {
            let _ = writeln!(out, "       fired    {}", step.rules.join(", "));
        }
        let changed = text::changes(&self.named(before, None), &step.changes);
        let _ =
            writeln!(out, "       changed  {}", if changed.is_empty() { "nothing".into() } else { changed.join("  ") });
        if self.full {
            out += &self.snapshot();
        }
        out
    }

    fn snapshot(&self) -> String {
        self.named(self.here(), None)
            .iter()
            .map(|(name, value)| format!("       {name} = {}\n", plain(value)))
            .collect()
    }

    /// The run as a trace.
    pub fn trace(&self) -> Trace {
        let steps = (0..self.steps.len()).map(|at| self.step(at)).collect();
        let initial = self.named(&self.initial, None);
        Trace { kind: Kind::Run, certified: true, initial, steps, ..Trace::uncertified() }
    }

    fn undo(&mut self, many: &str) -> String {
        let many = if many.is_empty() { Some(1) } else { many.parse::<usize>().ok() };
        match many.filter(|n| (1..=self.steps.len()).contains(n)) {
            Some(n) => {
                self.steps.truncate(self.steps.len() - n);
                format!("Back {}.\n{}", text::after(self.steps.len()), self.choices())
            }
            None => "There are not so many steps.\n".into(),
        }
    }

    fn idle(&mut self) -> String {
        if !self.may_idle() {
            return "Somebody can act here.\n".into();
        }
        let after = self.here().clone();
        self.steps.push(Taken { action: None, inputs: Vec::new(), fired: Vec::new(), after });
        self.told()
    }

    /// A step by its number or its name, with its payload behind it.
    fn chosen(&self, line: &str) -> Option<(usize, String)> {
        let number = line.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        if let Ok(n) = number.parse::<usize>() {
            let action = self.offers().get(n.checked_sub(1)?).copied()?;
            return Some((action, line[number.len()..].trim().trim_start_matches(',').to_string()));
        }
        let titles = (0..self.machine().actions.len()).flat_map(|a| {
            let step = name_choice(self.machine(), &Choice::Act { action: a, inputs: Vec::new() });
            let nameless = TraceStep { agent: None, ..step.clone() };
            let short = TraceStep { target: None, ..nameless.clone() };
            [step, nameless, short].map(|s| (a, text::title(&s)))
        });
        // The longest that fits; of equal ones, the first that can happen.
        let fits = titles
            .filter(|(_, t)| line.strip_prefix(t.as_str()).is_some_and(|r| !r.starts_with(char::is_alphanumeric)));
        let (action, title) = fits.max_by_key(|(a, t)| (t.len(), self.can(*a), std::cmp::Reverse(*a)))?;
        let rest = line[title.len()..].trim().trim_start_matches([',', '(']).trim_end_matches(')');
        Some((action, rest.to_string()))
    }

    /// Replays one step of a trace, and compares what it changes.
    fn follow(&mut self, step: &TraceStep) -> Result<(), String> {
        let Some(event) = &step.event else {
            let after = self.here().clone();
            self.steps.push(Taken { action: None, inputs: Vec::new(), fired: Vec::new(), after });
            return if step.changes.is_empty() { Ok(()) } else { Err("nothing happens, but values change".into()) };
        };
        let mut why = format!("{} cannot happen", text::title(step));
        for action in 0..self.machine().actions.len() {
            let name = name_choice(self.machine(), &Choice::Act { action, inputs: Vec::new() });
            if (&name.agent, name.event.as_ref(), &name.target) != (&step.agent, Some(event), &step.target) {
                continue;
            }
            let Some((ix, body)) = self.body(action) else { continue };
            let mut inputs = Vec::new();
            for (i, input) in InputIx::each(&body.inputs) {
                let value = step.payload.get(&input.name).map(plain);
                let value = value.ok_or(format!("'{}' is missing", input.name))?;
                inputs.push(self.read(ix, i, input, &value)?);
            }
            if self.make(action, inputs).is_some() {
                if self.step(self.steps.len() - 1).changes == step.changes {
                    return Ok(());
                }
                self.steps.pop();
                why = format!("{} changes other values", text::title(step));
            }
        }
        Err(why)
    }
}

fn whole(n: i64) -> Ratio {
    Ratio::from_integer(n.into())
}

/// A field as the user calls it.
fn field(name: &str) -> &str {
    name.strip_suffix(WHEN).unwrap_or(name)
}

const HELP: &str = "\
  N, field = value   take step N of the list; a step can also be named: Pay at Order[1], amount = 2.5
  choices            what can happen here (an empty line does the same)
  undo [N]           back one step, or N
  full               all values here
  trace              the run so far
  save FILE          write it to a file; load FILE replays one
  quit
Numbers may have any size and any fraction (2.5, 1/3), dates are 2026-11-16, texts anything.
";

impl Simulator for Exact<'_> {
    fn greeting(&self) -> String {
        format!("{}{}", if self.full { self.snapshot() } else { String::new() }, self.choices())
    }

    fn command(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        let text = match (word, rest) {
            ("" | "choices", _) => self.choices(),
            ("undo", n) => self.undo(n),
            ("full", _) => self.snapshot(),
            ("trace", _) => text::render(&self.trace(), self.full),
            ("idle", "") => format!("{}{}", self.idle(), self.choices()),
            ("save", file) if !file.is_empty() => {
                let text = serde_json::to_string_pretty(&self.trace()).unwrap_or_default() + "\n";
                return Reply { text: String::new(), effect: Some(Effect::Save { file: file.into(), text }) };
            }
            ("load", file) if !file.is_empty() => {
                return Reply { text: String::new(), effect: Some(Effect::Load(file.into())) };
            }
            ("help" | "?", _) => HELP.into(),
            ("quit" | "exit" | "q", _) => return Reply { text: String::new(), effect: Some(Effect::Quit) },
            ("save" | "load", _) => format!("{word} needs a file name.\n"),
            ("why" | "whynot", _) => format!("{word} is not there with --abstract.\n"),
            _ => match self.chosen(line) {
                Some((action, payload)) => match self.take(action, &payload) {
                    Ok(told) => format!("{told}{}", self.choices()),
                    Err(why) => format!("{line}: {why}.\n"),
                },
                None => format!("{line}: nothing is called so here. Type help for what I know.\n"),
            },
        };
        Reply { text, effect: None }
    }

    fn loaded(&mut self, file: &str) -> Result<String, Unloaded> {
        let unreadable = |why: String| Unloaded::Unreadable(why);
        let json: Value = serde_json::from_str(file).map_err(|e| unreadable(format!("not JSON: {e}")))?;
        let first =
            |results: &Vec<Value>| results.iter().find_map(|r| r.get("trace").filter(|t| !t.is_null()).cloned());
        let found = match json.get("results").and_then(Value::as_array) {
            Some(results) => first(results).ok_or_else(|| unreadable("none of its results has a trace".into()))?,
            None => json,
        };
        let trace: Trace = serde_json::from_value(found).map_err(|e| unreadable(format!("not a trace: {e}")))?;
        let before = std::mem::take(&mut self.steps);
        let mut out = String::new();
        for (i, step) in trace.steps.iter().enumerate() {
            if let Err(why) = self.follow(step) {
                self.steps = before;
                return Err(Unloaded::DoesNotReplay(NotCertified::Step(i + 1, why)));
            }
            out += &self.told();
        }
        Ok(out)
    }

    fn completions(&self) -> Vec<String> {
        let words = ["choices", "undo", "full", "trace", "save", "load", "help", "quit", "idle"].map(String::from);
        let steps = self
            .offers()
            .into_iter()
            .map(|action| text::title(&name_choice(self.machine(), &Choice::Act { action, inputs: Vec::new() })));
        words.into_iter().chain(steps).collect()
    }
}
