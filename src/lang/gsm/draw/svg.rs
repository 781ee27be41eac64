//! The lifecycle as SVG.
//!
//! Elements carry what they stand for (`data-type`, `data-stage`, `data-guard`, `data-milestone`, `data-attr`: ids of the model), so
//! that a page can colour them by a snapshot. Colours are CSS variables with a light and a dark value.

use super::flow::Flow;
use super::route::obstacles;
use super::{Picture, StageBox, TypeBox, lifecycle};
use crate::lang::gsm::model::TypeIx;
use crate::lang::gsm::{Application, ArtifactType, Guard, StageIx};
use crate::lang::syntax::Text;
use crate::picture::font::{BODY, HEAD, SMALL, TITLE};
use crate::picture::route::{Streets, rounded};
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
    let ends: Vec<(&Flow, (Point, Point))> =
        picture.flows.iter().filter_map(|f| Some((f, ends(app, picture, f)?))).collect();
    let far: Vec<(Point, Point)> = ends.iter().map(|(_, e)| *e).filter(|e| !near(e)).collect();
    let streets = Streets::new(&obstacles(app, picture), &far, (picture.width, picture.height));
    let flows: String = ends.iter().map(|(f, e)| flow(app, f, e, streets.as_ref())).collect();
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
    if let (Some(label), Some(task)) = (&s.task, model.task.and_then(|k| t.tasks.get(k.0))) {
        let _ = write!(out, "<g class=\"task\" data-task=\"{}\">", escape(&task.id));
        text(out, label, SMALL, "task-name", false);
        *out += "</g>";
    }
    out.push('\n');
    for child in &model.children {
        if let Some(c) = b.stages.get(child.0) {
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
    // What stands in XML is shown as it is meant.
    let span = guard.sentry.expr.span;
    let text = Text::attribute(span.file, sources.text(span), 0);
    let condition = text.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let always = matches!(guard.sentry.expr.kind, crate::lang::gsm::ExprKind::Bool(true));
    match (events.is_empty(), always) {
        (true, true) => "always".into(),
        (true, false) => format!("if {condition}"),
        (false, true) => format!("on {}", events.join(" or ")),
        (false, false) => format!("on {} if {condition}", events.join(" or ")),
    }
}

/// Where a link begins, at a milestone's circle, and where it ends, at a guard's diamond.
fn ends(app: &Application, picture: &Picture, f: &Flow) -> Option<(Point, Point)> {
    let of = |ty: TypeIx| picture.types.iter().find(|t| t.ty == ty);
    let owner: StageIx = app.types[f.from_type].milestones.get(f.milestone.0)?.stage;
    let a = of(f.from_type)?.stages.get(owner.0)?.milestones.iter().find(|(m, ..)| *m == f.milestone)?.1;
    let b = *of(f.to_type)?.stages.get(f.stage.0)?.guards.get(f.guard)?;
    Some((Point { x: a.x + 6, y: a.y }, Point { x: b.x - 7, y: b.y }))
}

/// Is there nothing in between?
fn near((a, b): &(Point, Point)) -> bool {
    (0..=60).contains(&(b.x - a.x)) && (a.y - b.y).abs() <= 40
}

/// A link: a curve between neighbours, a line around what lies between others.
fn flow(app: &Application, f: &Flow, ends: &(Point, Point), streets: Option<&Streets>) -> String {
    let (from, to) = (&app.types[f.from_type], &app.types[f.to_type]);
    let owner = from.milestones[f.milestone].stage;
    let (a, b) = ends;
    let way = if near(ends) { None } else { streets.and_then(|s| s.way(*a, *b)) };
    let curve = || {
        let bend = ((b.x - a.x).abs() / 2).clamp(6, 140).max(if b.x < a.x { 30 } else { 0 });
        format!("M{} {}C{} {} {} {} {} {}", a.x, a.y, a.x + bend, a.y, b.x - bend, b.y, b.x, b.y)
    };
    format!(
        "<path class=\"flow{}\" data-from=\"{}\" data-milestone=\"{}\" data-to=\"{}\" d=\"{}\"/>",
        if near(ends) { "" } else { " far" },
        escape(&format!("{}.{}", from.id, from.stages[owner].id)),
        escape(&from.milestones[f.milestone].id),
        escape(&format!("{}.{}", to.id, to.stages[f.stage].id)),
        way.map_or_else(curve, |points| rounded(&points)),
    )
}
