//! What is told about guessed values of data.

use super::{Gsm, Guess};
use crate::machine::{Ends, Machine};

impl Gsm {
    /// One sentence for numbers of each range, and one for texts: those that are in the machine with their guess.
    pub(super) fn guessed_in(&self, machine: &Machine) -> Vec<String> {
        let mut ranges: Vec<(Option<Ends>, Vec<&str>)> = Vec::new();
        for guess in self.app.guesses.iter().filter(|g| self.is_guessed(machine, g)) {
            match ranges.iter_mut().find(|(range, _)| *range == guess.range) {
                Some((_, names)) => names.push(&guess.name),
                None => ranges.push((guess.range, vec![&guess.name])),
            }
        }
        ranges.into_iter().map(|(range, names)| sentence(range, &names)).collect()
    }

    /// Is it in the machine, with the values that were guessed?
    fn is_guessed(&self, machine: &Machine, guess: &Guess) -> bool {
        let Some((ty, attr)) = guess.attr else { return true };
        let var = self.map.slots.iter().find(|s| s.ty == ty).and_then(|s| *s.attrs.get(attr.0)?);
        let Some(own) = var.map(|v| self.machine.var(v)) else { return false };
        machine.vars.iter().any(|v| v.name == own.name && v.domain == own.domain)
    }
}

/// `T.n and T.m are guessed to lie in 0..6, …`
fn sentence(range: Option<Ends>, names: &[&str]) -> String {
    let all = match names {
        [one] => format!("{one} is"),
        [some @ .., last] => format!("{} and {last} are", some.join(", ")),
        [] => String::new(),
    };
    match range {
        Some((lo, hi)) => format!(
            "{all} guessed to lie in {lo}..{hi}, because no range is given for what is compared with other numbers or computed with; \
             give one with --range {}={lo}..{}, or in [ranges] of gsmc.toml, or take all numbers with --abstract",
            names.first().unwrap_or(&"Type.number"),
            hi.saturating_add(10)
        ),
        None => format!(
            "{all} compared with other texts, and all texts that the model does not name count as one; \
             --abstract tells them apart"
        ),
    }
}
