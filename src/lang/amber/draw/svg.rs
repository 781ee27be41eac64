//! The picture as SVG.
//!
//! Nodes carry their path (`data-node`), and their shapes lie in a group for each of their variables (`data-var`), by which a page
//! colours them.

use super::route::{Line, around, straight, wrapped};
use super::{AmberPicture, BlockBox};
use crate::lang::amber::lower::Map;
use crate::lang::amber::{Arrow, Condition, Model, NodeIx, NodeKind};
use crate::machine::{Machine, VarId};
use crate::picture::font::{BODY, HEAD, SMALL};
use crate::picture::xml::{escape, text};
use crate::picture::{Drawing, Point, Rect, width};
use std::fmt::Write;

/// Style of AMBER pictures, beside that of all pictures.
const STYLE: &str = include_str!("../../../../templates/page/amber.css");

/// The model drawn; `map` names the variables that colour it.
pub fn drawing(model: &Model, machine: &Machine, map: &Map, picture: &AmberPicture) -> Drawing {
    let mut body = String::new();
    for b in &picture.blocks {
        block(&mut body, model, b);
    }
    body += "<g class=\"arrows\">\n";
    let mut taken = Vec::new();
    for (i, a) in model.arrows.iter().enumerate() {
        let mark = map.marks.get(i).copied().flatten().map(|v| machine.var(v).name.as_str());
        arrow(&mut body, model, picture, a, mark, &mut taken);
    }
    disabling(&mut body, model, picture);
    relations(&mut body, model, picture);
    body += "</g>\n";
    picture.blocks.iter().for_each(|b| text(&mut body, &b.title, HEAD, "head", false));
    for n in 0..model.nodes.len() {
        node(&mut body, model, picture, n, map);
    }
    let label = format!("Process {}", model.name);
    Drawing { width: picture.width, height: picture.height, kind: "amber", label, style: STYLE, body }
}

fn block(out: &mut String, model: &Model, b: &BlockBox) {
    let Rect { x, y, w, h } = b.at;
    let path = escape(&model.blocks[b.block].path);
    let _ = write!(
        out,
        "<g class=\"block\" data-block=\"{path}\"><title>Block {path}</title>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"14\"/>"
    );
    *out += "</g>\n";
}

/// Where arrows reach a node: a half circle fills the middle of its square.
fn reach(model: &Model, picture: &AmberPicture, n: NodeIx) -> Option<Rect> {
    let at = picture.nodes.get(n)?.at;
    let half = model.nodes.get(n)?.kind == NodeKind::Interaction;
    Some(if half { Rect { y: at.y + at.h / 4, h: at.h / 2, ..at } } else { at })
}

pub(super) fn centre(r: &Rect) -> Point {
    Point { x: r.x + r.w / 2, y: r.y + r.h / 2 }
}

/// A head that points from `from` to `at`, `back` pixels before it.
fn head(from: Point, at: Point, back: f64) -> String {
    let (dx, dy) = (f64::from(at.x - from.x), f64::from(at.y - from.y));
    let long = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / long, dy / long);
    let tip = (f64::from(at.x) - ux * back, f64::from(at.y) - uy * back);
    let base = (tip.0 - ux * 8.0, tip.1 - uy * 8.0);
    let side = (-uy * 3.5, ux * 3.5);
    format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        tip.0,
        tip.1,
        base.0 + side.0,
        base.1 + side.1,
        base.0 - side.0,
        base.1 - side.1
    )
}

/// Where a condition can stand, the best first: behind its source, above the line or below it as it leaves, or before its target.
fn beside(wide: i32, (from, to): (&Rect, &Rect), middle: Point) -> [(i32, i32); 4] {
    let (behind, before) = (from.x + from.w + 10, to.x - 20 - wide);
    let (leaves, arrives) = (centre(from).y, centre(to).y);
    let (above, below) = ((behind, leaves - 6), (behind, leaves + 17));
    let on_its_way = (middle.x - wide / 2, middle.y - 5);
    let forward = to.x >= from.x + from.w;
    match forward {
        true if arrives > leaves + 6 => [below, (before, arrives + 15), above, on_its_way],
        true => [above, (before, arrives - 6), below, on_its_way],
        false => [on_its_way, below, above, (middle.x - wide / 2, middle.y + 13)],
    }
}

