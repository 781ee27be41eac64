//! The lifecycle as SVG.
//!
//! Elements carry what they stand for (`data-type`, `data-stage`, `data-guard`, `data-milestone`, `data-attr`: ids of the model), so
//! that a page can colour them by a snapshot. Colours are CSS variables with a light and a dark value.

use super::flow::Flow;
use super::{Picture, StageBox, TypeBox, lifecycle};
use crate::lang::gsm::{Application, ArtifactType, Guard, StageIx};
use crate::picture::font::{BODY, HEAD, SMALL, TITLE};
use crate::picture::xml::{escape, text};
use crate::picture::{Drawing, Point, Rect};
use crate::source::Sources;
use std::fmt::Write;

/// The lifecycle laid out for a width.
pub fn drawing(app: &Application, sources: &Sources, width: i32) -> Drawing {
    drawn(app, sources, &lifecycle(app, width))
}

pub(super) fn drawn(app: &Application, sources: &Sources, picture: &Picture) -> Drawing {
    let mut body = String::new();
    picture.types.iter().for_each(|t| artifact(&mut body, app, sources, t));
    let draw = |f: &Flow| flow(app, picture, f);
    let flows: String = picture.flows.iter().filter_map(draw).collect();
    let _ = write!(body, "<g class=\"flows\" aria-hidden=\"true\">{flows}</g>");
    let (label, style) = (format!("Lifecycle of {}", app.name), "");
    Drawing { width: picture.width, height: picture.height, kind: "lifecycle", label, style, body }
}

fn artifact(out: &mut String, app: &Application, sources: &Sources, b: &TypeBox) {
    let t = &app.types[b.ty];
    let Rect { x, y, w, h } = b.at;
    let id = escape(&t.id);
    let _ = writeln!(out, "<g class=\"artifact\" data-type=\"{id}\" role=\"group\" aria-label=\"Artifact type {id}\">");
    let _ = write!(out, "<rect class=\"type\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"5\"/>");
    text(out, &b.title, HEAD, "head", false);
    for (a, label) in &b.attrs {
        let Rect { x, y, w, h } = label.at;
        let path = escape(&t.attrs[*a].path);
        let _ = write!(out, "\n<g class=\"attr\" data-attr=\"{path}\"><title>{path}</title>");
        let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"3\"/>");
        let mut inner = label.clone();
        inner.at = Rect { x: x + 7, y: y + 2, w: w - 14, h: h - 4 };
        text(out, &inner, SMALL, "attr-name", false);
        *out += "</g>";
    }
    out.push('\n');
    b.stages.iter().filter(|s| t.stages[s.stage].parent.is_none()).for_each(|s| stage(out, app, sources, t, b, s));
    *out += "</g>\n";
}

fn stage(out: &mut String, app: &Application, sources: &Sources, t: &ArtifactType, b: &TypeBox, s: &StageBox) {
    let model = &t.stages[s.stage];
    let Rect { x, y, w, h } = s.at;
    let (id, name) = (escape(&model.id), escape(&model.name));
    let odd = if s.depth % 2 == 1 { " odd" } else { "" };
    let _ = write!(
        out,
        "<g class=\"stage{odd}\" data-type=\"{}\" data-stage=\"{id}\" tabindex=\"0\" role=\"group\" \
         aria-label=\"Stage {name}\"><rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"9\">\
         <title>Stage {}</title></rect>",
        escape(&t.id),
        escape(&named(&model.id, &model.name))
    );
    text(out, &s.title, TITLE, "title", false);
    if let (Some(label), Some(task)) = (&s.task, model.task.and_then(|k| t.tasks.get(k))) {
        let _ = write!(out, "<g class=\"task\" data-task=\"{}\">", escape(&task.id));
        text(out, label, SMALL, "task-name", false);
        *out += "</g>";
    }
    out.push('\n');
    for child in &model.children {
        if let Some(c) = b.stages.get(*child) {
            stage(out, app, sources, t, b, c);
        }
    }
    for (guard, at) in model.guards.iter().zip(&s.guards) {
        diamond(out, app, sources, guard, &model.id, *at);
    }
    for (m, at, label) in &s.milestones {
        let milestone = &t.milestones[*m];
        let tips: Vec<String> = milestone
            .achieving
            .iter()
            .map(|g| format!("achieved: {}", sentry(app, sources, g)))
            .chain(milestone.invalidating.iter().map(|g| format!("invalidated: {}", sentry(app, sources, g))))
            .collect();
        let _ = write!(
            out,
            "<g class=\"milestone\" data-type=\"{}\" data-stage=\"{id}\" data-milestone=\"{}\"><title>{}</title>",
            escape(&t.id),
            escape(&milestone.id),
            escape(&format!("Milestone {}\n{}", named(&milestone.id, &milestone.name), tips.join("\n")))
        );
        let _ = write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"6\"/>", at.x, at.y);
        text(out, label, BODY, "milestone-name", true);
        *out += "</g>";
    }
    *out += "</g>\n";
}

