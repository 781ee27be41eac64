//! What is told about guessed values of data.

use super::{Gsm, Guess, Guessed, ModelProperty, Relevant};
use crate::machine::{Ends, Machine};
use crate::source::shell_word;

impl Gsm {
    /// One sentence for numbers of each range, and one for texts: those that are in the machine with their guess.
    pub(super) fn guessed_in(&self, machine: &Machine) -> Vec<String> {
        let unbounded = machine.vars.iter().any(|v| v.domain.is_unbounded());
        let mut ranges: Vec<(Option<Ends>, Vec<&Guess>)> = Vec::new();
        for guess in self.app.guesses.iter().filter(|g| self.is_guessed(machine, g)) {
            match ranges.iter_mut().find(|(range, _)| *range == guess.range) {
                Some((_, guesses)) => guesses.push(guess),
                None => ranges.push((guess.range, vec![guess])),
            }
        }
        ranges.into_iter().map(|(range, guesses)| sentence(range, &guesses, unbounded)).collect()
    }

    /// A sentence that names the numbers with fractions in the machine that matter for a property and whose results are points.
    pub(super) fn rounded_for(&self, machine: &Machine, property: &str) -> Vec<String> {
        if self.app.rounded.is_empty() {
            return Vec::new();
        }
        let asked: Vec<ModelProperty> = self.properties.iter().filter(|p| p.name == property).cloned().collect();
        let relevant = Relevant::of(&self.app, &asked);
        let matters = |g: &&Guess| match g.of {
            Guessed::Attr(ty, attr) => relevant.keeps(ty, attr),
            Guessed::Field(..) => true,
        };
        let rounded = self.app.rounded.iter().filter(matters).filter(|g| self.is_guessed(machine, g));
        let names: Vec<&str> = rounded.map(|g| g.name.as_str()).collect();
        let Some(all) = listed(&names) else { return Vec::new() };
        let all = format!("{all} {}", if names.len() == 1 { "is" } else { "are" });
        let instead =
            if machine.vars.iter().any(|v| v.domain.is_unbounded()) { AUTO } else { "--abstract takes all numbers" };
        vec![format!(
            "{all} computed with or compared with other data, and one number stands for all between two constants; {instead}"
        )]
    }

    /// Is it in the machine, with the values that were guessed?
    fn is_guessed(&self, machine: &Machine, guess: &Guess) -> bool {
        match guess.of {
            Guessed::Attr(ty, attr) => {
                let var = self.map.slots.iter().find(|s| s.ty == ty).and_then(|s| *s.attrs.get(attr.0)?);
                let Some(own) = var.map(|v| self.machine.var(v)) else { return false };
                machine.vars.iter().any(|v| v.name == own.name && v.domain == own.domain)
            }
            Guessed::Field(event, at) => {
                let Some(event) = self.app.events.get(event.0) else { return false };
                let Some(own) = event.payload.get(at) else { return false };
                let mut sent = machine.bodies.iter().filter(|b| b.event == event.id).flat_map(|b| &b.inputs);
                sent.any(|i| i.name == own.name && i.domain == own.domain)
            }
        }
    }
}

/// `T.n and T.m are guessed to lie in 0..6, …`, with what to do about it; `unbounded`: other data has no bounds already.
fn sentence(range: Option<Ends>, guesses: &[&Guess], unbounded: bool) -> String {
    let names: Vec<&str> = guesses.iter().map(|g| g.name.as_str()).collect();
    let all = format!("{} {}", listed(&names).unwrap_or_default(), if names.len() == 1 { "is" } else { "are" });
    match range {
        Some((lo, hi)) => {
            let take = if unbounded { AUTO } else { "take all numbers with --abstract" };
            let give = give((lo, hi), guesses);
            format!(
                "{all} guessed to lie in {lo}..{hi}, because no range is given for what is compared with other numbers or \
                 computed with; {give}, or {take}"
            )
        }
        None => {
            let apart = if unbounded { AUTO } else { "--abstract tells them apart" };
            format!("{all} compared with other texts, and all texts that the model does not name count as one; {apart}")
        }
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(one.to_string()),
        [some @ .., last] => Some(format!("{} and {last}", some.join(", "))),
    }
}

/// What to do where others than these are chosen to have no bounds.
const AUTO: &str = "leave attributes of [abstraction] at \"auto\" to have no bounds here";

/// How to give a range: an attribute's anywhere, a payload field's only where the field is declared.
fn give((lo, hi): Ends, guesses: &[&Guess]) -> String {
    match guesses.iter().find(|g| matches!(g.of, Guessed::Attr(..))) {
        Some(attr) => {
            let range = shell_word(&format!("{}={lo}..{}", attr.name, hi.saturating_add(10)));
            format!("give one with --range {range}, or in [ranges] of gsmc.toml")
        }
        None => "give one where the event is declared".into(),
    }
}