fn arrow(
    out: &mut String,
    model: &Model,
    picture: &AmberPicture,
    a: &Arrow,
    mark: Option<&str>,
    taken: &mut Vec<Rect>,
) {
    let Some(label) = picture.nodes.get(a.from).map(|n| n.label.at) else { return };
    let (Some(from), Some(to)) = (reach(model, picture, a.from), reach(model, picture, a.to)) else { return };
    let clear = (from.x + from.w).max(label.x + label.w);
    let others = (0..picture.nodes.len()).filter(|&n| n != a.from && n != a.to).filter_map(|n| picture.nodes.get(n));
    let mut avoid: Vec<Rect> = others.flat_map(|n| [n.at, n.label.at]).collect();
    // The name of a gate lies on the only way to it.
    let gate = |n: NodeIx| matches!(model.nodes[n].kind, NodeKind::Entry | NodeKind::Exit);
    let own = [a.from, a.to].into_iter().filter(|&n| !gate(n)).filter_map(|n| picture.nodes.get(n));
    avoid.extend(own.map(|n| n.label.at));
    avoid.retain(|r| r.w > 0);
    let Line { toward, end, d, middle } =
        wrapped(&from, &to, clear).unwrap_or_else(|| around(&from, &to, &avoid, picture.height));
    let (source, target) = (escape(&model.nodes[a.from].path), escape(&model.nodes[a.to].path));
    let kind = if a.double { "arrow double" } else { "arrow" };
    let _ = write!(out, "<g class=\"{kind}\" data-from=\"{source}\" data-to=\"{target}\"><path d=\"{d}\"/>");
    let _ = write!(out, "<path class=\"tip\" d=\"{}\"/>", head(toward, end, 0.0));
    if a.double {
        let _ = write!(out, "<path class=\"tip\" d=\"{}\"/>", head(toward, end, 7.0));
    }
    let condition = match &a.condition {
        None => None,
        Some(Condition::Else(_)) => Some("else".to_string()),
        Some(Condition::Holds(_, text)) => Some(text.clone()),
    };
    if let Some(condition) = condition {
        let ways = model.arrows.iter().filter(|other| other.from == a.from && other.condition.is_some()).count();
        let mut places = beside(width(&condition, SMALL), (&from, &to), middle);
        // Near a source that more than two ways leave, lines cross.
        if ways > 2 {
            places.rotate_left(1);
        }
        let room = |(x, y): (i32, i32)| Rect { x, y: y - 9, w: width(&condition, SMALL), h: 10 };
        let free = |place: &&(i32, i32)| !taken.iter().any(|t| t.overlaps(&room(**place)));
        let (x, y) = places.iter().find(free).copied().unwrap_or(places[0]);
        taken.push(room((x, y)));
        let _ = write!(out, "<text class=\"condition\" x=\"{x}\" y=\"{y}\">{}</text>", escape(&condition));
    }
    if let Some(mark) = mark {
        let (x, y) = if toward.x == end.x { (end.x, end.y - 12) } else { (end.x - 14, end.y) };
        let _ = write!(
            out,
            "<g class=\"mark\" data-var=\"{}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/></g>",
            escape(mark)
        );
    }
    *out += "</g>\n";
}

fn disabling(out: &mut String, model: &Model, picture: &AmberPicture) {
    let mut drawn = Vec::new();
    for d in &model.disables {
        let Some(from) = picture.nodes.get(d.from) else { continue };
        let to = match d.through {
            Some(block) => picture.blocks.iter().find(|b| b.block == block).map(|b| b.at),
            None => picture.nodes.get(d.to).map(|n| n.at),
        };
        let key = (d.from, d.through.map_or(d.to, |b| model.nodes.len() + b));
        let Some(to) = to.filter(|_| !drawn.contains(&key)) else { continue };
        drawn.push(key);
        let Line { toward, end, d: path, middle } = straight(&from.at, &to).line();
        let (source, target) = (escape(&model.nodes[d.from].path), escape(&model.nodes[d.to].path));
        let _ = writeln!(
            out,
            "<g class=\"arrow disabling\" data-from=\"{source}\" data-to=\"{target}\"><path d=\"{path}\"/>\
             <path class=\"tip\" d=\"{}\"/><path class=\"slash\" d=\"M{} {}l10 -14\"/></g>",
            head(toward, end, 0.0),
            middle.x - 5,
            middle.y + 7
        );
    }
}

