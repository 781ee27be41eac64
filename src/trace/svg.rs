//! A trace as SVG: a box a B-step, in rows, who sent what, which rules fired, what changed; a lasso's arrow leads back.

use super::{Trace, text as words};
use crate::picture::font::{BODY, Face, SMALL, TITLE, lines, width};
use crate::picture::xml::{escape, text};
use crate::picture::{Label, Rect, SCREEN, STYLE, palette};
use std::fmt::Write;

const MARGIN: i32 = 16;
const WIDE: i32 = 266;
const PAD: i32 = 11;
const ACROSS: i32 = 34;
const DOWN: i32 = 40;

/// A line of a box with its style.
type Line = (String, Face, &'static str);

struct Step {
    at: Rect,
    lines: Vec<Line>,
    looped: bool,
}

/// Runs below each other, each under its title.
pub fn file(runs: &[(String, Trace)]) -> String {
    let mut body = String::new();
    let (mut w, mut h) = (200, MARGIN);
    for (title, trace) in runs {
        let room = one(&mut body, trace, title, h);
        w = w.max(room.w);
        h += room.h + MARGIN;
    }
    let style = palette::resolved(&[STYLE, include_str!("../../templates/page/rules.css")].concat());
    let titles: Vec<&str> = runs.iter().map(|(title, _)| title.as_str()).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawn run\" \
         width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{}\"><style>{style}</style>\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8Z\"/></marker></defs>\n\
         {body}</svg>\n",
        escape(&titles.join("; "))
    )
}

/// One run from a height on; gives the room it takes.
fn one(out: &mut String, trace: &Trace, title: &str, top: i32) -> Rect {
    let columns = ((SCREEN - 2 * MARGIN + ACROSS) / (WIDE + ACROSS)).max(1) as usize;
    let steps = place(trace, columns, top + 30);
    let head = Label { at: Rect { x: MARGIN, y: top - 4, w: 0, h: 20 }, lines: vec![title.to_string()] };
    text(out, &head, crate::picture::font::HEAD, "head", false);
    out.push('\n');
    steps.windows(2).for_each(|pair| *out += &arrow(pair[0].at, pair[1].at));
    steps.iter().enumerate().for_each(|(i, s)| draw(out, i, s));
    if let (Some(start), Some(last)) = (trace.loop_start, steps.last()) {
        // The loop leads to the snapshot before its first step: the end of the box before.
        *out += &steps.get(start).map(|to| back(last.at, to.at)).unwrap_or_default();
    }
    let bottom = steps.iter().map(|s| s.at.y + s.at.h).max().unwrap_or(top);
    let right = steps.iter().map(|s| s.at.x + s.at.w).max().unwrap_or(0);
    let w = right.max(width(title, crate::picture::font::HEAD) + MARGIN) + MARGIN + 14;
    Rect { x: 0, y: top, w, h: bottom - top + 18 }
}

fn place(trace: &Trace, columns: usize, top: i32) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut now = trace.initial.clone();
    steps.push(Step { at: Rect::default(), lines: vec![("Start".into(), TITLE, "sent")], looped: false });
    for (i, step) in trace.steps.iter().enumerate() {
        let mut all: Vec<Line> = Vec::new();
        let mut add = |label: &str, face: Face, class: &'static str| {
            all.extend(lines(label, face, WIDE - 2 * PAD).into_iter().map(|l| (l, face, class)));
        };
        add(&format!("{}. {}", i + 1, words::title(step)), TITLE, "sent");
        step.rules.iter().for_each(|r| add(r, SMALL, "fired"));
        for change in words::changes(&now, &step.changes) {
            let class = match change.chars().next() {
                Some('+') => "change rose",
                Some('-') => "change fell",
                _ => "change",
            };
            add(&change, BODY, class);
        }
        if step.changes.is_empty() {
            add("nothing changes", BODY, "change same");
        }
        now.extend(step.changes.clone());
        let looped = trace.loop_start.is_some_and(|start| i >= start);
        steps.push(Step { at: Rect::default(), lines: all, looped });
    }
    let mut y = top;
    for row in steps.chunks_mut(columns) {
        let height = |s: &Step| s.lines.iter().map(|(_, face, _)| face.line).sum::<i32>() + 2 * PAD - 4;
        let high = row.iter().map(height).max().unwrap_or(0);
        for (column, step) in row.iter_mut().enumerate() {
            let w = if step.lines.len() == 1 && step.lines[0].0 == "Start" { 70 } else { WIDE };
            let x = MARGIN + column as i32 * (WIDE + ACROSS) + (WIDE - w);
            step.at = Rect { x, y, w, h: if w == WIDE { high } else { height(step) } };
        }
        y += high + DOWN;
    }
    steps
}

fn draw(out: &mut String, index: usize, step: &Step) {
    let Rect { x, y, w, h } = step.at;
    let class = if step.looped { "snapshot looped" } else { "snapshot" };
    let _ = write!(out, "<g class=\"{class}\" data-step=\"{index}\">");
    let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>");
    let mut top = y + PAD - 2;
    for (line, face, class) in &step.lines {
        let label = Label { at: Rect { x: x + PAD, y: top, w: w - 2 * PAD, h: face.line }, lines: vec![line.clone()] };
        text(out, &label, *face, class, false);
        top += face.line;
    }
    *out += "</g>\n";
}

/// From one box to the next: across, or down to the start of the next row.
fn arrow(a: Rect, b: Rect) -> String {
    let path = if b.x > a.x {
        let y = a.y + a.h.min(b.h) / 2;
        format!("M{} {y}L{} {y}", a.x + a.w, b.x - 2)
    } else {
        let (middle, x1, x2) = (b.y - DOWN / 2, a.x + a.w / 2, b.x + b.w / 2);
        format!("M{x1} {}L{x1} {middle}L{x2} {middle}L{x2} {}", a.y + a.h, b.y - 2)
    };
    format!("<path class=\"before\" d=\"{path}\" marker-end=\"url(#tip)\"/>\n")
}

/// From the end of the last box back to the end of the one at whose snapshot the loop begins.
fn back(from: Rect, to: Rect) -> String {
    let (x1, y1) = (from.x + from.w / 2 + 16, from.y + from.h);
    let (x2, y2) = (to.x + to.w - 16, to.y + to.h);
    let low = y1 + 16;
    let path = if from == to || to.y == from.y {
        format!("M{x1} {y1}L{x1} {low}L{x2} {low}L{x2} {}", y2 + 2)
    } else {
        let edge = from.x.max(to.x) + from.w + 12;
        format!("M{x1} {y1}L{x1} {low}L{edge} {low}L{edge} {}L{x2} {}L{x2} {}", y2 + 12, y2 + 12, y2 + 2)
    };
    format!(
        "<path class=\"loop\" d=\"{path}\" marker-end=\"url(#tip)\"><title>from here on again and again</title></path>\n"
    )
}
