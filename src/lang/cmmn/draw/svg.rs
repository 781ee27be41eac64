//! The picture as SVG. Items carry their name (`data-item`), and their shapes the variable of their state (`data-var`), by which a
//! page colours them.

use super::flow::shape_of;
use super::{Placed, TAB, icon};
use crate::lang::cmmn::Cmmn;
use crate::lang::cmmn::model::{Case, Criterion, ItemIx, Kind, Source};
use crate::picture::font::{BODY, HEAD, SMALL, TITLE};
use crate::picture::route::{Streets, rounded};
use crate::picture::xml::{escape, text};
use crate::picture::{Drawing, Face, Label, Point, Rect, lines, width};
use std::fmt::Write;

/// Style of pictures of cases, beside that of all pictures.
const STYLE: &str = include_str!("../../../../templates/page/cmmn.css");

/// The case drawn.
pub fn drawing(cmmn: &Cmmn, placed: &Placed) -> Drawing {
    let case = &cmmn.case;
    let mut body = String::new();
    for ix in 0..case.items.len() {
        item(&mut body, cmmn, ix, placed.items[ix]);
    }
    body += "<g class=\"connectors\">\n";
    for (c, criterion) in case.criteria.iter().enumerate() {
        connectors(&mut body, case, criterion, placed, placed.criteria[c]);
    }
    body += "</g>\n";
    for (c, criterion) in case.criteria.iter().enumerate() {
        diamond(&mut body, case, criterion, placed.criteria[c]);
    }
    let label = format!("Case {}", case.name);
    Drawing { width: placed.width, height: placed.height, kind: "cmmn", label, style: STYLE, body }
}

fn item(out: &mut String, cmmn: &Cmmn, ix: ItemIx, at: Rect) {
    let case = &cmmn.case;
    let item = &case.items[ix];
    let shape = shape_of(case, ix, at);
    let instances: Vec<usize> = case.instances_of(ix).collect();
    let var = |i: usize| escape(&cmmn.lowered.machine.var(cmmn.lowered.map.states[i]).name);
    let planned = if item.planning.is_some() { " discretionary" } else { "" };
    let name = if ix == 0 { &case.name } else { &item.name };
    let _ = write!(
        out,
        "<g class=\"item {}{planned}\" data-item=\"{1}\" data-name=\"{1}\">",
        item.kind_name(),
        escape(name)
    );
    let _ = write!(out, "<title>{} {}</title>", item.kind_name(), escape(name));
    // With several instances each has a mark of its own, and the shape no colour.
    match instances.as_slice() {
        [one] => {
            let _ = write!(out, "<g class=\"body\" data-var=\"{}\">", var(*one));
            outline(out, case, ix, shape);
            *out += "</g>";
        }
        _ => {
            outline(out, case, ix, shape);
            for (k, i) in instances.iter().enumerate() {
                let x = shape.x + shape.w - 10 - 12 * (instances.len() - 1 - k) as i32;
                let _ = write!(
                    out,
                    "<g class=\"instance\" data-var=\"{}\"><title>{}</title><circle class=\"shape\" cx=\"{x}\" cy=\"{}\" r=\"5\"/></g>",
                    var(*i),
                    escape(&case.instances[*i].name),
                    shape.y + 10
                );
            }
        }
    }
    names(out, case, ix, at, shape);
    icon::decorators(out, case, ix, shape);
    *out += "</g>\n";
}