fn diamond(out: &mut String, app: &Application, sources: &Sources, guard: &Guard, stage: &str, at: Point) {
    let Point { x, y } = at;
    let tip = format!("Guard {}\n{}", named(&guard.id, &guard.name), sentry(app, sources, guard));
    let _ = write!(
        out,
        "<g class=\"guard\" data-stage=\"{}\" data-guard=\"{}\"><title>{}</title>",
        escape(stage),
        escape(&guard.id),
        escape(&tip)
    );
    let _ = write!(out, "<path d=\"M{} {y}L{x} {}L{} {y}L{x} {}Z\"/></g>", x - 7, y - 7, x + 7, y + 7);
}

/// Name, and the id that values and rules are called by, where they differ.
fn named(id: &str, name: &str) -> String {
    if id == name { name.to_string() } else { format!("{name} ({id})") }
}

/// `on E or F if …`, with the condition as the model's author wrote it.
pub fn sentry(app: &Application, sources: &Sources, guard: &Guard) -> String {
    let events: Vec<&str> = guard.sentry.events.iter().map(|e| app.events[*e].name.as_str()).collect();
    let condition = sources.text(guard.sentry.expr.span).split_whitespace().collect::<Vec<_>>().join(" ");
    let always = matches!(guard.sentry.expr.kind, crate::lang::gsm::ExprKind::Bool(true));
    match (events.is_empty(), always) {
        (true, true) => "always".into(),
        (true, false) => format!("if {condition}"),
        (false, true) => format!("on {}", events.join(" or ")),
        (false, false) => format!("on {} if {condition}", events.join(" or ")),
    }
}

/// A curve from a milestone's circle to a guard's diamond.
fn flow(app: &Application, picture: &Picture, f: &Flow) -> Option<String> {
    let of = |ty: usize| picture.types.iter().find(|t| t.ty == ty);
    let (from, to) = (&app.types[f.from_type], &app.types[f.to_type]);
    let owner: StageIx = from.milestones.get(f.milestone)?.stage;
    let a = of(f.from_type)?.stages.get(owner)?.milestones.iter().find(|(m, ..)| *m == f.milestone)?.1;
    let b = *of(f.to_type)?.stages.get(f.stage)?.guards.get(f.guard)?;
    let (x1, x2) = (a.x + 6, b.x - 7);
    let bend = ((x2 - x1).abs() / 2).clamp(6, 140).max(if x2 < x1 { 30 } else { 0 });
    // Only short ones are always there: long ones would cross half the picture.
    let near = (0..=60).contains(&(x2 - x1)) && (a.y - b.y).abs() <= 40;
    Some(format!(
        "<path class=\"flow{}\" data-from=\"{}\" data-milestone=\"{}\" data-to=\"{}\" \
         d=\"M{x1} {}C{} {} {} {} {x2} {}\"/>",
        if near { "" } else { " far" },
        escape(&format!("{}.{}", from.id, from.stages[owner].id)),
        escape(&from.milestones[f.milestone].id),
        escape(&format!("{}.{}", to.id, to.stages[f.stage].id)),
        a.y,
        x1 + bend,
        a.y,
        x2 - bend,
        b.y,
        b.y
    ))
}
