//! A run as one line of text that a shell and an address take as it is: `Create_Order/Ann:Pay@Order.1,Amount=3/idle`.
//!
//! Steps are joined by `/`. A step is `agent:event@Type.1,field=value,…`; what the machine leaves no choice about is not written
//! (an event that only one agent can send, or that only one slot can get), and may be left out by people wherever just one
//! possible choice fits. `field` without `=` is ⊥. `idle` is idling, and a number is that choice in the order in which
//! `simulate` lists them. In names and values a blank is `+`, and what is neither letter, digit nor one of `_-.` is
//! percent-encoded; a reader also takes other characters as they are.

#[cfg(test)]
mod tests;

use super::{name_choice, plain};
use crate::interp::{Choice, Interp};
use crate::machine::BOTTOM;
use crate::machine::show::values;
use crate::machine::{Action, Body, Machine, Snapshot};
use crate::source::nearest;
use std::fmt::Write;

const IDLE: &str = "idle";

/// Why a step that the model has cannot be taken.
pub const NOT_POSSIBLE: &str = "that is not possible here";

/// Steps that a path can have.
pub const LONGEST: usize = 10_000;

/// Why a path cannot be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Astray {
    /// The step, from 1.
    pub step: usize,
    /// The step as written.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl std::fmt::Display for Astray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {} of the path, '{}': {}", self.step, self.text, self.why)
    }
}

impl std::error::Error for Astray {}

/// Writes a run.
pub fn write<'c>(m: &Machine, choices: impl IntoIterator<Item = &'c Choice>) -> String {
    choices.into_iter().map(|c| write_step(m, c)).collect::<Vec<_>>().join("/")
}

/// Writes one step.
pub fn write_step(m: &Machine, choice: &Choice) -> String {
    let Choice::Act { action, .. } = choice else { return IDLE.into() };
    let Some(action) = m.actions.get(*action) else { return IDLE.into() };
    let named = name_choice(m, choice);
    let body = m.body(action);
    let mut out = String::new();
    let alike = || m.actions.iter().filter(|a| m.body(a).event == body.event);
    if let Some(agent) = named.agent.filter(|_| alike().any(|a| a.agent != action.agent)) {
        out += &encode(&agent);
        out.push(':');
    }
    out += &encode_event(&body.event);
    if let Some(slot) =
        body.target.filter(|t| alike().any(|a| m.body(a).target != Some(*t))).and_then(|t| m.slots.get(t.0))
    {
        let _ = write!(out, "@{}.{}", encode(type_name(&slot.name)), slot.number);
    }
    // A payload without a choice is written where another move of the same name has another one.
    let one_of_several =
        alike().any(|a| (a.agent, m.body(a).target) == (action.agent, body.target) && a.body != action.body);
    for input in &body.inputs {
        if let Some(value) = named.payload.get(&input.name).filter(|_| one_of_several || input.values.len() > 1) {
            let (name, text) = (&input.name, plain(value));
            let value = if text == BOTTOM { String::new() } else { format!("={}", encode(&text)) };
            let _ = write!(out, ",{}{value}", encode(name));
        }
    }
    out
}

/// Reads a path: the choices from the initial snapshot on.
pub fn read(interp: &Interp, text: &str) -> Result<Vec<Choice>, Astray> {
    let mut here = interp.initial();
    let mut choices = Vec::new();
    let text = text.trim().trim_matches('/');
    for (i, part) in text.split('/').filter(|_| !text.is_empty()).enumerate() {
        let astray = |why: String| Astray { step: i + 1, text: part.into(), why };
        if i >= LONGEST {
            return Err(astray(format!("a path has at most {LONGEST} steps")));
        }
        let choice = read_step(interp, &here, part).map_err(astray)?;
        let Some(step) = interp.step(&here, &choice) else { return Err(astray("it is not possible here".into())) };
        here = step.after;
        choices.push(choice);
    }
    Ok(choices)
}

/// Reads one step in a snapshot; the choice is possible there.
pub fn read_step(interp: &Interp, here: &Snapshot, text: &str) -> Result<Choice, String> {
    if text == IDLE {
        return match interp.step(here, &Choice::Idle) {
            Some(_) => Ok(Choice::Idle),
            None => Err("idling is not possible here".into()),
        };
    }
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        let choices = interp.choices(here);
        let wanted = text.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).and_then(|n| choices.get(n));
        return wanted.cloned().ok_or_else(|| format!("there are {} choices here, counted from 1", choices.len()));
    }
    let m = interp.machine();
    let wanted = Wanted::parse(text)?.with_value(m);
    if !m.bodies.iter().any(|b| b.event == wanted.event) {
        let near = nearest(&wanted.event, m.bodies.iter().map(|b| b.event.as_str()));
        let hint = if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(" or ")) };
        return Err(format!("nothing called '{}' can happen in this model.{hint}", wanted.event));
    }
    let mut found = Vec::new();
    let (mut all, mut wrong, mut taken) = (None, None, false);
    for (index, action) in m.actions.iter().enumerate().filter(|(_, a)| wanted.fits(m, a)) {
        let inputs = wanted.inputs(m.body(action));
        taken |= inputs.is_ok();
        match inputs {
            Err(why) => wrong = Some(why),
            Ok(inputs) if inputs.iter().all(Option::is_some) => {
                let choice = Choice::Act { action: index, inputs: inputs.into_iter().flatten().collect() };
                found.extend(interp.step(here, &choice).map(|s| s.choice));
            }
            Ok(known) => {
                let possible = all.get_or_insert_with(|| interp.choices(here));
                found.extend(possible.iter().filter(|c| agrees(c, index, &known)).cloned());
            }
        }
    }
    match found.as_slice() {
        [one] => Ok(one.clone()),
        // Each value may have a move of its own: that others do not have it says nothing.
        [] => Err(wrong.filter(|_| !taken).unwrap_or_else(|| NOT_POSSIBLE.into())),
        several => {
            let shown = |c: &Choice| decode(&write_step(m, c)).unwrap_or_default();
            let some: Vec<String> = several.iter().take(3).map(shown).collect();
            let more = if several.len() > 3 { ", …" } else { "" };
            Err(format!("{} choices fit: {}{more}", several.len(), some.join(", ")))
        }
    }
}

