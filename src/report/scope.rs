//! For how many instances verdicts hold, for people.

use crate::answer::{Extent, Results, Scope};
use crate::trace::look::{Ink, Look};

/// A line a property, where somebody asked for any number of instances.
pub fn lines(results: &Results, look: &Look) -> String {
    // With fixed numbers, too, a verdict may hold from them on; there is then nothing to explain.
    let asked = |s: &Scope| s.extent != Extent::From || !s.why.is_empty();
    if !results.results.iter().filter_map(|r| r.scope.as_ref()).any(asked) {
        return String::new();
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
