//! Explanations for the terminal.

use super::{Answer, At, Because, Card, Change, Eval, Explanation, Why};
use crate::trace::plain;
use std::fmt::Write;

/// The micro-steps of a step: immediate effect, rules that fired, end. With `all`, every rule with its conditions.
pub fn render(e: &Explanation, all: bool) -> String {
    let mut out = String::new();
    if !e.immediate.is_empty() {
        let _ = writeln!(out, "  at once   {}", changes(&e.immediate));
    }
    for card in &e.rules {
        if all {
            out += &render_card(card);
        } else if card.fired {
            let again = if card.changed { "" } else { "  (already so)" };
            let _ = writeln!(out, "  fired     {}  {}{again}", label(card, e.target.as_deref()), effect(card));
        }
    }
    if !e.finish.is_empty() {
        let _ = writeln!(out, "  finally   {}", changes(&e.finish));
    }
    if e.changes.is_empty() {
        let _ = writeln!(out, "  nothing changed");
    }
    for depends in &e.order_dependent {
        let _ = writeln!(out, "  depends on the order of the rules: {depends}");
    }
    out
}

fn label(card: &Card, target: Option<&str>) -> String {
    if card.slot.is_empty() || target == Some(card.slot.as_str()) { card.label.clone() } else { full_label(card) }
}

fn full_label(card: &Card) -> String {
    if card.slot.is_empty() { card.label.clone() } else { format!("{}.{}", card.slot, card.label) }
}

fn effect(card: &Card) -> String {
    match card.value.as_bool() {
        Some(true) => format!("+{}", card.target),
        Some(false) => format!("-{}", card.target),
        None => format!("{} := {}", card.target, plain(&card.value)),
    }
}

/// `+T[1].S`, `-T[1].S`, `T[1].n 0 -> 1`.
pub fn changes(list: &[Change]) -> String {
    let show = |c: &Change| match c.new.as_bool() {
        Some(true) => format!("+{}", c.name),
        Some(false) => format!("-{}", c.name),
        None => format!("{} {} -> {}", c.name, plain(&c.old), plain(&c.new)),
    };
    list.iter().map(show).collect::<Vec<_>>().join("  ")
}

/// One rule with both of its sides.
pub fn render_card(card: &Card) -> String {
    let mut out = String::new();
    let fate = match (card.fired, card.changed) {
        (true, true) => "fired",
        (true, false) => "fired, but its target was already so",
        (false, _) => "did not fire",
    };
    let _ = writeln!(out, "  {}  {}  {fate}  [{}]", full_label(card), effect(card), card.place);
    let culprit = card.refused.as_ref();
    let wrong = |because: &[Because]| culprit.filter(|r| because.contains(&r.because)).map(|r| &r.part);
    parts(&mut out, &card.prerequisite, "before", 2, wrong(&[Because::Prerequisite]));
    parts(&mut out, &card.antecedent, "at its turn", 2, wrong(&[Because::Event, Because::Condition]));
    out
}

/// A condition, one line a part, the smallest false part marked.
fn parts(out: &mut String, eval: &Eval, title: &str, depth: usize, culprit: Option<&Eval>) {
    let pad = "  ".repeat(depth);
    let seen = match eval.at {
        At::Before => " (before)",
        At::Change => " (before and now)",
        At::Event => " (event)",
        At::Now | At::Fixed | At::Parts => "",
    };
    let mark = if culprit.is_some_and(|c| std::ptr::eq(c, eval) || c == eval) { "  <--" } else { "" };
    let title = if title.is_empty() { String::new() } else { format!("{title}: ") };
    let seen = if title == "before: " { "" } else { seen };
    let _ = writeln!(out, "{pad}{title}{}{seen} = {}{mark}", eval.text, eval.value);
    eval.parts.iter().for_each(|p| parts(out, p, "", depth + 1, culprit));
}

impl Answer<'_> {
    /// The answer to `why`.
    pub fn why_text(&self) -> String {
        let Some(change) = self.change else { return format!("{} did not change in this step.\n", self.name) };
        let mut out = format!("{} changed from {} to {}: ", self.name, plain(&change.old), plain(&change.new));
        match &self.why {
            Why::Rules(cards) => {
                out += "these rules fired.\n";
                cards.iter().for_each(|c| out += &render_card(c));
            }
            Why::Event => out += "the event did it at once.\n",
            Why::End => out += "it follows at the end of the step.\n",
            Why::NoInstance | Why::NoRule => out += "no rule did it.\n",
        }
        out
    }

    /// The answer to `whynot`.
    pub fn why_not_text(&self) -> String {
        match &self.why {
            Why::Rules(cards) => {
                let mut out = match self.change {
                    Some(_) => format!("{} did change in this step; what could have changed it back:\n", self.name),
                    None => format!("{} did not change in this step; what could have changed it:\n", self.name),
                };
                cards.iter().for_each(|c| out += &render_card(c));
                out
            }
            Why::NoInstance => format!("{} has no instance: it was not created.\n", self.name),
            _ => format!("No rule changes {} from what it is now.\n", self.name),
        }
    }
}