fn agrees(choice: &Choice, index: usize, known: &[Option<i64>]) -> bool {
    let Choice::Act { action, inputs } = choice else { return false };
    *action == index && inputs.iter().zip(known).all(|(i, k)| k.is_none_or(|k| k == *i))
}

/// A step as written.
struct Wanted {
    agent: Option<String>,
    event: String,
    target: Option<String>,
    fields: Vec<(String, Option<String>)>,
}

impl Wanted {
    fn parse(text: &str) -> Result<Wanted, String> {
        let mut parts = text.split(',');
        let head = parts.next().unwrap_or_default();
        let (agent, rest) = head.split_once(':').map_or((None, head), |(a, rest)| (Some(a), rest));
        let (event, target) = rest.split_once('@').map_or((rest, None), |(e, t)| (e, Some(t)));
        let slot = |t: &str| match t.rsplit_once('.') {
            Some((ty, number)) => Ok(format!("{}[{}]", decode(ty)?, decode(number)?)),
            None => Err(format!("'{t}' is no slot; one is written as Type.1")),
        };
        let field = |f: &str| match f.split_once('=') {
            Some((name, value)) => Ok((decode(name)?, Some(decode(value)?))),
            None => Ok((decode(f)?, None)),
        };
        Ok(Wanted {
            agent: agent.map(decode).transpose()?,
            event: decode(event)?,
            target: target.map(slot).transpose()?,
            fields: parts.map(field).collect::<Result<_, String>>()?,
        })
    }

    /// `Truck=OnRoad`: what carries one value needs no name for it.
    fn with_value(mut self, m: &Machine) -> Wanted {
        let called = |name: &str| m.bodies.iter().find(|b| b.event == name);
        if called(&self.event).is_none()
            && let Some((name, value)) = self.event.split_once('=')
            && let Some(input) = called(name.trim()).and_then(|b| b.inputs.first().filter(|_| b.inputs.len() == 1))
        {
            self.fields.push((input.name.clone(), Some(value.trim().to_string())));
            self.event = name.trim().to_string();
        }
        self
    }

    fn fits(&self, m: &Machine, action: &Action) -> bool {
        let body = m.body(action);
        let target = body.target.and_then(|t| m.slots.get(t.0)).map(|s| s.name.as_str());
        self.event == body.event
            && self.agent.as_deref().is_none_or(|a| a == m.agent_name(action.agent))
            && self.target.as_deref().is_none_or(|t| Some(t) == target)
    }

    /// A code per input, as far as given, or why there is none: some field is not the body's, or cannot have its value.
    fn inputs(&self, body: &Body) -> Result<Vec<Option<i64>>, String> {
        if let Some((name, _)) = self.fields.iter().find(|(name, _)| !body.inputs.iter().any(|i| i.is_called(name))) {
            return Err(format!("{} carries no '{name}'", body.event));
        }
        let code = |input: &crate::machine::Input| {
            let given = self.fields.iter().find(|(name, _)| body.means(input, name));
            let Some((name, value)) = given else { return Ok(input.values.only()) };
            let text = value.as_deref().unwrap_or(BOTTOM);
            let quoted = |q: char| text.strip_prefix(q).and_then(|t| t.strip_suffix(q));
            let bare = quoted('\'').or_else(|| quoted('"')).unwrap_or(text);
            // A time zone that people typed as it is looks like a blank in a path.
            let zone = || input.read(&bare.replace(' ', "+"));
            let code = input.read(text).or_else(|| input.read(bare)).or_else(zone);
            code.map(Some).ok_or_else(|| format!("'{text}' is no value of {name}: {}", values(&input.domain)))
        };
        body.inputs.iter().map(code).collect()
    }
}

fn type_name(slot: &str) -> &str {
    slot.rsplit_once('[').map_or(slot, |(ty, _)| ty)
}

fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'_' | b'-' | b'.' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

/// An event's name, told apart from `idle` and from numbers.
fn encode_event(name: &str) -> String {
    let taken = name == IDLE || (!name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()));
    match name.bytes().next().filter(|_| taken) {
        Some(first) => format!("%{first:02X}{}", encode(&name[1..])),
        None => encode(name),
    }
}

/// Undoes `encode`.
pub fn decode(text: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|d| char::from(d).to_digit(16));
                match (digit(), digit()) {
                    (Some(a), Some(b)) => (a * 16 + b) as u8,
                    _ => return Err("a % is followed by two hexadecimal digits".into()),
                }
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| "its percent-encoding is not UTF-8".into())
}