/// A plain line between two parties; more are joined by a fork.
fn relations(out: &mut String, model: &Model, picture: &AmberPicture) {
    for r in &model.relations {
        let ends: Vec<Point> = r.parties.iter().filter_map(|&p| picture.nodes.get(p)).map(|b| centre(&b.at)).collect();
        let count = ends.len().max(1) as i32;
        let fork = Point {
            x: ends.iter().map(|p| p.x).sum::<i32>() / count,
            y: ends.iter().map(|p| p.y).sum::<i32>() / count,
        };
        let lines: String = match ends.as_slice() {
            [a, b] => format!("M{} {}L{} {}", a.x, a.y, b.x, b.y),
            _ => ends.iter().map(|p| format!("M{} {}L{} {}", p.x, p.y, fork.x, fork.y)).collect(),
        };
        let name = escape(&r.path);
        let _ = writeln!(
            out,
            "<g class=\"relation\" data-relation=\"{name}\"><title>Relation {name}</title><path d=\"{lines}\"/></g>"
        );
    }
}

fn node(out: &mut String, model: &Model, picture: &AmberPicture, n: NodeIx, map: &Map) {
    let (node, Some(b)) = (&model.nodes[n], picture.nodes.get(n)) else { return };
    let mut class = format!("node {}", node.kind.word());
    if node.kind.happens() && node.repeated {
        class += " repeated";
    }
    if node.optional {
        class += " optional";
    }
    let path = escape(&node.path);
    let _ = write!(
        out,
        "<g class=\"{class}\" data-node=\"{path}\" tabindex=\"0\" role=\"img\" aria-label=\"{0} {path}\">\
         <title>{0} {path}</title>",
        node.kind.word()
    );
    let has = |list: &[Option<VarId>]| list.get(n).copied().flatten().is_some();
    // One group for each variable of the node, around its shape: a page writes the value into it.
    let about = [
        ("executed", true),
        ("triggered", has(&map.triggered)),
        ("disabled", has(&map.disabled)),
        ("blocked", has(&map.blocked)),
    ];
    let about: Vec<&str> = about.iter().filter(|(_, there)| *there).map(|(what, _)| *what).collect();
    about.iter().for_each(|what| {
        let _ = write!(out, "<g class=\"is-{what}\" data-var=\"{what}({path})\">");
    });
    shape(out, node.kind, node.repeated && node.kind.happens(), &b.at);
    if about.contains(&"disabled") {
        let Rect { x, y, w, h } = b.at;
        let _ = write!(out, "<path class=\"cross\" d=\"M{x} {y}l{w} {h}M{} {y}l-{w} {h}\"/>", x + w);
    }
    about.iter().for_each(|_| *out += "</g>");
    text(out, &b.label, if node.kind.happens() { BODY } else { SMALL }, "name", false);
    *out += "</g>\n";
}

fn shape(out: &mut String, kind: NodeKind, repeated: bool, at: &Rect) {
    let Rect { x, y, w, h } = *at;
    let c = centre(at);
    let _ = match kind {
        NodeKind::Action => {
            let inner = if repeated {
                format!("<circle class=\"outline\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", c.x, c.y, w / 2 - 4)
            } else {
                String::new()
            };
            write!(out, "<circle class=\"shape\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>{inner}", c.x, c.y, w / 2)
        }
        NodeKind::Interaction => {
            let half = |r: i32| format!("M{} {}A{r} {r} 0 0 1 {} {}Z", c.x - r, c.y + r / 2, c.x + r, c.y + r / 2);
            let inner =
                if repeated { format!("<path class=\"outline\" d=\"{}\"/>", half(w / 2 - 5)) } else { String::new() };
            write!(out, "<path class=\"shape\" d=\"{}\"/>{inner}", half(w / 2))
        }
        NodeKind::AndJoin | NodeKind::OrJoin => {
            write!(out, "<rect class=\"shape\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>")
        }
        NodeKind::AndSplit | NodeKind::OrSplit => {
            write!(out, "<path class=\"shape\" d=\"M{} {y}L{} {}L{} {}L{x} {}Z\"/>", c.x, x + w, c.y, c.x, y + h, c.y)
        }
        NodeKind::Entry | NodeKind::Exit => {
            write!(out, "<path class=\"shape\" d=\"M{x} {y}L{} {}L{x} {}Z\"/>", x + w, c.y, y + h)
        }
    };
}
