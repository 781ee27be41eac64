//! What can happen next, as the simulator lists it.

use super::Session;
use crate::interp::Choice;
use crate::machine::Input;
use crate::machine::calendar::WHEN;
use crate::machine::show::values;
use crate::trace::{describe, name_choice};
use std::fmt::Write;

/// Choices shown of one step that carries data without bounds.
const EXAMPLES: usize = 3;

impl<'a> Session<'a> {
    /// What can happen here, as a list.
    pub(super) fn choices(&self, most: usize) -> String {
        let (choices, all) = self.interp.some_choices(self.here());
        let mut out = match choices.len() {
            0 => "Nothing can happen here.\n".to_string(),
            _ => "What next?\n".to_string(),
        };
        let shown = self.worth_showing(&choices);
        for (i, choice) in shown.iter().copied().take(most) {
            let same = self.interp.step(self.here(), choice).is_some_and(|s| s.after == *self.here());
            let same = if same && *choice != Choice::Idle { "  (changes nothing)" } else { "" };
            let _ = writeln!(out, "  {:>2}  {}{same}", i + 1, describe(self.interp.machine(), choice));
        }
        if shown.len() > most {
            let _ = writeln!(out, "  … and {} more: type choices to see all", shown.len() - most);
        }
        for line in self.open_payloads(&choices) {
            let _ = writeln!(out, "  {line}");
        }
        if !all && self.interp.machine().is_bounded() {
            out += "  The payload is wide: only values next to those that the model compares with were tried.\n";
        }
        out
    }

    /// Choices with their places; of steps that carry data without bounds, of which there is no end, a few.
    fn worth_showing<'c>(&self, choices: &'c [Choice]) -> Vec<(usize, &'c Choice)> {
        let action = |c: &Choice| if let Choice::Act { action, .. } = c { Some(*action) } else { None };
        let (mut shown, mut alike): (Vec<_>, usize) = (Vec::new(), 0);
        for (i, choice) in choices.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|b| choices.get(b));
            alike = if before.map(action) == Some(action(choice)) { alike + 1 } else { 0 };
            if alike < EXAMPLES || self.open_inputs(choice).next().is_none() {
                shown.push((i, choice));
            }
        }
        shown
    }

    /// What a choice carries that has no bounds.
    fn open_inputs(&self, choice: &Choice) -> impl Iterator<Item = &'a Input> + use<'a> {
        let m = self.interp.machine();
        let action = if let Choice::Act { action, .. } = choice { m.actions.get(*action) } else { None };
        action.into_iter().flat_map(|a| &m.body(a).inputs).filter(|i| i.domain.is_unbounded())
    }

    /// How to send other data than that of the examples.
    fn open_payloads(&self, choices: &[Choice]) -> Vec<String> {
        let mut lines = Vec::new();
        for choice in choices {
            let named = name_choice(self.interp.machine(), choice);
            let fields: Vec<String> = self
                .open_inputs(choice)
                .map(|i| format!("{} ({})", i.name.trim_end_matches(WHEN), values(&i.domain)))
                .collect();
            let line = format!("{} takes any value of {}", named.event.unwrap_or_default(), fields.join(", "));
            if !fields.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }
}