/// The shape of a kind.
fn outline(out: &mut String, case: &Case, ix: ItemIx, r: Rect) {
    let Rect { x, y, w, h } = r;
    let _ = match case.items[ix].kind {
        Kind::Plan => {
            let tab = (width(&case.name, HEAD) + 24).min(w);
            write!(out, "<path class=\"shape\" d=\"M{x} {y}v-{TAB}h{tab}l8 {TAB}H{}v{h}H{x}z\"/>", x + w.max(tab + 8))
        }
        Kind::Stage => {
            let c = 10.min(h / 3);
            write!(
                out,
                "<path class=\"shape\" d=\"M{} {y}H{}l{c} {c}V{}l-{c} {c}H{}l-{c} -{c}V{}z\"/>",
                x + c,
                x + w - c,
                y + h - c,
                x + c,
                y + c
            )
        }
        Kind::Task(_) => {
            write!(out, "<rect class=\"shape\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"8\"/>")
        }
        Kind::Milestone(_) => {
            write!(out, "<rect class=\"shape\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{}\"/>", h / 2)
        }
        Kind::Listener { .. } => {
            let (cx, cy, radius) = (x + w / 2, y + h / 2, w / 2);
            write!(
                out,
                "<circle class=\"shape\" cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\"/><circle class=\"inner\" cx=\"{cx}\" cy=\"{cy}\" r=\"{}\"/>",
                (radius - 3).max(2)
            )
        }
    };
}

/// The name, and the sign of the kind.
fn names(out: &mut String, case: &Case, ix: ItemIx, at: Rect, shape: Rect) {
    let item = &case.items[ix];
    match item.kind {
        Kind::Plan => {
            let place = Rect { x: at.x + 10, y: at.y - TAB + 4, w: width(&case.name, HEAD), h: HEAD.line };
            text(out, &Label { at: place, lines: vec![case.name.clone()] }, HEAD, "head", false);
        }
        Kind::Stage => {
            let room = at.w - 28;
            let place = Rect { x: at.x + 14, y: at.y + 6, w: room, h: TITLE.line };
            let first = lines(&item.label, TITLE, room).into_iter().take(1).collect();
            text(out, &Label { at: place, lines: first }, TITLE, "title", false);
        }
        Kind::Task(_) => {
            icon::kind(out, case, ix, shape.x + 6, shape.y + 6);
            middle(out, &item.label, Rect { y: shape.y + 8, h: shape.h - 14, ..shape }, BODY);
        }
        Kind::Milestone(_) => middle(out, &item.label, shape, BODY),
        Kind::Listener { .. } => {
            icon::kind(out, case, ix, shape.x + shape.w / 2 - 6, shape.y + shape.h / 2 - 6);
            let below = Rect { x: at.x - 20, y: shape.y + shape.h + 3, w: at.w + 40, h: 0 };
            let rows = lines(&item.label, SMALL, (at.w + 40).max(90));
            let h = rows.len() as i32 * SMALL.line;
            rows_in(out, &rows, Rect { h, ..below }, SMALL);
        }
    }
}

/// Lines in the middle of a place.
fn middle(out: &mut String, name: &str, at: Rect, face: Face) {
    let most = (at.h / face.line).max(1) as usize;
    let rows: Vec<String> = lines(name, face, at.w - 16).into_iter().take(most).collect();
    rows_in(out, &rows, at, face);
}

fn rows_in(out: &mut String, rows: &[String], at: Rect, face: Face) {
    let top = at.y + (at.h - rows.len() as i32 * face.line) / 2;
    for (k, row) in rows.iter().enumerate() {
        let w = width(row, face);
        let place = Rect { x: at.x + (at.w - w) / 2, y: top + k as i32 * face.line, w, h: face.line };
        text(out, &Label { at: place, lines: vec![row.clone()] }, face, "name", false);
    }
}

fn diamond(out: &mut String, case: &Case, criterion: &Criterion, at: Rect) {
    let kind = if criterion.entry { "entry" } else { "exit" };
    let (x, y, half) = (at.x + at.w / 2, at.y, at.w / 2);
    let _ = write!(out, "<g class=\"criterion {kind}\" data-criterion=\"{}\">", escape(&criterion.name));
    let _ = write!(out, "<title>{}</title>", escape(&described(case, criterion)));
    let _ = writeln!(out, "<path d=\"M{x} {y}l{half} {half}l-{half} {half}l-{half} -{half}z\"/></g>");
}

