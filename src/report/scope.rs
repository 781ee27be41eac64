//! For how many instances verdicts hold, for people.

use crate::answer::{Extent, Results};
use crate::trace::look::{Ink, Look};

/// A line a property, where somebody asked for any number of instances.
pub fn lines(results: &Results, look: &Look) -> String {
    let asked = |extent: Extent| extent != Extent::From;
    if !results.results.iter().filter_map(|r| r.scope.as_ref()).any(|s| asked(s.extent)) {
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
