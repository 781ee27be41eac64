//! For how many instances verdicts hold, for people.

use crate::answer::{Extent, PropertyResult, Results, Scope, by_property};
use crate::trace::look::{Ink, Look};

/// A line a property, where somebody asked for any number of instances.
pub fn lines(results: &Results, look: &Look) -> String {
    let asked = |s: &Scope| s.extent != Extent::From || !s.why.is_empty();
    if !results.results.iter().filter_map(|r| r.scope.as_ref()).any(asked) {
        return lasting(results, look);
    }
    let mut out = format!("\n{}\n", look.paint(Ink::Strong, "for how many instances"));
    for all in by_property(&results.results) {
        let mut decided = all.into_iter().filter(|r| r.verdict.holds().is_some());
        let Some((r, scope)) = decided.find_map(|r| Some((r, r.scope.as_ref()?))) else { continue };
        let text = format!("{}: {} {}", r.property, r.verdict.name(), scope.text());
        out += &format!("{}\n", look.wrapped(2, &text).join("\n"));
    }
    out
}

/// Names that are told; of more their number.
const MOST_NAMES: usize = 6;

/// Also with fixed numbers a verdict may hold from them on.
fn lasting(results: &Results, look: &Look) -> String {
    let lasts = |r: &&PropertyResult| r.scope.is_some() && r.verdict.holds().is_some();
    let all = by_property(&results.results).into_iter();
    let mut names: Vec<&str> = all.filter_map(|all| all.into_iter().find(lasts)).map(|r| r.property.as_str()).collect();
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