/// A criterion in words: when it fires.
fn described(case: &Case, criterion: &Criterion) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in &criterion.on {
        parts.push(match &part.source {
            Source::Items(items) => {
                let names: Vec<&str> = items.iter().map(|i| case.items[*i].name.as_str()).collect();
                format!("'{}' of {}", part.event_name(), names.join(" or "))
            }
            Source::File(f) => format!("'{}' of {}", part.event_name(), case.files[*f].name),
            Source::Free(f) => case.free[*f].text.clone(),
            Source::Nothing => "what never occurs".into(),
        });
    }
    parts.extend(criterion.condition.map(|c| format!("if {}", case.conditions[c].text)));
    let kind = if criterion.entry { "entry" } else { "exit" };
    match parts.is_empty() {
        true => format!("{kind} criterion {}", criterion.name),
        false => format!("{kind} criterion {}: {}", criterion.name, parts.join(" and ")),
    }
}

/// Dashed lines from what a criterion waits for.
fn connectors(out: &mut String, case: &Case, criterion: &Criterion, placed: &Placed, to: Rect) {
    for part in &criterion.on {
        let Source::Items(items) = &part.source else { continue };
        for &from in items.iter().filter(|i| **i != criterion.item) {
            let shape = shape_of(case, from, placed.items[from]);
            let _ = writeln!(
                out,
                "<path class=\"connector\" data-from=\"{}\" data-to=\"{}\" d=\"{}\"/>",
                escape(&case.items[from].name),
                escape(&criterion.name),
                around(case, criterion, placed, from, to).unwrap_or_else(|| line(
                    shape,
                    to,
                    case.containers(criterion.item).any(|a| a == from)
                ))
            );
        }
    }
}

/// The way to an entry criterion that does not lie to the right: around what stands between.
fn around(case: &Case, criterion: &Criterion, placed: &Placed, from: ItemIx, to: Rect) -> Option<String> {
    let shape = shape_of(case, from, placed.items[from]);
    let inside = |ix: ItemIx, of: ItemIx| ix == of || case.containers(ix).any(|a| a == of);
    if !criterion.entry || to.x >= shape.x + shape.w || inside(criterion.item, from) || inside(from, criterion.item) {
        return None;
    }
    let between = |(ix, _): &(ItemIx, &Rect)| {
        let container = inside(from, *ix) || inside(criterion.item, *ix);
        !container || *ix == from || *ix == criterion.item
    };
    let boxes = placed.items.iter().enumerate().filter(between).map(|(_, r)| *r);
    let others = placed.criteria.iter().filter(|c| **c != to).copied();
    let obstacles: Vec<Rect> = boxes.chain(others).collect();
    let ends = (Point { x: shape.x + shape.w, y: shape.y + shape.h / 2 }, Point { x: to.x, y: to.y + to.h / 2 });
    let streets = Streets::new(&obstacles, &[ends], (placed.width, placed.height))?;
    streets.way(ends.0, ends.1).map(|points| rounded(&points))
}

/// From the nearer side of a shape to a diamond; from a container's inside, its border.
fn line(from: Rect, to: Rect, inside: bool) -> String {
    let end = (to.x + to.w / 2, to.y + to.h / 2);
    let (cx, cy) = (from.x + from.w / 2, from.y + from.h / 2);
    let start = match () {
        () if inside => (from.x, end.1.clamp(from.y + 12, from.y + from.h - 12)),
        () if end.0 >= from.x + from.w => (from.x + from.w, cy),
        () if end.1 >= from.y + from.h => (cx, from.y + from.h),
        () if end.1 <= from.y => (cx, from.y),
        () => (from.x, cy),
    };
    let bend = ((end.0 - start.0).abs() / 2).clamp(8, 60);
    let sideways = start.1 == cy || inside;
    match sideways {
        true => {
            let out = if start.0 > from.x { bend } else { -bend };
            format!(
                "M{} {}C{} {} {} {} {} {}",
                start.0,
                start.1,
                start.0 + out,
                start.1,
                end.0 - bend,
                end.1,
                end.0,
                end.1
            )
        }
        false => {
            let down = if end.1 > start.1 { 24 } else { -24 };
            format!(
                "M{} {}C{} {} {} {} {} {}",
                start.0,
                start.1,
                start.0,
                start.1 + down,
                end.0 - 24,
                end.1,
                end.0,
                end.1
            )
        }
    }
}
