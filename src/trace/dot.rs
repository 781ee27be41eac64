//! A trace as a picture: snapshots as boxes, steps as arrows.

use super::{Trace, text};
use crate::picture::dot;
use std::fmt::Write;

/// The trace in Graphviz DOT. A box says what is true or set there and changed on the way.
pub fn render(trace: &Trace) -> String {
    let mut out = String::from("digraph trace {\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n");
    out += "  edge [fontname=\"Helvetica\", fontsize=9];\n  s0 [label=\"start\", style=rounded];\n";
    let last = trace.steps.len();
    let mut now = trace.initial.clone();
    for (i, step) in trace.steps.iter().enumerate() {
        let closes = trace.loop_start.is_some() && i + 1 == last;
        let to = match trace.loop_start {
            Some(start) if closes => start,
            _ => i + 1,
        };
        let changes = text::changes(&now, &step.changes);
        now.extend(step.changes.clone());
        let mut label = vec![text::title(step)];
        if closes {
            label.extend(changes);
        } else {
            let _ = writeln!(out, "  s{to} [label={}];", dot::lines(&changes));
        }
        let _ = writeln!(out, "  s{i} -> s{to} [label={}];", dot::lines(&label));
    }
    out + "}\n"
}
