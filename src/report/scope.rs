//! For how many instances verdicts hold, for people.

use crate::answer::{Extent, Results, Scope};
use crate::trace::look::{Ink, Look};

/// A line a property, where somebody asked for any number of instances.
pub fn lines(results: &Results, look: &Look) -> String {
    let asked = |s: &Scope| s.extent != Extent::From || !s.why.is_empty();
    if !results.results.iter().filter_map(|r| r.scope.as_ref()).any(asked) {
        return lasting(results, look);
    }
    let mut out = format!("\n{}\n", look.paint(Ink::Strong, "for how many instances"));
    let mut told: Vec<&str> = Vec::new();
    for r in &results.results {
        let Some(scope) = r.scope.as_ref().filter(|_| r.verdict.holds().is_some()) else { continue };
        if told.contains(&r.property.as_str()) {
            continue;
        }
        told.push(&r.property);
        let text = format!("{}: {} {}", r.property, r.verdict.name(), scope.text());
        out += &format!("{}\n", look.wrapped(2, &text).join("\n"));
    }
    out
}

/// Names that are told; of more their number.
const MOST_NAMES: usize = 6;

/// Also with fixed numbers a verdict may hold from them on.
fn lasting(results: &Results, look: &Look) -> String {
    let mut names: Vec<&str> = Vec::new();
    for r in results.results.iter().filter(|r| r.scope.is_some() && r.verdict.holds().is_some()) {
        if !names.contains(&r.property.as_str()) {
            names.push(&r.property);
        }
    }
    if names.is_empty() {
        return String::new();
    }
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.truncate(MOST_NAMES);
    let line = format!("the same with more instances: {}{more}", names.join(", "));
    format!("\n{}\n", look.wrapped(0, &line).join("\n"))
}
